// SPDX-License-Identifier: GPL-2.0
/*
 * Budget for memory: limits per kind, a limit for all kinds, and a check of the available
 * memory.
 *
 * si_mem_available() is an estimate. It includes half of the page cache, which other
 * tasks use, and half of the reclaimable slabs, much of which can be in use. Other tasks
 * also go on allocating. So a request may take at most half of the memory above a
 * reserve, and no request may touch the reserve.
 *
 * The reserve is 1/32 of the memory, at least 4 MiB and at most 64 MiB, on top of the
 * kernel's watermarks (which the estimate leaves out). It bounds what many small requests
 * leave to other tasks. With 1/128, many requests of 0.5 MiB left a guest of 640 MiB so
 * little that a page fault invoked the OOM killer. Two concurrent requests may both count
 * the same memory as available; the allocator then fails one of them (KTAP_GFP).
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "compat.h"
#include "core/budget.h"

static ulong memory_max;
module_param(memory_max, ulong, 0644);
MODULE_PARM_DESC(memory_max, "bytes that all of ktap may take (0: a quarter of the memory, or the largest of the other limits that are set, if that is more)");

static ulong ring_total_max;
module_param(ring_total_max, ulong, 0644);
MODULE_PARM_DESC(ring_total_max, "bytes that all rings together may take (0: a quarter of the memory)");

static ulong blob_total_max = 64UL << 20;
module_param(blob_total_max, ulong, 0644);
MODULE_PARM_DESC(blob_total_max, "bytes of metadata that all probes together may keep");

static ulong return_total_max;
module_param(return_total_max, ulong, 0644);
MODULE_PARM_DESC(return_total_max, "bytes that the instances of all return probes, and the frames of probes inside functions, together may take (0: a sixteenth of the memory)");

static atomic64_t used[KTAP_NR_MEM];
static atomic64_t total = ATOMIC64_INIT(0);

static u64 part_of_memory(unsigned int part)
{
	return (u64)(totalram_pages() / part) << PAGE_SHIFT;
}

/**
 * ktap_budget_used() - bytes that a kind has charged
 * @kind: kind
 *
 * Context: any.
 * Return: bytes.
 */
u64 ktap_budget_used(enum ktap_mem kind)
{
	return atomic64_read(&used[kind]);
}

/**
 * ktap_budget_max() - limit of a kind
 * @kind: kind
 *
 * Context: any.
 * Return: bytes; U64_MAX if the kind has no limit of its own.
 */
u64 ktap_budget_max(enum ktap_mem kind)
{
	switch (kind) {
	case KTAP_MEM_RINGS:
		return READ_ONCE(ring_total_max) ?: part_of_memory(4);
	case KTAP_MEM_BLOBS:
		return READ_ONCE(blob_total_max);
	case KTAP_MEM_CALLS:
		return READ_ONCE(return_total_max) ?: part_of_memory(16);
	default:
		return U64_MAX;
	}
}

/**
 * ktap_budget_total() - bytes that all kinds have charged
 *
 * Context: any.
 * Return: bytes.
 */
u64 ktap_budget_total(void)
{
	return atomic64_read(&total);
}

/**
 * ktap_budget_total_max() - limit of all kinds together
 *
 * Context: any.
 * Return: bytes.
 */
u64 ktap_budget_total_max(void)
{
	ulong max = READ_ONCE(memory_max);

	return max ?: max3(part_of_memory(4), (u64)READ_ONCE(ring_total_max),
			   (u64)READ_ONCE(return_total_max));
}

static bool is_available(u64 bytes)
{
	s64 reserve = clamp_t(u64, part_of_memory(32), SZ_4M, SZ_64M);
	s64 there = ((s64)si_mem_available() << PAGE_SHIFT) - reserve;

	return there > 0 && bytes <= (u64)there / 2;
}

static bool charge(atomic64_t *sum, u64 bytes, u64 max)
{
	if ((u64)atomic64_add_return(bytes, sum) <= max)
		return true;
	atomic64_sub(bytes, sum);
	return false;
}

/* For kinds with a limit of their own. Rings are not allocated by a netlink request. */
static int refuse_kind(enum ktap_mem kind, u64 bytes, int attr,
		       struct ktap_refused *refused)
{
	if (kind == KTAP_MEM_BLOBS)
		return ktap_refuse_amount(refused, -ENOSPC, attr, bytes,
					  "the metadata of all probes would exceed the module's blob_total_max");
	return ktap_refuse_amount(refused, -ENOSPC, attr, bytes,
				  "the calls that all probes store would exceed the module's return_total_max");
}

/**
 * ktap_budget_explain() - explain why memory was refused
 * @err: -ENOMEM, or -ENOSPC for memory_max; other errors are passed through
 * @bytes: bytes requested
 * @attr: KTAP_A_* that determines @bytes, or 0
 * @refused: filled, with @bytes; may be NULL
 *
 * Context: any.
 * Return: @err.
 */
