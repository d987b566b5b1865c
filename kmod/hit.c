// SPDX-License-Identifier: GPL-2.0
/*
 * A hit: from registers to a record in each session's ring, or to one counter
 * that says why not. Every backend ends here.
 *
 * Context: any, NMI included; preemption off. Bounded work: no lock, no
 * allocation, nothing that sleeps; but see the hits of user code.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "attach.h"
#include "calls.h"
#include "fetch.h"
#include "hit_inline.h"
#include "rates.h"
#include "ring.h"
#include "scratch.h"

/*
 * A simple program, straight into the ring. Return: whether there is a record,
 * or nobody wants one.
 */
static __always_inline bool hit_simple(const struct ktap_site *site,
				       const struct ktap_attach *a,
				       const struct pt_regs *regs)
{
	struct ktap_ring *ring = this_cpu_read(a->cell->ring);
	void *payload;

	if (unlikely(!ring)) {
		if (!a->counting)
			this_cpu_inc(a->cell->outcome[KTAP_LOST_NO_RING]);
		return a->counting;
	}
	payload = ktap_ring_reserve(ring, site->want.front);
	if (ktap_ring_failed(payload))
		this_cpu_inc(a->cell->outcome[ktap_ring_failed(payload)]);
	else
		ktap_fill(&site->stores, regs, payload);
	ktap_ring_commit(ring);
	return !ktap_ring_failed(payload);
}

/* Most records are a few words. */
static __always_inline void copy_words(u8 *to, const u8 *from, u32 size)
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
		OPTIMIZER_HIDE_VAR(n); /* no call of memcpy() */
	} while (--n);
}

/* Copy what a program built. Return: as hit_simple(). */
static noinline bool hit_copy(const struct ktap_site *site,
			      const struct ktap_attach *a, const u8 *built,
			      u32 len)
{
	struct ktap_ring *ring = this_cpu_read(a->cell->ring);
	void *payload;

	if (unlikely(!ring)) {
		if (!a->counting)
			this_cpu_inc(a->cell->outcome[KTAP_LOST_NO_RING]);
		return a->counting;
	}
	len += sizeof(struct ktap_rec_head);
	payload = ktap_ring_reserve(ring, ktap_ring_front(site->want.front, len));
	if (ktap_ring_failed(payload))
		this_cpu_inc(a->cell->outcome[ktap_ring_failed(payload)]);
	else
		copy_words(payload, built,
			   len - sizeof(struct ktap_rec_head));
	ktap_ring_commit(ring);
	return !ktap_ring_failed(payload);
}
NOKPROBE_SYMBOL(hit_copy);

/* hit_copy(), which is easy as a rule, into the ring that @a has here. */
static __always_inline void hit_copy_quick(const struct ktap_site *site,
					   const struct ktap_attach *a,
					   struct ktap_ring *ring,
					   const u8 *built, u32 len)
{
	u32 size = len + sizeof(struct ktap_rec_head);
	const struct ktap_ring_want want = {
		ktap_ring_front(site->want.front, size), size,
	};
	u8 *payload;

	if (unlikely(!ring || !ktap_ring_try(ring, &want, &payload))) {
		hit_copy(site, a, built, len);
		return;
	}
	copy_words(payload, built, len);
	ktap_ring_publish(ring);
}

/* What passed the filter may still be more than the session wants. */
static void hit_built(const struct ktap_site *site, const struct ktap_attach *a,
		      const u8 *built, u32 len)
{
	if (likely(!a->rates))
		hit_copy(site, a, built, len);
	else if (ktap_rates_admit(a->rates, &a->cell->passed))
		ktap_rates_settle(a->rates, hit_copy(site, a, built, len));
	else
		this_cpu_inc(a->cell->outcome[KTAP_LIMITED]);
}
NOKPROBE_SYMBOL(hit_built);

