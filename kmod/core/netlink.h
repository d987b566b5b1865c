/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_NETLINK_H
#define KTAP_NETLINK_H

#include <linux/ktap.h>
#include <net/genetlink.h>

struct ktap_probe;

/* Room for the description of any probe: names, path and the rest. */
#define KTAP_PROBE_MESSAGE	8192

extern struct genl_family ktap_family;

int ktap_netlink_init(void);
void ktap_netlink_exit(void);

void ktap_announce(const struct ktap_probe *p, u8 cmd);

/* Messages, shared by doit and dump. */
int ktap_put_probe(struct sk_buff *skb, const struct ktap_probe *p,
		   enum ktap_addresses addresses);
int ktap_put_u64(struct sk_buff *skb, int attr, u64 value);

/* What requests share. */
bool ktap_missing(struct genl_info *info, int attr, const char *text);
struct sk_buff *ktap_reply_new(struct genl_info *info, size_t size, u8 cmd,
			       void **head);
int ktap_reply_send(struct genl_info *info, struct sk_buff *skb, void *head,
		    int err);

/* PROBE_NEW (netlink_new.c). */
int ktap_probe_new(struct sk_buff *skb, struct genl_info *info);

/* Dumps (netlink_dump.c). */
int ktap_dump_start(struct netlink_callback *cb);
int ktap_dump_probes(struct sk_buff *skb, struct netlink_callback *cb);
int ktap_dump_sessions(struct sk_buff *skb, struct netlink_callback *cb);
int ktap_dump_stats(struct sk_buff *skb, struct netlink_callback *cb);

#endif /* KTAP_NETLINK_H */
