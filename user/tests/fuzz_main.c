// SPDX-License-Identifier: GPL-2.0
/* Runs a fuzz target over files: for compilers without libFuzzer, and to look
 * at one input again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The copy is exactly as large as the input: a read behind it is an error. */
static int run_bytes(const char *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		return 1;
	if (size)
		memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	return 0;
}

static int run(const char *path)
{
	struct buf b = BUF_INIT;
	FILE *f = fopen(path, "r");
	char chunk[4096];
	int bad = 1;
	size_t n;

	if (!f) {
		perror(path);
		return 1;
	}
	while ((n = fread(chunk, 1, sizeof(chunk), f)))
		buf_put(&b, chunk, n);
	if (!b.failed)
		bad = run_bytes(b.data, b.size);
	buf_deinit(&b);
	fclose(f);
	return bad;
}

int main(int argc, char **argv)
{
	int i, bad = 0;

	for (i = 1; i < argc; i++)
		bad |= run(argv[i]);
	return bad;
}
