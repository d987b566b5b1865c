// SPDX-License-Identifier: GPL-2.0
#include "base/waiting.h"

#include <stddef.h>

static bool (*watcher)(const char *what);

void waiting_watch(bool (*fn)(const char *what))
{
	watcher = fn;
}

bool waiting_for(const char *what)
{
	return watcher && watcher(what);
}
