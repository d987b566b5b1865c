// SPDX-License-Identifier: GPL-2.0
/*
 * Routes: fast paths of hits that the inline entry does not serve, for probes that one
 * session records. hit.c serves all other hits.
 *
 * Context: any, NMI included; preemption disabled.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>

#include "core/attach.h"
#include "core/probe.h"
#include "hit/fetch.h"
#include "hit/gate.h"
#include "hit/guard.h"
#include "hit/hit_inline.h"
#include "hit/map.h"
#include "hit/plan.h"
#include "hit/rates.h"
#include "hit/ring.h"
#include "hit/routes.h"
#include "hit/scratch.h"

/*
 * Builds the payload of a plain program. @user: all memory is user memory, and the hit
 * may wait for it. Return: size of the payload; 0: it has to wait.
 */
static __always_inline u32 build_strings(const struct ktap_stores *s,
					 const struct pt_regs *regs,
					 u8 *payload, bool user)
{
	const struct ktap_text *t = s->texts;
	char *text = (char *)payload + s->fixed_size;

	ktap_fill(s, regs, payload);
	do {
		u64 addr = *(const unsigned long *)((const u8 *)regs + t->reg);
		long len = env_string(text, addr, t->max,
				      user || t->user ? ENV_USER : ENV_ANY);

		if (user && unlikely(len < 0))
			return 0;
		text += ktap_fetch_string((void *)(payload + t->off), text, len,
					  t->max);
	} while (!t++->last);
	return ktap_fetch_finish(payload, (u8 *)text - payload);
}

/*
 * Strings and registers, for one session without rates, not nested in a hit. Builds the
 * record in the ring, in space for the largest record. Does nothing in a window of the
 * guard, because ktap_ring_try_room() fails then. @user: as for build_strings().
 * Return: whether the hit was handled; if not, it has not been counted.
 */
static __always_inline bool strings_in_ring(const struct ktap_site *site,
					    const struct ktap_attach *a,
					    const struct pt_regs *regs,
					    bool user)
{
	struct ktap_ring *ring =
		ktap_arch_here_read(ktap_arch_here(a->cell)->ring);
	struct ktap_ring_room room __uninitialized;
	struct ktap_ring_want want __uninitialized;
	u32 len;

	/* ktap_fetch_finish() may write a word past the largest size */
	room.size = site->want.size + sizeof(u64);
	if (unlikely(!ring))
		return false;
	if (unlikely(!ktap_ring_try_room(ring, env_task(), &room))) {
		ktap_ring_settle(ring); /* maybe nothing else is written for this hit */
		return false;
	}
	len = build_strings(&site->stores, regs, room.payload, user);
	if (user && unlikely(!len)) {
		ktap_ring_cancel(ring, &room);
		ktap_ring_publish(ring, ring->prod);
		return false;
	}
	ktap_arch_here_inc(ktap_arch_here(a->cell)->hits);
	want.size = len + sizeof(struct ktap_rec_head);
	want.front = ktap_ring_front(site->id, want.size);
	ktap_ring_trim(ring, &room, &want);
	ktap_ring_publish(ring, ring->prod);
	return true;
}

/* The same, with the record built in the scratch buffer, also in a window of the guard. */
static noinline void strings_in_scratch(const struct ktap_site *site,
					const struct pt_regs *regs,
					const struct ktap_attach *a)
{
	u8 *scratch = ktap_scratch_at(0);

	if (unlikely(ktap_guard_due(env_clock()))) {
		ktap_hit_measured(site, regs);
		return;
	}
	ktap_arch_here_inc(ktap_arch_here(a->cell)->hits);
	if (likely(scratch))
		ktap_hit_record(site, a, scratch,
				build_strings(&site->stores, regs, scratch,
					      false));
	else
		ktap_count_unbuilt(a, KTAP_HIT_TOO_DEEP);
}
NOKPROBE_SYMBOL(strings_in_scratch);

static noinline void hit_sole_strings(const struct ktap_site *site,
				      const struct pt_regs *regs,
				      const struct ktap_attach *a)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);

	ktap_nest_enter(busy, 0);
	if (unlikely(!strings_in_ring(site, a, regs, false)))
		strings_in_scratch(site, regs, a);
	ktap_arch_here_write(*busy, 0);
}
NOKPROBE_SYMBOL(hit_sole_strings);

