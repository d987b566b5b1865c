/* SPDX-License-Identifier: GPL-2.0 */
/* The records of a probe module: to lines, or to a file. */
#ifndef KTAP_CLI_MODULE_RECORDS_H
#define KTAP_CLI_MODULE_RECORDS_H

#include "cli/module_maps.h"
#include "cli/output.h"
#include "record/datafile.h"

/**
 * struct module_totals - what became of the hits of all probes
 * @counts: sum
 * @missed: hits that the kernel itself skipped
 * @unfollowed: calls that were not followed to their return
 * @maps: there are maps
 * @aggregates: a probe would have one
 * @bytes: of the file
 */
struct module_totals {
	struct ktap_counts counts;
	uint64_t missed;
	uint64_t unfollowed;
	bool maps;
	bool aggregates;
	uint64_t bytes;
};

/**
 * module_print() - print the records of a recording that comes, up to its end
 * @from: the recording
 * @maps: without maps yet; its output is not open; close that with output_close()
 * @verbose: also print the accounting on stderr
 * @ret: filled, also on failure
 * @d: on failure; -EPIPE is none: the lines have no reader any more
 *
 * After the records come the rows of maps. Losses are printed on stderr.
 *
 * Return: 0 or a negative errno.
 */
int module_print(const struct datafile_source *from, struct module_maps *maps,
		 bool verbose, struct module_totals *ret, struct diag *d);

/**
 * module_write() - write a recording that comes to a file
 * @from: the recording
 * @path: file; "-": standard output
 * @ret: filled, also on failure
 * @d: on failure
 *
 * The file has names of addresses, which the device does not give. Losses are printed on
 * stderr.
 *
 * Return: 0 or a negative errno.
 */
int module_write(const struct datafile_source *from, const char *path,
		 struct module_totals *ret, struct diag *d);

#endif /* KTAP_CLI_MODULE_RECORDS_H */
