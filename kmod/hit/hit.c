// SPDX-License-Identifier: GPL-2.0
/*
 * A hit: from registers to a record in the ring of each session, or to the one counter
 * that says why there is none. Every backend ends here.
 *
 * Context: any, NMI included; preemption disabled. Work is bounded: no lock, no
 * allocation, no sleep, except in hits of user code.
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
#include "hit/map.h"
#include "hit/rates.h"
#include "hit/ring.h"
#include "hit/routes.h"
#include "hit/scratch.h"
#include "hit/user_wait.h"

DEFINE_PER_CPU(unsigned int, ktap_busy);

/* ---- entering ---------------------------------------------------------------- */

/**
 * struct visit - a hit that may call functions that can be traced
 * @busy: ktap_busy before it
 * @begin: raw clock at its beginning
 */
struct visit {
	unsigned int busy;
	u64 begin;
};

/* A call made by a hit, or nested too deeply: counted as lost for each session. */
static noinline void hit_own(const struct ktap_site *site)
{
	const struct ktap_attach *a;

	list_for_each_entry_lockless(a, &site->attached, in_probe)
		ktap_count(a, KTAP_LOST_DEEP);
}
NOKPROBE_SYMBOL(hit_own);

/* Return: whether the hit may continue; then leave() must follow. */
static __always_inline bool enter(struct visit *v, bool traps)
{
	v->busy = this_cpu_read(ktap_busy);
	if (unlikely(v->busy && !ktap_may_nest(v->busy, traps)))
		return false;
	ktap_nest_enter(ktap_arch_here(&ktap_busy), v->busy);
	v->begin = env_clock();
	return true;
}

/* enter() for a hit, which is counted if it may not continue. */
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

/* The program has not run yet. Differs from all results of ktap_hit_run(). */
#define NOT_RUN		(-10)

/**
 * struct made - record under construction
 * @frame: frame that the hook passes
 * @built: buffer for the payload; NULL: none is free. Simple programs need none, they
 *	write in place
 * @len: size of the payload, NOT_RUN, or why there is none
 */
struct made {
	const struct ktap_frame *frame;
	u8 *built;
	int len;
};

/* Adds the hit to the map of a session. Return: whether it was added. */
static noinline bool aggregate(const struct ktap_site *site,
			       const struct ktap_attach *a, const struct made *m)
{
	u8 *table = this_cpu_read(a->cell->table), *built = m->built;
	u32 len = m->len;

	if (unlikely(!table)) {
		this_cpu_inc(a->cell->outcome[KTAP_LOST_NO_RING]);
		return false;
	}
	if (!site->prog) {
		built = ktap_scratch_at(ktap_nest_level());
		if (unlikely(!built)) {
			this_cpu_inc(a->cell->outcome[KTAP_LOST_DEEP]);
			return false;
		}
		ktap_fill(&site->stores, m->frame->regs, built);
		len = site->want.size - sizeof(struct ktap_rec_head);
	}
	if (unlikely(!ktap_map_hit(a->map, table, built, len)))
		this_cpu_inc(a->cell->outcome[KTAP_OTHER]);
	return true;
}
NOKPROBE_SYMBOL(aggregate);

/*
 * Records the hit for one session. Return: whether a record was made, or is not needed.
 */
