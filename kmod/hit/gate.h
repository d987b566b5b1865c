/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The gate of a program: comparisons of registers with constants at its beginning. A hit
 * that the gate rejects needs no scratch buffer, no ring and no clock, so the hit's entry
 * evaluates the gate.
 *
 * A gate rejects no hit that the program would record. The program may still filter hits
 * that pass the gate.
 */
#ifndef KTAP_GATE_H
#define KTAP_GATE_H

#include "hit/env.h"

#define KTAP_GATE_MAX	8

/**
 * struct ktap_test - one comparison: is a value inside an interval?
 * @from: first value of the interval, shifted like the register
 * @span: last value less the first one, shifted like the register
 * @reg: register, as env_reg_offset() returns it
 * @shift: number of highest bits of the register that are ignored
 * @outside: the value must be outside the interval
 * @last: last comparison of the gate
 *
 * The ignored bits are shifted out, so a value needs no extension: intervals of signed
 * and of unsigned values differ in @from only.
 */
struct ktap_test {
	u64 from;
	u64 span;
	u16 reg;
	u8 shift;
	bool outside;
	bool last;
};

/**
 * struct ktap_gate - comparisons that a hit must pass
 * @nr: number of comparisons; all of them must hold
 * @body: number of the instruction after the last filter of the gate
 * @whole: no filter follows: hits that pass are recorded. Otherwise the program must run
 *	from its beginning
 * @tests: comparisons
 */
struct ktap_gate {
	u32 nr;
	u32 body;
	bool whole;
	struct ktap_test tests[KTAP_GATE_MAX];
};

void ktap_gate_make(const struct ktap_insn *insns, struct ktap_gate *gate);

/**
 * ktap_gate_pass() - may the program record this hit?
 * @gate: gate of the program, with at least one comparison
 * @regs: registers at the hit
 *
 * Context: any, NMI included.
 * Return: whether it may.
 */
static __always_inline bool ktap_gate_pass(const struct ktap_gate *gate,
					   ktap_regs *regs)
{
	const struct ktap_test *t = gate->tests;
	u64 value;

	do {
		value = env_reg_at(regs, t->reg) << t->shift;
		if ((value - t->from <= t->span) == t->outside)
			return false;
	} while (unlikely(!t++->last));
	return true;
}

#endif /* KTAP_GATE_H */
