// SPDX-License-Identifier: GPL-2.0
/*
 * Walks of user stacks, in a world of two files, a stack, and code that belongs to no file.
 * needs: kmod/hit/user_walk.c kmod/hit/user_rows.c kmod/hit/user_files.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "env_user.h"
#include "base/array.h"
#include "hit/user_files.h"
#include "hit/user_walk.h"
#include "user_read.h"

#define CODE	0x400000ULL	/* file 1, with a table: from offset 0x1000 on */
#define OTHER	0x600000ULL	/* file 2, without one */
#define JIT	0x700000ULL	/* no file */
#define VDSO	0x710000ULL
#define MANY	0x720000ULL	/* a file that found no number */
#define DATA	0x800000ULL	/* file 1, but no code */
#define STACK	0x7ffe0000ULL
#define WORDS	64

#define AT(offset)	((1ULL << KTAP_USER_FILE_SHIFT) | (0x1000 + (offset)))
#define IN_OTHER(offset) ((2ULL << KTAP_USER_FILE_SHIFT) | (offset))

static u64 stack[WORDS], other_code[4];

/* Functions of file 1, each of 0x100 bytes. */
enum { IN_SP, IN_FP, IN_DEREF, IN_PLT, IN_SIGNAL, IN_STOP, IN_NONE, IN_UNKNOWN, IN_LR };

static const struct ktap_user_rule rules[] = {
	[IN_SP] = { .kind = KTAP_USER_RULE_SP, .cfa = 2, .ra = -1 },
	[IN_FP] = { .kind = KTAP_USER_RULE_FP, .cfa = 2, .fp = -2, .ra = -1 },
	[IN_DEREF] = { .kind = KTAP_USER_RULE_DEREF_FP, .cfa = -1, .ra = -1 },
	[IN_PLT] = { .kind = KTAP_USER_RULE_PLT, .cfa = 11, .ra = -1 },
	[IN_SIGNAL] = { .kind = KTAP_USER_RULE_SIGNAL },
	[IN_STOP] = { .kind = KTAP_USER_RULE_STOP },
	[IN_NONE] = { .kind = KTAP_USER_RULE_NONE },
	[IN_UNKNOWN] = { .kind = KTAP_USER_RULE_UNKNOWN },
	[IN_LR] = { .kind = KTAP_USER_RULE_SP, .cfa = 2 },
};

static u32 pcs[ARRAY_SIZE(rules)], blocks[WORDS];
static u16 rows[ARRAY_SIZE(rules)];
static struct ktap_user_rows table = {
	.pcs = pcs, .rows = rows, .rules = rules, .index = blocks,
	.nr_rows = ARRAY_SIZE(rules), .nr_rules = ARRAY_SIZE(rules),
};

static bool map(u64 at, struct ktap_user_map *m)
{
	static const struct ktap_user_map maps[] = {
		{ CODE, CODE + 0x1000, 0x1000, 1, true, true, &table },
		{ OTHER, OTHER + 0x1000, 0, 2, true, true, NULL },
		{ JIT, JIT + 0x1000, 0, 0, false, true, NULL },
		{ VDSO, VDSO + 0x1000, 0, KTAP_USER_VDSO, false, true, NULL },
		{ MANY, MANY + 0x1000, 0x2000, KTAP_USER_UNNUMBERED, true, true, NULL },
		{ DATA, DATA + 0x1000, 0x3000, 1, true, false, &table },
		{ STACK, STACK + sizeof(stack), 0, 0, false, false, NULL },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(maps); i++)
		if (at >= maps[i].start && at < maps[i].end) {
			*m = maps[i];
			return true;
		}
	return false;
}

static u64 hijacked_sp;

static bool hijacked(u64 sp, u64 *ip)
{
	*ip = CODE + 0x100 * IN_STOP + 5;
	return sp == hijacked_sp;
}

static u64 at(u32 word)
{
	return STACK + 8 * word;
}

static u64 in(u32 function, u32 offset)
{
	return CODE + 0x100 * function + offset;
}

/* struct result - a stack with its frames */
struct result {
	struct ktap_stack s;
	u64 frames[KTAP_STACK_FRAMES_MAX];
};

