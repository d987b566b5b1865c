/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the routes of a hit share with the way that any hit can go: routes.c serves
 * the probe that one session records, hit.c every other.
 */
#ifndef KTAP_HIT_ROUTES_H
#define KTAP_HIT_ROUTES_H

#include <linux/percpu.h>
#include <linux/string.h>

#include "core/attach.h"
#include "hit/fetch.h"
#include "hit/hit_inline.h"
#include "hit/program.h"

/* Beside what ktap_fetch_run() returns: there was no room to build a record. */
#define KTAP_HIT_TOO_DEEP	(-11)

/* Most records are a few words. */
static __always_inline void ktap_copy_words(u8 *to, const u8 *from, u32 size)
{
	unsigned long n = size / 8;

	if (unlikely(size > 64)) {
		memcpy(to, from, size);
		return;
	}
	if (unlikely(!n))
		return;
	do {
		((u64 *)to)[n - 1] = ((const u64 *)from)[n - 1];
		OPTIMIZER_HIDE_VAR(n); /* no call of memcpy() */
	} while (--n);
}

/* Return: what ktap_fetch_run() does, or KTAP_HIT_TOO_DEEP. */
static __always_inline int ktap_hit_run(const struct ktap_prog *prog,
					const struct ktap_frame *frame,
					u8 *scratch)
{
	if (unlikely(!scratch))
		return KTAP_HIT_TOO_DEEP;
	return ktap_fetch_run(prog->insns, &prog->info, frame, scratch, NULL);
}

/* @len: why the program left nothing to record. */
static __always_inline void ktap_count_unbuilt(const struct ktap_attach *a,
					       int len)
{
	if (len == KTAP_FETCH_FILTERED)
		this_cpu_inc(a->cell->outcome[KTAP_FILTERED]);
	else
		this_cpu_inc(a->cell->outcome[KTAP_LOST_DEEP]);
}

/* Every way that there is; see hit.c. */
void ktap_hit_measured(const struct ktap_site *site,
		       const struct pt_regs *regs);
void ktap_hit_record(const struct ktap_site *site, const struct ktap_attach *a,
		     u8 *built, u32 len);
bool ktap_hit_user_quick(const struct ktap_site *site,
			 const struct pt_regs *regs);
void ktap_hit_one(const struct ktap_site *site, const struct pt_regs *regs,
		  const struct ktap_attach *a);

#endif /* KTAP_HIT_ROUTES_H */