/* Beside what ktap_fetch_run() returns. */
#define NOT_RUN		(-10)
#define TOO_DEEP	(-11)

static int run_program(const struct ktap_prog *prog,
		       const struct ktap_frame *frame, u8 *scratch)
{
	if (unlikely(!scratch))
		return TOO_DEEP;
	return ktap_fetch_run(prog->insns, &prog->info, frame, scratch, NULL);
}
NOKPROBE_SYMBOL(run_program);

/* @len: why the program left nothing to record. */
static __always_inline void count_not_built(const struct ktap_attach *a,
					    int len)
{
	if (len == KTAP_FETCH_FILTERED)
		this_cpu_inc(a->cell->outcome[KTAP_FILTERED]);
	else
		this_cpu_inc(a->cell->outcome[KTAP_LOST_DEEP]);
}

/*
 * What the program made, to each session. Unless it ran already, it runs once,
 * for the first session that wants its result.
 */
static void deliver(const struct ktap_site *site,
		    const struct ktap_frame *frame, u8 *scratch, int len)
{
	unsigned int busy = ktap_busy_enter();
	const struct ktap_attach *a;

	list_for_each_entry_lockless(a, &site->attached, in_probe) {
		this_cpu_inc(a->cell->hits);
		if (!ktap_admitted(a)) {
			this_cpu_inc(a->cell->outcome[KTAP_LIMITED]);
			continue;
		}
		if (len == NOT_RUN)
			len = run_program(site->prog, frame, scratch);
		if (len >= 0)
			hit_built(site, a, scratch, len);
		else
			count_not_built(a, len);
	}
	ktap_busy_leave(busy);
}
NOKPROBE_SYMBOL(deliver);

static noinline void hit_general(const struct ktap_site *site,
				 const struct ktap_frame *frame)
{
	deliver(site, frame, ktap_scratch_get(), NOT_RUN);
	ktap_scratch_put();
}
NOKPROBE_SYMBOL(hit_general);

/* A plain program. Return: bytes of the payload. */
static __always_inline u32 build_plain(const struct ktap_stores *s,
				       const struct pt_regs *regs, u8 *payload)
{
	const struct ktap_text *t = s->texts;
	char *text = (char *)payload + s->fixed_size;

	ktap_fill(s, regs, payload);
	do {
		u64 addr = *(const unsigned long *)((const u8 *)regs + t->reg);
		long len = env_string(text, addr, t->max,
				      t->user ? ENV_USER : ENV_ANY);

		text += ktap_fetch_string((void *)(payload + t->off), text, len,
					  t->max);
	} while (!t++->last);
	return ktap_fetch_finish(payload, (u8 *)text - payload);
}

/* Count a hit. Return: the ring that @a has here, if it has one. */
static __always_inline struct ktap_ring *hit_begin(const struct ktap_attach *a)
{
	struct ktap_cell __percpu *cell = a->cell;

	this_cpu_inc(cell->hits);
	return this_cpu_read(cell->ring);
}

/* deliver(), for one session without rates: what is common. */
static noinline void hit_plain(const struct ktap_site *site,
			       const struct ktap_attach *a,
			       const struct pt_regs *regs)
{
	unsigned int busy = ktap_busy_enter();
	u8 *scratch = ktap_scratch_get();
	u32 len = scratch ? build_plain(&site->stores, regs, scratch) : 0;
	struct ktap_ring *ring = hit_begin(a);

	if (likely(scratch))
		hit_copy_quick(site, a, ring, scratch, len);
	else
		count_not_built(a, TOO_DEEP);
	ktap_scratch_put();
	ktap_busy_leave(busy);
}
NOKPROBE_SYMBOL(hit_plain);

