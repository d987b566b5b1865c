/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Budget for the memory that users cause to be allocated. A charge fails, by the module's
 * limits or for lack of available memory, before the OOM killer has a reason to kill a
 * task. All operations are atomic and need no lock.
 */
#ifndef KTAP_BUDGET_H
#define KTAP_BUDGET_H

#include <linux/gfp.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "core/refused.h"

/*
 * Charged to the user's memory cgroup. With RETRY_MAYFAIL the allocator reclaims and then
 * fails. Neither the allocator nor the cgroup charge invokes the OOM killer.
 */
#define KTAP_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * enum ktap_mem - kinds of charged memory
 * @KTAP_MEM_RINGS: rings of sessions
 * @KTAP_MEM_BLOBS: metadata of probes
 * @KTAP_MEM_CALLS: return probes and frames: kretprobe instances and stored calls
 * @KTAP_MEM_PROGRAMS: programs
 * @KTAP_MEM_SCRATCH: buffers in which programs build records
 * @KTAP_MEM_SCOPES: bitmaps of tasks
 * @KTAP_MEM_OTHER: probes and attachments with their counters, tables
 */
enum ktap_mem {
	KTAP_MEM_RINGS,
	KTAP_MEM_BLOBS,
	KTAP_MEM_CALLS,
	KTAP_MEM_PROGRAMS,
	KTAP_MEM_SCRATCH,
	KTAP_MEM_SCOPES,
	KTAP_MEM_OTHER,
	KTAP_NR_MEM
};

int ktap_budget_take(enum ktap_mem kind, u64 bytes, int attr,
		     struct ktap_refused *refused);
void ktap_budget_give(enum ktap_mem kind, u64 bytes);
int ktap_budget_explain(int err, u64 bytes, int attr,
			struct ktap_refused *refused);
u64 ktap_budget_used(enum ktap_mem kind);
u64 ktap_budget_max(enum ktap_mem kind);
u64 ktap_budget_total(void);
u64 ktap_budget_total_max(void);

u64 ktap_mem_size(size_t size);
void *ktap_mem_alloc(enum ktap_mem kind, size_t size);
void ktap_mem_free(enum ktap_mem kind, const void *mem, size_t size);

void __percpu *ktap_percpu_alloc(size_t size, size_t align,
				 struct ktap_refused *refused);
void ktap_percpu_free(void __percpu *mem, size_t size);

/*
 * Allocates zeroed memory for every possible CPU, charged as KTAP_MEM_OTHER. Returns NULL
 * on failure and fills @refused, which may be NULL.
 */
#define ktap_alloc_percpu(type, refused)				\
	((typeof(type) __percpu *)ktap_percpu_alloc(sizeof(type),		\
						    __alignof__(type),	\
						    refused))
#define ktap_free_percpu(mem)	ktap_percpu_free(mem, sizeof(*(mem)))

#endif /* KTAP_BUDGET_H */
