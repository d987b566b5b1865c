// SPDX-License-Identifier: GPL-2.0
#include "report/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static size_t size_of(const char *text, size_t nr)
{
	const char *end = text;

	while (nr--)
		end += strlen(end) + 1;
	return end - text;
}

int paths_add(struct paths *p, const char *text, size_t nr, __int128 weight)
{
	struct path *more = array_grow(p->path, p->nr, sizeof(*more));
	size_t size = size_of(text, nr);

	if (!more)
		return -ENOMEM;
	p->path = more;
	more[p->nr] = (struct path){
		.text = malloc(size + 1), .nr = nr, .weight = weight,
	};
	if (!more[p->nr].text)
		return -ENOMEM;
	memcpy(more[p->nr++].text, text, size);
	return 0;
}

static int compare_paths(const void *a, const void *b)
{
	const struct path *p = a, *q = b;
	const char *x = p->text, *y = q->text;
	int order;

	for (size_t i = 0; i < p->nr && i < q->nr; i++) {
		order = strcmp(x, y);
		if (order)
			return order;
		x += strlen(x) + 1;
		y += strlen(y) + 1;
	}
	return p->nr < q->nr ? -1 : p->nr > q->nr;
}

void paths_sort(struct paths *p)
{
	if (p->nr)
		qsort(p->path, p->nr, sizeof(*p->path), compare_paths);
}

void paths_deinit(struct paths *p)
{
	while (p->nr)
		free(p->path[--p->nr].text);
	free(p->path);
	*p = (struct paths){ 0 };
}
