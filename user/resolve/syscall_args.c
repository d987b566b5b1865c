// SPDX-License-Identifier: GPL-2.0
/* What system calls call their arguments. */
#include "resolve/syscall_args.h"

#include <string.h>

#include "util/array.h"

static const struct {
	const char *name;
	const char *args;
} calls[] = {
#define SYSCALL(name, args) { #name, args },
#include "resolve/syscalls.def"
#undef SYSCALL
};

const char *syscall_args(const char *symbol)
{
	const char *sys = strstr(symbol, "_sys_");

	if (!sys)
		return NULL;
	sys += strlen("_sys_");
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (!strcmp(calls[i].name, sys))
			return calls[i].args;
	return NULL;
}

bool syscall_next_arg(const char **at, struct syscall_arg *ret)
{
	const char *text = *at;

	text += *text == ' ';
	if (!*text)
		return false;
	ret->name = text;
	ret->name_length = strcspn(text, ":");
	ret->type = text + ret->name_length + 1;
	ret->type_length = strcspn(ret->type, " ");
	*at = ret->type + ret->type_length;
	return true;
}
