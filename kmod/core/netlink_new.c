// SPDX-License-Identifier: GPL-2.0
/* KTAP_CMD_PROBE_NEW: decodes its attributes to struct ktap_probe_args. */
#include <linux/ctype.h>
#include <linux/sched.h>

#include "core/blob.h"
#include "core/netlink.h"
#include "core/netlink_request.h"
#include "core/probe.h"

/* isalnum() accepts Latin-1 characters too. */
static bool name_char_ok(char c)
{
	return (isascii(c) && isalnum(c)) || c == '_' || c == '-' || c == '.';
}

/* GROUP:EVENT or EVENT, of characters that need no quotes in any output. */
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

/* ---- from attributes to fields ---------------------------------------------- */

static void get_u32(const struct ktap_request *r, int attr, u32 *ret)
{
	if (r->attrs[attr])
		*ret = nla_get_u32(r->attrs[attr]);
}

static void get_u64(const struct ktap_request *r, int attr, u64 *ret)
{
	if (r->attrs[attr])
		*ret = nla_get_u64(r->attrs[attr]);
}

/* The policy has checked the NUL. */
static void get_text(const struct ktap_request *r, int attr, const char **ret)
{
	if (r->attrs[attr])
		*ret = nla_data(r->attrs[attr]);
}

static int get_insns(struct ktap_request *r, int attr,
		     const struct ktap_insn **ret, u32 *ret_nr,
		     const char *uneven)
{
	const struct nlattr *insns = r->attrs[attr];

	if (!insns)
		return 0;
	if (nla_len(insns) % sizeof(**ret))
		return ktap_refuse(&r->refused, -EINVAL, attr, uneven);
	*ret = nla_data(insns);
	*ret_nr = nla_len(insns) / sizeof(**ret);
	return 0;
}

static int get_programs(struct ktap_request *r, struct ktap_probe_args *args)
{
	return get_insns(r, KTAP_A_ENTRY_PROG, &args->entry_insns,
			 &args->nr_entry_insns,
			 "the entry program is not a whole number of instructions") ?:
	       get_insns(r, KTAP_A_PROG, &args->insns, &args->nr_insns,
			 "the program is not a whole number of instructions");
}

static int get_hook(struct ktap_request *r, struct ktap_probe_args *args)
{
	const struct nlattr *hook = r->attrs[KTAP_A_HOOK];

	if (!hook)
		return 0;
	if (!nla_strcmp(hook, "kprobe"))
		args->hook = KTAP_HOOK_KPROBE;
	else if (!nla_strcmp(hook, "ftrace"))
		args->hook = KTAP_HOOK_FTRACE;
	else
		return ktap_refuse(&r->refused, -EINVAL, KTAP_A_HOOK,
				   "unknown hook: use ftrace or kprobe");
	return 0;
}

static void get_fields(const struct ktap_request *r,
		       struct ktap_probe_args *args)
{
	const struct nlattr *regs = r->attrs[KTAP_A_FRAME_REGS];
	int attr;

	for (attr = 0; attr <= KTAP_A_MAX; attr++)
		if (r->attrs[attr])
			__set_bit(attr, args->has);
	get_text(r, KTAP_A_NAME, &args->name);
	get_u32(r, KTAP_A_TYPE, &args->type);
	get_u32(r, KTAP_A_FLAGS, &args->flags);
	get_u64(r, KTAP_A_ADDR, &args->addr);
	get_text(r, KTAP_A_SYMBOL, &args->symbol);
	get_u64(r, KTAP_A_OFFSET, &args->offset);
	get_u64(r, KTAP_A_FRAME_ADDR, &args->frame_addr);
	get_u64(r, KTAP_A_FRAME_OFFSET, &args->frame_offset);
	get_u32(r, KTAP_A_MAXACTIVE, &args->maxactive);
	get_u32(r, KTAP_A_FD, &args->fd);
	get_text(r, KTAP_A_PATH, &args->path);
	get_u64(r, KTAP_A_REF_OFFSET, &args->ref_offset);
	get_u32(r, KTAP_A_LENGTH, &args->length);
	get_u32(r, KTAP_A_ACCESS, &args->access);
	get_u32(r, KTAP_A_SYSCALL, &args->syscall);
	get_u64(r, KTAP_A_PERIOD, &args->period);
	get_u32(r, KTAP_A_BLOB_SIZE, &args->blob_size);
	if (!regs)
		return;
	args->frame_regs = nla_data(regs);
	args->nr_frame_regs = nla_len(regs);
}