static void begin(void)
{
	u32 i;

	env_reset();
	env_world.map = map;
	env_world.hijacked = hijacked;
	env_world.fp_tells_sp = true;
	hijacked_sp = 0;
	memset(stack, 0, sizeof(stack));
	memset(other_code, 0, sizeof(other_code));
	env_map(STACK, stack, sizeof(stack));
	env_map(OTHER, other_code, sizeof(other_code));
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		pcs[i] = 0x1000 + 0x100 * i;
		rows[i] = i;
	}
	assert_true(ktap_user_rows_ok(&table));
	ktap_user_rows_shape(&table);
	ktap_user_rows_index(&table);
}

static struct result walk_max(u64 ip, u64 sp, u64 fp, u64 lr, u32 max)
{
	const struct ktap_user_regs regs = { .ip = ip, .sp = sp, .fp = fp, .lr = lr };
	struct result r = { 0 };

	ktap_user_walk(&regs, &r.s, max, NULL);
	return r;
}

static struct result walk(u64 ip, u64 sp, u64 fp)
{
	return walk_max(ip, sp, fp, 0, KTAP_STACK_FRAMES_MAX);
}

static void is(const struct result *r, enum ktap_stack_end end, u16 nr, const u64 *frames)
{
	assert_int_equal(r->s.nr, nr);
	assert_memory_equal(r->s.frames, frames, nr * sizeof(*frames));
	assert_int_equal(r->s.end, end);
}

#define IS(r, end, ...) do {						\
	const u64 frames[] = { __VA_ARGS__ };				\
									\
	is(&(r), end, ARRAY_SIZE(frames), frames);			\
} while (0)

/* Each rule once; a call at a function's last byte is in that function. */
static void test_rules(void **state)
{
	struct result r;

	(void)state;
	begin();
	stack[1] = in(IN_FP, 0x10);
	stack[4] = at(10);
	stack[5] = in(IN_SP, 0x100);
	stack[7] = in(IN_DEREF, 0x20);
	stack[9] = at(13);
	stack[10] = at(20);
	stack[12] = in(IN_STOP, 1);
	r = walk(in(IN_SP, 0), at(0), at(4));
	IS(r, KTAP_STACK_COMPLETE, AT(0x100 * IN_SP), AT(0x100 * IN_FP + 0x10),
	   AT(0x100 * IN_SP + 0x100), AT(0x100 * IN_DEREF + 0x20), AT(0x100 * IN_STOP + 1));
	assert_int_equal(r.s.flags, 0);
}

static void test_plt(void **state)
{
	struct result r;

	(void)state;
	begin();
	stack[0] = in(IN_STOP, 1);
	stack[1] = in(IN_STOP, 2);
	r = walk(in(IN_PLT, 0x10), at(0), 0);
	IS(r, KTAP_STACK_COMPLETE, AT(0x100 * IN_PLT + 0x10), AT(0x100 * IN_STOP + 1));
	r = walk(in(IN_PLT, 0x1b), at(0), 0);
	IS(r, KTAP_STACK_COMPLETE, AT(0x100 * IN_PLT + 0x1b), AT(0x100 * IN_STOP + 2));
}

/* The interrupted instruction is the first of a function: it is not the one before. */
static void test_signal(void **state)
{
	struct result r;

	(void)state;
	begin();
	stack[1] = in(IN_SIGNAL, 1);
	stack[2] = at(8); /* fp */
	stack[3] = at(20); /* sp */
	stack[4] = in(IN_STOP, 0);
	r = walk(in(IN_SP, 4), at(0), 0);
	IS(r, KTAP_STACK_COMPLETE, AT(4), AT(0x100 * IN_SIGNAL + 1), AT(0x100 * IN_STOP));
	assert_int_equal(r.s.interrupted[0], 2);
	assert_int_equal(r.s.interrupted[1], 0);
	/* by its code, where no table says it */
	other_code[1] = ENV_SIGRETURN;
	stack[1] = OTHER + 8;
	r = walk(in(IN_SP, 4), at(0), 0);
	IS(r, KTAP_STACK_COMPLETE, AT(4), IN_OTHER(8), AT(0x100 * IN_STOP));
	/* the link register of the interrupted code is known, too */
	stack[4] = in(IN_LR, 0);
	stack[5] = in(IN_STOP, 3);
	r = walk(in(IN_SP, 4), at(0), 0);
	IS(r, KTAP_STACK_COMPLETE, AT(4), IN_OTHER(8), AT(0x100 * IN_LR), AT(0x100 * IN_STOP + 3));
}

