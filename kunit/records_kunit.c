// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks that consist of frame records, and trails of them (kmod/arch/unwind_arm64.c,
 * trail_records.h). The records are made up, in a variable: it is on the task's stack, where
 * trails have to be. The code is made up, too.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/prandom.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include <asm/memory.h>

#include "arch/trail.h"
#include "arch/unwind.h"
#include "hit/spot.h"
#include "suites.h"

#define WORDS	64
#define FRAMES	8
#define ROUNDS	20000
/* The walk sets the upper bits, which may have an authentication code. */
#define ADDRESS	(0xffff800080123400UL | GENMASK_ULL(63, VA_BITS_MIN - 1))

struct found {
	u64 words[sizeof(struct ktap_stack) / sizeof(u64) + FRAMES];
};

static u32 any(struct rnd_state *chance, u32 below)
{
	return prandom_u32_state(chance) % below;
}

/*
 * Mostly the next record of a chain. Or 0, or what lets a record look as if it were among the
 * registers of an exception, or a return address.
 */
static u64 any_word(struct rnd_state *chance, u64 *words, u32 at)
{
	u64 *record = words + min_t(u32, at + any(chance, 12), WORDS - 2);

	switch (any(chance, 10)) {
	case 0:
		return 0;
	case 1:
		return (u64)(record + 7) - offsetof(struct pt_regs, stackframe) +
		       sizeof(struct pt_regs);
	case 2:
	case 3:
		return ADDRESS + 4 * any(chance, 8);
	case 4:
		return (u64)record + any(chance, 16);
	default:
		return (u64)(record + 1);
	}
}

static void walk(const struct pt_regs *regs, u32 max, struct ktap_trail *t, struct found *f)
{
	const struct ktap_spot spot = { .ip = ADDRESS, .is_entry = true };

	memset(f, 0, sizeof(*f));
	ktap_arch_unwind_noting(regs, &spot, (struct ktap_stack *)f->words, max, t);
}

static bool leads(const struct ktap_trail *t, const struct pt_regs *regs)
{
	const ktap_trail_place at = ktap_trail_place_of(regs);

	return ktap_trail_follow(t, &at);
}

static void change(struct rnd_state *chance, struct pt_regs *regs, u64 *words)
{
	u32 i, at;

	for (i = any(chance, 4); i; i--) {
		at = any(chance, WORDS);
		words[at] = any_word(chance, words, at);
	}
	if (!any(chance, 8))
		regs->regs[29] += 16;
	if (!any(chance, 8))
		regs->regs[30] += 4;
}

/* A walk finds what a trail leads to, after anything has changed. */
static void trail_is_as_good_as_a_walk(struct kunit *test)
{
	struct ktap_trail *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct found *f = kunit_kzalloc(test, 2 * sizeof(*f), GFP_KERNEL);
	struct pt_regs *regs = kunit_kzalloc(test, sizeof(*regs), GFP_KERNEL);
	u32 i, k, led = 0, left = 0, longer = 0;
	struct rnd_state chance;
	u64 words[WORDS];

	KUNIT_ASSERT_TRUE(test, t && f && regs);
	prandom_seed_state(&chance, 13);
	regs->pstate = PSR_MODE_EL1h;
	for (i = 0; i < ROUNDS; i++) {
		u32 max = 1 + any(&chance, FRAMES);

		for (k = 0; k < WORDS; k++)
			words[k] = any_word(&chance, words, k);
		regs->regs[29] = any(&chance, 16) ? (u64)(words + any(&chance, 16)) : 0;
		regs->regs[30] = ADDRESS;
		regs->sp = (u64)words;
		memset(t, 0xff, sizeof(*t));
		t->whole = false;
		walk(regs, max, t, &f[0]);
		if (!t->whole)
			continue;
		if (!leads(t, regs))
			KUNIT_FAIL(test, "round %u: nothing has changed, and it leads nowhere", i);
		change(&chance, regs, words);
		if (!leads(t, regs)) {
			left++;
			continue;
		}
		led++;
		longer += t->nr > 2;
		walk(regs, max, NULL, &f[1]);
		if (memcmp(&f[0], &f[1], sizeof(*f)))
			KUNIT_FAIL(test, "round %u: %u records: another stack", i, t->nr);
	}
	/* else chance has tested nothing */
	KUNIT_EXPECT_GT(test, led, (u32)ROUNDS / 50);
	KUNIT_EXPECT_GT(test, left, (u32)ROUNDS / 50);
	KUNIT_EXPECT_GT(test, longer, (u32)ROUNDS / 50);
}

