// SPDX-License-Identifier: GPL-2.0
/*
 * The table of stacks of a session: allocated when its first program with stacks is
 * attached, freed with the session.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "arch/trail.h"
#include "arch/unwind.h"
#include "core/budget.h"
#include "core/stack_table.h"
#include "frame/returns.h"

static uint stack_kb = 4096;
module_param(stack_kb, uint, 0644);
MODULE_PARM_DESC(stack_kb, "KiB of a session's table of stacks, 64 at least, if it takes any");

static atomic64_t serial;

/**
 * ktap_stack_table_create() - allocate a table
 *
 * Context: process; may sleep.
 * Return: the table, or ERR_PTR: -ENOMEM, or -ENOSPC for the limit of memory.
 */
struct ktap_stack_table *ktap_stack_table_create(void)
{
	u64 bytes = (u64)READ_ONCE(stack_kb) << 10;
	struct ktap_stack_table *t;
	int err;

	bytes = PAGE_ALIGN(clamp_t(u64, bytes, KTAP_STACKS_MIN,
				   KTAP_STACKS_MAX));
	t = kzalloc(sizeof(*t), KTAP_GFP);
	if (!t)
		return ERR_PTR(-ENOMEM);
	err = ktap_budget_take(KTAP_MEM_RINGS, bytes, 0, NULL);
	if (err)
		goto err_free;
	t->bytes = bytes;
	err = ktap_pages_alloc(&t->pages, bytes >> PAGE_SHIFT,
			       raw_smp_processor_id());
	if (!err)
		t->mem = vmap(t->pages.page, t->pages.nr, VM_MAP, PAGE_KERNEL);
	if (!t->mem) {
		err = -ENOMEM;
		goto err_free;
	}
	ktap_stacks_init(&t->stacks, t->mem, bytes, atomic64_inc_return(&serial));
	ktap_arch_unwind_prepare();
	ktap_returns_hold();
	/* without them a hit costs more, and nothing else changes */
	if (KTAP_ARCH_HAS_TRAILS)
		t->trails = ktap_alloc_percpu(struct ktap_trails, NULL);
	return t;

err_free:
	ktap_stack_table_free(t);
	return ERR_PTR(err);
}

/**
 * ktap_stack_table_free() - free a table
 * @t: table that no hit uses, or NULL
 *
 * Context: process.
 */
void ktap_stack_table_free(struct ktap_stack_table *t)
{
	if (!t)
		return;
	ktap_free_percpu(t->trails);
	if (t->mem)
		ktap_returns_drop();
	vunmap(t->mem);
	ktap_pages_free(&t->pages);
	ktap_budget_give(KTAP_MEM_RINGS, t->bytes);
	kfree(t);
}

/**
 * ktap_stack_reader_init() - begin to read a table
 * @r: filled; @read is to be freed with kvfree()
 * @t: table
 *
 * Context: process; may sleep.
 * Return: 0 or -ENOMEM.
 */
int ktap_stack_reader_init(struct ktap_stack_reader *r,
			   const struct ktap_stack_table *t)
{
	r->first = 0;
	r->read = kvcalloc(BITS_TO_LONGS(t->stacks.head->order_max),
			   sizeof(*r->read), GFP_KERNEL_ACCOUNT);
	return r->read ? 0 : -ENOMEM;
}

/**
 * ktap_stack_table_used() - count the stacks of a table
 * @t: table
 *
 * Context: any.
 * Return: number; those that are being written are included.
 */
u32 ktap_stack_table_used(const struct ktap_stack_table *t)
{
	return smp_load_acquire(&t->stacks.head->used); /* K */
}

/**
 * ktap_stack_reader_next() - copy stacks that were not read
 * @r: reader
 * @t: table
 * @nr: only of the first @nr stacks: what ktap_stack_table_used() returned
 * @to: buffer
 * @room: its bytes
 *
 * A stack that is not complete is read by a later call: no complete record has its id.
 *
 * Context: process.
 * Return: bytes; 0: no stack is new, if @room is enough for any stack.
 */
size_t ktap_stack_reader_next(struct ktap_stack_reader *r,
			      const struct ktap_stack_table *t, u32 nr,
			      void *to, size_t room)
{
	const struct ktap_stacks *s = &t->stacks;
	size_t done = 0;
	u32 i;

	for (i = r->first; i < nr; i++) {
		/* K: its place before the stack; pairs with fill() */
		u32 at = smp_load_acquire(&s->order[i]);
		const struct ktap_stack *from = (void *)((u64 *)s->head + at);
		size_t size;

		if (at && !test_bit(i, r->read)) {
			size = sizeof(*from) + from->nr * sizeof(u64);
			if (size > room - done)
				break;
			memcpy(to + done, from, size);
			done += size;
			__set_bit(i, r->read);
		}
		if (i == r->first && test_bit(i, r->read))
			r->first++;
	}
	return done;
}

/**
 * ktap_stack_table_mmap() - map a table into user space, read-only
 * @t: table, or NULL
 * @vma: mapping
 * @page: first page
 *
 * Context: process, mmap lock held.
 * Return: 0, -ENXIO if there is no table, or the error of ktap_pages_map().
 */
int ktap_stack_table_mmap(const struct ktap_stack_table *t,
			  struct vm_area_struct *vma, unsigned long page)
{
	return t ? ktap_pages_map(&t->pages, vma, page, false) : -ENXIO;
}
