// SPDX-License-Identifier: GPL-2.0
/*
 * Keys that differ only in some of their bits: a table that has room for them loses none,
 * whichever bits these are.
 * needs: kmod/hit/map.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "env_user.h"
#include "hit/map.h"
#include "hit/state.h"

#define WORDS	3	/* of a key, at most */
#define BITS	10	/* that count up */
#define NR_KEYS	(1U << BITS)

/* The @i-th key: a number that counts up, from bit @bit of the key on. */
static void make_key(u64 *key, u32 nr, u32 bit, u64 i)
{
	for (u32 n = 0; n < nr; n++)
		key[n] = 0x0a0000010a000002ULL * (n + 1);
	key[bit / 64] ^= i << bit % 64;
	if (bit % 64 > 64 - BITS && bit / 64 + 1 < nr)
		key[bit / 64 + 1] ^= i >> (64 - bit % 64);
}

/* Bits at which a key of @nr words counts. */
static u32 last_bit(u32 nr)
{
	return nr * 64 - BITS;
}

/* Return: keys that got no row of their own in a table of @nr_slots. */
static u32 without_row(u32 nr, u32 bit, u32 nr_slots)
{
	const struct ktap_session_map shape = { .nr_slots = nr_slots, .key_size = nr * 8 };
	struct ktap_map map;
	u64 key[WORDS];
	u32 lost = 0;
	u8 *table;

	assert_int_equal(ktap_map_init(&map, &shape), 0);
	table = calloc(1, ktap_map_bytes(&map));
	assert_non_null(table);
	ktap_map_begin(&map, table, 0);
	for (u32 i = 0; i < NR_KEYS; i++) {
		make_key(key, nr, bit, i);
		lost += !ktap_map_add(&map, table, (u8 *)key, nr * 8);
	}
	free(table);
	return lost;
}

static void test_rows(void **state)
{
	(void)state;
	for (u32 nr = 1; nr <= WORDS; nr++)
		for (u32 bit = 0; bit <= last_bit(nr); bit++) {
			/* half full, and as full as a table can be */
			assert_int_equal(without_row(nr, bit, 2 * NR_KEYS), 0);
			assert_in_range(without_row(nr, bit, NR_KEYS), 0, NR_KEYS / 50);
		}
}

/* Keys of high bits in all words at once. */
static void test_rows_of_high_bits(void **state)
{
	const struct ktap_session_map shape = { .nr_slots = 2 * NR_KEYS, .key_size = 24 };
	struct ktap_map map;
	u8 *table;

	(void)state;
	assert_int_equal(ktap_map_init(&map, &shape), 0);
	table = calloc(1, ktap_map_bytes(&map));
	assert_non_null(table);
	ktap_map_begin(&map, table, 0);
	for (u64 i = 0; i < NR_KEYS; i++) {
		u64 key[3] = { i << 60, i >> 4 << 60, i >> 8 << 60 };

		assert_true(ktap_map_add(&map, table, (u8 *)key, sizeof(key)));
	}
	free(table);
}

/* Return: entries that were replaced, of a quarter of what there is room for. */
static u32 replaced_at(u32 bit)
{
	const u32 nr_sets = 4 * NR_KEYS / KTAP_STATE_WAYS;
	struct ktap_state_set *sets = calloc(nr_sets, sizeof(*sets));
	const struct ktap_state table = { .sets = sets, .mask = nr_sets - 1 };
	struct ktap_state_key k = {};
	u32 nr = 0;

	assert_non_null(sets);
	for (u32 i = 0; i < NR_KEYS; i++) {
		bool replaced;

		make_key(&k.key, 1, bit, i);
		assert_true(ktap_state_put(&table, &k, 1, &replaced));
		nr += replaced;
	}
	free(sets);
	return nr;
}

/* By chance 8 ways of a set are full for one key in some thousands. */
static void test_entries(void **state)
{
	(void)state;
	for (u32 bit = 0; bit <= last_bit(1); bit++)
		assert_in_range(replaced_at(bit), 0, 3);
}

static int setup(void **state)
{
	(void)state;
	env_reset();
	env_world.clock = 1000;
	env_world.step = 1;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_rows, setup),
		cmocka_unit_test_setup(test_rows_of_high_bits, setup),
		cmocka_unit_test_setup(test_entries, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
