// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of a ring: pages of the CPU's node, mapped as one area so that a record is
 * contiguous.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "core/budget.h"
#include "hit/ringmem.h"
#include "hit/nest.h"

/* The consumer page and the producer page precede the data. */
#define HEAD_PAGES 2

/**
 * ktap_ringmem_bytes() - charge of a ring to the budget
 * @args: geometry
 *
 * Context: any.
 * Return: bytes.
 */
u64 ktap_ringmem_bytes(const struct ktap_ringmem_args *args)
{
	return args->size + HEAD_PAGES * PAGE_SIZE;
}

static void wake_readers(struct irq_work *work)
{
	struct ktap_ringmem *m = container_of(work, struct ktap_ringmem, wake);

	wake_up_all(&m->waiter->queue);
}

/**
 * ktap_ring_wake() - wake the reader, because a watermark was crossed
 * @r: ring
 *
 * A reader that goes to sleep concurrently either finds what was published, or its flag
 * is found here. The barrier is executed once per watermark, or when a record is lost, so
 * its cost does not matter.
 *
 * Context: any, NMI included.
 */
void ktap_ring_wake(struct ktap_ring *r)
{
	struct ktap_ringmem *m = container_of(r, struct ktap_ringmem, ring);
	unsigned int busy;

	smp_mb(); /* E: head before the flag; pairs with ktap_waiter_begin() */
	if (!READ_ONCE(m->waiter->waiting))
		return;
	WRITE_ONCE(m->waiter->waiting, false);
	busy = ktap_busy_enter();
	irq_work_queue(&m->wake);
	ktap_busy_leave(busy);
}
NOKPROBE_SYMBOL(ktap_ring_wake);

static int map_kernel(struct ktap_ringmem *m, unsigned int cpu,
		      const struct ktap_ringmem_args *args)
{
	struct ktap_ring_producer *prod;

	prod = vmap(m->pages.page + 1, m->pages.nr - 1, VM_MAP, PAGE_KERNEL);
	if (!prod)
		return -ENOMEM;
	m->cons = page_address(m->pages.page[0]);
	m->ring.data = (u8 *)prod + PAGE_SIZE;
	prod->data_offset = PAGE_SIZE;
	ktap_ring_init(&m->ring, prod, m->cons, cpu, args->size,
		       args->subbuf_size, args->watermark, args->overwrite);
	return 0;
}

/**
 * ktap_ringmem_create() - allocate a ring
 * @cpu: CPU
 * @args: geometry
 *
 * The caller has charged ktap_ringmem_bytes() for all rings of the session at once, since
 * a session without its last ring is of little value. ktap_ringmem_destroy() uncharges
 * them; on failure they stay charged to the caller.
 *
 * Context: process; may sleep.
 * Return: the ring, or ERR_PTR(-ENOMEM).
 */
struct ktap_ringmem *ktap_ringmem_create(unsigned int cpu,
					 const struct ktap_ringmem_args *args)
{
	struct ktap_ringmem *m;
	int err;

	m = kzalloc_node(sizeof(*m), KTAP_GFP, cpu_to_node(cpu));
	if (!m)
		return ERR_PTR(-ENOMEM);
	m->waiter = args->waiter;
	init_irq_work(&m->wake, wake_readers);
	err = ktap_pages_alloc(&m->pages,
			       HEAD_PAGES + (args->size >> PAGE_SHIFT), cpu);
	if (!err)
		err = map_kernel(m, cpu, args);
	if (err) {
		ktap_ringmem_destroy(m);
		return ERR_PTR(err);
	}
	m->bytes = ktap_ringmem_bytes(args);
	return m;
}

/**
 * ktap_ringmem_destroy() - free a ring
 * @m: ring without writers and mappings
 *
 * Context: process.
 */
void ktap_ringmem_destroy(struct ktap_ringmem *m)
{
	if (!m)
		return;
	irq_work_sync(&m->wake);
	vunmap(m->ring.prod);
	ktap_pages_free(&m->pages);
	ktap_budget_give(KTAP_MEM_RINGS, m->bytes);
	kfree(m);
}

/**
 * ktap_ringmem_map() - map a ring into user space
 * @m: ring
 * @vma: mapping
 * @page: first page: 0 is the consumer page, the only one that may be writable
 *
 * Context: process, mmap lock held.
 * Return: 0, -EPERM for a writable mapping of other pages, or -EINVAL.
 */
int ktap_ringmem_map(struct ktap_ringmem *m, struct vm_area_struct *vma,
		     unsigned long page)
{
	if (page == 0 && vma_pages(vma) != 1)
		return -EINVAL;
	return ktap_pages_map(&m->pages, vma, page, page == 0);
}

/**
 * ktap_ringmem_ready() - are there unread bytes that poll reports?
 * @m: ring
 *
 * Context: any.
 * Return: whether there are.
 */
bool ktap_ringmem_ready(const struct ktap_ringmem *m)
{
	u64 unread = READ_ONCE(m->ring.prod->head) - READ_ONCE(m->cons->tail);

	return unread > m->ring.watermark;
}