/* ---- code that is interrupted ----------------------------------------------------- */

#define ADD	0x91000400
#define RET	0xd65f03c0
#define BRK	0xd4210000
#define PUSH	0xa9bf7bfd
#define POP	0xa8c17bfd
#define CALL	0x94000001
#define B(n)	(0x14000000 | ((n) & 0x3ffffff))
#define BNE(n)	(0x54000001 | ((n) & 0x7ffff) << 5)
#define CBNZ(n)	(0xb5000000 | ((n) & 0x7ffff) << 5)
#define TBZ(n)	(0x36000000 | ((n) & 0x3fff) << 5)

/**
 * struct code - a function that is interrupted at the second word
 * @what: what is special
 * @words: its instructions
 * @in_lr: the return address is in x30
 * @unsure: its code does not show that: the stack has a mark
 */
struct code {
	const char *what;
	u32 words[10];
	bool in_lr;
	bool unsure;
};

static const struct code codes[] = {
	{ "a return", { ADD, ADD, RET }, true },
	{ "a call", { ADD, ADD, CALL, RET }, false },
	{ "a frame is made", { ADD, ADD, PUSH, CALL }, true },
	{ "a frame is taken back", { ADD, ADD, POP, RET }, false },
	{ "a jump", { ADD, B(3), CALL, CALL, RET }, true },
	{ "a loop, then a return", { ADD, ADD, CBNZ(2), B(-2), RET }, true },
	{ "a loop, then a call", { ADD, ADD, CBNZ(2), B(-2), CALL, RET }, false },
	{ "a return before the loop", { RET, ADD, BNE(-2), B(-2) }, true },
	{ "a call before the loop", { CALL, ADD, TBZ(-2), B(-2) }, false },
	{ "a loop behind a loop", { ADD, BNE(2), B(-1), ADD, TBZ(2), B(-2), RET }, true },
	{ "a jump to a loop", { ADD, B(2), RET, ADD, CBNZ(-2), B(-2) }, true },
	{ "a way that ends", { ADD, CBNZ(2), BRK, RET }, true },
	{ "a loop without an end", { ADD, ADD, B(-1) }, false, true },
	{ "two jumps without an end", { ADD, B(2), B(-1), B(-1) }, false, true },
	{ "branches without an end", { ADD, CBNZ(1), BNE(-1), TBZ(1), B(-3) }, false, true },
};

static void interrupted_code_tells(struct kunit *test)
{
	struct found *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	struct pt_regs *regs = kunit_kzalloc(test, sizeof(*regs), GFP_KERNEL);
	const struct ktap_stack *s = (struct ktap_stack *)f->words;
	u64 record[2] = { 0, ADDRESS + 8 };
	u32 i;

	KUNIT_ASSERT_TRUE(test, f && regs);
	regs->pstate = PSR_MODE_EL1h;
	regs->regs[29] = (u64)record;
	regs->regs[30] = ADDRESS;
	regs->sp = (u64)record;
	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		const struct code *c = &codes[i];

		memset(f, 0, sizeof(*f));
		regs->pc = (u64)&c->words[1];
		ktap_arch_unwind(regs, NULL, (struct ktap_stack *)f->words, FRAMES);
		KUNIT_EXPECT_EQ_MSG(test, (u32)s->nr, c->in_lr ? 3U : 2U, "%s", c->what);
		KUNIT_EXPECT_EQ_MSG(test, s->frames[0], regs->pc, "%s", c->what);
		KUNIT_EXPECT_EQ_MSG(test, s->frames[1], ADDRESS + (c->in_lr ? 0 : 8), "%s",
				    c->what);
		KUNIT_EXPECT_EQ_MSG(test, !!(s->flags & KTAP_STACK_F_UNSURE), c->unsure, "%s",
				    c->what);
		KUNIT_EXPECT_EQ_MSG(test, (u32)s->end, (u32)KTAP_STACK_COMPLETE, "%s", c->what);
	}
}

static struct kunit_case records_cases[] = {
	KUNIT_CASE(interrupted_code_tells),
	KUNIT_CASE(trail_is_as_good_as_a_walk),
	{}
};

struct kunit_suite ktap_records_suite = {
	.name = "ktap_records",
	.test_cases = records_cases,
};
