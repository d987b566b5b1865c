// SPDX-License-Identifier: GPL-2.0
/*
 * Plans of maps: random programs and maps, whose tables have to be the same, byte by byte,
 * whether a plan serves the hits or the interpreter; programs that have none; and hits that
 * interrupt a hit at each moment.
 * needs: kmod/hit/plan.c kmod/hit/map.c kmod/hit/verify.c kmod/hit/fetch.c
 * needs: kmod/hit/state.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

#include "../../kunit/insn.h"
#include "env_user.h"
#include "hit/fetch.h"
#include "hit/plan.h"
#include "hit/verify.h"

#define ROOM		(8 * KTAP_PLAN_WORDS)
#define NR_PROGRAMS	4000
#define NR_HITS		60
#define NR_INSNS	40

/* struct made - a program and a map, with a table for each of the two ways */
struct made {
	struct ktap_insn insns[NR_INSNS];
	u32 nr;
	u64 used; /* bytes of the payload */
	bool has_faults;
	struct ktap_prog_info info;
	struct ktap_session_map arg;
	struct ktap_map map;
	struct ktap_plan plan;
	struct ktap_map_slot *row; /* as struct ktap_cell has it */
	u8 *run;
	u8 *planned;
};

static struct {
	struct ktap_entry head;
	u64 word[4];
} entry;

static struct env_regs regs;
static unsigned int seed;

static u32 chance(u32 below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % below;
}

/* ---- programs and maps ---- */

static void add(struct made *m, struct ktap_insn insn)
{
	assert_true(m->nr < NR_INSNS);
	m->insns[m->nr++] = insn;
}

/* A place for a number. Return: false: there is none. */
static bool find_place(struct made *m, u32 size, u32 align, u32 *off)
{
	u64 bytes = (1ULL << size) - 1;

	for (u32 i = 0; i < 20; i++) {
		*off = chance((ROOM - size) / align + 1) * align;
		if (m->used & bytes << *off)
			continue;
		m->used |= bytes << *off;
		return true;
	}
	return false;
}

static void add_comm(struct made *m)
{
	u32 off;

	if (find_place(m, KTAP_COMM_LEN, 8, &off))
		add(m, (struct ktap_insn)COMM(off));
}

/* Return: whether it is somewhere. */
static bool add_number(struct made *m, bool is_key, u32 *off, u32 *size)
{
	*size = 1U << chance(4);
	if (!find_place(m, *size, *size, off))
		return false;
	if (is_key && !chance(5))
		add(m, (struct ktap_insn)CTX(1, TID));
	else if (is_key && !chance(5))
		add(m, (struct ktap_insn)CTX(1, TGID));
	else
		add(m, (struct ktap_insn)REG(1, chance(4)));
	add(m, (struct ktap_insn)STORE(1, *size, *off, NOBIT));
	return true;
}

static void add_elapsed(struct made *m, u32 off)
{
	u32 word = 8 * chance(4);

	add(m, (struct ktap_insn)CTX(1, TIME));
	add(m, (struct ktap_insn)ENTRY(2, word, 8, NOBIT, 0));
	add(m, (struct ktap_insn)ALU(1, 1, SUB, 2));
	add(m, (struct ktap_insn)STORE(1, 8, off, NOBIT));
}

static void take(struct made *m, u32 kind, u32 off, u32 size)
{
	struct ktap_map_value *v = &m->arg.values[m->arg.nr_values++];

	*v = (struct ktap_map_value){
		.kind = kind, .size = size, .off = off, .fault = KTAP_NO_FAULT,
		.flags = chance(2) ? KTAP_MAP_F_SIGNED : 0,
	};
	if (kind == KTAP_MAP_LINEAR) {
		v->nr = 5;
		v->min = chance(2) ? -3 : 1;
		v->step = 2;
	}
	if (m->has_faults && chance(2))
		v->fault = 0;
}

static void add_values(struct made *m)
{
	u32 off, size;

	if (chance(2) && add_number(m, false, &off, &size))
		take(m, KTAP_MAP_IGNORE, off, size);
	if (chance(3) && add_number(m, false, &off, &size)) {
		take(m, chance(2) ? KTAP_MAP_LOG2 : KTAP_MAP_SUM + chance(4), off, size);
	} else if (find_place(m, 8, 8, &off)) {
		add_elapsed(m, off);
		take(m, chance(2) ? KTAP_MAP_LOG2 : KTAP_MAP_STATS, off, 8);
	}
}