/* The same for other programs. */
static noinline void hit_sole(const struct ktap_site *site,
			      const struct ktap_attach *a,
			      const struct pt_regs *regs)
{
	const struct ktap_frame frame = { .regs = regs, .calls = site->calls };
	struct ktap_ring *ring = hit_begin(a);
	unsigned int busy = ktap_busy_enter();
	u8 *scratch = ktap_scratch_get();
	int len = run_program(site->prog, &frame, scratch);

	if (likely(len >= 0))
		hit_copy_quick(site, a, ring, scratch, len);
	else
		count_not_built(a, len);
	ktap_scratch_put();
	ktap_busy_leave(busy);
}
NOKPROBE_SYMBOL(hit_sole);

static __always_inline void hit_one(const struct ktap_site *site,
				    const struct ktap_attach *a,
				    const struct pt_regs *regs)
{
	this_cpu_inc(a->cell->hits);
	if (unlikely(!ktap_admitted(a) ||
		     (a->rates &&
		      !ktap_rates_admit(a->rates, &a->cell->passed))))
		this_cpu_inc(a->cell->outcome[KTAP_LIMITED]);
	else if (unlikely(a->rates))
		ktap_rates_settle(a->rates, hit_simple(site, a, regs));
	else
		hit_simple(site, a, regs);
}

static void hit_all(const struct ktap_site *site,
		    const struct ktap_frame *frame)
{
	const struct ktap_attach *a;

	if (site->prog) {
		hit_general(site, frame);
		return;
	}
	list_for_each_entry_lockless(a, &site->attached, in_probe)
		hit_one(site, a, frame->regs);
}
NOKPROBE_SYMBOL(hit_all);

static __always_inline void cost_since(const struct ktap_site *site, u64 begin)
{
	this_cpu_add(site->cost->ticks, env_clock() - begin);
}

/* Every way a hit can go. */
static noinline void hit_any(const struct ktap_site *site,
			     const struct ktap_frame *frame)
{
	u64 begin;

	if (likely(!READ_ONCE(site->measured))) {
		hit_all(site, frame);
		return;
	}
	begin = env_clock();
	hit_all(site, frame);
	cost_since(site, begin);
}
NOKPROBE_SYMBOL(hit_any);

static bool anybody_admits(const struct ktap_site *site)
{
	const struct ktap_attach *a;

	list_for_each_entry_lockless(a, &site->attached, in_probe)
		if (ktap_admitted(a))
			return true;
	return false;
}
NOKPROBE_SYMBOL(anybody_admits);

/**
 * ktap_hit_call() - a function was entered that a probe is in
 * @calls: where that is kept
 * @regs: registers at the entry
 *
 * It is no hit. What it costs is the probe's all the same.
 *
 * Context: any, NMI included; preemption off.
 */
void ktap_hit_call(struct ktap_calls *calls, const struct pt_regs *regs)
{
	const struct ktap_site *site = calls->site;
	u64 begin = READ_ONCE(site->measured) ? env_clock() : 0;

	if (anybody_admits(site))
		ktap_calls_keep(calls, regs);
	else
		ktap_calls_forget(calls, regs);
	if (begin)
		cost_since(site, begin);
}
NOKPROBE_SYMBOL(ktap_hit_call);

static noinline void hit_rare(const struct ktap_site *site,
			      const struct pt_regs *regs)
{
	const struct ktap_frame frame = { .regs = regs, .calls = site->calls };

	if (unlikely(site->keeps))
		ktap_hit_call(site->keeps, regs);
	else
		hit_any(site, &frame);
}
NOKPROBE_SYMBOL(hit_rare);

/**
 * ktap_hit_slow() - a hit that ktap_hit_inline() has no way for
 * @site: of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption off.
 */
noinline void ktap_hit_slow(const struct ktap_site *site,
			    const struct pt_regs *regs)
{
	const struct ktap_attach *sole = READ_ONCE(site->sole);

	if (unlikely(!sole || !ktap_admitted(sole)))
		hit_rare(site, regs);
	else if (site->stores.nr_texts)
		hit_plain(site, sole, regs);
	else
		hit_sole(site, sole, regs);
}
NOKPROBE_SYMBOL(ktap_hit_slow);

