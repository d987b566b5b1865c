/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trails: where on the task's stack the return addresses of a kernel stack were. A hit of the
 * same probe that finds the same return addresses at the same places has the same stack, and
 * needs no walk. That is certain, and no guess: trail_orc.h and trail_records.h say why.
 *
 * Trails belong to a session and a CPU. A nested hit uses none.
 */
#ifndef KTAP_ARCH_TRAIL_H
#define KTAP_ARCH_TRAIL_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct pt_regs;

#define KTAP_TRAIL_FRAMES	64	/* of the longest trail */
#define KTAP_TRAIL_BITS		4
#define KTAP_TRAIL_WAYS		BIT(KTAP_TRAIL_BITS)	/* trails of a CPU */

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

struct ktap_trail {
	u64 key;
	u64 id;
	bool whole;
};

typedef struct {
} ktap_trail_place;

static __always_inline ktap_trail_place ktap_trail_place_of(const struct pt_regs *regs)
{
	return (ktap_trail_place){};
}

static __always_inline u64 ktap_trail_key(u32 id, bool is_entry, const ktap_trail_place *at)
{
	return 0;
}

static __always_inline bool ktap_trail_follow(const struct ktap_trail *t, u64 key,
					      const ktap_trail_place *at)
{
	return false;
}

#endif

/* Those of a CPU. */
struct ktap_trails {
	struct ktap_trail way[KTAP_TRAIL_WAYS];
};

/**
 * struct ktap_trail_use - a hit's use of its session's trails
 * @trails: trails
 * @probe: id of the probe, not 0, whose program takes one kernel stack
 * @is_entry: it is at the entry of a function
 * @noted: trail that the hit's walk notes, or NULL
 * @key: of @noted
 * @id: of the stack that the walk found
 */
struct ktap_trail_use {
	struct ktap_trails __percpu *trails;
	u32 probe;
	bool is_entry;
	struct ktap_trail *noted;
	u64 key;
	u64 id;
};

/**
 * ktap_trail_at() - the trail for a key
 * @trails: those of a session
 * @key: key, not 0
 *
 * Context: any; preemption disabled, not in a nested hit.
 * Return: a trail, which may have another key.
 */
static __always_inline struct ktap_trail *
ktap_trail_at(struct ktap_trails __percpu *trails, u64 key)
{
	return &this_cpu_ptr(trails)->way[key * 0x9e3779b97f4a7c15ULL >>
					  (64 - KTAP_TRAIL_BITS)];
}

/**
 * ktap_trail_find() - find the stack of a hit by a trail
 * @use: use of the hit
 * @regs: registers of the hit
 *
 * Context: any; preemption disabled, not in a nested hit.
 * Return: id of the stack; 0: it has to be taken.
 */
static __always_inline u64 ktap_trail_find(const struct ktap_trail_use *use,
					   const struct pt_regs *regs)
{
	const ktap_trail_place at = ktap_trail_place_of(regs);
	u64 key = ktap_trail_key(use->probe, use->is_entry, &at);
	const struct ktap_trail *t;

	if (unlikely(!key))
		return 0;
	t = ktap_trail_at(use->trails, key);
	return likely(ktap_trail_follow(t, key, &at)) ? t->id : 0;
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
	struct ktap_trail *t;

	use->key = ktap_trail_key(use->probe, use->is_entry, &at);
	if (!use->key)
		return NULL;
	t = ktap_trail_at(use->trails, use->key);
	t->key = 0;
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
	t->key = use->key;
}

#endif /* KTAP_ARCH_TRAIL_H */