static void verify(struct made *m)
{
	struct ktap_prog_info entry_info = { .fixed_size = sizeof(entry.word) };
	struct ktap_prog_place place = { .is_return = true, .entry = &entry_info };
	u32 at;

	assert_int_equal(ktap_verify(m->insns, m->nr, &place, &m->info, &at), 0);
	m->arg.key_size = m->info.record_max - sizeof(struct ktap_rec_head);
	assert_int_equal(ktap_map_init(&m->map, &m->arg), 0);
	assert_int_equal(ktap_map_check(&m->map, &m->info), 0);
	m->run = calloc(1, ktap_map_bytes(&m->map));
	m->planned = calloc(1, ktap_map_bytes(&m->map));
	assert_true(m->run && m->planned);
	ktap_plan_make(&m->plan, m->insns, &m->info, &m->map);
}

static void random_program(struct made *m)
{
	u32 off = 0, size, nr;

	*m = (struct made){ .arg.nr_slots = 1U << chance(6) };
	m->has_faults = chance(2);
	if (m->has_faults) {
		m->has_faults = find_place(m, 1, 1, &off);
		m->arg.faults_off = off;
		m->arg.faults_size = 1;
	}
	if (chance(2))
		add_comm(m);
	if (chance(4))
		add_values(m);
	for (nr = chance(4); nr; nr--)
		add_number(m, true, &(u32){ 0 }, &size);
	if (m->has_faults)
		add(m, (struct ktap_insn)FAULTS(1, off));
	add(m, (struct ktap_insn)END());
	verify(m);
}

static void done(struct made *m)
{
	free(m->run);
	free(m->planned);
}

/* ---- hits ---- */

static void random_hit(void)
{
	static const u64 numbers[] = { 0, 1, 5, 0x8000, -1ULL, 1ULL << 63, 1ULL << 40, -4ULL };

	for (u32 i = 0; i < 4; i++)
		if (!chance(3))
			regs.r[i] = numbers[chance(ARRAY_SIZE(numbers))];
	if (!chance(4))
		env_world.comm[chance(2)] = chance(3);
	if (!chance(4))
		env_world.tid = 1 + chance(3);
	env_world.tgid = chance(2) ? 1 : 70000;
	env_world.ctx[KTAP_CTX_TID] = env_world.tid;
	env_world.ctx[KTAP_CTX_TGID] = env_world.tgid;
	env_world.ctx[KTAP_CTX_TIME] = 1000 + chance(100);
	for (u32 i = 0; i < ARRAY_SIZE(entry.word); i++)
		entry.word[i] = chance(1000);
}

static void hit_run(struct made *m)
{
	u8 *payload = calloc(1, m->info.room);
	const struct ktap_prog_info info = { .fixed_size = sizeof(entry.word) };
	const struct ktap_frame frame = {
		.regs = &regs, .entry = &entry.head, .entry_info = &info,
	};
	int len = ktap_fetch_run(m->insns, &m->info, &frame, payload, NULL);

	assert_true(len >= 0);
	ktap_map_add(&m->map, m->run, payload, len);
	free(payload);
}

static u64 value_of(const struct ktap_plan *p)
{
	u64 begin;

	if (p->source != KTAP_PLAN_ELAPSED)
		return env_reg_at(&regs, p->from);
	memcpy(&begin, entry.head.payload + p->from, sizeof(begin));
	return env_world.ctx[KTAP_CTX_TIME] - begin;
}

/* As routes.c does it. */
static void hit_planned(struct made *m)
{
	const struct ktap_plan *p = &m->plan;
	struct ktap_map_slot *row = READ_ONCE(m->row);
	u64 key[KTAP_PLAN_WORDS];

	if (!row || !ktap_plan_is_row(p, p->kind, row, &regs)) {
		ktap_plan_key(p, &regs, key);
		row = ktap_map_row(&m->map, m->planned, key, 8 * p->nr_words);
		if (row)
			WRITE_ONCE(m->row, row);
		else
			row = ktap_map_other(&m->map, m->planned);
	}
	env_add(&row->count, 1);
	if (p->value != KTAP_PLAN_COUNT)
		ktap_plan_value(p, p->kind, row, value_of(p));
}

