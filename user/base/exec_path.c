// SPDX-License-Identifier: GPL-2.0
#include "base/exec_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define WITHOUT_PATH	"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

void exec_path_init(struct exec_path *p)
{
	const char *path = getenv("PATH");

	p->rest = path ? path : WITHOUT_PATH;
}

bool exec_path_next(struct exec_path *p, struct buf *dir)
{
	const char *end;

	if (!p->rest)
		return false;
	end = strchrnul(p->rest, ':');
	buf_clear(dir);
	buf_put(dir, p->rest, end - p->rest);
	if (end == p->rest)
		buf_puts(dir, ".");
	p->rest = *end ? end + 1 : NULL;
	return true;
}
