/* SPDX-License-Identifier: GPL-2.0 */
/* A recording that comes through a pipe, shown as it comes. */
#ifndef KTAP_CLI_REPLAY_H
#define KTAP_CLI_REPLAY_H

#include "cli/output.h"
#include "decode/decode.h"
#include "record/datafile.h"

/**
 * replay() - read @path to its end and show its events
 * @path: of a FIFO, or "-"
 * @out: options of output; close it in any case
 * @summary: set
 * @d: on failure; -EPIPE is none, who read the lines has gone
 * @ret: what is left of the recording, for its accounting
 *
 * Events are shown in order up to QUEUE_SETTLED_NS before each CLOCK: older ones no
 * ring has any more. Return: 0 or a negative errno.
 */
int replay(const char *path, struct output *out,
	   struct decode_summary *summary, struct diag *d,
	   struct datafile **ret);

#endif /* KTAP_CLI_REPLAY_H */
