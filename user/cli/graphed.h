/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of 'ktap graph', with the calls inside them, on stdout. */
#ifndef KTAP_CLI_GRAPHED_H
#define KTAP_CLI_GRAPHED_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/decode.h"
#include "place/ksyms.h"
#include "report/nest.h"

/**
 * struct graphed_look - how calls are shown
 * @json: one object per call
 * @names: of functions, by the numbers that calls have
 * @ks: names the caller; or NULL
 * @headed: the heading was printed
 */
struct graphed_look {
	bool json;
	char *const *names;
	const struct ksyms *ks;
	bool headed;
};

/**
 * struct graphed_gaps - why calls inside may be missing
 * @again: the function was called again inside, or its entry was missed
 * @lost: hits were lost meanwhile
 */
struct graphed_gaps {
	bool again;
	bool lost;
};

/**
 * graphed_show() - print a call with the calls inside it
 * @look: how
 * @event: hit at the return of the outermost call
 * @calls: calls
 * @gaps: why some of the calls inside may be missing
 *
 * stdout is not flushed.
 */
void graphed_show(struct graphed_look *look, const struct event *event,
		  const struct nest_calls *calls, struct graphed_gaps gaps);

#endif /* KTAP_CLI_GRAPHED_H */
