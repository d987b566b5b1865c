// SPDX-License-Identifier: GPL-2.0
/* Calls inside calls, against trees that are made here and whose order of returns is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>

#include "report/nest.h"

#define CALLS_MAX	2000
#define TASKS		3

static unsigned int seed;

static uint32_t chance(uint32_t below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % below;
}

/**
 * struct made - a tree
 * @call: calls in the order of their starts, with the level and the self that they have
 * @nr: how many
 * @now: time
 */
struct made {
	struct nest_call call[CALLS_MAX];
	size_t nr;
	uint64_t now;
};

/* Makes a call of @level, and adds it to @n when it returns. Return: its time. */
static uint64_t make(struct made *m, struct nests *n, uint64_t task, unsigned int level)
{
	size_t i = m->nr++;
	struct nest_call *c = &m->call[i];
	uint64_t inside = 0;

	*c = (struct nest_call){ .start = m->now, .function = i, .level = level };
	m->now += 1 + chance(5);
	while (m->nr < CALLS_MAX && level < 200 && chance(level < 4 ? 8 : 2)) {
		inside += make(m, n, task, level + 1);
		m->now += chance(3);
	}
	c->end = m->now;
	c->self = c->end - c->start - inside;
	/* the next one does not begin when this one ends: a probe takes time */
	m->now++;
	if (level)
		assert_int_equal(nests_add(n, task, c), 0);
	return c->end - c->start;
}

static void compare(const struct made *m, const struct nest_calls *got)
{
	assert_int_equal(got->nr, m->nr);
	assert_int_equal(got->left_out, 0);
	for (size_t i = 0; i < m->nr; i++) {
		assert_int_equal(got->call[i].function, m->call[i].function);
		assert_int_equal(got->call[i].level, m->call[i].level);
		assert_int_equal(got->call[i].self, m->call[i].self);
	}
}

static void test_random(void **state)
{
	static struct made m[TASKS];
	struct nests *n = nests_new();
	struct nest_calls got;

	assert_non_null(n);
	for (unsigned int round = 0; round < 200; round++) {
		seed = round;
		for (int t = 0; t < TASKS; t++) {
			m[t] = (struct made){ .now = 100000 * round };
			make(&m[t], n, t, 0);
		}
		for (int t = 0; t < TASKS; t++) {
			assert_int_equal(nests_take(n, t, &m[t].call[0], false, &got), 0);
			compare(&m[t], &got);
		}
	}
	nests_free(n);
}

static void add(struct nests *n, uint64_t start, uint64_t end)
{
	const struct nest_call call = { .start = start, .end = end };

	assert_int_equal(nests_add(n, 1, &call), 0);
}

/* What another call had inside, and what came too late, is not inside this one. */
static void test_others(void **state)
{
	const struct nest_call outer = { .start = 10, .end = 20 };
	const struct nest_call later = { .start = 20, .end = 40 };
	struct nests *n = nests_new();
	struct nest_calls got;

	add(n, 1, 5);
	add(n, 8, 12);
	add(n, 12, 14);
	add(n, 25, 30);
	assert_int_equal(nests_take(n, 1, &outer, false, &got), 0);
	assert_int_equal(got.nr, 2);
	assert_int_equal(got.call[1].start, 12);
	assert_int_equal(got.call[0].self, 8);
	assert_int_equal(nests_take(n, 2, &outer, false, &got), 0);
	assert_int_equal(got.nr, 1);
	assert_int_equal(nests_take(n, 1, &later, false, &got), 0);
	assert_int_equal(got.nr, 2);
	assert_int_equal(got.call[1].start, 25);
	nests_free(n);
}

/* A function that calls itself: the inner call is shown, and is inside the outer one. */
static void test_recursive(void **state)
{
	const struct nest_call inner = { .start = 20, .end = 30 };
	const struct nest_call outer = { .start = 10, .end = 40 };
	struct nests *n = nests_new();
	struct nest_calls got;

	add(n, 22, 24);
	assert_int_equal(nests_take(n, 1, &inner, true, &got), 0);
	assert_int_equal(got.nr, 2);
	assert_int_equal(nests_take(n, 1, &outer, true, &got), 0);
	assert_int_equal(got.nr, 3);
	assert_int_equal(got.call[1].level, 1);
	assert_int_equal(got.call[1].self, 8);
	assert_int_equal(got.call[2].level, 2);
	nests_free(n);
}

/* The task changes to a CPU whose clock is behind: no time is negative. */
static void test_clock(void **state)
{
	const struct nest_call outer = { .start = 10, .end = 20 };
	const struct nest_call back = { .start = 50, .end = 49 };
	struct nests *n = nests_new();
	struct nest_calls got;

	add(n, 10, 18);
	add(n, 12, 20);
	add(n, 14, 13);
	assert_int_equal(nests_take(n, 1, &outer, false, &got), 0);
	assert_int_equal(got.nr, 4);
	assert_int_equal(got.call[0].self, 0);
	assert_int_equal(got.call[3].end, 14);
	assert_int_equal(got.call[3].self, 0);
	assert_int_equal(nests_take(n, 1, &back, false, &got), 0);
	assert_int_equal(got.nr, 1);
	assert_int_equal(got.call[0].end, 50);
	assert_int_equal(got.call[0].self, 0);
	nests_free(n);
}

/* A function calls itself although its code does not show it. */
static void test_unexpected(void **state)
{
	const struct nest_call first = { .start = 100, .end = 110 };
	const struct nest_call inner = { .start = 250, .end = 260 };
	const struct nest_call outer = { .start = 200, .end = 300 };
	struct nests *n = nests_new();
	struct nest_calls got;

	assert_int_equal(nests_take(n, 1, &first, false, &got), 0);
	add(n, 210, 220);
	add(n, 230, 240);
	assert_int_equal(nests_take(n, 1, &inner, false, &got), 0);
	assert_int_equal(got.nr, 1);
	assert_int_equal(nests_take(n, 1, &outer, false, &got), 0);
	assert_int_equal(got.nr, 4);
	assert_int_equal(got.call[0].self, 70);
	nests_free(n);
}

/* Functions that may call themselves, and do not: each call costs the same. */
static void test_kept(void **state)
{
	struct nests *n = nests_new();
	struct nest_calls got;

	for (uint64_t i = 0; i < 200000; i++) {
		const struct nest_call outer = { .start = 100 * i, .end = 100 * i + 90 };

		for (uint64_t j = 0; j < 8; j++)
			add(n, outer.start + 10 * j + 1, outer.start + 10 * j + 5);
		assert_int_equal(nests_take(n, 1, &outer, true, &got), 0);
		assert_true(got.left_out || got.nr == 9);
	}
	nests_free(n);
}

static void test_too_many(void **state)
{
	const struct nest_call outer = { .start = 0, .end = UINT64_MAX };
	const struct nest_call later = { .start = UINT64_MAX - 1, .end = UINT64_MAX };
	struct nests *n = nests_new();
	struct nest_calls got;

	for (uint64_t i = 0; i < NESTS_MAX + 5; i++)
		add(n, 2 * i, 2 * i + 1);
	assert_int_equal(nests_take(n, 1, &outer, false, &got), 0);
	assert_int_equal(got.left_out, NESTS_MAX);
	assert_int_equal(got.nr, 1 + 5);
	assert_int_equal(nests_take(n, 1, &later, false, &got), 0);
	assert_int_equal(got.left_out, 0);
	nests_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_recursive),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_unexpected),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
