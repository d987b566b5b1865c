// SPDX-License-Identifier: GPL-2.0
/*
 * Fetch programs: from instructions off the wire to what the hit path runs.
 */
#include <linux/err.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "program.h"

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

/*
 * A simple program is pairs of "slot = register" and "payload = slot". Return:
 * how many pairs. Where stores leave a part of the last word free, that word is
 * cleared first.
 */
static u32 make_copies(const struct ktap_prog *prog, struct ktap_copy *list)
{
	u16 slot_reg[KTAP_NR_SLOTS] = {};
	u32 size = prog->info.fixed_size;
	const struct ktap_insn *i;
	struct ktap_copy *c = list;

	if (size % 8)
		*c++ = (struct ktap_copy){
			.off = ALIGN_DOWN(size, 8), .kind = KTAP_COPY_ZERO,
		};
	for (i = prog->insns; i->op != KTAP_OP_END; i++) {
		if (i->op == KTAP_OP_REG)
			slot_reg[i->dst] = ktap_arch_regs[i->imm];
		else
			*c++ = (struct ktap_copy){
				.reg = slot_reg[i->a],
				.off = i->off,
				.kind = kind_of(i->size),
			};
	}
	return c - list;
}

static u32 remove_copy(struct ktap_copy *list, u32 nr, struct ktap_copy *c)
{
	memmove(c, c + 1, (list + --nr - c) * sizeof(*c));
	return nr;
}

/* The copy that alone fills a word of the payload, or NULL. */
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
 * What clears the last word does so for nothing where the first store to it
 * can do that as well: one of 4 bytes at its start.
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

/* Words come first, however the program is ordered: they cost least. */
static int make_stores(struct ktap_prog *prog, u32 nr)
{
	struct ktap_stores *s = &prog->stores;
	struct ktap_copy *copies, *c;
	u16 *words;

	words = kcalloc(nr, sizeof(*words), GFP_KERNEL_ACCOUNT);
	s->words = words;
	copies = kcalloc(nr, sizeof(*copies), GFP_KERNEL_ACCOUNT);
	s->copies = copies;
	if (!words || !copies)
		return -ENOMEM;
	s->nr_copies = make_copies(prog, copies);
	while ((c = only_copy_to(copies, s->nr_copies, s->nr_words))) {
		words[s->nr_words++] = c->reg;
		s->nr_copies = remove_copy(copies, s->nr_copies, c);
	}
	s->nr_copies = widen_copy(copies, s->nr_copies);
	return 0;
}

/**
 * ktap_prog_create() - verify a program and make it ready to run
 * @insns: instructions (copied)
 * @nr: how many
 * @why: the verifier's refusal, or KTAP_REFUSE_NONE
 * @at: the instruction it refused
 *
 * Context: process; may sleep.
 * Return: the program, or ERR_PTR: -EINVAL with @why, -ENOMEM.
 */
struct ktap_prog *ktap_prog_create(const struct ktap_insn *insns, u32 nr,
				   const struct ktap_prog_place *place,
				   enum ktap_refusal *why, u32 *at)
{
	struct ktap_prog_info info;
	struct ktap_prog *prog;

	*why = ktap_verify(insns, nr, place, &info, at);
	if (*why)
		return ERR_PTR(-EINVAL);
	prog = kzalloc(struct_size(prog, insns, nr), GFP_KERNEL_ACCOUNT);
	if (!prog)
		return ERR_PTR(-ENOMEM);
	prog->info = info;
	memcpy(prog->insns, insns, nr * sizeof(*insns));
	if (info.simple && make_stores(prog, nr)) {
		ktap_prog_destroy(prog);
		return ERR_PTR(-ENOMEM);
	}
	return prog;
}

/* ktap_prog_destroy() - NULL is allowed. Context: any; no hit uses it. */
void ktap_prog_destroy(struct ktap_prog *prog)
{
	if (!prog)
		return;
	kfree(prog->stores.words);
	kfree(prog->stores.copies);
	kfree(prog);
}
