// SPDX-License-Identifier: GPL-2.0
/*
 * Operations beyond registers and single words: context, arguments, ranges of
 * bytes, patterns, division, and what an entry program stored.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c user/tests/fetch/run.c
 */
#include <stdlib.h>

#include "hit/fetch.h"
#include "fetch/run.h"
#include "hit/verify.h"

static void test_context(void **state)
{
	env_world.ctx[KTAP_CTX_CPU] = 3;
	env_world.ctx[KTAP_CTX_TIME] = 123456789;
	RUN(CTX(0, CPU), STORE(0, 4, 0, NOBIT), CTX(1, TIME),
	    STORE(1, 8, 8, NOBIT), END());
	assert_int_equal(word(0), 3);
	assert_int_equal(word(8), 123456789);
}

static void test_division(void **state)
{
	RUN(IMM(0, -7ULL), ALUI(1, 0, DIVS, 2), STORE(1, 8, 0, NOBIT),
	    ALUI(1, 0, MODS, 2), STORE(1, 8, 8, NOBIT),
	    ALUI(1, 0, DIVU, 2), STORE(1, 8, 16, NOBIT),
	    IMM(2, 10), ALUI(1, 2, MODU, 4), STORE(1, 8, 24, NOBIT), END());
	assert_int_equal(word(0), -3);
	assert_int_equal(word(8), -1);
	assert_int_equal(word(16), -7ULL / 2);
	assert_int_equal(word(24), 2);
}

static void test_division_by_zero_is_a_fault(void **state)
{
	RUN(IMM(0, 5), IMM(1, 0), ALU(2, 0, DIVU, 1), STORE(2, 8, 0, 0),
	    ALU(2, 0, MODS, 1), STORE(2, 8, 8, 1), FAULTS(1, 16), END());
	assert_int_equal(word(0), 0);
	assert_int_equal(word(8), 0);
	assert_int_equal(word(16), 3);
}

static void test_smallest_number_by_minus_one(void **state)
{
	RUN(IMM(0, 1ULL << 63), ALUI(1, 0, DIVS, -1), STORE(1, 8, 0, NOBIT),
	    ALUI(1, 0, MODS, -1), STORE(1, 8, 8, NOBIT), END());
	assert_int_equal(word(0), 1ULL << 63);
	assert_int_equal(word(8), 0);
}

static void test_bytes(void **state)
{
	static const char memory[] = "0123456789ab";

	env_map(KERNEL, memory, 12);
	RUN(IMM(0, KERNEL), BYTES(0, 12, 4, 0, 0), FAULTS(1, 0), END());
	assert_memory_equal(payload + 4, memory, 12);
	assert_int_equal(payload[0], 0);
}

static void test_bytes_are_all_or_none(void **state)
{
	static const u8 zeros[13], memory[] = "0123456789ab";

	env_map(KERNEL, memory, 12);
	RUN(IMM(0, KERNEL), BYTES(0, 13, 1, 2, 0), FAULTS(1, 0), END());
	assert_memory_equal(payload + 1, zeros, 13);
	assert_int_equal(payload[0], 1 << 2);
}

static u64 letters(const char *text)
{
	u64 word = 0;

	memcpy(&word, text, strnlen(text, 8));
	return word;
}

static void test_match(void **state)
{
	env_map(KERNEL, "/etc/passwd", 12);
	RUN(IMM(0, KERNEL), MATCH(1, 0, 9, 0), DATA(letters("/etc/*ss")),
	    DATA(letters("*")), STORE(1, 8, 0, NOBIT), MATCH(2, 0, 5, 0),
	    DATA(letters("/etc/")), STORE(2, 8, 8, NOBIT), END());
	assert_int_equal(word(0), 1);
	assert_int_equal(word(8), 0);
}

static void test_match_looks_at_the_beginning_of_a_long_string(void **state)
{
	static char text[KTAP_MATCH_MAX + 100];

	memset(text, 'x', sizeof(text) - 1);
	text[KTAP_MATCH_MAX - 1] = 'y';
	env_map(USERLAND, text, sizeof(text));
	RUN(IMM(0, USERLAND), MATCH(1, 0, 2, USER), DATA(letters("*y")),
	    STORE(1, 8, 0, NOBIT), END());
	assert_int_equal(word(0), 1);
}

