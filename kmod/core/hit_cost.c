// SPDX-License-Identifier: GPL-2.0
/* Limit on the estimated cost of a hit. */
#include <linux/moduleparam.h>

#include "core/hit_cost.h"
#include "core/refused.h"
#include "hit/cost.h"

static uint hit_cost_max = 100000;
module_param(hit_cost_max, uint, 0644);
MODULE_PARM_DESC(hit_cost_max, "nanoseconds that a hit of one program may take, as estimated for a slow machine, and all that runs at one place");

/**
 * ktap_hit_cost_max() - read the limit
 *
 * Context: any.
 * Return: ns.
 */
u32 ktap_hit_cost_max(void)
{
	return READ_ONCE(hit_cost_max);
}

/**
 * ktap_cost_allowed() - check the cost of a program against the limit
 * @info: verified properties of the program
 * @attr: KTAP_A_* that holds the program
 * @refused: filled, with the cost in ns, when the request is refused
 *
 * Context: process.
 * Return: 0 or -E2BIG.
 */
int ktap_cost_allowed(const struct ktap_prog_info *info, int attr,
		      struct ktap_refused *refused)
{
	if (info->cost <= ktap_hit_cost_max())
		return 0;
	return ktap_refuse_amount(refused, -E2BIG, attr, info->cost,
				  ktap_cost_text(info));
}
