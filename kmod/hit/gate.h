/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The gate of a program: the comparisons of registers with constants at its
 * beginning. A hit that they refuse needs neither scratch memory nor ring nor
 * clock, so the entry evaluates them itself.
 *
 * A gate refuses nothing that the program would record. What it lets pass the
 * program may still refuse.
 */
#ifndef KTAP_GATE_H
#define KTAP_GATE_H

#include "hit/env.h"

#define KTAP_GATE_MAX	8

/**
 * struct ktap_test - one comparison: is a value inside of an interval?
 * @from: the interval's first value, shifted like the register
 * @span: its last value less its first one, likewise
 * @reg: the register, as env_reg_offset() has it
 * @shift: bits of it that do not count, from the highest on
 * @outside: the value has to lie outside of the interval
 * @last: no other follows
 *
 * With the bits that do not count shifted out a value needs no extension: an
 * interval of signed values and one of unsigned values differ in @from only.
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
 * struct ktap_gate - what a hit has to pass
 * @nr: comparisons; all of them have to hold
 * @body: the instruction behind the last filter of the gate
 * @whole: no filter follows: what passes is recorded. Otherwise the program
 *	has to run from its beginning
 * @tests: the comparisons
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
 * @gate: of the program, with one comparison or more
 * @regs: registers at the hit
 *
 * Context: any, NMI included.
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
