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
#include "hit/guard.h"
#include "hit/hit_inline.h"
#include "hit/rates.h"
#include "hit/ring.h"
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

/* Beside what ktap_fetch_run() returns. */
#define NOT_RUN		(-10)
#define TOO_DEEP	(-11)

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
		front = ktap_ring_front(front,
					m->len + sizeof(struct ktap_rec_head));
	payload = ktap_ring_reserve(ring, front);
	if (ktap_ring_failed(payload))
		this_cpu_inc(a->cell->outcome[ktap_ring_failed(payload)]);
	else if (site->prog)
		copy_words(payload, m->built, m->len);
	else
		ktap_fill(&site->stores, m->frame->regs, payload);
	ktap_ring_commit(ring);
	return !ktap_ring_failed(payload);
}
NOKPROBE_SYMBOL(record);

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
 * What the hit made, to one session that wants it: that may still be more than
 * its rates allow.
 */
static __always_inline void give(const struct ktap_site *site,
				 const struct ktap_attach *a,
				 const struct made *m)
{
	if (unlikely(m->len < 0))
		count_not_built(a, m->len);
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
			m->len = run_program(site->prog, m->frame, m->built);
		give(site, a, m);
	}
}
NOKPROBE_SYMBOL(deliver);

/* ---- the routes behind the entry ----------------------------------------------- */

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

/* A plain program. Return: bytes of the payload. */
static __always_inline u32 build_strings(const struct ktap_stores *s,
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

static noinline void record_built(const struct ktap_site *site,
				  const struct ktap_attach *a, u8 *built,
				  u32 len)
{
	const struct made m = { .built = built, .len = len };

	record(site, a, &m);
}
NOKPROBE_SYMBOL(record_built);

/* The same, which is easy as a rule, for one session without rates. */
static __always_inline void record_quick(const struct ktap_site *site,
					 const struct ktap_attach *a,
					 ktap_cell_here *cell, u8 *built,
					 u32 len)
{
	u32 size = len + sizeof(struct ktap_rec_head);
	const struct ktap_ring_want want = {
		ktap_ring_front(site->want.front, size), size,
	};
	struct ktap_ring *ring = ktap_arch_here_read(cell->ring);
	u8 *payload;

	if (unlikely(!ring || !ktap_ring_try(ring, env_task(), &want, &payload))) {
		record_built(site, a, built, len);
		return;
	}
	copy_words(payload, built, len);
	ktap_ring_publish(ring);
}

/* Strings and registers, for one session without rates, of no other hit inside. */
static __always_inline void hit_strings(const struct ktap_site *site,
					const struct ktap_attach *a,
					const struct pt_regs *regs)
{
	u8 *scratch = ktap_scratch_at(0);
	ktap_cell_here *cell = ktap_arch_here(a->cell);

	ktap_arch_here_inc(cell->hits);
	if (likely(scratch))
		record_quick(site, a, cell, scratch,
			     build_strings(&site->stores, regs, scratch));
	else
		count_not_built(a, TOO_DEEP);
}

/* Any other program, likewise. */
static noinline void hit_program(const struct ktap_site *site,
				 const struct ktap_attach *a,
				 const struct pt_regs *regs)
{
	const struct ktap_frame frame = { .regs = regs, .calls = site->calls };
	u8 *scratch = ktap_scratch_at(0);
	int len = run_program(site->prog, &frame, scratch);
	ktap_cell_here *cell = ktap_arch_here(a->cell);

	ktap_arch_here_inc(cell->hits);
	if (likely(len >= 0))
		record_quick(site, a, cell, scratch, len);
	else
		count_not_built(a, len);
}
NOKPROBE_SYMBOL(hit_program);

/* What either of them does, where hits measure themselves. */
static noinline void hit_measured(const struct ktap_site *site,
				  const struct pt_regs *regs)
{
	const struct ktap_frame frame = { .regs = regs, .calls = site->calls };
	u64 begin = env_clock();

	hit_each(site, &frame);
	ktap_guard_measure(site, begin);
}
NOKPROBE_SYMBOL(hit_measured);

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
static noinline void hit_any(const struct ktap_site *site,
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
NOKPROBE_SYMBOL(hit_any);

/*
 * Where a hit needs no more than to be counted nothing is called, so the CPU need
 * not be marked as busy. Return: whether it is done with.
 */
static __always_inline bool hit_refused(const struct ktap_site *site,
					const struct ktap_attach *a,
					const struct pt_regs *regs)
{
	if (unlikely(!ktap_admitted(a, env_task()))) {
		ktap_count(a, KTAP_LIMITED);
		return true;
	}
	if (!ktap_gate_pass(&site->prog->gate, regs)) {
		ktap_count(a, KTAP_FILTERED);
		return true;
	}
	return false;
}

/* Likewise, for hooks with more than registers, and for user code. */
static __always_inline bool hit_unwanted(const struct ktap_site *site,
					 const struct pt_regs *regs)
{
	const struct ktap_attach *gated = READ_ONCE(site->gated);

	return gated && !this_cpu_read(ktap_busy) &&
	       hit_refused(site, gated, regs);
}

static noinline void hit_rare(const struct ktap_site *site,
			      const struct pt_regs *regs)
{
	const struct ktap_frame frame = { .regs = regs, .calls = site->calls };

	hit_any(site, &frame);
}
NOKPROBE_SYMBOL(hit_rare);

/*
 * A program of steps, written in place. It reads memory that may fault, which the
 * kernel's own code deals with: so busy is marked, though nothing is called.
 * Return: whether it is done with; if not, nothing was counted.
 */
static __always_inline bool walk_in_place(const struct ktap_site *site,
					  ktap_cell_here *cell,
					  const struct pt_regs *regs,
					  struct ktap_ring *ring)
{
	u32 size = site->prog->info.record_max;
	const struct ktap_ring_want want = {
		ktap_ring_front(site->want.front, size), size,
	};
	u8 *payload;

	if (unlikely(!ktap_ring_try(ring, env_task(), &want, &payload)))
		return false;
	ktap_arch_here_inc(cell->hits);
	ktap_walk(&site->prog->walk, regs, payload);
	ktap_ring_publish(ring);
	return true;
}

/* A program that builds its record, for one session without rates that wants it. */
static __always_inline void hit_built(const struct ktap_site *site,
				      const struct pt_regs *regs,
				      const struct ktap_attach *a, bool strings)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);

	ktap_nest_enter(busy, 0);
	if (unlikely(ktap_guard_due(env_clock())))
		hit_measured(site, regs);
	else if (strings)
		hit_strings(site, a, regs);
	else
		hit_program(site, a, regs);
	ktap_arch_here_write(*busy, 0);
}

