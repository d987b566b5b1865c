/* SPDX-License-Identifier: GPL-2.0 */
/* Mappings that a walk of a user stack has met: are they still what they were? */
#ifndef KTAP_USER_MAP_H
#define KTAP_USER_MAP_H

#include "hit/user_regs.h"

struct mm_struct;

bool ktap_user_map_same(const struct mm_struct *mm, const struct ktap_user_note *note);

#endif /* KTAP_USER_MAP_H */
