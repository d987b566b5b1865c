// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of stacks: what hits add, what the reader finds, and what decoding makes of it.
 * needs: kmod/hit/stacks.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "env_user.h"
#include "base/cleanup.h"
#include "decode/stacks.h"
#include "hit/stacks.h"
#include "wire/stacks.h"

#define BYTES	KTAP_STACKS_MIN

static u64 memory[BYTES / 8] __attribute__((aligned(64)));

/* struct hit - what a program leaves after its payload: one stack */
struct hit {
	u64 size;
	struct ktap_stack stack;
	u64 frames[KTAP_STACK_FRAMES_MAX];
};

static struct ktap_stacks begin(void)
{
	struct ktap_stacks t;

	env_reset();
	memset(memory, 0, sizeof(memory));
	ktap_stacks_init(&t, memory, BYTES, 1);
	return t;
}

/* @nr frames, of which the last one is @last. */
static struct hit hit_of(u16 nr, u64 last)
{
	struct hit h = { .stack = { .nr = nr, .end = KTAP_STACK_COMPLETE } };
	u16 i;

	for (i = 0; i < nr; i++)
		h.frames[i] = i == nr - 1 ? last : 0xffffffff81000000 + i;
	h.stack.id = ktap_stack_id(&h.stack);
	h.size = sizeof(h.stack) + nr * 8;
	return h;
}

static u64 keep(const struct ktap_stacks *t, struct hit h)
{
	ktap_stacks_keep(t, &h.size);
	return h.stack.id;
}

/* Reads what is new, for decoding. Return: its bytes. */
static size_t read_new(struct stack_reader *r, struct stacks *s)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	assert_int_equal(stack_reader_next(r, &b), 0);
	assert_int_equal(stacks_add(s, b.data, b.size), 0);
	return b.size;
}

static void test_add_and_read(void **state)
{
	struct ktap_stacks t = begin();
	struct stack_reader r = { 0 };
	struct stacks s = { 0 };
	u64 one = keep(&t, hit_of(3, 7)), two = keep(&t, hit_of(3, 8)), none;

	assert_int_equal(keep(&t, hit_of(3, 7)), one);
	assert_int_equal(stack_reader_init(&r, memory, BYTES), 0);
	assert_int_equal(read_new(&r, &s), 2 * (16 + 3 * 8));
	assert_int_equal(read_new(&r, &s), 0);
	assert_int_equal(stacks_find(&s, one)->frames[2], 7);
	assert_int_equal(stacks_find(&s, two)->frames[2], 8);
	assert_int_equal(stacks_find(&s, two)->end, KTAP_STACK_COMPLETE);
	none = keep(&t, hit_of(0, 0));
	assert_null(stacks_find(&s, none));
	assert_int_equal(read_new(&r, &s), 16);
	assert_int_equal(stacks_find(&s, none)->nr, 0);
	assert_int_equal(stack_reader_lost(&r), 0);
	stack_reader_deinit(&r);
	stacks_deinit(&s);
}

/* The reason of the end, and the mark, make another stack. */
static void test_ids(void **state)
{
	struct hit h = hit_of(2, 5);
	u64 id = h.stack.id;

	h.stack.end = KTAP_STACK_DEPTH;
	assert_int_not_equal(ktap_stack_id(&h.stack), id);
	h.stack.end = KTAP_STACK_COMPLETE;
	h.stack.flags = KTAP_STACK_F_UNSURE;
	assert_int_not_equal(ktap_stack_id(&h.stack), id);
	h.stack.flags = 0;
	h.stack.interrupted[3] = 1;
	assert_int_not_equal(ktap_stack_id(&h.stack), id);
	h.stack.interrupted[3] = 0;
	h.frames[0] ^= 1ULL << 63;
	assert_int_not_equal(ktap_stack_id(&h.stack), id);
	h.frames[0] ^= 1ULL << 63;
	assert_int_equal(ktap_stack_id(&h.stack), id);
}

/* All that found space are there, the others are counted, and none is wrong. */
static void test_full(void **state)
{
	struct ktap_stacks t = begin();
	struct stack_reader r = { 0 };
	struct stacks s = { 0 };
	u64 i, found = 0, nr = 2000;

	for (i = 1; i <= nr; i++)
		keep(&t, hit_of(9, i));
	assert_int_equal(stack_reader_init(&r, memory, BYTES), 0);
	read_new(&r, &s);
	for (i = 1; i <= nr; i++) {
		const struct ktap_stack *got =
			stacks_find(&s, hit_of(9, i).stack.id);

		if (!got)
			continue;
		found++;
		assert_int_equal(got->nr, 9);
		assert_int_equal(got->frames[8], i);
	}
	assert_in_range(found, 300, nr - 1);
	assert_int_equal(stack_reader_lost(&r), nr - found);
	/* a stack in the table is still found */
	keep(&t, hit_of(9, 1));
	assert_int_equal(stack_reader_lost(&r), nr - found);
	stack_reader_deinit(&r);
	stacks_deinit(&s);
}

