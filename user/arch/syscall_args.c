// SPDX-License-Identifier: GPL-2.0
/* What system calls call their arguments, and which numbers they have. */
#include "arch/syscall_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NONE SYSCALL_NO_NUMBER

struct call {
	const char *name;
	int x86_64;
	int arm64;
	const char *args;
};

static const struct call calls[] = {
#define SYSCALL(name, x86_64, arm64, args) { #name, x86_64, arm64, args },
#include "arch/syscalls.def"
#undef SYSCALL
};

/* In the order of strcmp(): see the test. */
static int compare(const void *key, const void *row)
{
	return strcmp(key, ((const struct call *)row)->name);
}

static const struct call *find(const char *symbol)
{
	const char *sys = strstr(symbol, "_sys_");

	return sys ? bsearch(sys + strlen("_sys_"), calls, ARRAY_SIZE(calls),
			     sizeof(*calls), compare) : NULL;
}

const char *syscall_args(const char *symbol)
{
	const struct call *call = find(symbol);

	return call ? call->args : NULL;
}

int syscall_number(const char *symbol)
{
	const struct call *call = find(symbol);

	if (!call)
		return SYSCALL_NOT_KNOWN;
	return strncmp(symbol, "__arm64", strlen("__arm64")) ? call->x86_64 :
							      call->arm64;
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
