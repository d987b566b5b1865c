/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Table of the stacks of a session: see include/uapi/linux/ktap.h. Hits on all CPUs add to
 * it, in any context, without a lock. Nothing in it is removed or changed, so a stack that
 * was found stays valid.
 *
 * struct ktap_stacks_head, the order in which stacks came, the stacks, and an index of them
 * by id, which only hits use.
 */
#ifndef KTAP_STACKS_H
#define KTAP_STACKS_H

#include <linux/ktap.h>

#include "hit/env.h"
#include "hit/stack_id.h"

#define KTAP_STACKS_MIN		0x10000U	/* bytes of the smallest table: 64 KiB */
#define KTAP_STACKS_MAX		0x40000000U	/* bytes of the largest one: 1 GiB */

/**
 * struct ktap_stack_slot - a row of the index
 * @id: 0: free; BUSY (stacks.c): being filled, or given up; else the id of a stack
 * @at: the stack, in units of 8 bytes from the begin of the table
 */
struct ktap_stack_slot {
	u64 id;
	u64 at;
};

/**
 * struct ktap_stacks - table of a session
 * @head: begin of the table
 * @order: where the stacks are, as they came
 * @slots: index
 * @mask: number of slots - 1
 * @serial: not 0; no other table has it
 */
struct ktap_stacks {
	struct ktap_stacks_head *head;
	u32 *order;
	struct ktap_stack_slot *slots;
	u32 mask;
	u64 serial;
};

void ktap_stacks_init(struct ktap_stacks *t, void *mem, u32 bytes, u64 serial);
bool ktap_stacks_keep(const struct ktap_stacks *t, const u64 *stacks);

#endif /* KTAP_STACKS_H */