static const struct ktap_stacks *nested;
static unsigned int points;

/* Interrupts add a stack of their own, and later ones the stack that is being added. */
static void interrupt(void)
{
	env_world.point = NULL;
	if (points > 1)
		keep(nested, hit_of(4, 1));
	keep(nested, hit_of(4, 1000 + points++));
	/* without an end, the hit would never find the space that it looked for */
	env_world.point = points < 8 ? interrupt : NULL;
}

static void test_nested(void **state)
{
	struct ktap_stacks t = begin();
	struct stack_reader r = { 0 };
	struct stacks s = { 0 };
	u64 id;

	nested = &t;
	points = 0;
	env_world.point = interrupt;
	id = keep(&t, hit_of(4, 1));
	env_world.point = NULL;
	assert_in_range(points, 4, 100);
	assert_int_equal(stack_reader_init(&r, memory, BYTES), 0);
	read_new(&r, &s);
	assert_int_equal(stacks_find(&s, id)->frames[3], 1);
	for (u64 i = 0; i < points; i++)
		assert_int_equal(stacks_find(&s, hit_of(4, 1000 + i).stack.id)->frames[3],
				 1000 + i);
	assert_int_equal(stack_reader_lost(&r), 0);
	stack_reader_deinit(&r);
	stacks_deinit(&s);
}

/* One that is not complete is read later; those after it are not held up. */
static void test_not_complete(void **state)
{
	struct ktap_stacks t = begin();
	struct stack_reader r = { 0 };
	struct stacks s = { 0 };
	u64 one = keep(&t, hit_of(1, 1)), two = keep(&t, hit_of(1, 2));
	u32 at = t.order[0];

	assert_int_equal(stack_reader_init(&r, memory, BYTES), 0);
	t.order[0] = 0;
	read_new(&r, &s);
	assert_null(stacks_find(&s, one));
	assert_non_null(stacks_find(&s, two));
	t.order[0] = at;
	assert_int_equal(read_new(&r, &s), 24);
	assert_non_null(stacks_find(&s, one));
	assert_int_equal(read_new(&r, &s), 0);
	stack_reader_deinit(&r);
	stacks_deinit(&s);
}

static void test_forged_tables(void **state)
{
	struct ktap_stacks t = begin();
	struct ktap_stacks_head good = *t.head, *h = t.head;
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct stack_reader r = { 0 };

	keep(&t, hit_of(1, 1));
	h->stacks_end = BYTES + 8;
	assert_int_equal(stack_reader_init(&r, memory, BYTES), -EPROTO);
	*h = good;
	h->order_off = 8;
	assert_int_equal(stack_reader_init(&r, memory, BYTES), -EPROTO);
	h->order_off = ~0U & ~3;
	assert_int_equal(stack_reader_init(&r, memory, BYTES), -EPROTO);
	*h = good;
	h->order_max = ~0U;
	assert_int_equal(stack_reader_init(&r, memory, BYTES), -EPROTO);
	*h = good;
	h->used += 1;
	assert_int_equal(stack_reader_init(&r, memory, BYTES), 0);
	t.order[0] = ~0U;
	assert_int_equal(stack_reader_next(&r, &b), -EPROTO);
	t.order[0] = (h->stacks_end - 16) / 8;
	((struct ktap_stack *)(memory + t.order[0]))->nr = 1;
	assert_int_equal(stack_reader_init(&r, memory, BYTES), 0);
	assert_int_equal(stack_reader_next(&r, &b), -EPROTO);
	stack_reader_deinit(&r);
}

static void test_forged_sections(void **state)
{
	struct hit h = hit_of(3, 7), huge = hit_of(127, 7);
	size_t size = sizeof(h.stack) + 3 * 8;
	struct stacks s = { 0 };
	u64 twice[10];

	for (size_t cut = 1; cut < size; cut++)
		assert_int_equal(stacks_add(&s, &h.stack, cut), -EBADMSG);
	huge.stack.nr = 128;
	assert_int_equal(stacks_add(&s, &huge.stack, sizeof(huge)), -EBADMSG);
	huge.stack.nr = 0xffff;
	assert_int_equal(stacks_add(&s, &huge.stack, sizeof(huge)), -EBADMSG);
	assert_null(stacks_find(&s, h.stack.id));
	/* the first one of two with one id stays */
	memcpy(twice, &h.stack, size);
	h.frames[2] = 8;
	memcpy(twice + size / 8, &h.stack, size);
	assert_int_equal(stacks_add(&s, twice, 2 * size), 0);
	assert_int_equal(stacks_find(&s, h.stack.id)->frames[2], 7);
	assert_int_equal(stacks_add(&s, twice, 0), 0);
	stacks_deinit(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add_and_read),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_not_complete),
		cmocka_unit_test(test_forged_tables),
		cmocka_unit_test(test_forged_sections),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