/* Another task runs than before, most often: with that told it may be easy. */
static __always_inline bool hit_turned(const struct ktap_site *site,
				       const struct pt_regs *regs,
				       struct ktap_ring *ring)
{
	const struct ktap_attach *a = READ_ONCE(site->only);

	return a && this_cpu_read(a->cell->ring) == ring &&
	       ktap_ring_turn(ring) && ktap_hit_try(site, a, ring, regs);
}

/**
 * ktap_hit_again() - likewise, after a try
 * @site: of the probe
 * @regs: registers at the hit
 * @ring: where it was tried; the attachment may have left since
 *
 * Context: any, NMI included; preemption off.
 */
noinline void ktap_hit_again(const struct ktap_site *site,
			     const struct pt_regs *regs, struct ktap_ring *ring)
{
	if (unlikely(!hit_turned(site, regs, ring)))
		ktap_hit_slow(site, regs);
	ktap_ring_settle(ring);
}
NOKPROBE_SYMBOL(ktap_hit_again);

/**
 * ktap_hit() - ktap_hit_inline(), for hooks that are dear anyhow
 * @site: of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption off.
 */
void ktap_hit(const struct ktap_site *site, const struct pt_regs *regs)
{
	ktap_hit_inline(site, regs);
}
NOKPROBE_SYMBOL(ktap_hit);

/**
 * ktap_hit_frame() - a probe was hit
 * @site: of the probe
 * @frame: what its hook hands over
 *
 * Context: any, NMI included; preemption off.
 */
void ktap_hit_frame(const struct ktap_site *site,
		    const struct ktap_frame *frame)
{
	if (site->prog)
		hit_any(site, frame);
	else
		ktap_hit(site, frame->regs);
}
NOKPROBE_SYMBOL(ktap_hit_frame);

/**
 * ktap_hit_limited() - a probe was hit by what nobody wants to see
 * @site: of the probe
 *
 * Context: any, NMI included; preemption off.
 */
void ktap_hit_limited(const struct ktap_site *site)
{
	const struct ktap_attach *a;

	list_for_each_entry_lockless(a, &site->attached, in_probe) {
		this_cpu_inc(a->cell->hits);
		this_cpu_inc(a->cell->outcome[KTAP_LIMITED]);
	}
}
NOKPROBE_SYMBOL(ktap_hit_limited);

/**
 * ktap_hit_entry() - a call begins whose return will be a hit
 * @prog: entry program
 * @regs: registers at the entry
 * @entry: to fill; ktap_entry_size() bytes
 *
 * Context: any, NMI included; preemption off.
 */
void ktap_hit_entry(const struct ktap_prog *prog, const struct pt_regs *regs,
		    struct ktap_entry *entry)
{
	const struct ktap_frame frame = { .regs = regs };
	unsigned int busy;

	if (!prog->info.simple) {
		busy = ktap_busy_enter();
		ktap_fetch_run(prog->insns, &prog->info, &frame, entry->payload,
			       &entry->faults);
		ktap_busy_leave(busy);
		return;
	}
	entry->faults = 0;
	ktap_fill(&prog->stores, regs, entry->payload);
}
NOKPROBE_SYMBOL(ktap_hit_entry);

/* ---- hits of user code ----------------------------------------------------- */

/**
 * ktap_hit_wanted() - would a session want a hit of this task?
 * @site: of the probe
 *
 * Context: any, preemptible.
 */
bool ktap_hit_wanted(const struct ktap_site *site)
{
	bool wanted;

	rcu_read_lock();
	wanted = anybody_admits(site);
	rcu_read_unlock();
	return wanted;
}
NOKPROBE_SYMBOL(ktap_hit_wanted);

/*
 * The program met memory that is not resident: once more, where it may sleep,
 * on a buffer of the task's own. Nothing of this hit has been counted yet. The
 * CPU stays the same, for programs that tell it.
 */
