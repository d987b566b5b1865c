// SPDX-License-Identifier: GPL-2.0
/*
 * Control over generic netlink. This file turns attributes into structs (struct
 * ktap_probe_args), and refusals (struct ktap_refused) into extack; no other file sees
 * either. Requests that arm, disarm or remove probes mark them under ktap_lock and then
 * do the work without it, so that no request waits under ktap_lock.
 *
 * The capability is checked in doit(), through which every request comes, and at the
 * start of every dump: pre_doit is not called for dumps, and the GENL_*_PERM flags mean
 * CAP_NET_ADMIN. For genetlink the requests run in parallel (parallel_ops); ktap_lock
 * orders them.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "arch/unwind.h"
#include "backend/ftrace.h"
#include "backend/kprobe.h"
#include "backend/timer.h"
#include "compat.h"
#include "core/access.h"
#include "core/blob.h"
#include "core/budget.h"
#include "core/hit_cost.h"
#include "core/modules.h"
#include "core/netlink.h"
#include "core/netlink_request.h"
#include "core/probe.h"
#include "core/scope.h"
#include "hit/clock.h"
#include "hit/env.h"
#include "hit/ringmem.h"

#define PROBES_MAX (U16_MAX + 1 - KTAP_REC_FIRST_PROBE)

const struct nla_policy ktap_policy[KTAP_A_MAX + 1] = {
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
	[KTAP_A_SYSCALL] = { .type = NLA_U32 },
	[KTAP_A_PERIOD] = { .type = NLA_U64 },
	[KTAP_A_EACH_CPU] = { .type = NLA_FLAG },
};

/* ---- common ---------------------------------------------------------------- */

/**
 * ktap_put_u64() - add a 64-bit attribute to a message
 * @skb: message
 * @attr: KTAP_A_*
 * @value: value
 *
 * Context: any.
 * Return: 0 or -EMSGSIZE.
 */
int ktap_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, KTAP_A_PAD);
}

/**
 * ktap_tell_refused() - fill the extack from a refusal
 * @extack: extack of the request
 * @attrs: attributes of the request, or NULL
 * @refused: why the request is refused
 *
 * The only place where a refusal becomes extack.
 *
 * Context: process.
 */
void ktap_tell_refused(struct netlink_ext_ack *extack, struct nlattr **attrs,
		       const struct ktap_refused *refused)
{
	if (!extack)
		return;
	extack->_msg = refused->text;
	if (attrs && refused->attr)
		NL_SET_BAD_ATTR(extack, attrs[refused->attr]);
	if (refused->amount)
		nl_set_extack_cookie_u64(extack, refused->amount);
}

/**
 * ktap_lacks() - refuse a request that lacks an attribute
 * @r: request
 * @attr: KTAP_A_*
 * @text: string for extack if the attribute is missing
 *
 * Context: process.
 * Return: whether the attribute is missing.
 */
bool ktap_lacks(struct ktap_request *r, int attr, const char *text)
{
	if (r->attrs[attr])
		return false;
	ktap_refuse(&r->refused, -EINVAL, 0, text);
	return true;
}

/* Finds the probe that a request names, by id or by name. Under ktap_lock. */
static struct ktap_probe *find_probe(struct ktap_request *r)
{
	struct nlattr *id = r->attrs[KTAP_A_ID];
	struct nlattr *name = r->attrs[KTAP_A_NAME];
	struct ktap_probe *p;
	int err;

	if (id)
		p = ktap_probe_find(nla_get_u32(id));
	else if (name)
		p = ktap_probe_find_name(nla_data(name));
	else
		return ERR_PTR(ktap_refuse(&r->refused, -EINVAL, 0,
					   "the message names no probe"));
	if (p)
		return p;
	err = ktap_refuse(&r->refused, -ENOENT, id ? KTAP_A_ID : KTAP_A_NAME,
			  "no such probe");
	return ERR_PTR(err);
}

/**
 * ktap_reply() - begin the reply to a request
 * @r: request
 * @size: bytes that the reply may need
 *
 * doit() sends the reply if the request succeeds, and drops it otherwise.
 *
 * Context: process; may sleep.
 * Return: 0 or -ENOMEM.
 */
