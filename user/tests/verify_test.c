// SPDX-License-Identifier: GPL-2.0
/*
 * The verifier of fetch programs, as the module has it.
 * needs: kmod/hit/verify.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>

#include "../../kunit/bad_programs.h"
#include "env_user.h"
#include "hit/verify.h"

static enum ktap_refusal verify(const struct ktap_insn *insns, u32 nr,
				struct ktap_prog_info *info)
{
	u32 at;

	return ktap_verify(insns, nr, NULL, info, &at);
}

#define VERIFY(info, ...) \
	verify(PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__), info)

static void accept(const struct ktap_insn *insns, u32 nr,
		   struct ktap_prog_info *info)
{
	enum ktap_refusal why;
	u32 at;

	memset(info, 0xff, sizeof(*info));
	why = ktap_verify(insns, nr, NULL, info, &at);
	if (why)
		fail_msg("refused at %u: %s", at, ktap_refusal_text(why));
}

#define ACCEPT(info, ...) \
	accept(PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__), info)

/* ---- refusals ---------------------------------------------------------- */

static void test_each_bad_program_is_refused(void **state)
{
	const struct bad_program *b;
	struct ktap_prog_info info;

	for (b = bad_programs; b < bad_programs + ARRAY_SIZE(bad_programs); b++) {
		u32 at = 12345;
		enum ktap_refusal why = ktap_verify(b->insns, b->nr, NULL, &info, &at);

		if (why != b->why || at != b->at)
			fail_msg("%s: wanted \"%s\" at %u, got \"%s\" at %u",
				 b->name, ktap_refusal_text(b->why), b->at,
				 ktap_refusal_text(why), at);
	}
}

static void test_each_refusal_has_a_program(void **state)
{
	/* test_no_registers(), test_stacks() and test_state() have these */
	bool seen[KTAP_REFUSE_NR] = {
		[KTAP_REFUSE_NONE] = true, [KTAP_REFUSE_NO_REGS] = true,
		[KTAP_REFUSE_NO_STACK] = true, [KTAP_REFUSE_NO_STATE] = true,
		[KTAP_REFUSE_NO_USTACK] = true, [KTAP_REFUSE_NO_MAPPINGS] = true,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad_programs); i++)
		seen[bad_programs[i].why] = true;
	for (i = 0; i < KTAP_REFUSE_NR; i++)
		if (!seen[i])
			fail_msg("no program is refused with \"%s\"",
				 ktap_refusal_text(i));
}

/* A tracepoint hands over arguments alone. */
static void test_no_registers(void **state)
{
	const struct ktap_prog_place place = { .nr_args = 2, .no_regs = true };
	const struct ktap_insn reg[] = { ARG(0, 1), REG(1, 0), END() };
	const struct ktap_insn stack[] = { STACK(0, 0), END() };
	const struct ktap_insn arg[] = { ARG(0, 1), END() };
	const struct ktap_insn too_many[] = { ARG(0, 2), END() };
	struct ktap_prog_info info;
	u32 at;

	assert_int_equal(ktap_verify(reg, 3, &place, &info, &at),
			 KTAP_REFUSE_NO_REGS);
	assert_int_equal(at, 1);
	assert_int_equal(ktap_verify(stack, 2, &place, &info, &at),
			 KTAP_REFUSE_NO_REGS);
	assert_int_equal(ktap_verify(arg, 2, &place, &info, &at),
			 KTAP_REFUSE_NONE);
	assert_int_equal(ktap_verify(too_many, 2, &place, &info, &at),
			 KTAP_REFUSE_BAD_ARG);
}