/*
 * The same in user code. Return: false: the hit has to wait, is in a window of the guard,
 * or there is no buffer; it has not been counted.
 */
static noinline bool user_strings_in_scratch(const struct ktap_site *site,
					     const struct ktap_attach *a,
					     const struct pt_regs *regs)
{
	u8 *scratch = ktap_scratch_at(0);
	u32 len;

	if (unlikely(!scratch || ktap_guard_due(env_clock())))
		return false;
	len = build_strings(&site->stores, regs, scratch, true);
	if (unlikely(!len))
		return false;
	ktap_arch_here_inc(ktap_arch_here(a->cell)->hits);
	ktap_hit_record(site, a, scratch, len);
	return true;
}
NOKPROBE_SYMBOL(user_strings_in_scratch);

static __always_inline bool hit_user_strings(const struct ktap_site *site,
					     const struct ktap_attach *a,
					     const struct pt_regs *regs)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);
	bool done;

	ktap_nest_enter(busy, 0);
	done = likely(strings_in_ring(site, a, regs, true)) ||
	       user_strings_in_scratch(site, a, regs);
	ktap_arch_here_write(*busy, 0);
	return done;
}

static __always_inline bool hit_user_alone(const struct ktap_site *site,
					   const struct pt_regs *regs)
{
	const struct ktap_attach *a = READ_ONCE(site->alone);

	if (unlikely(!a || site->route != KTAP_ROUTE_STRINGS ||
		     ktap_hit_is_inside()))
		return false;
	if (likely(ktap_admitted(a, env_task())))
		return hit_user_strings(site, a, regs);
	ktap_count(a, KTAP_LIMITED);
	return true;
}

/**
 * ktap_hit_user_quick() - hit in user code of a program that stores strings
 * @site: site of the probe
 * @regs: registers at the hit
 *
 * Context: process, preemptible.
 * Return: whether the hit was handled. If not, it has not been counted.
 */
noinline bool ktap_hit_user_quick(const struct ktap_site *site,
				  const struct pt_regs *regs)
{
	bool done;

	preempt_disable();
	done = hit_user_alone(site, regs);
	preempt_enable();
	return done;
}
NOKPROBE_SYMBOL(ktap_hit_user_quick);

/* Any other program, for one session without rates, not nested in a hit. */
static __always_inline void hit_program(const struct ktap_site *site,
					const struct ktap_attach *a,
					const struct pt_regs *regs)
{
	struct ktap_trail_use use __uninitialized;
	const struct ktap_frame frame = {
		.regs = regs, .spot = &site->spot, .calls = site->calls,
		.trails = ktap_trails_of(site, a, site->prog->info.nr_kstacks == 1, &use),
	};
	u8 *scratch = ktap_scratch_at(0);
	int len = ktap_hit_run(site->prog, &frame, scratch);

	ktap_arch_here_inc(ktap_arch_here(a->cell)->hits);
	if (unlikely(len < 0)) {
		ktap_count_unbuilt(a, len);
		return;
	}
	if (unlikely(ktap_keep_stacks(site, a, scratch)) && frame.trails)
		ktap_trail_end(frame.trails);
	ktap_record_quick(site, a, scratch, len);
}

static noinline void hit_sole_program(const struct ktap_site *site,
				      const struct pt_regs *regs,
				      const struct ktap_attach *a)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);

	ktap_nest_enter(busy, 0);
	if (unlikely(ktap_guard_due(env_clock())))
		ktap_hit_measured(site, regs);
	else
		hit_program(site, a, regs);
	ktap_arch_here_write(*busy, 0);
}
NOKPROBE_SYMBOL(hit_sole_program);

/* The payload of a program whose records have one size. */
static __always_inline void build_fixed(const struct ktap_site *site,
					const struct pt_regs *regs, u8 *payload,
					enum ktap_route route)
{
	if (route == KTAP_ROUTE_STEPS)
		ktap_walk(&site->prog->walk, regs, payload);
	else
		ktap_fill(&site->stores, regs, payload);
	if (route == KTAP_ROUTE_NAME)
		env_comm(payload + site->stores.name);
}

