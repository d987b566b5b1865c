// SPDX-License-Identifier: GPL-2.0
/* What symbols of C++ and Rust stand for. */
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"

#define SHOWN_MAX 4095

/* struct shown - the start of a demangled name */
struct shown {
	jmp_buf too_long;
	size_t length;
	char text[SHOWN_MAX + 1];
};

static void take_shown(const char *text, size_t length, void *ctx)
{
	struct shown *s = ctx;

	if (length > SHOWN_MAX - s->length)
		longjmp(s->too_long, 1);
	memcpy(s->text + s->length, text, length);
	s->length += length;
}

/*
 * A symbol may say of its parts that they are those before it, twice, and each of
 * them again: a few hundred bytes of a file that somebody made are gigabytes. The
 * demangler asks nobody whether it is to go on, so it is left.
 */
static char *demangle_as(const char *symbol, int flags)
{
	struct shown s;

	s.length = 0;
	if (setjmp(s.too_long))
		return NULL;
	if (!rust_demangle_callback(symbol, flags, take_shown, &s)) {
		s.length = 0;
		if (!cplus_demangle_v3_callback(symbol, flags, take_shown, &s))
			return NULL;
	}
	s.text[s.length] = '\0';
	return strdup(s.text);
}

char *demangle(const char *symbol, bool params)
{
	int flags = DMGL_ANSI | DMGL_RET_DROP;
	char *name, *end;

	if (symbol[0] != '_' || (symbol[1] != 'Z' && symbol[1] != 'R'))
		return NULL;
	if (!params)
		return demangle_as(symbol, flags);
	name = demangle_as(symbol, flags | DMGL_PARAMS);
	end = name ? strrchr(name, ')') : NULL;
	/* a method may be const; "[clone .cold]" is another function */
	if (end && name[scoped_params(name)] && !strchr(end, '['))
		end[1] = '\0';
	return name;
}
