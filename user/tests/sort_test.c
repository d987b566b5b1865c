// SPDX-License-Identifier: GPL-2.0
/* Sorting by numbers, against qsort(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sort.h"

#define NR 5000

/* No multiple of eight bytes; @place: where it was */
struct element {
	char before[4];
	char number[8];
	uint16_t place;
};

static uint64_t number_of(const struct element *e)
{
	uint64_t number;

	memcpy(&number, e->number, sizeof(number));
	return number;
}

static int compare(const void *a, const void *b)
{
	const struct element *x = a, *y = b;
	uint64_t number = number_of(x), other = number_of(y);

	if (number != other)
		return number < other ? -1 : 1;
	return x->place - y->place;
}

/* Numbers of @bits bits, from the lowest or from the highest on: small ones repeat. */
static void fill(struct element *array, unsigned int bits, unsigned int shift)
{
	uint64_t random = bits + shift;

	memset(array, 0, NR * sizeof(*array));
	for (size_t i = 0; i < NR; i++) {
		uint64_t number;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		number = random >> (64 - bits) << shift;
		memcpy(array[i].number, &number, sizeof(number));
		array[i].place = i;
	}
}

static void check(unsigned int bits, unsigned int shift)
{
	static struct element array[NR], wanted[NR];

	fill(array, bits, shift);
	memcpy(wanted, array, sizeof(array));
	qsort(wanted, NR, sizeof(*wanted), compare);
	assert_int_equal(sort_by_u64(array, NR, sizeof(*array),
				     offsetof(struct element, number)), 0);
	assert_memory_equal(array, wanted, sizeof(array));
}

static void test_numbers(void **state)
{
	check(64, 0);
	check(8, 0);
	check(8, 56);
	check(16, 8);
	check(33, 31);
	check(1, 63);
}

static void test_few(void **state)
{
	uint64_t two[] = { 2, 1 };

	assert_int_equal(sort_by_u64(two, 0, sizeof(*two), 0), 0);
	assert_int_equal(sort_by_u64(two, 1, sizeof(*two), 0), 0);
	assert_int_equal(two[0], 2);
	assert_int_equal(sort_by_u64(two, 2, sizeof(*two), 0), 0);
	assert_true(two[0] == 1 && two[1] == 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_few),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
