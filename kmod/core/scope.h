/* SPDX-License-Identifier: GPL-2.0 */
/* Scope of a session: a bitmap of tasks that follows forks. */
#ifndef KTAP_SCOPE_H
#define KTAP_SCOPE_H

#include <linux/list.h>
#include <linux/types.h>

/**
 * struct ktap_scope - tasks that a session records
 * @map: a bit per thread id (in the initial pid namespace); NULL: all tasks
 * @node: link in the list that the fork hook walks
 */
struct ktap_scope {
	unsigned long *map;
	struct list_head node;
};

int ktap_scope_add(struct ktap_scope *scope, pid_t pid, bool tree);
void ktap_scope_deinit(struct ktap_scope *scope);

void ktap_scope_init(void);
void ktap_scope_exit(void);
bool ktap_scope_works(void);

#endif /* KTAP_SCOPE_H */
