/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_SCRATCH_H
#define KTAP_SCRATCH_H

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "arch/arch.h"
#include "hit/nest.h"

struct ktap_refused;

/**
 * struct ktap_scratch - buffers of one CPU
 * @buffer: one for each ktap_nest_level(); NULL before the first program needs one
 */
struct ktap_scratch {
	u8 *buffer[KTAP_NEST_MAX];
};

DECLARE_PER_CPU(struct ktap_scratch, ktap_scratch);

int ktap_scratch_hold(u32 room, struct ktap_refused *refused);
void ktap_scratch_drop(u32 room);
int ktap_scratch_init(void);
void ktap_scratch_exit(void);

/**
 * ktap_scratch_at() - the buffer of a hit
 * @level: number of hits that it interrupted (ktap_nest_level()), not the kernel's
 *	context level: in_nmi() is true in every int3 handler on x86
 *
 * Context: any; preemption disabled, inside a hit.
 * Return: a buffer, or NULL if too many hits are nested.
 */
static __always_inline u8 *ktap_scratch_at(unsigned int level)
{
	if (unlikely(level >= KTAP_NEST_MAX))
		return NULL;
	return ktap_arch_here_read(ktap_arch_here(&ktap_scratch)->buffer[level]);
}

#endif /* KTAP_SCRATCH_H */
