// SPDX-License-Identifier: GPL-2.0
/* Symbols of an earlier time: which addresses have them read again, and how often. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "place/symtab.h"

static const char before[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81000100 t inner\n"
	"ffffffff81000200 T _etext\n"
	"ffffffff81000300 D data\n"
	"ffffffff81000400 B _end\n"
	"ffffffffc0001000 t one\t[m]\n"
	"ffffffffc0001100 t two\t[m]\n"
	"ffffffffc0001200 d of_m\t[m]\n"
	"ffffffffc0003000 t bpf_prog_a\t[bpf]\n"
	"ffffffffc0003100 t bpf_prog_b\t[bpf]\n"
	"ffffffffc0004000 t ftrace_trampoline\t[__builtin__ftrace]\n"
	"ffffffffc0004100 t ftrace_trampoline\t[__builtin__ftrace]\n"
	"ffffffffc0005000 t end_of_k\t[k]\n"
	"ffffffffc0006000 t start_of_n\t[n]\n";

/* Each address that asks for it has another name. */
static const char after[] =
	"ffffffff81000000 T later_stext\n"
	"ffffffff81000100 t later_inner\n"
	"ffffffff81000400 B later_end\n"
	"ffffffff81000440 t behind_the_kernel\t[bpf]\n"
	"ffffffffc0001000 t later_one\t[m]\n"
	"ffffffffc0001140 t in_two\t[bpf]\n"
	"ffffffffc0001240 t behind_data\t[bpf]\n"
	"ffffffffc0003040 t in_a\t[bpf]\n"
	"ffffffffc0004040 t in_trampoline\t[bpf]\n"
	"ffffffffc0005040 t behind_k\t[bpf]\n"
	"ffffffffc0006040 t last\t[bpf]\n";

/* As /proc/kallsyms is for a user that may not see addresses */
static const char hidden[] =
	"0000000000000000 T _stext\n"
	"0000000000000000 t bpf_prog_a\t[bpf]\n";

static int renewals;
static int failure;
static const char *now;

static int renew(struct ksyms **ret)
{
	renewals++;
	return failure ? failure : ksyms_parse(now, strlen(now), NULL, ret);
}

static struct ksyms *old_ones(void)
{
	struct ksyms *ks = NULL;

	assert_int_equal(ksyms_parse(before, strlen(before), NULL, &ks), 0);
	ks->renew = renew;
	renewals = 0;
	failure = 0;
	now = after;
	return ks;
}

static const char *name_of(const struct ksyms *ks, uint64_t address)
{
	const struct ksym *sym = ksyms_by_address(ks, address);

	return sym ? sym->name : "none";
}

static void test_what_stays(void **state)
{
	struct ksyms *ks = old_ones();

	(void)state;
	ksyms_prepare(ks);
	assert_string_equal(name_of(ks, 0xffffffff81000010), "_stext");
	assert_string_equal(name_of(ks, 0xffffffff81000110), "inner");
	assert_string_equal(name_of(ks, 0xffffffff81000310), "none");
	assert_string_equal(name_of(ks, 0xffffffffc00010ff), "one");
	assert_string_equal(name_of(ks, 5ULL << KTAP_USER_FILE_SHIFT | 0x10), "none");
	assert_string_equal(name_of(ks, 0x7fffffffe000), "none");
	assert_string_equal(name_of(ks, 0), "none");
	assert_int_equal(renewals, 0);
	ksyms_free(ks);
}

static void test_what_may_change(void **state)
{
	static const struct {
		uint64_t address;
		const char *name;
	} rows[] = {
		{ 0xffffffff81000450, "behind_the_kernel" },
		{ 0xffffffffc0001150, "in_two" },
		{ 0xffffffffc0001250, "behind_data" },
		{ 0xffffffffc0003050, "in_a" },
		{ 0xffffffffc0004050, "in_trampoline" },
		{ 0xffffffffc0005050, "behind_k" },
		{ 0xffffffffc0006050, "last" },
		{ 0xffff800000000010, "none" },
	};
	struct ksyms *all = old_ones();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ksyms *ks = old_ones();

		assert_string_equal(name_of(ks, rows[i].address), rows[i].name);
		assert_int_equal(renewals, 1);
		ksyms_free(ks);
	}
	renewals = 0;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(name_of(all, rows[i].address), rows[i].name);
	assert_int_equal(renewals, 1);
	/* the others keep theirs, and strings that were given stay */
	assert_string_equal(name_of(all, 0xffffffff81000110), "inner");
	ksyms_free(all);
}

/* A renewal gave nothing, and was tried once. */
static void expect_old(const struct ksyms *ks)
{
	assert_string_equal(name_of(ks, 0xffffffffc0003050), "bpf_prog_a");
	assert_string_equal(name_of(ks, 0xffffffffc0001150), "two");
	assert_int_equal(renewals, 1);
}

