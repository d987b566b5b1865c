/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry of every hit, with the fast path inline: one session, registers only, no state to
 * write; or no record at all. The inline code calls no function, so that handlers of
 * hooks need not save registers. hit.c has the other paths.
 *
 * If the fast path does not apply, nothing has been counted. As it calls no function, it
 * need not mark the CPU busy.
 *
 * Context: any, NMI included; preemption disabled.
 */
#ifndef KTAP_HIT_INLINE_H
#define KTAP_HIT_INLINE_H

#include <linux/bitops.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "core/attach.h"
#include "hit/hit.h"
#include "hit/nest.h"
#include "hit/ring.h"

/* This CPU's cell of an attachment. */
typedef struct ktap_cell KTAP_ARCH_HERE ktap_cell_here;

/* Does the session have this task in scope? */
static __always_inline bool ktap_admitted(const struct ktap_attach *a,
					  ktap_task *task)
{
	if (unlikely(env_tgid(task) == READ_ONCE(a->self)))
		return false;
	/* once set it stays; so the first read may be a part of the comparison */
	return likely(!a->scope) || test_bit(env_tid(task), READ_ONCE(a->scope));
}

static __always_inline void ktap_copy_pair(const struct ktap_copy *c,
					   const struct pt_regs *regs,
					   u8 *payload)
{
	u8 *to = payload + c->off;

	/* one at a time, which saves a register */
	*(u32 *)to = *(const u32 *)((const u8 *)regs + c->reg);
	*(u32 *)(to + 4) = *(const u32 *)((const u8 *)regs + c->second);
}

static __always_inline void ktap_copy_register(const struct ktap_copy *c,
					       const struct pt_regs *regs,
					       u8 *payload)
{
	const u8 *reg = (const u8 *)regs + c->reg;
	u8 *to = payload + c->off;

	if (likely(c->kind == KTAP_COPY_4_PAIR))
		ktap_copy_pair(c, regs, payload);
	else if (likely(c->kind == KTAP_COPY_4_WIDE))
		*(u64 *)to = *(const u32 *)reg;
	else if (likely(c->kind == KTAP_COPY_4))
		*(u32 *)to = *(const u32 *)reg;
	else if (c->kind == KTAP_COPY_8)
		*(u64 *)to = *(const u64 *)reg;
	else if (c->kind == KTAP_COPY_2)
		*(u16 *)to = *(const u16 *)reg;
	else if (c->kind == KTAP_COPY_1)
		*to = *reg;
	else
		*(u64 *)to = 0; /* KTAP_COPY_ZERO */
}

/*
 * Two int arguments, or the return value of a function, are one pair and nothing else.
 * Return: whether there was more, which takes all registers that a hit need not save.
 */
static __always_inline bool ktap_fill_parts(const struct ktap_copy *c,
					    unsigned long n,
					    const struct pt_regs *regs,
					    u8 *payload)
{
	if (likely(c->kind == KTAP_COPY_4_PAIR)) {
		/* do not keep addresses derived from it in registers */
		OPTIMIZER_HIDE_VAR(c);
		ktap_copy_pair(c, regs, payload);
		if (likely(!--n))
			return false;
		c++;
	}
	do
		ktap_copy_register(c++, regs, payload);
	while (--n);
	return true;
}

static __always_inline void ktap_fill_words(const struct ktap_stores *stores,
					    const struct pt_regs *regs,
					    u8 *payload)
{
	u64 *to = (u64 *)payload;
	unsigned long n = stores->nr_words;

	if (n) {
		const u16 *words = stores->words;

		do {
			to[n - 1] = *(const u64 *)((const u8 *)regs +
						   words[n - 1]);
			/* one counter, and no further registers for pointers */
			OPTIMIZER_HIDE_VAR(n);
		} while (--n);
	}
}

static __always_inline void ktap_fill(const struct ktap_stores *stores,
				      const struct pt_regs *regs, u8 *payload)
{
	ktap_fill_words(stores, regs, payload);
	if (unlikely(stores->nr_copies))
		ktap_fill_parts(stores->copies, stores->nr_copies, regs, payload);
}

/* Counts a hit without a record. */
static __always_inline void ktap_count(const struct ktap_attach *a,
				       enum ktap_loss why)
{
	struct ktap_cell __percpu *cell = a->cell;

	this_cpu_inc(cell->hits);
	this_cpu_inc(cell->outcome[why]);
}

/*
 * Is @row, that of the hit before, this one's too, and no look at the clock due? Then there
 * is a row.
 */
static __always_inline bool ktap_row_at_hand(const struct ktap_attach *a, ktap_cell_here *cell,
					     const struct pt_regs *regs,
					     enum ktap_plan_kind kind,
					     struct ktap_map_slot **row)
{
	if (unlikely(ktap_arch_here_spend(cell->quick)))
		return false;
	*row = ktap_arch_here_read(cell->row);
	return likely(ktap_plan_is_row(&a->plan, kind, *row, regs));
}

/* See routes.c. */
void ktap_hit_mapped(ktap_cell_here *cell, const struct pt_regs *regs,
		     const struct ktap_attach *a);