static noinline void hit_sole_strings(const struct ktap_site *site,
				      const struct pt_regs *regs,
				      const struct ktap_attach *a)
{
	hit_built(site, regs, a, true);
}
NOKPROBE_SYMBOL(hit_sole_strings);

/* Whatever the program is. */
static noinline void hit_sole_program(const struct ktap_site *site,
				      const struct pt_regs *regs,
				      const struct ktap_attach *a)
{
	hit_built(site, regs, a, false);
}
NOKPROBE_SYMBOL(hit_sole_program);

static noinline void hit_steps(const struct ktap_site *site,
			       const struct pt_regs *regs,
			       const struct ktap_attach *a)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);
	ktap_cell_here *cell = ktap_arch_here(a->cell);
	struct ktap_ring *ring = ktap_arch_here_read(cell->ring);
	bool done;

	if (unlikely(!ring)) {
		ktap_hit_ringless(a);
		return;
	}
	ktap_nest_enter(busy, 0);
	done = walk_in_place(site, cell, regs, ring);
	ktap_arch_here_write(*busy, 0);
	if (likely(done))
		return;
	hit_sole_program(site, regs, a);
	ktap_ring_settle(ring);
}
NOKPROBE_SYMBOL(hit_steps);

/* Registers, and the task's @name: a record is made as ktap_hit_quick() does. */
static __always_inline void hit_stores(const struct ktap_site *site,
				       const struct pt_regs *regs,
				       const struct ktap_attach *a, bool name)
{
	ktap_cell_here *cell = ktap_arch_here(a->cell);
	struct ktap_ring *ring = ktap_arch_here_read(cell->ring);
	u32 size = site->prog->info.record_max;
	const struct ktap_ring_want want = {
		ktap_ring_front(site->want.front, size), size,
	};
	u8 *payload;

	if (unlikely(!ring)) {
		ktap_hit_ringless(a);
		return;
	}
	if (unlikely(!ktap_ring_try(ring, env_task(), &want, &payload))) {
		hit_sole_program(site, regs, a);
		ktap_ring_settle(ring);
		return;
	}
	ktap_arch_here_inc(cell->hits);
	ktap_fill(&site->stores, regs, payload);
	if (name)
		env_comm(payload + site->stores.name);
	ktap_ring_publish(ring);
}

static noinline void hit_in_place(const struct ktap_site *site,
				  const struct pt_regs *regs,
				  const struct ktap_attach *a)
{
	hit_stores(site, regs, a, false);
}
NOKPROBE_SYMBOL(hit_in_place);

