/* SPDX-License-Identifier: GPL-2.0 */
/* A recording that comes through a pipe or from a device, handed on as it comes. */
#ifndef KTAP_CLI_REPLAY_H
#define KTAP_CLI_REPLAY_H

#include "decode/decode.h"
#include "record/datafile.h"

/**
 * struct replay_ops - functions that take a recording; @ctx is the one given to replay()
 * @begin: before the first event; @wall: CLOCK_REALTIME - CLOCK_MONOTONIC, ns; or NULL
 * @probe: takes a probe before its events; or NULL
 * @decodes: the machine is known; @dec will know the probes and the stacks as they come; or
 *	NULL
 * @symbols: symbols came, with those before
 * @event: takes the events
 * @flush: all events up to a moment came; -EPIPE: the output has no reader; or NULL
 * @end: after the last event; @dec knows the probes and the stacks; a positive return value
 *	counts as damage in the summary; or NULL
 */
struct replay_ops {
	int (*begin)(void *ctx, int64_t wall, struct diag *d);
	int (*probe)(void *ctx, const struct datafile_probe *p, struct diag *d);
	void (*decodes)(void *ctx, struct decoder *dec);
	int (*symbols)(void *ctx, const struct datafile *f, struct diag *d);
	event_fn event;
	int (*flush)(void *ctx);
	int (*end)(void *ctx, const struct datafile *f, struct decoder *dec,
		   struct diag *d);
};

/**
 * replay() - read a recording to its end and hand its events on as they come
 * @from: where from
 * @ops: functions that take it
 * @ctx: for @ops
 * @summary: set
 * @d: on failure; -EPIPE is none, who read the lines has gone
 * @ret: the recording without its events, for its accounting
 *
 * Events come in order up to LIVE_SETTLED_NS before each CLOCK: older ones no ring has
 * any more.
 *
 * Return: 0 or a negative errno.
 */
int replay(const struct datafile_source *from, const struct replay_ops *ops,
	   void *ctx, struct decode_summary *summary, struct diag *d,
	   struct datafile **ret);

#endif /* KTAP_CLI_REPLAY_H */
