/* SPDX-License-Identifier: GPL-2.0 */
/* Whether lookups with an index find what they find without one. */
#ifndef KTAP_TESTS_INDEX_SAME_H
#define KTAP_TESTS_INDEX_SAME_H

#include <stdio.h>

#include "dwarf/debug.h"

/* struct index_same - how many were asked for, and what differed */
struct index_same {
	unsigned int names;
	unsigned int addresses;
	unsigned int files;
	unsigned int types;
	unsigned int found;
	unsigned int different;
};

/* index_same() - ask for @nr names (0: all) of each kind, drawn by @seed, from
 * @plain, and from @indexed, the same file, and say on @out where they differ. False:
 * no memory, or one of them has an index it should not have, or has none.
 */
bool index_same(struct debug *plain, struct debug *indexed, unsigned int seed,
		unsigned int nr, FILE *out, struct index_same *ret);

#endif /* KTAP_TESTS_INDEX_SAME_H */
