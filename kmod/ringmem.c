// SPDX-License-Identifier: GPL-2.0
/*
 * Ring memory: pages near the CPU that writes them, mapped as one area so that
 * a record is contiguous; bounded in total by a module parameter.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "ringmem.h"
#include "scratch.h"

/* The consumer's page and the producer's page come before the data. */
#define HEAD_PAGES 2

static ulong ring_total_max;
module_param(ring_total_max, ulong, 0644);
MODULE_PARM_DESC(ring_total_max, "bytes that all rings together may take (0: a quarter of the memory)");

static atomic64_t total = ATOMIC64_INIT(0);

/* ktap_ringmem_total() - bytes in use. Context: any. */
u64 ktap_ringmem_total(void)
{
	return atomic64_read(&total);
}

/* ktap_ringmem_total_max() - bytes allowed. Context: any. */
u64 ktap_ringmem_total_max(void)
{
	ulong max = READ_ONCE(ring_total_max);

	return max ?: (u64)(totalram_pages() / 4) << PAGE_SHIFT;
}

static bool charge(u64 bytes)
{
	if (atomic64_add_return(bytes, &total) <= ktap_ringmem_total_max())
		return true;
	atomic64_sub(bytes, &total);
	return false;
}

static void wake_readers(struct irq_work *work)
{
	struct ktap_ringmem *m = container_of(work, struct ktap_ringmem, wake);

	wake_up_all(&m->waiter->queue);
}

/**
 * ktap_ring_wake() - a watermark was crossed
 * @r: ring
 *
 * The flag is read without a barrier: a reader that goes to sleep at this very
 * moment may be missed, and finds the records when its poll times out or the
 * next watermark is crossed.
 *
 * Context: any, NMI included.
 */
void ktap_ring_wake(struct ktap_ring *r)
{
	struct ktap_ringmem *m = container_of(r, struct ktap_ringmem, ring);
	unsigned int busy;

	if (!READ_ONCE(m->waiter->waiting))
		return;
	WRITE_ONCE(m->waiter->waiting, false);
	busy = ktap_busy_enter();
	irq_work_queue(&m->wake);
	ktap_busy_leave(busy);
}
NOKPROBE_SYMBOL(ktap_ring_wake);

static int alloc_pages_of(struct ktap_ringmem *m, unsigned int cpu)
{
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN;
	unsigned int i;

	m->pages = kvcalloc(m->nr_pages, sizeof(*m->pages), GFP_KERNEL_ACCOUNT);
	if (!m->pages)
		return -ENOMEM;
	for (i = 0; i < m->nr_pages; i++) {
		m->pages[i] = alloc_pages_node(cpu_to_node(cpu), gfp, 0);
		if (!m->pages[i])
			return -ENOMEM;
	}
	return 0;
}

static int map_kernel(struct ktap_ringmem *m, unsigned int cpu,
		      const struct ktap_ringmem_args *args)
{
	struct ktap_ring_producer *prod;

	prod = vmap(m->pages + 1, m->nr_pages - 1, VM_MAP, PAGE_KERNEL);
	if (!prod)
		return -ENOMEM;
	m->cons = page_address(m->pages[0]);
	m->ring.data = (u8 *)prod + PAGE_SIZE;
	prod->data_offset = PAGE_SIZE;
	ktap_ring_init(&m->ring, prod, m->cons, cpu, args->size,
		       args->subbuf_size, args->watermark, args->overwrite);
	return 0;
}

/**
 * ktap_ringmem_create() - make a ring
 * @cpu: whose
 * @args: its geometry
 *
 * Context: process; may sleep.
 * Return: the ring, or ERR_PTR: -ENOMEM, -ENOSPC when all rings together would
 * take more than the module allows.
 */
struct ktap_ringmem *ktap_ringmem_create(unsigned int cpu,
					 const struct ktap_ringmem_args *args)
{
	struct ktap_ringmem *m;
	int err;

	m = kzalloc_node(sizeof(*m), GFP_KERNEL_ACCOUNT, cpu_to_node(cpu));
	if (!m)
		return ERR_PTR(-ENOMEM);
	m->waiter = args->waiter;
	m->nr_pages = HEAD_PAGES + (args->size >> PAGE_SHIFT);
	init_irq_work(&m->wake, wake_readers);
	if (!charge((u64)m->nr_pages << PAGE_SHIFT)) {
		kfree(m);
		return ERR_PTR(-ENOSPC);
	}
	m->bytes = (u64)m->nr_pages << PAGE_SHIFT;
	err = alloc_pages_of(m, cpu);
	if (!err)
		err = map_kernel(m, cpu, args);
	if (err) {
		ktap_ringmem_destroy(m);
		return ERR_PTR(err);
	}
	return m;
}

/* ktap_ringmem_destroy() - Context: process; no writer, no mapping any more. */
void ktap_ringmem_destroy(struct ktap_ringmem *m)
{
	unsigned int i;

	if (!m)
		return;
	irq_work_sync(&m->wake);
	vunmap(m->ring.prod);
	for (i = 0; m->pages && i < m->nr_pages && m->pages[i]; i++)
		__free_page(m->pages[i]);
	kvfree(m->pages);
	atomic64_sub(m->bytes, &total);
	kfree(m);
}

/**
 * ktap_ringmem_map() - show a ring to user space
 * @m: ring
 * @vma: where
 * @page: first page: 0 is the consumer's, which alone may be writable
 *
 * Context: process, mmap lock held.
 * Return: 0, -EPERM for a writable mapping of what is the kernel's, -EINVAL.
 */
int ktap_ringmem_map(struct ktap_ringmem *m, struct vm_area_struct *vma,
		     unsigned long page)
{
	unsigned long nr = vma_pages(vma);

	/* not VM_SHARED: that goes where the file cannot be written */
	if (!(vma->vm_flags & VM_MAYSHARE) || (vma->vm_flags & VM_EXEC))
		return -EINVAL;
	if (page >= m->nr_pages || nr > m->nr_pages - page ||
	    (page == 0 && nr != 1))
		return -EINVAL;
	if (page != 0 && (vma->vm_flags & VM_WRITE))
		return -EPERM;
	ktap_vma_deny(vma, page ? VM_MAYEXEC | VM_MAYWRITE : VM_MAYEXEC);
	return vm_insert_pages(vma, vma->vm_start, m->pages + page, &nr);
}

/* ktap_ringmem_ready() - unread bytes that poll reports. Context: any. */
bool ktap_ringmem_ready(const struct ktap_ringmem *m)
{
	u64 unread = READ_ONCE(m->ring.prod->head) - READ_ONCE(m->cons->tail);

	return unread > m->ring.watermark;
}
