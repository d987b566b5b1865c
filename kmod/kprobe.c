// SPDX-License-Identifier: GPL-2.0
/*
 * The backend of probes on instructions: kprobes, and at function entries the
 * ftrace hook. A kprobe is registered disabled, which checks the place; arming
 * is a matter of enable_kprobe().
 */
#include <linux/kprobes.h>
#include <linux/slab.h>

#include "compat.h"
#include "ftrace.h"
#include "hit.h"
#include "kprobe.h"
#include "place.h"

static const struct ktap_backend ftrace_backend;

static struct ktap_kprobe *mine(struct ktap_probe *p)
{
	return container_of(p, struct ktap_kprobe, p);
}

static const struct ktap_kprobe *mine_const(const struct ktap_probe *p)
{
	return container_of(p, struct ktap_kprobe, p);
}

static int handler(struct kprobe *kp, struct pt_regs *regs)
{
	const struct ktap_kprobe *k = container_of(kp, struct ktap_kprobe, kp);

	ktap_hit(&k->p.site, regs);
	return 0;
}
NOKPROBE_SYMBOL(handler);

static const char forbidden[] =
	"the kernel forbids a kprobe here: blacklisted, patched at run time, or not code";

static const char *explanation(int err)
{
	switch (err) {
	case -EILSEQ:
		return "not on an instruction boundary";
	case -ENOENT:
		return "no such symbol in this kernel, or its memory has been freed";
	case -EINVAL:
		return forbidden;
	case -EADDRNOTAVAIL:
		return "the kernel's symbols are not available";
	default:
		return "the kernel refuses the kprobe";
	}
}

/**
 * ktap_kprobe_explain() - what register_kprobe() means by its errors
 * @err: what it returned (kernel/kprobes.c)
 * @args: request; NULL: there is nobody to explain it to
 * @extack: where it is explained
 *
 * Context: process.
 * Return: @err.
 */
int ktap_kprobe_explain(int err, const struct ktap_probe_args *args,
			struct netlink_ext_ack *extack)
{
	if (!err || !args)
		return err;
	ktap_extack(extack, explanation(err));
	NL_SET_BAD_ATTR(extack, args->attrs[args->addr ? KTAP_A_ADDR :
							 KTAP_A_SYMBOL]);
	return err;
}

/**
 * ktap_kprobe_check() - the place of a probe on kernel code
 * @args: request; the place is filled in
 * @extack: where a refusal is explained
 *
 * Context: process.
 * Return: 0 or -EINVAL.
 */
int ktap_kprobe_check(struct ktap_probe_args *args,
		      struct netlink_ext_ack *extack)
{
	struct nlattr **a = args->attrs;

	if (!a[KTAP_A_ADDR] && !a[KTAP_A_SYMBOL]) {
		NL_SET_ERR_MSG(extack, "the message lacks an address or a symbol");
		return -EINVAL;
	}
	if (a[KTAP_A_OFFSET] && !a[KTAP_A_SYMBOL]) {
		NL_SET_ERR_MSG_ATTR(extack, a[KTAP_A_OFFSET],
				    "an offset needs a symbol");
		return -EINVAL;
	}
	if (a[KTAP_A_ADDR] && !args->addr) {
		NL_SET_ERR_MSG_ATTR(extack, a[KTAP_A_ADDR],
				    "address 0 is no place for a probe");
		return -EINVAL;
	}
	if (args->offset > S32_MAX) {
		NL_SET_ERR_MSG_ATTR(extack, a[KTAP_A_OFFSET],
				    "the offset is larger than any function");
		return -EINVAL;
	}
	return 0;
}

/**
 * ktap_kprobe_allowed() - may a kprobe be at an address?
 * @addr: address; 0: it is not known
 * @args: request that gave it, or NULL
 * @extack: where a refusal is explained, or NULL
 *
 * Of a place without an address nobody but the kernel knows where it is: asked
 * again once a kprobe is there, what is refused has to go.
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: 0 or -EINVAL.
 */
int ktap_kprobe_allowed(unsigned long addr,
			const struct ktap_probe_args *args,
			struct netlink_ext_ack *extack)
{
	const char *why = addr ? ktap_place_forbidden(addr) : NULL;

	if (!why)
		return 0;
	ktap_extack(extack, why);
	if (args)
		NL_SET_BAD_ATTR(extack, args->attrs[KTAP_A_ADDR]);
	return -EINVAL;
}

/* ktap_kprobe_place() - fill in where @p is. Context: process. */
void ktap_kprobe_place(struct kprobe *kp, const struct ktap_probe *p)
{
	if (p->addr) {
		kp->addr = (kprobe_opcode_t *)(unsigned long)p->addr;
	} else {
		kp->symbol_name = p->symbol;
		kp->offset = p->offset;
	}
}

/* ---- which hook ------------------------------------------------------------ */

static int add(struct ktap_probe *p, const struct ktap_probe_args *args,
	       struct netlink_ext_ack *extack)
{
	const struct nlattr *hook = args->attrs[KTAP_A_HOOK];
	struct ktap_kprobe *k = mine(p);

	INIT_LIST_HEAD(&k->in_armed);
	k->want_kprobe = hook && !nla_strcmp(hook, "kprobe");
	k->want_ftrace = hook && !nla_strcmp(hook, "ftrace");
	if (k->want_ftrace)
		p->backend = &ftrace_backend; /* shown while it waits */
	return 0;
}

