/* SPDX-License-Identifier: GPL-2.0 */
/* Limit on the estimated cost of a hit. */
#ifndef KTAP_HIT_COST_H
#define KTAP_HIT_COST_H

#include <linux/types.h>

struct ktap_prog_info;
struct ktap_refused;

u32 ktap_hit_cost_max(void);
int ktap_cost_allowed(const struct ktap_prog_info *info, int attr,
		      struct ktap_refused *refused);

#endif /* KTAP_HIT_COST_H */