static void test_stacks(void **state)
{
	const struct ktap_prog_place user = { .is_user = true };
	const struct ktap_prog_place entry = { .no_stacks = true };
	const struct ktap_prog_place args = { .nr_args = 2, .no_regs = true };
	const struct ktap_insn two[] = {
		KSTACK(0, 3), STORE(0, 8, 0, NOBIT), KSTACK(0, 127),
		STORE(0, 8, 8, NOBIT), END(),
	};
	const struct ktap_insn ustack[] = { USTACK(0, 3), END() };
	struct ktap_prog_info info;
	u32 at;

	assert_int_equal(ktap_verify(two, 5, &user, &info, &at),
			 KTAP_REFUSE_NO_STACK);
	assert_int_equal(ktap_verify(two, 5, &entry, &info, &at),
			 KTAP_REFUSE_NO_STACK);
	/* without registers it begins at the caller of the hook */
	assert_int_equal(ktap_verify(two, 5, &args, &info, &at), KTAP_REFUSE_NONE);
	assert_int_equal(info.nr_stacks, 2);
	/* a user stack needs nothing of the hook, but a kernel that has it */
	assert_int_equal(ktap_verify(ustack, 2, &user, &info, &at), KTAP_REFUSE_NONE);
	assert_true(info.has_ustack);
	assert_int_equal(ktap_verify(ustack, 2, &args, &info, &at), KTAP_REFUSE_NONE);
	assert_int_equal(ktap_verify(ustack, 2, &entry, &info, &at),
			 KTAP_REFUSE_NO_USTACK);
	env_world.no_ustack = true;
	assert_int_equal(ktap_verify(ustack, 2, NULL, &info, &at),
			 KTAP_REFUSE_NO_MAPPINGS);
	env_world.no_ustack = false;
	accept(two, 5, &info);
	assert_false(info.has_ustack);
	assert_int_equal(info.nr_stacks, 2);
	assert_int_equal(info.record_max, 8 + 16);
	/* after the payload and its last word: a size, two heads, and the frames */
	assert_int_equal(info.stacks_off, 16 + 8);
	assert_int_equal(info.room, info.stacks_off + 8 + 2 * 16 + 130 * 8);
}

static void test_state(void **state)
{
	const struct ktap_prog_place entry = { .no_state = true };
	const struct ktap_insn put[] = { REG(0, 0), PUT(0, 0, TASK), END() };
	const struct ktap_insn get[] = {
		REG(0, 0), GET(1, 0, 0, TAKE), FAULTS(8, 0), END(),
	};
	struct ktap_prog_info info;
	u32 at;

	assert_int_equal(ktap_verify(put, 3, &entry, &info, &at),
			 KTAP_REFUSE_NO_STATE);
	assert_int_equal(at, 1);
	assert_int_equal(ktap_verify(get, 4, &entry, &info, &at),
			 KTAP_REFUSE_NO_STATE);
	accept(put, 3, &info);
	assert_true(info.has_state && ktap_prog_is_silent(&info));
	accept(get, 4, &info);
	assert_true(info.has_state && !ktap_prog_is_silent(&info));
	accept(put + 2, 1, &info);
	assert_false(info.has_state || ktap_prog_is_silent(&info));
}

/* What each operation uses, from the description in ktap.h. */
enum {
	DST = 1,
	A = 2,
	B = 4,
	SIZE = 8,
	OFF = 16,
	IMMEDIATE = 32,
	F_USER = 64,
	F_SIGNED = 128,
	F_TASK = 256,
	F_TAKE = 512
};

static const struct {
	struct ktap_insn insn;
	unsigned int uses;
} every_op[] = {
	{ REG(1, 0), DST | IMMEDIATE },
	{ IMM(1, 0), DST | IMMEDIATE },
	{ STACK(1, 0), DST | IMMEDIATE },
	{ LOAD(1, 0, 0, 8, 0), DST | A | SIZE | IMMEDIATE | F_USER | F_SIGNED },
	{ ALU(1, 0, ADD, 0), DST | A | B | SIZE },
	{ ALUI(1, 0, ADD, 0), DST | A | SIZE | IMMEDIATE },
	{ JZ(0, 0), A | IMMEDIATE },
	{ JMP(0), IMMEDIATE },
	{ FILTER(0), A },
	{ STORE(0, 8, 0, NOBIT), A | B | SIZE | OFF },
	{ STRING(0, 8, 0, 0), A | OFF | IMMEDIATE | F_USER },
	{ COMM(0), OFF },
	{ FAULTS(8, 0), SIZE | OFF },
	{ CTX(1, CPU), DST | IMMEDIATE },
	{ ARG(1, 0), DST | IMMEDIATE },
	{ BYTES(0, 8, 0, NOBIT, 0), A | B | OFF | IMMEDIATE | F_USER },
	{ MATCH(1, 0, 1, 0), DST | A | IMMEDIATE | F_USER },
	{ DATA(1), IMMEDIATE },
	{ ENTRY(1, 0, 8, NOBIT, 0), DST | B | SIZE | IMMEDIATE | F_SIGNED },
	{ ENTRY_BYTES(0, 8, 0, NOBIT), B | OFF | IMMEDIATE },
	{ ENTRY_STRING(0, 0), OFF | IMMEDIATE },
	{ FRAME(1, 0, 0, NOBIT), DST | A | B | IMMEDIATE },
	{ KSTACK(1, 3), DST | IMMEDIATE },
	{ PUT(0, 0, 0), A | B | F_TASK },
	{ GET(1, 0, NOBIT, 0), DST | A | B | F_TASK | F_TAKE },
	{ USTACK(1, 3), DST | IMMEDIATE },
	{ COUNTER(1, 0, 0), DST | IMMEDIATE },
	{ END(), 0 },
};

