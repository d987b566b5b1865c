// SPDX-License-Identifier: GPL-2.0
/* A ring with one writer that is never interrupted. */
#include "kring/single.h"

struct rig rig;
struct rig_reader reader;

struct rig_event events[4096];
unsigned int nr_events;

static void keep_event(void *ctx, const struct rig_event *e)
{
	assert_true(nr_events < ARRAY_SIZE(events));
	events[nr_events++] = *e;
}

void make(u64 bytes, u32 subbuf, u32 watermark, bool overwrite)
{
	rig_deinit(&rig);
	rig_init(&rig, bytes, subbuf, watermark, overwrite);
	reader = (struct rig_reader){ .event = keep_event };
	nr_events = 0;
}

int single_setup(void **state)
{
	env_reset();
	env_set_task(1, 1, "test");
	env_world.step = 1;
	env_world.mono_offset = 1ULL << 40;
	make(BYTES, SUBBUF, 0, false);
	return 0;
}

int single_teardown(void **state)
{
	rig_deinit(&rig);
	return 0;
}

/* A record of @size bytes in all. */
unsigned long put(u32 size)
{
	unsigned long failed = rig_write(&rig, KTAP_REC_FIRST_PROBE, size - HEAD);

	/* whatever came of it: nothing is left open */
	assert_int_equal(rig.ring.nest, 0);
	assert_int_equal(rig.prod->head, rig.prod->reserve);
	return failed;
}

void put_ok(u32 size)
{
	assert_int_equal(put(size), 0);
}

void read_all(void)
{
	const char *problem = rig_read(&reader, &rig);

	if (problem)
		fail_msg("at %llu: %s", reader.position, problem);
	assert_int_equal(reader.position, rig.prod->head);
}
