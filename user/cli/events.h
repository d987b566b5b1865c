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

/* events_command() - a verb that does @action to what its words name.
 * Return: exit status.
 */
int events_command(const struct usage *usage, int argc, char **argv,
		   event_action action);

#endif /* KTAP_CLI_EVENTS_H */
