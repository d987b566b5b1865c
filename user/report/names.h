/* SPDX-License-Identifier: GPL-2.0 */
/* What the rows of a report are made of: names of keys and of arguments. */
#ifndef KTAP_REPORT_NAMES_H
#define KTAP_REPORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

#define REPORT_NAMES_MAX 16

/**
 * enum report_source - where a key comes from
 * @REPORT_ARGUMENT: an argument of the event
 * @REPORT_EVENT: name of the event
 * @REPORT_COMM: name of the task
 * @REPORT_PID: its process
 * @REPORT_TID: its thread
 * @REPORT_CPU: where it ran
 * @REPORT_SYMBOL: place of the hit
 */
enum report_source {
	REPORT_ARGUMENT,
	REPORT_EVENT,
	REPORT_COMM,
	REPORT_PID,
	REPORT_TID,
	REPORT_CPU,
	REPORT_SYMBOL,
};

/**
 * struct report_name - a key, or an argument whose numbers are added up
 * @text: as it is shown: an argument that is named as another source has "args." before it;
 *	owned
 * @argument: the name without that
 * @source: of a key: where it comes from
 */
struct report_name {
	char *text;
	const char *argument;
	enum report_source source;
};

/**
 * struct report_names - a list of them; zeros when it is empty
 * @name: names
 * @nr: how many
 * @arguments: all of them are arguments
 */
struct report_names {
	struct report_name name[REPORT_NAMES_MAX];
	size_t nr;
	bool arguments;
};

/**
 * report_names_add() - add names to a list
 * @names: list
 * @text: names with commas or blanks between them; '$' before a name means nothing, and
 *	"args." before it that it is an argument
 * @d: on failure
 *
 * Return: 0; -EINVAL: one is there twice, or there are too many; -ENOMEM.
 */
int report_names_add(struct report_names *names, const char *text,
		     struct diag *d);

/**
 * report_argument() - get the name of an argument
 * @name: name, maybe with "args." before it
 *
 * Return: @name, or what follows that.
 */
const char *report_argument(const char *name);

/**
 * report_names_deinit() - release a list, which is empty then
 * @names: list
 */
void report_names_deinit(struct report_names *names);

/**
 * report_source_name() - the name of a key that every event has
 * @i: which, from 0
 *
 * Return: the name; NULL: there are not that many.
 */
const char *report_source_name(size_t i);

#endif /* KTAP_REPORT_NAMES_H */
