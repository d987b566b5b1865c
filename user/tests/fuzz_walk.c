// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: the walk of a user stack, where all that it reads is made to mislead. The input
 * has the rules and the rows of a table, registers, and the stack. The walk ends, and what it
 * says of the stack makes sense. What it has not used can change, and it ends in the same way.
 * needs: kmod/hit/user_walk.c kmod/hit/user_rows.c kmod/hit/user_files.c
 */
#include <stdlib.h>
#include <string.h>

#include "env_user.h"
#include "base/array.h"
#include "fuzz.h"
#include "hit/user_files.h"
#include "hit/user_walk.h"
#include "user_read.h"

#define CODE	0x400000ULL	/* a file with a table */
#define OTHER	0x600000ULL	/* a file without */
#define JIT	0x700000ULL	/* no file */
#define VDSO	0x710000ULL
#define STACK	0x7ffe0000ULL
#define WORDS	64

#define NR_RULES 8
#define NR_ROWS	16

static u64 stack[WORDS];
static u32 pcs[NR_ROWS], blocks[WORDS + 1];
static u16 rows[NR_ROWS];
static struct ktap_user_rule rules[NR_RULES];
static struct ktap_user_rows table = {
	.pcs = pcs, .rows = rows, .rules = rules, .index = blocks,
	.nr_rows = NR_ROWS, .nr_rules = NR_RULES,
};

/* struct result - a stack with its frames, and what must stay as it is */
struct result {
	struct ktap_stack s;
	u64 frames[KTAP_STACK_FRAMES_MAX];
	u64 behind;
};

#define UNTOUCHED 0x5a5a5a5a5a5a5a5aULL

static void require(int ok)
{
	if (!ok)
		abort();
}

static bool map(u64 at, struct ktap_user_map *m)
{
	static const struct ktap_user_map maps[] = {
		{ CODE, CODE + 0x1000, 0x1000, 1, true, true, &table },
		{ OTHER, OTHER + 0x1000, 0, 2, true, true, NULL },
		{ JIT, JIT + 0x1000, 0, 0, false, true, NULL },
		{ VDSO, VDSO + 0x1000, 0, KTAP_USER_VDSO, false, true, NULL },
		{ STACK, STACK + sizeof(stack), 0, 0, false, false, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		if (at >= maps[i].start && at < maps[i].end) {
			*m = maps[i];
			return true;
		}
	return false;
}

static bool hijacked(u64 sp, u64 *ip)
{
	*ip = CODE + (sp >> 3) % 0x1000;
	return !(sp & 0x38);
}

/* Mostly an address that leads on. */
static u64 word(struct fuzz_bytes *b)
{
	static const u64 from[] = { CODE, CODE, OTHER, JIT, VDSO };
	u8 what = fuzz_byte(b), more = fuzz_byte(b);

	switch (what & 7) {
	case 0:
		return fuzz_word(b);
	case 1:
	case 2:
	case 3:
		return STACK + 8 * (more % (WORDS + 2));
	default:
		return from[(what >> 3) % ARRAY_SIZE(from)] + more * 16 + (what >> 6);
	}
}

static void make_table(struct fuzz_bytes *b)
{
	u32 at = 0x1000;

	for (size_t i = 0; i < NR_RULES; i++)
		rules[i] = (struct ktap_user_rule){
			.kind = fuzz_byte(b) % __KTAP_USER_RULES,
			.cfa = (int8_t)fuzz_byte(b) % 16, .fp = (int8_t)fuzz_byte(b) % 16,
			.ra = (int8_t)fuzz_byte(b) % 16,
		};
	for (size_t i = 0; i < NR_ROWS; i++) {
		pcs[i] = at;
		rows[i] = fuzz_byte(b) % NR_RULES;
		at += 1 + fuzz_byte(b) * 2;
	}
	require(ktap_user_rows_ok(&table));
	ktap_user_rows_shape(&table);
	require(table.nr_blocks < ARRAY_SIZE(blocks));
	ktap_user_rows_index(&table);
}

static void check(const struct result *r, u32 max)
{
	const struct ktap_stack *s = &r->s;
	u32 last = 0;

	require(s->nr && s->nr <= max);
	require(s->end >= KTAP_STACK_COMPLETE && s->end < __KTAP_STACK_ENDS);
	require(!(s->flags & ~(KTAP_STACK_F_UNSURE | KTAP_STACK_F_BY_FP | KTAP_STACK_F_USER)));
	/* ascending, and then none */
	for (size_t i = 0; i < KTAP_STACK_INTERRUPTED_MAX; i++) {
		u32 at = s->interrupted[i];

		require(at < s->nr && (!at || (at > last && (!i || last))));
		last = at;
	}
	for (u32 i = s->nr; i < KTAP_STACK_FRAMES_MAX; i++)
		require(!r->frames[i]);
	require(r->behind == UNTOUCHED);
}

static const struct ktap_user_read *noted;

static bool map_noted(u64 at, struct ktap_user_map *m)
{
	return map(at, m) && read_notes(noted, m->start);
}

/* Changes all that a walk has not used, and walks again. */
static void check_used(const struct result *r, struct ktap_user_regs regs, u32 max,
		       const struct ktap_user_read *read)
{
	struct result again = { .behind = UNTOUCHED };

	require(read->nr <= KTAP_USER_WORDS_MAX && read->nr_notes <= KTAP_USER_NOTES_MAX);
	if (read->open)
		return;
	for (size_t i = 0; i < WORDS; i++)
		if (!read_uses(read, STACK + 8 * i))
			stack[i] ^= CODE ^ (i << 4);
	regs.fp += read->fp ? 0 : 8;
	regs.lr ^= read->lr ? 0 : CODE;
	env_world.hijacked = env_world.hijacked ? NULL : hijacked;
	noted = read;
	env_world.map = map_noted;
	ktap_user_walk(&regs, &again.s, max, NULL);
	require(!memcmp(r, &again, sizeof(again)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes b = { data, size };
	struct result r = { .behind = UNTOUCHED };
	struct ktap_user_read read;
	struct ktap_user_regs regs;
	u32 max = 1 + fuzz_byte(&b) % KTAP_STACK_FRAMES_MAX;

	env_reset();
	env_world.map = map;
	env_world.hijacked = fuzz_byte(&b) & 1 ? hijacked : NULL;
	env_world.fp_tells_sp = fuzz_byte(&b) & 1;
	make_table(&b);
	regs = (struct ktap_user_regs){
		.ip = word(&b), .sp = word(&b), .fp = word(&b), .lr = word(&b),
	};
	for (size_t i = 0; i < WORDS; i++)
		stack[i] = word(&b);
	env_map(STACK, stack, sizeof(stack));
	ktap_user_walk(&regs, &r.s, max, &read);
	check(&r, max);
	check_used(&r, regs, max, &read);
	return 0;
}
