/* SPDX-License-Identifier: GPL-2.0 */
/* Fetch programs out of bytes, for fuzz targets in user space and in guests. */
#ifndef KTAP_TESTS_MADE_PROGRAM_H
#define KTAP_TESTS_MADE_PROGRAM_H

#include "env_user.h"
#include "fuzz.h"

/* What bytes say; registers before it, a last pattern and the end are added. */
#define MADE_PROGRAM_OWN	64
#define MADE_PROGRAM_MAX	(KTAP_NR_SLOTS + MADE_PROGRAM_OWN + 3 + 2)

/*
 * made_program() - mostly one that makes sense, else the bytes as they are.
 * Return: instructions, at most MADE_PROGRAM_MAX.
 */
u32 made_program(struct fuzz_bytes *b, struct ktap_insn *insns);

#endif /* KTAP_TESTS_MADE_PROGRAM_H */