/* Such a program, for a session that aggregates. The CPU is marked busy for the scratch. */
static noinline void hit_map(const struct ktap_site *site,
			     const struct pt_regs *regs,
			     const struct ktap_attach *a, enum ktap_route route)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);
	ktap_cell_here *cell = ktap_arch_here(a->cell);
	u8 *table = ktap_arch_here_read(cell->table);
	u8 *scratch;

	ktap_nest_enter(busy, 0);
	scratch = ktap_scratch_at(0);
	if (unlikely(ktap_guard_due(env_clock()))) {
		ktap_hit_measured(site, regs);
	} else if (unlikely(!table || !scratch)) {
		ktap_hit_unserved(site, regs);
	} else {
		ktap_arch_here_inc(cell->hits);
		build_fixed(site, regs, scratch, route);
		if (unlikely(!ktap_map_add(a->map, table, scratch,
					   site->want.size - sizeof(struct ktap_rec_head))))
			this_cpu_inc(a->cell->outcome[KTAP_OTHER]);
	}
	ktap_arch_here_write(*busy, 0);
}
NOKPROBE_SYMBOL(hit_map);

/*
 * Looks up the row of a hit with a plan. @due: the guard measures this hit, and so the next
 * one has to look at the clock again. Return: the row; NULL: there is no table.
 */
static __always_inline struct ktap_map_slot *
row_anew(const struct ktap_attach *a, ktap_cell_here *cell, const struct pt_regs *regs,
	 bool due)
{
	u8 *table = ktap_arch_here_read(cell->table);
	u64 key[KTAP_PLAN_WORDS] __uninitialized;
	struct ktap_map_slot *row;

	ktap_arch_here_inc(cell->hits);
	ktap_arch_here_write(cell->quick, 0); /* each hit subtracts: not below that for ever */
	if (unlikely(!table)) {
		this_cpu_inc(a->cell->outcome[KTAP_LOST_NO_RING]);
		return NULL;
	}
	ktap_plan_key(&a->plan, regs, key);
	row = ktap_map_row(a->map, table, key, 8 * a->plan.nr_words);
	if (unlikely(!row)) {
		this_cpu_inc(a->cell->outcome[KTAP_OTHER]);
		return ktap_map_other(a->map, table);
	}
	ktap_arch_here_write(cell->row, row);
	if (likely(!due))
		ktap_arch_here_write(cell->quick, KTAP_PLAN_QUICK);
	return row;
}

/*
 * A hit with a plan whose row is not at hand, or that has to look at the clock. The CPU is
 * marked busy for the latter.
 */
static __always_inline void hit_anew(const struct ktap_attach *a, ktap_cell_here *cell,
				     const struct pt_regs *regs, u64 value)
{
	unsigned int before = this_cpu_read(ktap_busy);
	struct ktap_map_slot *row;
	u64 begin;
	bool due;

	ktap_nest_enter(ktap_arch_here(&ktap_busy), 0);
	begin = env_clock();
	due = ktap_guard_due(begin);
	row = row_anew(a, cell, regs, due);
	if (likely(row)) {
		env_add(&row->count, 1);
		if (a->plan.value != KTAP_PLAN_COUNT)
			ktap_plan_value(&a->plan, a->plan.kind, row, value);
	}
	if (unlikely(due))
		ktap_guard_measure(&a->probe->site, begin);
	ktap_busy_leave(before);
}

/**
 * ktap_hit_anew() - hit with a plan whose row is not at hand, or that has to look at the clock
 * @cell: this CPU's cell of @a
 * @regs: registers at the hit
 * @a: attachment that admitted the hit
 *
 * Context: any, NMI included; preemption disabled, CPU not marked busy.
 */
noinline void ktap_hit_anew(ktap_cell_here *cell, const struct pt_regs *regs,
			    const struct ktap_attach *a)
{
	bool counts = a->plan.value == KTAP_PLAN_COUNT;

	hit_anew(a, cell, regs, counts ? 0 : env_reg_at(regs, a->plan.from));
}
NOKPROBE_SYMBOL(ktap_hit_anew);

static noinline void hit_elapsed_anew(ktap_cell_here *cell, const struct pt_regs *regs,
				      const struct ktap_attach *a, u64 elapsed)
{
	hit_anew(a, cell, regs, elapsed);
}
NOKPROBE_SYMBOL(hit_elapsed_anew);

