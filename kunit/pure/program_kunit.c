// SPDX-License-Identifier: GPL-2.0
/*
 * Preparation of programs: which ones run without the interpreter, that their result is
 * the same, and what they are charged.
 */
#include <linux/err.h>

#include "hit/program.h"
#include "pure.h"

static int program_init(struct kunit *test)
{
	made_budget = (struct made_budget){ .left = 1 << 20 };
	env_reset();
	return 0;
}

static void program_free(struct kunit_resource *res)
{
	ktap_prog_destroy(res->data);
}

static struct ktap_prog *create(struct kunit *test, const struct ktap_insn *insns, u32 nr)
{
	struct ktap_prog *prog;
	enum ktap_refusal why;
	u32 at;

	prog = ktap_prog_create(insns, nr, NULL, &why, &at);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(prog), "instruction %u: %s", at,
			       ktap_refusal_text(why));
	KUNIT_ASSERT_NOT_NULL(test, kunit_alloc_resource(test, NULL, program_free,
							 GFP_KERNEL, prog));
	KUNIT_EXPECT_LE(test, prog->bytes, ktap_prog_bytes(nr) + prog->globs_size);
	KUNIT_EXPECT_GT(test, prog->info.cost, 0U);
	return prog;
}

#define CREATE(test, ...) \
	create(test, PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))

/* Applies a list of stores to a payload as its description says. */
static void store_all(const struct ktap_stores *s, const struct env_regs *regs, u8 *payload)
{
	static const u8 bytes[] = {
		[KTAP_COPY_8] = 8, [KTAP_COPY_4] = 4, [KTAP_COPY_2] = 2, [KTAP_COPY_1] = 1,
	};
	const struct ktap_copy *c;
	const u64 zero = 0;
	u32 i;

	for (i = 0; i < s->nr_words; i++)
		memcpy(payload + 8 * i, &regs->r[s->words[i]], 8);
	for (c = s->copies; c < s->copies + s->nr_copies; c++) {
		if (c->kind == KTAP_COPY_ZERO || c->kind == KTAP_COPY_4_WIDE)
			memcpy(payload + c->off, &zero, 8);
		if (c->kind == KTAP_COPY_ZERO)
			continue;
		if (c->kind == KTAP_COPY_4_PAIR)
			memcpy(payload + c->off + 4, &regs->r[c->second], 4);
		memcpy(payload + c->off, &regs->r[c->reg],
		       c->kind <= KTAP_COPY_4_WIDE ? 4 : bytes[c->kind]);
	}
}

static void expect_same(struct kunit *test, const struct ktap_prog *prog)
{
	struct run *r = run_create(test);
	u8 *payload = kunit_kzalloc(test, prog->info.room, GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, payload);
	KUNIT_ASSERT_TRUE(test, prog->in_place);
	for (i = 0; i < ENV_NR_REGS; i++)
		r->regs.r[i] = 0x0102030405060708ULL * (i + 1);
	r->info = prog->info;
	r->payload = kunit_kzalloc(test, prog->info.room, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, r->payload);
	r->len = ktap_fetch_run(prog->insns, &prog->info, &r->frame, r->payload, NULL);
	memset(payload, 0xee, prog->info.room);
	store_all(&prog->stores, &r->regs, payload);
	KUNIT_EXPECT_EQ(test, memcmp(payload, r->payload, r->len), 0);
}

static void program_of_words(struct kunit *test)
{
	struct ktap_prog *prog;

	prog = CREATE(test, REG(0, 3), STORE(0, 8, 8, NOBIT), REG(1, 4),
		      STORE(1, 8, 0, NOBIT), END());
	KUNIT_EXPECT_EQ(test, prog->stores.nr_words, 2U);
	KUNIT_EXPECT_EQ(test, prog->stores.nr_copies, 0U);
	KUNIT_EXPECT_EQ(test, prog->stores.words[0], 4);
	KUNIT_EXPECT_EQ(test, prog->stores.words[1], 3);
	expect_same(test, prog);
}

static void program_of_all_sizes(struct kunit *test)
{
	expect_same(test, CREATE(test, REG(0, 3), STORE(0, 8, 0, NOBIT),
				 STORE(0, 4, 8, NOBIT), STORE(0, 2, 12, NOBIT),
				 STORE(0, 1, 14, NOBIT), STORE(0, 1, 15, NOBIT), END()));
}