static void test_match_of_what_cannot_be_read(void **state)
{
	RUN(IMM(0, KERNEL), MATCH(1, 0, 1, 0), DATA(letters("*")),
	    STORE(1, 8, 0, 0), FAULTS(1, 8), END());
	assert_int_equal(word(0), 0);
	assert_int_equal(word(8), 1);
	RUN(IMM(0, KERNEL), MATCH(1, 0, 1, 0), DATA(letters("*")), FILTER(1),
	    END());
	assert_int_equal(len, -1);
}

/* ---- two programs ------------------------------------------------------------ */

/* The entry program and what it stored. */
static struct ktap_prog_info entry_info;
static struct {
	u64 faults;
	u8 payload[4096];
} entry __attribute__((aligned(8)));

static void enter(const struct ktap_insn *insns, u32 nr)
{
	static const struct env_regs regs;
	struct ktap_frame frame = { .regs = &regs };
	u32 at;

	assert_int_equal(ktap_verify(insns, nr, NULL, &entry_info, &at), 0);
	assert_true(entry_info.room <= sizeof(entry.payload));
	memset(&entry, 0xee, sizeof(entry));
	assert_true(ktap_fetch_run(insns, &entry_info, &frame, entry.payload,
				   &entry.faults) >= 0);
}

#define ENTER(...) enter(PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))

static void leave(const struct ktap_insn *insns, u32 nr, bool known)
{
	const struct ktap_prog_place place = {
		.is_return = true, .entry = &entry_info,
	};
	struct ktap_frame frame = {
		.entry = known ? (void *)&entry : NULL,
		.entry_info = &entry_info,
		.retaddr = 0x1234,
	};
	struct ktap_prog_info info;
	u32 at;

	assert_int_equal(ktap_verify(insns, nr, &place, &info, &at), 0);
	free(payload);
	payload = malloc(info.room);
	assert_non_null(payload);
	memset(payload, 0xdd, info.room);
	len = ktap_fetch_run(insns, &info, &frame, payload, NULL);
	assert_true(len <= (int)info.room);
}

#define LEAVE(known, ...) \
	leave(PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__), known)

static void test_entry_values(void **state)
{
	ENTER(IMM(0, 0xfffffff0), STORE(0, 4, 0, NOBIT), IMM(1, 77),
	      STORE(1, 8, 8, NOBIT), END());
	LEAVE(true, ENTRY(0, 0, 4, NOBIT, SIGNED), STORE(0, 8, 0, NOBIT),
	      ENTRY(1, 0, 4, NOBIT, 0), STORE(1, 8, 8, NOBIT),
	      ENTRY_BYTES(8, 8, 16, NOBIT), CTX(2, RETADDR),
	      STORE(2, 8, 24, NOBIT), END());
	assert_int_equal(word(0), -16);
	assert_int_equal(word(8), 0xfffffff0);
	assert_int_equal(word(16), 77);
	assert_int_equal(word(24), 0x1234);
}

static void test_entry_faults_come_along(void **state)
{
	ENTER(IMM(0, KERNEL), LOAD(0, 0, 0, 8, 0), STORE(0, 8, 0, 5),
	      FAULTS(1, 8), END());
	LEAVE(true, ENTRY(0, 0, 8, 5, 0), STORE(0, 8, 0, 1),
	      ENTRY_BYTES(0, 8, 8, 5), ENTRY(1, 0, 8, 6, 0),
	      STORE(1, 8, 16, 2), FAULTS(1, 24), END());
	assert_int_equal(word(0), 0);
	assert_int_equal(word(24), 1 << 1 | 1 << 5);
}

