// SPDX-License-Identifier: GPL-2.0
/* Call trees, against sums of the paths that they are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/tree.h"

#define NR_PATHS	3000
#define DEPTH_MAX	6

static unsigned int seed;

static uint32_t chance(uint32_t below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % below;
}

/* @text: "a;b;c" */
static void add(struct paths *p, const char *text, __int128 weight)
{
	char names[64];
	size_t nr = 1;

	snprintf(names, sizeof(names), "%s", text);
	for (char *at = names; *at; at++) {
		if (*at != ';')
			continue;
		*at = '\0';
		nr++;
	}
	assert_int_equal(paths_add(p, names, nr, weight), 0);
}

/* struct shown - lines in text form */
struct shown {
	char text[512];
	size_t size;
};

/* "a:7/2 " is the node a below no other, with the total 7 and 2 of its own. */
static int show(void *ctx, const struct tree_line *l)
{
	struct shown *s = ctx;

	for (size_t i = 0; i < l->depth; i++)
		s->size += sprintf(s->text + s->size, "%s%s", i ? ";" : "", l->names[i]);
	if (l->omitted)
		s->size += sprintf(s->text + s->size, "(%zu)", l->omitted);
	s->size += sprintf(s->text + s->size, ":%d/%d ", (int)l->total, (int)l->self);
	return 0;
}

static void expect(struct paths *p, double min, const char *text)
{
	struct shown s = { 0 };
	struct tree t = { 0 };

	assert_int_equal(tree_make(&t, p), 0);
	assert_int_equal(tree_walk(&t, min, show, &s), 0);
	assert_string_equal(s.text, text);
	tree_deinit(&t);
}

static void test_order(void **state)
{
	struct paths p = { 0 };

	expect(&p, 0, "");
	add(&p, "b", 2);
	add(&p, "a;b", 1);
	add(&p, "a;c;d", 3);
	add(&p, "a;a", 1);
	add(&p, "a;c", 1);
	expect(&p, 0, "a:6/0 a;c:4/1 a;c;d:3/3 a;a:1/1 a;b:1/1 b:2/2 ");
	paths_deinit(&p);
}

static void test_least(void **state)
{
	struct paths p = { 0 };

	add(&p, "a;b;c", 80);
	add(&p, "a;d", 6);
	add(&p, "a;e;f", 4);
	add(&p, "a;e;g", 3);
	add(&p, "h", 7);
	expect(&p, 7, "a:93/0 a;b:80/0 a;b;c:80/80 a;e:7/0 a;e(2):7/7 a(1):6/6 h:7/7 ");
	expect(&p, 10, "a:93/0 a;b:80/0 a;b;c:80/80 a(2):13/13 (1):7/7 ");
	expect(&p, 100, "(2):100/100 ");
	paths_deinit(&p);
}

/* Sums of values can be negative. A small node is one that is near 0. */
static void test_negative(void **state)
{
	struct paths p = { 0 };

	add(&p, "a", -50);
	add(&p, "b", 2);
	add(&p, "c", 148);
	expect(&p, 5, "c:148/148 a:-50/-50 (1):2/2 ");
	add(&p, "c", -100);
	expect(&p, 5, "c:48/48 b:2/2 a:-50/-50 ");
	paths_deinit(&p);
}

/* struct sums - what the lines of a tree add up to */
struct sums {
	const struct paths *paths;
	__int128 self;
	size_t nr;
};

static bool begins_with(const struct path *p, const struct tree_line *l)
{
	const char *name = p->text;

	for (size_t i = 0; i < l->depth; i++) {
		if (i == p->nr || strcmp(name, l->names[i]))
			return false;
		name += strlen(name) + 1;
	}
	return true;
}

static int add_up(void *ctx, const struct tree_line *l)
{
	struct sums *s = ctx;
	__int128 total = 0, self = 0;

	s->self += l->self;
	s->nr++;
	for (size_t i = 0; i < s->paths->nr; i++) {
		const struct path *p = &s->paths->path[i];

		if (l->omitted || !begins_with(p, l))
			continue;
		total += p->weight;
		self += p->nr == l->depth ? p->weight : 0;
	}
	if (!l->omitted) {
		assert_true(l->total == total);
		assert_true(l->self == self);
	}
	return 0;
}

static void test_sums(void **state)
{
	static const double mins[] = { 0, 1, 10 };
	struct paths p = { 0 };
	struct tree t = { 0 };
	size_t before = SIZE_MAX;
	__int128 all = 0;

	for (unsigned int i = 0; i < NR_PATHS; i++) {
		char text[2 * DEPTH_MAX + 1] = "";
		unsigned int depth = 1 + chance(DEPTH_MAX);
		uint32_t weight = chance(1000);

		for (unsigned int k = 0; k < depth; k++)
			sprintf(text + 2 * k, "%c;", 'a' + chance(3));
		text[2 * depth - 1] = '\0';
		add(&p, text, weight);
		all += weight;
	}
	assert_int_equal(tree_make(&t, &p), 0);
	for (size_t i = 0; i < ARRAY_SIZE(mins); i++) {
		struct sums s = { .paths = &p };

		assert_int_equal(tree_walk(&t, mins[i], add_up, &s), 0);
		assert_true(s.self == all);
		assert_true(s.nr < before);
		before = s.nr;
	}
	tree_deinit(&t);
	paths_deinit(&p);
}

static int stop(void *ctx, const struct tree_line *l)
{
	int *nr = ctx;

	return ++*nr == 2 ? -EPIPE : 0;
}

static void test_failure(void **state)
{
	struct paths p = { 0 };
	struct tree t = { 0 };
	int nr = 0;

	add(&p, "a;b;c", 1);
	add(&p, "d", 1);
	assert_int_equal(tree_make(&t, &p), 0);
	assert_int_equal(tree_walk(&t, 0, stop, &nr), -EPIPE);
	assert_int_equal(nr, 2);
	tree_deinit(&t);
	paths_deinit(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_negative),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
