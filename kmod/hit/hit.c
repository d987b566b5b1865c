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

#include "core/attach.h"
#include "frame/calls.h"
#include "hit/fetch.h"
#include "hit/gate.h"
#include "hit/guard.h"
#include "hit/hit_inline.h"
#include "hit/rates.h"
#include "hit/ring.h"
#include "hit/routes.h"
#include "hit/scratch.h"
#include "hit/user_wait.h"

DEFINE_PER_CPU(unsigned int, ktap_busy);

/* ---- entering ---------------------------------------------------------------- */

/**
 * struct visit - a hit that may call what can be traced
 * @busy: ktap_busy before it
 * @begin: raw time
 */
struct visit {
	unsigned int busy;
	u64 begin;
};

/* A call that a hit made, or one too many: no session ever sees it. */
static noinline void hit_own(const struct ktap_site *site)
{
	const struct ktap_attach *a;

	list_for_each_entry_lockless(a, &site->attached, in_probe)
		ktap_count(a, KTAP_LOST_DEEP);
}
NOKPROBE_SYMBOL(hit_own);

/* Return: whether the hit may go on; if so, leave() follows. */
static __always_inline bool enter(struct visit *v, bool traps)
{
	v->busy = this_cpu_read(ktap_busy);
	if (unlikely(v->busy && !ktap_may_nest(v->busy, traps)))
		return false;
	ktap_nest_enter(ktap_arch_here(&ktap_busy), v->busy);
	v->begin = env_clock();
	return true;
}

/* The same for a hit, which is counted if it may not. */
static __always_inline bool enter_hit(const struct ktap_site *site,
				      struct visit *v)
{
	bool may = enter(v, site->traps);

	if (unlikely(!may))
		hit_own(site);
	return may;
}

static __always_inline void leave(const struct ktap_site *site,
				  const struct visit *v)
{
	if (unlikely(ktap_guard_due(v->begin)))
		ktap_guard_measure(site, v->begin);
	ktap_busy_leave(v->busy);
}

/* ---- writing ----------------------------------------------------------------- */

/* Beside what ktap_hit_run() returns: nobody asked for it so far. */
#define NOT_RUN		(-10)

/**
 * struct made - what a hit has for its sessions
 * @frame: what the hook hands over
 * @built: where a program builds the payload; NULL: there is no room. Simple
 *	programs need none, they write in place
 * @len: bytes of it, NOT_RUN, or why there is none
 */
struct made {
	const struct ktap_frame *frame;
	u8 *built;
	int len;
};

/*
 * A record for one session. Return: whether there is one, or nobody wants it.
 */
static noinline bool record(const struct ktap_site *site,
			    const struct ktap_attach *a, const struct made *m)
{
	struct ktap_ring *ring = this_cpu_read(a->cell->ring);
	u32 front = site->want.front;
	void *payload;

	if (unlikely(!ring)) {
		if (!a->counting)
			this_cpu_inc(a->cell->outcome[KTAP_LOST_NO_RING]);
		return a->counting;
	}
	if (site->prog)
		front = ktap_ring_front(site->id,
					m->len + sizeof(struct ktap_rec_head));
	payload = ktap_ring_reserve(ring, front);
	if (ktap_ring_failed(payload))
		this_cpu_inc(a->cell->outcome[ktap_ring_failed(payload)]);
	else if (site->prog)
		ktap_copy_words(payload, m->built, m->len);
	else
		ktap_fill(&site->stores, m->frame->regs, payload);
	ktap_ring_commit(ring);
	return !ktap_ring_failed(payload);
}
NOKPROBE_SYMBOL(record);

/**
 * ktap_hit_record() - a record that a route built, where that is not easy
 * @site: of the probe
 * @a: the session's attachment, which has no rates
 * @built: payload
 * @len: bytes of it, a multiple of 8
 *
 * Context: any, NMI included; preemption off, busy is marked.
 */
