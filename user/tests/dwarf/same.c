// SPDX-License-Identifier: GPL-2.0
/*
 * usage: index-same FILE [SEED [NR]]
 *
 * Whether lookups in FILE's debug information are the same with its index, which
 * 'ktap index' made: for NR names, addresses, files and types each, drawn by SEED.
 * Exit status 1: they are not, or there is no index.
 */
#include <stdio.h>
#include <stdlib.h>

#include "dwarf/file.h"
#include "tests/index_same.h"

int main(int argc, char **argv)
{
	_cleanup_(debug_freep) struct debug *plain = NULL, *indexed = NULL;
	unsigned int seed = argc > 2 ? atoi(argv[2]) : 1;
	unsigned int nr = argc > 3 ? atoi(argv[3]) : 100;
	struct index_same same;

	if (argc < 2 || debug_open(argv[1], NULL, &plain) ||
	    debug_open(argv[1], NULL, &indexed)) {
		fprintf(stderr, "index-same: give a file with debug information\n");
		return 1;
	}
	plain->index_searched = true;
	if (!index_same(plain, indexed, seed, nr, stdout, &same)) {
		fprintf(stderr, "index-same: the index is not used\n");
		return 1;
	}
	printf("seed %u: %u names, %u addresses, %u files, %u types: %u were found, %u differ\n",
	       seed, same.names, same.addresses, same.files, same.types,
	       same.found, same.different);
	return same.different || !same.found;
}