/* ---- required attributes ----------------------------------------------------- */

static bool lacks_head(struct ktap_request *r)
{
	return ktap_lacks(r, KTAP_A_NAME, "the message lacks the name") ||
	       ktap_lacks(r, KTAP_A_TYPE, "the message lacks the type") ||
	       ktap_lacks(r, KTAP_A_PROG, "the message lacks the program");
}

static bool lacks_watched(struct ktap_request *r)
{
	int attr = !r->attrs[KTAP_A_ADDR] ? KTAP_A_ADDR :
		   !r->attrs[KTAP_A_LENGTH] ? KTAP_A_LENGTH : KTAP_A_ACCESS;

	return ktap_lacks(r, attr, "the message lacks the address, length or access to watch");
}

static bool lacks_place(struct ktap_request *r, u32 type)
{
	switch (type) {
	case KTAP_TYPE_KPROBE:
	case KTAP_TYPE_KRETPROBE:
		return !r->attrs[KTAP_A_ADDR] &&
		       ktap_lacks(r, KTAP_A_SYMBOL, "the message lacks an address or a symbol");
	case KTAP_TYPE_UPROBE:
	case KTAP_TYPE_URETPROBE:
		return ktap_lacks(r, KTAP_A_FD, "the message lacks the file's descriptor") ||
		       ktap_lacks(r, KTAP_A_OFFSET, "the message lacks the offset in the file");
	case KTAP_TYPE_TRACEPOINT:
		return ktap_lacks(r, KTAP_A_SYMBOL, "the message lacks the tracepoint's name");
	case KTAP_TYPE_WATCHPOINT:
		return lacks_watched(r);
	case KTAP_TYPE_SYSCALL:
	case KTAP_TYPE_SYSRET:
		return ktap_lacks(r, KTAP_A_SYSCALL, "the message lacks the system call's number");
	case KTAP_TYPE_TIMER:
		return ktap_lacks(r, KTAP_A_PERIOD, "the message lacks the timer's period");
	default:
		return false;
	}
}

static bool is_inside(u32 type)
{
	return type == KTAP_TYPE_KPROBE || type == KTAP_TYPE_UPROBE;
}

static int check_frame(struct ktap_request *r,
		       const struct ktap_probe_args *args)
{
	int place = r->attrs[KTAP_A_FRAME_ADDR] ? KTAP_A_FRAME_ADDR :
		    r->attrs[KTAP_A_FRAME_OFFSET] ? KTAP_A_FRAME_OFFSET : 0;

	if (args->frame_regs && !is_inside(args->type))
		return ktap_refuse(&r->refused, -EOPNOTSUPP, KTAP_A_FRAME_REGS,
				   "only a probe inside a function has a frame");
	if (!is_inside(args->type))
		return 0;
	if (!args->frame_regs && place)
		return ktap_refuse(&r->refused, -EINVAL, place,
				   "the message lacks the registers of the frame");
	if (args->frame_regs && !place)
		return ktap_refuse(&r->refused, -EINVAL, 0,
				   "the message lacks the place of the entry");
	return 0;
}

/* Checks that apply to every backend. */
static int check_message(struct ktap_request *r,
			 const struct ktap_probe_args *args)
{
	if (args->hook == KTAP_HOOK_FTRACE &&
	    ((args->type != KTAP_TYPE_KPROBE && args->type != KTAP_TYPE_KRETPROBE) ||
	     args->frame_regs))
		return ktap_refuse(&r->refused, -EOPNOTSUPP, KTAP_A_HOOK,
				   "the ftrace hook serves function entries only");
	if (args->flags & KTAP_PROBE_F_TIMES && args->type != KTAP_TYPE_SYSRET)
		return ktap_refuse(&r->refused, -EINVAL, KTAP_A_FLAGS,
				   "only returns of system calls are timed");
	if (lacks_place(r, args->type))
		return -EINVAL;
	return check_frame(r, args);
}

