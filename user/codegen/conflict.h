/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_CODEGEN_CONFLICT_H
#define KTAP_CODEGEN_CONFLICT_H

#include "codegen/node.h"

/* node_conflict() - a comparison in @a and one in @b, which both must hold,
 * exclude each other.
 */
bool node_conflict(const struct node *a, const struct node *b);

#endif /* KTAP_CODEGEN_CONFLICT_H */
