/* SPDX-License-Identifier: GPL-2.0 */
/* An event_fn that keeps every event as a line of text, for comparing. */
#ifndef KTAP_TESTS_EVENT_LOG_H
#define KTAP_TESTS_EVENT_LOG_H

#include "base/buf.h"
#include "decode/decode.h"
#include "schema/layout.h"

/**
 * struct event_log - what was handed over
 * @text: lines of "cpu mono comm/tid/tgid name arg=value ...", lost ones as
 *	"cpu mono lost N"; a fault is "!", "?" where it lacks the entry, a cut string ends in "~"
 * @nr: events
 * @stop_at: refuse the event with this number ...
 * @answer: ... with this
 */
struct event_log {
	struct buf text;
	unsigned int nr;
	unsigned int stop_at;
	int answer;
};

int event_log_add(void *log, const struct event *event);

/* log_blob() - encode @layout; aborts when that fails. */
void *log_blob(const struct layout *layout, size_t *ret_size);

/* log_layout_u64() - one argument "n" of 8 bytes. */
extern const struct layout log_layout_u64;

#endif /* KTAP_TESTS_EVENT_LOG_H */
