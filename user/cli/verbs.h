/* SPDX-License-Identifier: GPL-2.0 */
/* The verbs of a program. Each program that has main() of cli/main.c has a table. */
#ifndef KTAP_CLI_VERBS_H
#define KTAP_CLI_VERBS_H

#include <stdbool.h>

/**
 * struct verb - one verb
 * @name: as it is typed; NULL: the table ends here
 * @run: takes the verb and what follows it; returns the exit status of the process
 * @summary: one line for the help; NULL: the verb is refused and not listed
 * @pages: the output may be long: it goes through a pager
 */
struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
	bool pages;
};

/* The program as its usage names it */
extern const char *const program_name;
extern const struct verb verbs[];

#endif /* KTAP_CLI_VERBS_H */
