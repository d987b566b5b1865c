// SPDX-License-Identifier: GPL-2.0
/* The verifier, in the kernel's build: at least one bad program per reason. */
#include "bad_programs.h"
#include "pure.h"

static void bad_program_desc(const struct bad_program *p, char *desc)
{
	strscpy(desc, p->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(bad_program, bad_programs, bad_program_desc);

static void verify_refuses(struct kunit *test)
{
	const struct bad_program *p = test->param_value;
	struct ktap_prog_info info;
	u32 at = ~0;

	KUNIT_EXPECT_EQ(test, ktap_verify(p->insns, p->nr, NULL, &info, &at), p->why);
	KUNIT_EXPECT_EQ(test, at, p->at);
}

static void verify_every_refusal_has_a_program(struct kunit *test)
{
	int why;
	size_t i;

	for (why = KTAP_REFUSE_NONE + 1; why < KTAP_REFUSE_NR; why++) {
		if (why == KTAP_REFUSE_NO_REGS || why == KTAP_REFUSE_NO_STACK ||
		    why == KTAP_REFUSE_NO_STATE || why == KTAP_REFUSE_NO_USTACK ||
		    why == KTAP_REFUSE_NO_MAPPINGS)
			continue; /* verify_refuses_registers() */
		for (i = 0; i < ARRAY_SIZE(bad_programs); i++)
			if (bad_programs[i].why == why)
				break;
		KUNIT_EXPECT_LT_MSG(test, i, ARRAY_SIZE(bad_programs),
				    "no program for: %s",
				    ktap_refusal_text(why));
	}
}

/* A tracepoint provides arguments and no registers. */
static void verify_refuses_registers(struct kunit *test)
{
	static const struct ktap_prog_place place = {
		.nr_args = 2, .no_regs = true,
	};
	static const struct ktap_prog_place user = { .is_user = true };
	static const struct ktap_insn prog[] = { ARG(0, 1), REG(1, 0), END() };
	static const struct ktap_prog_place entry = { .no_state = true };
	static const struct ktap_insn stack[] = { KSTACK(0, 64), END() };
	static const struct ktap_insn ustack[] = { USTACK(0, 64), END() };
	static const struct ktap_prog_place no_stacks = { .no_stacks = true };
	static const struct ktap_insn put[] = { REG(0, 0), PUT(0, 0, 0), END() };
	struct ktap_prog_info info;
	u32 at = ~0;

	KUNIT_EXPECT_EQ(test, ktap_verify(prog, 3, &place, &info, &at),
			KTAP_REFUSE_NO_REGS);
	KUNIT_EXPECT_EQ(test, at, 1);
	KUNIT_EXPECT_EQ(test, ktap_verify(stack, 2, &place, &info, &at),
			KTAP_REFUSE_NONE);
	KUNIT_EXPECT_EQ(test, ktap_verify(stack, 2, &user, &info, &at),
			KTAP_REFUSE_NO_STACK);
	KUNIT_EXPECT_EQ(test, ktap_verify(ustack, 2, &user, &info, &at),
			KTAP_REFUSE_NONE);
	KUNIT_EXPECT_EQ(test, ktap_verify(ustack, 2, &no_stacks, &info, &at),
			KTAP_REFUSE_NO_USTACK);
	KUNIT_EXPECT_EQ(test, ktap_verify(put, 3, &entry, &info, &at),
			KTAP_REFUSE_NO_STATE);
}

static void verify_accepts_registers(struct kunit *test)
{
	static const struct ktap_insn prog[] = {
		REG(0, 3), STORE(0, 8, 0, NOBIT), REG(0, 4),
		STORE(0, 4, 8, NOBIT), END(),
	};
	struct ktap_prog_info info;
	u32 at;

	KUNIT_ASSERT_EQ(test, ktap_verify(prog, ARRAY_SIZE(prog), NULL, &info, &at),
			KTAP_REFUSE_NONE);
	KUNIT_EXPECT_TRUE(test, info.simple);
	KUNIT_EXPECT_FALSE(test, info.has_filter);
	KUNIT_EXPECT_EQ(test, info.fixed_size, 12U);
	KUNIT_EXPECT_EQ(test, info.record_max, 24U);
}

static void verify_accepts_memory(struct kunit *test)
{
	static const struct ktap_insn prog[] = {
		REG(0, 3), LOAD(1, 0, 8, 4, SIGNED), FILTER(1),
		STORE(1, 4, 0, 0), STRING(0, 100, 4, USER), FAULTS(1, 8), END(),
	};
	struct ktap_prog_info info;
	u32 at;

	KUNIT_ASSERT_EQ(test, ktap_verify(prog, ARRAY_SIZE(prog), NULL, &info, &at),
			KTAP_REFUSE_NONE);
	KUNIT_EXPECT_FALSE(test, info.simple);
	KUNIT_EXPECT_TRUE(test, info.has_filter);
	KUNIT_EXPECT_EQ(test, info.fixed_size, 9U);
	KUNIT_EXPECT_EQ(test, info.record_max, 120U);
}

static struct kunit_case verify_cases[] = {
	KUNIT_CASE_PARAM(verify_refuses, bad_program_gen_params),
	KUNIT_CASE(verify_every_refusal_has_a_program),
	KUNIT_CASE(verify_refuses_registers),
	KUNIT_CASE(verify_accepts_registers),
	KUNIT_CASE(verify_accepts_memory),
	{}
};

struct kunit_suite ktap_verify_suite = {
	.name = "ktap_verify",
	.test_cases = verify_cases,
};
