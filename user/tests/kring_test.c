// SPDX-License-Identifier: GPL-2.0
/*
 * The writer's half of the ring, as the module has it: room, borders, modes.
 * needs: kmod/hit/ring.c user/tests/kring/rig.c user/tests/kring/single.c
 */
#include <stdlib.h>

#include "kring/single.h"

/* ---- keep-oldest --------------------------------------------------------- */

static void test_first_record(void **state)
{
	put_ok(96);
	assert_int_equal(rig.prod->head, FIRST + 96);
	read_all();
	assert_int_equal(reader.events, 1);
	assert_int_equal(events[0].id, KTAP_REC_FIRST_PROBE);
	assert_int_equal(events[0].position, FIRST);
}

static void test_producer_page(void **state)
{
	assert_int_equal(rig.prod->magic, KTAP_RING_MAGIC);
	assert_int_equal(rig.prod->size, BYTES);
	assert_int_equal(rig.prod->subbuf_size, SUBBUF);
	rig_deinit(&rig);
	rig.prod = calloc(1, sizeof(*rig.prod));
	ktap_ring_init(&rig.ring, rig.prod, &rig.cons, 5, BYTES, SUBBUF, 0, true);
	assert_int_equal(rig.prod->cpu, 5);
	assert_int_equal(rig.prod->head | rig.prod->reserve, 0);
}

static void test_many_laps(void **state)
{
	unsigned int i;

	for (i = 0; i < 4000; i++) {
		put_ok(72 + 8 * (i % 97));
		if (i % 3 == 0)
			read_all();
	}
	read_all();
	assert_int_equal(reader.events, 4000);
	assert_int_equal(reader.lost, 0);
	assert_true(reader.pads > 0);
	for (i = 0; i < 4000; i++)
		assert_int_equal(events[i].serial, i);
}

static void test_all_ids_and_the_largest_record(void **state)
{
	static const u32 ids[] = { KTAP_REC_FIRST_PROBE, 0x7fff, 0x8000, 0xffff };
	unsigned int i;

	make(4 << 17, 1 << 17, 0, false);
	for (i = 0; i < 4; i++)
		assert_int_equal(rig_write(&rig, ids[i], KTAP_RECORD_MAX - HEAD),
				 0);
	read_all();
	for (i = 0; i < 4; i++)
		assert_int_equal(events[i].id, ids[i]);
}

static void test_sub_buffer_filled_to_the_last_byte(void **state)
{
	put_ok(SUBBUF - FIRST);
	assert_int_equal(rig.prod->head, SUBBUF);
	put_ok(72);
	assert_int_equal(rig.prod->head, SUBBUF + FIRST + 72);
	read_all();
	assert_int_equal(reader.pads, 0);
	assert_int_equal(reader.events, 2);
}

static void test_padding(void **state)
{
	unsigned int room;

	for (room = 8; room <= 200; room += 8) {
		make(BYTES, SUBBUF, 0, false);
		put_ok(SUBBUF - FIRST - room);
		put_ok(room + 8 < 72 ? 72 : room + 8);
		read_all();
		assert_int_equal(reader.pads, room);
		assert_int_equal(events[1].position, SUBBUF + FIRST);
	}
}

static void test_padding_that_has_no_16_bits(void **state)
{
	struct ktap_rec_head pad;

	make(4 << 17, 1 << 17, 0, false);
	put_ok(65520);
	/* 131072 - 56 - 65520 = 65496, and one that needs 8 more */
	put_ok(65504);
	assert_int_equal(rig.prod->head, (1 << 17) + FIRST + 65504);
	/* 131072 - 56 - 65456 = 65560 are left: too much for 16 bits */
	make(4 << 17, 1 << 17, 0, false);
	put_ok(65456);
	env_set_task(2, 2, "other");
	put_ok(65536 - 8);
	memcpy(&pad, rig.ring.data + FIRST + 65456, sizeof(pad));
	assert_int_equal(pad.id, KTAP_REC_TASK);
	/* and here 65536, too little for the largest record with its time */
	make(4 << 17, 1 << 17, 0, false);
	put_ok(65480);
	env_world.clock += 1ULL << 31;
	put_ok(65528);
	memcpy(&pad, rig.ring.data + FIRST + 65480, sizeof(pad));
	assert_int_equal(pad.id, KTAP_REC_PAD);
	assert_int_equal(pad.size, 0);
	read_all();
	assert_int_equal(reader.events, 2);
	assert_int_equal(events[1].position, (1 << 17) + FIRST);
}

/* State and record together end where the sub-buffer does. */
static void test_state_that_just_fits_needs_no_padding(void **state)
{
	put_ok(SUBBUF - FIRST - 72 - sizeof(struct ktap_rec_task));
	env_set_task(2, 2, "other");
	put_ok(72);
	assert_int_equal(rig.prod->head, SUBBUF);
	read_all();
	assert_int_equal(reader.pads, 0);
}

static void test_full_ring_keeps_the_oldest(void **state)
{
	unsigned int i, kept = 0, lost = 0;

	for (i = 0; i < 100; i++) {
		unsigned long failed = put(200);

		assert_true(!failed || failed == KTAP_RING_FULL);
		if (failed)
			lost++;
		else
			kept++;
		/* what does not fit once does not fit later */
		assert_true(failed || !lost);
	}
	/* (1024 - 56) / 200 */
	assert_int_equal(kept, 4 * 4);
	read_all();
	assert_int_equal(reader.events, kept);
	assert_int_equal(reader.lost, 0);

	put_ok(200);
	read_all();
	assert_int_equal(reader.lost, lost);
	assert_int_equal(events[kept].serial, 100);
	put_ok(200);
	read_all();
	assert_int_equal(reader.lost, lost);
}

