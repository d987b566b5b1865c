/* SPDX-License-Identifier: GPL-2.0 */
/* Commands that do one thing to each event that their words name. */
#ifndef KTAP_CLI_EVENTS_H
#define KTAP_CLI_EVENTS_H

#include <stdbool.h>

#include "base/diag.h"
#include "cli/options.h"
#include "define/events.h"
#include "wire/ctl.h"

/* event_action - does something to events, to all or none. */
typedef int (*event_action)(struct ctl *ctl, const uint32_t *ids, size_t nr,
			    struct diag *d);

/**
 * events_command() - run a verb that does one thing to each event that its words name
 * @usage: what the verb takes; its options are -v and -q
 * @argc: number of words
 * @argv: verb and words
 * @action: called for at most KTAP_IDS_MAX events at once, of which at most KTAP_ARM_MAX
 *	have a slow hook
 *
 * If a word matches no event, @action is not called. If a call of @action fails, there are
 * no further calls, and the effects of the calls before it remain.
 *
 * Return: exit status of the process.
 */
int events_command(const struct usage *usage, int argc, char **argv,
		   event_action action);

#endif /* KTAP_CLI_EVENTS_H */