static int register_disabled(struct ktap_kprobe *k)
{
	k->kp = (struct kprobe){
		.pre_handler = handler,
		.flags = KPROBE_FLAG_DISABLED,
	};
	ktap_kprobe_place(&k->kp, &k->p);
	return register_kprobe(&k->kp);
}

static bool may_be_site(const struct ktap_kprobe *k)
{
	return !k->want_kprobe && !k->p.offset &&
	       ktap_ftrace_serves(&k->p.prog->info);
}

/* The ftrace hook's name for the place, or 0. */
static unsigned long find_site(const struct ktap_kprobe *k, unsigned long addr)
{
	return may_be_site(k) ? ktap_ftrace_find_site(addr) : 0;
}

static int no_site(const struct ktap_kprobe *k,
		   const struct ktap_probe_args *args,
		   struct netlink_ext_ack *extack)
{
	if (!ktap_ftrace_works())
		NL_SET_ERR_MSG(extack, "this kernel has no ftrace, or it is turned off");
	else if (!ktap_ftrace_serves(&k->p.prog->info))
		NL_SET_ERR_MSG(extack, "the program reads registers that an ftrace hook does not know");
	else
		NL_SET_ERR_MSG(extack, "not the entry of a function that ftrace can trace");
	if (args)
		NL_SET_BAD_ATTR(extack, args->attrs[KTAP_A_HOOK]);
	return -EOPNOTSUPP;
}

static void serve_by_ftrace(struct ktap_kprobe *k, unsigned long site)
{
	k->site = site;
	k->p.where = site;
	k->p.backend = &ftrace_backend;
}

static void serve_by_kprobe(struct ktap_kprobe *k)
{
	k->p.where = (unsigned long)k->kp.addr;
	k->p.backend = &ktap_kprobe_backend;
}

/* Where only the symbol is given, a kprobe is the way to look it up. */
static int load_by_symbol(struct ktap_kprobe *k,
			  const struct ktap_probe_args *args,
			  struct netlink_ext_ack *extack)
{
	unsigned long site;
	int err;

	if (k->want_ftrace && !may_be_site(k))
		return no_site(k, args, extack);
	err = ktap_kprobe_explain(register_disabled(k), args, extack);
	if (err)
		return err;
	err = ktap_kprobe_allowed((unsigned long)k->kp.addr, NULL, extack);
	if (err) {
		unregister_kprobe(&k->kp);
		return err;
	}
	site = find_site(k, (unsigned long)k->kp.addr);
	if (!site && !k->want_ftrace) {
		serve_by_kprobe(k);
		return 0;
	}
	unregister_kprobe(&k->kp);
	if (!site)
		return no_site(k, args, extack);
	serve_by_ftrace(k, site);
	return 0;
}

static int load(struct ktap_probe *p, const struct ktap_probe_args *args,
		struct netlink_ext_ack *extack)
{
	struct ktap_kprobe *k = mine(p);
	unsigned long site;
	int err;

	if (!p->addr)
		return load_by_symbol(k, args, extack);
	err = ktap_kprobe_allowed(p->addr, args, extack);
	if (err)
		return err;
	site = find_site(k, p->addr);
	if (site) {
		serve_by_ftrace(k, site);
		return 0;
	}
	if (k->want_ftrace)
		return no_site(k, args, extack);
	err = ktap_kprobe_explain(register_disabled(k), args, extack);
	if (!err)
		serve_by_kprobe(k);
	return err;
}

/* ---- kprobes --------------------------------------------------------------- */

static void kprobe_unload(struct ktap_probe **probes, int nr)
{
	struct kprobe **kps;
	int i;

	kps = kvmalloc_array(nr, sizeof(*kps), GFP_KERNEL);
	for (i = 0; i < nr; i++) {
		if (kps)
			kps[i] = &mine(probes[i])->kp;
		else
			unregister_kprobe(&mine(probes[i])->kp);
	}
	if (kps)
		unregister_kprobes(kps, nr);
	kvfree(kps);
	for (i = 0; i < nr; i++) {
		mine(probes[i])->missed_before += mine(probes[i])->kp.nmissed;
		mine(probes[i])->kp.nmissed = 0;
	}
}

static int kprobe_arm(struct ktap_probe *p)
{
	return enable_kprobe(&mine(p)->kp);
}

static void kprobe_disarm(struct ktap_probe *p)
{
	disable_kprobe(&mine(p)->kp);
}

/* Whichever hook: it may have been the other one before. */
static u64 missed(const struct ktap_probe *p)
{
	const struct ktap_kprobe *k = mine_const(p);

	return k->missed_before + READ_ONCE(k->kp.nmissed) +
	       atomic64_read(&k->missed);
}

const struct ktap_backend ktap_kprobe_backend = {
	.name = "kprobe",
	.feature = KTAP_FEATURE_KPROBE,
	.probe_size = sizeof(struct ktap_kprobe),
	.check = ktap_kprobe_check,
	.add = add,
	.load = load,
	.unload = kprobe_unload,
	.arm = kprobe_arm,
	.disarm = kprobe_disarm,
	.missed = missed,
};

/* ---- the ftrace hook ------------------------------------------------------- */

static void ftrace_unload(struct ktap_probe **probes, int nr)
{
	ktap_ftrace_disarm(probes, nr);
	ktap_ftrace_wait();
}

/* Probes get it from load(), when a kprobe has been set up already. */
static const struct ktap_backend ftrace_backend = {
	.name = "ftrace",
	.load = load,
	.unload = ftrace_unload,
	.arm_many = ktap_ftrace_arm,
	.disarm_many = ktap_ftrace_disarm,
	.missed = missed,
};