/* The verdict on @insn where everything else is in order. */
static enum ktap_refusal verify_one(struct ktap_insn insn,
				    struct ktap_prog_info *info)
{
	const struct ktap_prog_info entry = {
		.fixed_size = 8, .nr_strings = 1, .string_max = { 8 },
	};
	const struct ktap_prog_place place = {
		.nr_args = 1, .is_return = true, .entry = &entry,
		.nr_frame_regs = 1,
	};
	struct ktap_insn insns[4] = { REG(0, 0) };
	u32 nr = 1, at;

	if (insn.op == KTAP_OP_DATA)
		insns[nr++] = (struct ktap_insn)MATCH(1, 0, 1, 0);
	insns[nr++] = insn;
	if (insn.op == KTAP_OP_MATCH)
		insns[nr++] = (struct ktap_insn)DATA(0);
	if (insn.op != KTAP_OP_END)
		insns[nr++] = (struct ktap_insn)END();
	return ktap_verify(insns, nr, &place, info, &at);
}

static void assert_reserved(struct ktap_insn insn, const char *field)
{
	struct ktap_prog_info info;

	if (verify_one(insn, &info) != KTAP_REFUSE_RESERVED)
		fail_msg("operation %u takes %s", insn.op, field);
}

#define ASSERT_RESERVED(insn_, field, v) do {	\
	struct ktap_insn changed = (insn_);	\
						\
	changed.field = (v);			\
	assert_reserved(changed, #field);	\
} while (0)

static void test_unused_parts_are_zero(void **state)
{
	struct ktap_prog_info info;
	unsigned int i, uses;

	assert_int_equal(ARRAY_SIZE(every_op), KTAP_OP_MAX + 1);
	for (i = 0; i < ARRAY_SIZE(every_op); i++) {
		struct ktap_insn insn = every_op[i].insn;

		uses = every_op[i].uses;
		assert_int_equal(verify_one(insn, &info), KTAP_REFUSE_NONE);
		if (!(uses & DST))
			ASSERT_RESERVED(insn, dst, 1);
		if (!(uses & A))
			ASSERT_RESERVED(insn, a, 1);
		if (!(uses & B))
			ASSERT_RESERVED(insn, b, 1);
		if (!(uses & SIZE))
			ASSERT_RESERVED(insn, size, 1);
		if (!(uses & OFF))
			ASSERT_RESERVED(insn, off, 8);
		if (!(uses & IMMEDIATE))
			ASSERT_RESERVED(insn, imm, 1);
		if (!(uses & F_USER))
			ASSERT_RESERVED(insn, flags, USER);
		if (!(uses & F_SIGNED))
			ASSERT_RESERVED(insn, flags, SIGNED);
		if (!(uses & F_TASK))
			ASSERT_RESERVED(insn, flags, TASK);
		if (!(uses & F_TAKE))
			ASSERT_RESERVED(insn, flags, TAKE);
	}
}

/* ---- borders: the last value that is right, the first that is wrong ---- */

static void test_registers_end_where_the_machine_s_do(void **state)
{
	struct ktap_prog_info info;

	ACCEPT(&info, REG(0, ENV_NR_REGS - 1), END());
	assert_int_equal(VERIFY(&info, REG(0, ENV_NR_REGS), END()),
			 KTAP_REFUSE_BAD_REG);
}

