/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the netlink files: requests, and functions that fill replies. Only these
 * files know attributes; the other files use structs.
 */
#ifndef KTAP_NETLINK_REQUEST_H
#define KTAP_NETLINK_REQUEST_H

#include <linux/ktap.h>
#include <net/genetlink.h>

#include "core/refused.h"

struct ktap_probe;
struct ktap_probe_args;

/* Size of a message that describes a probe: names, path and numbers. */
#define KTAP_PROBE_MESSAGE	8192

extern struct genl_family ktap_family;
extern const struct nla_policy ktap_policy[KTAP_A_MAX + 1];

/**
 * struct ktap_request - a request that is being served
 * @skb: message
 * @info: generic netlink's data about it
 * @attrs: its attributes
 * @refused: filled if it is refused
 * @reply: reply, or NULL; sent if the request succeeds
 * @head: generic netlink header of @reply
 */
struct ktap_request {
	struct sk_buff *skb;
	struct genl_info *info;
	struct nlattr **attrs;
	struct ktap_refused refused;
	struct sk_buff *reply;
	void *head;
};

bool ktap_lacks(struct ktap_request *r, int attr, const char *text);
int ktap_reply(struct ktap_request *r, size_t size);
void ktap_tell_refused(struct netlink_ext_ack *extack, struct nlattr **attrs,
		       const struct ktap_refused *refused);

/* Parts of messages, for requests and dumps. */
int ktap_put_probe(struct sk_buff *skb, const struct ktap_probe *p,
		   enum ktap_addresses addresses);
int ktap_put_u64(struct sk_buff *skb, int attr, u64 value);

/* PROBE_NEW (netlink_new.c). */
int ktap_probe_new(struct ktap_request *r);
int ktap_parse_args(void *attrs, int size, struct ktap_probe_args *args,
		    struct ktap_refused *refused);

/* Dumps (netlink_dump.c). */
int ktap_dump_start(struct netlink_callback *cb);
int ktap_dump_probes(struct sk_buff *skb, struct netlink_callback *cb);
int ktap_dump_sessions(struct sk_buff *skb, struct netlink_callback *cb);
int ktap_dump_stats(struct sk_buff *skb, struct netlink_callback *cb);

#endif /* KTAP_NETLINK_REQUEST_H */
