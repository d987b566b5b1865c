// SPDX-License-Identifier: GPL-2.0
/* arrays FILE: a recording without records, of many definitions with large arrays. */
#include <stdlib.h>

#include "record/datafile.h"
#include "schema/layout.h"

#define ELEMENTS	65000
#define PROBES		1000

int main(int argc, char **argv)
{
	struct machine m = {
		.arch = KTAP_ARCH_X86_64, .nr_cpus = 1,
		.clock_hz = 1000000000, .subbuf_size = 4096,
	};
	struct field f = {
		.name = "a", .kind = FIELD_INT, .format = FORMAT_UNSIGNED,
		.size = 1, .count = ELEMENTS, .fault = FIELD_NO_FAULT,
	};
	struct layout l = {
		.symbol = "f", .definition = "f", .fixed_size = ELEMENTS,
		.fields = &f, .nr_fields = 1,
	};
	struct datafile_writer *w = NULL;
	size_t size = 0;
	void *blob = NULL;

	if (argc != 2 || layout_encode(&l, &blob, &size) ||
	    datafile_create(argv[1], &m, NULL, &w))
		return 1;
	for (unsigned int i = 0; i < PROBES; i++)
		if (datafile_probe(w, KTAP_REC_FIRST_PROBE + i, "event", blob, size, NULL))
			return 1;
	free(blob);
	return datafile_finish(w, NULL, NULL) != 0;
}
