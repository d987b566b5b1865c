/* SPDX-License-Identifier: GPL-2.0 */
/* What 'ktap trace' and 'ktap record' do after their options, for 'ktap run' too. */
#ifndef KTAP_CLI_CAPTURES_H
#define KTAP_CLI_CAPTURES_H

#include "cli/capture.h"
#include "cli/output.h"

/**
 * trace_run() - print hits until the session ends
 * @opt: options; capture_options_deinit() stays the caller's
 * @out: options of the output, which is not open; it is closed again
 * @words: definitions, and the command
 *
 * Return: exit status; see capture_run().
 */
int trace_run(const struct capture_options *opt, struct output *out,
	      const struct words *words);

/**
 * record_run() - write hits to a file until the session ends
 * @opt: options, whose @writes_stdout is set; capture_options_deinit() stays the caller's
 * @path: file; "-": standard output
 * @words: definitions, and the command
 *
 * Return: exit status; see capture_run().
 */
int record_run(struct capture_options *opt, const char *path,
	       const struct words *words);

/**
 * record_first() - have this process run before those that it records
 * @opt: in overwrite mode nothing is done
 *
 * Without the right to do that, nothing changes.
 */
void record_first(const struct capture_options *opt);

#endif /* KTAP_CLI_CAPTURES_H */
