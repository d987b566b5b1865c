// SPDX-License-Identifier: GPL-2.0
/*
 * The user stack of the current task: its registers, and the return addresses that uretprobes
 * have replaced. Its mappings are in user_map.c.
 */
#include <linux/build_bug.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/mm_types.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uprobes.h>

#include "compat.h"
#include "hit/peek.h"
#include "hit/stacks.h"
#include "hit/user_stack.h"
#include "hit/user_trail.h"
#include "hit/user_walk.h"

#define RETURNS_MAX	64	/* uretprobes that may be pending: MAX_URETPROBE_DEPTH */

struct ktap_user_files *ktap_user_files;

/* ---- uretprobes ----------------------------------------------------------------- */

/**
 * env_user_return() - the return address that a uretprobe has replaced
 * @sp: stack pointer at the entry of the function that returns there
 * @ip: set to the address
 *
 * The task itself changes the list; a hit that interrupts it sees it before the change or
 * after it. While the handlers of a return run, its own entries may be freed already: what
 * is read of them then has another stack pointer, or is the address after all.
 *
 * Context: any, NMI included; preemption disabled.
 * Return: whether there is one.
 */
bool env_user_return(u64 sp, u64 *ip)
{
	bool found = false;
#ifdef CONFIG_UPROBES
	u64 ri, at, task = (u64)READ_ONCE(current->utask);
	int i;

	if (!task)
		return false;
	pagefault_disable();
	KTAP_PEEK(struct uprobe_task, task, return_instances, &ri, out);
	for (i = 0; i < RETURNS_MAX && ktap_peek_ok(struct return_instance, ri); i++) {
		KTAP_PEEK(struct return_instance, ri, stack, &at, out);
		if (at == sp) {
			KTAP_PEEK(struct return_instance, ri, orig_ret_vaddr, ip, out);
			found = true;
			break;
		}
		KTAP_PEEK(struct return_instance, ri, next, &ri, out);
	}
out:
	pagefault_enable();
#endif
	return found;
}
NOKPROBE_SYMBOL(env_user_return);

/* ---- the walk -------------------------------------------------------------------- */

/**
 * env_has_ustack() - can user stacks be taken on this kernel?
 *
 * Context: process.
 * Return: whether hits can look up mappings.
 */
bool env_has_ustack(void)
{
	return KTAP_VMA_LOOKUP && current->mm && ktap_vma_is_rcu(current->mm);
}

/* Follows a trail, or walks and leaves one. */
static void follow(const struct ktap_user_regs *regs, struct ktap_stack *s, u32 max)
{
	struct ktap_user_world world;
	struct ktap_user_trail *t = ktap_user_trail_begin(READ_ONCE(ktap_user_files), regs,
							  max, &world);

	if (t && ktap_user_trail_leads(t, &world, regs)) {
		ktap_user_trail_copy(s, &t->stack);
		return;
	}
	ktap_user_walk(regs, s, max, t ? &t->read : NULL);
	if (t)
		ktap_user_trail_end(t, &world, regs, s);
}
NOKPROBE_SYMBOL(follow);

/*
 * A task's registers in user code are where it has entered the kernel, by whatever way. Return:
 * KTAP_STACK_DEPTH: @regs is filled, and the stack can be walked; else why it has no frames.
 */
static __always_inline enum ktap_stack_end begin(struct ktap_user_regs *user)
{
	struct pt_regs *regs = task_pt_regs(current);

	/* kernel threads, and what io_uring makes, have never been in user code */
	if (unlikely(current->flags & PF_KTHREAD || !user_mode(regs)))
		return KTAP_STACK_COMPLETE;
	/* a task that ends has no memory any more */
	if (unlikely(!current->mm))
		return KTAP_STACK_FAULT;
	if (unlikely(!ktap_arch_user_is_native(regs)))
		return KTAP_STACK_NO_TABLE;
	if (unlikely(!ktap_vma_is_rcu(current->mm) || !ktap_arch_user_here() ||
		     (!ktap_arch_user_settled() && !ktap_arch_user_loaded())))
		return KTAP_STACK_FAULT;
	*user = ktap_arch_user_regs(regs);
	return KTAP_STACK_DEPTH;
}

static void take(struct ktap_stack *s, u32 max)
{
	struct ktap_user_regs regs;

	s->flags = KTAP_STACK_F_USER;
	s->end = begin(&regs);
	if (likely(s->end == KTAP_STACK_DEPTH))
		follow(&regs, s, max);
}
NOKPROBE_SYMBOL(take);

/**
 * ktap_ustack_find() - find the user stack of the current task by a trail
 * @table: table of stacks
 * @max: frames at most
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 * Return: id of the stack, which is in @table; 0: it has to be taken.
 */
u64 ktap_ustack_find(const struct ktap_stacks *table, u32 max)
{
	struct ktap_user_world world __uninitialized;
	struct ktap_user_regs regs __uninitialized;
	struct ktap_user_trail *t;

	if (!KTAP_HAS_USER_TRAILS || begin(&regs) != KTAP_STACK_DEPTH)
		return 0;
	t = ktap_user_trail_begin(READ_ONCE(ktap_user_files), &regs, max, &world);
	if (unlikely(!t || !ktap_user_trail_leads(t, &world, &regs)))
		return 0;
	return likely(t->kept_in == table->serial) ? t->stack.id : 0;
}
NOKPROBE_SYMBOL(ktap_ustack_find);

/**
 * ktap_ustack_kept() - say that a stack is in a table
 * @table: table of stacks
 * @max: frames at most
 * @id: stack that env_ustack() has found in this hit
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 */
void ktap_ustack_kept(const struct ktap_stacks *table, u32 max, u64 id)
{
	struct ktap_user_world world;
	struct ktap_user_regs regs;
	struct ktap_user_trail *t;

	if (!KTAP_HAS_USER_TRAILS || begin(&regs) != KTAP_STACK_DEPTH)
		return;
	t = ktap_user_trail_begin(READ_ONCE(ktap_user_files), &regs, max, &world);
	/* one that leads nowhere may have the same id in its remains */
	if (t && t->world.mm && t->stack.id == id)
		t->kept_in = table->serial;
}
NOKPROBE_SYMBOL(ktap_ustack_kept);

/**
 * env_ustack() - take the user stack of the current task
 * @s: cleared; filled. Its id may stay 0. Empty in a task that has no user stack
 * @max: frames at most
 *
 * Context: any, NMI included, or process of a hit that may wait; CPU marked busy unless it
 * may wait.
 */
void env_ustack(struct ktap_stack *s, u32 max)
{
	preempt_disable_notrace();
	take(s, max);
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(env_ustack);
