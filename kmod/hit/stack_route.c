// SPDX-License-Identifier: GPL-2.0
/*
 * Routes of programs that store stacks, registers and the task's comm, for one session without
 * rates. A hit that trails lead to known stacks is written in place; any other takes the
 * stacks, and leaves trails where that is possible (arch/trail.h, user_trail.c).
 *
 * Context: any, NMI included; preemption disabled, not nested in a hit.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>

#include "arch/trail.h"
#include "arch/unwind.h"
#include "hit/guard.h"
#include "hit/hit_inline.h"
#include "hit/routes.h"
#include "hit/scratch.h"
#include "hit/user_stack.h"

/* Ids of the stacks that are known; 0: it is not known yet, or not stored. */
struct ids {
	u64 kernel;
	u64 user;
};

static __always_inline void build(const struct ktap_site *site, const struct pt_regs *regs,
				  u8 *payload, const struct ids *ids)
{
	const struct ktap_stores *s = &site->stores;

	ktap_fill(s, regs, payload);
	if (s->kstack.max)
		*(u64 *)(payload + s->kstack.off) = ids->kernel;
	if (s->ustack.max)
		*(u64 *)(payload + s->ustack.off) = ids->user;
	if (s->has_name)
		env_comm(payload + s->name);
}

/* Are the ids of all stacks known? */
static __always_inline bool is_known(const struct ktap_stores *s, const struct ids *ids)
{
	return likely((!s->kstack.max || ids->kernel) && (!s->ustack.max || ids->user));
}

static __always_inline struct ktap_trail_use *trails_of(const struct ktap_site *site,
							const struct ktap_attach *a,
							struct ktap_trail_use *use)
{
	return ktap_trails_of(site, a, site->stores.kstack.max, use);
}

/* The stacks to which trails lead. */
static __always_inline struct ids find(const struct ktap_site *site, const struct pt_regs *regs,
				       const struct ktap_attach *a)
{
	struct ktap_trail_use use __uninitialized;
	const struct ktap_stores *s = &site->stores;
	struct ids ids = {};

	if (trails_of(site, a, &use))
		ids.kernel = ktap_trail_find(&use, regs);
	if (s->ustack.max && likely(a->stacks))
		ids.user = ktap_ustack_find(a->stacks, s->ustack.max);
	return ids;
}

static u64 take_kernel(const struct ktap_site *site, const struct pt_regs *regs,
		       struct ktap_trail_use *use, u64 *size)
{
	struct ktap_stack *s = ktap_stack_begin(size);

	env_kstack(regs, &site->spot, s, site->stores.kstack.max, use);
	return ktap_stack_taken(s, size);
}
NOKPROBE_SYMBOL(take_kernel);

static u64 take_user(const struct ktap_site *site, u64 *size)
{
	struct ktap_stack *s = ktap_stack_begin(size);

	env_ustack(s, site->stores.ustack.max);
	return ktap_stack_taken(s, size);
}
NOKPROBE_SYMBOL(take_user);

/* Takes the stacks that are not known yet, where the program would have them. */
static void take(const struct ktap_site *site, const struct pt_regs *regs,
		 const struct ktap_attach *a, struct ktap_trail_use *use, u8 *scratch,
		 struct ids *ids)
{
	u64 *size = (u64 *)(scratch + site->prog->info.stacks_off);
	bool kernel = site->stores.kstack.max && !ids->kernel;
	bool user = site->stores.ustack.max && !ids->user;

	*size = 0;
	if (kernel)
		ids->kernel = take_kernel(site, regs, use, size);
	if (user)
		ids->user = take_user(site, size);
	if (!ktap_stacks_keep(a->stacks, size))
		return;
	if (kernel && use)
		ktap_trail_end(use);
	if (user)
		ktap_ustack_kept(a->stacks, site->stores.ustack.max, ids->user);
}
NOKPROBE_SYMBOL(take);

