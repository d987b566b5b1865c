/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_SCRATCH_H
#define KTAP_SCRATCH_H

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

struct ktap_refused;

/* Handlers of one CPU that may be inside a program at the same time. */
#define KTAP_SCRATCH_DEPTH	4

/**
 * struct ktap_scratch - one CPU's buffers
 * @buffer: for each depth; NULL before the first program needs one
 */
struct ktap_scratch {
	u8 *buffer[KTAP_SCRATCH_DEPTH];
};

DECLARE_PER_CPU(struct ktap_scratch, ktap_scratch);

int ktap_scratch_hold(u32 room, struct ktap_refused *refused);
void ktap_scratch_drop(u32 room);
int ktap_scratch_init(void);
void ktap_scratch_exit(void);

/**
 * ktap_scratch_at() - the buffer of a hit
 * @level: hits that it interrupted (ktap_nest_level()). Not the kernel's own
 *	context levels: in_nmi() is true in every int3 handler on x86
 *
 * Context: any; preemption off, inside of a hit.
 * Return: a buffer, or NULL when too many hits are nested.
 */
static __always_inline u8 *ktap_scratch_at(unsigned int level)
{
	if (unlikely(level >= KTAP_SCRATCH_DEPTH))
		return NULL;
	return this_cpu_read(ktap_scratch.buffer[level]);
}

#endif /* KTAP_SCRATCH_H */