static void test_frame_pointers(void **state)
{
	struct result r;

	(void)state;
	begin();
	stack[2] = at(6);
	stack[3] = OTHER + 0x20;
	stack[6] = 0;
	stack[7] = OTHER + 0x30;
	r = walk(OTHER + 0x10, at(0), at(2));
	IS(r, KTAP_STACK_COMPLETE, IN_OTHER(0x10), IN_OTHER(0x20), IN_OTHER(0x30));
	assert_int_equal(r.s.flags, KTAP_STACK_F_UNSURE | KTAP_STACK_F_BY_FP);
	/* into a file that has a table: the stack pointer is known */
	stack[3] = in(IN_SP, 9);
	stack[5] = in(IN_STOP, 1);
	r = walk(in(IN_NONE, 3), at(0), at(2));
	IS(r, KTAP_STACK_COMPLETE, AT(0x100 * IN_NONE + 3), AT(9), AT(0x100 * IN_STOP + 1));
	/* where it is not, only frame pointers lead on */
	env_world.fp_tells_sp = false;
	r = walk(in(IN_NONE, 3), at(0), at(2));
	IS(r, KTAP_STACK_FAULT, AT(0x100 * IN_NONE + 3), AT(9));
	/* the register is no frame pointer */
	env_world.fp_tells_sp = true;
	r = walk(OTHER + 0x10, at(4), at(2));
	IS(r, KTAP_STACK_NO_TABLE, IN_OTHER(0x10));
	r = walk(OTHER + 0x10, at(0), at(2) + 1);
	IS(r, KTAP_STACK_NO_TABLE, IN_OTHER(0x10));
	r = walk(OTHER + 0x10, at(0), 8);
	IS(r, KTAP_STACK_NO_TABLE, IN_OTHER(0x10));
	r = walk(OTHER + 0x10, at(0), 0);
	IS(r, KTAP_STACK_NO_TABLE, IN_OTHER(0x10));
	/* nor what it points at a return address */
	r = walk(OTHER + 0x10, at(0), at(20));
	IS(r, KTAP_STACK_NO_TABLE, IN_OTHER(0x10));
	/* also where a table led to the function */
	stack[1] = OTHER + 0x30;
	r = walk(in(IN_SP, 3), at(0), 0);
	IS(r, KTAP_STACK_NO_TABLE, AT(3), IN_OTHER(0x30));
	assert_int_equal(r.s.flags, 0);
	r = walk(in(IN_SP, 3), at(0), at(2));
	IS(r, KTAP_STACK_COMPLETE, AT(3), IN_OTHER(0x30), AT(9), AT(0x100 * IN_STOP + 1));
	assert_int_equal(r.s.flags, KTAP_STACK_F_BY_FP);
	/* no frame was found so: what fp leads to is no code, or is one frame too many */
	r = walk_max(in(IN_SP, 3), at(0), at(2), 0, 2);
	IS(r, KTAP_STACK_DEPTH, AT(3), IN_OTHER(0x30));
	assert_int_equal(r.s.flags, 0);
	stack[3] = at(5);
	r = walk(in(IN_SP, 3), at(0), at(2));
	IS(r, KTAP_STACK_NO_TABLE, AT(3), IN_OTHER(0x30));
	assert_int_equal(r.s.flags, 0);
	stack[3] = in(IN_SP, 9);
	stack[2] = at(2);
	r = walk(OTHER + 0x10, at(0), at(2));
	IS(r, KTAP_STACK_NO_TABLE, IN_OTHER(0x10));
	stack[2] = at(6);
	stack[3] = DATA + 5;
	r = walk(OTHER + 0x10, at(0), at(2));
	IS(r, KTAP_STACK_NO_TABLE, IN_OTHER(0x10));
}

