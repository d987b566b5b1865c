// SPDX-License-Identifier: GPL-2.0
/* Pages that hits write and user space maps. */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "compat.h"
#include "core/budget.h"
#include "hit/pages.h"

/**
 * ktap_pages_alloc() - allocate pages
 * @p: filled; zeroed by the caller. After a failure ktap_pages_free() is still needed
 * @nr: number of pages
 * @cpu: CPU that will write them
 *
 * Context: process; may sleep.
 * Return: 0 or -ENOMEM.
 */
int ktap_pages_alloc(struct ktap_pages *p, unsigned int nr, unsigned int cpu)
{
	gfp_t gfp = KTAP_GFP | __GFP_ZERO;
	unsigned int i;

	p->page = kvcalloc(nr, sizeof(*p->page), KTAP_GFP);
	if (!p->page)
		return -ENOMEM;
	p->nr = nr;
	for (i = 0; i < nr; i++) {
		p->page[i] = alloc_pages_node(cpu_to_node(cpu), gfp, 0);
		if (!p->page[i])
			return -ENOMEM;
	}
	return 0;
}

/**
 * ktap_pages_free() - free pages
 * @p: pages without mappings in the kernel
 *
 * Context: process.
 */
void ktap_pages_free(struct ktap_pages *p)
{
	unsigned int i;

	for (i = 0; p->page && i < p->nr && p->page[i]; i++)
		__free_page(p->page[i]);
	kvfree(p->page);
}

/**
 * ktap_pages_map() - map pages into user space
 * @p: pages
 * @vma: mapping
 * @first: first page
 * @writable: the mapping may be writable
 *
 * Context: process, mmap lock held.
 * Return: 0, -EPERM for a writable mapping of other pages, or -EINVAL.
 */
int ktap_pages_map(const struct ktap_pages *p, struct vm_area_struct *vma,
		   unsigned long first, bool writable)
{
	unsigned long nr = vma_pages(vma);

	/* not VM_SHARED, which is cleared for a file opened read-only */
	if (!(vma->vm_flags & VM_MAYSHARE) || (vma->vm_flags & VM_EXEC))
		return -EINVAL;
	if (first >= p->nr || nr > p->nr - first)
		return -EINVAL;
	if (!writable && (vma->vm_flags & VM_WRITE))
		return -EPERM;
	ktap_vma_deny(vma, writable ? VM_MAYEXEC : VM_MAYEXEC | VM_MAYWRITE);
	return vm_insert_pages(vma, vma->vm_start, p->page + first, &nr);
}
