/* SPDX-License-Identifier: GPL-2.0 */
/* Names of events that definitions meet. */
#ifndef KTAP_DEFINE_NAME_H
#define KTAP_DEFINE_NAME_H

#include "define/define.h"

/**
 * names_load() - replace the names that are taken by the names of the kernel's events
 * @df: definer, with @df->ctl
 * @d: on failure: then some names may be missing
 *
 * Names that name_take() took for definitions are free again, unless they were added to the
 * kernel. Events of running commands are not counted.
 *
 * Return: 0, -ENOMEM, or what the kernel answered.
 */
int names_load(struct definer *df, struct diag *d);

/**
 * names_free() - free the names: none is taken afterwards
 * @df: definer, which can be used further
 */
void names_free(struct definer *df);

/**
 * name_choose() - choose the name of an event
 * @df: definer
 * @def: first point of the event; @def->spec->name is set. A name that the user gave stays;
 *	any other name gets a number if it is taken
 * @d: on failure
 *
 * The name is not taken yet: name_take() does that.
 *
 * Return: 0 or -ENOMEM.
 */
int name_choose(struct definer *df, struct definition *def, struct diag *d);

/**
 * name_take() - take the name of a point, and note what its event records
 * @df: definer
 * @def: point, which has its name, its program and its encoded layout
 * @check: the name may be taken by an event that the point would join. Nothing is checked
 *	without @df->ctl, nor for probes that go with their command
 * @d: on failure
 *
 * Return: 0; -EEXIST: the event does not let others join, is of another type, records other
 *	arguments, or has the same definition; -ENOMEM.
 */
int name_take(struct definer *df, const struct definition *def, bool check,
	      struct diag *d);

/**
 * names_drop() - make the names free that a pattern matches
 * @df: definer; events in the kernel stay
 * @pattern: as event_name_matches() has it
 *
 * Return: how many names these are.
 */
size_t names_drop(struct definer *df, const char *pattern);

/**
 * name_is_given() - whether the name of an event must not be changed
 * @spec: definition
 *
 * Return: true if the user gave the name, or for a line of kprobe_events or uprobe_events,
 *	whose rules decide.
 */
static inline bool name_is_given(const struct probe_spec *spec)
{
	return spec->name_at.length || spec->kernel_syntax;
}

#endif /* KTAP_DEFINE_NAME_H */
