// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU buffers in which programs build records whose size is not known before the
 * program has run. They are as large as the largest program needs. When the last program
 * of a size is deleted they shrink, with a delay, because a deleted probe is often
 * replaced. CPUs that are offline have none.
 *
 * A work item frees old buffers when no handler can use them; no other task waits for
 * that.
 *
 * Lock order: CPU hotplug lock, scratch_lock. The hotplug callbacks run with the hotplug
 * lock held for writing. So while it is held for reading a CPU is online or dead, and a
 * dead CPU runs no handler.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include "core/budget.h"
#include "hit/scratch.h"

#define CLASS_MIN	SZ_1K	/* bytes of a buffer of class 0; each class doubles that */
#define NR_CLASSES	8

DEFINE_PER_CPU(struct ktap_scratch, ktap_scratch);

/**
 * struct pieces - buffers of all CPUs
 * @node: link in the list of buffers to free
 * @size: bytes of a buffer
 * @of: per CPU, all of its buffers in one allocation, or NULL
 */
struct pieces {
	struct list_head node;
	u32 size;
	u8 *of[];
};

static void free_old(struct work_struct *work);
static void shrink(struct work_struct *work);

static DEFINE_MUTEX(scratch_lock); /* protects the following variables */
static u32 scratch_size; /* bytes of a buffer; 0: no buffers */
static u32 users[NR_CLASSES]; /* number of programs by size class */
static LIST_HEAD(old_pieces);
static DECLARE_WORK(free_work, free_old);
static DECLARE_DELAYED_WORK(shrink_work, shrink);
static int hotplug_state;

/* ---- memory ---------------------------------------------------------------- */

static size_t piece_size(u32 size)
{
	return (size_t)size * KTAP_NEST_MAX;
}

static u8 *piece_alloc(unsigned int cpu, u32 size)
{
	return kvzalloc_node(piece_size(size), KTAP_GFP, cpu_to_node(cpu));
}

static void piece_free(u8 *piece, u32 size)
{
	if (!piece)
		return;
	kvfree(piece);
	ktap_budget_give(KTAP_MEM_SCRATCH, ktap_mem_size(piece_size(size)));
}

static void pieces_free(struct pieces *p)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		piece_free(p->of[cpu], p->size);
	kfree(p);
}

/* Context: CPU hotplug lock held. */
static struct pieces *pieces_alloc(u32 size, struct ktap_refused *refused)
{
	u64 bytes = ktap_mem_size(piece_size(size));
	u64 wanted = bytes * num_online_cpus(), taken = wanted;
	struct pieces *p;
	unsigned int cpu;
	int err;

	err = ktap_budget_take(KTAP_MEM_SCRATCH, taken, 0, refused);
	if (err)
		return ERR_PTR(err);
	p = kzalloc(struct_size(p, of, nr_cpu_ids), KTAP_GFP);
	if (!p)
		goto err_give;
	p->size = size;
	for_each_online_cpu(cpu) {
		if (!size)
			break;
		p->of[cpu] = piece_alloc(cpu, size);
		if (!p->of[cpu])
			goto err_free;
		taken -= bytes;
	}
	return p;

err_free:
	pieces_free(p);
err_give:
	ktap_budget_give(KTAP_MEM_SCRATCH, taken);
	return ERR_PTR(ktap_budget_explain(-ENOMEM, wanted, 0, refused));
}

/*
 * Waits until no handler uses the replaced buffers. Handlers run with preemption
 * disabled, which an RCU grace period covers, except in the idle loop where RCU does not
 * watch. There interrupts are disabled.
 */
static void wait_for_handlers(void)
{
	synchronize_rcu();
	kick_all_cpus_sync();
}

static void free_old(struct work_struct *work)
{
	struct pieces *p, *next;
	LIST_HEAD(list);

	mutex_lock(&scratch_lock);
	list_splice_init(&old_pieces, &list);
	mutex_unlock(&scratch_lock);
	if (list_empty(&list))
		return;
	wait_for_handlers();
	list_for_each_entry_safe(p, next, &list, node)
		pieces_free(p);
}

/* ---- size ------------------------------------------------------------------ */

/* Return: the old buffers. */
static u8 *replace(unsigned int cpu, u8 *piece, u32 size)
{
	u8 **buffer = per_cpu(ktap_scratch.buffer, cpu);
	u8 *old = buffer[0];
	unsigned int depth;

	for (depth = 0; depth < KTAP_NEST_MAX; depth++)
		/*
		 * publishes the zeroed buffer; pairs with the address dependency of
		 * writes to the result of ktap_scratch_at()
		 */
		smp_store_release(&buffer[depth],
				  piece ? piece + (size_t)depth * size : NULL);
	return old;
}

