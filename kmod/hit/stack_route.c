// SPDX-License-Identifier: GPL-2.0
/*
 * Route of programs that store the kernel stack, registers and the task's comm, for one
 * session without rates. A hit that a trail leads to a known stack is written in place; any
 * other takes the stack, and leaves a trail if that is possible (arch/trail.h).
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

static __always_inline void build(const struct ktap_site *site, const struct pt_regs *regs,
				  u8 *payload, u64 id)
{
	const struct ktap_stores *s = &site->stores;

	ktap_fill(s, regs, payload);
	*(u64 *)(payload + s->stack) = id;
	if (s->has_name)
		env_comm(payload + s->name);
}

/* Where the registers say what the place is, each hit may have a different one. */
static __always_inline bool has_trails(const struct ktap_site *site,
				       const struct ktap_attach *a)
{
	return likely(a->trails && site->spot.ip);
}

/* Takes the stack, where the program would have it. Return: its id. */
static u64 take(const struct ktap_site *site, const struct pt_regs *regs,
		const struct ktap_attach *a, u8 *scratch)
{
	u64 *size = (u64 *)(scratch + site->prog->info.stacks_off);
	struct ktap_stack *s = (struct ktap_stack *)(size + 1);
	struct ktap_trail *t = NULL;
	bool kept;
	u64 key;

	if (has_trails(site, a))
		t = ktap_trail_begin(a->trails, site->id, site->spot.is_entry, regs, &key);
	*s = (struct ktap_stack){};
	ktap_arch_unwind_noting(regs, &site->spot, s, site->stores.stack_max, t);
	s->id = ktap_stack_id(s);
	*size = sizeof(*s) + s->nr * sizeof(s->frames[0]);
	kept = ktap_stacks_keep(a->stacks, size);
	if (t && t->whole && kept) {
		t->id = s->id;
		t->key = key;
	}
	return s->id;
}
NOKPROBE_SYMBOL(take);

/* @id: the stack, if it is known. The CPU is marked busy. */
static noinline void hit_slowly(const struct ktap_site *site, const struct pt_regs *regs,
				const struct ktap_attach *a, u64 id)
{
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
	if (!id)
		id = take(site, regs, a, scratch);
	build(site, regs, scratch, id);
	ktap_record_quick(site, a, scratch, site->want.size - sizeof(struct ktap_rec_head));
}
NOKPROBE_SYMBOL(hit_slowly);

/**
 * ktap_hit_kstack() - hit of such a program
 * @site: site of the probe
 * @regs: registers at the hit
 * @a: attachment that admitted the hit
 *
 * Context: any, NMI included; preemption disabled, CPU not marked busy.
 */
noinline void ktap_hit_kstack(const struct ktap_site *site, const struct pt_regs *regs,
			      const struct ktap_attach *a)
{
	ktap_busy_here *busy = ktap_arch_here(&ktap_busy);
	ktap_cell_here *cell = ktap_arch_here(a->cell);
	struct ktap_ring *ring = ktap_arch_here_read(cell->ring);
	u8 *payload;
	u64 id = 0;

	/* from here to the end no other hit on this CPU uses a trail */
	ktap_nest_enter(busy, 0);
	if (has_trails(site, a))
		id = ktap_trail_find(a->trails, site->id, site->spot.is_entry, regs);
	if (likely(id && ring &&
		   ktap_ring_try(ring, ring->prod, env_task(), &site->want, &payload))) {
		ktap_arch_here_inc(cell->hits);
		build(site, regs, payload, id);
		ktap_ring_publish(ring, ring->prod);
	} else {
		hit_slowly(site, regs, a, id);
		if (ring)
			ktap_ring_settle(ring);
	}
	ktap_arch_here_write(*busy, 0);
}
NOKPROBE_SYMBOL(ktap_hit_kstack);
