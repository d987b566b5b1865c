/* SPDX-License-Identifier: GPL-2.0 */
/* What commands that read a recording tell at its end. */
#ifndef KTAP_CLI_RECORDING_H
#define KTAP_CLI_RECORDING_H

#include <stdbool.h>

#include "decode/decode.h"
#include "record/datafile.h"

/**
 * recording_overwritten() - count the records that overwrite mode has dropped
 * @f: recording, of which all events were decoded
 * @summary: what was found
 *
 * Return: how many.
 */
uint64_t recording_overwritten(const struct datafile *f, const struct decode_summary *summary);

/**
 * recording_end() - tell what the recording lost, and whether it is whole
 * @path: of the recording
 * @f: recording, of which all events were decoded
 * @summary: what was found
 * @verbose: also print the accounting on stderr
 * @d: on failure
 *
 * Return: 0; -EBADMSG: it is cut or damaged.
 */
int recording_end(const char *path, const struct datafile *f,
		  const struct decode_summary *summary, bool verbose,
		  struct diag *d);

#endif /* KTAP_CLI_RECORDING_H */
