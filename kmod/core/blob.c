// SPDX-License-Identifier: GPL-2.0
/*
 * Blobs: opaque metadata that user space stores with a probe. Size is limited per probe
 * and in total. The memory is charged to the memory cgroup of the creator.
 *
 * Context of all functions: process; may sleep.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "core/blob.h"
#include "core/budget.h"
#include "core/probe.h"

/**
 * ktap_blob_init() - allocate the blob of a new probe
 * @p: probe without a blob
 * @size: bytes; may be 0
 * @refused: filled when the request is refused
 *
 * Return: 0, -EFBIG, -ENOSPC or -ENOMEM.
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
 * ktap_blob_put() - append a chunk to a blob
 * @p: probe
 * @offset: where the sender expects the chunk to begin
 * @data: chunk
 * @size: bytes of @data
 * @refused: filled when the request is refused
 *
 * Context: process, under ktap_lock.
 * Return: 0, or -EINVAL if @offset is not the current end or @size exceeds the blob.
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
