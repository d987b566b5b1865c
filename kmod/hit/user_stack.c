// SPDX-License-Identifier: GPL-2.0
/*
 * The user stack of the current task: its registers, its mappings, and the return addresses
 * that uretprobes have replaced.
 *
 * A hit must not take the lock of an address space: even a trylock would have to wake who
 * waits for it at the unlock. So mappings are looked up under RCU; a walk cannot be preempted,
 * which makes it a reader. Members of a mapping are read by copies that may fault, because
 * until 6.4 its memory may be reused at any time. If the look-up finds the same mapping with
 * the same contents again, it existed all the time between, and so did its file and the
 * inode, whose memory RCU keeps.
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
#include "hit/stacks.h"
#include "hit/user_stack.h"
#include "hit/user_trail.h"
#include "hit/user_tree.h"
#include "hit/user_walk.h"

#define TRIES		3	/* look-ups of one mapping, which another task may change */
#define RETURNS_MAX	64	/* uretprobes that may be pending: MAX_URETPROBE_DEPTH */

struct ktap_user_files *ktap_user_files;

/**
 * struct mapping - what a mapping says of itself
 * @start: its first address
 * @end: address after the last one
 * @pgoff: what @start is in the file, in pages
 * @flags: VM_*
 * @file: struct file; 0: none
 */
struct mapping {
	u64 start;
	u64 end;
	u64 pgoff;
	u64 flags;
	u64 file;
};

/* ---- reading ------------------------------------------------------------------ */

/* Reads @size bytes, 4 or 8, of the kernel's memory. */
static bool peek(u64 at, u32 size, u64 *ret)
{
	return at >= PAGE_OFFSET && at <= KTAP_ARCH_KERNEL_END - sizeof(*ret) &&
	       !env_kernel_value(ret, at, size);
}
NOKPROBE_SYMBOL(peek);

#define PEEK(type, object, member, ret)					\
	peek((u64)(object) + offsetof(type, member),			\
	     sizeof_field(type, member), ret)

static bool read_mapping(u64 vma, struct mapping *m)
{
	return PEEK(struct vm_area_struct, vma, vm_start, &m->start) &&
	       PEEK(struct vm_area_struct, vma, vm_end, &m->end) &&
	       PEEK(struct vm_area_struct, vma, vm_pgoff, &m->pgoff) &&
	       PEEK(struct vm_area_struct, vma, vm_flags, &m->flags) &&
	       PEEK(struct vm_area_struct, vma, vm_file, &m->file);
}
NOKPROBE_SYMBOL(read_mapping);

static bool read_file(const struct mapping *m, struct ktap_user_id *id)
{
	u64 inode, sb, dev, generation;

	if (!PEEK(struct file, m->file, f_inode, &inode) ||
	    !PEEK(struct inode, inode, i_sb, &sb) ||
	    !PEEK(struct inode, inode, i_ino, &id->inode) ||
	    !PEEK(struct inode, inode, i_generation, &generation) ||
	    !PEEK(struct super_block, sb, s_dev, &dev))
		return false;
	id->dev = dev;
	id->generation = generation;
	return true;
}
NOKPROBE_SYMBOL(read_file);

/* ---- mappings ----------------------------------------------------------------- */

static bool same(const struct mapping *a, const struct mapping *b)
{
	return a->start == b->start && a->end == b->end && a->pgoff == b->pgoff &&
	       a->flags == b->flags && a->file == b->file;
}
NOKPROBE_SYMBOL(same);

/* Return: 1; 0: nothing is there; -EAGAIN: it has changed meanwhile. */
static int look(struct mm_struct *mm, u64 at, struct mapping *m, struct ktap_user_id *id)
{
	struct mapping again;
	u64 vma, now;

	if (!KTAP_VMA_LOOKUP || !ktap_user_vma(ktap_vma_tree(mm), at, &vma))
		return -EAGAIN;
	if (!vma)
		return 0;
	if (!read_mapping(vma, m) || (m->file && !read_file(m, id)) ||
	    !ktap_user_vma(ktap_vma_tree(mm), at, &now) || now != vma ||
	    !read_mapping(vma, &again) || !same(m, &again))
		return -EAGAIN;
	return at >= m->start && at < m->end;
}
NOKPROBE_SYMBOL(look);

static void number(struct ktap_user_map *map, const struct ktap_user_id *id, u64 at)
{
	struct ktap_user_files *f = READ_ONCE(ktap_user_files);

	map->file = f ? ktap_user_files_find(f, id, current->tgid, at) : 0;
	if (map->file)
		/* P: address dependency; pairs with publish() */
		map->table = READ_ONCE(f->slots[map->file].table);
}
NOKPROBE_SYMBOL(number);

/**
 * env_user_map() - what is mapped at an address of the current task
 * @at: address
 * @map: filled
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 * Return: false: nothing is, or another task goes on changing it.
 */
bool env_user_map(u64 at, struct ktap_user_map *map)
{
	struct mm_struct *mm = current->mm;
	struct ktap_user_id id;
	int tries, found = -EAGAIN;
	struct mapping m;

	for (tries = 0; tries < TRIES && found == -EAGAIN; tries++)
		found = look(mm, at, &m, &id);
	if (found != 1)
		return false;
	*map = (struct ktap_user_map){
		.start = m.start, .end = m.end, .offset = m.pgoff << PAGE_SHIFT,
		.has_file = m.file, .is_code = m.flags & VM_EXEC,
	};
	if (m.file) {
		number(map, &id, at);
	} else {
		map->offset = 0;
		map->file = m.start == ktap_arch_vdso(mm) ? KTAP_USER_VDSO : 0;
	}
	return true;
}
NOKPROBE_SYMBOL(env_user_map);

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
#ifdef CONFIG_UPROBES
	u64 ri, at, task = (u64)READ_ONCE(current->utask);
	int i;

	if (!task || !PEEK(struct uprobe_task, task, return_instances, &ri))
		return false;
	for (i = 0; ri && i < RETURNS_MAX; i++) {
		if (!PEEK(struct return_instance, ri, stack, &at))
			return false;
		if (at == sp)
			return PEEK(struct return_instance, ri, orig_ret_vaddr, ip);
		if (!PEEK(struct return_instance, ri, next, &ri))
			return false;
	}
#endif
	return false;
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
	struct ktap_user_world world;
	struct ktap_user_regs regs;
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
