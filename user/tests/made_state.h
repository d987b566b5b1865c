/* SPDX-License-Identifier: GPL-2.0 */
/* The table that the programs of a test share, where it has no other. */
#ifndef KTAP_TESTS_MADE_STATE_H
#define KTAP_TESTS_MADE_STATE_H

#include "hit/state.h"
#include "hit/verify.h"

#define MADE_SETS 4

static struct ktap_state_set made_sets[MADE_SETS];

/* Gives a program an empty table. */
static inline void made_state(struct ktap_prog_info *info)
{
	static const struct ktap_state made = {
		.sets = made_sets, .mask = MADE_SETS - 1,
	};

	memset(made_sets, 0, sizeof(made_sets));
	info->state = &made;
}

#endif /* KTAP_TESTS_MADE_STATE_H */