static noinline void hit_name(const struct ktap_site *site,
			      const struct pt_regs *regs,
			      const struct ktap_attach *a)
{
	hit_stores(site, regs, a, true);
}
NOKPROBE_SYMBOL(hit_name);

/*
 * Any program, for one session without rates that wants the hit. What this calls it
 * calls last, so that nothing is saved for hits that do not come here.
 */
static __always_inline void hit_sole(const struct ktap_site *site,
				     const struct pt_regs *regs,
				     const struct ktap_attach *a)
{
	enum ktap_route route = site->route;

	if (likely(route == KTAP_ROUTE_STEPS))
		hit_steps(site, regs, a);
	else if (likely(route == KTAP_ROUTE_STORES))
		hit_in_place(site, regs, a);
	else if (likely(route == KTAP_ROUTE_NAME))
		hit_name(site, regs, a);
	else if (likely(route == KTAP_ROUTE_STRINGS))
		hit_sole_strings(site, regs, a);
	else
		hit_sole_program(site, regs, a);
}

/**
 * ktap_hit_gated() - a hit of a program with a gate
 * @site: of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption off.
 */
noinline void ktap_hit_gated(const struct ktap_site *site,
			     const struct pt_regs *regs)
{
	const struct ktap_attach *gated = READ_ONCE(site->gated);

	if (unlikely(!gated || this_cpu_read(ktap_busy)))
		hit_rare(site, regs);
	else if (!hit_refused(site, gated, regs))
		hit_sole(site, regs, gated);
}
NOKPROBE_SYMBOL(ktap_hit_gated);

/* A program without a gate. */
static noinline void hit_ungated(const struct ktap_site *site,
				 const struct pt_regs *regs)
{
	const struct ktap_attach *sole = READ_ONCE(site->sole);

	if (unlikely(!sole || this_cpu_read(ktap_busy)))
		hit_rare(site, regs);
	else if (unlikely(!ktap_admitted(sole, env_task())))
		ktap_count(sole, KTAP_LIMITED);
	else
		hit_sole(site, regs, sole);
}
NOKPROBE_SYMBOL(hit_ungated);

/**
 * ktap_hit_slow() - a hit that ktap_hit_quick() has no way for
 * @site: of the probe
 * @regs: registers at the hit
 *
 * Context: any, NMI included; preemption off.
 */
noinline void ktap_hit_slow(const struct ktap_site *site,
			    const struct pt_regs *regs)
{
	const struct ktap_attach *strings = READ_ONCE(site->strings);

	if (unlikely(!strings || this_cpu_read(ktap_busy)))
		hit_ungated(site, regs);
	else if (unlikely(!ktap_admitted(strings, env_task())))
		ktap_count(strings, KTAP_LIMITED);
	else
		hit_sole_strings(site, regs, strings);
}
NOKPROBE_SYMBOL(ktap_hit_slow);

/*
 * Another task runs than before, most often: with that told it may be easy. The
 * raw clock is read in place; any other one is a call, for the slow way.
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
		hit_any(site, frame);
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
		m.len = run_program(site->prog, frame, room);
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
	frame.memory = ENV_USER;
	frame.calls = site->calls;
	preempt_disable();
	if (unlikely(hit_unwanted(site, hook->regs))) {
		preempt_enable();
		return;
	}
	if (likely(!READ_ONCE(site->tripped) && enter_hit(site, &v))) {
		m.built = ktap_scratch_at(ktap_nest_level());
		frame.retry = anybody_admits(site);
		if (frame.retry)
			m.len = run_program(site->prog, &frame, m.built);
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
		site->route = route_of(prog);
	}
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
	const struct ktap_attach *only = NULL, *sole = NULL, *gated = NULL;
	const struct ktap_attach *strings = NULL;

	if (list_is_singular(&site->attached))
		only = list_first_entry(&site->attached, struct ktap_attach,
					in_probe);
	if (only && (only->rates || READ_ONCE(site->tripped)))
		only = NULL;
	if (site->prog) {
		if (site->prog->gate.nr)
			gated = only;
		else if (site->route == KTAP_ROUTE_STRINGS)
			strings = only;
		else
			sole = only;
		only = NULL;
	}
	/* pairs with the address dependency in ktap_hit_inline() */
	smp_store_release(&site->only, only);
	/* and this with that in ktap_hit_slow() */
	smp_store_release(&site->strings, strings);
	/* and this with that in hit_ungated() */
	smp_store_release(&site->sole, sole);
	/* and this with that in ktap_hit_gated() */
	smp_store_release(&site->gated, gated);
}
