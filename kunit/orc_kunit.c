// SPDX-License-Identifier: GPL-2.0
/*
 * The walk over ORC tables (kmod/arch/orc_x86_64.c): checks of tables, walks over forged
 * tables and stacks, trails of them, and the kernel's tables compared with the kernel's
 * unwinder.
 *
 * A forged stack ends at the end of an area of vmalloc(), so a read behind it would fault.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/objtool.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "arch/orc.h"
#include "arch/trail.h"
#include "arch/unwind.h"
#include "compat.h"
#include "hit/spot.h"
#include "suites.h"

#define FRAMES	16
#define WORDS	(sizeof(struct ktap_stack) / sizeof(u64) + FRAMES)
#define BLOCKS	4
#define ROWS	8
#define TEXT	(BLOCKS * KTAP_ORC_BLOCK)
#define STACK	(PAGE_SIZE / sizeof(u64))

/**
 * struct forged - tables, and what they are for
 * @lookup: as the kernel makes it: its last element is for the end of the code
 * @ips: begin of each row
 * @rows: rows
 * @text: code, which nobody executes
 */
struct forged {
	u32 lookup[BLOCKS + 1];
	s32 ips[ROWS];
	struct orc_entry rows[ROWS];
	u8 text[TEXT + KTAP_ORC_BLOCK];
};

/* Where rows begin: two in a block, and in the last one what follows the code. */
static const u32 begins[ROWS] = { 0, 0x40, 0x100, 0x180, 0x240, 0x300, 0x340, TEXT + 8 };

static u32 row_of(u32 off)
{
	u32 i = ROWS - 1;

	while (i && begins[i] > off)
		i--;
	return i;
}

static struct forged *forge(struct kunit *test)
{
	struct forged *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	for (i = 0; i <= BLOCKS; i++)
		f->lookup[i] = row_of(i * KTAP_ORC_BLOCK);
	for (i = 0; i < ROWS; i++) {
		f->ips[i] = (unsigned long)(f->text + begins[i]) -
			    (unsigned long)&f->ips[i];
		f->rows[i] = (struct orc_entry){
			.sp_reg = ORC_REG_SP, .sp_offset = 16,
			.type = UNWIND_HINT_TYPE_CALL,
		};
	}
	return f;
}

static struct ktap_orc_found found_of(struct forged *f)
{
	return (struct ktap_orc_found){
		.lookup = { (ulong)f->lookup, (ulong)(f->lookup + BLOCKS + 1) },
		.ips = { (ulong)f->ips, (ulong)(f->ips + ROWS) },
		.rows = { (ulong)f->rows, (ulong)(f->rows + ROWS) },
		.image = { (ulong)f, (ulong)(f + 1) },
	};
}

static struct ktap_orc checked(struct kunit *test, struct forged *f)
{
	const struct ktap_orc_found found = found_of(f);
	struct ktap_orc o = {};

	KUNIT_ASSERT_EQ(test, ktap_orc_check(&found, &o), 0);
	return o;
}

/* ---- checks of tables ---------------------------------------------------------- */

static void orc_tables_that_are_good(struct kunit *test)
{
	struct forged *f = forge(test);
	const struct ktap_orc o = checked(test, f);

	KUNIT_EXPECT_EQ(test, o.text, (unsigned long)f->text);
	KUNIT_EXPECT_EQ(test, o.size, (unsigned long)TEXT - KTAP_ORC_BLOCK);
	KUNIT_EXPECT_PTR_EQ(test, o.rows, (const struct orc_entry *)f->rows);
}

static void refused(struct kunit *test, const struct ktap_orc_found *found,
		    const char *what)
{
	struct ktap_orc o;

	KUNIT_EXPECT_EQ_MSG(test, ktap_orc_check(found, &o), -EINVAL, "%s", what);
}

#define REFUSED(change) do { \
	struct forged *f = forge(test); \
	struct ktap_orc_found found = found_of(f); \
\
	change; \
	refused(test, &found, #change); \
} while (0)