noinline void ktap_hit_record(const struct ktap_site *site,
			      const struct ktap_attach *a, u8 *built, u32 len)
{
	const struct made m = { .built = built, .len = len };

	record(site, a, &m);
}
NOKPROBE_SYMBOL(ktap_hit_record);

/**
 * ktap_hit_one() - a record of registers for one session, where that is not easy
 * @site: of the probe
 * @regs: registers at the hit
 * @a: the session's attachment, which admitted the hit
 *
 * Context: any, NMI included; preemption off, busy is not marked.
 */
noinline void ktap_hit_one(const struct ktap_site *site,
			   const struct pt_regs *regs,
			   const struct ktap_attach *a)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);
	const struct ktap_frame frame = { .regs = regs };
	const struct made m = { .frame = &frame };
	u64 begin;
	bool recorded;

	ktap_nest_enter(busy, 0);
	begin = env_clock();
	this_cpu_inc(a->cell->hits);
	recorded = record(site, a, &m);
	if (a->rates)
		ktap_rates_settle(a->rates, recorded);
	if (unlikely(ktap_guard_due(begin)))
		ktap_guard_measure(site, begin);
	ktap_arch_here_write(*busy, 0);
}
NOKPROBE_SYMBOL(ktap_hit_one);

/*
 * What the hit made, to one session that wants it: that may still be more than
 * its rates allow.
 */
static __always_inline void give(const struct ktap_site *site,
				 const struct ktap_attach *a,
				 const struct made *m)
{
	if (unlikely(m->len < 0))
		ktap_count_unbuilt(a, m->len);
	else if (likely(!a->rates))
		record(site, a, m);
	else if (ktap_rates_admit(a->rates, &a->cell->passed))
		ktap_rates_settle(a->rates, record(site, a, m));
	else
		this_cpu_inc(a->cell->outcome[KTAP_LIMITED]);
}

/* To each session. The program runs once, for the first that wants its result. */
static void deliver(const struct ktap_site *site, struct made *m)
{
	const struct ktap_attach *a;

	list_for_each_entry_lockless(a, &site->attached, in_probe) {
		if (!ktap_admitted(a, env_task())) {
			ktap_count(a, KTAP_LIMITED);
			continue;
		}
		this_cpu_inc(a->cell->hits);
		if (m->len == NOT_RUN)
			m->len = ktap_hit_run(site->prog, m->frame, m->built);
		give(site, a, m);
	}
}
NOKPROBE_SYMBOL(deliver);

/* ---- every way there is ----------------------------------------------------- */

/* Any program, any number of sessions. */
static noinline void hit_each(const struct ktap_site *site,
			      const struct ktap_frame *frame)
{
	struct made m = { .frame = frame };

	if (!site->prog) {
		deliver(site, &m);
		return;
	}
	m.len = NOT_RUN;
	m.built = ktap_scratch_at(ktap_nest_level());
	deliver(site, &m);
}
NOKPROBE_SYMBOL(hit_each);

/**
 * ktap_hit_measured() - a hit of a route in a window of the guard
 * @site: of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption off, busy is marked.
 */
noinline void ktap_hit_measured(const struct ktap_site *site,
				const struct pt_regs *regs)
{
	const struct ktap_frame frame = { .regs = regs, .calls = site->calls };
	u64 begin = env_clock();

	hit_each(site, &frame);
	ktap_guard_measure(site, begin);
}
NOKPROBE_SYMBOL(ktap_hit_measured);

static bool anybody_admits(const struct ktap_site *site)
{
	const struct ktap_attach *a;

	list_for_each_entry_lockless(a, &site->attached, in_probe)
		if (ktap_admitted(a, env_task()))
			return true;
	return false;
}
NOKPROBE_SYMBOL(anybody_admits);

static void keep_call(struct ktap_calls *calls, const struct pt_regs *regs)
{
	if (unlikely(READ_ONCE(calls->site->tripped)))
		return;
	if (anybody_admits(calls->site))
		ktap_calls_keep(calls, regs);
	else
		ktap_calls_forget(calls, regs);
}
NOKPROBE_SYMBOL(keep_call);

