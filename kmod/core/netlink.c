// SPDX-License-Identifier: GPL-2.0
/*
 * Control over generic netlink: attributes in, extack on every refusal. Nobody
 * waits under ktap_lock: requests that have probes armed, disarmed or removed
 * mark them there, and go on without it.
 *
 * The capability is checked in every doit and at the start of every dump:
 * pre_doit is not called for dumps, and the GENL_*_PERM flags mean another
 * capability. Requests run in parallel as far as genetlink is concerned;
 * ktap_lock orders them.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "core/access.h"
#include "core/blob.h"
#include "core/budget.h"
#include "core/hit_cost.h"
#include "hit/clock.h"
#include "compat.h"
#include "backend/ftrace.h"
#include "backend/kprobe.h"
#include "core/netlink.h"
#include "core/probe.h"
#include "hit/ringmem.h"
#include "core/scope.h"

#define PROBES_MAX (U16_MAX + 1 - KTAP_REC_FIRST_PROBE)

static const struct nla_policy policy[KTAP_A_MAX + 1] = {
	[KTAP_A_ID] = { .type = NLA_U32 },
	[KTAP_A_NAME] = { .type = NLA_NUL_STRING, .len = KTAP_NAME_MAX - 1 },
	[KTAP_A_TYPE] = NLA_POLICY_RANGE(NLA_U32, KTAP_TYPE_KPROBE,
					 KTAP_TYPE_MAX),
	[KTAP_A_FLAGS] = NLA_POLICY_MASK(NLA_U32, __KTAP_PROBE_F_ALL),
	[KTAP_A_ADDR] = { .type = NLA_U64 },
	[KTAP_A_SYMBOL] = { .type = NLA_NUL_STRING, .len = KTAP_SYMBOL_MAX - 1 },
	[KTAP_A_OFFSET] = { .type = NLA_U64 },
	[KTAP_A_PROG] = { .type = NLA_BINARY,
			  .len = KTAP_PROG_MAX * sizeof(struct ktap_insn) },
	[KTAP_A_ENABLED] = NLA_POLICY_MAX(NLA_U8, 1),
	[KTAP_A_BLOB_SIZE] = { .type = NLA_U32 },
	[KTAP_A_BLOB_OFFSET] = { .type = NLA_U32 },
	[KTAP_A_BLOB_DATA] = { .type = NLA_BINARY, .len = KTAP_BLOB_CHUNK },
	[KTAP_A_VERBOSE] = { .type = NLA_FLAG },
	[KTAP_A_ENTRY_PROG] = { .type = NLA_BINARY,
				.len = KTAP_PROG_MAX * sizeof(struct ktap_insn) },
	[KTAP_A_MAXACTIVE] = NLA_POLICY_MAX(NLA_U32, KTAP_MAXACTIVE_MAX),
	[KTAP_A_FD] = { .type = NLA_U32 },
	[KTAP_A_PATH] = { .type = NLA_NUL_STRING, .len = PATH_MAX - 1 },
	[KTAP_A_REF_OFFSET] = { .type = NLA_U64 },
	[KTAP_A_LENGTH] = { .type = NLA_U32 },
	[KTAP_A_ACCESS] = { .type = NLA_U32 },
	[KTAP_A_IDS] = { .type = NLA_BINARY,
			 .len = KTAP_IDS_MAX * sizeof(u32) },
	[KTAP_A_HOOK] = { .type = NLA_NUL_STRING, .len = 15 },
	[KTAP_A_FRAME_REGS] = NLA_POLICY_RANGE(NLA_BINARY, 1,
					       KTAP_NR_FRAME_REGS),
	[KTAP_A_FRAME_ADDR] = { .type = NLA_U64 },
	[KTAP_A_FRAME_OFFSET] = { .type = NLA_U64 },
};

/* ---- common ---------------------------------------------------------------- */

/* ktap_put_u64() - one 64-bit attribute. Return: 0 or -EMSGSIZE. */
int ktap_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, KTAP_A_PAD);
}

/**
 * ktap_missing() - does a request lack an attribute?
 * @info: request
 * @attr: which
 * @text: for extack, if so
 *
 * Context: process.
 */
