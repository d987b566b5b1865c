// SPDX-License-Identifier: GPL-2.0
/*
 * A limit on the memory that probes take at once for calls to come. Under
 * ktap_lock.
 */
#include <linux/mm.h>
#include <linux/moduleparam.h>

#include "budget.h"

static ulong return_total_max;
module_param(return_total_max, ulong, 0644);
MODULE_PARM_DESC(return_total_max, "bytes that the instances of all return probes, and the frames of probes inside of functions, together may take (0: a sixteenth of the memory)");

static u64 total; /* under ktap_lock */

/* ktap_budget_total() - bytes in use. Context: under ktap_lock. */
u64 ktap_budget_total(void)
{
	return total;
}

/* ktap_budget_total_max() - bytes allowed. Context: any. */
u64 ktap_budget_total_max(void)
{
	ulong max = READ_ONCE(return_total_max);

	return max ?: (u64)(totalram_pages() / 16) << PAGE_SHIFT;
}

/**
 * ktap_budget_take() - before memory for calls is allocated
 * @bytes: how much
 * @attr: what of the request decides about it, or NULL
 * @extack: where a refusal is explained, with @bytes as its cookie
 *
 * Context: process, under ktap_lock.
 * Return: 0 or -ENOSPC.
 */
int ktap_budget_take(u64 bytes, const struct nlattr *attr,
		     struct netlink_ext_ack *extack)
{
	if (total + bytes <= ktap_budget_total_max()) {
		total += bytes;
		return 0;
	}
	NL_SET_ERR_MSG(extack, "what all probes keep of calls would exceed the module's return_total_max");
	NL_SET_BAD_ATTR(extack, attr);
	if (extack)
		nl_set_extack_cookie_u64(extack, bytes);
	return -ENOSPC;
}

/* ktap_budget_give() - it was freed. Context: process, under ktap_lock. */
void ktap_budget_give(u64 bytes)
{
	total -= bytes;
}
