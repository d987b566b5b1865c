// SPDX-License-Identifier: GPL-2.0
/*
 * The opaque metadata that user space keeps with a probe: bounded per probe
 * and in total, charged to the memory cgroup of whoever made it.
 *
 * Context of all: process; may sleep.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "core/blob.h"
#include "core/budget.h"
#include "core/probe.h"

/**
 * ktap_blob_init() - make room for a blob
 * @p: probe without a blob
 * @size: bytes; 0 is allowed
 * @refused: where a refusal is explained
 *
 * Return: 0, -EFBIG, -ENOSPC, -ENOMEM.
 */
int ktap_blob_init(struct ktap_probe *p, u32 size,
		   struct ktap_refused *refused)
{
	int err;

	if (!size)
		return 0;
	if (size > KTAP_BLOB_MAX)
		return ktap_refuse(refused, -EFBIG, KTAP_A_BLOB_SIZE,
				   "the probe's metadata is too large");
	err = ktap_budget_take(KTAP_MEM_BLOBS, size, KTAP_A_BLOB_SIZE, refused);
	if (err)
		return err;
	p->blob = kvzalloc(size, KTAP_GFP);
	if (!p->blob) {
		ktap_budget_give(KTAP_MEM_BLOBS, size);
		return ktap_budget_explain(-ENOMEM, size, KTAP_A_BLOB_SIZE,
					   refused);
	}
	p->blob_size = size;
	return 0;
}

void ktap_blob_free(struct ktap_probe *p)
{
	kvfree(p->blob);
	ktap_budget_give(KTAP_MEM_BLOBS, p->blob_size);
}

/**
 * ktap_blob_put() - append a chunk
 * @p: probe
 * @offset: what the writer believes is there already
 * @data: chunk
 * @size: bytes
 * @refused: where a refusal is explained
 *
 * Context: process, under ktap_lock.
 * Return: 0 or -EINVAL.
 */
int ktap_blob_put(struct ktap_probe *p, u32 offset, const void *data, u32 size,
		  struct ktap_refused *refused)
{
	lockdep_assert_held(&ktap_lock);
	if (offset != p->blob_have)
		return ktap_refuse(refused, -EINVAL, 0,
				   "chunks of metadata must come in order");
	if (size > p->blob_size - p->blob_have)
		return ktap_refuse(refused, -EINVAL, 0,
				   "more metadata than was announced");
	memcpy(p->blob + offset, data, size);
	p->blob_have += size;
	return 0;
}
