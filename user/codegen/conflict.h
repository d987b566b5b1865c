/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_CODEGEN_CONFLICT_H
#define KTAP_CODEGEN_CONFLICT_H

#include "codegen/node.h"

/**
 * node_conflict() - whether two conditions cannot hold together
 * @a: condition
 * @b: condition, which must hold too
 *
 * Only comparisons of one value with constants are examined, alone and as operands of
 * NODE_AND. The operands of NODE_OR and NODE_COND are not. Two reads of one address
 * count as one value.
 *
 * Return: true if a comparison in @a and one in @b exclude each other; false also if
 *	that is not known.
 */
bool node_conflict(const struct node *a, const struct node *b);

#endif /* KTAP_CODEGEN_CONFLICT_H */
