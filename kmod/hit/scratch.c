// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU buffers in which a program builds a record whose size is not known
 * before it ran. As large as the largest program needs that there is; when the
 * last one of a size is gone they shrink, a little later, since who deletes a
 * probe often makes another one. CPUs that are not online have none.
 *
 * Old buffers are freed by a work item, when no handler can be in them: nobody
 * waits for that.
 *
 * Locks: CPU hotplug, then scratch_lock; the callbacks of hotplug run with the
 * former held for writing. So while it is held for reading a CPU is online or
 * dead, and a dead one runs no handler.
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

#define CLASS_MIN	SZ_1K	/* bytes of a buffer of class 0; each next is twice that */
#define NR_CLASSES	8

DEFINE_PER_CPU(struct ktap_scratch, ktap_scratch);

/**
 * struct pieces - the buffers of all CPUs
 * @node: in the list of what is to be freed
 * @size: bytes of a buffer
 * @of: for each CPU all of its buffers in one piece, or NULL
 */
struct pieces {
	struct list_head node;
	u32 size;
	u8 *of[];
};

static void free_old(struct work_struct *work);
static void shrink(struct work_struct *work);

static DEFINE_MUTEX(scratch_lock); /* guards what follows */
static u32 scratch_size; /* bytes of a buffer; 0: there are none */
static u32 users[NR_CLASSES]; /* programs by what they need */
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

/* Context: CPU hotplug held. */
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
 * Until no handler builds in what was taken out. They run with preemption off,
 * which RCU waits for but in the idle loop where it does not watch; interrupts
 * are off there.
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

/* Return: what was there before. */
static u8 *replace(unsigned int cpu, u8 *piece, u32 size)
{
	u8 **buffer = per_cpu(ktap_scratch.buffer, cpu);
	u8 *old = buffer[0];
	unsigned int depth;

	for (depth = 0; depth < KTAP_NEST_MAX; depth++)
		/*
		 * its zeros before it; pairs with the address dependency of who
		 * writes to what ktap_scratch_at() gave
		 */
		smp_store_release(&buffer[depth],
				  piece ? piece + (size_t)depth * size : NULL);
	return old;
}

/* Context: CPU hotplug and scratch_lock held. */
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

/* What the programs need that there are. Context: scratch_lock held. */
static u32 needed(void)
{
	u32 class;

	for (class = NR_CLASSES; class--;)
		if (users[class])
			return CLASS_MIN << class;
	return 0;
}

/* Without memory for smaller buffers the large ones stay. */
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
 * ktap_scratch_hold() - make room for a program
 * @room: bytes of its largest payload
 * @refused: where a refusal is explained, or NULL
 *
 * Context: process; may sleep.
 * Return: 0, to be followed by ktap_scratch_drop(); -ENOMEM, -ENOSPC.
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
 * ktap_scratch_drop() - a program is gone
 * @room: what was held for it; 0: nothing was
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

/* A CPU without memory for it comes online all the same: its hits are lost. */
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

/* ktap_scratch_init() - watch CPUs come and go. Context: module init. */
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

/* ktap_scratch_exit() - Context: process; no handler runs any more. */
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
