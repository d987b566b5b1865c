// SPDX-License-Identifier: GPL-2.0
#include "base/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

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

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_sort(struct names *n)
{
	size_t kept = 0;

	if (!n->nr)
		return;
	qsort(n->name, n->nr, sizeof(*n->name), compare);
	for (size_t i = 1; i < n->nr; i++) {
		if (strcmp(n->name[i], n->name[kept]))
			n->name[++kept] = n->name[i];
		else
			free(n->name[i]);
	}
	n->nr = kept + 1;
}

void names_deinit(struct names *n)
{
	while (n->nr)
		free(n->name[--n->nr]);
	free(n->name);
	n->name = NULL;
}
