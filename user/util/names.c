// SPDX-License-Identifier: GPL-2.0
#include "util/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

int names_put(struct names *n, const char *name)
{
	char **more = array_grow(n->name, n->nr, sizeof(*more));

	if (!more)
		return -ENOMEM;
	n->name = more;
	more[n->nr] = strdup(name);
	if (!more[n->nr])
		return -ENOMEM;
	n->nr++;
	return 0;
}

void names_deinit(struct names *n)
{
	while (n->nr)
		free(n->name[--n->nr]);
	free(n->name);
	n->name = NULL;
}