static noinline bool record(const struct ktap_site *site,
			    const struct ktap_attach *a, const struct made *m)
{
	struct ktap_ring *ring = this_cpu_read(a->cell->ring);
	u32 front = site->want.front;
	void *payload;

	if (unlikely(!ring)) {
		if (a->map)
			return aggregate(site, a, m);
		if (!a->silent)
			this_cpu_inc(a->cell->outcome[KTAP_LOST_NO_RING]);
		return a->silent;
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
 * ktap_hit_record() - write a record that a route has built, by the slow path
 * @site: site of the probe
 * @a: attachment without rates
 * @built: payload; its stacks are in the session's table
 * @len: size of the payload, a multiple of 8
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 */
noinline void ktap_hit_record(const struct ktap_site *site,
			      const struct ktap_attach *a, u8 *built, u32 len)
{
	const struct made m = { .built = built, .len = len };

	record(site, a, &m);
}
NOKPROBE_SYMBOL(ktap_hit_record);

/**
 * ktap_hit_one() - write a record of registers for one session, by the slow path
 * @site: site of the probe
 * @regs: registers at the hit
 * @a: attachment that admitted the hit
 *
 * Context: any, NMI included; preemption disabled, CPU not marked busy.
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

static __always_inline bool record_built(const struct ktap_site *site,
					 const struct ktap_attach *a,
					 const struct made *m)
{
	ktap_keep_stacks(site, a, m->built);
	return record(site, a, m);
}

/* Records the hit for a session that has it in scope, if its rates allow that. */
static __always_inline void give(const struct ktap_site *site,
				 const struct ktap_attach *a,
				 const struct made *m)
{
	if (unlikely(m->len < 0))
		ktap_count_unbuilt(a, m->len);
	else if (likely(!a->rates))
		record_built(site, a, m);
	else if (ktap_rates_admit(a->rates, &a->cell->passed))
		ktap_rates_settle(a->rates, record_built(site, a, m));
	else
		this_cpu_inc(a->cell->outcome[KTAP_LIMITED]);
}

/*
 * Records the hit for each session. The program runs once, for the first that needs it.
 */
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

/* ---- any hit ---------------------------------------------------------------- */

/* Serves any program and any number of sessions. */
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
 * ktap_hit_unserved() - hit for which a route lacks what it needs
 * @site: site of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 */
noinline void ktap_hit_unserved(const struct ktap_site *site,
				const struct pt_regs *regs)
{
	const struct ktap_frame frame = {
		.regs = regs, .spot = &site->spot, .calls = site->calls,
	};

	hit_each(site, &frame);
}
NOKPROBE_SYMBOL(ktap_hit_unserved);

/**
 * ktap_hit_measured() - hit of a route in a window of the overload guard
 * @site: site of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 */
noinline void ktap_hit_measured(const struct ktap_site *site,
				const struct pt_regs *regs)
{
	u64 begin = env_clock();

	ktap_hit_unserved(site, regs);
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
 * ktap_hit_call() - entry of a function that contains a probe
 * @calls: where the call is stored
 * @regs: registers at the entry
 *
 * This is not counted as a hit, but its cost is charged to the probe. A call made by a
 * hit is not stored, because its hits do not count either.
 *
 * Context: any, NMI included; preemption disabled.
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

/* Serves any hit, and measures it if that is due. */
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
 * ktap_hit_any() - hit that no route serves
 * @site: site of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption disabled.
 */
noinline void ktap_hit_any(const struct ktap_site *site,
			   const struct pt_regs *regs)
{
	const struct ktap_frame frame = {
		.regs = regs, .spot = &site->spot, .calls = site->calls,
	};

	hit_frame(site, &frame);
}
NOKPROBE_SYMBOL(ktap_hit_any);

/*
 * Counts a hit that needs no more than a counter: the gate rejected it, or it is out of
 * scope. Used early, for hooks that pass more than registers and for user code. Calls
 * nothing, so the CPU need not be marked busy. Return: whether the hit was counted.
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
 * ktap_hit_not_entered() - return of a call whose entry program did not run
 * @site: site of the probe
 *
 * No value of the entry is known, and zeros are none: the hit counts as lost.
 *
 * Context: any, NMI included; preemption disabled.
 */
noinline void ktap_hit_not_entered(const struct ktap_site *site)
{
	const struct ktap_attach *a;

	list_for_each_entry_lockless(a, &site->attached, in_probe)
		ktap_count(a, ktap_admitted(a, env_task()) ? KTAP_LOST_DEEP : KTAP_LIMITED);
}
NOKPROBE_SYMBOL(ktap_hit_not_entered);

/**
 * ktap_hit_frame() - hit of a hook that passes more than registers
 * @site: site of the probe
 * @frame: frame that the hook passes
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_hit_frame(const struct ktap_site *site,
		    const struct ktap_frame *frame)
{
	if (!site->prog)
		ktap_hit(site, frame->regs);
	else if (frame->entry && unlikely(frame->entry->faults == KTAP_ENTRY_NOT_RUN))
		ktap_hit_not_entered(site);
	else if (!hit_unwanted(site, frame->regs))
		hit_frame(site, frame);
}
NOKPROBE_SYMBOL(ktap_hit_frame);

/* Context: the CPU is marked busy since @begin. */
static __always_inline void run_entry_since(const struct ktap_site *site,
					    const struct ktap_prog *prog,
					    const struct pt_regs *regs,
					    struct ktap_entry *entry, u64 begin)
{
	const struct ktap_frame frame = { .regs = regs };

	entry->faults = 0;
	ktap_fetch_run(prog->insns, &prog->info, &frame, entry->payload, &entry->faults);
	if (unlikely(ktap_guard_due(begin)))
		ktap_guard_measure(site, begin);
}

static void skip_entry(const struct ktap_prog *prog, struct ktap_entry *entry)
{
	memset(entry->payload, 0, prog->info.fixed_size);
	entry->faults = KTAP_ENTRY_NOT_RUN;
}
NOKPROBE_SYMBOL(skip_entry);

/* Any entry program that calls functions. */
static noinline void run_entry(const struct ktap_site *site, const struct ktap_prog *prog,
			       const struct pt_regs *regs, struct ktap_entry *entry)
{
	struct visit v;

	if (unlikely(READ_ONCE(site->tripped) || !enter(&v, true))) {
		skip_entry(prog, entry);
		return;
	}
	run_entry_since(site, prog, regs, entry, v.begin);
	ktap_busy_leave(v.busy);
}
NOKPROBE_SYMBOL(run_entry);

static noinline void fill_entry(const struct ktap_prog *prog, const struct pt_regs *regs,
				struct ktap_entry *entry)
{
	entry->faults = 0;
	ktap_fill(&prog->stores, regs, entry->payload);
}
NOKPROBE_SYMBOL(fill_entry);

static __always_inline void store_now(struct ktap_entry *entry)
{
	u64 now = ktime_get_mono_fast_ns();

	entry->faults = 0;
	memcpy(entry->payload, &now, sizeof(now));
}

/*
 * The time, for most entry programs. It costs little if the clock is a counter, so the
 * guard need not measure it.
 */
static noinline void store_time(const struct ktap_site *site, const struct ktap_prog *prog,
				const struct pt_regs *regs, struct ktap_entry *entry)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);

	if (unlikely(ktap_arch_here_is_set(*busy) || !env_clock_is_raw())) {
		run_entry(site, prog, regs, entry);
		return;
	}
	ktap_nest_enter(busy, 0);
	store_now(entry);
	ktap_arch_here_write(*busy, 0);
}
NOKPROBE_SYMBOL(store_time);

static noinline void run_entry_busy(const struct ktap_site *site, const struct ktap_prog *prog,
				    const struct pt_regs *regs, struct ktap_entry *entry)
{
	if (unlikely(READ_ONCE(site->tripped)))
		skip_entry(prog, entry);
	else
		run_entry_since(site, prog, regs, entry, env_clock());
}
NOKPROBE_SYMBOL(run_entry_busy);

/**
 * ktap_hit_entry_busy() - ktap_hit_entry() for a hook that has marked the CPU busy
 * @site: site of the probe
 * @prog: entry program
 * @regs: registers at the entry
 * @entry: filled; ktap_entry_size() bytes
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 */
void ktap_hit_entry_busy(const struct ktap_site *site, const struct ktap_prog *prog,
			 const struct pt_regs *regs, struct ktap_entry *entry)
{
	if (likely(prog->is_time && env_clock_is_raw()))
		store_now(entry);
	else if (prog->info.simple)
		fill_entry(prog, regs, entry);
	else
		run_entry_busy(site, prog, regs, entry);
}
NOKPROBE_SYMBOL(ktap_hit_entry_busy);

/**
 * ktap_hit_entry() - run the entry program of a return probe
 * @site: site of the probe
 * @prog: entry program
 * @regs: registers at the entry
 * @entry: filled; ktap_entry_size() bytes
 *
 * This is not counted as a hit, but its cost is charged to the probe.
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_hit_entry(const struct ktap_site *site, const struct ktap_prog *prog,
		    const struct pt_regs *regs, struct ktap_entry *entry)
{
	if (likely(prog->is_time))
		store_time(site, prog, regs, entry);
	else if (prog->info.simple)
		fill_entry(prog, regs, entry);
	else
		run_entry(site, prog, regs, entry);
}
NOKPROBE_SYMBOL(ktap_hit_entry);

/* ---- hits of user code ----------------------------------------------------- */

/**
 * ktap_hit_wanted() - does any session have the current task in scope?
 * @site: site of the probe
 *
 * Context: any, preemptible.
 * Return: whether one has.
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
 * The program read memory that is not resident. Runs it again, allowed to wait, with a
 * buffer from kvmalloc(). The hit has not been counted yet. The record goes to the ring
 * of the CPU on which the wait ends; programs report the CPU of the hit.
 */
static void hit_sleeping(const struct ktap_site *site, struct ktap_frame *frame)
{
	/* NORETRY: reclaim has no bounded time */
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
 * ktap_hit_user_regs() - hit in user code of a program that needs registers only
 * @site: site of the probe
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

/*
 * The first run of a program. One with state runs only once, because a store or a load that
 * frees an entry cannot be repeated: so it runs where it may wait.
 */
static int run_or_wait(const struct ktap_site *site, const struct ktap_frame *frame,
		       u8 *built)
{
	if (site->prog->info.has_state)
		return KTAP_FETCH_AGAIN;
	return ktap_hit_run(site->prog, frame, built);
}
NOKPROBE_SYMBOL(run_or_wait);

/**
 * ktap_hit_user() - hit in user code
 * @site: site of the probe
 * @hook: frame that the hook passes; all memory is user memory
 *
 * Context: process, preemptible; sleeps if user memory is not resident, as long as
 * user_wait.c allows.
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
	if (unlikely(hit_unwanted(site, hook->regs))) {
		preempt_enable();
		return;
	}
	frame.memory = ENV_USER;
	frame.calls = site->calls;
	if (likely(!READ_ONCE(site->tripped) && enter_hit(site, &v))) {
		m.built = ktap_scratch_at(ktap_nest_level());
		frame.retry = anybody_admits(site);
		if (frame.retry)
			m.len = run_or_wait(site, &frame, m.built);
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
	/* strings_in_ring() in routes.c reserves a word more */
	if (prog->stores.nr_texts)
		return prog->info.record_max <= KTAP_RECORD_MAX - sizeof(u64) ?
		       KTAP_ROUTE_STRINGS : KTAP_ROUTE_PROGRAM;
	if (prog->stores.ustack.max || (prog->stores.kstack.max && prog->stores.has_name))
		return KTAP_ROUTE_STACKS;
	if (prog->stores.kstack.max)
		return KTAP_ROUTE_KSTACK;
	if (prog->walk.steps)
		return KTAP_ROUTE_STEPS;
	if (!prog->in_place)
		return KTAP_ROUTE_PROGRAM;
	return prog->stores.has_name ? KTAP_ROUTE_NAME : KTAP_ROUTE_STORES;
}

/**
 * ktap_site_init() - initialise the site of a new probe
 * @site: filled
 * @id: id in records
 * @prog: program, which must live as long as the site
 *
 * Context: any; the probe is not armed yet.
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

/* Does the inline entry serve all hits of an attachment? */
static bool is_quick(const struct ktap_site *site, const struct ktap_attach *a)
{
	if (a->rates)
		return false;
	if (!a->map)
		return !site->prog;
	return a->plan.kind && a->plan.source != KTAP_PLAN_ELAPSED && !site->keeps &&
	       site->route != KTAP_ROUTE_GATED;
}

/**
 * ktap_site_changed() - update a site after its attachments changed
 * @site: site of the probe
 *
 * Context: process, under ktap_lock. Hits may use a removed attachment until a grace
 * period has passed.
 */
void ktap_site_changed(struct ktap_site *site)
{
	const struct ktap_attach *only = NULL, *alone = NULL;

	if (list_is_singular(&site->attached) && !READ_ONCE(site->tripped))
		only = list_first_entry(&site->attached, struct ktap_attach,
					in_probe);
	if (only && !is_quick(site, only)) {
		/* no route serves both a program and rates, or registers only for a map */
		if (!(site->prog && only->rates) && !site->keeps &&
		    !(only->map && !site->prog))
			alone = only;
		only = NULL;
	}
	/* pairs with the address dependency in ktap_hit_inline() */
	smp_store_release(&site->only, only);
	/* pairs with the address dependency in ktap_hit_other() */
	smp_store_release(&site->alone, alone);
}
