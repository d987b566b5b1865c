/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of the function that contains a probe: registers at the entry, found by the task
 * and the CFA.
 */
#ifndef KTAP_CALLS_H
#define KTAP_CALLS_H

#include <linux/atomic.h>
#include <linux/ktap.h>
#include <linux/percpu-defs.h>
#include <linux/types.h>

struct ktap_probe_args;
struct ktap_refused;
struct ktap_site;
struct pt_regs;

/* Slots per set. */
#define KTAP_CALLS_WAYS	8

/**
 * struct ktap_calls_cell - per-CPU counts
 * @entries: entries of the function that were seen
 * @dropped: entries that found no slot
 * @no_entry: hits that found no call
 */
struct ktap_calls_cell {
	u64 entries;
	u64 dropped;
	u64 no_entry;
};

/**
 * struct ktap_calls - calls of the function that contains a probe
 * @site: site of the probe; decides whether a call is in scope
 * @missed: entries that the hook missed, as far as the kernel counts them; NULL: none
 * @owner: argument of @missed
 * @generation: calls of earlier generations are void
 * @nr_regs: length of @regs
 * @regs: registers to store: enum ktap_reg_*
 * @bits: there are 1 << @bits sets of KTAP_CALLS_WAYS slots
 * @stride: size of a slot in bytes
 * @slots: array of struct slot, see calls.c
 * @lost: per set: entries that were not stored
 * @bytes: memory of the table
 * @cell: counts
 */
struct ktap_calls {
	const struct ktap_site *site;
	u64 (*missed)(const void *owner);
	const void *owner;
	u64 generation;
	u32 nr_regs;
	u8 regs[KTAP_NR_FRAME_REGS];
	u32 bits;
	u32 stride;
	void *slots;
	atomic64_t *lost;
	u64 bytes;
	struct ktap_calls_cell __percpu *cell;
};

int ktap_calls_check(struct ktap_probe_args *args,
		     struct ktap_refused *refused);
struct ktap_calls *ktap_calls_create(const struct ktap_probe_args *args,
				     const struct ktap_site *site,
				     struct ktap_refused *refused);
void ktap_calls_destroy(struct ktap_calls *c);
void ktap_calls_forget_all(struct ktap_calls *c);
u32 ktap_calls_max(const struct ktap_calls *c);
void ktap_calls_stats(const struct ktap_calls *c, struct ktap_frames *ret);

void ktap_calls_keep(struct ktap_calls *c, const struct pt_regs *regs);
void ktap_calls_forget(struct ktap_calls *c, const struct pt_regs *regs);
bool ktap_calls_find(struct ktap_calls *c, u64 cfa, u32 nr, u64 *ret);
void ktap_calls_no_entry(struct ktap_calls *c);

#endif /* KTAP_CALLS_H */
