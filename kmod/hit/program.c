// SPDX-License-Identifier: GPL-2.0
/* Fetch programs: turns the instructions of a request into what the hit path runs. */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "core/budget.h"
#include "core/counters.h"
#include "hit/cost.h"
#include "hit/match.h"
#include "hit/program.h"

static enum ktap_copy_kind kind_of(u8 size)
{
	switch (size) {
	case 8:
		return KTAP_COPY_8;
	case 4:
		return KTAP_COPY_4;
	case 2:
		return KTAP_COPY_2;
	default:
		return KTAP_COPY_1;
	}
}

/**
 * struct plain - what the instructions of a plain program have done
 * @regs: bit mask of the slots that hold registers
 * @kstacks: ... the kernel stack
 * @ustacks: ... the user stack
 * @nr_kstacks: number of stores of the kernel stack
 * @nr_ustacks: number of stores of the user stack
 * @nr_names: number of stores of the comm
 */
struct plain {
	u32 regs;
	u32 kstacks;
	u32 ustacks;
	u32 nr_kstacks;
	u32 nr_ustacks;
	u32 nr_names;
};

static void plain_set(struct plain *p, u32 *kind, u8 slot)
{
	p->regs &= ~BIT(slot);
	p->kstacks &= ~BIT(slot);
	p->ustacks &= ~BIT(slot);
	*kind |= BIT(slot);
}

static int plain_store(const struct ktap_insn *i, struct plain *p)
{
	if (i->b != KTAP_NO_FAULT)
		return -1;
	if (p->regs & BIT(i->a))
		return i->size;
	if (p->kstacks & BIT(i->a))
		p->nr_kstacks++;
	else if (p->ustacks & BIT(i->a))
		p->nr_ustacks++;
	else
		return -1;
	return i->size == sizeof(u64) ? i->size : -1;
}

/* Number of bytes that an instruction of a plain program stores; -1: not allowed in one. */
static int plain_bytes(const struct ktap_insn *i, struct plain *p)
{
	switch (i->op) {
	case KTAP_OP_REG:
		plain_set(p, &p->regs, i->dst);
		return 0;
	case KTAP_OP_KSTACK:
		plain_set(p, &p->kstacks, i->dst);
		return 0;
	case KTAP_OP_USTACK:
		plain_set(p, &p->ustacks, i->dst);
		return 0;
	case KTAP_OP_STORE:
		return plain_store(i, p);
	case KTAP_OP_COMM:
		p->nr_names++;
		return KTAP_COMM_LEN;
	case KTAP_OP_STRING:
		return p->regs & BIT(i->a) ? sizeof(struct ktap_string) : -1;
	default:
		return -1;
	}
}

/* One comm and one stack of each kind, which is stored once; and none if there are strings. */
static bool is_route(const struct plain *p, const struct ktap_prog_info *info)
{
	if (p->nr_kstacks + p->nr_ustacks != info->nr_stacks)
		return false;
	if (info->nr_strings)
		return !p->nr_names && !info->nr_stacks;
	return p->nr_names <= 1 && p->nr_kstacks <= 1 && p->nr_ustacks <= 1;
}

/*
 * The interpreter clears the fixed part and executes the stores in order. A plain program
 * has the same result without either, because it stores each byte once.
 */
static bool is_plain(const struct ktap_insn *body,
		     const struct ktap_prog_info *info)
{
	const struct ktap_insn *i;
	u64 bytes, stored = 0; /* one bit per byte */
	struct plain p = {};
	int size;

	if (info->simple || info->fixed_size > KTAP_PLAIN_MAX)
		return false;
	for (i = body; i->op != KTAP_OP_END; i++) {
		size = plain_bytes(i, &p);
		if (size < 0)
			return false;
		bytes = ((1ULL << size) - 1) << i->off;
		if (stored & bytes)
			return false;
		stored |= bytes;
	}
	if (!is_route(&p, info))
		return false;
	return stored == (info->fixed_size ?
			  GENMASK_ULL(info->fixed_size - 1, 0) : 0);
}

