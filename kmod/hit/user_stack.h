/* SPDX-License-Identifier: GPL-2.0 */
/* Where the walk of a user stack begins, and what is mapped at its addresses. */
#ifndef KTAP_USER_STACK_H
#define KTAP_USER_STACK_H

#include "hit/user_files.h"

/* The index of files; NULL while no session takes user stacks. */
extern struct ktap_user_files *ktap_user_files;

struct ktap_stacks;

u64 ktap_ustack_find(const struct ktap_stacks *table, u32 max);
void ktap_ustack_kept(const struct ktap_stacks *table, u32 max, u64 id);

#endif /* KTAP_USER_STACK_H */
