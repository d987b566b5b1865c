// SPDX-License-Identifier: GPL-2.0
/* forge FILE: a recording whose names steer a terminal. */
#include <stdlib.h>

#include "record/datafile.h"
#include "schema/layout.h"

#define EVIL "\033[1mevil"

int main(int argc, char **argv)
{
	struct machine m = {
		.arch = KTAP_ARCH_X86_64, .nr_cpus = 1,
		.clock_hz = 1000000000, .subbuf_size = 4096,
	};
	struct layout l = { .symbol = "f", .definition = "f" };
	struct ktap_counts counts = { .hits = 1, .filtered = 1 };
	struct datafile_writer *w = NULL;
	size_t size = 0;
	void *blob = NULL;

	if (argc != 2 || layout_encode(&l, &blob, &size) ||
	    datafile_create(argv[1], &m, NULL, &w) ||
	    datafile_probe(w, 16, EVIL "event", blob, size, NULL) ||
	    datafile_totals(w, 16, &counts, 0, 0, NULL))
		return 1;
	free(blob);
	return datafile_finish(w, NULL, NULL) != 0;
}