void ktap_hit_anew(ktap_cell_here *cell, const struct pt_regs *regs,
		   const struct ktap_attach *a);

/*
 * A hit with a plan, for a session that aggregates. Calls nothing that can be traced, so
 * the CPU need not be marked busy.
 */
static __always_inline void ktap_hit_plan(ktap_cell_here *cell, const struct pt_regs *regs,
					  const struct ktap_attach *a,
					  enum ktap_plan_kind kind)
{
	const struct ktap_plan *p = &a->plan;
	struct ktap_map_slot *row;

	if (unlikely(!ktap_row_at_hand(a, cell, regs, kind, &row))) {
		ktap_hit_anew(cell, regs, a);
		return;
	}
	ktap_arch_here_inc(cell->hits);
	env_add(&row->count, 1);
	if (kind == KTAP_PLAN_COMM_COUNT)
		return;
	if (kind == KTAP_PLAN_COMM_LOG2 || p->value != KTAP_PLAN_COUNT)
		ktap_plan_value(p, kind, row, env_reg_at(regs, p->from));
}

/* No ring: it counts by task, the probe only counts, or see ktap_hit_mapped(). */
static __always_inline void ktap_hit_ringless(ktap_cell_here *cell,
					      const struct pt_regs *regs,
					      const struct ktap_attach *a)
{
	if (likely(a->plan.kind == KTAP_PLAN_COMM_COUNT)) {
		ktap_hit_plan(cell, regs, a, KTAP_PLAN_COMM_COUNT);
		return;
	}
	if (likely(a->silent))
		ktap_arch_here_inc(cell->hits);
	else
		ktap_hit_mapped(cell, regs, a);
}

/* Writes to the ring of @cell. Return: as ktap_hit_quick(). */
static __always_inline bool ktap_hit_try(const struct ktap_site *site,
					 ktap_cell_here *cell,
					 struct ktap_ring *ring,
					 ktap_task *task,
					 const struct pt_regs *regs)
{
	struct ktap_ring_producer *prod = ring->prod;
	unsigned long nr_copies;
	u8 *payload;

	if (unlikely(!ktap_ring_try(ring, prod, task, &site->want, &payload)))
		return false;
	ktap_arch_here_inc(cell->hits);
	ktap_fill_words(&site->stores, regs, payload);
	nr_copies = site->stores.nr_copies;
	if (unlikely(nr_copies) &&
	    ktap_fill_parts(site->stores.copies, nr_copies, regs, payload))
		prod = ring->prod; /* which kept no register */
	ktap_ring_publish(ring, prod);
	return true;
}

/* A hit for the only attachment, @a, while the CPU is not marked busy. */
static __always_inline void ktap_hit_only(const struct ktap_site *site,
					  const struct ktap_attach *a,
					  const struct pt_regs *regs)
{
	ktap_task *task = env_task();
	ktap_cell_here *cell;
	struct ktap_ring *ring;

	if (unlikely(!ktap_admitted(a, task))) {
		ktap_count(a, KTAP_LIMITED);
		return;
	}
	cell = ktap_arch_here(a->cell);
	ring = ktap_arch_here_read(cell->ring);
	if (unlikely(!ring))
		ktap_hit_ringless(cell, regs, a);
	else if (unlikely(!ktap_hit_try(site, cell, ring, task, regs)))
		ktap_hit_again(site, regs, ring);
}

static __always_inline bool ktap_hit_is_inside(void)
{
	return unlikely(ktap_arch_here_is_set(*ktap_arch_here(&ktap_busy)));
}

/**
 * ktap_hit_quick() - try the fast path of a hit
 * @site: site of the probe
 * @regs: registers at the hit
 *
 * Return: whether the hit was handled. If not, nothing has been counted yet.
 */
static __always_inline bool ktap_hit_quick(const struct ktap_site *site,
					   const struct pt_regs *regs)
{
	const struct ktap_attach *a;

	if (ktap_hit_is_inside())
		return false;
	a = READ_ONCE(site->only);
	if (unlikely(!a))
		return false;
	ktap_hit_only(site, a, regs);
	return true;
}

/**
 * ktap_hit_outside() - hit of a hook that passes registers only, outside of other hits
 * @site: site of the probe
 * @regs: registers at the hit
 *
 * Context: ktap_hit_is_inside() is false.
 */
static __always_inline void ktap_hit_outside(const struct ktap_site *site,
					     const struct pt_regs *regs)
{
	const struct ktap_attach *a = READ_ONCE(site->only);

	if (likely(a))
		ktap_hit_only(site, a, regs);
	else
		ktap_hit_other(site, regs);
}

/**
 * ktap_hit_inline() - hit of a hook that passes registers only
 * @site: site of the probe
 * @regs: registers at the hit
 */
static __always_inline void ktap_hit_inline(const struct ktap_site *site,
					    const struct pt_regs *regs)
{
	const struct ktap_site *quick = site;

	/* keep it in one register, wherever the caller has it */
	OPTIMIZER_HIDE_VAR(quick);
	if (ktap_hit_is_inside())
		ktap_hit_any(quick, regs);
	else
		ktap_hit_outside(quick, regs);
}

#endif /* KTAP_HIT_INLINE_H */