static void program_pairs_halves(struct kunit *test)
{
	struct ktap_prog *prog;

	prog = CREATE(test, REG(0, 3), STORE(0, 4, 0, NOBIT), REG(1, 4),
		      STORE(1, 4, 4, NOBIT), END());
	KUNIT_ASSERT_EQ(test, prog->stores.nr_copies, 1U);
	KUNIT_EXPECT_EQ(test, prog->stores.copies[0].kind, KTAP_COPY_4_PAIR);
	expect_same(test, prog);
}

/* The bytes after the last store of a word are cleared by a separate store if needed. */
static void program_clears_the_rest(struct kunit *test)
{
	struct ktap_prog *prog;

	prog = CREATE(test, REG(0, 3), STORE(0, 8, 0, NOBIT), STORE(0, 4, 8, NOBIT),
		      END());
	KUNIT_ASSERT_EQ(test, prog->stores.nr_copies, 1U);
	KUNIT_EXPECT_EQ(test, prog->stores.copies[0].kind, KTAP_COPY_4_WIDE);
	expect_same(test, prog);
	prog = CREATE(test, REG(0, 3), STORE(0, 8, 0, NOBIT), STORE(0, 2, 8, NOBIT),
		      END());
	KUNIT_ASSERT_EQ(test, prog->stores.nr_copies, 2U);
	KUNIT_EXPECT_EQ(test, prog->stores.copies[0].kind, KTAP_COPY_ZERO);
	expect_same(test, prog);
}

/* Two stores to one word; the later one wins. */
static void program_that_stores_twice(struct kunit *test)
{
	expect_same(test, CREATE(test, REG(0, 3), REG(1, 4), STORE(0, 8, 0, NOBIT),
				 STORE(1, 8, 0, NOBIT), END()));
}

static void program_of_strings(struct kunit *test)
{
	struct ktap_prog *prog;

	prog = CREATE(test, REG(0, 3), REG(1, 4), STRING(0, 64, 8, 0),
		      STORE(1, 8, 0, NOBIT), STRING(1, 32, 12, USER), END());
	KUNIT_EXPECT_FALSE(test, prog->in_place);
	KUNIT_ASSERT_EQ(test, prog->stores.nr_texts, 2U);
	KUNIT_EXPECT_EQ(test, prog->stores.fixed_size, 16U);
	KUNIT_EXPECT_EQ(test, prog->stores.texts[0].max, 64);
	KUNIT_EXPECT_FALSE(test, prog->stores.texts[0].last);
	KUNIT_EXPECT_TRUE(test, prog->stores.texts[1].user);
	KUNIT_EXPECT_TRUE(test, prog->stores.texts[1].last);
}

static void program_of_a_name(struct kunit *test)
{
	struct ktap_prog *prog = CREATE(test, COMM(0), END());

	KUNIT_EXPECT_TRUE(test, prog->stores.has_name);
	KUNIT_EXPECT_EQ(test, prog->stores.name, 0);
}

/* Programs that need the interpreter, or the list of steps. */
static void program_of_stacks(struct kunit *test)
{
	struct ktap_prog *prog = CREATE(test, KSTACK(0, 3), STORE(0, 8, 8, NOBIT), USTACK(1, 5),
					STORE(1, 8, 0, NOBIT), COMM(16), END());

	KUNIT_EXPECT_EQ(test, prog->stores.kstack.max, 3);
	KUNIT_EXPECT_EQ(test, prog->stores.kstack.off, 8);
	KUNIT_EXPECT_EQ(test, prog->stores.ustack.max, 5);
	KUNIT_EXPECT_EQ(test, prog->stores.ustack.off, 0);
	KUNIT_EXPECT_EQ(test, prog->stores.name, 16);
	prog = CREATE(test, USTACK(0, 5), STORE(0, 8, 0, NOBIT), REG(1, 3), STORE(1, 8, 8, NOBIT),
		      END());
	KUNIT_EXPECT_EQ(test, prog->stores.ustack.max, 5);
	KUNIT_EXPECT_EQ(test, prog->stores.kstack.max, 0);
	/* two of one kind, one that is stored twice, one that is not stored */
	prog = CREATE(test, USTACK(0, 5), STORE(0, 8, 0, NOBIT), USTACK(1, 6),
		      STORE(1, 8, 8, NOBIT), END());
	KUNIT_EXPECT_EQ(test, prog->stores.ustack.max, 0);
	prog = CREATE(test, USTACK(0, 5), STORE(0, 8, 0, NOBIT), STORE(0, 8, 8, NOBIT), END());
	KUNIT_EXPECT_EQ(test, prog->stores.ustack.max, 0);
	prog = CREATE(test, USTACK(0, 5), KSTACK(1, 3), STORE(1, 8, 0, NOBIT), END());
	KUNIT_EXPECT_EQ(test, prog->stores.kstack.max, 0);
}