static void orc_tables_with_bad_borders(struct kunit *test)
{
	REFUSED(found.lookup[0] = 0);
	REFUSED(found.lookup[0]++);
	REFUSED(found.lookup[1] = found.lookup[0]);
	REFUSED(found.lookup[1] = found.lookup[0] + 4);
	REFUSED(found.lookup[1]--);
	REFUSED(swap(found.ips[0], found.ips[1]));
	REFUSED(found.ips[0] += 2);
	REFUSED(found.ips[1] -= 4);
	REFUSED(found.ips[1] += 4);
	REFUSED(found.rows[1] -= sizeof(struct orc_entry));
	REFUSED(found.rows[0]++);
	REFUSED(found.image[0] = found.ips[0]);
	REFUSED(found.image[1] = found.rows[0]);
	REFUSED(found.image[1] = found.image[0] + (1UL << 31));
}

static void orc_tables_with_bad_contents(struct kunit *test)
{
	REFUSED(f->ips[3] = f->ips[5]);
	REFUSED(f->ips[0] -= sizeof(*f));
	REFUSED(f->ips[ROWS - 1] += sizeof(*f));
	REFUSED(f->lookup[1]++);
	REFUSED(f->lookup[2]--);
	REFUSED(f->lookup[3] = 0);
	REFUSED(f->lookup[3] = ~0);
	REFUSED(f->lookup[BLOCKS] = ROWS - 1);
	REFUSED(memset(f->lookup, 0, sizeof(f->lookup)));
	REFUSED(memset(f->ips, 0, sizeof(f->ips)));
}

/* The page behind an area is not mapped. */
static void orc_tables_that_cannot_be_read(struct kunit *test)
{
	unsigned long area = (unsigned long)vmalloc(PAGE_SIZE);
	struct ktap_orc_found found = found_of(forge(test));
	unsigned long *const tables[] = { found.lookup, found.ips, found.rows };
	u32 i;

	KUNIT_ASSERT_NE(test, area, 0UL);
	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		struct ktap_orc_found bad = found;
		unsigned long *table = (unsigned long *)&bad +
				       (tables[i] - (unsigned long *)&found);
		unsigned long size = table[1] - table[0];

		bad.image[0] = min(bad.image[0], area);
		bad.image[1] = max(bad.image[1], area + 2 * PAGE_SIZE);
		if (bad.image[1] - bad.image[0] >= 1UL << 31)
			bad = (struct ktap_orc_found){
				.lookup = { area, area + PAGE_SIZE },
				.ips = { area, area + PAGE_SIZE },
				.rows = { area, area + PAGE_SIZE / 4 * 6 },
				.image = { area, area + 2 * PAGE_SIZE },
			};
		else
			table[0] = area + PAGE_SIZE - 4 * (size / 8);
		table[1] = max(table[1], table[0] + size);
		refused(test, &bad, "a table that ends on a page that is not mapped");
	}
	vfree((void *)area);
}

/* ---- walks over forged stacks -------------------------------------------------- */

/**
 * struct rig - a walk
 * @f: tables
 * @o: the same, checked
 * @words: the stack, whose end is the end of its area
 * @got: result
 */
struct rig {
	struct forged *f;
	struct ktap_orc o;
	u64 *words;
	u64 got[WORDS];
};

static struct rig *rig_make(struct kunit *test)
{
	struct rig *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, r);
	r->f = forge(test);
	r->o = checked(test, r->f);
	r->words = vzalloc(PAGE_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, r->words);
	return r;
}

static struct ktap_stack *got(struct rig *r)
{
	return (struct ktap_stack *)r->got;
}

/* From the first byte of the code, with the stack pointer @n words below the end. */
static struct ktap_orc_at begin(struct rig *r, u32 n)
{
	return (struct ktap_orc_at){
		.ip = r->o.text, .end = (unsigned long)(r->words + STACK),
		.sp = (unsigned long)(r->words + STACK - n),
	};
}

static bool walk(struct rig *r, struct ktap_orc_at *at, u32 max)
{
	memset(r->got, 0, sizeof(r->got));
	return ktap_orc_walk(&r->o, at, got(r), max);
}

/* Frames of two words, whose return addresses are in the rows of @offs. */
static void put_frames(struct rig *r, u32 n, const u32 *offs, u32 nr)
{
	u64 *at = r->words + STACK - n;
	u32 i;

	for (i = 0; i < nr; i++)
		at[2 * i + 1] = r->o.text + offs[i];
}

static const u32 offs[] = { 0x41, 0x120, 0x200, 0x2c0 };