static void test_borders(void **state)
{
	struct ktap_prog_info info;

	ACCEPT(&info, COUNTER(0, 0, KTAP_COUNTER_CONFIGS - 1), END());
	assert_int_equal(info.nr_counters, 1);
	assert_int_equal(info.counters[0].event, KTAP_COUNTER(0, KTAP_COUNTER_CONFIGS - 1));
	ACCEPT(&info, COUNTER(0, 1, 1), COUNTER(0, 1, 1), COUNTER(0, 1, 2), END());
	assert_int_equal(info.nr_counters, 2);

	ACCEPT(&info, REG(7, 0), STORE(7, 8, 0, NOBIT), END());
	ACCEPT(&info, STACK(0, KTAP_STACK_WORDS - 1), END());
	assert_int_equal(VERIFY(&info, STACK(0, KTAP_STACK_WORDS), END()),
			 KTAP_REFUSE_BAD_STACK);
	ACCEPT(&info, REG(0, 0), ALU(0, 0, MODS, 0), END());
	ACCEPT(&info, REG(0, 0), ALUI(0, 0, MODS, -1), END());
	ACCEPT(&info, REG(0, 0), JZ(0, 0), JMP(0), END());
	ACCEPT(&info, REG(0, 0), STORE(0, 8, 0, 63), FAULTS(8, 8), END());
	ACCEPT(&info, REG(0, 0), STORE(0, 8, 0, 7), FAULTS(1, 8), END());
	ACCEPT(&info, REG(0, 0), STRING(0, 1, 0, 0), END());
	ACCEPT(&info, REG(0, 0), STRING(0, KTAP_STRING_MAX, 0, USER), END());
	ACCEPT(&info, REG(0, 0), LOAD(0, 0, -1, 1, USER | SIGNED), END());
	ACCEPT(&info, CTX(0, PERCPU), END());
	ACCEPT(&info, REG(0, 0), BYTES(0, KTAP_BYTES_MAX, 1, NOBIT, USER), END());
	ACCEPT(&info, REG(0, 0), MATCH(0, 0, 8, 0), DATA(0), END());
	assert_int_equal(info.room, KTAP_MATCH_MAX);
}

static void test_longest_program(void **state)
{
	struct ktap_insn insns[KTAP_PROG_MAX];
	struct ktap_prog_info info;
	unsigned int i;

	/* every jump goes as far as it can */
	insns[0] = (struct ktap_insn)REG(0, 0);
	for (i = 1; i < KTAP_PROG_MAX - 1; i++)
		insns[i] = (struct ktap_insn)JZ(0, KTAP_PROG_MAX - 2 - i);
	insns[KTAP_PROG_MAX - 1] = (struct ktap_insn)END();
	accept(insns, KTAP_PROG_MAX, &info);

	insns[1].imm++;
	assert_int_equal(verify(insns, KTAP_PROG_MAX, &info),
			 KTAP_REFUSE_BAD_JUMP);
}

/* ---- joins -------------------------------------------------------------- */

static void test_slot_set_on_both_ways(void **state)
{
	struct ktap_prog_info info;

	ACCEPT(&info, REG(0, 0), JZ(0, 2), REG(1, 0), JMP(1), IMM(1, 5),
	       STORE(1, 8, 0, NOBIT), END());
}

static void test_slot_set_before_the_ways_part(void **state)
{
	struct ktap_prog_info info;

	ACCEPT(&info, REG(0, 0), REG(1, 1), JZ(0, 1), REG(0, 2),
	       STORE(0, 8, 0, NOBIT), STORE(1, 8, 8, NOBIT), END());
}

static void test_three_ways_into_one(void **state)
{
	struct ktap_prog_info info;

	ACCEPT(&info, REG(0, 0), JZ(0, 4), REG(1, 0), JZ(1, 3), REG(1, 1),
	       JMP(1), REG(1, 2), STORE(1, 8, 0, NOBIT), END());
	/* the same, and the second way comes without slot 1 */
	assert_int_equal(VERIFY(&info, REG(0, 0), JZ(0, 4), REG(2, 0), JZ(2, 3),
				REG(1, 1), JMP(1), REG(1, 2),
				STORE(1, 8, 0, NOBIT), END()),
			 KTAP_REFUSE_UNSET_SLOT);
}

/* What nothing reaches cannot read anything either. */
static void test_unreachable_code(void **state)
{
	struct ktap_prog_info info;

	ACCEPT(&info, JMP(1), STORE(5, 8, 0, NOBIT), END());
	/* but what a jump brings back to life is looked at */
	assert_int_equal(VERIFY(&info, REG(0, 0), JZ(0, 1), JMP(1),
				STORE(5, 8, 0, NOBIT), END()),
			 KTAP_REFUSE_UNSET_SLOT);
}

static void test_unreachable_jump_brings_nothing(void **state)
{
	struct ktap_prog_info info;

	ACCEPT(&info, REG(0, 0), JMP(1), JMP(1), REG(1, 0),
	       STORE(1, 8, 0, NOBIT), END());
}

/* ---- what is found out ---------------------------------------------------- */

static void test_empty_record(void **state)
{
	struct ktap_prog_info info;

	ACCEPT(&info, END());
	assert_int_equal(info.fixed_size, 0);
	assert_int_equal(info.record_max, 8);
	assert_true(info.simple);
	assert_false(info.has_filter);
}