/* Does the program store the time, and do nothing else? */
static bool stores_time(const struct ktap_insn *i, const struct ktap_prog_info *info)
{
	return info->fixed_size == 8 && i[0].op == KTAP_OP_CTX && i[0].imm == KTAP_CTX_TIME &&
	       i[1].op == KTAP_OP_STORE && i[1].a == i[0].dst && i[1].size == 8 &&
	       i[2].op == KTAP_OP_END;
}

static bool has_name(const struct ktap_insn *i)
{
	while (i->op != KTAP_OP_END && i->op != KTAP_OP_COMM)
		i++;
	return i->op == KTAP_OP_COMM;
}

/* No register has these offsets. */
#define IS_KSTACK	U16_MAX
#define IS_USTACK	(U16_MAX - 1)

static u16 take_stack(struct ktap_stores *s, const struct ktap_insn *i)
{
	if (i->op == KTAP_OP_KSTACK) {
		s->kstack.max = i->imm;
		return IS_KSTACK;
	}
	s->ustack.max = i->imm;
	return IS_USTACK;
}

static void make_store(struct ktap_stores *s, struct ktap_copy *copy, u16 reg,
		       const struct ktap_insn *i)
{
	if (reg == IS_KSTACK)
		s->kstack.off = i->off;
	else if (reg == IS_USTACK)
		s->ustack.off = i->off;
	else
		copy[s->nr_copies++] = (struct ktap_copy){
			.reg = reg, .off = i->off, .kind = kind_of(i->size),
		};
}

/*
 * Translates pairs of REG and STORE, pairs of REG and STRING, stacks and their STOREs, and a
 * COMM. If stores in place leave a part of the last word unwritten, that word is cleared
 * first.
 */
static void make_lists(struct ktap_prog *prog, struct ktap_copy *copy,
		       struct ktap_text *text)
{
	const struct ktap_insn *body = prog->insns + prog->gate.body, *i;
	u16 slot_reg[KTAP_NR_SLOTS] = {};
	struct ktap_stores *s = &prog->stores;
	u32 size = prog->info.fixed_size;

	s->fixed_size = size;
	s->has_name = has_name(body);
	if (size % 8 && !prog->info.nr_strings)
		copy[s->nr_copies++] = (struct ktap_copy){
			.off = ALIGN_DOWN(size, 8), .kind = KTAP_COPY_ZERO,
		};
	for (i = body; i->op != KTAP_OP_END; i++) {
		if (i->op == KTAP_OP_REG)
			slot_reg[i->dst] = env_reg_offset(i->imm);
		else if (i->op == KTAP_OP_KSTACK || i->op == KTAP_OP_USTACK)
			slot_reg[i->dst] = take_stack(s, i);
		else if (i->op == KTAP_OP_STORE)
			make_store(s, copy, slot_reg[i->a], i);
		else if (i->op == KTAP_OP_COMM)
			s->name = i->off;
		else
			text[s->nr_texts++] = (struct ktap_text){
				.reg = slot_reg[i->a],
				.off = i->off,
				.max = i->imm,
				.user = i->flags & KTAP_INSN_F_USER,
			};
	}
	if (s->nr_texts)
		text[s->nr_texts - 1].last = true;
}

static u32 remove_copy(struct ktap_copy *list, u32 nr, struct ktap_copy *c)
{
	memmove(c, c + 1, (list + --nr - c) * sizeof(*c));
	return nr;
}

/* The only copy into a word of the payload, or NULL if there are several. */
static struct ktap_copy *only_copy_to(struct ktap_copy *list, u32 nr, u32 word)
{
	struct ktap_copy *c, *found = NULL;

	for (c = list; c < list + nr; c++) {
		if (c->off / 8 != word)
			continue;
		if (found || c->kind != KTAP_COPY_8)
			return NULL;
		found = c;
	}
	return found;
}

/*
 * Removes the store that clears the last word if the first store into that word can clear
 * it too: a store of 4 bytes at the beginning of the word.
 */
