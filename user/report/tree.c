// SPDX-License-Identifier: GPL-2.0
#include "report/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ---- nodes ---- */

/* Return: index of the new node; 0: no memory. */
static size_t add_node(struct tree *t, const char *name, size_t parent)
{
	struct tree_node *more = array_grow(t->node, t->nr, sizeof(*more));

	if (!more)
		return 0;
	t->node = more;
	more[t->nr] = (struct tree_node){ .name = name, .parent = parent };
	return t->nr++;
}

/*
 * @open: the nodes of the path before it, @nr_open of them. Return: nodes of the path; 0: no
 * memory.
 */
static size_t add_path(struct tree *t, const struct path *p, size_t *open,
		       size_t nr_open)
{
	const char *name = p->text;
	size_t at = 1;

	for (; at < nr_open && at <= p->nr; at++) {
		if (strcmp(name, t->node[open[at]].name))
			break;
		name += strlen(name) + 1;
	}
	for (; at <= p->nr; at++) {
		open[at] = add_node(t, name, open[at - 1]);
		if (!open[at])
			return 0;
		name += strlen(name) + 1;
	}
	for (size_t i = 0; i < at; i++)
		t->node[open[i]].total += p->weight;
	t->node[open[at - 1]].self += p->weight;
	return at;
}

static int add_paths(struct tree *t, struct paths *p)
{
	size_t *open = calloc(t->depth + 1, sizeof(*open));
	size_t nr = 1;

	if (!open)
		return -ENOMEM;
	paths_sort(p);
	add_node(t, "", 0);
	for (size_t i = 0; t->nr && nr && i < p->nr; i++)
		nr = add_path(t, &p->path[i], open, nr);
	free(open);
	return t->nr && nr ? 0 : -ENOMEM;
}

static int compare_nodes(const void *a, const void *b, void *ctx)
{
	const struct tree_node *nodes = ctx;
	const struct tree_node *x = &nodes[*(const size_t *)a];
	const struct tree_node *y = &nodes[*(const size_t *)b];

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int sort_nodes(struct tree *t)
{
	t->order = calloc(t->nr, sizeof(*t->order));
	if (!t->order)
		return -ENOMEM;
	for (size_t i = 0; i < t->nr - 1; i++)
		t->order[i] = i + 1;
	qsort_r(t->order, t->nr - 1, sizeof(*t->order), compare_nodes, t->node);
	for (size_t i = t->nr - 1; i-- > 0;) {
		struct tree_node *parent = &t->node[t->node[t->order[i]].parent];

		parent->first = i;
		parent->nr++;
	}
	return 0;
}

int tree_make(struct tree *t, struct paths *p)
{
	int err;

	for (size_t i = 0; i < p->nr; i++)
		if (p->path[i].nr > t->depth)
			t->depth = p->path[i].nr;
	err = add_paths(t, p);
	return err ? err : sort_nodes(t);
}

void tree_deinit(struct tree *t)
{
	free(t->node);
	free(t->order);
	*t = (struct tree){ 0 };
}

/* ---- lines ---- */

/**
 * struct walk - lines that are being taken
 * @t: tree
 * @least: totals below it are omitted
 * @names: of the nodes from the outermost one to the one at hand
 * @fn: called for each line
 * @ctx: of @fn
 */
struct walk {
	const struct tree *t;
	double least;
	const char **names;
	tree_fn fn;
	void *ctx;
};

static double size_of(__int128 weight)
{
	return weight < 0 ? -(double)weight : (double)weight;
}

static int take_children(struct walk *w, const struct tree_node *parent,
			 size_t depth);

static int take_node(struct walk *w, const struct tree_node *node, size_t depth)
{
	const struct tree_line line = {
		.names = w->names, .depth = depth + 1,
		.total = node->total, .self = node->self,
	};
	int err;

	w->names[depth] = node->name;
	err = w->fn(w->ctx, &line);
	return err ? err : take_children(w, node, depth + 1);
}

static int take_children(struct walk *w, const struct tree_node *parent,
			 size_t depth)
{
	struct tree_line rest = { .names = w->names, .depth = depth };
	int err = 0;

	for (size_t i = 0; !err && i < parent->nr; i++) {
		const struct tree_node *node;

		node = &w->t->node[w->t->order[parent->first + i]];
		if (size_of(node->total) >= w->least) {
			err = take_node(w, node, depth);
			continue;
		}
		rest.omitted++;
		rest.total += node->total;
	}
	rest.self = rest.total;
	return err || !rest.omitted ? err : w->fn(w->ctx, &rest);
}

int tree_walk(const struct tree *t, double min, tree_fn fn, void *ctx)
{
	struct walk w = {
		.t = t, .fn = fn, .ctx = ctx,
		.least = size_of(t->node[0].total) * min / 100,
		.names = calloc(t->depth + 1, sizeof(*w.names)),
	};
	int err;

	if (!w.names)
		return -ENOMEM;
	err = take_children(&w, &t->node[0], 0);
	free(w.names);
	return err;
}
