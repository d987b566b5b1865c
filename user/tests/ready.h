/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs as the module has them at a hit: with their patterns made ready.
 * Users name kmod/hit/match.c as a need.
 */
#ifndef KTAP_TESTS_READY_H
#define KTAP_TESTS_READY_H

#include <stdlib.h>

#include "env_user.h"
#include "hit/match.h"

/* ready_program() - a copy of a verified one, for free(). */
static inline struct ktap_insn *ready_program(const struct ktap_insn *insns,
					      u32 nr)
{
	size_t size = nr * sizeof(*insns);
	struct ktap_insn *copy;

	copy = calloc(1, size + ktap_globs_size(insns));
	if (!copy)
		abort();
	memcpy(copy, insns, size);
	ktap_globs_make(copy, (u8 *)copy + size);
	return copy;
}

#endif /* KTAP_TESTS_READY_H */
