// SPDX-License-Identifier: GPL-2.0
/* What a program at a return reads from the payload of the entry program. */
#include "pure.h"

/**
 * struct entered - an entry program and the program at the return
 * @entry: run of the entry program
 * @stored: its result, or NULL: the entry was missed
 * @leave: run of the program at the return
 */
struct entered {
	struct run *entry;
	struct ktap_entry *stored;
	struct run *leave;
};

static void enter(struct kunit *test, struct entered *e,
		  const struct ktap_insn *insns, u32 nr)
{
	e->entry = run_create(test);
	env_map(KERNEL, "first", 6);
	env_map(KERNEL + 0x1000, "the second", 11);
	run_program(e->entry, insns, nr);
	e->stored = kunit_kzalloc(test, sizeof(*e->stored) + e->entry->info.room,
				  GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, e->stored);
	e->stored->faults = e->entry->faults;
	memcpy(e->stored->payload, e->entry->payload, e->entry->info.room);
	e->leave = run_create(test);
	e->leave->place.is_return = true;
	e->leave->place.entry = &e->entry->info;
	e->leave->frame.entry = e->stored;
	e->leave->frame.entry_info = &e->entry->info;
	e->leave->frame.retaddr = 0x1234;
}

#define ENTER(test, e, ...) \
	enter(test, e, PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))

static void entry_values(struct kunit *test)
{
	struct entered e;

	ENTER(test, &e, IMM(0, 0xfffffff0), STORE(0, 4, 0, NOBIT), IMM(1, 77),
	      STORE(1, 8, 8, NOBIT), END());
	RUN(e.leave, ENTRY(0, 0, 4, NOBIT, SIGNED), STORE(0, 8, 0, NOBIT),
	    ENTRY(1, 0, 4, NOBIT, 0), STORE(1, 8, 8, NOBIT),
	    ENTRY_BYTES(8, 8, 16, NOBIT), CTX(2, RETADDR), STORE(2, 8, 24, NOBIT),
	    END());
	EXPECT_WORD(e.leave, 0, -16LL);
	EXPECT_WORD(e.leave, 8, 0xfffffff0);
	EXPECT_WORD(e.leave, 16, 77);
	EXPECT_WORD(e.leave, 24, 0x1234);
}

static void entry_faults_come_along(struct kunit *test)
{
	struct entered e;

	ENTER(test, &e, IMM(0, KERNEL + 64), LOAD(0, 0, 0, 8, 0), STORE(0, 8, 0, 5),
	      FAULTS(1, 8), END());
	RUN(e.leave, ENTRY(0, 0, 8, 5, 0), STORE(0, 8, 0, 1), ENTRY_BYTES(0, 8, 8, 5),
	    ENTRY(1, 0, 8, 6, 0), STORE(1, 8, 16, 2), FAULTS(1, 24), END());
	EXPECT_WORD(e.leave, 0, 0);
	EXPECT_WORD(e.leave, 24, 1 << 1 | 1 << 5);
}

static void expect_string(struct run *r, u32 desc, u32 at, const char *want, u32 flags)
{
	const struct ktap_string *s = (void *)(r->payload + desc);
	u32 size = want ? strlen(want) + 1 : 0;

	KUNIT_EXPECT_EQ(r->test, (u32)s->flags, flags);
	KUNIT_ASSERT_EQ(r->test, (u32)s->len, size);
	KUNIT_EXPECT_EQ(r->test, memcmp(r->payload + at, want, size), 0);
}

static void entry_strings(struct kunit *test)
{
	struct entered e;

	ENTER(test, &e, IMM(0, KERNEL), STRING(0, 16, 0, 0), IMM(0, KERNEL + 0x100),
	      STRING(0, 16, 4, 0), IMM(0, KERNEL + 0x1000), STRING(0, 8, 8, 0), END());
	RUN(e.leave, ENTRY_STRING(2, 0), ENTRY_STRING(0, 4), ENTRY_STRING(1, 8), END());
	expect_string(e.leave, 0, 12, "the sec", KTAP_STRING_F_CUT);
	expect_string(e.leave, 4, 20, "first", 0);
	expect_string(e.leave, 8, 26, NULL, KTAP_STRING_F_FAULT);
}

/* A program that overwrites the descriptor of its string cannot read past its payload. */
static void entry_string_with_a_forged_length(struct kunit *test)
{
	struct entered e;
	const struct ktap_string *s;

	ENTER(test, &e, IMM(0, KERNEL), STRING(0, 16, 0, 0), IMM(1, 0xffff),
	      STORE(1, 2, offsetof(struct ktap_string, len), NOBIT), END());
	RUN(e.leave, ENTRY_STRING(0, 0), END());
	s = (void *)e.leave->payload;
	KUNIT_EXPECT_EQ(test, (u32)s->len, 16U);
}

static void entry_string_that_was_jumped_over(struct kunit *test)
{
	struct entered e;

	ENTER(test, &e, IMM(0, KERNEL), JMP(1), STRING(0, 16, 0, 0), END());
	RUN(e.leave, ENTRY_STRING(0, 0), END());
	expect_string(e.leave, 0, 4, NULL, KTAP_STRING_F_FAULT);
}

static void entry_that_was_missed(struct kunit *test)
{
	struct entered e;

	ENTER(test, &e, IMM(0, KERNEL), STRING(0, 16, 0, 0), STORE(0, 8, 8, NOBIT),
	      END());
	e.leave->frame.entry = NULL;
	RUN(e.leave, ENTRY(0, 8, 8, NOBIT, 0), STORE(0, 8, 0, 0),
	    ENTRY_BYTES(8, 8, 8, 1), ENTRY_STRING(0, 16), FAULTS(1, 20), END());
	EXPECT_WORD(e.leave, 0, 0);
	EXPECT_WORD(e.leave, 8, 0);
	expect_string(e.leave, 16, 24, NULL, KTAP_STRING_F_FAULT);
	KUNIT_EXPECT_EQ(test, e.leave->payload[20], 3);
}

static struct kunit_case entry_cases[] = {
	KUNIT_CASE(entry_values),
	KUNIT_CASE(entry_faults_come_along),
	KUNIT_CASE(entry_strings),
	KUNIT_CASE(entry_string_with_a_forged_length),
	KUNIT_CASE(entry_string_that_was_jumped_over),
	KUNIT_CASE(entry_that_was_missed),
	{}
};

struct kunit_suite ktap_entry_suite = {
	.name = "ktap_entry",
	.test_cases = entry_cases,
};