int ktap_reply(struct ktap_request *r, size_t size)
{
	r->reply = genlmsg_new(size, GFP_KERNEL);
	if (!r->reply)
		return -ENOMEM;
	r->head = genlmsg_put_reply(r->reply, r->info, &ktap_family, 0,
				    r->info->genlhdr->cmd);
	return r->head ? 0 : -ENOMEM;
}

/**
 * ktap_announce() - notify the multicast group
 * @p: probe
 * @cmd: KTAP_CMD_*: what happened to @p
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

static int put_epoch(struct sk_buff *skb)
{
	unsigned long epoch = ktap_modules_epoch();

	return epoch ? ktap_put_u64(skb, KTAP_A_SYMBOLS, epoch) : 0;
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
	u64 features = ktap_backend_features() | KTAP_FEATURE_KSTACK |
		       KTAP_FEATURE_STATE;

	if (env_has_ustack())
		features |= KTAP_FEATURE_USTACK;
	if (ktap_scope_works())
		features |= KTAP_FEATURE_SCOPE;
	if (ktap_ftrace_works())
		features |= KTAP_FEATURE_FTRACE;
	if (IS_ENABLED(CONFIG_PERF_EVENTS))
		features |= KTAP_FEATURE_COUNTER;
	/* see Kbuild */
	if (IS_BUILTIN(CONFIG_CRC32))
		features |= KTAP_FEATURE_TIE;
	if (nla_put_u32(skb, KTAP_A_ABI, KTAP_ABI) ||
	    nla_put_string(skb, KTAP_A_MODULE_VERSION, KTAP_MODULE_VERSION) ||
	    nla_put_u32(skb, KTAP_A_ARCH, KTAP_ARCH) ||
	    ktap_put_u64(skb, KTAP_A_FEATURES, features) ||
	    nla_put_u32(skb, KTAP_A_CLOCK, ktap_clock_kind()) ||
	    nla_put(skb, KTAP_A_LIMITS, sizeof(limits), &limits) ||
	    nla_put(skb, KTAP_A_OFFSETS, sizeof(offsets), &offsets) ||
	    put_epoch(skb))
		return -EMSGSIZE;
	return put_anchor(skb, addresses);
}

/* Looks for the kernel's tables first, which takes longer than all the rest. */
static int put_unwinder(struct sk_buff *skb)
{
	ktap_arch_unwind_prepare();
	return nla_put_u32(skb, KTAP_A_UNWINDER, ktap_arch_unwinder());
}

static int info_get(struct ktap_request *r)
{
	int err = ktap_reply(r, NLMSG_GOODSIZE) ?:
		  put_info(r->reply, ktap_addresses(r->skb));

	if (!err && r->attrs[KTAP_A_VERBOSE])
		err = put_unwinder(r->reply);
	return err;
}

/* ---- PROBE_DEL, PROBE_SET, PROBE_GET ------------------------------------- */

static int on_probe(struct ktap_request *r,
		    int (*action)(struct ktap_probe *p, struct ktap_request *r))
{
	struct ktap_probe *p;
	int err;

	mutex_lock(&ktap_lock);
	p = find_probe(r);
	err = IS_ERR(p) ? PTR_ERR(p) : action(p, r);
	mutex_unlock(&ktap_lock);
	return err;
}

static int find_all(struct ktap_request *r, struct ktap_probe **list, int nr)
{
	const u32 *ids = nla_data(r->attrs[KTAP_A_IDS]);
	int i;

	for (i = 0; i < nr; i++) {
		list[i] = ktap_probe_find(ids[i]);
		if (!list[i])
			return ktap_refuse(&r->refused, -ENOENT, KTAP_A_IDS,
					   "one of the listed probes does not exist");
	}
	return 0;
}

/* A probe that the list has twice would be deleted twice. */
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

