/* SPDX-License-Identifier: GPL-2.0 */
/* Access checks. */
#ifndef KTAP_ACCESS_H
#define KTAP_ACCESS_H

#include <linux/ktap.h>
#include <linux/types.h>

struct ktap_refused;
struct sk_buff;

int ktap_netlink_allowed(const struct sk_buff *request,
			 struct ktap_refused *refused);
enum ktap_addresses ktap_addresses(const struct sk_buff *request);
bool ktap_opener_sees_addresses(void);

#endif /* KTAP_ACCESS_H */
