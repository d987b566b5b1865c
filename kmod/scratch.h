/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_SCRATCH_H
#define KTAP_SCRATCH_H

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

/* Handlers of one CPU that may be inside a program at the same time. */
#define KTAP_SCRATCH_DEPTH	4

/**
 * struct ktap_scratch - one CPU's buffers
 * @depth: of them that are in use
 * @buffer: for each depth; NULL before the first program needs one
 */
struct ktap_scratch {
	unsigned long depth;
	u8 *buffer[KTAP_SCRATCH_DEPTH];
};

DECLARE_PER_CPU(struct ktap_scratch, ktap_scratch);

/*
 * The context of the innermost hit on this CPU that may be calling what can be
 * traced; 0: there is none. For a hook that has no guard against recursion of
 * its own.
 */
DECLARE_PER_CPU(unsigned int, ktap_busy);

/* Interrupts that are nested here, as the kernel counts them; never 0. */
static __always_inline unsigned int ktap_context(void)
{
	return (preempt_count() &
		(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)) | 1;
}

/* Context: any; preemption off until the leave. Return: for the leave. */
static __always_inline unsigned int ktap_busy_enter(void)
{
	unsigned int before = this_cpu_read(ktap_busy);

	/* who interrupts in between leaves what it found */
	this_cpu_write(ktap_busy, ktap_context());
	return before;
}

static __always_inline void ktap_busy_leave(unsigned int before)
{
	this_cpu_write(ktap_busy, before);
}

/*
 * Is this a call that a hit makes, not one that interrupts it? Nothing else runs
 * in its context before it is done.
 */
static __always_inline bool ktap_busy_here(void)
{
	return this_cpu_read(ktap_busy) == ktap_context();
}

int ktap_scratch_grow(u32 size);
void ktap_scratch_exit(void);

/*
 * A depth of our own: in_nmi() is true in every int3 handler on x86, so the
 * kernel's context levels cannot tell nested hits apart.
 *
 * Context: any; preemption off until the put.
 * Return: a buffer, or NULL when too many handlers are nested.
 */
static __always_inline u8 *ktap_scratch_get(void)
{
	unsigned long depth = raw_cpu_read(ktap_scratch.depth);

	/* who interrupts in between leaves what it found */
	raw_cpu_write(ktap_scratch.depth, depth + 1);
	barrier(); /* the buffer is ours from here */
	if (unlikely(depth >= KTAP_SCRATCH_DEPTH))
		return NULL;
	return this_cpu_read(ktap_scratch.buffer[depth]);
}

/* Pairs with every get, also with one that returned NULL. */
static __always_inline void ktap_scratch_put(void)
{
	barrier(); /* up to here */
	raw_cpu_dec(ktap_scratch.depth);
}

#endif /* KTAP_SCRATCH_H */