static void test_ends(void **state)
{
	struct result r;

	(void)state;
	begin();
	r = walk(in(IN_UNKNOWN, 3), at(0), 0);
	IS(r, KTAP_STACK_NO_TABLE, AT(0x100 * IN_UNKNOWN + 3));
	r = walk(JIT + 3, at(0), at(2));
	IS(r, KTAP_STACK_JIT, JIT + 3);
	r = walk(VDSO + 3, at(0), 0);
	IS(r, KTAP_STACK_NO_TABLE, (u64)KTAP_USER_VDSO << KTAP_USER_FILE_SHIFT | 3);
	r = walk(MANY + 3, at(0), 0);
	IS(r, KTAP_STACK_NO_TABLE, (u64)KTAP_USER_UNNUMBERED << KTAP_USER_FILE_SHIFT | 0x2003);
	/* nothing is mapped there */
	r = walk(0x1000, at(0), 0);
	IS(r, KTAP_STACK_FAULT, 0x1000);
	r = walk(0xff123456789abcdULL, at(0), 0);
	IS(r, KTAP_STACK_FAULT, 0x23456789abcdULL);
	/* the stack cannot be read */
	r = walk(in(IN_SP, 3), 0x10000, 0);
	IS(r, KTAP_STACK_FAULT, AT(3));
	r = walk(in(IN_SP, 3), at(WORDS - 1), 0);
	IS(r, KTAP_STACK_FAULT, AT(3));
	/* a return address that is none */
	stack[1] = at(5);
	r = walk(in(IN_SP, 3), at(0), 0);
	IS(r, KTAP_STACK_FAULT, AT(3));
	/* the outermost function, as the C library leaves it */
	stack[1] = 0;
	r = walk(in(IN_SP, 3), at(0), 0);
	IS(r, KTAP_STACK_COMPLETE, AT(3));
	/* a rule that leads back */
	r = walk(in(IN_FP, 3), at(20), at(2));
	IS(r, KTAP_STACK_FAULT, AT(0x100 * IN_FP + 3));
	/* no link register was stored by a caller */
	stack[1] = in(IN_LR, 3);
	r = walk(in(IN_SP, 3), at(0), 0);
	IS(r, KTAP_STACK_FAULT, AT(3), AT(0x100 * IN_LR + 3));
}

static void test_depth(void **state)
{
	struct result r;
	u32 i;

	(void)state;
	begin();
	for (i = 1; i < WORDS; i += 2)
		stack[i] = in(IN_SP, 7);
	r = walk_max(in(IN_SP, 7), at(0), 0, 0, 5);
	IS(r, KTAP_STACK_DEPTH, AT(7), AT(7), AT(7), AT(7), AT(7));
	stack[9] = in(IN_STOP, 1);
	r = walk_max(in(IN_SP, 7), at(0), 0, 0, 6);
	assert_int_equal(r.s.end, KTAP_STACK_COMPLETE);
	assert_int_equal(r.s.nr, 6);
}

/* The trampoline is in no file: the stack tells which address it replaced. */
static void test_uretprobe(void **state)
{
	struct result r;

	(void)state;
	begin();
	stack[1] = JIT + 8;
	r = walk(in(IN_SP, 7), at(0), 0);
	IS(r, KTAP_STACK_JIT, AT(7), JIT + 8);
	stack[1] = JIT;
	hijacked_sp = at(1);
	r = walk(in(IN_SP, 7), at(0), 0);
	IS(r, KTAP_STACK_COMPLETE, AT(7), AT(0x100 * IN_STOP + 5));
	/* of code that was interrupted nothing is asked */
	r = walk(JIT + 1, at(1), 0);
	IS(r, KTAP_STACK_JIT, JIT + 1);
}

/* ---- anything ---- */

static u64 rnd(u64 n)
{
	return ((u64)random() << 31 ^ random()) % n;
}

static u64 any(void)
{
	static const u64 places[] = { CODE, OTHER, JIT, VDSO, DATA, STACK, STACK, 0, ~0xfffULL };

	return places[rnd(ARRAY_SIZE(places))] + rnd(rnd(2) ? 0x1000 : 0x200) / 8 * 8 +
	       (rnd(4) ? 0 : rnd(8));
}

/* Whatever memory has, a walk ends, and has no more frames than it may. */
static void test_anything(void **state)
{
	u32 i, n;

	(void)state;
	for (n = 0; n < 20000; n++) {
		u32 max = 1 + rnd(KTAP_STACK_FRAMES_MAX);
		struct result r;

		begin();
		env_world.fp_tells_sp = rnd(2);
		hijacked_sp = at(rnd(WORDS));
		for (i = 0; i < WORDS; i++)
			stack[i] = any();
		r = walk_max(any(), any(), any(), any(), max);
		assert_in_range(r.s.nr, 1, max);
		assert_in_range(r.s.end, KTAP_STACK_COMPLETE, KTAP_STACK_JIT);
	}
}

/* ---- what a walk uses ---- */

static const struct ktap_user_read *noted;

/* Only what a walk has noted is still mapped. */
static bool map_noted(u64 at, struct ktap_user_map *m)
{
	return map(at, m) && read_notes(noted, m->start);
}

