/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers of files, for the frames of user stacks. All sessions share one index. Hits on all
 * CPUs add files to it, in any context, without a lock. Nothing in it is removed.
 */
#ifndef KTAP_USER_FILES_H
#define KTAP_USER_FILES_H

#include <linux/ktap.h>

#include "hit/env.h"
#include "hit/user_regs.h"
#include "hit/user_rows.h"

struct ktap_user_trails;

#define KTAP_USER_FILES_TRIES	256	/* rows of the index that a look-up looks at */

/**
 * struct ktap_user_slot - a row of the index; its place is the number of the file
 * @hash: of the file's struct ktap_user_id; 0: free
 * @is_told: the members that follow are valid
 * @tgid: process in which a hit met it; 0: a session gave it
 * @id: what it is
 * @address: that it was mapped at
 * @table: its unwind information, or NULL
 */
struct ktap_user_slot {
	u64 hash;
	u32 is_told;
	u32 tgid;
	struct ktap_user_id id;
	u64 address;
	const struct ktap_user_rows *table;
};

/**
 * struct ktap_user_files - the index
 * @nr: number of files that have a number
 * @changes: number of tables that files have got or lost
 * @trails: trails of user stacks, or NULL: see user_trail.c
 * @slots: rows
 */
struct ktap_user_files {
	u64 nr;
	u64 changes;
	struct ktap_user_trails __percpu *trails;
	struct ktap_user_slot slots[KTAP_USER_FILES_MAX];
};

/*
 * @size: of the file; may become 0. @is_writable: a process has mapped it for writing by all: see
 * struct ktap_user_id
 */
static __always_inline void ktap_user_contents(u64 *size, u64 *changed, bool is_writable,
					       u64 sec, u64 nsec)
{
	if (unlikely(is_writable))
		*size = 0;
	*changed = is_writable ? 0 : sec << 30 | nsec;
}

u32 ktap_user_files_find(struct ktap_user_files *f, const struct ktap_user_id *id,
			 u32 tgid, u64 address);

#endif /* KTAP_USER_FILES_H */
