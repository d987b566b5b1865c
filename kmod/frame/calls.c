// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of the function that contains a probe. A second probe, the companion, is at the
 * function's entry and stores registers. The probe inside looks them up by the task and
 * the CFA (the stack pointer before the call), which is the same for both probes and
 * unique among the pending calls.
 *
 * A call is never removed, because its return is not seen. The next call of the task with
 * the same CFA overwrites it. Calls with a CFA below that of a new call have returned, so
 * a task that does not recurse needs one slot. A stored call can be wrong only if a later
 * entry with the same CFA was not seen. So a slot has a stamp, and is void if the stamp
 * of its set has changed:
 *
 *   missed by the kernel	the counters of the hook are part of the stamp
 *   no free slot		a counter of the set is part of the stamp
 *   not armed in between	the generation is part of the stamp. It changes when the
 *			companion is armed already and the probe is not yet, so
 *			that later entries are seen
 *   out of scope		the entry is seen, and the older call is dropped
 *   another task		the start time of the task is part of the key, because
 *			the pointer may be reused. A forked child finds no call
 *			of its parent
 *   another stack	interrupts and user threads have another CFA
 *
 * A key is written and read by one task only, or by a handler that interrupts it on its
 * stack and has another CFA. So a slot that another context is writing contains another
 * call, or will soon.
 *
 * Slots have a sequence count, which is odd during a write:
 *
 *   A  claim, by cmpxchg, before the contents	pairs with D
 *   B  contents before the even number		pairs with C
 *   C  number before the contents		pairs with B
 *   D  contents before the number again		pairs with A
 *
 * Context of hits: any, NMI included; preemption disabled. Work is bounded.
 */
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "core/budget.h"
#include "core/probe.h"
#include "core/refused.h"
#include "frame/calls.h"
#include "hit/env.h"

/**
 * struct slot - a stored call
 * @seq: sequence count; odd during a write
 * @stamp: stamp of its set when it was written; 0: free
 * @task: task that made the call
 * @start: start time of that task
 * @cfa: CFA of the call
 * @time: raw counter at the entry
 * @value: registers
 */
struct slot {
	u64 seq;
	u64 stamp;
	u64 task;
	u64 start;
	u64 cfa;
	u64 time;
	u64 value[];
};

/**
 * struct frame_key - key of a look-up
 * @task: task
 * @start: start time of the task
 * @cfa: CFA
 * @set: set of the key
 * @stamp: current stamp of the set
 */
struct frame_key {
	u64 task;
	u64 start;
	u64 cfa;
	u32 set;
	u64 stamp;
};

static __always_inline struct slot *slot_at(const struct ktap_calls *c, u32 set,
					    u32 way)
{
	return c->slots + (size_t)(set * KTAP_CALLS_WAYS + way) * c->stride;
}

/* Each part only grows. */
static __always_inline u64 stamp_of(const struct ktap_calls *c, u32 set)
{
	return READ_ONCE(c->generation) + (c->missed ? c->missed(c->owner) : 0) +
	       atomic64_read(&c->lost[set]);
}

/* All calls of a task are in one set, so that those that have returned are seen. */
static __always_inline struct frame_key key_of(const struct ktap_calls *c, u64 cfa)
{
	struct frame_key k = {
		.task = (unsigned long)current,
		.start = current->start_time,
		.cfa = cfa,
		.set = hash_64((unsigned long)current, c->bits),
	};

	k.stamp = stamp_of(c, k.set);
	return k;
}

static __always_inline bool is_own(const struct slot *s, const struct frame_key *k)
{
	return READ_ONCE(s->task) == k->task && READ_ONCE(s->start) == k->start;
}

static __always_inline bool is_same(const struct slot *s, const struct frame_key *k)
{
	return is_own(s, k) && READ_ONCE(s->cfa) == k->cfa;
}

/*
 * Stacks grow down: calls below a new frame have returned. A call that is further away
 * may be on another stack.
 */
static __always_inline bool has_returned(const struct slot *s,
					 const struct frame_key *k)
{
	return is_own(s, k) && k->cfa - READ_ONCE(s->cfa) < THREAD_SIZE;
}

static __always_inline bool is_void(const struct slot *s, const struct frame_key *k)
{
	return READ_ONCE(s->stamp) != k->stamp;
}

/* ---- keeping --------------------------------------------------------------- */

/*
 * Rank of a slot for replacement, lowest first: the same frame, because there must not be
 * two slots for it; calls that cannot be found any more; then the oldest.
 */
static u64 keep_rank(const struct slot *s, const struct frame_key *k)
{
	if (is_same(s, k))
		return 0;
	if (is_void(s, k) || has_returned(s, k))
		return 1;
	return max(READ_ONCE(s->time), 2ULL);
}
NOKPROBE_SYMBOL(keep_rank);

/*
 * Return: the slot to overwrite, and its sequence; NULL: all of them are being written.
 */