/* Leads on, mostly. */
static u64 likely_word(void)
{
	return rnd(3) ? in(rnd(ARRAY_SIZE(rules)), 1 + rnd(0x80)) : at(rnd(WORDS));
}

/* Return: whether the walk says all that it has used. Then nothing else decides. */
static bool check_used(void)
{
	struct ktap_user_regs regs = { .ip = any(), .sp = any(), .fp = any(), .lr = any() };
	struct result first = { 0 }, again = { 0 };
	u32 max = 1 + rnd(8);
	struct ktap_user_read read;

	for (u32 i = 0; i < WORDS; i++)
		stack[i] = rnd(4) ? likely_word() : any();
	if (rnd(4))
		regs = (struct ktap_user_regs){ likely_word(), at(rnd(8)), at(rnd(WORDS)),
						likely_word() };
	ktap_user_walk(&regs, &first.s, max, &read);
	if (read.open)
		return false;
	for (u32 i = 0; i < read.nr; i++) {
		u64 value;

		assert_int_equal(env_user_word(read.words[i].at, &value), 0);
		assert_int_equal(read.words[i].value, value);
	}
	for (u32 i = 0; i < WORDS; i++)
		if (!read_uses(&read, at(i)))
			stack[i] = any();
	regs.fp = read.fp ? regs.fp : any();
	regs.lr = read.lr ? regs.lr : any();
	hijacked_sp = at(rnd(WORDS));
	noted = &read;
	env_world.map = map_noted;
	ktap_user_walk(&regs, &again.s, max, NULL);
	assert_memory_equal(&first, &again, sizeof(first));
	return first.s.nr > 2;
}

static void test_used(void **state)
{
	u32 n, longer = 0;

	(void)state;
	for (n = 0; n < 20000; n++) {
		begin();
		env_world.fp_tells_sp = rnd(2);
		longer += check_used();
	}
	assert_in_range(longer, 100, n);
}

static struct result walk_used(struct ktap_user_regs regs, u32 max, struct ktap_user_read *read)
{
	struct result r = { 0 };

	ktap_user_walk(&regs, &r.s, max, read);
	return r;
}

/* Each of these decides, so a walk has to say it. */
static void test_uses(void **state)
{
	struct ktap_user_regs regs = { .ip = in(IN_SP, 3), .sp = at(0), .fp = at(4) };
	struct ktap_user_read read;

	(void)state;
	begin();
	stack[1] = in(IN_STOP, 1);
	walk_used(regs, 8, &read);
	assert_false(read.open || read.fp || read.lr);
	assert_int_equal(read.nr, 1);
	assert_int_equal(read.words[0].at, at(1));
	assert_int_equal(read.words[0].value, in(IN_STOP, 1));
	assert_int_equal(read.nr_notes, 1);
	assert_int_equal(read.notes[0].says.start, CODE);
	/* the first and the second frame have one frame pointer */
	stack[1] = in(IN_FP, 1);
	stack[5] = in(IN_STOP, 1);
	walk_used(regs, 8, &read);
	assert_true(read.fp && !read.open);
	/* so does a word that it points to */
	stack[1] = in(IN_DEREF, 1);
	walk_used(regs, 8, &read);
	assert_true(read.fp);
	regs.ip = in(IN_LR, 3);
	regs.lr = in(IN_STOP, 1);
	walk_used(regs, 8, &read);
	assert_true(read.lr && !read.fp);
	assert_int_equal(read.nr, 0);
	/* a trampoline, whose place is not in the memory of the task */
	regs.ip = in(IN_SP, 3);
	stack[1] = JIT;
	walk_used(regs, 8, &read);
	assert_true(read.open);
	/* what cannot be read may be readable later, and what is not mapped may be mapped */
	regs.sp = 0x10000;
	walk_used(regs, 8, &read);
	assert_true(read.open);
	regs.ip = 0x1000;
	walk_used(regs, 8, &read);
	assert_true(read.open);
}

/* More mappings than a trail has space for. */
static void test_uses_maps(void **state)
{
	struct ktap_user_regs regs = { .ip = in(IN_SP, 3), .sp = at(0) };
	struct ktap_user_read read;

	(void)state;
	begin();
	stack[1] = in(IN_SP, 3);
	stack[3] = OTHER + 8;
	walk_used(regs, 3, &read);
	assert_int_equal(read.nr_notes, 2);
	assert_false(read.open);
	stack[3] = in(IN_FP, 3);
	regs.fp = at(4);
	stack[4] = at(6);
	stack[5] = OTHER + 8;
	stack[6] = 0;
	stack[7] = VDSO + 8;
	walk_used(regs, 5, &read);
	assert_int_equal(read.nr_notes, KTAP_USER_NOTES_MAX);
	assert_true(read.open);
}

