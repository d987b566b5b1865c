// SPDX-License-Identifier: GPL-2.0
#include "report/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"

#define SEPARATORS	", \t"
#define ARGUMENTS	"args."

/* struct own_key - a key that every event has */
static const struct own_key {
	const char *name;
	enum report_source source;
} own_keys[] = {
	{ "event", REPORT_EVENT },
	{ "comm", REPORT_COMM },
	{ "pid", REPORT_PID },
	{ "tid", REPORT_TID },
	{ "cpu", REPORT_CPU },
	{ "symbol", REPORT_SYMBOL },
};

const char *report_source_name(size_t i)
{
	return i < ARRAY_SIZE(own_keys) ? own_keys[i].name : NULL;
}

static enum report_source source_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(own_keys); i++)
		if (!strcmp(name, own_keys[i].name))
			return own_keys[i].source;
	return REPORT_ARGUMENT;
}

const char *report_argument(const char *name)
{
	size_t length = strlen(ARGUMENTS);

	return !strncmp(name, ARGUMENTS, length) && name[length] ? name + length : name;
}

static bool is_there(const struct report_names *names,
		     const struct report_name *name)
{
	for (size_t i = 0; i < names->nr; i++)
		if (!strcmp(names->name[i].text, name->text))
			return true;
	return false;
}

/* "args.pid" beside "pid", and "size" of "args.size" */
static char *shown_name(const struct report_names *names, const char *argument)
{
	char *text;

	if (names->arguments || source_of(argument) == REPORT_ARGUMENT)
		return strdup(argument);
	return asprintf(&text, ARGUMENTS "%s", argument) < 0 ? NULL : text;
}

static int add_name(struct report_names *names, const char *text, size_t length,
		    struct diag *d)
{
	_cleanup_free_ char *given = NULL;
	struct report_name name = { 0 };

	if (*text == '$' && length > 1) {
		text++;
		length--;
	}
	given = strndup(text, length);
	if (!given)
		return diag_no_memory(d);
	if (report_argument(given) != given) {
		name.text = shown_name(names, report_argument(given));
	} else {
		name.text = take_ptr(given);
		if (!names->arguments)
			name.source = source_of(name.text);
	}
	if (!name.text)
		return diag_no_memory(d);
	name.argument = report_argument(name.text);
	if (is_there(names, &name)) {
		diag_set(d, -EINVAL, DIAG_REPORT_NAME_TWICE, name.text);
		free(name.text);
		return -EINVAL;
	}
	names->name[names->nr++] = name;
	return 0;
}

int report_names_add(struct report_names *names, const char *text,
		     struct diag *d)
{
	const char *at = text + strspn(text, SEPARATORS);
	int err;

	while (*at) {
		size_t length = strcspn(at, SEPARATORS);

		if (names->nr == REPORT_NAMES_MAX)
			return diag_set(d, -EINVAL, DIAG_REPORT_NAMES, text,
					REPORT_NAMES_MAX);
		err = add_name(names, at, length, d);
		if (err)
			return err;
		at += length;
		at += strspn(at, SEPARATORS);
	}
	return 0;
}

void report_names_deinit(struct report_names *names)
{
	while (names->nr)
		free(names->name[--names->nr].text);
}