/* @ids: the stacks that are known. The CPU is marked busy. */
static __always_inline void hit_slowly(const struct ktap_site *site, const struct pt_regs *regs,
				       const struct ktap_attach *a, struct ids ids)
{
	struct ktap_trail_use use __uninitialized;
	u8 *scratch = ktap_scratch_at(0);

	if (unlikely(ktap_guard_due(env_clock()))) {
		ktap_hit_measured(site, regs);
		return;
	}
	if (unlikely(!scratch || !a->stacks)) {
		ktap_hit_unserved(site, regs);
		return;
	}
	ktap_arch_here_inc(ktap_arch_here(a->cell)->hits);
	if (!is_known(&site->stores, &ids))
		take(site, regs, a, trails_of(site, a, &use), scratch, &ids);
	build(site, regs, scratch, &ids);
	ktap_record_quick(site, a, scratch, site->want.size - sizeof(struct ktap_rec_head));
}

/* A hit that could not be written in place. @ring: of the try, or NULL. */
static noinline void hit_again(const struct ktap_site *site, const struct pt_regs *regs,
			       const struct ktap_attach *a, struct ktap_ring *ring, struct ids ids)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);

	ktap_nest_enter(busy, 0);
	hit_slowly(site, regs, a, ids);
	if (ring)
		ktap_ring_settle(ring);
	ktap_arch_here_write(*busy, 0);
}
NOKPROBE_SYMBOL(hit_again);

static __always_inline u64 find_kernel(const struct ktap_trail_use *use,
				       const struct pt_regs *regs)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);
	u64 id;

	if (!KTAP_TRAIL_MAY_CHANGE)
		ktap_nest_enter(busy, 0);
	id = ktap_trail_find(use, regs);
	if (!KTAP_TRAIL_MAY_CHANGE)
		ktap_arch_here_write(*busy, 0);
	return id;
}

/**
 * ktap_hit_kstack() - hit of a program that stores one kernel stack, and maybe registers
 * @site: site of the probe
 * @regs: registers at the hit
 * @a: attachment that admitted the hit
 *
 * Context: any, NMI included; preemption disabled, CPU not marked busy.
 */
noinline void ktap_hit_kstack(const struct ktap_site *site, const struct pt_regs *regs,
			      const struct ktap_attach *a)
{
	const struct ktap_trail_use use = {
		.trails = a->trails, .spot = &site->spot,
	};
	ktap_cell_here *cell = ktap_arch_here(a->cell);
	struct ktap_ring *ring = ktap_arch_here_read(cell->ring);
	u64 id = likely(use.trails) ? find_kernel(&use, regs) : 0;
	u8 *payload;

	if (unlikely(!id || !ring ||
		     !ktap_ring_try(ring, ring->prod, env_task(), &site->want, &payload))) {
		hit_again(site, regs, a, ring, (struct ids){ .kernel = id });
		return;
	}
	ktap_arch_here_inc(cell->hits);
	ktap_fill(&site->stores, regs, payload);
	*(u64 *)(payload + site->stores.kstack.off) = id;
	ktap_ring_publish(ring, ring->prod);
}
NOKPROBE_SYMBOL(ktap_hit_kstack);

/**
 * ktap_hit_stacks() - hit of any other of these programs
 * @site: site of the probe
 * @regs: registers at the hit
 * @a: attachment that admitted the hit
 *
 * Context: any, NMI included; preemption disabled, CPU not marked busy.
 */
noinline void ktap_hit_stacks(const struct ktap_site *site, const struct pt_regs *regs,
			      const struct ktap_attach *a)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);
	ktap_cell_here *cell = ktap_arch_here(a->cell);
	struct ktap_ring *ring = ktap_arch_here_read(cell->ring);
	struct ids ids;
	u8 *payload;

	/* see arch/trail.h; user_trail.c asks whether the hit is nested */
	ktap_nest_enter(busy, 0);
	ids = find(site, regs, a);
	ktap_arch_here_write(*busy, 0);
	if (unlikely(!is_known(&site->stores, &ids) || !ring ||
		     !ktap_ring_try(ring, ring->prod, env_task(), &site->want, &payload))) {
		hit_again(site, regs, a, ring, ids);
		return;
	}
	ktap_arch_here_inc(cell->hits);
	build(site, regs, payload, &ids);
	ktap_ring_publish(ring, ring->prod);
}
NOKPROBE_SYMBOL(ktap_hit_stacks);