#ifdef ORC_TYPE_END_OF_STACK
#define END_ROW		((struct orc_entry){ .type = ORC_TYPE_END_OF_STACK })
#define END_IS_SURE	1
#else
#define END_ROW		((struct orc_entry){ .end = 1 })
#define END_IS_SURE	0
#endif

static void orc_walks_to_the_end(struct kunit *test)
{
	struct rig *r = rig_make(test);
	struct ktap_orc_at at = begin(r, 20);
	u32 i;

	put_frames(r, 20, offs, ARRAY_SIZE(offs));
	r->f->rows[row_of(0x2bf)] = END_ROW;
	KUNIT_EXPECT_TRUE(test, walk(r, &at, FRAMES));
	KUNIT_EXPECT_EQ(test, (u32)got(r)->end, (u32)KTAP_STACK_COMPLETE);
	KUNIT_ASSERT_EQ(test, (u32)got(r)->nr, (u32)ARRAY_SIZE(offs));
	for (i = 0; i < ARRAY_SIZE(offs); i++)
		KUNIT_EXPECT_EQ(test, (unsigned long)got(r)->frames[i],
				r->o.text + offs[i]);
	at = begin(r, 20);
	KUNIT_EXPECT_TRUE(test, walk(r, &at, 2));
	KUNIT_EXPECT_EQ(test, (u32)got(r)->end, (u32)KTAP_STACK_DEPTH);
	KUNIT_EXPECT_EQ(test, (u32)got(r)->nr, 2U);
	/* a frame below the end of the stack: before 6.4 retpolines have this row, too */
	at = begin(r, 20);
	at.user = at.end;
	KUNIT_EXPECT_EQ(test, (int)walk(r, &at, FRAMES), END_IS_SURE);
	vfree(r->words);
}

/* The row of the last frame has its stack by bp, which the frame before it has restored. */
static void orc_walks_by_bp(struct kunit *test)
{
	struct rig *r = rig_make(test);
	struct ktap_orc_at at = begin(r, 20);
	u64 *sp = (u64 *)at.sp;

	put_frames(r, 20, offs, 1);
	r->f->rows[0].bp_reg = ORC_REG_PREV_SP;
	r->f->rows[0].bp_offset = -16;
	r->f->rows[row_of(0x40)].sp_reg = ORC_REG_BP;
	sp[0] = (u64)(sp + 10);
	sp[11] = r->o.text + 0x120;
	/* the next one is at the end of the stack */
	sp[13] = 0;
	KUNIT_EXPECT_FALSE(test, walk(r, &at, FRAMES));
	KUNIT_ASSERT_EQ(test, (u32)got(r)->nr, 2U);
	KUNIT_EXPECT_EQ(test, (unsigned long)got(r)->frames[1], r->o.text + 0x120);
	KUNIT_EXPECT_EQ(test, at.sp, (unsigned long)(sp + 12));
	KUNIT_EXPECT_EQ(test, at.bp, (unsigned long)(sp + 10));
	KUNIT_EXPECT_EQ(test, at.ip, r->o.text + 0x11f);
	vfree(r->words);
}

/* Registers of user code at the end of the stack complete it; those of the kernel do not. */
static void orc_walks_to_user_code(struct kunit *test)
{
	struct rig *r = rig_make(test);
	struct pt_regs *user = (struct pt_regs *)(r->words + STACK) - 1;
	struct ktap_orc_at at;

	r->f->rows[0].type = UNWIND_HINT_TYPE_REGS;
	r->f->rows[0].sp_offset = 8;
	user->cs = __USER_CS;
	at = begin(r, sizeof(*user) / 8 + 1);
	at.user = (unsigned long)user;
	KUNIT_EXPECT_TRUE(test, walk(r, &at, FRAMES));
	KUNIT_EXPECT_EQ(test, (u32)got(r)->end, (u32)KTAP_STACK_COMPLETE);
	KUNIT_EXPECT_EQ(test, (u32)got(r)->nr, 0U);
	user->cs = __KERNEL_CS;
	KUNIT_EXPECT_FALSE(test, walk(r, &at, FRAMES));
	user->cs = __USER_CS;
	at.sp -= 8; /* they are not where the row tells */
	KUNIT_EXPECT_FALSE(test, walk(r, &at, FRAMES));
	vfree(r->words);
}

