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
 * @last: start of the last outermost call
 */
struct nest_task {
	uint64_t task;
	struct nest_call *call;
	size_t nr;
	uint64_t last;
};

/**
 * struct nests - calls of all tasks
 * @tasks: tree of struct nest_task
 * @nr: calls that wait, in all
 * @taken: what nests_take() returned last
 * @newest: end of the newest call
 * @left_out: calls that were not kept
 * @left_until: they ended before
 */
struct nests {
	void *tasks;
	size_t nr;
	struct nest_call *taken;
	uint64_t newest;
	uint64_t left_out;
	uint64_t left_until;
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

static void leave_all_out(struct nests *n)
{
	tdestroy(n->tasks, free_task);
	n->tasks = NULL;
	n->left_out += n->nr;
	n->left_until = n->newest;
	n->nr = 0;
}

/* Clocks of CPUs differ by a little. */
static struct nest_call forwards(const struct nest_call *call)
{
	struct nest_call c = *call;

	if (c.end < c.start)
		c.end = c.start;
	return c;
}

int nests_add(struct nests *n, uint64_t task, const struct nest_call *call)
{
	struct nest_call *more;
	struct nest_task *t;

	if (n->nr >= NESTS_MAX)
		leave_all_out(n);
	t = find_task(n, task);
	more = t ? array_grow(t->call, t->nr, sizeof(*more)) : NULL;
	if (!more)
		return -ENOMEM;
	t->call = more;
	more[t->nr] = forwards(call);
	if (more[t->nr].end > n->newest)
		n->newest = more[t->nr].end;
	t->nr++;
	n->nr++;
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
		struct nest_call *c = &calls[i], *outer;

		while (level && !is_inside(&calls[open[level]], c))
			level--;
		c->self = c->end - c->start;
		outer = &calls[open[level]];
		outer->self -= c->self < outer->self ? c->self : outer->self;
		open[++level] = i;
		c->level = level;
	}
}

/* The first call of @t that ended at @time or later. */
static size_t first_since(const struct nest_task *t, uint64_t time)
{
	size_t i = t->nr;

	while (i && t->call[i - 1].end >= time)
		i--;
	return i;
}

/* Return: @outer and the calls inside it, or NULL */
static struct nest_call *copy_inside(const struct nest_task *t, const struct nest_call *outer,
				     size_t *nr)
{
	size_t first = first_since(t, outer->start);
	struct nest_call *taken = calloc(t->nr - first + 1, sizeof(*taken));

	if (!taken)
		return NULL;
	*nr = 0;
	taken[(*nr)++] = *outer;
	for (size_t i = first; i < t->nr; i++)
		if (is_inside(outer, &t->call[i]))
			taken[(*nr)++] = t->call[i];
	return taken;
}

/*
 * Removes what cannot be inside another call. Where a function called itself although its
 * code does not show it, the calls before the inner one are still there for the outer one.
 */
static void remove_old(struct nests *n, struct nest_task *t, const struct nest_call *outer)
{
	uint64_t last = t->last;
	size_t old;

	t->last = outer->start;
	if (last >= outer->start)
		return;
	old = first_since(t, last);
	t->nr -= old;
	n->nr -= old;
	for (size_t i = 0; i < t->nr; i++)
		t->call[i] = t->call[old + i];
}

int nests_take(struct nests *n, uint64_t task, const struct nest_call *call, bool keep,
	       struct nest_calls *ret)
{
	const struct nest_call around = forwards(call), *outer = &around;
	struct nest_task *t = find_task(n, task);
	size_t *open;

	free(n->taken);
	n->taken = t ? copy_inside(t, outer, &ret->nr) : NULL;
	open = n->taken ? calloc(ret->nr, sizeof(*open)) : NULL;
	if (!open)
		return -ENOMEM;
	qsort(n->taken + 1, ret->nr - 1, sizeof(*n->taken), compare_starts);
	set_levels(n->taken, ret->nr, open);
	free(open);
	ret->call = n->taken;
	ret->left_out = outer->start < n->left_until ? n->left_out : 0;
	if (!keep)
		remove_old(n, t, outer);
	return nests_add(n, task, outer);
}
