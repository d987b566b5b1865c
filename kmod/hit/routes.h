/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the routes (routes.c), which serve probes that one session records, and the
 * path for all other hits (hit.c).
 */
#ifndef KTAP_HIT_ROUTES_H
#define KTAP_HIT_ROUTES_H

#include <linux/percpu.h>
#include <linux/string.h>

#include "core/attach.h"
#include "hit/fetch.h"
#include "hit/hit_inline.h"
#include "hit/program.h"
#include "hit/ring.h"
#include "hit/stacks.h"

/* No scratch buffer was free. Differs from all results of ktap_fetch_run(). */
#define KTAP_HIT_TOO_DEEP	(-11)

/* Copies a payload. Most are a few words. */
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
		OPTIMIZER_HIDE_VAR(n); /* keeps the compiler from calling memcpy() */
	} while (--n);
}

/* Return: as ktap_fetch_run(), or KTAP_HIT_TOO_DEEP. */
static __always_inline int ktap_hit_run(const struct ktap_prog *prog,
					const struct ktap_frame *frame,
					u8 *scratch)
{
	if (unlikely(!scratch))
		return KTAP_HIT_TOO_DEEP;
	return ktap_fetch_run(prog->insns, &prog->info, frame, scratch, NULL);
}

/* Counts a hit without a record. @len: why there is none. */
static __always_inline void ktap_count_unbuilt(const struct ktap_attach *a,
					       int len)
{
	if (len == KTAP_FETCH_FILTERED)
		this_cpu_inc(a->cell->outcome[KTAP_FILTERED]);
	else
		this_cpu_inc(a->cell->outcome[KTAP_LOST_DEEP]);
}

/*
 * Adds the stacks of a hit to the session's table, before the record with their ids is
 * complete. Return: whether it has them.
 */
static __always_inline bool ktap_keep_stacks(const struct ktap_site *site,
					     const struct ktap_attach *a, const u8 *built)
{
	return unlikely(a->stacks) &&
	       ktap_stacks_keep(a->stacks,
				(const u64 *)(built + site->prog->info.stacks_off));
}

/*
 * The use of trails by a hit that is not nested. @is_one: its program takes one kernel stack.
 * Return: @use, or NULL: there are none.
 */
static __always_inline struct ktap_trail_use *ktap_trails_of(const struct ktap_site *site,
							     const struct ktap_attach *a,
							     bool is_one,
							     struct ktap_trail_use *use)
{
	if (!is_one || unlikely(!a->trails || !site->spot.nr))
		return NULL;
	use->trails = a->trails;
	use->spot = &site->spot;
	use->noted = NULL;
	return use;
}

/* The paths for any hit; see hit.c. */
void ktap_hit_unserved(const struct ktap_site *site,
		       const struct pt_regs *regs);
void ktap_hit_measured(const struct ktap_site *site,
		       const struct pt_regs *regs);
void ktap_hit_record(const struct ktap_site *site, const struct ktap_attach *a,
		     u8 *built, u32 len);
void ktap_hit_one(const struct ktap_site *site, const struct pt_regs *regs,
		  const struct ktap_attach *a);

/* Writes a record for a session without rates, usually by the fast path. */
static __always_inline void ktap_record_quick(const struct ktap_site *site,
					      const struct ktap_attach *a,
					      u8 *built, u32 len)
{
	u32 size = len + sizeof(struct ktap_rec_head);
	const struct ktap_ring_want want = {
		ktap_ring_front(site->id, size),
		size,
	};
	/* read again: keeping the address of the cell would cost a saved register */
	struct ktap_ring *ring =
		ktap_arch_here_read(ktap_arch_here(a->cell)->ring);
	u8 *payload;

	if (unlikely(!ring ||
		     !ktap_ring_try(ring, ring->prod, env_task(), &want, &payload))) {
		ktap_hit_record(site, a, built, len);
		return;
	}
	ktap_copy_words(payload, built, len);
	ktap_ring_publish(ring, ring->prod);
}

/* See stack_route.c. */
void ktap_hit_kstack(const struct ktap_site *site, const struct pt_regs *regs,
		     const struct ktap_attach *a);
void ktap_hit_stacks(const struct ktap_site *site, const struct pt_regs *regs,
		     const struct ktap_attach *a);

#endif /* KTAP_HIT_ROUTES_H */