static void test_entry_strings(void **state)
{
	env_map(KERNEL, "first", 6);
	env_map(KERNEL + 0x1000, "the second", 11);
	ENTER(IMM(0, KERNEL), STRING(0, 16, 0, 0), IMM(0, KERNEL + 0x100),
	      STRING(0, 16, 4, 0), IMM(0, KERNEL + 0x1000), STRING(0, 8, 8, 0),
	      END());
	LEAVE(true, ENTRY_STRING(2, 0), ENTRY_STRING(0, 4), ENTRY_STRING(1, 8),
	      END());
	assert_int_equal(string_at(0).len, 8);
	assert_int_equal(string_at(0).flags, KTAP_STRING_F_CUT);
	assert_string_equal((char *)payload + 12, "the sec");
	assert_int_equal(string_at(4).len, 6);
	assert_int_equal(string_at(4).flags, 0);
	assert_string_equal((char *)payload + 20, "first");
	assert_int_equal(string_at(8).len, 0);
	assert_int_equal(string_at(8).flags, KTAP_STRING_F_FAULT);
}

/* A program that stores over where its string lies gets no more than it may. */
static void test_entry_string_with_a_forged_length(void **state)
{
	env_map(KERNEL, "first", 6);
	ENTER(IMM(0, KERNEL), STRING(0, 16, 0, 0), IMM(1, 0xffff),
	      STORE(1, 2, offsetof(struct ktap_string, len), NOBIT), END());
	LEAVE(true, ENTRY_STRING(0, 0), END());
	assert_int_equal(string_at(0).len, 16);
	assert_string_equal((char *)payload + 4, "first");
}

static void test_entry_that_was_missed(void **state)
{
	env_map(KERNEL, "first", 6);
	ENTER(IMM(0, KERNEL), STRING(0, 16, 0, 0), STORE(0, 8, 8, NOBIT), END());
	LEAVE(false, ENTRY(0, 8, 8, NOBIT, 0), STORE(0, 8, 0, 0),
	      ENTRY_BYTES(8, 8, 8, 1), ENTRY_STRING(0, 16), FAULTS(1, 20), END());
	assert_int_equal(word(0), 0);
	assert_int_equal(word(8), 0);
	assert_int_equal(string_at(16).flags, KTAP_STRING_F_FAULT);
	assert_int_equal(payload[20], 3);
}

static void test_entry_bounds(void **state)
{
	const struct ktap_prog_place place = {
		.is_return = true, .entry = &entry_info,
	};
	struct ktap_prog_info info;
	u32 at;

	ENTER(IMM(0, 1), STORE(0, 8, 8, NOBIT), END());
	assert_int_equal(entry_info.fixed_size, 16);
#define REFUSED(why, ...)						\
	assert_int_equal(ktap_verify(PROGRAM(__VA_ARGS__, END()),	\
				     PROGRAM_LEN(__VA_ARGS__, END()),	\
				     &place, &info, &at), why)
	REFUSED(KTAP_REFUSE_NONE, ENTRY(0, 15, 1, NOBIT, 0));
	REFUSED(KTAP_REFUSE_NO_ENTRY, ENTRY(0, 15, 2, NOBIT, 0));
	REFUSED(KTAP_REFUSE_NO_ENTRY, ENTRY(0, -1, 8, NOBIT, 0));
	REFUSED(KTAP_REFUSE_NO_ENTRY, ENTRY_BYTES(9, 8, 0, NOBIT));
	REFUSED(KTAP_REFUSE_NO_ENTRY, ENTRY_BYTES(0xffffffff, 8, 0, NOBIT));
	REFUSED(KTAP_REFUSE_BAD_FAULT, ENTRY(0, 0, 8, 64, 0));
	REFUSED(KTAP_REFUSE_NO_ENTRY, ENTRY_STRING(0, 0));
#undef REFUSED
}

static void test_arguments(void **state)
{
	static const u64 args[2] = { 11, 22 };
	static const struct ktap_insn prog[] = {
		ARG(0, 1), STORE(0, 8, 0, NOBIT), END(),
	};
	static const struct ktap_insn bad[] = {
		ARG(0, 2), STORE(0, 8, 0, NOBIT), END(),
	};
	const struct ktap_prog_place place = { .nr_args = 2 };
	struct ktap_frame frame = { .args = args, .nr_args = ARRAY_SIZE(args) };
	struct ktap_prog_info info;
	u64 payload[2];
	u32 at;

	assert_int_equal(ktap_verify(bad, 3, &place, &info, &at),
			 KTAP_REFUSE_BAD_ARG);
	assert_int_equal(ktap_verify(prog, 3, &place, &info, &at), 0);
	assert_true(info.room <= sizeof(payload));
	ktap_fetch_run(prog, &info, &frame, (u8 *)payload, NULL);
	assert_int_equal(payload[0], 22);
}