bool ktap_missing(struct genl_info *info, int attr, const char *text)
{
	if (info->attrs[attr])
		return false;
	ktap_extack(info->extack, text);
	return true;
}

/* A request names its probe by id, or by name. Under ktap_lock. */
static struct ktap_probe *find_probe(struct genl_info *info)
{
	struct nlattr *id = info->attrs[KTAP_A_ID];
	struct nlattr *name = info->attrs[KTAP_A_NAME];
	struct ktap_probe *p;

	if (!id && !name) {
		NL_SET_ERR_MSG(info->extack, "the message names no probe");
		return ERR_PTR(-EINVAL);
	}
	p = id ? ktap_probe_find(nla_get_u32(id)) :
		 ktap_probe_find_name(nla_data(name));
	if (p)
		return p;
	NL_SET_ERR_MSG_ATTR(info->extack, id ?: name, "no such probe");
	return ERR_PTR(-ENOENT);
}

/**
 * ktap_reply_new() - begin an answer
 * @info: request
 * @size: bytes that it may need
 * @cmd: of the answer
 * @head: for ktap_reply_send(), which follows
 *
 * Context: process; may sleep.
 * Return: the message, or NULL: no memory.
 */
struct sk_buff *ktap_reply_new(struct genl_info *info, size_t size, u8 cmd,
			       void **head)
{
	struct sk_buff *skb = genlmsg_new(size, GFP_KERNEL);

	if (!skb)
		return NULL;
	*head = genlmsg_put_reply(skb, info, &ktap_family, 0, cmd);
	if (*head)
		return skb;
	nlmsg_free(skb);
	return NULL;
}

/**
 * ktap_reply_send() - send an answer, or drop it
 * @info: request
 * @skb: of ktap_reply_new()
 * @head: likewise
 * @err: why it is dropped, or 0
 *
 * Context: process; may sleep.
 * Return: @err, or what sending gave.
 */
int ktap_reply_send(struct genl_info *info, struct sk_buff *skb, void *head,
		    int err)
{
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, head);
	return genlmsg_reply(skb, info);
}

/**
 * ktap_announce() - tell those who listen
 * @p: probe
 * @cmd: what happened to it
 *
 * Context: process, under ktap_lock; the family is registered.
 */
void ktap_announce(const struct ktap_probe *p, u8 cmd)
{
	struct sk_buff *skb;
	void *head;

	lockdep_assert_held(&ktap_lock);
	skb = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!skb)
		return;
	head = genlmsg_put(skb, 0, 0, &ktap_family, 0, cmd);
	if (!head || nla_put_u32(skb, KTAP_A_ID, p->id) ||
	    nla_put_string(skb, KTAP_A_NAME, p->name) ||
	    (p->overloaded && nla_put_flag(skb, KTAP_A_OVERLOADED)) ||
	    (p->locked_down && nla_put_flag(skb, KTAP_A_LOCKED_DOWN))) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, head);
	genlmsg_multicast(&ktap_family, skb, 0, 0, GFP_KERNEL);
}

/* ---- INFO -------------------------------------------------------------------- */

static int put_anchor(struct sk_buff *skb, enum ktap_addresses addresses)
{
	if (nla_put_u32(skb, KTAP_A_ADDRESSES, addresses))
		return -EMSGSIZE;
	if (addresses != KTAP_ADDRESSES_SHOWN)
		return 0;
	return ktap_put_u64(skb, KTAP_A_ANCHOR, (unsigned long)register_kprobe);
}

