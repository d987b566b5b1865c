// SPDX-License-Identifier: GPL-2.0
#include "report/nest.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>

#include "base/array.h"

/**
 * struct nest_task - calls of a task
 * @task: number of the task
 * @call: calls that wait, in the order of their ends
 * @nr: how many
 * @left_out: calls that were not kept
 */
struct nest_task {
	uint64_t task;
	struct nest_call *call;
	size_t nr;
	uint64_t left_out;
};

/**
 * struct nests - calls of all tasks
 * @tasks: tree of struct nest_task
 * @taken: what nests_take() returned last
 */
struct nests {
	void *tasks;
	struct nest_call *taken;
};

static int compare_tasks(const void *a, const void *b)
{
	const struct nest_task *x = a, *y = b;

	return x->task < y->task ? -1 : x->task > y->task;
}

struct nests *nests_new(void)
{
	return calloc(1, sizeof(struct nests));
}

static void free_task(void *task)
{
	struct nest_task *t = task;

	free(t->call);
	free(t);
}

void nests_free(struct nests *n)
{
	if (!n)
		return;
	tdestroy(n->tasks, free_task);
	free(n->taken);
	free(n);
}

/* Return: NULL: no memory */
static struct nest_task *find_task(struct nests *n, uint64_t task)
{
	const struct nest_task key = { .task = task };
	struct nest_task *new, **found;

	found = tfind(&key, &n->tasks, compare_tasks);
	if (found)
		return *found;
	new = calloc(1, sizeof(*new));
	if (!new)
		return NULL;
	new->task = task;
	if (tsearch(new, &n->tasks, compare_tasks))
		return new;
	free(new);
	return NULL;
}

int nests_add(struct nests *n, uint64_t task, const struct nest_call *call)
{
	struct nest_task *t = find_task(n, task);
	struct nest_call *more;

	if (!t)
		return -ENOMEM;
	if (t->nr >= NESTS_MAX) {
		t->left_out += t->nr;
		t->nr = 0;
	}
	more = array_grow(t->call, t->nr, sizeof(*more));
	if (!more)
		return -ENOMEM;
	t->call = more;
	more[t->nr++] = *call;
	return 0;
}

/* What begins at one time and ends later is around what ends before. */
static int compare_starts(const void *a, const void *b)
{
	const struct nest_call *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

static bool is_inside(const struct nest_call *outer, const struct nest_call *call)
{
	return call->start >= outer->start && call->end <= outer->end;
}

/*
 * @calls are in the order of their starts; the first one is around all others. @open has
 * room for all: the calls that are around the current one, by level.
 */
static void set_levels(struct nest_call *calls, size_t nr, size_t *open)
{
	size_t level = 0;

	open[0] = 0;
	calls[0].self = calls[0].end - calls[0].start;
	for (size_t i = 1; i < nr; i++) {
		struct nest_call *c = &calls[i];

		while (level && !is_inside(&calls[open[level]], c))
			level--;
		c->self = c->end - c->start;
		calls[open[level]].self -= c->self;
		open[++level] = i;
		c->level = level;
	}
}

/* Return: the calls inside @outer, behind it; or NULL. They are no longer @t's, unless kept. */
static struct nest_call *take_inside(struct nest_task *t, const struct nest_call *outer,
				     bool keep, size_t *nr)
{
	struct nest_call *taken = calloc(t->nr + 1, sizeof(*taken));
	size_t left = 0;

	if (!taken)
		return NULL;
	*nr = 0;
	taken[(*nr)++] = *outer;
	for (size_t i = 0; i < t->nr; i++) {
		const struct nest_call call = t->call[i];

		if (is_inside(outer, &call))
			taken[(*nr)++] = call;
		if (keep || call.start >= outer->end)
			t->call[left++] = call;
	}
	t->nr = left;
	return taken;
}

int nests_take(struct nests *n, uint64_t task, const struct nest_call *outer, bool keep,
	       struct nest_calls *ret)
{
	struct nest_task *t = find_task(n, task);
	size_t *open;

	free(n->taken);
	n->taken = t ? take_inside(t, outer, keep, &ret->nr) : NULL;
	open = n->taken ? calloc(ret->nr, sizeof(*open)) : NULL;
	if (!open)
		return -ENOMEM;
	qsort(n->taken + 1, ret->nr - 1, sizeof(*n->taken), compare_starts);
	set_levels(n->taken, ret->nr, open);
	free(open);
	ret->call = n->taken;
	ret->left_out = t->left_out;
	t->left_out = 0;
	return keep ? nests_add(n, task, outer) : 0;
}
