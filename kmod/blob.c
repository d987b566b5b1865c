// SPDX-License-Identifier: GPL-2.0
/*
 * The opaque metadata that user space keeps with a probe: bounded per probe
 * and in total, charged to the memory cgroup of whoever made it.
 *
 * Context of all: process, under ktap_lock; may sleep.
 */
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "blob.h"
#include "probe.h"

static ulong blob_total_max = 64UL << 20;
module_param(blob_total_max, ulong, 0644);
MODULE_PARM_DESC(blob_total_max, "bytes of metadata that all probes together may keep");

static u64 total;

u64 ktap_blob_total(void)
{
	return total;
}

u64 ktap_blob_total_max(void)
{
	return READ_ONCE(blob_total_max);
}

/**
 * ktap_blob_init() - make room for a blob
 * @p: probe without a blob
 * @size: bytes; 0 is allowed
 * @extack: where a refusal is explained
 *
 * Return: 0, -EFBIG, -ENOSPC, -ENOMEM.
 */
int ktap_blob_init(struct ktap_probe *p, u32 size,
		   struct netlink_ext_ack *extack)
{
	if (!size)
		return 0;
	if (size > KTAP_BLOB_MAX) {
		NL_SET_ERR_MSG(extack, "the probe's metadata is too large");
		return -EFBIG;
	}
	if (total + size > ktap_blob_total_max()) {
		NL_SET_ERR_MSG(extack, "the metadata of all probes would exceed the module's blob_total_max");
		return -ENOSPC;
	}
	p->blob = kvzalloc(size, GFP_KERNEL_ACCOUNT);
	if (!p->blob)
		return -ENOMEM;
	p->blob_size = size;
	total += size;
	return 0;
}

void ktap_blob_free(struct ktap_probe *p)
{
	kvfree(p->blob);
	total -= p->blob_size;
}

/**
 * ktap_blob_put() - append a chunk
 * @p: probe
 * @offset: what the writer believes is there already
 * @data: chunk
 * @size: bytes
 * @extack: where a refusal is explained
 *
 * Return: 0 or -EINVAL.
 */
int ktap_blob_put(struct ktap_probe *p, u32 offset, const void *data, u32 size,
		  struct netlink_ext_ack *extack)
{
	if (offset != p->blob_have) {
		NL_SET_ERR_MSG(extack, "chunks of metadata must come in order");
		return -EINVAL;
	}
	if (size > p->blob_size - p->blob_have) {
		NL_SET_ERR_MSG(extack, "more metadata than was announced");
		return -EINVAL;
	}
	memcpy(p->blob + offset, data, size);
	p->blob_have += size;
	return 0;
}