/**
 * ktap_hit_call() - a function was entered that a probe is in
 * @calls: where that is kept
 * @regs: registers at the entry
 *
 * It is no hit. What it costs is the probe's all the same. A call that a hit made
 * is not kept: its hits do not count either.
 *
 * Context: any, NMI included; preemption off.
 */
void ktap_hit_call(struct ktap_calls *calls, const struct pt_regs *regs)
{
	const struct ktap_site *site = calls->site;
	struct visit v;

	if (unlikely(!enter(&v, site->traps)))
		return;
	keep_call(calls, regs);
	leave(site, &v);
}
NOKPROBE_SYMBOL(ktap_hit_call);

/* Every way there is, measured if that is due. */
static noinline void hit_frame(const struct ktap_site *site,
			       const struct ktap_frame *frame)
{
	struct visit v;

	if (unlikely(READ_ONCE(site->tripped) || !enter_hit(site, &v)))
		return;
	if (unlikely(site->keeps))
		keep_call(site->keeps, frame->regs);
	else
		hit_each(site, frame);
	leave(site, &v);
}
NOKPROBE_SYMBOL(hit_frame);

/**
 * ktap_hit_any() - a hit that no route serves
 * @site: of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption off.
 */
noinline void ktap_hit_any(const struct ktap_site *site,
			   const struct pt_regs *regs)
{
	const struct ktap_frame frame = { .regs = regs, .calls = site->calls };

	hit_frame(site, &frame);
}
NOKPROBE_SYMBOL(ktap_hit_any);

/*
 * Whether a hit of a program with a gate needs no more than to be counted, which is
 * done: told early, for hooks with more than registers, and for user code. Nothing is
 * called, so the CPU need not be marked as busy.
 */
static __always_inline bool hit_unwanted(const struct ktap_site *site,
					 const struct pt_regs *regs)
{
	const struct ktap_attach *a = READ_ONCE(site->alone);

	if (!a || site->route != KTAP_ROUTE_GATED || this_cpu_read(ktap_busy))
		return false;
	if (unlikely(!ktap_admitted(a, env_task()))) {
		ktap_count(a, KTAP_LIMITED);
		return true;
	}
	if (ktap_gate_pass(&site->prog->gate, regs))
		return false;
	ktap_count(a, KTAP_FILTERED);
	return true;
}

/**
 * ktap_hit_frame() - a probe was hit whose hook hands over more than registers
 * @site: of the probe
 * @frame: what its hook hands over
 *
 * Context: any, NMI included; preemption off.
 */
void ktap_hit_frame(const struct ktap_site *site,
		    const struct ktap_frame *frame)
{
	if (!site->prog)
		ktap_hit(site, frame->regs);
	else if (!hit_unwanted(site, frame->regs))
		hit_frame(site, frame);
}
NOKPROBE_SYMBOL(ktap_hit_frame);

/**
 * ktap_hit_entry() - a call begins whose return will be a hit
 * @site: of the probe
 * @prog: entry program
 * @regs: registers at the entry
 * @entry: to fill; ktap_entry_size() bytes
 *
 * It is no hit. What it costs is the probe's all the same.
 *
 * Context: any, NMI included; preemption off.
 */
