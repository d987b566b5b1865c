// SPDX-License-Identifier: GPL-2.0
/*
 * The request for a new probe: from attributes to struct ktap_probe_args.
 */
#include <linux/ctype.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "core/access.h"
#include "core/blob.h"
#include "compat.h"
#include "core/netlink.h"
#include "core/probe.h"

/* isalnum() knows Latin-1 too. */
static bool name_char_ok(char c)
{
	return (isascii(c) && isalnum(c)) || c == '_' || c == '-' || c == '.';
}

/* GROUP:EVENT or EVENT, of characters that no listing has to quote. */
static bool name_ok(const char *name)
{
	const char *c, *colon = NULL;

	for (c = name; *c; c++) {
		if (*c == ':' && !colon)
			colon = c;
		else if (!name_char_ok(*c))
			return false;
	}
	return c != name && colon != name && (!colon || colon[1]);
}

static void get_place(struct ktap_probe_args *args)
{
	struct nlattr **a = args->attrs;

	if (a[KTAP_A_ADDR])
		args->addr = nla_get_u64(a[KTAP_A_ADDR]);
	if (a[KTAP_A_SYMBOL])
		args->symbol = nla_data(a[KTAP_A_SYMBOL]);
	if (a[KTAP_A_OFFSET])
		args->offset = nla_get_u64(a[KTAP_A_OFFSET]);
}

static int check_prog(struct genl_info *info, struct ktap_probe_args *args)
{
	struct nlattr *prog = info->attrs[KTAP_A_PROG];

	if (nla_len(prog) % sizeof(struct ktap_insn)) {
		NL_SET_ERR_MSG_ATTR(info->extack, prog,
				    "the program is not a whole number of instructions");
		return -EINVAL;
	}
	args->insns = nla_data(prog);
	args->nr_insns = nla_len(prog) / sizeof(struct ktap_insn);
	return 0;
}

static int check_hook(struct genl_info *info,
		      const struct ktap_probe_args *args)
{
	const struct nlattr *hook = args->attrs[KTAP_A_HOOK];

	if (!hook || !nla_strcmp(hook, "kprobe"))
		return 0;
	if (nla_strcmp(hook, "ftrace")) {
		NL_SET_ERR_MSG_ATTR(info->extack, hook,
				    "no such hook: ftrace and kprobe are known");
		return -EINVAL;
	}
	if (args->type != KTAP_TYPE_KPROBE || args->attrs[KTAP_A_FRAME_REGS]) {
		NL_SET_ERR_MSG_ATTR(info->extack, hook,
				    "the ftrace hook serves entries of functions alone");
		return -EOPNOTSUPP;
	}
	return 0;
}

static int check_frame(struct genl_info *info,
		       const struct ktap_probe_args *args)
{
	const struct nlattr *regs = args->attrs[KTAP_A_FRAME_REGS];

	if (!regs || args->type == KTAP_TYPE_KPROBE ||
	    args->type == KTAP_TYPE_UPROBE)
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, regs,
			    "only a probe inside of a function has a frame");
	return -EOPNOTSUPP;
}

static int check_new(struct genl_info *info, struct ktap_probe_args *args)
{
	struct nlattr **a = info->attrs;
	int err;

	if (ktap_missing(info, KTAP_A_NAME, "the message lacks the name") ||
	    ktap_missing(info, KTAP_A_TYPE, "the message lacks the type") ||
	    ktap_missing(info, KTAP_A_PROG, "the message lacks the program"))
		return -EINVAL;
	args->attrs = a;
	args->name = nla_data(a[KTAP_A_NAME]);
	args->type = nla_get_u32(a[KTAP_A_TYPE]);
	if (!name_ok(args->name)) {
		NL_SET_ERR_MSG_ATTR(info->extack, a[KTAP_A_NAME],
				    "bad character in the event's name");
		return -EINVAL;
	}
	args->backend = ktap_backend_of(args->type);
	if (!args->backend) {
		ktap_extack(info->extack, ktap_backend_lacks(args->type));
		NL_SET_BAD_ATTR(info->extack, a[KTAP_A_TYPE]);
		return -EOPNOTSUPP;
	}
	get_place(args);
	err = check_hook(info, args) ?: check_frame(info, args);
	if (!err)
		err = args->backend->check(args, info->extack);
	if (err)
		return err;
	err = check_prog(info, args);
	if (err)
		return err;
	if (a[KTAP_A_FLAGS])
		args->flags = nla_get_u32(a[KTAP_A_FLAGS]);
	if (a[KTAP_A_BLOB_SIZE])
		args->blob_size = nla_get_u32(a[KTAP_A_BLOB_SIZE]);
	args->portid = info->snd_portid;
	args->owner_pid = current->tgid;
	return 0;
}

/* What of its blob came with the request. */
static int first_chunk(struct ktap_probe *p, struct genl_info *info)
{
	struct nlattr *data = info->attrs[KTAP_A_BLOB_DATA];

	if (!data)
		return 0;
	return ktap_blob_put(p, 0, nla_data(data), nla_len(data),
			     info->extack);
}

/* It is found from here on; without its blob nobody can use it. */
static int probe_new_locked(struct ktap_probe *p, struct genl_info *info,
			    struct sk_buff *reply)
{
	int err = first_chunk(p, info);

	if (err) {
		ktap_probe_delete(p);
		return err;
	}
	if (!p->gone)
		ktap_announce(p, KTAP_CMD_PROBE_NEW);
	/* sized for it by the caller */
	return nla_put_u32(reply, KTAP_A_ID, p->id);
}

static int make_probe(struct ktap_probe_args *args, struct genl_info *info,
		      struct sk_buff *reply)
{
	struct ktap_probe *p = ktap_probe_create(args, info->extack);
	int err;

	if (IS_ERR(p))
		return PTR_ERR(p);
	mutex_lock(&ktap_lock);
	err = probe_new_locked(p, info, reply);
	mutex_unlock(&ktap_lock);
	if (err) {
		ktap_idle_begin(p);
		ktap_idle_wait(p);
	}
	ktap_probe_put(p);
	return err;
}

/* ktap_probe_new() - KTAP_CMD_PROBE_NEW. Context: process; may sleep. */
int ktap_probe_new(struct sk_buff *skb, struct genl_info *info)
{
	struct ktap_probe_args args = {};
	struct sk_buff *reply;
	void *head;
	int err;

	err = ktap_netlink_allowed(skb, info->extack);
	if (err)
		return err;
	err = check_new(info, &args);
	if (err)
		return err;
	/* the reply first: nothing may fail once the probe is there */
	reply = ktap_reply_new(info, NLMSG_GOODSIZE, KTAP_CMD_PROBE_NEW, &head);
	if (!reply)
		return -ENOMEM;
	args.maker = NETLINK_CB(skb).sk;
	err = make_probe(&args, info, reply);
	return ktap_reply_send(info, reply, head, err);
}
