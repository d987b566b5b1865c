/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Initialisers for instructions of fetch programs, for tests in the kernel and in user
 * space.
 */
#ifndef KTAP_KUNIT_INSN_H
#define KTAP_KUNIT_INSN_H

#include <linux/ktap.h>

#define USER	KTAP_INSN_F_USER
#define SIGNED	KTAP_INSN_F_SIGNED
#define TASK	KTAP_INSN_F_TASK
#define TAKE	KTAP_INSN_F_TAKE
#define NOBIT	KTAP_NO_FAULT

#define END()	{ .op = KTAP_OP_END }
#define REG(to, reg) { .op = KTAP_OP_REG, .dst = (to), .imm = (reg) }
#define IMM(to, v) { .op = KTAP_OP_IMM, .dst = (to), .imm = (v) }
#define STACK(to, n) { .op = KTAP_OP_STACK, .dst = (to), .imm = (n) }
#define LOAD(to, from, disp, bytes, f)					\
	{ .op = KTAP_OP_LOAD, .dst = (to), .a = (from),			\
	  .imm = (__u64)(disp), .size = (bytes), .flags = (f) }
#define ALU(to, x, what, y)						\
	{ .op = KTAP_OP_ALU, .dst = (to), .a = (x),			\
	  .size = KTAP_ALU_##what, .b = (y) }
#define ALUI(to, x, what, v)						\
	{ .op = KTAP_OP_ALUI, .dst = (to), .a = (x),			\
	  .size = KTAP_ALU_##what, .imm = (__u64)(v) }
#define JZ(x, skip) { .op = KTAP_OP_JZ, .a = (x), .imm = (skip) }
#define JMP(skip) { .op = KTAP_OP_JMP, .imm = (skip) }
#define FILTER(x) { .op = KTAP_OP_FILTER, .a = (x) }
#define STORE(x, bytes, at, fault)					\
	{ .op = KTAP_OP_STORE, .a = (x), .size = (bytes), .off = (at),	\
	  .b = (fault) }
#define STRING(x, max, at, f)						\
	{ .op = KTAP_OP_STRING, .a = (x), .imm = (max), .off = (at),	\
	  .flags = (f) }
#define COMM(at) { .op = KTAP_OP_COMM, .off = (at) }
#define FAULTS(bytes, at) { .op = KTAP_OP_FAULTS, .size = (bytes), .off = (at) }

#define CTX(to, what) { .op = KTAP_OP_CTX, .dst = (to), .imm = KTAP_CTX_##what }
#define ARG(to, n) { .op = KTAP_OP_ARG, .dst = (to), .imm = (n) }
#define BYTES(from, nr, at, fault, f)					\
	{ .op = KTAP_OP_BYTES, .a = (from), .imm = (nr), .off = (at),	\
	  .b = (fault), .flags = (f) }
#define MATCH(to, from, len, f)						\
	{ .op = KTAP_OP_MATCH, .dst = (to), .a = (from), .imm = (len),	\
	  .flags = (f) }
#define DATA(word) { .op = KTAP_OP_DATA, .imm = (word) }
#define ENTRY(to, at, bytes, fault, f)					\
	{ .op = KTAP_OP_ENTRY, .dst = (to), .imm = (at),		\
	  .size = (bytes), .b = (fault), .flags = (f) }
#define ENTRY_BYTES(from, nr, at, fault)				\
	{ .op = KTAP_OP_ENTRY_BYTES, .off = (at), .b = (fault),		\
	  .imm = (__u64)(from) << 32 | (nr) }
#define ENTRY_STRING(n, at)						\
	{ .op = KTAP_OP_ENTRY_STRING, .imm = (n), .off = (at) }
#define FRAME(to, cfa, nr, fault)					\
	{ .op = KTAP_OP_FRAME, .dst = (to), .a = (cfa), .imm = (nr),	\
	  .b = (fault) }
#define KSTACK(to, frames) { .op = KTAP_OP_KSTACK, .dst = (to), .imm = (frames) }
#define USTACK(to, frames) { .op = KTAP_OP_USTACK, .dst = (to), .imm = (frames) }
#define COUNTER(to, type, config)					\
	{ .op = KTAP_OP_COUNTER, .dst = (to), .imm = KTAP_COUNTER(type, config) }
#define PUT(key, value, f)						\
	{ .op = KTAP_OP_STATE_PUT, .a = (key), .b = (value), .flags = (f) }
#define GET(to, key, fault, f)						\
	{ .op = KTAP_OP_STATE_GET, .dst = (to), .a = (key), .b = (fault),	\
	  .flags = (f) }

/* A program as an array of instructions; PROGRAM_LEN() is its length. */
#define PROGRAM(...) ((const struct ktap_insn[]){ __VA_ARGS__ })
#define PROGRAM_LEN(...) \
	(sizeof(PROGRAM(__VA_ARGS__)) / sizeof(struct ktap_insn))

#endif /* KTAP_KUNIT_INSN_H */