/* Context: CPU hotplug lock and scratch_lock held. */
static int resize(u32 size, struct ktap_refused *refused)
{
	struct pieces *p = pieces_alloc(size, refused);
	unsigned int cpu;

	if (IS_ERR(p))
		return PTR_ERR(p);
	for_each_possible_cpu(cpu)
		p->of[cpu] = replace(cpu, p->of[cpu], size);
	p->size = scratch_size;
	scratch_size = size;
	list_add(&p->node, &old_pieces);
	schedule_work(&free_work);
	return 0;
}

static u32 class_of(u32 room)
{
	return order_base_2(DIV_ROUND_UP(max(room, 1U), CLASS_MIN));
}

/* Size that the present programs need. Context: scratch_lock held. */
static u32 needed(void)
{
	u32 class;

	for (class = NR_CLASSES; class--;)
		if (users[class])
			return CLASS_MIN << class;
	return 0;
}

/* If memory for smaller buffers is not available, the large ones stay. */
static void shrink(struct work_struct *work)
{
	cpus_read_lock();
	mutex_lock(&scratch_lock);
	if (needed() < scratch_size)
		resize(needed(), NULL);
	mutex_unlock(&scratch_lock);
	cpus_read_unlock();
}

/**
 * ktap_scratch_hold() - reserve buffers for a program
 * @room: bytes of its largest payload
 * @refused: filled when the request is refused, or NULL
 *
 * Context: process; may sleep.
 * Return: 0, then ktap_scratch_drop() must follow; -ENOMEM or -ENOSPC.
 */
int ktap_scratch_hold(u32 room, struct ktap_refused *refused)
{
	u32 class = class_of(room), size = CLASS_MIN << class;
	int err = 0;

	if (WARN_ON_ONCE(class >= NR_CLASSES))
		return -ENOMEM;
	cpus_read_lock();
	mutex_lock(&scratch_lock);
	if (size > scratch_size)
		err = resize(size, refused);
	if (!err)
		users[class]++;
	mutex_unlock(&scratch_lock);
	cpus_read_unlock();
	return err;
}

/**
 * ktap_scratch_drop() - release the buffers of a program
 * @room: as given to ktap_scratch_hold(); 0: none
 *
 * Context: process; may sleep; no handler runs the program.
 */
void ktap_scratch_drop(u32 room)
{
	if (!room)
		return;
	mutex_lock(&scratch_lock);
	users[class_of(room)]--;
	if (needed() < scratch_size)
		schedule_delayed_work(&shrink_work, HZ);
	mutex_unlock(&scratch_lock);
}

/* ---- CPUs ------------------------------------------------------------------ */

/* A CPU comes online even if its buffers cannot be allocated; its hits are then lost. */
static int cpu_comes(unsigned int cpu)
{
	u8 *piece = NULL;
	u64 bytes;

	mutex_lock(&scratch_lock);
	bytes = ktap_mem_size(piece_size(scratch_size));
	if (bytes && !ktap_budget_take(KTAP_MEM_SCRATCH, bytes, 0, NULL)) {
		piece = piece_alloc(cpu, scratch_size);
		if (piece)
			replace(cpu, piece, scratch_size);
		else
			ktap_budget_give(KTAP_MEM_SCRATCH, bytes);
	}
	mutex_unlock(&scratch_lock);
	return 0;
}

static int cpu_went(unsigned int cpu)
{
	mutex_lock(&scratch_lock);
	piece_free(replace(cpu, NULL, 0), scratch_size);
	mutex_unlock(&scratch_lock);
	return 0;
}

/**
 * ktap_scratch_init() - register the CPU hotplug callbacks
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int ktap_scratch_init(void)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN,
					      "ktap:scratch", cpu_comes,
					      cpu_went);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/**
 * ktap_scratch_exit() - free all buffers
 *
 * Context: process; no handler runs any more.
 */
void ktap_scratch_exit(void)
{
	unsigned int cpu;

	if (hotplug_state)
		cpuhp_remove_state_nocalls(hotplug_state);
	hotplug_state = 0;
	cancel_delayed_work_sync(&shrink_work);
	flush_work(&free_work);
	for_each_possible_cpu(cpu)
		piece_free(replace(cpu, NULL, 0), scratch_size);
	memset(users, 0, sizeof(users));
	scratch_size = 0;
}
