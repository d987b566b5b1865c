/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that are defined, and how a user names them: by name or glob, with the
 * group or without it. What belongs to a running command is not matched.
 */
#ifndef KTAP_DEFINE_EVENTS_H
#define KTAP_DEFINE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "wire/ctl.h"

/**
 * event_owned() - whether an event goes when the command that made it ends
 * @p: a probe of the event
 *
 * Return: true if so.
 */
bool event_owned(const struct ctl_probe *p);

/**
 * event_name_matches() - compare a name with a pattern
 * @name: GROUP:EVENT or EVENT
 * @pattern: a name or a glob, with the group or without it
 *
 * Return: true if @pattern matches.
 */
bool event_name_matches(const char *name, const char *pattern);

/**
 * event_matches() - whether a pattern names the event of a probe
 * @p: probe
 * @pattern: a name or a glob
 *
 * Return: true if so; false for an event that belongs to a running command.
 */
bool event_matches(const struct ctl_probe *p, const char *pattern);

/**
 * events_choose() - the events that names and globs stand for
 * @all: probes that are defined
 * @names: names and globs; each must match at least one event
 * @nr: how many names
 * @d: on failure
 * @ret: one flag for each of @all; the caller frees it
 *
 * Return: 0, -ENOENT, -EPERM for an event of a running command, -ENOMEM.
 */
int events_choose(const struct ctl_probes *all, const char *const *names,
		  size_t nr, struct diag *d, bool **ret);

#endif /* KTAP_DEFINE_EVENTS_H */