static noinline void hit_any_plan(ktap_cell_here *cell, const struct pt_regs *regs,
				  const struct ktap_attach *a)
{
	ktap_hit_plan(cell, regs, a, a->plan.kind);
}
NOKPROBE_SYMBOL(hit_any_plan);

/* The same for the time since the entry. */
static __always_inline void add_elapsed(ktap_cell_here *cell, const struct pt_regs *regs,
					const struct ktap_attach *a, u64 elapsed,
					enum ktap_plan_kind kind)
{
	struct ktap_map_slot *row;

	if (unlikely(!ktap_row_at_hand(a, cell, regs, kind, &row))) {
		hit_elapsed_anew(cell, regs, a, elapsed);
		return;
	}
	ktap_arch_here_inc(cell->hits);
	env_add(&row->count, 1);
	ktap_plan_value(&a->plan, kind, row, elapsed);
}

/* Reading the clock may call what can be traced. */
static __always_inline void hit_elapsed(const struct pt_regs *regs, const struct ktap_attach *a,
					const u64 *begin)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);
	ktap_cell_here *cell;
	u64 elapsed;

	ktap_nest_enter(busy, 0);
	elapsed = ktime_get_mono_fast_ns() - *begin;
	cell = ktap_arch_here(a->cell);
	if (likely(a->plan.kind == KTAP_PLAN_COMM))
		add_elapsed(cell, regs, a, elapsed, KTAP_PLAN_COMM);
	else
		add_elapsed(cell, regs, a, elapsed, KTAP_PLAN_PARTED);
	ktap_arch_here_write(*busy, 0);
}

/**
 * ktap_hit_elapsed() - return of a function, by a plan that adds the time since the entry
 * @site: site of the probe
 * @regs: registers at the hit
 * @a: attachment with such a plan
 * @entry: result of the entry program
 *
 * Context: any, NMI included; preemption disabled, CPU not marked busy.
 */
noinline void ktap_hit_elapsed(const struct ktap_site *site, const struct pt_regs *regs,
			       const struct ktap_attach *a, const struct ktap_entry *entry)
{
	if (unlikely(entry->faults == KTAP_ENTRY_NOT_RUN))
		ktap_hit_not_entered(site);
	else if (unlikely(!ktap_admitted(a, env_task())))
		ktap_count(a, KTAP_LIMITED);
	else if (site->route == KTAP_ROUTE_GATED &&
		 unlikely(!ktap_gate_pass(&site->prog->gate, regs)))
		ktap_count(a, KTAP_FILTERED);
	else
		hit_elapsed(regs, a, (const void *)(entry->payload + a->plan.from));
}
NOKPROBE_SYMBOL(ktap_hit_elapsed);

/**
 * ktap_hit_mapped() - hit for a session whose ring is not there
 * @cell: this CPU's cell of @a
 * @regs: registers at the hit
 * @a: attachment that admitted the hit; not silent
 *
 * It aggregates, and has a plan, or the CPU came online without memory for a ring.
 *
 * Context: any, NMI included; preemption disabled, CPU not marked busy.
 */
noinline void ktap_hit_mapped(ktap_cell_here *cell, const struct pt_regs *regs,
			      const struct ktap_attach *a)
{
	if (likely(a->plan.kind == KTAP_PLAN_COMM_LOG2))
		ktap_hit_plan(cell, regs, a, KTAP_PLAN_COMM_LOG2);
	else if (a->plan.kind)
		hit_any_plan(cell, regs, a);
	else
		ktap_count(a, KTAP_LOST_NO_RING);
}
NOKPROBE_SYMBOL(ktap_hit_mapped);

/* The session has no ring, or none on this CPU. */
static noinline void hit_ringless(const struct ktap_site *site,
				  const struct pt_regs *regs,
				  const struct ktap_attach *a,
				  enum ktap_route route)
{
	if (a->map && !a->plan.kind)
		hit_map(site, regs, a, route);
	else
		ktap_hit_ringless(ktap_arch_here(a->cell), regs, a);
}
NOKPROBE_SYMBOL(hit_ringless);

/*
 * A program whose records have one size, written in place. A read of memory may fault,
 * and the kernel's fault handler can be traced. So the CPU is marked busy although no
 * function is called.
 */
