/* SPDX-License-Identifier: GPL-2.0 */
/* A probe module from its load to its end, for 'ktap run'. */
#ifndef KTAP_CLI_MODULE_RUN_H
#define KTAP_CLI_MODULE_RUN_H

#include "cli/capture.h"
#include "cli/output.h"

/**
 * module_run() - load a probe module, print or write its records, unload it
 * @opt: options; of them @pids (one), @ring_size, @nr_rows, @overwrite, @timeout_ns,
 *	@interval_ns, @strict, @quiet and @verbose are looked at, and @writes_stdout is set
 * @out: options of the output, which is not open; @lost is set, and it is closed again
 * @path: write a recording to this file; "-": standard output; NULL: print
 * @words: the file of the module, and the command
 *
 * Errors are printed here, since more than one may have to be.
 *
 * Return: exit status: the command's, where there was one and it ran.
 */
int module_run(struct capture_options *opt, struct output *out,
	       const char *path, const struct words *words);

#endif /* KTAP_CLI_MODULE_RUN_H */
