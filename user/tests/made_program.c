// SPDX-License-Identifier: GPL-2.0
/* Fetch programs out of bytes, for fuzz targets in user space and in guests. */
#include "made_program.h"

enum {
	DST = 1, A = 2, B = 4, SIZE = 8, OFF = 16, IMM = 32, USER = 64,
	ALU = 128, FAULT = 256, TASK = 512, TAKE = 1024,
};

/* What an operation takes; END and FAULTS have their places. */
static const u16 takes[KTAP_OP_MAX + 1] = {
	[KTAP_OP_REG] = DST | IMM,
	[KTAP_OP_IMM] = DST | IMM,
	[KTAP_OP_STACK] = DST | IMM,
	[KTAP_OP_LOAD] = DST | A | SIZE | IMM | USER,
	[KTAP_OP_ALU] = DST | A | B | ALU,
	[KTAP_OP_ALUI] = DST | A | ALU | IMM,
	[KTAP_OP_JZ] = A | IMM,
	[KTAP_OP_JMP] = IMM,
	[KTAP_OP_FILTER] = A,
	[KTAP_OP_STORE] = A | FAULT | SIZE | OFF,
	[KTAP_OP_STRING] = A | OFF | IMM | USER,
	[KTAP_OP_COMM] = OFF,
	[KTAP_OP_CTX] = DST | IMM,
	[KTAP_OP_ARG] = DST | IMM,
	[KTAP_OP_BYTES] = A | FAULT | OFF | IMM | USER,
	[KTAP_OP_MATCH] = DST | A | IMM | USER,
	[KTAP_OP_ENTRY] = DST | FAULT | SIZE | IMM,
	[KTAP_OP_ENTRY_BYTES] = FAULT | OFF | IMM,
	[KTAP_OP_ENTRY_STRING] = OFF | IMM,
	[KTAP_OP_KSTACK] = DST | IMM,
	[KTAP_OP_STATE_PUT] = A | B | TASK,
	[KTAP_OP_STATE_GET] = DST | A | FAULT | TASK | TAKE,
	[KTAP_OP_USTACK] = DST | IMM,
	[KTAP_OP_COUNTER] = DST | IMM,
};

/* Mostly what makes sense, or most programs would be refused at once. */
static u64 sensible_imm(struct fuzz_bytes *b, u8 op, u32 left)
{
	switch (op) {
	case KTAP_OP_REG:
		return fuzz_byte(b) % ENV_NR_REGS;
	case KTAP_OP_JZ:
	case KTAP_OP_JMP:
		return left ? fuzz_byte(b) % left : 0;
	case KTAP_OP_STACK:
		return fuzz_byte(b) * 8;
	case KTAP_OP_STRING:
	case KTAP_OP_BYTES:
		return (fuzz_byte(b) + 1) << fuzz_byte(b) % 7;
	case KTAP_OP_CTX:
	case KTAP_OP_ARG:
		return fuzz_byte(b) % 10;
	case KTAP_OP_KSTACK:
	case KTAP_OP_USTACK:
		return 1 + fuzz_byte(b) % KTAP_STACK_FRAMES_MAX;
	case KTAP_OP_COUNTER:
		return KTAP_COUNTER(fuzz_byte(b) % 2, fuzz_byte(b) % 12);
	case KTAP_OP_MATCH:
		return 1 + fuzz_byte(b) % 24;
	case KTAP_OP_ENTRY:
		return fuzz_byte(b) % 64;
	case KTAP_OP_ENTRY_BYTES:
		return (u64)(fuzz_byte(b) % 64) << 32 | (1 + fuzz_byte(b) % 64);
	case KTAP_OP_ENTRY_STRING:
		return fuzz_byte(b) % 4;
	default:
		return fuzz_byte(b) & 1 ? fuzz_word(b) : fuzz_byte(b);
	}
}

static struct ktap_insn sensible_insn(struct fuzz_bytes *b, u32 left)
{
	static const u8 sizes[] = { 1, 2, 4, 8 };
	u8 op = 1 + fuzz_byte(b) % KTAP_OP_MAX;
	struct ktap_insn i = { .op = op };

	if (takes[op] & DST)
		i.dst = fuzz_byte(b) % KTAP_NR_SLOTS;
	if (takes[op] & A)
		i.a = fuzz_byte(b) % KTAP_NR_SLOTS;
	if (takes[op] & ALU)
		i.size = fuzz_byte(b) % (KTAP_ALU_MAX + 1);
	if (takes[op] & SIZE)
		i.size = sizes[fuzz_byte(b) % 4];
	if (takes[op] & B)
		i.b = fuzz_byte(b) % KTAP_NR_SLOTS;
	if (takes[op] & FAULT)
		i.b = fuzz_byte(b) & 1 ? fuzz_byte(b) % 8 : KTAP_NO_FAULT;
	if (takes[op] & OFF)
		i.off = (fuzz_byte(b) & 7 ? fuzz_byte(b) : fuzz_word(b)) * 8;
	if (takes[op] & USER)
		i.flags = fuzz_byte(b) & KTAP_INSN_F_USER;
	if (takes[op] & TASK && !(fuzz_byte(b) & 3))
		i.flags |= KTAP_INSN_F_TASK;
	if (takes[op] & TAKE)
		i.flags |= fuzz_byte(b) & KTAP_INSN_F_TAKE;
	if (takes[op] & IMM)
		i.imm = sensible_imm(b, op, left);
	return i;
}

/* Letters of a pattern: of few kinds, or nothing would ever match. */
static u32 put_pattern(struct fuzz_bytes *b, struct ktap_insn *insns, u32 len)
{
	u32 nr = (len + 7) / 8, i;

	for (i = 0; i < nr; i++) {
		u8 letters[8];
		u32 k;

		for (k = 0; k < 8; k++)
			letters[k] = "*?[]!-\\a"[fuzz_byte(b) % 8];
		insns[i] = (struct ktap_insn){ .op = KTAP_OP_DATA };
		memcpy(&insns[i].imm, letters, 8);
	}
	return nr;
}

u32 made_program(struct fuzz_bytes *b, struct ktap_insn *insns)
{
	u32 nr = 1 + fuzz_byte(b) % MADE_PROGRAM_OWN, i;
	bool sensible = fuzz_byte(b) & 7;
	u8 *raw = (u8 *)insns;

	if (!sensible) {
		for (i = 0; i < nr * sizeof(*insns); i++)
			raw[i] = fuzz_byte(b);
		return nr;
	}
	/* slots are worth nothing before they are set */
	for (i = 0; i < KTAP_NR_SLOTS; i++)
		insns[i] = (struct ktap_insn){ .op = KTAP_OP_REG, .dst = i,
					       .imm = i };
	while (i < KTAP_NR_SLOTS + nr) {
		insns[i] = sensible_insn(b, KTAP_NR_SLOTS + nr - i);
		if (insns[i].op == KTAP_OP_MATCH)
			i += put_pattern(b, insns + i + 1, insns[i].imm);
		i++;
	}
	/* nor are fault bits before the mask is stored */
	insns[i++] = (struct ktap_insn){ .op = KTAP_OP_FAULTS, .size = 8 };
	insns[i++] = (struct ktap_insn){ .op = KTAP_OP_END };
	return i;
}