static struct slot *choose(const struct ktap_calls *c, const struct frame_key *k,
			   u64 *ret_seq)
{
	struct slot *best = NULL;
	u64 least = U64_MAX;
	u32 way;

	for (way = 0; way < KTAP_CALLS_WAYS; way++) {
		struct slot *s = slot_at(c, k->set, way);
		u64 seq = smp_load_acquire(&s->seq); /* C */
		u64 rank;

		if (seq & 1)
			continue;
		rank = keep_rank(s, k);
		if (best && rank >= least)
			continue;
		best = s;
		least = rank;
		*ret_seq = seq;
	}
	return best;
}
NOKPROBE_SYMBOL(choose);

/* Other contexts may claim a slot first, so the number of tries is limited. */
static struct slot *claim(const struct ktap_calls *c, const struct frame_key *k)
{
	struct slot *s;
	u32 tries;
	u64 seq;

	for (tries = 0; tries < KTAP_CALLS_WAYS; tries++) {
		s = choose(c, k, &seq);
		if (!s)
			break;
		if (cmpxchg(&s->seq, seq, seq + 1) == seq) /* A */
			return s;
	}
	return NULL;
}
NOKPROBE_SYMBOL(claim);

static __always_inline void release(struct slot *s)
{
	smp_store_release(&s->seq, s->seq + 1); /* B */
}

/**
 * ktap_calls_keep() - store the registers at the entry of a call
 * @c: calls
 * @regs: registers at the entry
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_calls_keep(struct ktap_calls *c, const struct pt_regs *regs)
{
	struct frame_key k = key_of(c, ktap_arch_entry_cfa(regs));
	struct slot *s = claim(c, &k);
	u32 i;

	this_cpu_inc(c->cell->entries);
	if (unlikely(!s)) {
		atomic64_inc(&c->lost[k.set]);
		this_cpu_inc(c->cell->dropped);
		return;
	}
	WRITE_ONCE(s->task, k.task);
	WRITE_ONCE(s->start, k.start);
	WRITE_ONCE(s->cfa, k.cfa);
	WRITE_ONCE(s->stamp, k.stamp);
	WRITE_ONCE(s->time, env_clock());
	for (i = 0; i < c->nr_regs; i++)
		WRITE_ONCE(s->value[i], env_reg(regs, c->regs[i]));
	release(s);
}
NOKPROBE_SYMBOL(ktap_calls_keep);

/**
 * ktap_calls_forget() - drop an older call with the frame of a call out of scope
 * @c: calls
 * @regs: registers at the entry of the new call
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_calls_forget(struct ktap_calls *c, const struct pt_regs *regs)
{
	struct frame_key k = key_of(c, ktap_arch_entry_cfa(regs));
	u32 way;

	this_cpu_inc(c->cell->entries);
	for (way = 0; way < KTAP_CALLS_WAYS; way++) {
		struct slot *s = slot_at(c, k.set, way);
		u64 seq = smp_load_acquire(&s->seq); /* C */

		if ((seq & 1) || !is_same(s, &k) ||
		    cmpxchg(&s->seq, seq, seq + 1) != seq) /* A */
			continue;
		WRITE_ONCE(s->stamp, 0);
		release(s);
	}
}
NOKPROBE_SYMBOL(ktap_calls_forget);

/* ---- finding --------------------------------------------------------------- */

/**
 * ktap_calls_find() - look up a register that was stored at the entry of a pending call
 * @c: calls
 * @cfa: CFA of the call
 * @nr: index in the registers that are stored
 * @ret: filled
 *
 * Context: any, NMI included; the task that made the call.
 * Return: whether the call was found.
 */
bool ktap_calls_find(struct ktap_calls *c, u64 cfa, u32 nr, u64 *ret)
{
	struct frame_key k = key_of(c, cfa);
	u32 way;

	for (way = 0; way < KTAP_CALLS_WAYS; way++) {
		struct slot *s = slot_at(c, k.set, way);
		u64 seq = smp_load_acquire(&s->seq); /* C */

		if ((seq & 1) || !is_same(s, &k) || is_void(s, &k))
			continue;
		*ret = READ_ONCE(s->value[nr]);
		smp_rmb(); /* D */
		if (READ_ONCE(s->seq) == seq)
			return true;
	}
	return false;
}
NOKPROBE_SYMBOL(ktap_calls_find);

/**
 * ktap_calls_no_entry() - count a hit that did not find its call
 * @c: calls
 *
 * Context: any, NMI included.
 */
void ktap_calls_no_entry(struct ktap_calls *c)
{
	this_cpu_inc(c->cell->no_entry);
}
NOKPROBE_SYMBOL(ktap_calls_no_entry);

/* ---- control --------------------------------------------------------------- */

/**
 * ktap_calls_check() - check FRAME_REGS of a request
 * @args: request; the number of registers is filled in
 * @refused: filled when the request is refused
 *
 * Context: process.
 * Return: 0 or -EINVAL.
 */