static void test_cannot_be_read(void **state)
{
	struct ksyms *ks = old_ones();

	(void)state;
	failure = -EACCES;
	expect_old(ks);
	ksyms_free(ks);
}

static void test_hidden_meanwhile(void **state)
{
	struct ksyms *ks = old_ones();

	(void)state;
	now = hidden;
	expect_old(ks);
	ksyms_free(ks);
}

/* Those of a file, or that were read just now */
static void test_not_old(void **state)
{
	struct ksyms *ks = old_ones();

	(void)state;
	ks->renew = NULL;
	assert_string_equal(name_of(ks, 0xffffffffc0003050), "bpf_prog_a");
	assert_int_equal(renewals, 0);
	ksyms_free(ks);
}

/* ---- modules that are replaced ---- */

/* [m] was unloaded, [p] is in its place, and the last function of [p] has nothing after it. */
static const char replaced[] =
	"ffffffffc0001000 t in_p\t[p]\n"
	"ffffffffc0001080 t last_of_p\t[p]\n"
	"ffffffffc0005000 t end_of_k\t[k]\n"
	"ffffffffc0006000 t start_of_n\t[n]\n";
static const char gone[] =
	"ffffffffc0005000 t end_of_k\t[k]\n"
	"ffffffffc0006000 t start_of_n\t[n]\n";

static uint64_t number_of(void *ctx)
{
	return *(uint64_t *)ctx;
}

static bool follow(struct ksyms *ks, uint64_t number)
{
	return ksyms_follow(ks, &(struct ksyms_epoch){ .get = number_of, .ctx = &number });
}

static void test_follow(void **state)
{
	struct ksyms *ks = old_ones();

	(void)state;
	ks->epoch = 5;
	assert_false(follow(ks, 5));
	now = replaced;
	assert_string_equal(name_of(ks, 0xffffffffc0001010), "one");
	assert_int_equal(renewals, 0);
	assert_true(follow(ks, 6));
	assert_false(follow(ks, 6));
	assert_string_equal(name_of(ks, 0xffffffffc0001010), "in_p");
	assert_string_equal(name_of(ks, 0xffffffffc0001110), "last_of_p");
	/* vmlinux stays as it was */
	assert_string_equal(name_of(ks, 0xffffffff81000110), "inner");
	assert_int_equal(renewals, 1);
	/* it goes, too, and nothing takes its place: the last that was there */
	now = gone;
	assert_true(follow(ks, 7));
	assert_string_equal(name_of(ks, 0xffffffffc0001010), "in_p");
	assert_int_equal(renewals, 2);
	now = before;
	assert_true(follow(ks, 8));
	assert_string_equal(name_of(ks, 0xffffffffc0001010), "one");
	ksyms_free(ks);
}

/* What is remembered has its limit: after it, the first symbols are the oldest. */
static void test_follow_often(void **state)
{
	struct ksyms *ks = old_ones();
	uint64_t i;

	(void)state;
	now = replaced;
	assert_true(follow(ks, 1));
	assert_string_equal(name_of(ks, 0xffffffffc0001010), "in_p");
	now = gone;
	for (i = 2; i < 20; i++) {
		assert_true(follow(ks, i));
		assert_string_equal(name_of(ks, 0xffffffffc0001010),
				    i < 5 ? "in_p" : "one");
	}
	assert_int_equal(renewals, 19);
	ksyms_free(ks);
}

/* No number: something changed within a second. Not each of many readings is a change. */
static void test_follow_unsettled(void **state)
{
	struct ksyms *ks = old_ones();
	unsigned int i, changes = 0;

	(void)state;
	ks->epoch = 5;
	for (i = 0; i < 1000; i++)
		changes += follow(ks, 0);
	assert_in_range(changes, 1, 10);
	ks->asked_ns = 0;
	assert_true(follow(ks, 0));
	assert_true(follow(ks, 9));
	assert_false(follow(ks, 9));
	ksyms_free(ks);
}

/* Symbols of a file, none, and those that are withheld */
static void test_follow_others(void **state)
{
	struct ksyms *ks = old_ones(), *none = NULL;

	(void)state;
	assert_false(follow(NULL, 9));
	ks->renew = NULL;
	assert_false(follow(ks, 9));
	ksyms_free(ks);
	assert_int_equal(ksyms_parse(hidden, strlen(hidden), NULL, &none), 0);
	none->renew = renew;
	assert_false(follow(none, 9));
	ksyms_free(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_stays),
		cmocka_unit_test(test_what_may_change),
		cmocka_unit_test(test_cannot_be_read),
		cmocka_unit_test(test_hidden_meanwhile),
		cmocka_unit_test(test_not_old),
		cmocka_unit_test(test_follow),
		cmocka_unit_test(test_follow_often),
		cmocka_unit_test(test_follow_unsettled),
		cmocka_unit_test(test_follow_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
