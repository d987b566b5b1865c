/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trails: where on the task's stack the return addresses of a kernel stack were. A hit of the
 * same place that finds the same return addresses at the same places has the same stack, and
 * needs no walk. That is certain, and no guess: trail_orc.h and trail_records.h say why.
 *
 * Trails belong to a session and a CPU. A hit that leaves one marks the CPU busy, and a hit that
 * is nested in such a hit uses none. Where a trail may change while a hit follows it
 * (KTAP_TRAIL_MAY_CHANGE), that hit need not mark the CPU: it sees whether another was begun.
 */
#ifndef KTAP_ARCH_TRAIL_H
#define KTAP_ARCH_TRAIL_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "hit/spot.h"

struct pt_regs;

#define KTAP_TRAIL_FRAMES	64	/* of the longest trail */
#define KTAP_TRAIL_WAYS		16	/* trails of a CPU */

/* A word of the stack. Compilers' checks would take the words between variables for bugs. */
static __always_inline unsigned long ktap_stack_word(unsigned long at)
{
	return READ_ONCE_NOCHECK(*(const unsigned long *)at);
}

#ifdef CONFIG_UNWINDER_ORC
#include "arch/trail_orc.h"
#elif defined(CONFIG_ARM64)
#include "arch/trail_records.h"
#else

#define KTAP_ARCH_HAS_TRAILS	false
#define KTAP_TRAIL_MAY_CHANGE	true

struct ktap_trail {
	u32 place;
	u64 id;
	bool whole;
};

typedef struct {
} ktap_trail_place;

static __always_inline ktap_trail_place ktap_trail_place_of(const struct pt_regs *regs)
{
	return (ktap_trail_place){};
}

static __always_inline bool ktap_trail_begins(const struct ktap_spot *spot,
					      const ktap_trail_place *at)
{
	return false;
}

static __always_inline u32 ktap_trail_mark(const struct ktap_spot *spot,
					   const ktap_trail_place *at)
{
	return 0;
}

static __always_inline bool ktap_trail_follow(const struct ktap_trail *t,
					      const ktap_trail_place *at)
{
	return false;
}

#endif

/**
 * struct ktap_trails - those of a CPU
 * @way: trails
 * @turn: how many were begun
 */
struct ktap_trails {
	struct ktap_trail way[KTAP_TRAIL_WAYS];
	u64 turn;
};

/**
 * struct ktap_trail_use - a hit's use of its session's trails
 * @trails: trails
 * @spot: place of the probe, whose program takes one kernel stack
 * @noted: trail that the hit's walk notes, or NULL
 * @id: of the stack that the walk found
 */
struct ktap_trail_use {
	struct ktap_trails __percpu *trails;
	const struct ktap_spot *spot;
	struct ktap_trail *noted;
	u64 id;
};

/* The trail of @here for a hit at place @nr; it may be another hit's. */
static __always_inline struct ktap_trail *ktap_trail_at(struct ktap_trails *here, u32 nr,
							const struct ktap_trail_use *use,
							const ktap_trail_place *at)
{
	u32 mark = nr ^ ktap_trail_mark(use->spot, at);
	struct ktap_trail *t = &here->way[mark % KTAP_TRAIL_WAYS];

	OPTIMIZER_HIDE_VAR(t); /* else each use computes it again */
	return t;
}

/**
 * ktap_trail_find() - find the stack of a hit by a trail
 * @use: use of the hit
 * @regs: registers of the hit
 *
 * Context: any; preemption disabled, not nested in a hit that marked the CPU busy. Unless a trail
 * may change, this hit has marked it.
 * Return: id of the stack; 0: it has to be taken.
 */
static __always_inline u64 ktap_trail_find(const struct ktap_trail_use *use,
					   const struct pt_regs *regs)
{
	const ktap_trail_place at = ktap_trail_place_of(regs);
	struct ktap_trails *here = raw_cpu_ptr(use->trails);
	u32 nr = use->spot->nr;
	const struct ktap_trail *t;
	u64 turn, id;

	if (!ktap_trail_begins(use->spot, &at))
		return 0;
	t = ktap_trail_at(here, nr, use, &at);
	turn = READ_ONCE(here->turn);
	barrier();
	/* after an interrupt it may be another trail, which @turn shows */
	if (unlikely(READ_ONCE(t->place) != nr || !ktap_trail_follow(t, &at)))
		return 0;
	id = READ_ONCE(t->id);
	barrier();
	return likely(READ_ONCE(here->turn) == turn) ? id : 0;
}

/**
 * ktap_trail_begin() - begin to note the trail of a hit
 * @use: use of the hit
 * @regs: registers of the hit
 *
 * Context: any; preemption disabled, not in a nested hit.
 * Return: trail, which is none until then; NULL: there can be none.
 */
static __always_inline struct ktap_trail *ktap_trail_begin(struct ktap_trail_use *use,
							   const struct pt_regs *regs)
{
	const ktap_trail_place at = ktap_trail_place_of(regs);
	struct ktap_trails *here = raw_cpu_ptr(use->trails);
	struct ktap_trail *t;

	if (!ktap_trail_begins(use->spot, &at))
		return NULL;
	WRITE_ONCE(here->turn, here->turn + 1);
	barrier(); /* see ktap_trail_find() */
	t = ktap_trail_at(here, use->spot->nr, use, &at);
	t->place = 0;
	t->whole = false;
	use->noted = t;
	return t;
}

/**
 * ktap_trail_end() - from now on hits follow the trail of this one
 * @use: use of the hit, whose stack the session's table has
 *
 * Context: any; preemption disabled, not in a nested hit.
 */
static __always_inline void ktap_trail_end(const struct ktap_trail_use *use)
{
	struct ktap_trail *t = use->noted;

	if (!t || !t->whole)
		return;
	t->id = use->id;
	t->place = use->spot->nr;
}

#endif /* KTAP_ARCH_TRAIL_H */