static u32 widen_copy(struct ktap_copy *list, u32 nr)
{
	struct ktap_copy *c;

	if (!nr || list[0].kind != KTAP_COPY_ZERO)
		return nr;
	for (c = list + 1; c < list + nr; c++)
		if (c->off >= list[0].off)
			break;
	if (c == list + nr || c->off != list[0].off || c->kind != KTAP_COPY_4)
		return nr;
	c->kind = KTAP_COPY_4_WIDE;
	return remove_copy(list, nr, list);
}

/* Merges two 4-byte stores that fill a word into one. */
static u32 pair_copies(struct ktap_copy *list, u32 nr)
{
	struct ktap_copy *c;

	for (c = list; c + 1 < list + nr; c++) {
		if (c[0].kind != KTAP_COPY_4 || c[1].kind != KTAP_COPY_4 ||
		    c[0].off % 8 || c[1].off != c[0].off + 4)
			continue;
		c->kind = KTAP_COPY_4_PAIR;
		c->second = c[1].reg;
		nr = remove_copy(list, nr, c + 1);
	}
	return nr;
}

/* Whole words come first, whatever their order in the program: they are the cheapest. */
static int make_stores(struct ktap_prog *prog, u32 nr)
{
	struct ktap_stores *s = &prog->stores;
	struct ktap_copy *copies, *c;
	struct ktap_text *texts;
	u16 *words;

	words = kcalloc(nr, sizeof(*words), KTAP_GFP);
	s->words = words;
	copies = kcalloc(nr, sizeof(*copies), KTAP_GFP);
	s->copies = copies;
	texts = kcalloc(nr, sizeof(*texts), KTAP_GFP);
	s->texts = texts;
	if (!words || !copies || !texts)
		return -ENOMEM;
	make_lists(prog, copies, texts);
	while ((c = only_copy_to(copies, s->nr_copies, s->nr_words))) {
		words[s->nr_words++] = c->reg;
		s->nr_copies = remove_copy(copies, s->nr_copies, c);
	}
	s->nr_copies = widen_copy(copies, s->nr_copies);
	s->nr_copies = pair_copies(copies, s->nr_copies);
	return 0;
}

static u64 steps_bytes(u32 nr)
{
	return nr ? ktap_mem_size(nr * sizeof(struct ktap_step)) : 0;
}

/* @nr: steps that ktap_walk_make() counted. */
static int make_steps(struct ktap_prog *prog, u32 nr)
{
	if (!nr)
		return 0;
	prog->walk.steps = kcalloc(nr, sizeof(*prog->walk.steps), KTAP_GFP);
	if (!prog->walk.steps)
		return -ENOMEM;
	ktap_walk_make(prog->insns + prog->gate.body, &prog->info, &prog->walk);
	return 0;
}

/* Compiles all globs, so that a hit only runs them. */
static int make_globs(struct ktap_prog *prog)
{
	size_t size = ktap_globs_size(prog->insns);

	if (!size)
		return 0;
	prog->globs = kvzalloc(size, KTAP_GFP);
	if (!prog->globs)
		return -ENOMEM;
	prog->globs_size = size;
	ktap_globs_make(prog->insns, prog->globs);
	return 0;
}

/**
 * ktap_prog_verify() - verify a program and compute its cost
 * @insns: program
 * @nr: length of @insns
 * @place: where it will run; NULL: at a hook that passes registers only
 * @info: filled on success
 * @why: reason of the verifier, or KTAP_REFUSE_NONE
 * @at: instruction that it refused
 *
 * Context: process; may sleep.
 * Return: 0, -EINVAL with @why, or -ENOMEM.
 */
int ktap_prog_verify(const struct ktap_insn *insns, u32 nr,
		     const struct ktap_prog_place *place,
		     struct ktap_prog_info *info, enum ktap_refusal *why,
		     u32 *at)
{
	struct ktap_way *ways;

	*why = ktap_verify(insns, nr, place, info, at);
	if (*why)
		return -EINVAL;
	ways = kvmalloc_array(nr, sizeof(*ways), KTAP_GFP);
	if (!ways)
		return -ENOMEM;
	ktap_cost_sum(insns, nr, place, info, ways);
	kvfree(ways);
	return 0;
}

