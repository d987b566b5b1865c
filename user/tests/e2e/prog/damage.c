// SPDX-License-Identifier: GPL-2.0
/*
 * damage FILE: makes nonsense of the second record of the first batch of a
 * recording, and the checksums right again.
 */
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "record/format.h"

#define FILE_MAX (16 << 20)

static unsigned char bytes[FILE_MAX];

static void nonsense(struct ktap_data_section *s)
{
	unsigned char *data = (unsigned char *)(s + 1);
	struct ktap_rec_head *first = (void *)data;
	struct ktap_rec_head *second = (void *)(data + first->size);

	second->size = 12;	/* no multiple of 8 */
	s->sum = XXH3_64bits(data, s->length + file_padding(s->length));
	s->head_sum = 0;
	s->head_sum = XXH3_64bits(s, sizeof(*s));
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "r+b") : NULL;
	size_t size, at = sizeof(struct ktap_data_head);

	if (!f)
		return 2;
	size = fread(bytes, 1, sizeof(bytes), f);
	while (at + sizeof(struct ktap_data_section) < size) {
		struct ktap_data_section *s = (void *)(bytes + at);

		if (s->type == KTAP_DATA_DATA) {
			nonsense(s);
			rewind(f);
			fwrite(bytes, 1, size, f);
			return fclose(f) ? 2 : 0;
		}
		at += sizeof(*s) + s->length + file_padding(s->length);
	}
	return 2;
}
