// SPDX-License-Identifier: GPL-2.0
/*
 * store(), $load() and $take(): compiled, and run by the module's own interpreter.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hit/state.h"
#include "tests/ran.h"

static struct ktap_state_set sets[4];
static const struct ktap_state table = { .sets = sets, .mask = 3 };

static int setup(void **state)
{
	ks = built_symbols();
	ran_state = &table;
	return 0;
}

static int teardown(void **state)
{
	ksyms_free(ks);
	return 0;
}

static int forget(void **state)
{
	memset(sets, 0, sizeof(sets));
	return 0;
}

/* Runs a definition that makes no record, or whose record is not looked at. */
static void hit(const char *text)
{
	struct hit *h = calloc(1, sizeof(*h));

	run(h, text);
	built_deinit(&h->b);
	free(h);
}

/* The value of the argument x; @absent: it has no entry. */
static u64 value(const char *text, bool absent)
{
	struct hit *h = calloc(1, sizeof(*h));
	const struct layout *layout;
	const struct field *f;
	u64 mask = 0, x;

	run(h, text);
	layout = h->b.program->layout;
	f = built_field(&h->b, "x");
	assert_true(f->state);
	memcpy(&mask, h->payload + layout->faults_offset, layout->faults_size);
	assert_int_equal(mask >> f->absent & 1, absent);
	assert_int_equal(faulted(h, "x"), absent);
	x = number(h, "x");
	built_deinit(&h->b);
	free(h);
	return x;
}

static bool passes(const char *text)
{
	struct hit *h = calloc(1, sizeof(*h));
	bool ret;

	run_any(h, text);
	ret = h->len >= 0;
	built_deinit(&h->b);
	free(h);
	return ret;
}

static void test_load_and_take(void **state)
{
	value("vfs_read x=$load(5)", true);
	hit("vfs_read store(5,%cx)");
	assert_int_equal(value("vfs_read x=$load(5)", false), -7);
	assert_int_equal(value("vfs_read x=$take(5)+8", false), 1);
	value("vfs_read x=$take(5)", true);
}

/* Arguments see what was there before the hit, wherever store() stands. */
static void test_stores_are_last(void **state)
{
	hit("vfs_read store(%di,1)");
	assert_int_equal(value("vfs_read store(%di,2) x=$load(%di)", false), 1);
	assert_int_equal(value("vfs_read x=$take(%di) store(%di,3)", false), 2);
	assert_int_equal(value("vfs_read store(9,$load(%di)+1) x=$load(%di)", false), 3);
	assert_int_equal(value("vfs_read x=$load(9)", false), 4);
}

/* Deep keys and deep values: neither overwrites the other. */
static void test_slots(void **state)
{
	hit("vfs_read store((%di+1)*(%di-1),7) store(1,(%dx+1)*(%dx-1)-(%dx+2)*(%dx-2))");
	assert_int_equal(value("vfs_read x=$load((%di+1)*(%di-1))", false), 7);
	assert_int_equal(value("vfs_read x=$load(1)", false), 3);
}

/* A hit that the filter rejects neither stores nor takes. */
static void test_filters(void **state)
{
	assert_false(passes("vfs_read store(5,50) if %dx > 100"));
	value("vfs_read x=$load(5)", true);
	assert_true(passes("vfs_read store(5,50) if %dx == 100"));
	assert_false(passes("vfs_read x=$take(5) if x > 50"));
	assert_false(passes("vfs_read if $take(5) > 50"));
	assert_int_equal(value("vfs_read x=$take(5) if x == 50", false), 50);
	value("vfs_read x=$load(5)", true);
	hit("vfs_read store(5,50)");
	assert_true(passes("vfs_read if $take(5) == 50"));
	value("vfs_read x=$load(5)", true);
	/* what is absent passes no filter */
	assert_false(passes("vfs_read if $load(5) < 50"));
}

/* An errno looks at its value several times, and takes it once. */
static void test_errno(void **state)
{
	hit("vfs_read store(5,(u32)-2)");
	assert_int_equal((int)value("vfs_read x=$take(5):errno", false), -2);
	value("vfs_read x=$take(5):errno", true);
	hit("vfs_read store(5,12)");
	assert_int_equal(value("vfs_read x=$take(5):errno", false), 12);
	value("vfs_read x=$take(5):errno", true);
}

static void test_layouts(void **state)
{
	struct built b;

	build(&b, "vfs_read store(5,%di)", X86);
	assert_true(b.program->layout->silent);
	assert_int_equal(b.program->layout->nr_fields, 0);
	built_deinit(&b);
	build(&b, "vfs_read%return store(5,$retval)", X86);
	assert_true(b.program->layout->silent);
	assert_false(b.program->layout->is_return);
	assert_int_equal(b.program->layout->fixed_size, 0);
	built_deinit(&b);
	build(&b, "vfs_read%return store(5,$retval) count()", X86);
	assert_false(b.program->layout->silent);
	assert_true(b.program->layout->is_return);
	built_deinit(&b);
	build(&b, "vfs_read store(5,%di) a=%di $load(6)", X86);
	assert_false(b.program->layout->silent);
	assert_int_equal(b.program->layout->nr_fields, 2);
	assert_int_equal(built_field(&b, "load")->format, FORMAT_UNSIGNED);
	built_deinit(&b);
}

/* $task is a task; the address of it is a number. */
static void test_tasks(void **state)
{
	const struct ktap_insn *i;
	struct built b;

	build(&b, "vfs_read store($task,1) x=$take($task)", X86);
	for (i = b.program->insns; i->op != KTAP_OP_END; i++) {
		if (i->op == KTAP_OP_STATE_PUT)
			assert_int_equal(i->flags, KTAP_INSN_F_TASK);
		if (i->op == KTAP_OP_STATE_GET)
			assert_int_equal(i->flags, KTAP_INSN_F_TASK | KTAP_INSN_F_TAKE);
	}
	built_deinit(&b);
	build(&b, "vfs_read store((u64)$task,1)", X86);
	for (i = b.program->insns; i->op != KTAP_OP_END; i++)
		assert_false(i->flags & KTAP_INSN_F_TASK);
	built_deinit(&b);
}

#define TEST(t) cmocka_unit_test_setup(t, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_load_and_take),
		TEST(test_stores_are_last),
		TEST(test_slots),
		TEST(test_filters),
		TEST(test_errno),
		TEST(test_layouts),
		TEST(test_tasks),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