/* It is left to the kernel at the first frame, and nothing has changed. */
static void left_at(struct kunit *test, struct rig *r, struct ktap_orc_at at,
		    const char *what)
{
	const struct ktap_orc_at before = at;

	KUNIT_EXPECT_FALSE_MSG(test, walk(r, &at, FRAMES), "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, (u32)got(r)->nr, 0U, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, memcmp(&at, &before, sizeof(at)), 0, "%s", what);
}

#define LEFT(change) do { \
	struct ktap_orc_at at = begin(r, 20); \
	const struct forged saved = *r->f; \
	struct orc_entry *row = r->f->rows; \
\
	put_frames(r, 20, offs, 1); \
	at.bp = at.sp; \
	(void)row; \
	change; \
	left_at(test, r, at, #change); \
	*r->f = saved; \
	r->o.fakes[0] = 0; \
	r->o.fakes[1] = 0; \
} while (0)

static void orc_leaves_rows_to_the_kernel(struct kunit *test)
{
	struct rig *r = rig_make(test);

	LEFT(row->type = UNWIND_HINT_TYPE_REGS);
	LEFT(row->type = UNWIND_HINT_TYPE_REGS_PARTIAL);
	LEFT(row->sp_reg = ORC_REG_UNDEFINED);
	LEFT(row->sp_reg = ORC_REG_R10);
	LEFT(row->sp_reg = ORC_REG_DI);
	LEFT(row->sp_reg = ORC_REG_SP_INDIRECT);
	LEFT(row->sp_reg = ORC_REG_BP_INDIRECT);
	LEFT(row->bp_reg = ORC_REG_BP);
	LEFT(row->bp_reg = ORC_REG_R10);
	LEFT(row->sp_offset = 0);
	LEFT(row->sp_offset = 7);
	LEFT(row->sp_offset = -8);
	LEFT(row->sp_offset = S16_MIN);
	LEFT(row->sp_offset = S16_MAX);
	LEFT(row->sp_offset = 20 * 8 + 8);
	LEFT(row->sp_offset = 20 * 8 + 1);
	LEFT(row->bp_reg = ORC_REG_PREV_SP; row->bp_offset = 19 * 8);
	LEFT(row->bp_reg = ORC_REG_PREV_SP; row->bp_offset = 17 * 8 + 1);
	LEFT(row->bp_reg = ORC_REG_PREV_SP; row->bp_offset = -24);
	LEFT(row->bp_reg = ORC_REG_PREV_SP; row->bp_offset = S16_MIN);
	LEFT(row->bp_reg = ORC_REG_PREV_SP; row->bp_offset = S16_MAX);
	vfree(r->words);
}

static void orc_leaves_places_to_the_kernel(struct kunit *test)
{
	struct rig *r = rig_make(test);
	u64 *end = r->words + STACK;

	LEFT(at.ip = r->o.text - 1);
	LEFT(at.ip = r->o.text + r->o.size);
	LEFT(at.ip = 0);
	LEFT(at.ip = ~0UL);
	LEFT(at.sp = at.end);
	LEFT(at.sp = at.end - 8);
	LEFT(at.sp = at.end - 15);
	LEFT(row->sp_reg = ORC_REG_BP; at.bp = 0);
	LEFT(row->sp_reg = ORC_REG_BP; at.bp = ~0UL);
	LEFT(row->sp_reg = ORC_REG_BP; at.bp = -16UL);
	LEFT(row->sp_reg = ORC_REG_BP; at.bp = at.end - 8);
	LEFT(row->sp_reg = ORC_REG_BP; at.bp = at.end - 15);
	LEFT(row->sp_reg = ORC_REG_BP; at.bp = at.sp - 16);
	LEFT(row->sp_reg = ORC_REG_BP; at.bp = at.sp ^ 1UL << 63);
	LEFT(end[-19] = 0);
	LEFT(end[-19] = r->o.text);
	LEFT(end[-19] = r->o.text + r->o.size + 1);
	LEFT(end[-19] = (unsigned long)&ktap_orc_walk);
	LEFT(r->o.fakes[0] = end[-19]);
	LEFT(r->o.fakes[1] = end[-19]);
	vfree(r->words);
}

/* ---- chance --------------------------------------------------------------------- */

/* KASAN looks at memory, of which each round reads the same. */
#define ROUNDS (IS_ENABLED(CONFIG_KASAN) ? 50000 : 200000)

/* Words are addresses of the code or of the stack, small, or anything. */
static u64 any_word(struct rnd_state *chance, const struct rig *r)
{
	u32 n = prandom_u32_state(chance);

	switch (n % 8) {
	case 0:
		return (u64)n << 32 | prandom_u32_state(chance);
	case 1:
		return (u64)r->words + n / 8 % (PAGE_SIZE + 16);
	case 2:
		return n / 8 % 64;
	default:
		return r->o.text + n / 8 % (TEXT + 16);
	}
}

/* One number after the other: compilers evaluate initializers in different orders. */
static struct orc_entry call_row(struct rnd_state *chance)
{
	struct orc_entry row = { .type = UNWIND_HINT_TYPE_CALL };

	row.sp_reg = prandom_u32_state(chance) % 4 ? ORC_REG_SP : ORC_REG_BP;
	row.sp_offset = prandom_u32_state(chance) % 8 * 8 + 8;
	row.bp_reg = prandom_u32_state(chance) % 2 ? ORC_REG_PREV_SP : ORC_REG_UNDEFINED;
	row.bp_offset = -(prandom_u32_state(chance) % 8 * 8);
	return row;
}

/* In each encoding one in 8 random rows or one in 32 is an end. */
static struct orc_entry end_row(struct rnd_state *chance)
{
	struct orc_entry row;

	do {
		prandom_bytes_state(chance, &row, sizeof(row));
	} while (!ktap_orc_is_end(&row));
	return row;
}

/* The tables are the kernel's, so only their rows may say anything. */
static void shuffle(struct rnd_state *chance, struct rig *r)
{
	u32 i, n;

	prandom_bytes_state(chance, r->f->rows, sizeof(r->f->rows));
	for (i = 0; i < ROWS; i++) {
		n = prandom_u32_state(chance) % 16;
		if (n > 3)
			r->f->rows[i] = call_row(chance);
		else if (n == 3)
			r->f->rows[i] = end_row(chance);
	}
	for (i = 0; i < STACK; i++)
		r->words[i] = any_word(chance, r);
}

static void orc_walks_anything(struct kunit *test)
{
	struct rig *r = rig_make(test);
	struct rnd_state chance;
	u32 i, k, frames = 0;

	prandom_seed_state(&chance, 7);
	for (i = 0; i < ROUNDS; i++) {
		struct ktap_orc_at at = begin(r, prandom_u32_state(&chance) % STACK);
		unsigned long sp = at.sp;

		if (i % 100 == 0)
			shuffle(&chance, r);
		at.ip += prandom_u32_state(&chance) % TEXT;
		if (i % 8 == 0)
			at.sp -= prandom_u32_state(&chance) % 8;
		at.bp = any_word(&chance, r);
		at.user = at.end - sizeof(struct pt_regs);
		walk(r, &at, FRAMES);
		if (got(r)->nr > FRAMES || at.sp > at.end || at.sp < sp - 8)
			KUNIT_FAIL(test, "round %u: %u frames", i, got(r)->nr);
		for (k = 0; k < got(r)->nr; k++, frames++)
			if (got(r)->frames[k] - 1 - r->o.text >= r->o.size)
				KUNIT_FAIL(test, "round %u: %llx", i,
					   got(r)->frames[k]);
	}
	/* else chance has tested nothing */
	KUNIT_EXPECT_GT(test, frames, (u32)ROUNDS / 10);
	vfree(r->words);
}

/* ---- trails --------------------------------------------------------------------- */

static bool note(struct rig *r, const struct ktap_orc_at *from, u32 max,
		 struct ktap_trail *t)
{
	struct ktap_orc_at at = *from;

	memset(r->got, 0, sizeof(r->got));
	memset(t, 0xff, sizeof(*t));
	t->whole = false;
	ktap_orc_walk_noting(&r->o, &at, got(r), max, t);
	return t->whole;
}

static bool leads(struct rig *r, const struct ktap_trail *t,
		  const struct ktap_orc_at *at)
{
	return ktap_trail_leads(&r->o, t, at);
}

static void trail_leads_to_its_stack(struct kunit *test)
{
	struct rig *r = rig_make(test);
	struct ktap_orc_at at = begin(r, 20);
	struct ktap_trail t;
	u64 *sp = (u64 *)at.sp;

	put_frames(r, 20, offs, ARRAY_SIZE(offs));
	KUNIT_ASSERT_TRUE(test, note(r, &at, 2, &t));
	KUNIT_EXPECT_EQ(test, (u32)t.nr, 2U);
	KUNIT_EXPECT_TRUE(test, leads(r, &t, &at));
	sp[4] = 0; /* no return address */
	sp[7] = 0; /* not looked at: the stack is full */
	KUNIT_EXPECT_TRUE(test, leads(r, &t, &at));
	sp[5]--; /* beyond, any address will do */
	KUNIT_EXPECT_TRUE(test, leads(r, &t, &at));
	sp[5] = 0;
	KUNIT_EXPECT_FALSE(test, leads(r, &t, &at));
	sp[5] = r->o.text + offs[2];
	sp[3]++;
	KUNIT_EXPECT_FALSE(test, leads(r, &t, &at));
	sp[3]--;
	KUNIT_EXPECT_TRUE(test, leads(r, &t, &at));
	at.sp = at.end - t.room + 8;
	KUNIT_EXPECT_FALSE(test, leads(r, &t, &at));
	vfree(r->words);
}

/* Of a stack that ends at user code, the distance to the registers is a part. */
static void trail_ends_at_user_code(struct kunit *test)
{
	struct rig *r = rig_make(test);
	struct pt_regs *user = (struct pt_regs *)(r->words + STACK) - 1;
	u32 n = sizeof(*user) / sizeof(u64) + 3;
	struct ktap_orc_at at = begin(r, n);
	struct ktap_trail t;

	at.user = (unsigned long)user;
	put_frames(r, n, offs, 1);
	r->f->rows[row_of(offs[0] - 1)].type = UNWIND_HINT_TYPE_REGS;
	r->f->rows[row_of(offs[0] - 1)].sp_offset = 8;
	user->cs = __USER_CS;
	KUNIT_ASSERT_TRUE(test, note(r, &at, FRAMES, &t));
	KUNIT_EXPECT_EQ(test, (u32)got(r)->end, (u32)KTAP_STACK_COMPLETE);
	KUNIT_EXPECT_TRUE(test, leads(r, &t, &at));
	user->cs = __KERNEL_CS;
	KUNIT_EXPECT_FALSE(test, leads(r, &t, &at));
	user->cs = __USER_CS;
	at.sp -= 16;
	put_frames(r, n + 2, offs, 1);
	KUNIT_EXPECT_FALSE(test, leads(r, &t, &at));
	vfree(r->words);
}

/* As trail_is_as_good_as_a_walk() has it: the frames below the one by bp move. */
static void move_down(struct rnd_state *chance, struct ktap_orc_at *at, u32 bytes)
{
	u32 by = 16 * (prandom_u32_state(chance) % 4);
	u8 *sp = (u8 *)at->sp;

	memmove(sp - by, sp, bytes);
	at->sp -= by;
}

/* A walk finds what a trail leads to, after anything has changed. */
static void check_trail(struct kunit *test, struct rig *r, const struct ktap_trail *t,
			const struct ktap_orc_at *from, u32 max)
{
	struct ktap_orc_at at = *from;
	u64 known[WORDS];

	memcpy(known, r->got, sizeof(known));
	memset(r->got, 0, sizeof(r->got));
	if (!ktap_orc_walk(&r->o, &at, got(r), max) ||
	    memcmp(known, r->got, sizeof(known)))
		KUNIT_FAIL(test, "%u places, %u from sp, pivot %u: another stack", t->nr,
			   t->nr_low, t->pivot);
}

static void trail_is_as_good_as_a_walk(struct kunit *test)
{
	struct ktap_trail *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct rig *r = rig_make(test);
	/* before 6.4 trails to an end hold for one stack pointer: fewer lead somewhere */
	u32 i, rounds = END_IS_SURE ? ROUNDS : 5 * ROUNDS;
	u32 led = 0, left = 0, turned = 0;
	struct rnd_state chance;

	KUNIT_ASSERT_NOT_NULL(test, t);
	prandom_seed_state(&chance, 11);
	for (i = 0; i < rounds; i++) {
		u32 max = 1 + prandom_u32_state(&chance) % FRAMES;
		struct ktap_orc_at at = begin(r, prandom_u32_state(&chance) % (STACK - 8));
		u64 *word;

		shuffle(&chance, r);
		at.ip += prandom_u32_state(&chance) % TEXT;
		at.bp = at.sp + prandom_u32_state(&chance) % 64 * 8;
		at.user = at.end - sizeof(struct pt_regs);
		if (!note(r, &at, max, t))
			continue;
		if (i % 2)
			move_down(&chance, &at, t->room);
		/* often one of its places */
		word = (u64 *)at.sp + prandom_u32_state(&chance) % (t->room / 8 + 4);
		if (i % 16 < 8 && t->room)
			word = (u64 *)(at.sp + t->off[0]);
		if (i % 4 && word < r->words + STACK)
			*word = any_word(&chance, r);
		if (i % 8 == 0)
			at.bp += 8;
		if (!leads(r, t, &at)) {
			left++;
			continue;
		}
		led++;
		turned += t->pivot > KTAP_PIVOT_SP && t->nr > t->nr_low;
		check_trail(test, r, t, &at, max);
	}
	/* else chance has tested nothing */
	KUNIT_EXPECT_GT(test, led, (u32)ROUNDS / 50);
	KUNIT_EXPECT_GT(test, left, (u32)ROUNDS / 500);
	KUNIT_EXPECT_GT(test, turned, (u32)ROUNDS / 500);
	vfree(r->words);
}

/* ---- the kernel's tables --------------------------------------------------------- */

static u32 walks, differ, depth_seen;

static int on_open(struct kprobe *kp, struct pt_regs *regs)
{
	const struct ktap_spot spot = { .ip = (unsigned long)kp->addr };
	const struct ktap_orc *o = ktap_orc();
	u64 own[WORDS] = {}, theirs[WORDS] = {};

	preempt_disable();
	ktap_arch_unwind(regs, &spot, (struct ktap_stack *)own, FRAMES);
	ktap_orc_use(NULL);
	ktap_arch_unwind(regs, &spot, (struct ktap_stack *)theirs, FRAMES);
	ktap_orc_use(o);
	preempt_enable();
	walks++;
	differ += !!memcmp(own, theirs, sizeof(own));
	depth_seen = max_t(u32, depth_seen, ((struct ktap_stack *)own)->nr);
	return 0;
}
NOKPROBE_SYMBOL(on_open);

static noinline long open_below(u32 n)
{
	struct file *file;
	long ret;

	if (n) {
		ret = open_below(n - 1);
		barrier(); /* else the compiler makes a loop of it */
		return ret + 1;
	}
	file = filp_open("/proc/self/stat", O_RDONLY, 0);
	if (!IS_ERR(file))
		filp_close(file, NULL);
	return 0;
}

static void orc_walks_as_the_kernel(struct kunit *test)
{
	struct kprobe kp = { .symbol_name = "do_filp_open", .pre_handler = on_open };
	u32 n;

	ktap_arch_unwind_prepare();
	if (!ktap_orc())
		kunit_skip(test, "a kernel without symbols of data");
	walks = 0;
	differ = 0;
	depth_seen = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	for (n = 0; n < 20; n++)
		KUNIT_EXPECT_EQ(test, open_below(n), (long)n);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_GE(test, walks, 20U);
	KUNIT_EXPECT_EQ(test, differ, 0U);
	KUNIT_EXPECT_EQ(test, depth_seen, (u32)FRAMES);
	ktap_orc_use(NULL);
}

static struct kunit_case orc_cases[] = {
	KUNIT_CASE(orc_tables_that_are_good),
	KUNIT_CASE(orc_tables_with_bad_borders),
	KUNIT_CASE(orc_tables_with_bad_contents),
	KUNIT_CASE(orc_tables_that_cannot_be_read),
	KUNIT_CASE(orc_walks_to_the_end),
	KUNIT_CASE(orc_walks_by_bp),
	KUNIT_CASE(orc_walks_to_user_code),
	KUNIT_CASE(orc_leaves_rows_to_the_kernel),
	KUNIT_CASE(orc_leaves_places_to_the_kernel),
	KUNIT_CASE_SLOW(orc_walks_anything),
	KUNIT_CASE(trail_leads_to_its_stack),
	KUNIT_CASE(trail_ends_at_user_code),
	KUNIT_CASE_SLOW(trail_is_as_good_as_a_walk),
	KUNIT_CASE(orc_walks_as_the_kernel),
	{}
};

struct kunit_suite ktap_orc_suite = {
	.name = "ktap_orc",
	.test_cases = orc_cases,
};
