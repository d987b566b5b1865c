/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs that the verifier refuses, with the reason and the offending instruction: at
 * least one for each reason in KTAP_REFUSALS. Used by the KUnit suite and by the unit
 * test in user space.
 */
#ifndef KTAP_KUNIT_BAD_PROGRAMS_H
#define KTAP_KUNIT_BAD_PROGRAMS_H

#include "insn.h"
#include "hit/verify.h"

/**
 * struct bad_program - a program and its refusal
 * @name: description of the error
 * @insns: program
 * @nr: length of @insns
 * @why: expected reason
 * @at: index of the offending instruction
 */
struct bad_program {
	const char *name;
	const struct ktap_insn *insns;
	u32 nr;
	enum ktap_refusal why;
	u32 at;
};

#define BAD(text, reason, where, ...)					\
	{ .name = text, .why = KTAP_REFUSE_##reason, .at = (where),	\
	  .insns = PROGRAM(__VA_ARGS__), .nr = PROGRAM_LEN(__VA_ARGS__) }

static const struct ktap_insn one_too_many[KTAP_PROG_MAX + 1];

static const struct bad_program bad_programs[] = {
	{ .name = "nothing", .insns = one_too_many, .nr = 0,
	  .why = KTAP_REFUSE_EMPTY },
	{ .name = "one instruction too many", .insns = one_too_many,
	  .nr = KTAP_PROG_MAX + 1, .why = KTAP_REFUSE_TOO_LONG },
	BAD("no END", NO_END, 1, REG(0, 0), STORE(0, 8, 0, NOBIT)),
	BAD("END twice", EARLY_END, 0, END(), END()),
	BAD("END in the middle", EARLY_END, 1, REG(0, 0), END(), REG(1, 0),
	    END()),
	BAD("first unknown operation", BAD_OP, 0, { .op = KTAP_OP_MAX + 1 },
	    END()),
	BAD("last unknown operation", BAD_OP, 1, REG(0, 0), { .op = 0xff },
	    END()),
	BAD("written slot 8", BAD_SLOT, 0, REG(KTAP_NR_SLOTS, 0), END()),
	BAD("written slot 255", BAD_SLOT, 0, IMM(255, 0), END()),
	BAD("read slot 8", BAD_SLOT, 1, REG(0, 0),
	    STORE(KTAP_NR_SLOTS, 8, 0, NOBIT), END()),
	BAD("second read slot 8", BAD_SLOT, 1, REG(0, 0),
	    ALU(1, 0, ADD, KTAP_NR_SLOTS), END()),
	BAD("address in slot 8", BAD_SLOT, 0, LOAD(0, 8, 0, 8, 0), END()),
	BAD("unset slot stored", UNSET_SLOT, 0, STORE(0, 8, 0, NOBIT), END()),
	BAD("unset slot computed with", UNSET_SLOT, 1, REG(0, 0),
	    ALU(0, 0, ADD, 1), END()),
	BAD("unset slot filtered by", UNSET_SLOT, 0, FILTER(7), END()),
	BAD("unset slot tested", UNSET_SLOT, 0, JZ(3, 0), END()),
	BAD("unset slot as a string", UNSET_SLOT, 1, REG(1, 0),
	    STRING(0, 8, 0, 0), END()),
	BAD("slot set on one of two ways", UNSET_SLOT, 3, REG(0, 0), JZ(0, 1),
	    REG(1, 0), STORE(1, 8, 0, NOBIT), END()),
	BAD("slot set on the other of two ways", UNSET_SLOT, 5, REG(0, 0),
	    JZ(0, 2), REG(1, 0), JMP(1), REG(2, 0), STORE(1, 8, 0, NOBIT), END()),
	BAD("slot of what is jumped over", UNSET_SLOT, 3, REG(0, 0), JMP(1),
	    REG(1, 0), STORE(1, 8, 0, NOBIT), END()),
	BAD("register of no architecture", BAD_REG, 0, REG(0, 64), END()),
	BAD("register beyond 32 bits", BAD_REG, 0, REG(0, 1ULL << 32), END()),
	BAD("load of 3 bytes", BAD_SIZE, 1, REG(0, 0), LOAD(0, 0, 0, 3, 0),
	    END()),
	BAD("load of 16 bytes", BAD_SIZE, 1, REG(0, 0), LOAD(0, 0, 0, 16, 0),
	    END()),
	BAD("store of no bytes", BAD_SIZE, 1, REG(0, 0), STORE(0, 0, 0, NOBIT),
	    END()),
	BAD("fault mask of 6 bytes", BAD_SIZE, 0, FAULTS(6, 0), END()),
	BAD("unknown flag", BAD_FLAGS, 1, REG(0, 0), LOAD(0, 0, 0, 8, 1U << 4),
	    END()),
	BAD("END with a slot", RESERVED, 0, { .op = KTAP_OP_END, .dst = 1 }),
	BAD("sign of what is not extended", RESERVED, 1, REG(0, 0),
	    { .op = KTAP_OP_STORE, .size = 8, .b = NOBIT, .flags = SIGNED }, END()),
	BAD("word beyond every stack", BAD_STACK, 0, STACK(0, 1 << 16), END()),
	BAD("word far beyond the stack", BAD_STACK, 0, STACK(0, ~0ULL), END()),
	BAD("unknown arithmetic", BAD_ALU, 1, REG(0, 0),
	    { .op = KTAP_OP_ALU, .size = KTAP_ALU_MAX + 1 }, END()),
	BAD("unknown arithmetic with a number", BAD_ALU, 1, REG(0, 0),
	    { .op = KTAP_OP_ALUI, .size = 0xff }, END()),
	BAD("jump over END", BAD_JUMP, 0, JMP(1), END()),
	BAD("jump back", BAD_JUMP, 1, REG(0, 0), JMP(-2ULL), END()),
	BAD("conditional jump over END", BAD_JUMP, 1, REG(0, 0), JZ(0, 1),
	    END()),
	BAD("jump of 2^32", BAD_JUMP, 0, JMP(1ULL << 32), END()),
	BAD("jump in place of END", BAD_JUMP, 0, JMP(0)),
	BAD("store behind the record", BAD_OFFSET, 1, REG(0, 0),
	    STORE(0, 8, KTAP_RECORD_MAX - 8, NOBIT), END()),
	BAD("store at the end of 64 KiB", BAD_OFFSET, 1, REG(0, 0),
	    STORE(0, 8, 0xfff8, NOBIT), END()),
	BAD("name across the record's end", BAD_OFFSET, 0,
	    COMM(KTAP_RECORD_MAX - 8 - KTAP_COMM_LEN + 1), END()),
	BAD("string descriptor behind the record", BAD_OFFSET, 1, REG(0, 0),
	    STRING(0, 1, KTAP_RECORD_MAX - 8, 0), END()),
	BAD("8 bytes at 4", UNALIGNED, 1, REG(0, 0), STORE(0, 8, 4, NOBIT), END()),
	BAD("2 bytes at 1", UNALIGNED, 1, REG(0, 0), STORE(0, 2, 1, NOBIT), END()),
	BAD("string descriptor at 2", UNALIGNED, 1, REG(0, 0),
	    STRING(0, 8, 2, 0), END()),
	BAD("fault mask of 4 at 2", UNALIGNED, 0, FAULTS(4, 2), END()),
	BAD("string of no bytes", BAD_STRING, 1, REG(0, 0), STRING(0, 0, 0, 0),
	    END()),
	BAD("string too long", BAD_STRING, 1, REG(0, 0),
	    STRING(0, KTAP_STRING_MAX + 1, 0, 0), END()),
	BAD("string of 2^32", BAD_STRING, 1, REG(0, 0),
	    STRING(0, 1ULL << 32, 0, 0), END()),
	BAD("fault bit 64", BAD_FAULT, 1, REG(0, 0),
	    STORE(0, 8, 0, KTAP_NR_FAULTS), FAULTS(8, 8), END()),
	BAD("fault bit 254", BAD_FAULT, 1, REG(0, 0), STORE(0, 8, 0, 254),
	    END()),
	BAD("fault bit and no mask", NO_FAULTS, 2, REG(0, 0), STORE(0, 8, 0, 0),
	    END()),
	BAD("fault bit behind the mask", LATE_FAULT, 2, REG(0, 0), FAULTS(8, 8),
	    STORE(0, 8, 0, 0), END()),
	BAD("fault bit 8 in 1 byte", NARROW_FAULTS, 2, REG(0, 0),
	    STORE(0, 8, 0, 8), FAULTS(1, 8), END()),
	BAD("fault bit 63 in 4 bytes", NARROW_FAULTS, 2, REG(0, 0),
	    STORE(0, 8, 0, 63), FAULTS(4, 8), END()),
	BAD("unknown fact", BAD_CTX, 0, { .op = KTAP_OP_CTX,
	    .imm = KTAP_CTX_MAX + 1 }, END()),
	BAD("return address where nothing returns", NO_RETURN, 0,
	    CTX(0, RETADDR), END()),
	BAD("argument of a hook that has none", BAD_ARG, 0, ARG(0, 0), END()),
	BAD("no bytes", BAD_BYTES, 1, REG(0, 0), BYTES(0, 0, 0, NOBIT, 0),
	    END()),
	BAD("too many bytes", BAD_BYTES, 1, REG(0, 0),
	    BYTES(0, KTAP_BYTES_MAX + 1, 0, NOBIT, 0), END()),
	BAD("bytes across the record's end", BAD_OFFSET, 1, REG(0, 0),
	    BYTES(0, 9, KTAP_RECORD_MAX - 16, NOBIT, 0), END()),
	BAD("fault bit of bytes and no mask", NO_FAULTS, 2, REG(0, 0),
	    BYTES(0, 8, 0, 0, 0), END()),
	BAD("empty pattern", BAD_PATTERN, 1, REG(0, 0), MATCH(0, 0, 0, 0),
	    END()),
	BAD("pattern too long", BAD_PATTERN, 1, REG(0, 0),
	    MATCH(0, 0, KTAP_PATTERN_MAX + 1, 0), END()),
	BAD("pattern behind the end", BAD_PATTERN, 1, REG(0, 0),
	    MATCH(0, 0, 8, 0), END()),
	BAD("pattern with a hole", BAD_PATTERN, 3, REG(0, 0),
	    MATCH(0, 0, 16, 0), DATA(1), REG(1, 0), END()),
	BAD("pattern that lacks its last word", BAD_PATTERN, 3, REG(0, 0),
	    MATCH(0, 0, 9, 0), DATA(1), END(), END()),
	BAD("data without a pattern", STRAY_DATA, 0, DATA(1), END()),
	BAD("one word too many", STRAY_DATA, 3, REG(0, 0), MATCH(0, 0, 8, 0),
	    DATA(1), DATA(2), END()),
	BAD("slot set by a pattern that is jumped into", UNSET_SLOT, 4,
	    REG(0, 0), JZ(0, 1), MATCH(1, 0, 8, 0), DATA(1),
	    STORE(1, 8, 0, NOBIT), END()),
	BAD("value of no entry program", NO_ENTRY, 0, ENTRY(0, 0, 8, NOBIT, 0),
	    END()),
	BAD("bytes of no entry program", NO_ENTRY, 0,
	    ENTRY_BYTES(0, 8, 0, NOBIT), END()),
	BAD("no bytes of an entry program", BAD_BYTES, 0,
	    ENTRY_BYTES(0, 0, 0, NOBIT), END()),
	BAD("string of no entry program", NO_ENTRY, 0, ENTRY_STRING(0, 0),
	    END()),
	BAD("value of no frame", NO_FRAME, 1, REG(0, 0), FRAME(1, 0, 0, NOBIT),
	    END()),
	BAD("fault bit of a frame that does not exist", BAD_FAULT, 1,
	    REG(0, 0), FRAME(1, 0, 0, 64), END()),
	BAD("CFA that was not written", UNSET_SLOT, 0, FRAME(1, 0, 0, NOBIT),
	    END()),
	BAD("stack of no frames", BAD_DEPTH, 0, KSTACK(0, 0), END()),
	BAD("stack of too many frames", BAD_DEPTH, 0,
	    KSTACK(0, KTAP_STACK_FRAMES_MAX + 1), END()),
	BAD("stack of 2^32 frames", BAD_DEPTH, 0, KSTACK(0, 1ULL << 32),
	    END()),
	BAD("five stacks", MANY_STACKS, 4, KSTACK(0, 1), KSTACK(1, 127),
	    KSTACK(0, 1), KSTACK(0, 1), KSTACK(0, 1), END()),
	BAD("user stack of no frames", BAD_DEPTH, 0, USTACK(0, 0), END()),
	BAD("user stack of too many frames", BAD_DEPTH, 0,
	    USTACK(0, KTAP_STACK_FRAMES_MAX + 1), END()),
	BAD("five stacks of both kinds", MANY_STACKS, 4, USTACK(0, 1), KSTACK(1, 127),
	    USTACK(0, 1), KSTACK(0, 1), USTACK(0, 1), END()),
	BAD("value of no slot that is stored", UNSET_SLOT, 1, REG(0, 0),
	    PUT(0, 1, 0), END()),
	BAD("key of no slot that is stored", UNSET_SLOT, 1, REG(0, 0),
	    PUT(1, 0, 0), END()),
	BAD("slot of a value that does not exist", BAD_SLOT, 1, REG(0, 0),
	    PUT(0, KTAP_NR_SLOTS, 0), END()),
	BAD("key of no slot that is loaded", UNSET_SLOT, 0,
	    GET(0, 0, NOBIT, TAKE), END()),
	BAD("fault bit of a load that does not exist", BAD_FAULT, 1,
	    REG(0, 0), GET(1, 0, 64, 0), END()),
	BAD("load without a fault mask", NO_FAULTS, 2, REG(0, 0),
	    GET(1, 0, 0, TASK), END()),
	BAD("store that takes", RESERVED, 1, REG(0, 0), PUT(0, 0, TAKE), END()),
	BAD("one byte more than a record", TOO_BIG, 5, REG(0, 0),
	    STRING(0, KTAP_STRING_MAX, 0, 0), STRING(0, KTAP_STRING_MAX, 4, 0),
	    STRING(0, KTAP_STRING_MAX, 8, 0),
	    STRING(0, KTAP_STRING_MAX - 31, 12, 0), END()),
};

#undef BAD

#endif /* KTAP_KUNIT_BAD_PROGRAMS_H */