static void program_that_is_not_plain(struct kunit *test)
{
	struct ktap_prog *prog;

	/* a gap, which only the interpreter clears */
	prog = CREATE(test, REG(0, 3), STRING(0, 64, 8, 0), END());
	KUNIT_EXPECT_EQ(test, prog->stores.nr_texts, 0U);
	/* the same bytes twice */
	prog = CREATE(test, REG(0, 3), STRING(0, 64, 0, 0), STORE(0, 4, 0, NOBIT), END());
	KUNIT_EXPECT_EQ(test, prog->stores.nr_texts, 0U);
	/* two comms, or a comm and strings */
	prog = CREATE(test, COMM(0), COMM(16), END());
	KUNIT_EXPECT_FALSE(test, prog->stores.has_name);
	/* memory */
	prog = CREATE(test, REG(0, 3), LOAD(1, 0, 8, 4, SIGNED), STORE(1, 4, 0, 0),
		      FAULTS(1, 4), END());
	KUNIT_EXPECT_NOT_NULL(test, prog->walk.steps);
	KUNIT_EXPECT_NULL(test, prog->stores.words);
}

static void program_with_a_gate(struct kunit *test)
{
	struct ktap_prog *prog;

	prog = CREATE(test, REG(0, 3), ALUI(1, 0, EQ, 5), FILTER(1),
		      STORE(0, 8, 0, NOBIT), END());
	KUNIT_EXPECT_TRUE(test, prog->gate.whole);
	KUNIT_EXPECT_TRUE(test, prog->info.has_filter);
}

static void program_with_a_pattern(struct kunit *test)
{
	struct ktap_prog *prog;

	prog = CREATE(test, REG(0, 3), MATCH(1, 0, 2, 0), DATA(pattern_word("a*")),
		      FILTER(1), STORE(0, 8, 0, NOBIT), END());
	KUNIT_EXPECT_NOT_NULL(test, prog->globs);
	KUNIT_EXPECT_GT(test, prog->globs_size, (size_t)0);
}

static void program_that_is_refused(struct kunit *test)
{
	static const struct ktap_insn bad[] = { REG(0, ENV_NR_REGS), END() };
	enum ktap_refusal why;
	struct ktap_prog *prog;
	u32 at;

	prog = ktap_prog_create(bad, ARRAY_SIZE(bad), NULL, &why, &at);
	KUNIT_EXPECT_EQ(test, PTR_ERR(prog), (long)-EINVAL);
	KUNIT_EXPECT_EQ(test, why, KTAP_REFUSE_BAD_REG);
	KUNIT_EXPECT_EQ(test, at, 0U);
}

static void program_is_charged(struct kunit *test)
{
	static const struct ktap_insn good[] = { REG(0, 0), STORE(0, 8, 0, NOBIT), END() };
	struct ktap_prog *prog;
	enum ktap_refusal why;
	u32 at;

	prog = ktap_prog_create(good, ARRAY_SIZE(good), NULL, &why, &at);
	KUNIT_ASSERT_FALSE(test, IS_ERR(prog));
	KUNIT_EXPECT_EQ(test, made_budget.used, prog->bytes);
	ktap_prog_destroy(prog);
	ktap_prog_destroy(NULL);
	KUNIT_EXPECT_EQ(test, made_budget.used, 0ULL);
	made_budget.left = 1;
	prog = ktap_prog_create(good, ARRAY_SIZE(good), NULL, &why, &at);
	KUNIT_EXPECT_EQ(test, PTR_ERR(prog), (long)-ENOSPC);
	KUNIT_EXPECT_EQ(test, made_budget.used, 0ULL);
}

static struct kunit_case program_cases[] = {
	KUNIT_CASE(program_of_words),
	KUNIT_CASE(program_of_all_sizes),
	KUNIT_CASE(program_pairs_halves),
	KUNIT_CASE(program_clears_the_rest),
	KUNIT_CASE(program_that_stores_twice),
	KUNIT_CASE(program_of_strings),
	KUNIT_CASE(program_of_a_name),
	KUNIT_CASE(program_of_stacks),
	KUNIT_CASE(program_that_is_not_plain),
	KUNIT_CASE(program_with_a_gate),
	KUNIT_CASE(program_with_a_pattern),
	KUNIT_CASE(program_that_is_refused),
	KUNIT_CASE(program_is_charged),
	{}
};

struct kunit_suite ktap_program_suite = {
	.name = "ktap_program",
	.init = program_init,
	.test_cases = program_cases,
};
