// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU buffers in which a program builds a record whose size is not known
 * before it ran. As large as the largest program needs; they only grow.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "scratch.h"

DEFINE_PER_CPU(struct ktap_scratch, ktap_scratch);
DEFINE_PER_CPU(unsigned int, ktap_busy);

static u32 scratch_size;

static void free_all(u8 **all)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		kvfree(all[cpu]);
	kfree(all);
}

/* All buffers of a CPU are one piece of memory. */
static u8 **alloc_all(u32 size)
{
	unsigned int cpu;
	u8 **all;

	all = kcalloc(nr_cpu_ids, sizeof(*all), GFP_KERNEL);
	if (!all)
		return NULL;
	for_each_possible_cpu(cpu) {
		all[cpu] = kvzalloc_node((size_t)size * KTAP_SCRATCH_DEPTH,
					 GFP_KERNEL, cpu_to_node(cpu));
		if (!all[cpu]) {
			free_all(all);
			return NULL;
		}
	}
	return all;
}

/* Return: what was there before. */
static u8 *replace(unsigned int cpu, u8 *piece, u32 size)
{
	u8 **buffer = per_cpu(ktap_scratch.buffer, cpu);
	u8 *old = buffer[0];
	unsigned int depth;

	for (depth = 0; depth < KTAP_SCRATCH_DEPTH; depth++)
		/*
		 * its zeros before it; pairs with the address dependency of who
		 * writes to what ktap_scratch_get() gave
		 */
		smp_store_release(&buffer[depth],
				  piece ? piece + (size_t)depth * size : NULL);
	return old;
}

/**
 * ktap_scratch_grow() - make room for programs of a size
 * @size: bytes of the largest payload
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: 0 or -ENOMEM.
 */
int ktap_scratch_grow(u32 size)
{
	unsigned int cpu;
	u8 **all;

	if (size <= scratch_size)
		return 0;
	size = max(roundup_pow_of_two(size), 1024UL);
	all = alloc_all(size);
	if (!all)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		all[cpu] = replace(cpu, all[cpu], size);
	scratch_size = size;
	/* handlers that still build in the old buffers */
	synchronize_rcu();
	free_all(all);
	return 0;
}

/* ktap_scratch_exit() - Context: process; no handler runs any more. */
void ktap_scratch_exit(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		kvfree(replace(cpu, NULL, 0));
	scratch_size = 0;
}
