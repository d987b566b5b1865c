// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as the blob of a probe. What is accepted must be the
 * same after it was encoded and decoded again.
 */
#include <bpf/btf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "schema/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int ok)
{
	if (!ok)
		abort();
}

/* All that a reader of records relies on. */
static void check_fields(const struct layout *layout)
{
	size_t i;

	require(layout->faults_offset + (uint64_t)layout->faults_size <=
			layout->fixed_size || !layout->faults_size);
	for (i = 0; i < layout->nr_fields; i++) {
		const struct field *f = &layout->fields[i];

		require(f->name && *f->name);
		require(f->offset + (uint64_t)f->size <= layout->fixed_size);
		require(f->fault < (int)layout->faults_size * 8);
		require(!f->type || f->type < btf__type_cnt(layout->types));
		require(f->kind != FIELD_STRUCT || f->type);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(layout_freep) struct layout *layout = NULL, *again = NULL;
	_cleanup_free_ void *blob = NULL, *twice = NULL;
	size_t blob_size, twice_size;

	if (layout_decode(data, size, NULL, &layout))
		return 0;
	check_fields(layout);
	require(!layout_encode(layout, &blob, &blob_size));
	require(!layout_decode(blob, blob_size, NULL, &again));
	require(!layout_encode(again, &twice, &twice_size));
	require(blob_size == twice_size && !memcmp(blob, twice, blob_size));
	return 0;
}
