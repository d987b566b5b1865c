// SPDX-License-Identifier: GPL-2.0
/* The pure suites, and the function that runs a program for them. */
#include <linux/module.h>

#include "hit/match.h"
#include "hit/state.h"
#include "pure.h"

struct run *run_create(struct kunit *test)
{
	struct run *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, r);
	env_reset();
	r->test = test;
	for (i = 0; i < ENV_NR_REGS; i++)
		r->regs.r[i] = 0x1000 + i;
	r->frame.regs = &r->regs;
	return r;
}

/* Copies a program and prepares its globs. */
static struct ktap_insn *make_ready(struct kunit *test,
				    const struct ktap_insn *insns, u32 nr)
{
	struct ktap_insn *ready;
	size_t size;

	ready = kunit_kzalloc(test, nr * sizeof(*insns), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ready);
	memcpy(ready, insns, nr * sizeof(*insns));
	size = ktap_globs_size(ready);
	if (size) {
		void *globs = kunit_kzalloc(test, size, GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, globs);
		ktap_globs_make(ready, globs);
	}
	return ready;
}

/* A program with state has a table of its own. */
static void give_state(struct run *r)
{
	struct ktap_state *t;

	if (!r->info.has_state)
		return;
	t = kunit_kzalloc(r->test, sizeof(*t), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(r->test, t);
	t->sets = kunit_kzalloc(r->test, sizeof(*t->sets), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(r->test, t->sets);
	r->info.state = t;
}

/**
 * run_program() - verify a program and run it
 * @r: run
 * @insns: program
 * @nr: length of @insns
 *
 * The payload is filled with garbage before.
 */
void run_program(struct run *r, const struct ktap_insn *insns, u32 nr)
{
	struct kunit *test = r->test;
	u32 at;

	KUNIT_ASSERT_EQ_MSG(test, ktap_verify(insns, nr, &r->place, &r->info, &at),
			    KTAP_REFUSE_NONE, "instruction %u", at);
	r->payload = kunit_kzalloc(test, r->info.room, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, r->payload);
	memset(r->payload, 0xee, r->info.room);
	give_state(r);
	r->len = ktap_fetch_run(make_ready(test, insns, nr), &r->info, &r->frame,
				r->payload, &r->faults);
	KUNIT_ASSERT_LE(test, r->len, (int)r->info.room);
}

/**
 * run_word() - read a word of the payload
 * @r: run
 * @off: offset in the payload
 *
 * Return: the word.
 */
u64 run_word(const struct run *r, u32 off)
{
	u64 word;

	KUNIT_ASSERT_LE(r->test, (u32)(off + sizeof(word)), r->info.room);
	memcpy(&word, r->payload + off, sizeof(word));
	return word;
}

/**
 * run_expect_string() - expect that a record has one string
 * @r: run
 * @desc: offset of its struct ktap_string
 * @want: expected string, or NULL: it could not be read
 * @flags: expected KTAP_STRING_F_*
 */
void run_expect_string(const struct run *r, u32 desc, const char *want, u32 flags)
{
	const struct ktap_string *s = (void *)(r->payload + desc);
	u32 size = want ? strlen(want) + 1 : 0;

	KUNIT_EXPECT_EQ(r->test, (u32)s->flags, flags);
	KUNIT_ASSERT_EQ(r->test, (u32)s->len, size);
	EXPECT_LEN(r, ALIGN(r->info.fixed_size + size, 8));
	KUNIT_EXPECT_EQ(r->test, memcmp(r->payload + r->info.fixed_size, want, size), 0);
}

u64 pattern_word(const char *text)
{
	u64 word = 0;

	memcpy(&word, text, strnlen(text, sizeof(word)));
	return word;
}

kunit_test_suites(&ktap_verify_suite, &ktap_fetch_suite, &ktap_entry_suite,
		  &ktap_stacks_suite, &ktap_state_suite, &ktap_map_suite,
		  &ktap_match_suite, &ktap_program_suite, &ktap_ring_suite);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("KUnit tests of what is plain C in ktap");