/* More words than a trail has space for. */
static void test_uses_much(void **state)
{
	static u64 deep[4 * KTAP_USER_WORDS_MAX];
	struct ktap_user_regs regs = { .ip = in(IN_SP, 3), .sp = STACK };
	struct ktap_user_read read;
	struct result r;
	u32 i;

	(void)state;
	begin();
	env_reset();
	env_world.map = map;
	env_map(STACK, deep, sizeof(deep));
	env_map(OTHER, other_code, sizeof(other_code));
	for (i = 0; i < ARRAY_SIZE(deep); i++)
		deep[i] = in(IN_SP, 3);
	r = walk_used(regs, KTAP_USER_WORDS_MAX - 1, &read);
	assert_int_equal(r.s.end, KTAP_STACK_DEPTH);
	assert_int_equal(read.nr, KTAP_USER_WORDS_MAX - 1);
	assert_false(read.open);
	for (i = 0; i < ARRAY_SIZE(deep); i += 2) {
		deep[i] = STACK + 8 * (i + 2);
		deep[i + 1] = OTHER + 0x10;
	}
	regs = (struct ktap_user_regs){ .ip = OTHER + 8, .sp = STACK, .fp = STACK };
	walk_used(regs, KTAP_STACK_FRAMES_MAX, &read);
	assert_int_equal(read.nr, KTAP_USER_WORDS_MAX);
	assert_true(read.open);
}

/* ---- numbers of files ---- */

static void test_files(void **state)
{
	static struct ktap_user_files f;
	static u32 seen[KTAP_USER_FILES_MAX];
	struct ktap_user_id id = { .inode = 1, .dev = 2, .generation = 3 };
	u32 nr, i, found = 0, first = 0;

	(void)state;
	begin();
	nr = ktap_user_files_find(&f, &id, 7, 0x1234);
	assert_in_range(nr, 1, KTAP_USER_FILES_MAX - 1);
	assert_int_equal(f.slots[nr].tgid, 7);
	assert_int_equal(f.slots[nr].address, 0x1234);
	assert_int_equal(f.slots[nr].is_told, 1);
	/* the same file, met elsewhere */
	assert_int_equal(ktap_user_files_find(&f, &id, 8, 0x5678), nr);
	assert_int_equal(f.slots[nr].tgid, 7);
	assert_int_equal(f.nr, 1);
	/* the same inode with other contents, and another inode */
	id.size = 1;
	assert_int_not_equal(ktap_user_files_find(&f, &id, 7, 0), nr);
	id.size = 0;
	ktap_user_contents(&id.size, &id.changed, false, 0, 1);
	assert_int_not_equal(ktap_user_files_find(&f, &id, 7, 0), nr);
	/* neither counts while it is mapped for writing */
	id.size = 5;
	ktap_user_contents(&id.size, &id.changed, true, 6, 7);
	assert_int_equal(ktap_user_files_find(&f, &id, 7, 0), nr);
	id.generation = 4;
	assert_int_not_equal(ktap_user_files_find(&f, &id, 7, 0), nr);
	for (i = 0; i < 2 * KTAP_USER_FILES_MAX; i++) {
		id.inode = 100 + i;
		nr = ktap_user_files_find(&f, &id, 1, 0);
		assert_in_range(nr, 0, KTAP_USER_FILES_MAX - 1);
		if (!nr) {
			first = first ?: i;
			continue;
		}
		assert_int_equal(seen[nr]++, 0);
		found++;
	}
	/* nearly all numbers are given, most of them before the first file has none */
	assert_in_range(first, KTAP_USER_FILES_MAX * 85 / 100, KTAP_USER_FILES_MAX);
	assert_in_range(found, KTAP_USER_FILES_MAX * 9 / 10, KTAP_USER_FILES_MAX);
	assert_int_equal(f.nr, found + 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_plt),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_frame_pointers),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_uretprobe),
		cmocka_unit_test(test_anything),
		cmocka_unit_test(test_used),
		cmocka_unit_test(test_uses),
		cmocka_unit_test(test_uses_maps),
		cmocka_unit_test(test_uses_much),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
