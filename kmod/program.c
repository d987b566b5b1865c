// SPDX-License-Identifier: GPL-2.0
/*
 * Fetch programs: from instructions off the wire to what the hit path runs.
 */
#include <linux/err.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "program.h"

static bool continues(const struct ktap_stores *s, const u16 *word, u16 off,
		      u16 size)
{
	return size == 8 && off == 8 * (word - s->words);
}

/*
 * A simple program is pairs of "slot = register" and "payload = slot". Where
 * its stores leave a part of the last word free, that word is cleared first.
 */
static int make_stores(struct ktap_prog *prog, u32 nr)
{
	struct ktap_stores *s = &prog->stores;
	u16 slot_reg[KTAP_NR_SLOTS] = {};
	u32 size = prog->info.fixed_size;
	const struct ktap_insn *i;
	struct ktap_copy *c;
	u16 *w;

	w = kcalloc(nr, sizeof(*w), GFP_KERNEL_ACCOUNT);
	s->words = w;
	c = kcalloc(nr, sizeof(*c), GFP_KERNEL_ACCOUNT);
	s->copies = c;
	if (!w || !c)
		return -ENOMEM;
	if (size % 8)
		*c++ = (struct ktap_copy){
			.reg = KTAP_COPY_ZERO, .off = ALIGN_DOWN(size, 8),
		};
	for (i = prog->insns; i->op != KTAP_OP_END; i++) {
		if (i->op == KTAP_OP_REG)
			slot_reg[i->dst] = ktap_arch_regs[i->imm];
		else if (c == s->copies && continues(s, w, i->off, i->size))
			*w++ = slot_reg[i->a];
		else
			*c++ = (struct ktap_copy){
				.reg = slot_reg[i->a],
				.off = i->off,
				.size = i->size,
			};
	}
	s->words_end = w;
	s->copies_end = c;
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