int ktap_budget_explain(int err, u64 bytes, int attr,
			struct ktap_refused *refused)
{
	if (err == -ENOMEM)
		return ktap_refuse_amount(refused, err, attr, bytes,
					  "the kernel has too little available memory");
	if (err == -ENOSPC)
		return ktap_refuse_amount(refused, err, attr, bytes,
					  "the memory of all probes and sessions would exceed the module's memory_max");
	return err;
}

/**
 * ktap_budget_take() - charge memory before it is allocated
 * @kind: kind
 * @bytes: bytes
 * @attr: KTAP_A_* that determines @bytes, or 0
 * @refused: filled, with @bytes, when the charge is refused; may be NULL
 *
 * Context: any.
 * Return: 0; -ENOSPC if it would exceed a limit of the module; -ENOMEM if the memory is
 * not available.
 */
int ktap_budget_take(enum ktap_mem kind, u64 bytes, int attr,
		     struct ktap_refused *refused)
{
	int err = -ENOSPC;

	if (!bytes)
		return 0;
	if (!charge(&used[kind], bytes, ktap_budget_max(kind)))
		return refuse_kind(kind, bytes, attr, refused);
	if (charge(&total, bytes, ktap_budget_total_max())) {
		if (is_available(bytes))
			return 0;
		err = -ENOMEM;
		atomic64_sub(bytes, &total);
	}
	atomic64_sub(bytes, &used[kind]);
	return ktap_budget_explain(err, bytes, attr, refused);
}

/**
 * ktap_budget_give() - uncharge memory that was freed
 * @kind: kind
 * @bytes: as given to ktap_budget_take()
 *
 * Context: any.
 */
void ktap_budget_give(enum ktap_mem kind, u64 bytes)
{
	atomic64_sub(bytes, &used[kind]);
	atomic64_sub(bytes, &total);
}

/**
 * ktap_mem_size() - bytes that an allocation really takes
 * @size: bytes requested
 *
 * Context: any.
 * Return: @size rounded up to the allocator's size class or to pages.
 */
u64 ktap_mem_size(size_t size)
{
	return ktap_kmalloc_bytes(size);
}

/**
 * ktap_mem_alloc() - allocate zeroed memory and charge it
 * @kind: kind
 * @size: bytes, more than 0
 *
 * Context: process; may sleep.
 * Return: memory, freed with ktap_mem_free(), or ERR_PTR: -ENOMEM or -ENOSPC.
 */
void *ktap_mem_alloc(enum ktap_mem kind, size_t size)
{
	int err = ktap_budget_take(kind, ktap_mem_size(size), 0, NULL);
	void *mem;

	if (err)
		return ERR_PTR(err);
	mem = kvzalloc(size, KTAP_GFP);
	if (mem)
		return mem;
	ktap_budget_give(kind, ktap_mem_size(size));
	return ERR_PTR(-ENOMEM);
}

/**
 * ktap_mem_free() - free and uncharge memory
 * @kind: as given to ktap_mem_alloc()
 * @mem: memory; NULL and ERR_PTR are allowed
 * @size: as given to ktap_mem_alloc()
 *
 * Context: process.
 */
void ktap_mem_free(enum ktap_mem kind, const void *mem, size_t size)
{
	if (IS_ERR_OR_NULL(mem))
		return;
	kvfree(mem);
	ktap_budget_give(kind, ktap_mem_size(size));
}

/*
 * The per-CPU allocator passes NORETRY on to the page allocator but not RETRY_MAYFAIL.
 * Either flag keeps the OOM killer out.
 */
#define PERCPU_GFP	(GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN)

/**
 * ktap_percpu_alloc() - implementation of ktap_alloc_percpu()
 * @size: bytes per CPU
 * @align: alignment
 * @refused: filled when the allocation is refused; may be NULL
 *
 * Context: process; may sleep.
 * Return: zeroed per-CPU memory or NULL.
 */
void __percpu *ktap_percpu_alloc(size_t size, size_t align,
				 struct ktap_refused *refused)
{
	u64 bytes = (u64)size * num_possible_cpus();
	void __percpu *mem;

	if (ktap_budget_take(KTAP_MEM_OTHER, bytes, 0, refused))
		return NULL;
	mem = __alloc_percpu_gfp(size, align, PERCPU_GFP);
	if (!mem) {
		ktap_budget_give(KTAP_MEM_OTHER, bytes);
		ktap_budget_explain(-ENOMEM, bytes, 0, refused);
	}
	return mem;
}

/**
 * ktap_percpu_free() - implementation of ktap_free_percpu()
 * @mem: per-CPU memory, or NULL
 * @size: bytes per CPU
 *
 * Context: any.
 */
void ktap_percpu_free(void __percpu *mem, size_t size)
{
	if (!mem)
		return;
	free_percpu(mem);
	ktap_budget_give(KTAP_MEM_OTHER, (u64)size * num_possible_cpus());
}
