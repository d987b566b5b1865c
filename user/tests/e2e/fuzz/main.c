// SPDX-License-Identifier: GPL-2.0
/*
 * usage: fuzz WHAT SEED COUNT|SECONDSs [PROCESSES]
 *
 * Prints what came of it as the guest's TAP. COUNT is of each process.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzzer.h"

static const struct {
	const char *name;
	void (*run)(const struct order *o);
} runs[] = {
	{ "netlink", fuzz_netlink },
	{ "programs", fuzz_programs },
	{ "calls", fuzz_calls },
};

int main(int argc, char **argv)
{
	struct order o = { .processes = 3 };
	char *end = NULL;
	size_t i;

	if (argc > 3) {
		o.seed = strtoull(argv[2], NULL, 0);
		o.count = strtoul(argv[3], &end, 0);
	}
	if (end && !strcmp(end, "s")) {
		o.seconds = o.count;
		o.count = 0;
	}
	if (argc > 4)
		o.processes = strtoul(argv[4], NULL, 0);
	for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		if (argc > 3 && !strcmp(runs[i].name, argv[1])) {
			runs[i].run(&o);
			return 0;
		}
	ok(false, "fuzz: of the way it was called");
	return 2;
}
