// SPDX-License-Identifier: GPL-2.0
/*
 * The table of stacks of a session: allocated when its first program with stacks is
 * attached, freed with the session.
 */
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "core/budget.h"
#include "core/stack_table.h"

static uint stack_kb = 4096;
module_param(stack_kb, uint, 0644);
MODULE_PARM_DESC(stack_kb, "KiB of a session's table of stacks, 64 at least, if it takes any");

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
	ktap_stacks_init(&t->stacks, t->mem, bytes);
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
	vunmap(t->mem);
	ktap_pages_free(&t->pages);
	ktap_budget_give(KTAP_MEM_RINGS, t->bytes);
	kfree(t);
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