static __always_inline void hit_fixed(const struct ktap_site *site,
				      const struct pt_regs *regs,
				      const struct ktap_attach *a,
				      enum ktap_route route)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);
	ktap_cell_here *cell = ktap_arch_here(a->cell);
	struct ktap_ring *ring = ktap_arch_here_read(cell->ring);
	bool steps = route == KTAP_ROUTE_STEPS;
	u8 *payload;

	if (unlikely(!ring)) {
		hit_ringless(site, regs, a, route);
		return;
	}
	if (unlikely(!ktap_ring_try(ring, ring->prod, env_task(), &site->want, &payload))) {
		hit_sole_program(site, regs, a);
		ktap_ring_settle(ring);
		return;
	}
	if (steps)
		ktap_nest_enter(busy, 0);
	ktap_arch_here_inc(cell->hits);
	build_fixed(site, regs, payload, route);
	ktap_ring_publish(ring, ring->prod);
	if (steps)
		ktap_arch_here_write(*busy, 0);
}

static noinline void hit_steps(const struct ktap_site *site,
			       const struct pt_regs *regs,
			       const struct ktap_attach *a)
{
	hit_fixed(site, regs, a, KTAP_ROUTE_STEPS);
}
NOKPROBE_SYMBOL(hit_steps);

static noinline void hit_in_place(const struct ktap_site *site,
				  const struct pt_regs *regs,
				  const struct ktap_attach *a)
{
	hit_fixed(site, regs, a, KTAP_ROUTE_STORES);
}
NOKPROBE_SYMBOL(hit_in_place);

static noinline void hit_name(const struct ktap_site *site,
			      const struct pt_regs *regs,
			      const struct ktap_attach *a)
{
	hit_fixed(site, regs, a, KTAP_ROUTE_NAME);
}
NOKPROBE_SYMBOL(hit_name);

/*
 * Any program, for one session without rates that has the hit in scope. All calls are
 * tail calls, so that the other hits save no registers.
 */
static __always_inline void hit_sole(const struct ktap_site *site,
				     const struct pt_regs *regs,
				     const struct ktap_attach *a,
				     enum ktap_route route)
{
	if (likely(route == KTAP_ROUTE_NAME))
		hit_name(site, regs, a);
	else if (likely(route == KTAP_ROUTE_STRINGS))
		hit_sole_strings(site, regs, a);
	else if (likely(route == KTAP_ROUTE_KSTACK))
		ktap_hit_kstack(site, regs, a);
	else if (likely(route == KTAP_ROUTE_STEPS))
		hit_steps(site, regs, a);
	else if (likely(route == KTAP_ROUTE_STORES))
		hit_in_place(site, regs, a);
	else if (likely(route == KTAP_ROUTE_STACKS))
		ktap_hit_stacks(site, regs, a);
	else
		hit_sole_program(site, regs, a);
}

/*
 * A hit of registers that is admitted. Return: whether the fast path served it; if not,
 * its rates are settled.
 */
static __always_inline bool hit_admitted(const struct ktap_site *site,
					 const struct pt_regs *regs,
					 const struct ktap_attach *a,
					 ktap_task *task)
{
	ktap_cell_here *cell = ktap_arch_here(a->cell);
	struct ktap_ring *ring = ktap_arch_here_read(cell->ring);

	if (likely(ring && ktap_hit_try(site, cell, ring, task, regs)))
		return true;
	ktap_hit_one(site, regs, a);
	return false;
}

static __always_inline void hit_one(const struct ktap_site *site,
				    const struct pt_regs *regs,
				    const struct ktap_attach *a)
{
	ktap_task *task = env_task();

	if (unlikely(!ktap_admitted(a, task)) ||
	    (a->rates && !ktap_rates_admit(a->rates, &a->cell->passed)))
		ktap_count(a, KTAP_LIMITED);
	else if (hit_admitted(site, regs, a, task) && a->rates)
		ktap_rates_settle(a->rates, true);
}

