/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs that only read memory and store the values, as a list of steps; one step does
 * a read and the store of its value. The size of their record is known in advance, so it
 * is written in place.
 *
 * The interpreter (fetch.c) has the same result for these programs; this file only makes
 * them faster.
 */
#ifndef KTAP_WALK_H
#define KTAP_WALK_H

#include "hit/env.h"
#include "hit/fetch.h"
#include "hit/verify.h"

/**
 * enum ktap_step_kind - source of the value of a step
 * @KTAP_STEP_LOAD: memory at the sum of the source and @imm
 * @KTAP_STEP_SUM: the sum of the source and @imm
 * @KTAP_STEP_CTX: ktap_fetch_ctx(@imm)
 * @KTAP_STEP_COMM: the comm of the task, which is stored directly
 */
enum ktap_step_kind {
	KTAP_STEP_LOAD,
	KTAP_STEP_SUM,
	KTAP_STEP_CTX,
	KTAP_STEP_COMM,
};

/**
 * struct ktap_step - make a value, keep it, and store it
 * @imm: displacement, constant or enum ktap_ctx
 * @fault: fault bits to set if the value cannot be read
 * @from: source: a register as env_reg_offset() returns it, or a slot
 * @off: offset of the value in the payload
 * @of_regs: @from is a register
 * @kind: enum ktap_step_kind
 * @size: bytes to read
 * @stored: bytes to store; 0: none
 * @dst: slot that keeps the value
 * @makes: bit of @dst; 0: no step depends on it
 * @needs: bit mask of slots that must not be bad
 * @is_signed: the value is sign-extended
 * @user: the value is in user memory
 * @last: last step of the program
 */
struct ktap_step {
	u64 imm;
	u64 fault;
	u16 from;
	u16 off;
	bool of_regs;
	u8 kind;
	u8 size;
	u8 stored;
	u8 dst;
	u8 makes;
	u8 needs;
	bool is_signed;
	bool user;
	bool last;
};

/**
 * struct ktap_walk - a program as steps
 * @steps: steps, or NULL: it has to be interpreted
 * @faults_off: offset of the fault bits in the payload; they are stored last
 * @faults_stored: bytes of the fault bits; 0: none
 */
struct ktap_walk {
	struct ktap_step *steps;
	u16 faults_off;
	u16 faults_stored;
};

/* Programs with more words in the fixed part are interpreted. */
#define KTAP_WALK_WORDS		64

/* A slot that is always 0 and never written: the source of constants. */
#define KTAP_STEP_NOTHING	KTAP_NR_SLOTS
/* A slot that is never read: for steps whose value is not kept. */
#define KTAP_STEP_UNKEPT	(KTAP_NR_SLOTS + 1)

u32 ktap_walk_make(const struct ktap_insn *insns,
		   const struct ktap_prog_info *info, struct ktap_walk *walk);

static __always_inline void ktap_walk_store(u8 *to, u64 value, u32 size)
{
	if (likely(size == 8))
		*(u64 *)to = value;
	else if (size == 4)
		*(u32 *)to = value;
	else if (size == 2)
		*(u16 *)to = value;
	else if (size == 1)
		*to = value;
}

/* Steps that read no memory. */
static __always_inline u64 ktap_walk_other(const struct ktap_step *s, u64 sum,
					   u8 *payload)
{
	if (s->kind == KTAP_STEP_CTX)
		return ktap_fetch_ctx(s->imm, NULL);
	if (s->kind == KTAP_STEP_COMM)
		env_comm(payload + s->off);
	return sum;
}

/**
 * ktap_walk() - run the steps of a program
 * @walk: steps
 * @regs: registers at the hit
 * @payload: fixed part of the record, in whole words
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 */
static __always_inline void ktap_walk(const struct ktap_walk *walk,
				      ktap_regs *regs, u8 *payload)
{
	u64 slot[KTAP_NR_SLOTS + 2] __uninitialized;
	const struct ktap_step *s = walk->steps;
	u64 faults = 0, value, sum;
	u32 bad = 0;

	slot[KTAP_STEP_NOTHING] = 0;
	for (;; s++) {
		sum = s->of_regs ? env_reg_at(regs, s->from) : slot[s->from];
		sum += s->imm;
		if (unlikely(bad & s->needs))
			goto bad;
		if (unlikely(s->kind != KTAP_STEP_LOAD))
			value = ktap_walk_other(s, sum, payload);
		else if (unlikely(env_value(&value, sum, s->size,
					    s->user ? ENV_USER : ENV_ANY)))
			goto bad;
		else if (s->is_signed)
			value = ktap_fetch_extend(value, s->size, true);
		bad &= ~s->makes;
keep:
		slot[s->dst] = value;
		ktap_walk_store(payload + s->off, value, s->stored);
		if (s->last)
			break;
	}
	ktap_walk_store(payload + walk->faults_off, faults,
			walk->faults_stored);
	return;
bad:
	value = 0;
	bad |= s->makes;
	faults |= s->fault;
	goto keep;
}

#endif /* KTAP_WALK_H */
