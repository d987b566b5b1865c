/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that are defined, and how a user names them: by name or glob,
 * with or without the group. What belongs to a running command is left alone.
 */
#ifndef KTAP_CLI_EVENTS_H
#define KTAP_CLI_EVENTS_H

#include <stdbool.h>

#include "base/diag.h"
#include "cli/options.h"
#include "wire/ctl.h"

/* event_owned() - it goes when the command that made it ends. */
bool event_owned(const struct ctl_probe *p);

/* event_name_matches() - with the group or without. */
bool event_name_matches(const char *name, const char *pattern);

/* event_matches() - @p is one that @pattern names. */
bool event_matches(const struct ctl_probe *p, const char *pattern);

/**
 * events_choose() - the events that words name
 * @all: those that are defined
 * @words: names and globs; each must name one at least
 * @d: on failure
 * @ret: one flag for each of @all; malloc'ed
 *
 * Return: 0, -ENOENT, -EPERM, -ENOMEM.
 */
int events_choose(const struct ctl_probes *all, const struct words *words,
		  struct diag *d, bool **ret);

/* event_action - does something to events, to all or none. */
typedef int (*event_action)(struct ctl *ctl, const uint32_t *ids, size_t nr,
			    struct diag *d);

/* events_command() - a verb that does @action to what its words name.
 * Return: exit status.
 */
int events_command(const struct usage *usage, int argc, char **argv,
		   event_action action);

#endif /* KTAP_CLI_EVENTS_H */
