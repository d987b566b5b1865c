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

DEFINE_PER_CPU(struct ktap_scratch *, ktap_scratch);
DEFINE_PER_CPU(unsigned long, ktap_scratch_depth);
DEFINE_PER_CPU(unsigned int, ktap_busy);

static u32 scratch_size;

static void free_all(struct ktap_scratch **all)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		kvfree(all[cpu]);
	kfree(all);
}

static struct ktap_scratch *alloc_one(u32 size, unsigned int cpu)
{
	struct ktap_scratch *s;
	unsigned int depth;

	s = kvzalloc_node(sizeof(*s) + (size_t)size * KTAP_SCRATCH_DEPTH,
			  GFP_KERNEL, cpu_to_node(cpu));
	for (depth = 0; s && depth < KTAP_SCRATCH_DEPTH; depth++)
		s->buffer[depth] = s->data + (size_t)depth * size;
	return s;
}

static struct ktap_scratch **alloc_all(u32 size)
{
	struct ktap_scratch **all;
	unsigned int cpu;

	all = kcalloc(nr_cpu_ids, sizeof(*all), GFP_KERNEL);
	if (!all)
		return NULL;
	for_each_possible_cpu(cpu) {
		all[cpu] = alloc_one(size, cpu);
		if (!all[cpu]) {
			free_all(all);
			return NULL;
		}
	}
	return all;
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
	struct ktap_scratch **all;
	unsigned int cpu;

	if (size <= scratch_size)
		return 0;
	size = max(roundup_pow_of_two(size), 1024UL);
	all = alloc_all(size);
	if (!all)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		all[cpu] = xchg(per_cpu_ptr(&ktap_scratch, cpu), all[cpu]);
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
		kvfree(xchg(per_cpu_ptr(&ktap_scratch, cpu), NULL));
	scratch_size = 0;
}