void ktap_hit_entry(const struct ktap_site *site, const struct ktap_prog *prog,
		    const struct pt_regs *regs, struct ktap_entry *entry)
{
	const struct ktap_frame frame = { .regs = regs };
	struct visit v;

	entry->faults = 0;
	if (prog->info.simple) {
		ktap_fill(&prog->stores, regs, entry->payload);
		return;
	}
	if (unlikely(READ_ONCE(site->tripped) || !enter(&v, true))) {
		memset(entry->payload, 0, prog->info.fixed_size);
		entry->faults = ~0ULL;
		return;
	}
	ktap_fetch_run(prog->insns, &prog->info, &frame, entry->payload,
		       &entry->faults);
	leave(site, &v);
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
 * The program met memory that is not resident: once more, where it may wait, on
 * a buffer of the task's own. Nothing of this hit has been counted yet. The ring
 * is that of the CPU on which the wait ends; programs tell the one before it.
 */
static void hit_sleeping(const struct ktap_site *site, struct ktap_frame *frame)
{
	/* reclaim has no time limit that would be ours: a short try only */
	u8 *room = kvmalloc(site->prog->info.room,
			    GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN);
	struct made m = { .frame = frame, .built = room };
	struct visit v;

	if (room)
		m.len = ktap_hit_run(site->prog, frame, room);
	else
		frame->wait->over = true;
	preempt_disable();
	if (enter_hit(site, &v)) {
		if (room)
			deliver(site, &m);
		else
			hit_each(site, frame);
		leave(site, &v);
	}
	preempt_enable();
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
 * Context: process, preemptible; may sleep where user memory is not resident,
 * for as long as user_wait.c says.
 */
void ktap_hit_user(const struct ktap_site *site, const struct ktap_frame *hook)
{
	struct ktap_frame frame = *hook;
	struct made m = { .frame = &frame, .len = NOT_RUN };
	struct ktap_user_wait wait;
	struct visit v;

	if (!site->prog) {
		ktap_hit_user_regs(site, hook->regs);
		return;
	}
	preempt_disable();
	if (ktap_hit_user_quick(site, hook->regs) ||
	    unlikely(hit_unwanted(site, hook->regs))) {
		preempt_enable();
		return;
	}
	frame.memory = ENV_USER;
	frame.calls = site->calls;
	if (likely(!READ_ONCE(site->tripped) && enter_hit(site, &v))) {
		m.built = ktap_scratch_at(ktap_nest_level());
		frame.retry = anybody_admits(site);
		if (frame.retry)
			m.len = ktap_hit_run(site->prog, &frame, m.built);
		if (m.len == KTAP_FETCH_AGAIN)
			ktap_user_wait_begin(&wait);
		else
			deliver(site, &m);
		leave(site, &v);
	}
	preempt_enable();
	if (m.len != KTAP_FETCH_AGAIN)
		return;
	frame.retry = false;
	frame.wait = &wait;
	hit_sleeping(site, &frame);
}
NOKPROBE_SYMBOL(ktap_hit_user);

/* ---- control ----------------------------------------------------------------- */

static enum ktap_route route_of(const struct ktap_prog *prog)
{
	if (prog->stores.nr_texts)
		return KTAP_ROUTE_STRINGS;
	if (prog->walk.steps)
		return KTAP_ROUTE_STEPS;
	if (!prog->in_place)
		return KTAP_ROUTE_PROGRAM;
	return prog->stores.has_name ? KTAP_ROUTE_NAME : KTAP_ROUTE_STORES;
}

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
	site->id = id;
	site->want = (struct ktap_ring_want){
		.front = ktap_ring_front(id, prog->info.record_max),
		.size = prog->info.record_max,
	};
	INIT_LIST_HEAD(&site->attached);
	site->stores = prog->stores;
	site->route = KTAP_ROUTE_RATED;
	if (prog->info.simple)
		return;
	site->prog = prog;
	site->body = route_of(prog);
	site->route = prog->gate.nr ? KTAP_ROUTE_GATED : site->body;
}

/**
 * ktap_site_changed() - an attachment came or went
 * @site: of the probe
 *
 * Context: process, under ktap_lock. What went may be in use until a grace
 * period has passed.
 */
void ktap_site_changed(struct ktap_site *site)
{
	const struct ktap_attach *only = NULL, *alone = NULL;

	if (list_is_singular(&site->attached) && !READ_ONCE(site->tripped))
		only = list_first_entry(&site->attached, struct ktap_attach,
					in_probe);
	if (only && (site->prog || only->rates)) {
		/* no route has both */
		if (!(site->prog && only->rates) && !site->keeps)
			alone = only;
		only = NULL;
	}
	/* pairs with the address dependency in ktap_hit_inline() */
	smp_store_release(&site->only, only);
	/* and this with that in ktap_hit_other() */
	smp_store_release(&site->alone, alone);
}
