/* SPDX-License-Identifier: GPL-2.0 */
/* Mappings of an address space, looked up by a hit. */
#ifndef KTAP_USER_TREE_H
#define KTAP_USER_TREE_H

#include <linux/types.h>

struct maple_tree;

bool ktap_user_vma(const struct maple_tree *tree, unsigned long at, u64 *vma);

#endif /* KTAP_USER_TREE_H */