static int find_listed(struct ktap_request *r, struct ktap_probe **list, int nr)
{
	int err;

	err = find_all(r, list, nr);
	if (err || each_once(list, nr))
		return err;
	return ktap_refuse(&r->refused, -EINVAL, KTAP_A_IDS,
			   "a probe is named twice");
}

static int find_named(struct ktap_request *r, struct ktap_probe **list)
{
	list[0] = find_probe(r);
	return PTR_ERR_OR_ZERO(list[0]);
}

/* struct list_action - action on probes: @first under ktap_lock, then @then without it */
struct list_action {
	int (*first)(struct ktap_probe **list, int nr, struct ktap_request *r);
	int (*then)(struct ktap_probe **list, int nr, struct ktap_request *r);
};

/* Return: 0, with a reference on each probe, or a negative errno. */
static int act_first(struct ktap_request *r, const struct list_action *action,
		     struct ktap_probe **list, int nr)
{
	int i, err;

	err = r->attrs[KTAP_A_IDS] ? find_listed(r, list, nr) :
				     find_named(r, list);
	if (!err)
		err = action->first(list, nr, r);
	for (i = 0; !err && i < nr; i++)
		ktap_probe_get(list[i]);
	return err;
}

static int act(struct ktap_request *r, const struct list_action *action,
	       struct ktap_probe **list, int nr)
{
	int i, err;

	mutex_lock(&ktap_lock);
	err = act_first(r, action, list, nr);
	mutex_unlock(&ktap_lock);
	if (err)
		return err;
	err = action->then(list, nr, r);
	for (i = 0; i < nr; i++)
		ktap_probe_put(list[i]);
	return err;
}

