// SPDX-License-Identifier: GPL-2.0
/*
 * usage: forge BUNDLE DIR SEED CHANGED CUT
 *
 * Writes copies of a bundle to DIR: CHANGED that have 1 to 4 other bytes behind the head,
 * with the right checksum, as changed-N.ktap; and CUT that end early: as cut-N.ktap, and
 * every other one as short-N.ktap, with its own size and the right checksum. One that is
 * short may be a whole bundle: it has fewer probes if it ends where one ends.
 */
#include <endian.h>
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "bundle/format.h"

static uint64_t state;

/* splitmix64 */
static uint64_t draw(uint64_t below)
{
	uint64_t x = state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (x ^ x >> 31) % below;
}

static void put64(unsigned char *at, uint64_t value)
{
	value = htole64(value);
	memcpy(at, &value, sizeof(value));
}

static void mend(unsigned char *bytes, size_t size)
{
	if (size < HEAD_BYTES)
		return;
	put64(bytes + HEAD_SIZE, size);
	put64(bytes + HEAD_SUM, XXH3_64bits(bytes + HEAD_BYTES, size - HEAD_BYTES));
}

static void write_one(const char *dir, const char *kind, long nr, const void *bytes,
		      size_t size)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s-%ld.ktap", dir, kind, nr);
	f = fopen(path, "wb");
	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
		err(1, "%s", path);
}

static void change(unsigned char *bytes, size_t size)
{
	for (uint64_t n = 1 + draw(4); n; n--) {
		unsigned char *at = bytes + HEAD_BYTES + draw(size - HEAD_BYTES);

		/* a small change keeps more of the form than any byte does */
		*at = draw(2) ? *at ^ 1U << draw(8) : draw(256);
	}
	mend(bytes, size);
}

int main(int argc, char **argv)
{
	static unsigned char whole[1 << 20], copy[sizeof(whole)];
	size_t size;
	FILE *f;

	if (argc != 6)
		errx(2, "usage: forge BUNDLE DIR SEED CHANGED CUT");
	f = fopen(argv[1], "rb");
	if (!f)
		err(1, "%s", argv[1]);
	size = fread(whole, 1, sizeof(whole), f);
	fclose(f);
	if (size <= HEAD_BYTES || size == sizeof(whole))
		errx(1, "%s: %zu bytes", argv[1], size);
	state = strtoull(argv[3], NULL, 0);
	for (long i = 0; i < atol(argv[4]); i++) {
		memcpy(copy, whole, size);
		change(copy, size);
		write_one(argv[2], "changed", i, copy, size);
	}
	for (long i = 0; i < atol(argv[5]); i++) {
		size_t end = draw(size);

		memcpy(copy, whole, end);
		if (i % 2)
			mend(copy, end);
		write_one(argv[2], i % 2 ? "short" : "cut", i, copy, end);
	}
	return 0;
}