static void hit_sleeping(const struct ktap_site *site, struct ktap_frame *frame)
{
	u8 *room = kvmalloc(site->prog->info.room, GFP_KERNEL | __GFP_NOWARN);
	int len = NOT_RUN;

	migrate_disable();
	if (room) {
		frame->memory = ENV_USER_SLEEP;
		len = run_program(site->prog, frame, room);
	}
	preempt_disable();
	if (room)
		deliver(site, frame, room, len);
	else
		hit_general(site, frame);
	preempt_enable();
	migrate_enable();
	kvfree(room);
}
NOKPROBE_SYMBOL(hit_sleeping);

/**
 * ktap_hit_user_regs() - a probe was hit in user code that needs registers only
 * @site: of the probe
 * @regs: registers at the hit
 *
 * Context: process, preemptible.
 */
void ktap_hit_user_regs(const struct ktap_site *site,
			const struct pt_regs *regs)
{
	preempt_disable();
	ktap_hit_inline(site, regs);
	preempt_enable();
}
NOKPROBE_SYMBOL(ktap_hit_user_regs);

/**
 * ktap_hit_user() - a probe was hit in user code
 * @site: of the probe
 * @hook: what its hook hands over; all memory is the user's
 *
 * Context: process, preemptible; may sleep where user memory is not resident.
 */
void ktap_hit_user(const struct ktap_site *site, const struct ktap_frame *hook)
{
	struct ktap_frame frame = *hook;
	int len = NOT_RUN;

	if (!site->prog) {
		ktap_hit_user_regs(site, hook->regs);
		return;
	}
	frame.memory = ENV_USER;
	frame.calls = site->calls;
	preempt_disable();
	if (!anybody_admits(site)) {
		hit_general(site, &frame);
	} else {
		u64 begin = READ_ONCE(site->measured) ? env_clock() : 0;
		u8 *scratch = ktap_scratch_get();

		frame.retry = true;
		len = run_program(site->prog, &frame, scratch);
		if (len != KTAP_FETCH_AGAIN)
			deliver(site, &frame, scratch, len);
		ktap_scratch_put();
		if (begin)
			cost_since(site, begin);
	}
	preempt_enable();
	frame.retry = false;
	if (len == KTAP_FETCH_AGAIN)
		hit_sleeping(site, &frame);
}
NOKPROBE_SYMBOL(ktap_hit_user);

/* ---- control ----------------------------------------------------------------- */

/**
 * ktap_site_init() - what the hits of a new probe read
 * @site: to fill
 * @id: of its records
 * @prog: its program, which must live as long
 *
 * Context: any; nothing fires yet.
 */
void ktap_site_init(struct ktap_site *site, u32 id,
		    const struct ktap_prog *prog)
{
	site->want.front = id;
	INIT_LIST_HEAD(&site->attached);
	site->stores = prog->stores;
	if (prog->info.simple) {
		site->want = (struct ktap_ring_want){
			.front = ktap_ring_front(id, prog->info.record_max),
			.size = prog->info.record_max,
		};
	} else {
		site->prog = prog;
	}
}

/**
 * ktap_site_changed() - an attachment came or went, or @site is measured or not
 * @site: of the probe
 *
 * Context: process, under ktap_lock. What went may be in use until a grace
 * period has passed.
 */
void ktap_site_changed(struct ktap_site *site)
{
	const struct ktap_attach *only = NULL;

	if (!site->measured && list_is_singular(&site->attached))
		only = list_first_entry(&site->attached, struct ktap_attach,
					in_probe);
	if (only && only->rates)
		only = NULL;
	/* pairs with the address dependency in ktap_hit_inline() */
	smp_store_release(&site->only, site->prog ? NULL : only);
	/* and this with that in ktap_hit_slow() */
	smp_store_release(&site->sole, site->prog ? only : NULL);
}