static void test_random(void **state)
{
	u32 seen[KTAP_PLAN_PARTED + 1] = {}, values[KTAP_PLAN_OTHER + 1] = {};
	u32 words[KTAP_PLAN_WORDS + 1] = {};
	struct made m;

	(void)state;
	seed = 1;
	for (u32 i = 0; i < NR_PROGRAMS; i++) {
		env_reset();
		random_program(&m);
		seen[m.plan.kind]++;
		if (m.plan.kind) {
			values[m.plan.value]++;
			words[m.plan.nr_words]++;
			for (u32 k = 0; k < NR_HITS; k++) {
				random_hit();
				hit_run(&m);
				hit_planned(&m);
			}
			assert_memory_equal(m.run, m.planned, ktap_map_bytes(&m.map));
		}
		done(&m);
	}
	assert_int_equal(seen[KTAP_PLAN_NONE], 0);
	for (u32 i = 1; i < ARRAY_SIZE(seen); i++)
		assert_true(seen[i]);
	for (u32 i = 0; i < ARRAY_SIZE(values); i++)
		assert_true(values[i]);
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		assert_true(words[i]);
}

/* ---- programs without a plan ---- */

static u32 kind_of(const struct ktap_session_map *arg, const struct ktap_insn *insns, u32 nr)
{
	struct made m = { .arg = *arg, .nr = nr };
	u32 kind;

	assert_true(nr <= NR_INSNS);
	memcpy(m.insns, insns, nr * sizeof(*insns));
	m.arg.nr_slots = 4;
	verify(&m);
	kind = m.plan.kind;
	done(&m);
	return kind;
}

#define KIND(arg, ...) kind_of(arg, PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))

static void test_none(void **state)
{
	const struct ktap_session_map none = {}, sum = {
		.nr_values = 1, .values = { { .kind = KTAP_MAP_SUM, .size = 8,
					      .fault = KTAP_NO_FAULT } },
	}, overlap = {
		.nr_values = 1, .values = { { .kind = KTAP_MAP_SUM, .size = 4, .off = 4,
					      .fault = KTAP_NO_FAULT } },
	}, twice = {
		.nr_values = 2, .values = {
			{ .kind = KTAP_MAP_SUM, .size = 8, .fault = KTAP_NO_FAULT },
			{ .kind = KTAP_MAP_SUM, .size = 8, .fault = KTAP_NO_FAULT },
		},
	}, two = {
		.nr_values = 2, .values = {
			{ .kind = KTAP_MAP_SUM, .size = 8, .fault = KTAP_NO_FAULT },
			{ .kind = KTAP_MAP_SUM, .size = 8, .off = 8, .fault = KTAP_NO_FAULT },
		},
	}, faults = { .faults_off = 0, .faults_size = 1 };

	(void)state;
	env_reset();
	assert_int_equal(KIND(&none, COMM(0), END()), KTAP_PLAN_COMM_COUNT);
	assert_int_equal(KIND(&none, COMM(4), END()), KTAP_PLAN_NONE);
	assert_int_equal(KIND(&sum, REG(0, 1), STORE(0, 8, 0, NOBIT), END()), KTAP_PLAN_PARTED);
	/* what is read, computed, or not known in time */
	assert_int_equal(KIND(&none, REG(0, 1), LOAD(0, 0, 0, 8, 0), STORE(0, 8, 0, NOBIT), END()),
			 KTAP_PLAN_NONE);
	assert_int_equal(KIND(&none, REG(0, 1), ALUI(0, 0, ADD, 1), STORE(0, 8, 0, NOBIT), END()),
			 KTAP_PLAN_NONE);
	assert_int_equal(KIND(&none, CTX(0, TIME), STORE(0, 8, 0, NOBIT), END()),
			 KTAP_PLAN_NONE);
	assert_int_equal(KIND(&none, CTX(0, CPU), STORE(0, 8, 0, NOBIT), END()),
			 KTAP_PLAN_NONE);
	assert_int_equal(KIND(&sum, CTX(0, TID), STORE(0, 8, 0, NOBIT), END()),
			 KTAP_PLAN_NONE);
	/* an entry that may have faulted */
	assert_int_equal(KIND(&sum, CTX(0, TIME), ENTRY(1, 0, 8, 0, 0), ALU(0, 0, SUB, 1),
			      STORE(0, 8, 0, 0), FAULTS(1, 8), END()), KTAP_PLAN_NONE);
	/* the value is not what one store makes */
	assert_int_equal(KIND(&overlap, REG(0, 1), STORE(0, 8, 0, NOBIT), END()), KTAP_PLAN_NONE);
	assert_int_equal(KIND(&twice, REG(0, 1), STORE(0, 8, 0, NOBIT), END()), KTAP_PLAN_NONE);
	assert_int_equal(KIND(&two, REG(0, 1), STORE(0, 8, 0, NOBIT), STORE(0, 8, 8, NOBIT), END()),
			 KTAP_PLAN_NONE);
	assert_int_equal(KIND(&sum, REG(0, 1), STORE(0, 8, 0, NOBIT), STORE(0, 4, 0, NOBIT), END()),
			 KTAP_PLAN_NONE);
	/* the map takes a number of the program's for fault bits */
	assert_int_equal(KIND(&faults, REG(0, 1), STORE(0, 8, 0, NOBIT), END()), KTAP_PLAN_NONE);
	assert_int_equal(KIND(&faults, REG(0, 1), STORE(0, 8, 8, NOBIT), FAULTS(2, 0), END()),
			 KTAP_PLAN_NONE);
	/* too large */
	assert_int_equal(KIND(&none, REG(0, 1), STORE(0, 1, ROOM, NOBIT), END()), KTAP_PLAN_NONE);
	assert_int_equal(KIND(&none, REG(0, 1), STORE(0, 8, 0, NOBIT), STORE(0, 8, 8, NOBIT),
			      STORE(0, 8, 16, NOBIT), STORE(0, 8, 24, NOBIT),
			      STORE(0, 8, 32, NOBIT), END()), KTAP_PLAN_NONE);
}