static void test_last_byte_of_a_full_ring(void **state)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		put_ok(SUBBUF - FIRST);
	assert_int_equal(rig.prod->head, BYTES);
	assert_int_equal(put(72), KTAP_RING_FULL);
	/* room for the record but not for the start of its sub-buffer */
	rig.cons.tail = 72;
	assert_int_equal(put(72), KTAP_RING_FULL);
	/* the start, and what was lost, and the record */
	rig.cons.tail = 72 + FIRST + sizeof(struct ktap_rec_lost) - 8;
	assert_int_equal(put(72), KTAP_RING_FULL);
	rig.cons.tail += 8;
	put_ok(72);
	assert_int_equal(put(72), KTAP_RING_FULL);
}

static void test_last_byte_in_the_middle_of_a_sub_buffer(void **state)
{
	put_ok(72);
	rig.cons.tail = rig.prod->head - BYTES + 72 - 8;
	rig.ring.soft_end = 0; /* as if its sub-buffer had not been free */
	assert_int_equal(put(72), KTAP_RING_FULL);
	/* now it would be the record and what was lost */
	rig.cons.tail += 8;
	assert_int_equal(put(72), KTAP_RING_FULL);
	rig.cons.tail += sizeof(struct ktap_rec_lost);
	put_ok(72);
	rig.cons.tail = rig.prod->head - BYTES + 72;
	put_ok(72);
}

static void test_too_big(void **state)
{
	assert_int_equal(put(SUBBUF - FIRST + 8), KTAP_RING_BIG);
	assert_int_equal(put(SUBBUF), KTAP_RING_BIG);
	assert_int_equal(put(SUBBUF + 8), KTAP_RING_BIG);
	assert_int_equal(put(KTAP_RECORD_MAX), KTAP_RING_BIG);
	assert_int_equal(rig.prod->reserve, 0);
	put_ok(72);
	assert_int_equal(put(SUBBUF), KTAP_RING_BIG);
	put_ok(72);
	read_all();
	assert_int_equal(reader.lost, 5);
	assert_int_equal(reader.events, 2);
}

/* ---- overwrite -------------------------------------------------------------- */

static void test_overwrite_never_refuses(void **state)
{
	const char *problem;
	unsigned int i;

	make(BYTES, SUBBUF, 0, true);
	for (i = 0; i < 1000; i++) {
		put_ok(72 + 8 * (i % 100));
		problem = rig_glance(&rig);
		if (problem)
			fail_msg("after %u: %s", i + 1, problem);
	}
	assert_true(rig.prod->head > 10 * BYTES);
	assert_int_equal(rig.ring.lost, 0);
	/* the newest three sub-buffers are there whole */
	reader.position = rig.prod->head / SUBBUF * SUBBUF - 3 * SUBBUF;
	read_all();
	assert_int_equal(events[nr_events - 1].serial, 999);
	for (i = 1; i < nr_events; i++)
		assert_int_equal(events[i].serial, events[i - 1].serial + 1);
}

/* ---- space for the largest record -------------------------------------------- */

static bool try_room(struct ktap_ring_room *room, u32 size)
{
	room->size = size;
	return ktap_ring_try_room(&rig.ring, env_task(), room);
}

static void test_trim_and_cancel_free_the_room(void **state)
{
	struct ktap_ring_room room;
	u64 before;

	put_ok(72);
	before = rig.prod->head;
	assert_true(try_room(&room, 200));
	assert_int_equal(rig.prod->reserve, before + 200);
	ktap_ring_cancel(&rig.ring, &room);
	ktap_ring_publish(&rig.ring, rig.ring.prod);
	assert_int_equal(rig.prod->reserve, before);
	assert_int_equal(rig.prod->head, before);
	/* up to the end of the sub-buffer, and no further */
	assert_false(try_room(&room, SUBBUF - before + 8));
	assert_true(try_room(&room, SUBBUF - before));
	ktap_ring_cancel(&rig.ring, &room);
	ktap_ring_publish(&rig.ring, rig.ring.prod);
	put_ok(72);
	assert_int_equal(rig.prod->head, before + 72);
	read_all();
	assert_int_equal(reader.events, 2);
	assert_int_equal(reader.lost, 0);
}

/* Readers in overwrite mode rely on a position that only grows. */
static void test_overwrite_has_no_room(void **state)
{
	struct ktap_ring_room room;
	u64 before;

	make(BYTES, SUBBUF, 0, true);
	put_ok(72);
	before = rig.prod->reserve;
	assert_false(try_room(&room, 200));
	assert_int_equal(rig.prod->reserve, before);
	put_ok(72);
	read_all();
	assert_int_equal(reader.events, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SINGLE_TEST(test_first_record),
		SINGLE_TEST(test_producer_page),
		SINGLE_TEST(test_many_laps),
		SINGLE_TEST(test_all_ids_and_the_largest_record),
		SINGLE_TEST(test_sub_buffer_filled_to_the_last_byte),
		SINGLE_TEST(test_padding),
		SINGLE_TEST(test_padding_that_has_no_16_bits),
		SINGLE_TEST(test_state_that_just_fits_needs_no_padding),
		SINGLE_TEST(test_full_ring_keeps_the_oldest),
		SINGLE_TEST(test_last_byte_of_a_full_ring),
		SINGLE_TEST(test_last_byte_in_the_middle_of_a_sub_buffer),
		SINGLE_TEST(test_too_big),
		SINGLE_TEST(test_overwrite_never_refuses),
		SINGLE_TEST(test_trim_and_cancel_free_the_room),
		SINGLE_TEST(test_overwrite_has_no_room),
	};

	return cmocka_run_group_tests_name("kring", tests, NULL, NULL);
}
