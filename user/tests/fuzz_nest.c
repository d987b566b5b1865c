// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: calls in any order and at any times. Each five bytes of the input are one call:
 * what to do with it and who made it; when it begins, and how long it takes. A clock that goes
 * back makes calls that are neither one inside the other nor one after the other.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "report/nest.h"

static void require(int ok)
{
	if (!ok)
		abort();
}

static void check(const struct nest_calls *got, const struct nest_call *outer)
{
	const struct nest_call *c = got->call;
	size_t i;

	require(got->nr && c->start == outer->start && !c->level);
	require(c->end == (outer->end < outer->start ? outer->start : outer->end));
	for (i = 0; i < got->nr; i++, c++) {
		require(c->start >= outer->start || !i);
		require(c->end <= got->call[0].end && c->end >= c->start);
		require(c->self <= c->end - c->start);
		if (!i)
			continue;
		require(c->level && c->level <= c[-1].level + 1);
		require(i == 1 || c->start >= c[-1].start);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes b = { data, size };
	struct nests *n = nests_new();
	uint64_t now = 1000;

	require(!!n);
	while (b.left >= 5) {
		uint8_t what = fuzz_byte(&b);
		struct nest_call call = { .function = what };
		struct nest_calls got;

		now += (int8_t)fuzz_byte(&b);
		call.start = now;
		call.end = now + (int8_t)fuzz_byte(&b);
		now = fuzz_byte(&b) & 1 ? call.end : now;
		call.end += fuzz_byte(&b) == 255 ? 1ULL << 40 : 0;
		if (what & 3) {
			require(!nests_add(n, what >> 2 & 3, &call));
			continue;
		}
		require(!nests_take(n, what >> 2 & 3, &call, what & 16, &got));
		check(&got, &call);
	}
	nests_free(n);
	return 0;
}
