// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: whatever passes ktap_verify() runs in ktap_fetch_run() without
 * touching more than its slots and its payload (the sanitizers look), ends,
 * and leaves a record of the promised size in which every byte was written.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/match.c
 */
#include "fuzz.h"

#include <stdlib.h>

#include "env_user.h"
#include "hit/fetch.h"
#include "hit/verify.h"
#include "ready.h"

#define NR_INSNS	64

/* Memory of every kind: pages of faults, of zeros, of long and short strings. */
static int byte_anywhere(u64 addr, bool user)
{
	u64 page = (addr >> 5) * 0x9e3779b97f4a7c15;

	if (user && addr >= ENV_USER_TOP)
		return -1;
	switch (page >> 61) {
	case 0:
		return -1;
	case 1:
		return 0;
	case 2:
		return (addr * 0x9e3779b97f4a7c15) >> 60;
	default:
		return 1 + (addr & 0x7f);
	}
}

enum {
	DST = 1, A = 2, B = 4, SIZE = 8, OFF = 16, IMM = 32, USER = 64,
	ALU = 128, FAULT = 256,
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

static u32 make_program(struct fuzz_bytes *b, struct ktap_insn *insns)
{
	u32 nr = 1 + fuzz_byte(b) % NR_INSNS, i;
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

#define PROGRAM_MAX	(KTAP_NR_SLOTS + NR_INSNS + 3 + 2)

/* struct program - one that passed, ready to run, and what its hook hands over */
struct program {
	struct ktap_insn insns[PROGRAM_MAX];
	struct ktap_insn *ready;
	struct ktap_prog_info info;
	struct ktap_frame frame;
};

/* A payload as small as the verifier says it may be, full of old bytes. */
static int run(const struct program *p, u8 old, u8 **ret)
{
	/* bits before the payload, as struct ktap_entry has them */
	u64 *room = malloc(sizeof(u64) + p->info.room);

	if (!room)
		abort();
	memset(room + 1, old, p->info.room);
	*ret = (u8 *)(room + 1);
	*room = 0;
	return ktap_fetch_run(p->ready, &p->info, &p->frame, *ret, room);
}

static void forget(u8 *payload)
{
	free(payload - sizeof(u64));
}

static const char *check(const struct ktap_prog_info *info, int len, int again,
			 const u8 *one, const u8 *other)
{
	int max = info->record_max - sizeof(struct ktap_rec_head);

	if (len != again)
		return "two runs, two sizes";
	if (len == KTAP_FETCH_FILTERED)
		return info->has_filter ? NULL : "filtered without a filter";
	if (len < 0 || len % 8 || len > max || len < (int)info->fixed_size)
		return "impossible size";
	if (memcmp(one, other, len))
		return "bytes in the record that nobody wrote";
	return NULL;
}

/* Return: whether there is a program; @why says what is wrong with ours. */
static bool prepare(struct fuzz_bytes *b, struct program *p,
		    const struct ktap_prog_place *place, const char **why)
{
	u32 nr = make_program(b, p->insns), at;

	if (!ktap_verify(p->insns, nr, place, &p->info, &at)) {
		p->ready = ready_program(p->insns, nr);
		return true;
	}
	if (at >= nr)
		*why = "refused behind the program's end";
	return false;
}

static const char *run_both(const struct program *p)
{
	const char *problem;
	u8 *one, *other;
	int len, again;

	len = run(p, 0x00, &one);
	again = run(p, 0xff, &other);
	problem = check(&p->info, len, again, one, other);
	forget(one);
	forget(other);
	return problem;
}

const char *fuzz_verify(const uint8_t *data, size_t size)
{
	static const u64 stack[] = { 1, 2, 3, 4 }, args[] = { 5, 6, 7 };
	struct fuzz_bytes b = { data, size };
	struct env_regs regs = { .stack = stack, .nr_stack = 4 };
	struct ktap_prog_place place = { .nr_args = 3, .is_return = true };
	struct program entry = { .frame = { .regs = &regs, .args = args } };
	struct program p = entry;
	const char *problem = NULL;
	u8 *stored = NULL;
	u32 i;

	env_reset();
	env_world.byte = byte_anywhere;
	for (i = 0; i < ENV_NR_REGS; i++)
		regs.r[i] = fuzz_word(&b);
	if (fuzz_byte(&b) & 1 && prepare(&b, &entry, &place, &problem)) {
		place.entry = &entry.info;
		p.frame.entry_info = &entry.info;
		if (run(&entry, 0xff, &stored) >= 0)
			p.frame.entry = (void *)(stored - sizeof(u64));
	}
	if (!problem && prepare(&b, &p, &place, &problem))
		problem = run_both(&p);
	if (stored)
		forget(stored);
	free(entry.ready);
	free(p.ready);
	return problem;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (fuzz_verify(data, size))
		abort();
	return 0;
}
