/* SPDX-License-Identifier: GPL-2.0 */
/* The refusals of the target's tool. */
#ifndef KTAP_TARGET_REFUSE_H
#define KTAP_TARGET_REFUSE_H

#include "base/diag.h"

/**
 * refuse_hint() - add where the refused definition can be compiled
 * @d: the refusal
 *
 * Return: -EINVAL.
 */
int refuse_hint(struct diag *d);

#endif /* KTAP_TARGET_REFUSE_H */