static int get_args(struct ktap_request *r, struct ktap_probe_args *args)
{
	if (lacks_head(r))
		return -EINVAL;
	get_fields(r, args);
	if (!name_ok(args->name))
		return ktap_refuse(&r->refused, -EINVAL, KTAP_A_NAME,
				   "bad character in the event's name");
	args->backend = ktap_backend_of(args->type);
	if (!args->backend)
		return ktap_refuse(&r->refused, -EOPNOTSUPP, KTAP_A_TYPE,
				   ktap_backend_lacks(args->type));
	return get_hook(r, args) ?: check_message(r, args) ?:
	       get_programs(r, args);
}

static int check_args(struct ktap_request *r, struct ktap_probe_args *args)
{
	args->portid = r->info->snd_portid;
	args->maker = NETLINK_CB(r->skb).sk;
	args->owner_pid = current->tgid;
	return args->backend->check(args, &r->refused);
}

/**
 * ktap_parse_args() - decode the attributes of a probe that no message brought
 * @attrs: attributes of KTAP_CMD_PROBE_NEW
 * @size: bytes of @attrs
 * @args: cleared; then it refers to @attrs
 * @refused: filled if they are refused, except by netlink's policy
 *
 * The backend's check is left to the caller.
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int ktap_parse_args(void *attrs, int size, struct ktap_probe_args *args,
		    struct ktap_refused *refused)
{
	struct nlattr *tb[KTAP_A_MAX + 1];
	struct ktap_request r = { .attrs = tb };
	int err;

	err = nla_parse(tb, KTAP_A_MAX, attrs, size, ktap_policy, NULL);
	if (err)
		return err;
	err = get_args(&r, args);
	*refused = r.refused;
	return err;
}

/* ---- the probe ----------------------------------------------------------------- */

/* Stores the part of the blob that came with the request. */
static int first_chunk(struct ktap_probe *p, struct ktap_request *r)
{
	struct nlattr *data = r->attrs[KTAP_A_BLOB_DATA];

	if (!data)
		return 0;
	return ktap_blob_put(p, 0, nla_data(data), nla_len(data), &r->refused);
}

/*
 * From here on others can find the probe. It cannot be attached before its blob is
 * complete.
 */
static int probe_new_locked(struct ktap_probe *p, struct ktap_request *r)
{
	int err = first_chunk(p, r);

	if (err) {
		ktap_probe_delete(p);
		return err;
	}
	if (!p->gone)
		ktap_announce(p, KTAP_CMD_PROBE_NEW);
	/* the caller made the reply large enough */
	return nla_put_u32(r->reply, KTAP_A_ID, p->id);
}

static int make_probe(struct ktap_request *r,
		      const struct ktap_probe_args *args)
{
	struct ktap_probe *p = ktap_probe_create(args, &r->refused);
	int err;

	if (IS_ERR(p))
		return PTR_ERR(p);
	mutex_lock(&ktap_lock);
	err = probe_new_locked(p, r);
	mutex_unlock(&ktap_lock);
	if (err) {
		ktap_idle_begin(p);
		ktap_idle_wait(p);
	}
	ktap_probe_put(p);
	return err;
}

/**
 * ktap_probe_new() - serve KTAP_CMD_PROBE_NEW
 * @r: request
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno, explained in @r.
 */
int ktap_probe_new(struct ktap_request *r)
{
	struct ktap_probe_args args = {};

	/* allocate the reply first: no step may fail after the probe exists */
	return get_args(r, &args) ?: check_args(r, &args) ?:
	       ktap_reply(r, NLMSG_GOODSIZE) ?: make_probe(r, &args);
}
