/* SPDX-License-Identifier: GPL-2.0 */
/* User stacks, unwound by tables that user space has given, and by frame pointers. */
#ifndef KTAP_USER_WALK_H
#define KTAP_USER_WALK_H

#include <linux/ktap.h>

#include "hit/env.h"
#include "hit/user_rows.h"

void ktap_user_walk(const struct ktap_user_regs *regs, struct ktap_stack *s, u32 max,
		    struct ktap_user_read *read);

#endif /* KTAP_USER_WALK_H */