/* Those after the registers are on a stack, which may end before them. */
static void test_arguments_on_the_stack(void **state)
{
	static const u64 args[2] = { 11, 22 }, stack[1] = { 33 };
	static const struct ktap_insn prog[] = {
		ARG(0, 1), STORE(0, 8, 0, NOBIT), ARG(0, 2), STORE(0, 8, 8, 0),
		ARG(0, 3), STORE(0, 8, 16, 1), FAULTS(1, 24), END(),
	};
	const struct ktap_prog_place place = { .nr_args = 4 };
	struct ktap_frame frame = {
		.args = args, .nr_args = ARRAY_SIZE(args), .stack_args = KERNEL,
	};
	struct ktap_prog_info info;
	u64 payload[5] = { 0 };
	u32 at;

	env_map(KERNEL, stack, sizeof(stack));
	assert_int_equal(ktap_verify(prog, ARRAY_SIZE(prog), &place, &info, &at), 0);
	assert_true(info.room <= sizeof(payload));
	ktap_fetch_run(prog, &info, &frame, (u8 *)payload, NULL);
	assert_int_equal(payload[0], 22);
	assert_int_equal(payload[1], 33);
	assert_int_equal(payload[2], 0);
	assert_int_equal(payload[3], 2);
}

/* A hook without registers passes its caller. */
static void test_stack_of_a_caller(void **state)
{
	static const u64 kstack[] = { 1, 2, 3 };
	static const struct ktap_insn prog[] = {
		KSTACK(0, 2), STORE(0, 8, 0, NOBIT), END(),
	};
	struct ktap_code hidden = { .begin = 0x1000, .size = 0x10 };
	const struct ktap_caller caller = { .ip = 0x100f, .hidden = &hidden };
	const struct ktap_prog_place place = { .no_regs = true };
	const struct ktap_frame frame = { .caller = &caller };
	struct ktap_prog_info info;
	struct ktap_stack *s;
	u64 room[64];
	u32 at;

	env_world.kstack = kstack;
	env_world.nr_kstack = 3;
	assert_int_equal(ktap_verify(prog, 3, &place, &info, &at), 0);
	assert_true(info.room <= sizeof(room));
	s = (void *)((u8 *)room + info.stacks_off + 8);
	ktap_fetch_run(prog, &info, &frame, (u8 *)room, NULL);
	assert_int_equal(s->nr, 2);
	assert_int_equal(s->frames[0], 1);
	assert_int_equal(s->id, room[0]);
	hidden.size--;
	ktap_fetch_run(prog, &info, &frame, (u8 *)room, NULL);
	assert_int_equal(s->frames[0], 0x100f);
	hidden.size = 0; /* unknown */
	ktap_fetch_run(prog, &info, &frame, (u8 *)room, NULL);
	assert_int_equal(s->frames[0], 0x100f);
	assert_int_equal(s->frames[1], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(test_context),
		RUN_TEST(test_division),
		RUN_TEST(test_division_by_zero_is_a_fault),
		RUN_TEST(test_smallest_number_by_minus_one),
		RUN_TEST(test_bytes),
		RUN_TEST(test_bytes_are_all_or_none),
		RUN_TEST(test_match),
		RUN_TEST(test_match_looks_at_the_beginning_of_a_long_string),
		RUN_TEST(test_match_of_what_cannot_be_read),
		RUN_TEST(test_entry_values),
		RUN_TEST(test_entry_faults_come_along),
		RUN_TEST(test_entry_strings),
		RUN_TEST(test_entry_string_with_a_forged_length),
		RUN_TEST(test_entry_that_was_missed),
		RUN_TEST(test_entry_bounds),
		RUN_TEST(test_arguments),
		RUN_TEST(test_arguments_on_the_stack),
		RUN_TEST(test_stack_of_a_caller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