static int put_info(struct sk_buff *skb, enum ktap_addresses addresses)
{
	struct ktap_limits limits = {
		.ring_default = KTAP_RING_DEFAULT,
		.ring_total_max = ktap_budget_max(KTAP_MEM_RINGS),
		.ring_total = ktap_budget_used(KTAP_MEM_RINGS),
		.blob_max = KTAP_BLOB_MAX,
		.blob_total_max = ktap_budget_max(KTAP_MEM_BLOBS),
		.blob_total = ktap_budget_used(KTAP_MEM_BLOBS),
		.probes_max = PROBES_MAX,
		.nr_probes = ktap_probe_count(),
		.return_total_max = ktap_budget_max(KTAP_MEM_CALLS),
		.return_total = ktap_budget_used(KTAP_MEM_CALLS),
		.memory_max = ktap_budget_total_max(),
		.memory_total = ktap_budget_total(),
		.program_total = ktap_budget_used(KTAP_MEM_PROGRAMS),
		.scratch_total = ktap_budget_used(KTAP_MEM_SCRATCH),
		.scope_total = ktap_budget_used(KTAP_MEM_SCOPES),
		.other_total = ktap_budget_used(KTAP_MEM_OTHER),
		.hit_cost_max = ktap_hit_cost_max(),
	};
	static const struct ktap_offsets offsets = {
		.dentry_name = offsetof(struct dentry, d_name.name),
		.file_dentry = offsetof(struct file, f_path.dentry),
	};
	u64 features = ktap_backend_features();

	if (ktap_scope_works())
		features |= KTAP_FEATURE_SCOPE;
	if (ktap_ftrace_works())
		features |= KTAP_FEATURE_FTRACE;
	if (nla_put_u32(skb, KTAP_A_ABI, KTAP_ABI) ||
	    nla_put_string(skb, KTAP_A_MODULE_VERSION, KTAP_MODULE_VERSION) ||
	    nla_put_u32(skb, KTAP_A_ARCH, KTAP_ARCH) ||
	    ktap_put_u64(skb, KTAP_A_FEATURES, features) ||
	    nla_put_u32(skb, KTAP_A_CLOCK, ktap_clock_kind()) ||
	    nla_put(skb, KTAP_A_LIMITS, sizeof(limits), &limits) ||
	    nla_put(skb, KTAP_A_OFFSETS, sizeof(offsets), &offsets))
		return -EMSGSIZE;
	return put_anchor(skb, addresses);
}

static int info_get(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *reply;
	void *head;
	int err;

	err = ktap_netlink_allowed(skb, info->extack);
	if (err)
		return err;
	reply = ktap_reply_new(info, NLMSG_GOODSIZE, KTAP_CMD_INFO_GET, &head);
	if (!reply)
		return -ENOMEM;
	err = put_info(reply, ktap_addresses(skb));
	return ktap_reply_send(info, reply, head, err);
}

/* ---- PROBE_DEL, PROBE_SET, PROBE_GET ------------------------------------- */

static int on_probe(struct sk_buff *skb, struct genl_info *info,
		    int (*action)(struct ktap_probe *p, struct genl_info *info))
{
	struct ktap_probe *p;
	int err;

	err = ktap_netlink_allowed(skb, info->extack);
	if (err)
		return err;
	mutex_lock(&ktap_lock);
	p = find_probe(info);
	err = IS_ERR(p) ? PTR_ERR(p) : action(p, info);
	mutex_unlock(&ktap_lock);
	return err;
}

static int find_all(struct genl_info *info, struct ktap_probe **list, int nr)
{
	const u32 *ids = nla_data(info->attrs[KTAP_A_IDS]);
	int i;

	for (i = 0; i < nr; i++) {
		list[i] = ktap_probe_find(ids[i]);
		if (!list[i]) {
			NL_SET_ERR_MSG_ATTR(info->extack,
					    info->attrs[KTAP_A_IDS],
					    "one of them is no probe");
			return -ENOENT;
		}
	}
	return 0;
}

/* Twice in the list would be twice deleted. */
static bool each_once(struct ktap_probe **list, int nr)
{
	int i, n;

	for (i = 0; i < nr; i++)
		list[i]->listed = true;
	for (i = n = 0; i < nr; i++) {
		n += list[i]->listed;
		list[i]->listed = false;
	}
	return n == nr;
}

static int find_listed(struct genl_info *info, struct ktap_probe **list, int nr)
{
	int err;

	err = find_all(info, list, nr);
	if (err || each_once(list, nr))
		return err;
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[KTAP_A_IDS],
			    "a probe is named twice");
	return -EINVAL;
}

static int find_named(struct genl_info *info, struct ktap_probe **list)
{
	list[0] = find_probe(info);
	return PTR_ERR_OR_ZERO(list[0]);
}

/* struct list_action - on probes: @first under ktap_lock, and then @then without */
struct list_action {
	int (*first)(struct ktap_probe **list, int nr, struct genl_info *info);
	int (*then)(struct ktap_probe **list, int nr, struct genl_info *info);
};

