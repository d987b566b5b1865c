/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of netlink share: requests, and what is put into answers. They
 * alone know attributes; others get structs.
 */
#ifndef KTAP_NETLINK_REQUEST_H
#define KTAP_NETLINK_REQUEST_H

#include <linux/ktap.h>
#include <net/genetlink.h>

#include "core/refused.h"

struct ktap_probe;

/* Room for the description of any probe: names, path and the rest. */
#define KTAP_PROBE_MESSAGE	8192

extern struct genl_family ktap_family;

/**
 * struct ktap_request - a message that is served
 * @skb: it
 * @info: what generic netlink knows of it
 * @attrs: its attributes
 * @refused: why it is refused, if it is
 * @reply: the answer, or NULL; sent when the request was served
 * @head: of the answer
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

/* Messages, shared by requests and dumps. */
int ktap_put_probe(struct sk_buff *skb, const struct ktap_probe *p,
		   enum ktap_addresses addresses);
int ktap_put_u64(struct sk_buff *skb, int attr, u64 value);

/* PROBE_NEW (netlink_new.c). */
int ktap_probe_new(struct ktap_request *r);

/* Dumps (netlink_dump.c). */
int ktap_dump_start(struct netlink_callback *cb);
int ktap_dump_probes(struct sk_buff *skb, struct netlink_callback *cb);
int ktap_dump_sessions(struct sk_buff *skb, struct netlink_callback *cb);
int ktap_dump_stats(struct sk_buff *skb, struct netlink_callback *cb);

#endif /* KTAP_NETLINK_REQUEST_H */
