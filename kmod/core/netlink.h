/* SPDX-License-Identifier: GPL-2.0 */
/* Control over generic netlink: what the rest of the module needs of it. */
#ifndef KTAP_NETLINK_H
#define KTAP_NETLINK_H

#include <linux/types.h>

struct ktap_probe;

int ktap_netlink_init(void);
void ktap_netlink_exit(void);

void ktap_announce(const struct ktap_probe *p, u8 cmd);

#endif /* KTAP_NETLINK_H */
