/* SPDX-License-Identifier: GPL-2.0 */
/* What values nodes can have: sets is_unsigned, low and high, nothing else. */
#ifndef KTAP_CODEGEN_RANGE_H
#define KTAP_CODEGEN_RANGE_H

#include "codegen/node.h"

void range_set(struct node *n, wide low, wide high);
/* range_set_bits() - any number of @bits bits */
void range_set_bits(struct node *n, unsigned int bits, bool is_signed);
/* range_fits() - all that @n can be has no more than @bits bits. */
bool range_fits(const struct node *n, unsigned int bits, bool is_signed);
/* range_join() - what is one or the other */
void range_join(struct node *n, const struct node *a, const struct node *b);
/* range_of() - of @a @op @b */
void range_of(struct node *n, enum expr_op op, const struct node *a,
	      const struct node *b);
/* range_signed() - @op works on signed numbers here. */
bool range_signed(enum expr_op op, const struct node *a, const struct node *b);

#endif /* KTAP_CODEGEN_RANGE_H */
