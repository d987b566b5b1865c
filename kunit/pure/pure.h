/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the pure suites share: themselves, and running a program in a made world.
 */
#ifndef KTAP_KUNIT_PURE_H
#define KTAP_KUNIT_PURE_H

#include <kunit/test.h>

#include "hit/fetch.h"
#include "insn.h"

extern struct kunit_suite ktap_verify_suite;
extern struct kunit_suite ktap_fetch_suite;
extern struct kunit_suite ktap_entry_suite;
extern struct kunit_suite ktap_match_suite;
extern struct kunit_suite ktap_program_suite;
extern struct kunit_suite ktap_ring_suite;

/* Addresses at which a test may map something. */
#define KERNEL		0xffff888000001000ULL
#define USERLAND	0x00007f0000001000ULL

/**
 * struct run - a program that is run
 * @test: who asks
 * @regs: registers: 0x1000 and up, unless the test sets others
 * @frame: what the hook hands over
 * @place: where the program is verified for
 * @info: what the verifier found
 * @payload: what was made; as large as the verifier said, to the byte
 * @len: what ktap_fetch_run() returned
 * @faults: the fault bits
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

/* Letters of a pattern, as the data words that follow a KTAP_OP_MATCH. */
u64 pattern_word(const char *text);

/**
 * struct made_budget - the budget that programs are charged to
 * @left: bytes that it still gives; the rest is refused
 * @used: bytes that it gave and did not get back
 */
struct made_budget {
	u64 left;
	u64 used;
};

extern struct made_budget made_budget;

#endif /* KTAP_KUNIT_PURE_H */