/* Registers only, for any number of sessions, with and without rates. */
static noinline void hit_several(const struct ktap_site *site,
				 const struct pt_regs *regs)
{
	const struct ktap_attach *a;

	if (unlikely(site->prog || site->keeps || READ_ONCE(site->tripped) ||
		     this_cpu_read(ktap_busy) || !env_clock_is_raw() ||
		     ktap_guard_due(env_clock_raw()))) {
		ktap_hit_any(site, regs);
		return;
	}
	list_for_each_entry_lockless(a, &site->attached, in_probe)
		hit_one(site, regs, a);
}
NOKPROBE_SYMBOL(hit_several);

/*
 * Registers only, for one session with rates that are not known to refuse at @now. Scope
 * and rates may be checked in any order, because both count a rejected hit as limited.
 */
static __always_inline void hit_judged(const struct ktap_site *site,
				       const struct pt_regs *regs,
				       const struct ktap_attach *a, u64 now)
{
	ktap_task *task = env_task();
	enum ktap_verdict verdict;

	if (unlikely(!ktap_admitted(a, task))) {
		ktap_count(a, KTAP_LIMITED);
		return;
	}
	verdict = ktap_rates_judge(a->rates, now);
	if (likely(verdict == KTAP_ADMITTED))
		hit_admitted(site, regs, a, task); /* the rates need not be settled */
	else if (verdict == KTAP_UNDECIDED)
		hit_several(site, regs);
	else
		ktap_count(a, KTAP_LIMITED);
}

/* The same for any rates. */
static noinline void hit_rated(const struct ktap_site *site,
			       const struct pt_regs *regs,
			       const struct ktap_attach *a)
{
	u64 now;

	if (unlikely(!env_clock_is_raw())) {
		hit_several(site, regs);
		return;
	}
	now = env_clock_raw();
	if (ktap_rates_are_shut(a->rates, now))
		ktap_count(a, KTAP_LIMITED);
	else
		hit_judged(site, regs, a, now);
}
NOKPROBE_SYMBOL(hit_rated);

/**
 * ktap_hit_other() - hit that ktap_hit_only() does not serve
 * @site: site of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption disabled, CPU not marked busy.
 */
noinline void ktap_hit_other(const struct ktap_site *site,
			     const struct pt_regs *regs)
{
	const struct ktap_attach *a = READ_ONCE(site->alone);
	enum ktap_route route = site->route;

	if (unlikely(!a))
		hit_several(site, regs);
	else if (route < KTAP_ROUTE_GATED)
		hit_rated(site, regs, a);
	else if (unlikely(!ktap_admitted(a, env_task())))
		ktap_count(a, KTAP_LIMITED);
	else if (route > KTAP_ROUTE_GATED)
		hit_sole(site, regs, a, route);
	else if (ktap_gate_pass(&site->prog->gate, regs))
		hit_sole(site, regs, a, site->body);
	else
		ktap_count(a, KTAP_FILTERED);
}
NOKPROBE_SYMBOL(ktap_hit_other);

/*
 * Usually the task has changed: writes its task record and tries again. The raw counter
 * is read inline; other clocks need a call and take the slow path.
 */
static __always_inline bool hit_turned(const struct ktap_site *site,
				       const struct pt_regs *regs,
				       struct ktap_ring *ring)
{
	const struct ktap_attach *a = READ_ONCE(site->only);
	ktap_cell_here *cell;

	if (!env_clock_is_raw() || !a)
		return false;
	cell = ktap_arch_here(a->cell);
	return ktap_arch_here_read(cell->ring) == ring &&
	       ktap_ring_turn(ring) &&
	       ktap_hit_try(site, cell, ring, env_task(), regs);
}

/**
 * ktap_hit_again() - hit for which ktap_ring_try() has failed
 * @site: site of the probe
 * @regs: registers at the hit
 * @ring: ring of the try; its attachment may have been removed since
 *
 * Context: any, NMI included; preemption disabled.
 */
noinline void ktap_hit_again(const struct ktap_site *site,
			     const struct pt_regs *regs, struct ktap_ring *ring)
{
	if (unlikely(!hit_turned(site, regs, ring)))
		hit_several(site, regs);
	ktap_ring_settle(ring);
}
NOKPROBE_SYMBOL(ktap_hit_again);

/**
 * ktap_hit() - ktap_hit_inline(), for hooks that are expensive anyway
 * @site: site of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_hit(const struct ktap_site *site, const struct pt_regs *regs)
{
	ktap_hit_inline(site, regs);
}
NOKPROBE_SYMBOL(ktap_hit);
