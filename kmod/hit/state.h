/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State between probes: a table of numbers by key, which hits on all CPUs store into and
 * load from, in any context, without a lock.
 *
 * A key belongs to one set, which has KTAP_STATE_WAYS entries. If they are taken, the
 * oldest one is replaced.
 */
#ifndef KTAP_STATE_H
#define KTAP_STATE_H

#include <linux/ktap.h>

#include "hit/env.h"
#include "hit/state_cell.h"

#define KTAP_STATE_WAYS		8	/* entries of a set */
#define KTAP_STATE_TRIES	8	/* searches of a set by one operation */

/**
 * struct ktap_state_key - what an entry is found by
 * @key: number
 * @start: of a task, when it started, with the highest bit set; else 0
 */
struct ktap_state_key {
	u64 key;
	u64 start;
};

/**
 * struct ktap_state_entry - entry of a set
 * @key: its key
 * @value: what was stored
 * @time: raw clock when it was stored
 */
struct ktap_state_entry {
	struct ktap_state_key key;
	u64 value;
	u64 time;
};

/**
 * struct ktap_state_set - entries whose keys have one hash
 * @tag: for each entry its state (state.c) and how often that changed
 * @entry: entries
 */
struct ktap_state_set {
	u64 tag[KTAP_STATE_WAYS];
	struct ktap_state_entry entry[KTAP_STATE_WAYS];
};

/**
 * struct ktap_state - table
 * @sets: sets, zeros at first
 * @mask: number of sets - 1
 */
struct ktap_state {
	struct ktap_state_set *sets;
	u32 mask;
};

bool ktap_state_put(const struct ktap_state *t, const struct ktap_state_key *key,
		    u64 value, bool *replaced);
bool ktap_state_get(const struct ktap_state *t, const struct ktap_state_key *key,
		    bool take, u64 *ret);

#endif /* KTAP_STATE_H */
