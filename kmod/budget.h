/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all probes together may keep of calls that go on: the instances of
 * return probes, and the frames of probes inside of functions.
 */
#ifndef KTAP_BUDGET_H
#define KTAP_BUDGET_H

#include <linux/netlink.h>
#include <linux/types.h>

int ktap_budget_take(u64 bytes, const struct nlattr *attr,
		     struct netlink_ext_ack *extack);
void ktap_budget_give(u64 bytes);
u64 ktap_budget_total(void);
u64 ktap_budget_total_max(void);

#endif /* KTAP_BUDGET_H */