/* Return: 0, with references. */
static int act_first(struct genl_info *info, const struct list_action *action,
		     struct ktap_probe **list, int nr)
{
	int i, err;

	err = info->attrs[KTAP_A_IDS] ? find_listed(info, list, nr) :
					find_named(info, list);
	if (!err)
		err = action->first(list, nr, info);
	for (i = 0; !err && i < nr; i++)
		ktap_probe_get(list[i]);
	return err;
}

static int act(struct genl_info *info, const struct list_action *action,
	       struct ktap_probe **list, int nr)
{
	int i, err;

	mutex_lock(&ktap_lock);
	err = act_first(info, action, list, nr);
	mutex_unlock(&ktap_lock);
	if (err)
		return err;
	err = action->then(list, nr, info);
	for (i = 0; i < nr; i++)
		ktap_probe_put(list[i]);
	return err;
}

static int on_list(struct genl_info *info, const struct list_action *action)
{
	struct nlattr *ids = info->attrs[KTAP_A_IDS];
	int nr = nla_len(ids) / sizeof(u32), err;
	struct ktap_probe **list;

	if (nla_len(ids) % sizeof(u32)) {
		NL_SET_ERR_MSG_ATTR(info->extack, ids,
				    "the list is not a whole number of probes");
		return -EINVAL;
	}
	list = kmalloc_array(nr, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	err = act(info, action, list, nr);
	kfree(list);
	return err;
}

/* On the probe that a request names, or on those that it lists. */
static int on_probes(struct sk_buff *skb, struct genl_info *info,
		     const struct list_action *action)
{
	struct ktap_probe *p;
	int err;

	err = ktap_netlink_allowed(skb, info->extack);
	if (err)
		return err;
	return info->attrs[KTAP_A_IDS] ? on_list(info, action) :
					 act(info, action, &p, 1);
}

static int del_first(struct ktap_probe **list, int nr, struct genl_info *info)
{
	int i;

	for (i = 0; i < nr; i++) {
		ktap_announce(list[i], KTAP_CMD_PROBE_DEL);
		ktap_probe_delete(list[i]);
	}
	return 0;
}

static int del_then(struct ktap_probe **list, int nr, struct genl_info *info)
{
	int i;

	for (i = 0; i < nr; i++)
		ktap_idle_begin(list[i]);
	for (i = 0; i < nr; i++)
		ktap_idle_wait(list[i]);
	return 0;
}

static int probe_del(struct sk_buff *skb, struct genl_info *info)
{
	static const struct list_action del = {
		.first = del_first,
		.then = del_then,
	};

	return on_probes(skb, info, &del);
}

static int check_set(struct ktap_probe **list, int nr, bool on,
		     struct netlink_ext_ack *extack)
{
	int i, slow = 0;

	for (i = 0; i < nr; i++) {
		if (!ktap_probe_complete(list[i])) {
			NL_SET_ERR_MSG(extack, "the probe's metadata is not complete yet");
			return -ENODATA;
		}
		slow += on != !!list[i]->counting &&
			ktap_probe_is_slow(list[i]);
	}
	if (slow > KTAP_ARM_MAX) {
		NL_SET_ERR_MSG(extack, "more probes than one request may arm or disarm without ftrace");
		return -E2BIG;
	}
	return 0;
}

static void explain_cost(struct netlink_ext_ack *extack)
{
	NL_SET_ERR_MSG(extack, "with what runs at its place already, a hit would take longer than hit_cost_max");
	mutex_lock(&ktap_lock);
	nl_set_extack_cookie_u64(extack, ktap_place_cost_refused());
	mutex_unlock(&ktap_lock);
}

static int set_first(struct ktap_probe **list, int nr, struct genl_info *info)
{
	if (ktap_missing(info, KTAP_A_ENABLED, "the message lacks the state to set"))
		return -EINVAL;
	return check_set(list, nr, nla_get_u8(info->attrs[KTAP_A_ENABLED]),
			 info->extack);
}

static void announce_set(struct ktap_probe **list, int nr)
{
	int i;

	mutex_lock(&ktap_lock);
	for (i = 0; i < nr; i++)
		if (!list[i]->gone)
			ktap_announce(list[i], KTAP_CMD_PROBE_SET);
	mutex_unlock(&ktap_lock);
}

static int set_then(struct ktap_probe **list, int nr, struct genl_info *info)
{
	int err;

	err = ktap_probes_enable(list, nr,
				 nla_get_u8(info->attrs[KTAP_A_ENABLED]));
	if (err == -EPERM)
		NL_SET_ERR_MSG(info->extack, "kernel lockdown forbids kprobes");
	else if (err == -EDQUOT)
		explain_cost(info->extack);
	else if (err == -ENXIO)
		ktap_extack(info->extack, ktap_ftrace_is_off);
	else if (err)
		NL_SET_ERR_MSG(info->extack, "the kernel refuses to arm the probe");
	if (!err)
		announce_set(list, nr);
	return err;
}

static int probe_set(struct sk_buff *skb, struct genl_info *info)
{
	static const struct list_action set = {
		.first = set_first,
		.then = set_then,
	};

	return on_probes(skb, info, &set);
}

/**
 * ktap_put_probe() - describe a probe
 * @skb: message
 * @p: probe
 * @addresses: whether its address may be told
 *
 * Context: process, under ktap_lock.
 * Return: 0 or -EMSGSIZE.
 */
int ktap_put_probe(struct sk_buff *skb, const struct ktap_probe *p,
		   enum ktap_addresses addresses)
{
	lockdep_assert_held(&ktap_lock);
	if (nla_put_u32(skb, KTAP_A_ID, p->id) ||
	    nla_put_string(skb, KTAP_A_NAME, p->name) ||
	    nla_put_u32(skb, KTAP_A_TYPE, p->type) ||
	    nla_put_u32(skb, KTAP_A_FLAGS, p->flags) ||
	    nla_put_u8(skb, KTAP_A_ENABLED, !!p->counting) ||
	    nla_put_u32(skb, KTAP_A_NR_SESSIONS, ktap_probe_nr_sessions(p)) ||
	    nla_put_u32(skb, KTAP_A_RECORD_MAX, p->prog->info.record_max) ||
	    nla_put_u32(skb, KTAP_A_BLOB_SIZE, p->blob_size) ||
	    nla_put_u32(skb, KTAP_A_OWNER_PID, p->owner_pid) ||
	    nla_put_string(skb, KTAP_A_HOOK, p->backend->name))
		return -EMSGSIZE;
	if (ktap_put_u64(skb, KTAP_A_COST, p->prog->info.cost))
		return -EMSGSIZE;
	if (p->waiting && nla_put_flag(skb, KTAP_A_WAITING))
		return -EMSGSIZE;
	if (p->addr && addresses == KTAP_ADDRESSES_SHOWN &&
	    ktap_put_u64(skb, KTAP_A_ADDR, p->addr))
		return -EMSGSIZE;
	if (p->symbol && (nla_put_string(skb, KTAP_A_SYMBOL, p->symbol) ||
			  ktap_put_u64(skb, KTAP_A_OFFSET, p->offset)))
		return -EMSGSIZE;
	if (p->overloaded && nla_put_flag(skb, KTAP_A_OVERLOADED))
		return -EMSGSIZE;
	if (p->locked_down && nla_put_flag(skb, KTAP_A_LOCKED_DOWN))
		return -EMSGSIZE;
	return p->backend->put ? p->backend->put(skb, p) : 0;
}

static int get_action(struct ktap_probe *p, struct genl_info *info)
{
	struct sk_buff *reply;
	void *head;

	reply = ktap_reply_new(info, KTAP_PROBE_MESSAGE, KTAP_CMD_PROBE_GET, &head);
	if (!reply)
		return -ENOMEM;
	return ktap_reply_send(info, reply, head,
			  ktap_put_probe(reply, p,
					 ktap_addresses(info->user_ptr[0])));
}

static int probe_get(struct sk_buff *skb, struct genl_info *info)
{
	info->user_ptr[0] = skb;
	return on_probe(skb, info, get_action);
}

/* ---- BLOB ------------------------------------------------------------------ */

static int blob_put_action(struct ktap_probe *p, struct genl_info *info)
{
	struct nlattr *data = info->attrs[KTAP_A_BLOB_DATA];

	if (ktap_missing(info, KTAP_A_BLOB_OFFSET, "the message lacks the chunk's offset") ||
	    ktap_missing(info, KTAP_A_BLOB_DATA, "the message lacks the chunk"))
		return -EINVAL;
	return ktap_blob_put(p, nla_get_u32(info->attrs[KTAP_A_BLOB_OFFSET]),
			     nla_data(data), nla_len(data), info->extack);
}

static int blob_put(struct sk_buff *skb, struct genl_info *info)
{
	return on_probe(skb, info, blob_put_action);
}

static int blob_get_action(struct ktap_probe *p, struct genl_info *info)
{
	struct sk_buff *reply;
	u32 offset, len = 0;
	void *head;
	int err;

	if (ktap_missing(info, KTAP_A_BLOB_OFFSET, "the message lacks the chunk's offset"))
		return -EINVAL;
	offset = nla_get_u32(info->attrs[KTAP_A_BLOB_OFFSET]);
	if (offset < p->blob_have)
		len = min_t(u32, p->blob_have - offset, KTAP_BLOB_CHUNK);
	reply = ktap_reply_new(info, nla_total_size(len) + NLMSG_GOODSIZE,
			       KTAP_CMD_BLOB_GET, &head);
	if (!reply)
		return -ENOMEM;
	err = nla_put_u32(reply, KTAP_A_ID, p->id) ||
	      nla_put_u32(reply, KTAP_A_BLOB_OFFSET, offset) ||
	      (len && nla_put(reply, KTAP_A_BLOB_DATA, len, p->blob + offset));
	return ktap_reply_send(info, reply, head, err ? -EMSGSIZE : 0);
}

static int blob_get(struct sk_buff *skb, struct genl_info *info)
{
	return on_probe(skb, info, blob_get_action);
}

/* ---- the family ------------------------------------------------------------- */

#define DOIT(_cmd, _doit) \
	{ .cmd = KTAP_CMD_##_cmd, .doit = (_doit) }
#define DUMP(_cmd, _doit, _dumpit)					\
	{ .cmd = KTAP_CMD_##_cmd, .doit = (_doit),			\
	  .start = ktap_dump_start, .dumpit = (_dumpit) }

static const struct genl_ops ops[] = {
	DOIT(INFO_GET, info_get),
	DOIT(PROBE_NEW, ktap_probe_new),
	DOIT(PROBE_DEL, probe_del),
	DOIT(PROBE_SET, probe_set),
	DUMP(PROBE_GET, probe_get, ktap_dump_probes),
	DOIT(BLOB_PUT, blob_put),
	DOIT(BLOB_GET, blob_get),
	DUMP(STATS_GET, NULL, ktap_dump_stats),
	DUMP(SESSION_GET, NULL, ktap_dump_sessions),
};

static const struct genl_multicast_group groups[] = {
	{ .name = KTAP_GENL_MCGRP, .flags = KTAP_MCAST_ADMIN },
};

struct genl_family ktap_family = {
	.name = KTAP_GENL_NAME,
	.version = KTAP_GENL_VERSION,
	.maxattr = KTAP_A_MAX,
	.policy = policy,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
	.parallel_ops = true,
	.netnsok = false,
	.module = THIS_MODULE,
};

/* A socket closed: what was tied to it goes. */
static int on_release(struct notifier_block *nb, unsigned long event,
		      void *data)
{
	const struct netlink_notify *n = data;

	if (event != NETLINK_URELEASE || n->protocol != NETLINK_GENERIC ||
	    !net_eq(n->net, &init_net))
		return NOTIFY_DONE;
	ktap_probes_delete_of(n->portid);
	return NOTIFY_DONE;
}

static struct notifier_block release_notifier = {
	.notifier_call = on_release,
};

/* ktap_netlink_init() - open the door. Context: module init, without locks. */
int ktap_netlink_init(void)
{
	int err;

	err = netlink_register_notifier(&release_notifier);
	if (err)
		return err;
	err = genl_register_family(&ktap_family);
	if (err)
		netlink_unregister_notifier(&release_notifier);
	return err;
}

/* ktap_netlink_exit() - Context: module exit, without locks. */
void ktap_netlink_exit(void)
{
	genl_unregister_family(&ktap_family);
	netlink_unregister_notifier(&release_notifier);
}