static int on_list(struct ktap_request *r, const struct list_action *action)
{
	int len = nla_len(r->attrs[KTAP_A_IDS]), nr = len / sizeof(u32), err;
	struct ktap_probe **list;

	if (len % sizeof(u32))
		return ktap_refuse(&r->refused, -EINVAL, KTAP_A_IDS,
				   "the list is not a whole number of probes");
	list = kmalloc_array(nr, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	err = act(r, action, list, nr);
	kfree(list);
	return err;
}

/* Acts on the probe that a request names, or on the probes that it lists. */
static int on_probes(struct ktap_request *r, const struct list_action *action)
{
	struct ktap_probe *p;

	return r->attrs[KTAP_A_IDS] ? on_list(r, action) :
				      act(r, action, &p, 1);
}

static int del_first(struct ktap_probe **list, int nr, struct ktap_request *r)
{
	int i;

	for (i = 0; i < nr; i++) {
		ktap_announce(list[i], KTAP_CMD_PROBE_DEL);
		ktap_probe_delete(list[i]);
	}
	return 0;
}

static int del_then(struct ktap_probe **list, int nr, struct ktap_request *r)
{
	int i;

	for (i = 0; i < nr; i++)
		ktap_idle_begin(list[i]);
	for (i = 0; i < nr; i++)
		ktap_idle_wait(list[i]);
	return 0;
}

static int probe_del(struct ktap_request *r)
{
	static const struct list_action del = {
		.first = del_first,
		.then = del_then,
	};

	return on_probes(r, &del);
}

static int check_set(struct ktap_probe **list, int nr, bool on,
		     struct ktap_refused *refused)
{
	int i, slow = 0;

	for (i = 0; i < nr; i++) {
		if (!ktap_probe_complete(list[i]))
			return ktap_refuse(refused, -ENODATA, 0,
					   "the probe's metadata is not complete yet");
		slow += on != !!list[i]->counting &&
			ktap_probe_is_slow(list[i]);
	}
	if (slow > KTAP_ARM_MAX)
		return ktap_refuse(refused, -E2BIG, 0,
				   "more probes than one request may arm or disarm without ftrace");
	return 0;
}

static int refuse_cost(int err, struct ktap_refused *refused)
{
	u64 cost;

	mutex_lock(&ktap_lock);
	cost = ktap_place_cost_refused();
	mutex_unlock(&ktap_lock);
	return ktap_refuse_amount(refused, err, 0, cost,
				  "together with the other probes at its place, a hit would take longer than hit_cost_max");
}

static int refuse_set(int err, struct ktap_refused *refused)
{
	switch (err) {
	case -EPERM:
		return ktap_refuse(refused, err, 0,
				   "kernel lockdown forbids kprobes");
	case -EDQUOT:
		return refuse_cost(err, refused);
	case -ENXIO:
		return ktap_refuse(refused, err, 0, ktap_ftrace_is_off);
	case -EUSERS:
		return ktap_refuse(refused, err, 0, KTAP_TOO_MANY_TICKS);
	case -ESTALE:
		return ktap_refuse(refused, err, 0,
				   "the file was changed, or its time was set, after the probe was defined");
	default:
		return ktap_refuse(refused, err, 0,
				   "the kernel refuses to arm the probe");
	}
}

static int set_first(struct ktap_probe **list, int nr, struct ktap_request *r)
{
	if (ktap_lacks(r, KTAP_A_ENABLED, "the message lacks the state to set"))
		return -EINVAL;
	return check_set(list, nr, nla_get_u8(r->attrs[KTAP_A_ENABLED]),
			 &r->refused);
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

static int set_then(struct ktap_probe **list, int nr, struct ktap_request *r)
{
	int err;

	err = ktap_probes_enable(list, nr,
				 nla_get_u8(r->attrs[KTAP_A_ENABLED]));
	if (err)
		return refuse_set(err, &r->refused);
	announce_set(list, nr);
	return 0;
}

static int probe_set(struct ktap_request *r)
{
	static const struct list_action set = {
		.first = set_first,
		.then = set_then,
	};

	return on_probes(r, &set);
}

static int put_details(struct sk_buff *skb, const struct ktap_probe *p)
{
	struct ktap_probe_details d = {};

	if (p->backend->describe)
		p->backend->describe(p, &d);
	if ((d.in_file && !p->symbol &&
	     ktap_put_u64(skb, KTAP_A_OFFSET, p->offset)) ||
	    (d.ref_offset &&
	     ktap_put_u64(skb, KTAP_A_REF_OFFSET, d.ref_offset)) ||
	    (d.path && nla_put_string(skb, KTAP_A_PATH, d.path)) ||
	    (d.file_state && nla_put_u32(skb, KTAP_A_FILE_STATE, d.file_state)) ||
	    (d.maxactive && nla_put_u32(skb, KTAP_A_MAXACTIVE, d.maxactive)) ||
	    (d.frame_hook &&
	     nla_put_string(skb, KTAP_A_FRAME_HOOK, d.frame_hook)) ||
	    (d.length && nla_put_u32(skb, KTAP_A_LENGTH, d.length)) ||
	    (d.access && nla_put_u32(skb, KTAP_A_ACCESS, d.access)) ||
	    (d.period && ktap_put_u64(skb, KTAP_A_PERIOD, d.period)) ||
	    (d.each_cpu && nla_put_flag(skb, KTAP_A_EACH_CPU)))
		return -EMSGSIZE;
	return 0;
}

/**
 * ktap_put_probe() - describe a probe
 * @skb: message
 * @p: probe
 * @addresses: whether the message may contain the address of @p
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
	return put_details(skb, p);
}

static int get_action(struct ktap_probe *p, struct ktap_request *r)
{
	return ktap_reply(r, KTAP_PROBE_MESSAGE) ?:
	       ktap_put_probe(r->reply, p, ktap_addresses(r->skb));
}

static int probe_get(struct ktap_request *r)
{
	return on_probe(r, get_action);
}

/* ---- BLOB ------------------------------------------------------------------ */

static int blob_put_action(struct ktap_probe *p, struct ktap_request *r)
{
	struct nlattr *data = r->attrs[KTAP_A_BLOB_DATA];

	if (ktap_lacks(r, KTAP_A_BLOB_OFFSET, "the message lacks the chunk's offset") ||
	    ktap_lacks(r, KTAP_A_BLOB_DATA, "the message lacks the chunk"))
		return -EINVAL;
	return ktap_blob_put(p, nla_get_u32(r->attrs[KTAP_A_BLOB_OFFSET]),
			     nla_data(data), nla_len(data), &r->refused);
}

static int blob_put(struct ktap_request *r)
{
	return on_probe(r, blob_put_action);
}

static int put_chunk(struct sk_buff *skb, const struct ktap_probe *p,
		     u32 offset, u32 len)
{
	if (nla_put_u32(skb, KTAP_A_ID, p->id) ||
	    nla_put_u32(skb, KTAP_A_BLOB_OFFSET, offset) ||
	    (len && nla_put(skb, KTAP_A_BLOB_DATA, len, p->blob + offset)))
		return -EMSGSIZE;
	return 0;
}

static int blob_get_action(struct ktap_probe *p, struct ktap_request *r)
{
	u32 offset, len = 0;

	if (ktap_lacks(r, KTAP_A_BLOB_OFFSET, "the message lacks the chunk's offset"))
		return -EINVAL;
	offset = nla_get_u32(r->attrs[KTAP_A_BLOB_OFFSET]);
	if (offset < p->blob_have)
		len = min_t(u32, p->blob_have - offset, KTAP_BLOB_CHUNK);
	return ktap_reply(r, nla_total_size(len) + NLMSG_GOODSIZE) ?:
	       put_chunk(r->reply, p, offset, len);
}

static int blob_get(struct ktap_request *r)
{
	return on_probe(r, blob_get_action);
}

/* ---- the family ------------------------------------------------------------- */

static int (* const serve[])(struct ktap_request *r) = {
	[KTAP_CMD_INFO_GET] = info_get,
	[KTAP_CMD_PROBE_NEW] = ktap_probe_new,
	[KTAP_CMD_PROBE_DEL] = probe_del,
	[KTAP_CMD_PROBE_SET] = probe_set,
	[KTAP_CMD_PROBE_GET] = probe_get,
	[KTAP_CMD_BLOB_PUT] = blob_put,
	[KTAP_CMD_BLOB_GET] = blob_get,
};

/*
 * Serves every request: checks the capability, runs the command, and sends the reply or
 * the refusal. The reply is sent without ktap_lock.
 */
static int doit(struct sk_buff *skb, struct genl_info *info)
{
	struct ktap_request r = {
		.skb = skb, .info = info, .attrs = info->attrs,
	};
	int err;

	err = ktap_netlink_allowed(skb, &r.refused) ?:
	      serve[info->genlhdr->cmd](&r);
	if (err) {
		nlmsg_free(r.reply);
		ktap_tell_refused(info->extack, info->attrs, &r.refused);
		return err;
	}
	if (!r.reply)
		return 0;
	genlmsg_end(r.reply, r.head);
	return genlmsg_reply(r.reply, info);
}

#define DOIT(_cmd) \
	{ .cmd = KTAP_CMD_##_cmd, .doit = doit }
#define DUMP(_cmd, _doit, _dumpit)					\
	{ .cmd = KTAP_CMD_##_cmd, .doit = (_doit),			\
	  .start = ktap_dump_start, .dumpit = (_dumpit) }

static const struct genl_ops ops[] = {
	DOIT(INFO_GET),
	DOIT(PROBE_NEW),
	DOIT(PROBE_DEL),
	DOIT(PROBE_SET),
	DUMP(PROBE_GET, doit, ktap_dump_probes),
	DOIT(BLOB_PUT),
	DOIT(BLOB_GET),
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
	.policy = ktap_policy,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
	.parallel_ops = true,
	.netnsok = false,
	.module = THIS_MODULE,
};

/* A netlink socket was closed: deletes the probes that belong to it. */
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

/**
 * ktap_netlink_init() - register the family and its notifier
 *
 * Context: module init, without locks.
 * Return: 0 or a negative errno.
 */
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

/**
 * ktap_netlink_exit() - unregister the family and its notifier
 *
 * Context: module exit, without locks.
 */
void ktap_netlink_exit(void)
{
	genl_unregister_family(&ktap_family);
	netlink_unregister_notifier(&release_notifier);
}
