// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: a ring whose writers interrupt each other anywhere, under
 * changing tasks and clocks, with a reader who takes what he likes, or lies.
 * needs: kmod/hit/ring.c user/tests/kring/rig.c
 */
#include "fuzz.h"

#include <stdlib.h>

#include "kring/rig.h"

#define SUBBUF	512U
#define BYTES	(4 * SUBBUF)
#define ID	KTAP_REC_FIRST_PROBE
#define LEVELS	4

/*
 * struct state - one case
 * @depth: writers that are interrupted now
 * @next: points until the next interrupt
 * @forged: the tail was: what is in the ring means nothing any more
 * @failed: losses so far
 */
static __thread struct state {
	struct fuzz_bytes input;
	struct rig rig;
	struct rig_reader reader;
	unsigned int depth;
	unsigned int next;
	bool forged;
	u64 failed;
	u64 head;
	const char *problem;
} s;

static void complain(const char *problem)
{
	if (!s.problem)
		s.problem = problem;
}

/* Mostly small ones; some too big for a sub-buffer. */
static u32 some_payload(void)
{
	u32 words = fuzz_byte(&s.input);

	return RIG_PAYLOAD_MIN + 8 * (words & 0x80 ? words & 0x3f : words & 7);
}

static void put(void)
{
	if (rig_write(&s.rig, ID + s.depth, some_payload()))
		s.failed++;
}

static void on_point(void)
{
	if (s.rig.prod->head < s.head || s.rig.prod->head > s.rig.prod->reserve)
		complain("head goes back, or too far");
	s.head = s.rig.prod->head;
	if (s.next--)
		return;
	s.next = fuzz_byte(&s.input);
	/* without more input it would be an interrupt at every point */
	if (s.depth + 1 >= LEVELS || !s.input.left)
		return;
	s.depth++;
	put();
	s.depth--;
}

static void write_interrupted(void)
{
	s.next = fuzz_byte(&s.input) % 64;
	env_world.point = on_point;
	put();
	env_world.point = NULL;
	if (s.rig.ring.nest || s.rig.prod->head != s.rig.prod->reserve)
		complain("not all is published");
}

static void read_some(void)
{
	const char *problem = NULL;

	if (s.forged)
		return;
	problem = rig_glance(&s.rig);
	if (!problem && !s.rig.overwrite)
		problem = rig_read(&s.reader, &s.rig);
	if (problem)
		complain(problem);
}

static void forge_tail(void)
{
	s.forged = true;
	s.rig.cons.tail = fuzz_byte(&s.input) & 1 ?
		fuzz_word(&s.input) :
		s.rig.prod->head + (__s8)fuzz_byte(&s.input) * 16;
}

static void change_task(void)
{
	static const char * const names[] = { "a", "b", "a longer name" };
	u8 which = fuzz_byte(&s.input);

	env_set_task(which & 3, 1, names[which % 3]);
}

/* Mostly forward, and then hits may have to be slow for a while. */
static void change_clock(void)
{
	u64 ticks = fuzz_word(&s.input) >> (16 + fuzz_byte(&s.input) % 32);
	u8 how = fuzz_byte(&s.input);

	if (how < 32)
		ticks = -ticks;
	env_world.clock += ticks;
	env_world.quiet = how & 1 ? ~0ULL : (u64)how << (how % 32);
}

static void one_step(void)
{
	switch (fuzz_byte(&s.input) % 16) {
	case 0:
		change_task();
		break;
	case 1:
		change_clock();
		break;
	case 2:
		if (fuzz_byte(&s.input) < 16)
			forge_tail();
		break;
	case 3:
	case 4:
		read_some();
		break;
	default:
		write_interrupted();
	}
}

/* All that was written is read or counted. */
static void check_sums(void)
{
	struct rig_sums sums = { .tried = s.rig.serial, .failed = s.failed };
	const char *problem;

	if (s.forged || s.rig.overwrite)
		return;
	read_some();
	sums.read = s.reader.events;
	sums.told = s.reader.lost;
	problem = rig_account(&s.rig, &sums);
	if (problem)
		complain(problem);
}

const char *fuzz_ring(const uint8_t *data, size_t size)
{
	memset(&s, 0, sizeof(s));
	s.input = (struct fuzz_bytes){ data, size };
	env_reset();
	env_set_task(1, 1, "a");
	env_world.step = 1;
	rig_init(&s.rig, BYTES, SUBBUF, 0, fuzz_byte(&s.input) & 1);
	s.rig.quick = fuzz_byte(&s.input) & 1;
	s.rig.wild = true;
	if (fuzz_byte(&s.input) & 1)
		env_world.step = 1ULL << 30;
	while (s.input.left && !s.problem)
		one_step();
	if (!s.problem)
		check_sums();
	rig_deinit(&s.rig);
	return s.problem;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (fuzz_ring(data, size))
		abort();
	return 0;
}
