/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the pure suites: their declarations, and running a program in a simulated
 * environment.
 */
#ifndef KTAP_KUNIT_PURE_H
#define KTAP_KUNIT_PURE_H

#include <kunit/test.h>

#include "hit/fetch.h"
#include "insn.h"

extern struct kunit_suite ktap_verify_suite;
extern struct kunit_suite ktap_stacks_suite;
extern struct kunit_suite ktap_state_suite;
extern struct kunit_suite ktap_map_suite;
extern struct kunit_suite ktap_fetch_suite;
extern struct kunit_suite ktap_entry_suite;
extern struct kunit_suite ktap_match_suite;
extern struct kunit_suite ktap_program_suite;
extern struct kunit_suite ktap_ring_suite;

/* Addresses at which a test may map memory. */
#define KERNEL		0xffff888000001000ULL
#define USERLAND	0x00007f0000001000ULL

/**
 * struct run - run of a program
 * @test: test
 * @regs: registers: 0x1000 and up, unless the test changes them
 * @frame: frame that the hook passes
 * @place: place for the verifier
 * @info: result of the verifier
 * @payload: result; exactly as large as the verifier computed
 * @len: return value of ktap_fetch_run()
 * @faults: fault bits
 */
struct run {
	struct kunit *test;
	struct env_regs regs;
	struct ktap_frame frame;
	struct ktap_prog_place place;
	struct ktap_prog_info info;
	u8 *payload;
	int len;
	u64 faults;
};

struct run *run_create(struct kunit *test);
void run_program(struct run *r, const struct ktap_insn *insns, u32 nr);
u64 run_word(const struct run *r, u32 off);
void run_expect_string(const struct run *r, u32 desc, const char *want, u32 flags);

#define RUN(r, ...) \
	run_program(r, PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))

#define EXPECT_WORD(r, off, value) \
	KUNIT_EXPECT_EQ((r)->test, run_word(r, off), (u64)(value))
#define EXPECT_LEN(r, value) \
	KUNIT_EXPECT_EQ((r)->test, (r)->len, (int)(value))

/* Characters of a glob, as the data words after a KTAP_OP_MATCH. */
u64 pattern_word(const char *text);

/**
 * struct made_budget - simulated budget of programs
 * @left: bytes that are still available
 * @used: bytes that are charged
 */
struct made_budget {
	u64 left;
	u64 used;
};

extern struct made_budget made_budget;

#endif /* KTAP_KUNIT_PURE_H */
