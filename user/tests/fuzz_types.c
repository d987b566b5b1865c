// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any table of types, and any bytes as each of its types, to both
 * outputs. The input is a u16 with the bytes of the types, those of a value (64),
 * the types, and the names; the head is made here.
 */
#include <bpf/btf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "export/line.h"
#include "types/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define VALUE_SIZE 64

static void show(const struct btf *types, const char *bytes)
{
	const struct look look = { .depth = 100 };
	struct field f = {
		.kind = FIELD_STRUCT, .format = FORMAT_TYPE, .size = VALUE_SIZE,
	};
	struct value v = { .field = &f, .text = bytes, .length = VALUE_SIZE };
	struct json j;

	for (f.type = 1; f.type < btf__type_cnt(types); f.type++) {
		_cleanup_buf_ struct buf text = BUF_INIT, more = BUF_INIT;

		typed_text(&text, types, &v, &look);
		json_init(&j, &more);
		typed_json(&j, types, &v, &look);
		/* neither runs out of levels */
		if (text.failed || more.failed || j.depth)
			abort();
	}
}

/* Bytes of types in the input, as whole words. */
static size_t types_size(const uint8_t *data, size_t left)
{
	size_t size = (data[0] | data[1] << 8) & ~3;

	return size < left ? size : left & ~3;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf_header h = {
		.magic = BTF_MAGIC, .version = BTF_VERSION,
		.hdr_len = sizeof(h),
	};
	struct btf *types = NULL;
	char *bytes, *table;
	size_t left;

	if (size < 2 + VALUE_SIZE)
		return 0;
	left = size - 2 - VALUE_SIZE;
	h.type_len = types_size(data, left);
	h.str_off = h.type_len;
	/* a NUL before the names and one behind them is not to be found */
	h.str_len = left - h.type_len + 2;
	table = calloc(1, sizeof(h) + left + 2);
	bytes = malloc(VALUE_SIZE);
	if (!table || !bytes)
		abort();
	memcpy(bytes, data + 2, VALUE_SIZE);
	memcpy(table, &h, sizeof(h));
	data += 2 + VALUE_SIZE;
	memcpy(table + sizeof(h), data, h.type_len);
	memcpy(table + sizeof(h) + h.type_len + 1, data + h.type_len,
	       left - h.type_len);
	if (!typetab_read(table, sizeof(h) + left + 2, "", &types))
		show(types, bytes);
	btf__free(types);
	free(table);
	free(bytes);
	return 0;
}