static u64 stores_bytes(u32 nr)
{
	const struct ktap_stores *s;

	return ktap_mem_size(nr * sizeof(*s->words)) +
	       ktap_mem_size(nr * sizeof(*s->copies)) +
	       ktap_mem_size(nr * sizeof(*s->texts));
}

static u64 insns_bytes(u32 nr)
{
	const struct ktap_prog *prog;

	return ktap_mem_size(struct_size(prog, insns, nr));
}

static u64 globs_bytes(const struct ktap_insn *insns)
{
	size_t size = ktap_globs_size(insns);

	return size ? ktap_mem_size(size) : 0;
}

/**
 * ktap_prog_bytes() - largest charge of a program to the budget
 * @nr: number of instructions
 *
 * Context: any.
 * Return: bytes.
 */
u64 ktap_prog_bytes(u32 nr)
{
	return insns_bytes(nr) + stores_bytes(nr) +
	       steps_bytes(nr + KTAP_WALK_WORDS);
}

/**
 * ktap_prog_create() - verify a program and prepare it
 * @insns: instructions (copied)
 * @nr: length of @insns
 * @place: where it will run; NULL: at a hook that passes registers only
 * @why: reason of the verifier, or KTAP_REFUSE_NONE
 * @at: instruction that it refused
 *
 * Context: process; may sleep.
 * Return: the program, or ERR_PTR: -EINVAL with @why, -ENOMEM or -ENOSPC.
 */
struct ktap_prog *ktap_prog_create(const struct ktap_insn *insns, u32 nr,
				   const struct ktap_prog_place *place,
				   enum ktap_refusal *why, u32 *at)
{
	struct ktap_prog_info info;
	struct ktap_prog *prog;
	struct ktap_gate gate;
	struct ktap_walk walk = {};
	u32 nr_steps = 0;
	bool listed;
	u64 bytes;
	int err;

	err = ktap_prog_verify(insns, nr, place, &info, why, at);
	if (err)
		return ERR_PTR(err);
	ktap_gate_make(insns, &gate);
	listed = info.simple ||
		 (gate.whole && is_plain(insns + gate.body, &info));
	if (!listed && gate.whole)
		nr_steps = ktap_walk_make(insns + gate.body, &info, &walk);
	bytes = insns_bytes(nr) + (listed ? stores_bytes(nr) : 0) +
		steps_bytes(nr_steps) + globs_bytes(insns);
	err = ktap_budget_take(KTAP_MEM_PROGRAMS, bytes, 0, NULL);
	if (err)
		return ERR_PTR(err);
	prog = kvzalloc(struct_size(prog, insns, nr), KTAP_GFP);
	if (!prog) {
		ktap_budget_give(KTAP_MEM_PROGRAMS, bytes);
		return ERR_PTR(-ENOMEM);
	}
	prog->bytes = bytes;
	prog->info = info;
	prog->gate = gate;
	prog->is_time = stores_time(insns, &info);
	prog->in_place = listed && !info.nr_strings;
	memcpy(prog->insns, insns, nr * sizeof(*insns));
	err = make_globs(prog);
	if (!err && listed)
		err = make_stores(prog, nr);
	if (!err)
		err = make_steps(prog, nr_steps);
	if (!err)
		return prog;
	ktap_prog_destroy(prog);
	return ERR_PTR(err);
}

/**
 * ktap_prog_destroy() - free a program, and drop the counters that it has joined
 * @prog: program, or NULL; no hit uses it
 *
 * Context: process; may sleep.
 */
void ktap_prog_destroy(struct ktap_prog *prog)
{
	if (!prog)
		return;
	ktap_counters_leave(&prog->info);
	kfree(prog->stores.words);
	kfree(prog->stores.copies);
	kfree(prog->stores.texts);
	kfree(prog->walk.steps);
	kvfree(prog->globs);
	ktap_budget_give(KTAP_MEM_PROGRAMS, prog->bytes);
	kvfree(prog);
}
