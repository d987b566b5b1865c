/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trails: what a walk of a user stack has used, and the stack that it found. A hit that finds
 * the same has the same stack, and needs no walk: see user_trail.c.
 */
#ifndef KTAP_USER_TRAIL_H
#define KTAP_USER_TRAIL_H

#include <linux/ktap.h>
#include <linux/types.h>

#include "compat.h"
#include "hit/user_regs.h"

#define KTAP_HAS_USER_TRAILS	KTAP_VMA_LOOKUP
#define KTAP_USER_TRAIL_BITS	3
#define KTAP_USER_TRAIL_WAYS	BIT(KTAP_USER_TRAIL_BITS)	/* trails of a CPU */
#define KTAP_USER_TRAIL_FRAMES	64	/* of the longest one */

struct mm_struct;
struct ktap_user_files;

/**
 * struct ktap_user_world - all that a walk uses, except for registers and memory
 * @mm: address space
 * @mm_id: ktap_arch_mm_id() of it, not 0
 * @changes: changes of the tables of files
 * @seq: changes of the mappings, where the kernel counts them
 * @max: frames at most
 */
struct ktap_user_world {
	const struct mm_struct *mm;
	u64 mm_id;
	u64 changes;
	u32 seq;
	u32 max;
};

/**
 * struct ktap_user_trail - a trail
 * @world: where it leads; @mm is NULL: nowhere
 * @regs: registers of user code
 * @read: what else the walk has used
 * @kept_in: serial of the table of stacks that has @stack; 0: none is known
 * @stack: stack, with its id
 * @frames: its frames
 */
struct ktap_user_trail {
	struct ktap_user_world world;
	struct ktap_user_regs regs;
	struct ktap_user_read read;
	u64 kept_in;
	struct ktap_stack stack;
	u64 frames[KTAP_USER_TRAIL_FRAMES];
};

/* Those of a CPU. */
struct ktap_user_trails {
	struct ktap_user_trail way[KTAP_USER_TRAIL_WAYS];
};

struct ktap_user_trail *ktap_user_trail_begin(const struct ktap_user_files *f,
					      const struct ktap_user_regs *regs, u32 max,
					      struct ktap_user_world *world);
bool ktap_user_trail_leads(struct ktap_user_trail *t, const struct ktap_user_world *world,
			   const struct ktap_user_regs *regs);
void ktap_user_trail_copy(struct ktap_stack *to, const struct ktap_stack *from);
void ktap_user_trail_end(struct ktap_user_trail *t, const struct ktap_user_world *world,
			 const struct ktap_user_regs *regs, struct ktap_stack *s);

#endif /* KTAP_USER_TRAIL_H */