/* ---- interrupts ---- */

static struct made nested;
static u64 points, at, nr_nested;

/* Another key, and the same one, in the row that the hit is looking for or writing. */
static void interrupt(void)
{
	const struct env_regs before = regs;

	if (points++ != at)
		return;
	env_world.point = NULL;
	hit_planned(&nested);
	regs.r[1] ^= 8;
	hit_planned(&nested);
	nr_nested += 2;
	regs = before;
	env_world.point = interrupt;
}

/* The counts, and the bucket of @value, of a key in all of its rows. */
static void sum_up(u64 key, u32 value, u64 *hits, u64 *values)
{
	const struct ktap_map *map = &nested.map;

	*hits = 0;
	*values = 0;
	for (u32 i = 0; i < map->nr_slots; i++) {
		const struct ktap_map_slot *row = (const void *)
			(nested.planned + 64 + (u64)i * map->slot_size);

		if (!row->tag)
			continue;
		assert_true(row->tag != KTAP_MAP_BUSY);
		if (row->words[map->key_at + 1] != key)
			continue;
		*hits += row->count;
		*values += row->words[2 + env_fls(value)];
	}
}

static void test_interrupts(void **state)
{
	static const struct ktap_insn insns[] = {
		REG(0, 0), STORE(0, 8, 0, NOBIT), REG(0, 1), STORE(0, 8, 8, NOBIT), END(),
	};
	u64 hits, values, all;

	(void)state;
	for (at = 0;; at++) {
		env_reset();
		nested = (struct made){ .nr = ARRAY_SIZE(insns), .arg = {
			.nr_slots = 8, .nr_values = 1,
			.values = { { .kind = KTAP_MAP_LOG2, .size = 8,
				      .fault = KTAP_NO_FAULT } },
		} };
		memcpy(nested.insns, insns, sizeof(insns));
		verify(&nested);
		assert_int_equal(nested.plan.kind, KTAP_PLAN_PARTED);
		nr_nested = 0;
		points = 0;
		env_world.point = interrupt;
		for (u32 i = 0; i < 6; i++) {
			regs.r[0] = 100;
			regs.r[1] = i / 2;
			hit_planned(&nested);
		}
		env_world.point = NULL;
		all = 0;
		for (u64 key = 0; key < 16; key++) {
			sum_up(key, 100, &hits, &values);
			assert_int_equal(hits, values);
			all += hits;
			if (key < 3)
				assert_true(hits >= 2);
		}
		assert_int_equal(all, 6 + nr_nested);
		done(&nested);
		if (!nr_nested)
			break;
	}
	assert_true(at > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_interrupts),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
