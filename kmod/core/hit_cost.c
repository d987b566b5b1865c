// SPDX-License-Identifier: GPL-2.0
/*
 * The limit on what a hit may cost.
 */
#include <linux/moduleparam.h>

#include "compat.h"
#include "core/hit_cost.h"
#include "hit/cost.h"

static uint hit_cost_max = 100000;
module_param(hit_cost_max, uint, 0644);
MODULE_PARM_DESC(hit_cost_max, "nanoseconds that a hit of one program may take, as estimated for a slow machine, and all that runs at one place");

/* ktap_hit_cost_max() - ns. Context: any. */
u32 ktap_hit_cost_max(void)
{
	return READ_ONCE(hit_cost_max);
}

/**
 * ktap_cost_allowed() - may a program cost what it does?
 * @info: of the program
 * @attr: of the request, that has it
 * @extack: where a refusal is explained, with the cost in ns as its cookie
 *
 * Context: process.
 * Return: 0 or -E2BIG.
 */
int ktap_cost_allowed(const struct ktap_prog_info *info,
		      const struct nlattr *attr,
		      struct netlink_ext_ack *extack)
{
	if (info->cost <= ktap_hit_cost_max())
		return 0;
	ktap_extack(extack, ktap_cost_text(info));
	NL_SET_BAD_ATTR(extack, attr);
	if (extack)
		nl_set_extack_cookie_u64(extack, info->cost);
	return -E2BIG;
}
