/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Verify a program, run it, look at its record: what the tests of the
 * interpreter share. Tests name run.c, verify.c and fetch.c as their needs.
 */
#ifndef KTAP_TESTS_FETCH_RUN_H
#define KTAP_TESTS_FETCH_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../../kunit/insn.h"
#include "env_user.h"

/* Addresses at which a test may map something. */
#define KERNEL	0xffff888000001000ULL
#define USERLAND 0x00007f0000001000ULL

/* What the last run made; as large as the verifier said, to the byte. */
extern u8 *payload;
extern int len;

/* Fixtures: no memory, registers 0x1000 and up, three words of stack. */
int run_setup(void **state);
int run_teardown(void **state);

#define RUN_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, run_setup, run_teardown)

void run(const struct ktap_insn *insns, u32 nr);

#define RUN(...) run(PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__))

/* What is at a byte of the payload. */
u64 word(u32 off);
struct ktap_string string_at(u32 off);

#endif /* KTAP_TESTS_FETCH_RUN_H */
