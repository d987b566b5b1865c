// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of three kinds: what made_program() makes of random bytes; such as
 * the module serves without its interpreter; and dear ones.
 */
#include <string.h>

#include "programs.h"

#define X_ARGS ((const uint8_t[]){ KTAP_X86_64_DI, KTAP_X86_64_SI,	\
				   KTAP_X86_64_DX, KTAP_X86_64_CX,	\
				   KTAP_X86_64_R8, KTAP_X86_64_R9 })

/* Where a value is: registers and words that the caller does not choose are not. */
static struct ktap_insn known_value(struct chance *c, const struct kind *kind,
				    bool at_entry, uint8_t slot)
{
	struct ktap_insn i = { .op = KTAP_OP_REG, .dst = slot };

	if (kind->no_regs) {
		i.op = KTAP_OP_ARG;
		i.imm = chance_below(c, NR_VALUES);
	} else if (kind->is_return && !at_entry) {
		i.imm = KTAP_X86_64_AX;
	} else {
		i.imm = X_ARGS[chance_below(c, NR_VALUES)];
	}
	if (chance_of(c, kind->is_return ? 50 : 20)) {
		i.op = KTAP_OP_IMM;
		i.imm = memory_address(c);
	}
	return i;
}

/* Of what bytes made: nothing that user space does not know. */
static void mend(struct chance *c, const struct kind *kind, bool at_entry,
		 struct ktap_insn *i)
{
	static const uint64_t ctx[] = { KTAP_CTX_TGID, KTAP_CTX_TID,
					KTAP_CTX_UID };

	/* user space has registers for every machine */
	if (i->op == KTAP_OP_REG && i->imm >= ENV_NR_REGS)
		return;
	switch (i->op) {
	case KTAP_OP_REG:
	case KTAP_OP_ARG:
	case KTAP_OP_STACK:
		if (i->dst < KTAP_NR_SLOTS)
			*i = known_value(c, kind, at_entry, i->dst);
		break;
	case KTAP_OP_IMM:
		if (chance_of(c, 50))
			i->imm = memory_address(c);
		break;
	case KTAP_OP_LOAD:
		if (chance_of(c, 90))
			i->imm = (int64_t)(int8_t)i->imm;
		break;
	case KTAP_OP_CTX:
		if (i->imm <= KTAP_CTX_MAX)
			i->imm = ctx[chance_below(c, 3)];
		break;
	}
}

static uint32_t from_bytes(struct chance *c, const struct kind *kind,
			   bool at_entry, struct ktap_insn *insns)
{
	uint8_t bytes[1024];
	struct fuzz_bytes b = { bytes, sizeof(bytes) };
	uint32_t nr, i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = chance_next(c);
	/* fewer of them are refused for one bad one */
	if (chance_of(c, 80))
		bytes[0] = chance_below(c, 8);
	nr = made_program(&b, insns);
	for (i = 0; i < nr; i++)
		mend(c, kind, at_entry, insns + i);
	return nr;
}

/* A filter at the front, over one value. */
static uint32_t gate(struct chance *c, const struct kind *kind, bool at_entry,
		     struct ktap_insn *insns)
{
	insns[0] = known_value(c, kind, at_entry, 0);
	insns[1] = (struct ktap_insn){
		.op = KTAP_OP_ALUI, .dst = 1,
		.size = chance_of(c, 80) ?
				KTAP_ALU_EQ + chance_below(c, 6) :
				chance_below(c, KTAP_ALU_MAX + 1),
		.imm = chance_odd(c),
	};
	insns[2] = (struct ktap_insn){ .op = KTAP_OP_FILTER, .a = 1 };
	return 3;
}

/* Stores that leave no gap, of registers, and strings at registers. */
static uint32_t plain(struct chance *c, const struct kind *kind, bool at_entry,
		      struct ktap_insn *insns)
{
	uint32_t nr = 0, off = 0, want = chance_below(c, 8);
	uint8_t size, slot;

	if (chance_of(c, 30))
		nr = gate(c, kind, at_entry, insns);
	while (want--) {
		slot = chance_below(c, KTAP_NR_SLOTS);
		size = 1 << chance_below(c, 4);
		insns[nr++] = known_value(c, kind, at_entry, slot);
		if (chance_of(c, 30)) {
			off = (off + 3) & ~3U;
			insns[nr++] = (struct ktap_insn){
				.op = KTAP_OP_STRING, .a = slot, .off = off,
				.imm = 1 + chance_below(c, 300),
				.flags = chance_below(c, 2) * KTAP_INSN_F_USER,
			};
			off += 4;
			continue;
		}
		if (chance_of(c, 90))
			off = (off + size - 1) & -size;
		insns[nr++] = (struct ktap_insn){
			.op = KTAP_OP_STORE, .a = slot, .size = size,
			.off = off, .b = KTAP_NO_FAULT,
		};
		off += size;
	}
	insns[nr++] = (struct ktap_insn){ .op = KTAP_OP_END };
	return nr;
}

/* Some of them cost more than a hit may. */
static uint32_t dear(struct chance *c, const struct kind *kind, bool at_entry,
		     struct ktap_insn *insns)
{
	uint32_t nr = 1, want = 1 + chance_below(c, MADE_PROGRAM_OWN);

	insns[0] = known_value(c, kind, at_entry, 0);
	while (want--)
		insns[nr++] = (struct ktap_insn){
			.op = KTAP_OP_BYTES, .b = KTAP_NO_FAULT,
			.imm = 1 + chance_below(c, KTAP_BYTES_MAX),
		};
	insns[nr++] = (struct ktap_insn){ .op = KTAP_OP_END };
	return nr;
}

uint32_t shape_program(struct chance *c, const struct kind *kind, bool at_entry,
		       struct ktap_insn *insns)
{
	uint32_t nr, i;

	switch (chance_below(c, 20)) {
	case 0:
		return dear(c, kind, at_entry, insns);
	case 1:
	case 2:
	case 3:
	case 4:
	case 5:
	case 6:
		return plain(c, kind, at_entry, insns);
	case 7:	/* of something valid, one byte is not */
		nr = plain(c, kind, at_entry, insns);
		((uint8_t *)insns)[chance_below(c, nr * sizeof(*insns))] ^=
			1 << chance_below(c, 8);
		for (i = 0; i < nr; i++)
			mend(c, kind, at_entry, insns + i);
		return nr;
	default:
		return from_bytes(c, kind, at_entry, insns);
	}
}
