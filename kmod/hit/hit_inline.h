/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The entry to every hit, and the hit that has to be cheap: one session,
 * registers only and nothing special to write; or nothing to write at all. It
 * calls nothing, so that the hooks' handlers have it in their own text and need
 * to save no register; hit.c has every other way.
 *
 * What it does not do itself it leaves alone: nothing is counted then. As it
 * calls nothing, it need not mark the CPU as busy.
 *
 * Context: any, NMI included; preemption off.
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

/* An attachment's, of this CPU. */
typedef struct ktap_cell KTAP_ARCH_HERE ktap_cell_here;

/* Is this task one that the session wants to see? */
static __always_inline bool ktap_admitted(const struct ktap_attach *a,
					  ktap_task *task)
{
	const unsigned long *scope;

	if (unlikely(env_tgid(task) == a->self))
		return false;
	scope = READ_ONCE(a->scope);
	return likely(!scope) || test_bit(env_tid(task), scope);
}

static __always_inline void ktap_copy_pair(const struct ktap_copy *c,
					   const struct pt_regs *regs,
					   u8 *payload)
{
	u32 first = *(const u32 *)((const u8 *)regs + c->reg);
	u32 second = *(const u32 *)((const u8 *)regs + c->second);
	unsigned long off = c->off;

	*(u32 *)(payload + off) = first;
	*(u32 *)(payload + off + 4) = second;
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

/* A pair alone is what two ints are, and the value that a function returns. */
static __always_inline void ktap_fill_parts(const struct ktap_copy *c,
					    unsigned long n,
					    const struct pt_regs *regs,
					    u8 *payload)
{
	if (likely(c->kind == KTAP_COPY_4_PAIR)) {
		/* no address of this one is worth keeping */
		OPTIMIZER_HIDE_VAR(c);
		ktap_copy_pair(c, regs, payload);
		if (likely(!--n))
			return;
		c++;
	}
	do
		ktap_copy_register(c++, regs, payload);
	while (--n);
}

static __always_inline void ktap_fill(const struct ktap_stores *stores,
				      const struct pt_regs *regs, u8 *payload)
{
	u64 *to = (u64 *)payload;
	unsigned long n = stores->nr_words;

	if (n) {
		const u16 *words = stores->words;

		do {
			to[n - 1] = *(const u64 *)((const u8 *)regs +
						   words[n - 1]);
			/* one counter, and no more registers for pointers */
			OPTIMIZER_HIDE_VAR(n);
		} while (--n);
	}
	n = stores->nr_copies;
	if (unlikely(n))
		ktap_fill_parts(stores->copies, n, regs, payload);
}

/* A hit that makes no record. */
static __always_inline void ktap_count(const struct ktap_attach *a,
				       enum ktap_loss why)
{
	struct ktap_cell __percpu *cell = a->cell;

	this_cpu_inc(cell->hits);
	this_cpu_inc(cell->outcome[why]);
}

/* No ring here: the probe only counts, or this CPU came without memory. */
static __always_inline void ktap_hit_ringless(const struct ktap_attach *a)
{
	if (likely(a->counting))
		this_cpu_inc(a->cell->hits);
	else
		ktap_count(a, KTAP_LOST_NO_RING);
}

/* Into the ring of an attachment's @cell here. Return: as ktap_hit_quick(). */
static __always_inline bool ktap_hit_try(const struct ktap_site *site,
					 ktap_cell_here *cell,
					 struct ktap_ring *ring,
					 ktap_task *task,
					 const struct pt_regs *regs)
{
	u8 *payload;

	if (unlikely(!ktap_ring_try(ring, task, &site->want, &payload)))
		return false;
	ktap_arch_here_inc(cell->hits);
	ktap_fill(&site->stores, regs, payload);
	ktap_ring_publish(ring);
	return true;
}

/* A hit of the only attachment, @a, while no hit is marked on this CPU. */
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
		ktap_hit_ringless(a);
	else if (unlikely(!ktap_hit_try(site, cell, ring, task, regs)))
		ktap_hit_again(site, regs, ring);
}

static __always_inline bool ktap_hit_is_inside(void)
{
	return unlikely(ktap_arch_here_read(*ktap_arch_here(&ktap_busy)));
}

/**
 * ktap_hit_quick() - a probe was hit, and that may be easy to deal with
 * @site: of the probe
 * @regs: registers at the hit
 *
 * Return: whether this hit is done with. Nothing was counted yet if not.
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
 * ktap_hit_inline() - a probe was hit whose hook hands over registers only
 * @site: of the probe
 * @regs: registers at the hit
 */
static __always_inline void ktap_hit_inline(const struct ktap_site *site,
					    const struct pt_regs *regs)
{
	const struct ktap_site *quick = site;
	const struct ktap_attach *a;

	/* one register for it, whatever the caller has it in */
	OPTIMIZER_HIDE_VAR(quick);
	if (ktap_hit_is_inside()) {
		ktap_hit_any(quick, regs);
		return;
	}
	a = READ_ONCE(quick->only);
	if (likely(a))
		ktap_hit_only(quick, a, regs);
	else
		ktap_hit_other(quick, regs);
}

#endif /* KTAP_HIT_INLINE_H */