int ktap_calls_check(struct ktap_probe_args *args,
		     struct ktap_refused *refused)
{
	u32 i;

	for (i = 0; i < args->nr_frame_regs; i++)
		if (args->frame_regs[i] >= env_nr_regs())
			return ktap_refuse(refused, -EINVAL, KTAP_A_FRAME_REGS,
					   ktap_refusal_text(KTAP_REFUSE_BAD_REG));
	args->place.nr_frame_regs = args->nr_frame_regs;
	return 0;
}

/*
 * As for return probes: functions that sleep have many calls at once. A task that called
 * once keeps its slot until another task needs it.
 */
static u32 max_default(void)
{
	return clamp_t(u32, 64 * num_possible_cpus(), 256, 2048);
}

/**
 * ktap_calls_destroy() - free a table
 * @c: table, or NULL
 *
 * Context: process, under the lock of the probe's arming.
 */
void ktap_calls_destroy(struct ktap_calls *c)
{
	if (!c)
		return;
	ktap_budget_give(KTAP_MEM_CALLS, c->bytes);
	ktap_free_percpu(c->cell);
	kvfree(c->slots);
	kvfree(c->lost);
	kfree(c);
}

/* At least two sets, because the hash needs at least one bit. */
static void set_size(struct ktap_calls *c, u32 max)
{
	u32 nr = max ?: max_default();

	c->bits = max(order_base_2(DIV_ROUND_UP(nr, KTAP_CALLS_WAYS)), 1);
	c->stride = sizeof(struct slot) + c->nr_regs * sizeof(u64);
}

static int make_slots(struct ktap_calls *c)
{
	c->slots = kvcalloc(ktap_calls_max(c), c->stride, KTAP_GFP);
	c->lost = kvcalloc(1 << c->bits, sizeof(*c->lost), KTAP_GFP);
	c->cell = ktap_alloc_percpu(struct ktap_calls_cell, NULL);
	return c->slots && c->lost && c->cell ? 0 : -ENOMEM;
}

/**
 * ktap_calls_create() - create a table for the calls of a function
 * @args: checked request
 * @site: site of the probe that looks the calls up
 * @refused: filled when the request is refused
 *
 * Context: process, under the lock of the probe's arming; may sleep.
 * Return: the table, or ERR_PTR: -ENOMEM or -ENOSPC.
 */
struct ktap_calls *ktap_calls_create(const struct ktap_probe_args *args,
				     const struct ktap_site *site,
				     struct ktap_refused *refused)
{
	struct ktap_calls *c = kzalloc(sizeof(*c), KTAP_GFP);
	u64 bytes;
	int err;

	if (!c)
		return ERR_PTR(-ENOMEM);
	c->site = site;
	c->generation = 1; /* so that the stamp of zeroed slots is void */
	c->nr_regs = args->place.nr_frame_regs;
	memcpy(c->regs, args->frame_regs, c->nr_regs);
	set_size(c, args->maxactive);
	bytes = ktap_mem_size((size_t)ktap_calls_max(c) * c->stride) +
		ktap_mem_size(sizeof(*c->lost) << c->bits);
	err = ktap_budget_take(KTAP_MEM_CALLS, bytes, KTAP_A_MAXACTIVE,
			       refused);
	if (!err) {
		c->bytes = bytes;
		err = make_slots(c);
	}
	if (!err)
		return c;
	if (c->bytes)
		ktap_budget_explain(err, bytes, KTAP_A_MAXACTIVE, refused);
	ktap_calls_destroy(c);
	return ERR_PTR(err);
}

/**
 * ktap_calls_max() - number of calls that a table can store
 * @c: table
 *
 * Context: any.
 * Return: number.
 */
u32 ktap_calls_max(const struct ktap_calls *c)
{
	return KTAP_CALLS_WAYS << c->bits;
}

/**
 * ktap_calls_forget_all() - drop all calls, because entries may have been missed
 * @c: calls
 *
 * Context: process, under the lock of the probe's arming; from here on entries are seen.
 */
void ktap_calls_forget_all(struct ktap_calls *c)
{
	WRITE_ONCE(c->generation, c->generation + 1);
}

/**
 * ktap_calls_stats() - sum the counts of all CPUs
 * @c: calls
 * @ret: filled
 *
 * Context: process.
 */
void ktap_calls_stats(const struct ktap_calls *c, struct ktap_frames *ret)
{
	const struct ktap_calls_cell *cell;
	int cpu;

	*ret = (struct ktap_frames){};
	for_each_possible_cpu(cpu) {
		cell = per_cpu_ptr(c->cell, cpu);
		ret->entries += READ_ONCE(cell->entries);
		ret->dropped += READ_ONCE(cell->dropped);
		ret->no_entry += READ_ONCE(cell->no_entry);
	}
}
