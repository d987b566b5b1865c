// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as a recording. Checksums are put right first, or no
 * input would come past them; an odd number of bytes leaves them as they are.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "record/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int ok)
{
	if (!ok)
		abort();
}

static void fix_head(unsigned char *bytes, size_t size)
{
	struct ktap_data_head *h = (struct ktap_data_head *)bytes;

	if (size < sizeof(*h) || h->size > size)
		return;
	memcpy(h->magic, KTAP_DATA_MAGIC, sizeof(h->magic));
	h->order = KTAP_DATA_ORDER;
	if (h->version != KTAP_DATA_CRC32)
		h->version = KTAP_DATA_XXH3;
	if (h->size < sizeof(*h))
		h->size = sizeof(*h);
	h->sum = 0;
	h->sum = file_sum(h->version, bytes, h->size);
}

static void fix_sections(unsigned char *bytes, size_t size)
{
	struct ktap_data_section s;
	uint32_t version;
	uint64_t length;
	size_t at;

	if (size < sizeof(struct ktap_data_head))
		return;
	at = ((struct ktap_data_head *)bytes)->size;
	version = ((struct ktap_data_head *)bytes)->version;
	while (at <= size && size - at >= sizeof(s)) {
		memcpy(&s, bytes + at, sizeof(s));
		length = s.length + file_padding(s.length);
		if (length >= s.length && length <= size - at - sizeof(s))
			s.sum = file_sum(version, bytes + at + sizeof(s),
					 length);
		s.head_sum = file_section_sum(version, &s);
		memcpy(bytes + at, &s, sizeof(s));
		if (length < s.length || length > size - at - sizeof(s))
			return;
		at += sizeof(s) + length;
	}
}

static void check_file(const struct datafile *f, const unsigned char *bytes,
		       size_t size)
{
	const struct datafile_batch *b;
	size_t i;

	require(f->complete || (f->cut_at <= size && f->cut_reason));
	for (i = 0; i < f->nr_batches; i++) {
		b = &f->batches[i];
		require(b->cpu < f->machine.nr_cpus && b->size % 8 == 0);
		require((const unsigned char *)b->data >= bytes &&
			(const unsigned char *)b->data + b->size <= bytes + size);
	}
}

static int take(void *ctx, const struct event *e)
{
	uint64_t *sum = ctx;
	size_t i, j;

	*sum += e->mono + strlen(e->comm);
	for (i = 0; i < e->nr_values; i++)
		for (j = 0; j < e->values[i].length; j++)
			*sum += e->values[i].text[j];
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct decode_summary summary = {};
	unsigned char *bytes = malloc(size ? size : 1);
	struct datafile *f = NULL;
	uint64_t sum = 0;
	int err;

	memcpy(bytes, data, size);
	if (size % 2 == 0) {
		fix_head(bytes, size);
		fix_sections(bytes, size);
	}
	if (!datafile_parse("fuzz", bytes, size, NULL, &f)) {
		check_file(f, bytes, size);
		err = decode_file(f, take, &sum, &summary, NULL);
		require(err == 0 || err == -EBADMSG || err == -EINVAL ||
			err == -ENOMEM);
		datafile_close(f);
	}
	free(bytes);
	return 0;
}