static void test_sizes(void **state)
{
	struct ktap_prog_info info;

	ACCEPT(&info, REG(0, 0), STORE(0, 4, 16, NOBIT), STORE(0, 1, 3, NOBIT),
	       END());
	assert_int_equal(info.fixed_size, 20);
	assert_int_equal(info.record_max, 8 + 24);

	ACCEPT(&info, REG(0, 0), STRING(0, 100, 8, 0), STRING(0, 3, 4, 0), END());
	assert_int_equal(info.fixed_size, 12);
	assert_int_equal(info.record_max, 8 + 120);

	ACCEPT(&info, COMM(1), END());
	assert_int_equal(info.fixed_size, 17);
	assert_int_equal(info.record_max, 8 + 24);

	ACCEPT(&info, FAULTS(2, 6), END());
	assert_int_equal(info.fixed_size, 8);
	assert_int_equal(info.record_max, 16);
}

/* An entry program has room for fewer strings, which whoever uses it checks. */
static void test_more_strings_than_are_noted(void **state)
{
	struct ktap_insn insns[KTAP_NR_ENTRY_STRINGS + 3] = { REG(0, 0) };
	struct ktap_prog_info info;
	unsigned int i;

	for (i = 0; i <= KTAP_NR_ENTRY_STRINGS; i++)
		insns[i + 1] = (struct ktap_insn)STRING(0, 1, 4 * i, 0);
	insns[i + 1] = (struct ktap_insn)END();
	accept(insns, ARRAY_SIZE(insns), &info);
	assert_int_equal(info.nr_strings, KTAP_NR_ENTRY_STRINGS);
	assert_int_equal(info.string_off[KTAP_NR_ENTRY_STRINGS - 1],
			 4 * (KTAP_NR_ENTRY_STRINGS - 1));
}

static void test_largest_record(void **state)
{
	struct ktap_prog_info info;

	ACCEPT(&info, REG(0, 0), STORE(0, 8, KTAP_RECORD_MAX - 16, NOBIT), END());
	assert_int_equal(info.record_max, KTAP_RECORD_MAX);

	/* one byte less than the program that is refused as too big */
	ACCEPT(&info, REG(0, 0), STRING(0, KTAP_STRING_MAX, 0, 0),
	       STRING(0, KTAP_STRING_MAX, 4, 0), STRING(0, KTAP_STRING_MAX, 8, 0),
	       STRING(0, KTAP_STRING_MAX - 32, 12, 0), END());
	assert_int_equal(info.record_max, KTAP_RECORD_MAX);
}

/* Simple is what stores registers and does nothing else. */
static void test_simple(void **state)
{
	struct ktap_prog_info info;
	unsigned int i;

	ACCEPT(&info, REG(0, 0), STORE(0, 8, 0, NOBIT), REG(0, 3), REG(1, 20),
	       STORE(1, 2, 8, NOBIT), STORE(0, 1, 10, NOBIT), END());
	assert_true(info.simple);
	ACCEPT(&info, REG(0, 0), STORE(0, 8, 0, 0), FAULTS(1, 8), END());
	assert_false(info.simple);
	for (i = 0; i < ARRAY_SIZE(every_op); i++) {
		struct ktap_insn insn = every_op[i].insn;

		if (insn.op == KTAP_OP_REG || insn.op == KTAP_OP_STORE ||
		    insn.op == KTAP_OP_END)
			continue;
		assert_int_equal(verify_one(insn, &info), KTAP_REFUSE_NONE);
		assert_false(info.simple);
		assert_int_equal(info.has_filter, insn.op == KTAP_OP_FILTER);
	}
}

static void test_texts(void **state)
{
	unsigned int i, j;

	for (i = 0; i < KTAP_REFUSE_NR; i++) {
		assert_non_null(ktap_refusal_text(i));
		for (j = 0; j < i; j++)
			assert_string_not_equal(ktap_refusal_text(i),
						ktap_refusal_text(j));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_bad_program_is_refused),
		cmocka_unit_test(test_each_refusal_has_a_program),
		cmocka_unit_test(test_no_registers),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_state),
		cmocka_unit_test(test_unused_parts_are_zero),
		cmocka_unit_test(test_registers_end_where_the_machine_s_do),
		cmocka_unit_test(test_borders),
		cmocka_unit_test(test_longest_program),
		cmocka_unit_test(test_slot_set_on_both_ways),
		cmocka_unit_test(test_slot_set_before_the_ways_part),
		cmocka_unit_test(test_three_ways_into_one),
		cmocka_unit_test(test_unreachable_code),
		cmocka_unit_test(test_unreachable_jump_brings_nothing),
		cmocka_unit_test(test_empty_record),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_more_strings_than_are_noted),
		cmocka_unit_test(test_largest_record),
		cmocka_unit_test(test_simple),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
