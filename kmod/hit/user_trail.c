// SPDX-License-Identifier: GPL-2.0
/*
 * Trails of user stacks. A walk uses some registers, some words of the task's memory, some
 * mappings, and the tables of files; it uses nothing else, or says so. If all of that is as
 * it was, another walk would find the same stack. So what a trail leads to is no guess.
 *
 * The kernel counts the changes of an address space's mappings (KTAP_MM_SEQ), or a trail has
 * notes of the mappings (user_map.c); ktap counts the changes of the tables. The words are read
 * again, and compared. That takes some instructions for each, where a walk has to look up the
 * mapping and the rule for each frame.
 *
 * Trails belong to a CPU and to all sessions. Only a hit that interrupts no other one uses
 * them, while the CPU is marked busy. So no two hits use them at once.
 */
#include <linux/kprobes.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "hit/env.h"
#include "hit/nest.h"
#include "hit/stacks.h"
#include "hit/user_files.h"
#include "hit/user_map.h"
#include "hit/user_trail.h"

/* Return: false: no trail can be used now. */
static bool look_around(const struct ktap_user_files *f, u32 max, struct ktap_user_world *world)
{
	const struct mm_struct *mm = current->mm;

	*world = (struct ktap_user_world){
		.mm = mm, .mm_id = ktap_arch_mm_id(mm), .max = max,
		/* U: the number before the tables; pairs with count_change() */
		.changes = smp_load_acquire(&f->changes),
		.seq = ktap_mm_seq(mm),
	};
	/* odd: they are being changed */
	return world->mm_id && (!KTAP_MM_SEQ || !(world->seq & 1));
}
NOKPROBE_SYMBOL(look_around);

static bool same_world(const struct ktap_user_world *a, const struct ktap_user_world *b)
{
	return a->mm == b->mm && a->mm_id == b->mm_id && a->changes == b->changes &&
	       (!KTAP_MM_SEQ || a->seq == b->seq) && a->max == b->max;
}
NOKPROBE_SYMBOL(same_world);

static bool same_regs(const struct ktap_user_trail *t, const struct ktap_user_regs *regs)
{
	return t->regs.ip == regs->ip && t->regs.sp == regs->sp &&
	       (!t->read.fp || t->regs.fp == regs->fp) &&
	       (!t->read.lr || t->regs.lr == regs->lr);
}
NOKPROBE_SYMBOL(same_regs);

static bool same_maps(const struct mm_struct *mm, const struct ktap_user_read *read)
{
	u32 i;

	for (i = 0; i < read->nr_notes; i++)
		if (!ktap_user_map_same(mm, &read->notes[i]))
			return false;
	return true;
}
NOKPROBE_SYMBOL(same_maps);

/* A walk has read the words, so they are addresses of user memory. */
static bool same_words(const struct ktap_user_read *read)
{
	/* by a pointer: a check of an index could call UBSan while user memory is open */
	const typeof(read->words[0]) *word = read->words, *end = word + read->nr;
	const char __user *first = (const char __user *)word->at;
	bool same = false;
	u64 value;

	if (word == end)
		return true;
	pagefault_disable();
	if (likely(ktap_user_read_begin(&first, sizeof(value)))) {
		for (; word < end; word++) {
			unsafe_get_user(value, (const u64 __user *)word->at, out);
			if (value != word->value)
				break;
		}
		same = word == end;
out:
		user_read_access_end();
	}
	pagefault_enable();
	return same;
}
NOKPROBE_SYMBOL(same_words);

/**
 * ktap_user_trail_copy() - copy a stack
 * @to: space for it
 * @from: stack
 *
 * Context: any, NMI included.
 */
void ktap_user_trail_copy(struct ktap_stack *to, const struct ktap_stack *from)
{
	u32 i;

	*to = *from;
	for (i = 0; i < from->nr; i++)
		to->frames[i] = from->frames[i];
}
NOKPROBE_SYMBOL(ktap_user_trail_copy);

/**
 * ktap_user_trail_begin() - the trail of a hit, or where one can be left
 * @f: index of files
 * @regs: registers of user code
 * @max: frames at most
 * @world: filled, before the walk begins
 *
 * Context: any, NMI included; preemption disabled.
 * Return: trail, which may be another stack's; NULL: this hit uses none.
 */
struct ktap_user_trail *ktap_user_trail_begin(const struct ktap_user_files *f,
					      const struct ktap_user_regs *regs, u32 max,
					      struct ktap_user_world *world)
{
	u64 hash = (regs->ip ^ regs->sp << 8 ^ max) * 0x9e3779b97f4a7c15ULL;

	/* a hit that may wait does not mark the CPU busy */
	if (!f || !f->trails || this_cpu_read(ktap_busy) >> KTAP_NEST_SHIFT != 1 ||
	    !look_around(f, max, world))
		return NULL;
	return &this_cpu_ptr(f->trails)->way[hash >> (64 - KTAP_USER_TRAIL_BITS)];
}
NOKPROBE_SYMBOL(ktap_user_trail_begin);

/**
 * ktap_user_trail_leads() - does a hit have the stack of a trail?
 * @t: trail; if not, it leads nowhere from now on, and is for the walk that must follow
 * @world: of the hit
 * @regs: registers of user code
 *
 * Context: any, NMI included; preemption disabled. This CPU can read the memory of the task.
 * Return: whether it has.
 */
bool ktap_user_trail_leads(struct ktap_user_trail *t, const struct ktap_user_world *world,
			   const struct ktap_user_regs *regs)
{
	if (same_world(&t->world, world) && same_regs(t, regs) && same_words(&t->read) &&
	    same_maps(world->mm, &t->read))
		return true;
	t->world.mm = NULL;
	return false;
}
NOKPROBE_SYMBOL(ktap_user_trail_leads);

/**
 * ktap_user_trail_end() - keep what a walk has found
 * @t: trail, in whose @read the walk has said what it used
 * @world: from before the walk
 * @regs: registers with which it began
 * @s: stack that it found; gets its id
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_user_trail_end(struct ktap_user_trail *t, const struct ktap_user_world *world,
			 const struct ktap_user_regs *regs, struct ktap_stack *s)
{
	s->id = ktap_stack_id(s);
	if (t->read.open || s->nr > KTAP_USER_TRAIL_FRAMES)
		return;
	t->regs = *regs;
	ktap_user_trail_copy(&t->stack, s);
	t->kept_in = 0;
	t->world = *world;
}
NOKPROBE_SYMBOL(ktap_user_trail_end);
