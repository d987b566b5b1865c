/* SPDX-License-Identifier: GPL-2.0 */
/* Mappings of an address space, looked up by a hit. */
#ifndef KTAP_USER_TREE_H
#define KTAP_USER_TREE_H

#include <linux/types.h>

struct ktap_user_way;
struct maple_tree;

bool ktap_user_vma(const struct maple_tree *tree, unsigned long at, u64 *vma,
		   struct ktap_user_way *way);
u64 ktap_user_way_leads(const struct maple_tree *tree, const struct ktap_user_way *way);

#endif /* KTAP_USER_TREE_H */
