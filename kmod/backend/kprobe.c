// SPDX-License-Identifier: GPL-2.0
/*
 * The backend of probes on kernel instructions: kprobes, and the ftrace hook at function
 * entries. A kprobe is registered disabled, which checks the place; arming enables it. All
 * probes at an address share it (shared_kprobe.c).
 *
 * A probe that uses values from the entry of its function has a companion there: a second
 * struct ktap_kprobe, not in the registry, that is loaded and armed with it.
 */
#include <linux/kprobes.h>
#include <linux/slab.h>

#include "backend/ftrace.h"
#include "backend/kprobe.h"
#include "backend/place.h"
#include "backend/shared_kprobe.h"
#include "core/refused.h"
#include "frame/calls.h"

static const struct ktap_backend ftrace_backend;

static struct ktap_kprobe *mine(struct ktap_probe *p)
{
	return container_of(p, struct ktap_kprobe, p);
}

static const struct ktap_kprobe *mine_const(const struct ktap_probe *p)
{
	return container_of(p, struct ktap_kprobe, p);
}

const char ktap_ftrace_is_off[] =
	"ftrace is disabled, and no probe fires here without it: sysctl kernel.ftrace_enabled";

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
	case -ENXIO:
		return ktap_ftrace_is_off;
	default:
		return "the kernel refuses the kprobe";
	}
}

/**
 * ktap_kprobe_explain() - explain an error of register_kprobe()
 * @err: its error (kernel/kprobes.c); -ENXIO comes from ktap: ftrace is disabled
 * @args: request; NULL: no explanation is needed
 * @refused: filled
 *
 * Context: process.
 * Return: @err.
 */
int ktap_kprobe_explain(int err, const struct ktap_probe_args *args,
			struct ktap_refused *refused)
{
	if (!err || !args)
		return err;
	return ktap_refuse(refused, err,
			   args->addr ? KTAP_A_ADDR : KTAP_A_SYMBOL,
			   explanation(err));
}

/* Checks the place of a probe, or of its function's entry. */
static int check_place(const struct ktap_probe_args *args, int addr_attr,
		       u64 addr, int offset_attr, u64 offset,
		       struct ktap_refused *refused)
{
	if (ktap_args_has(args, offset_attr) && !args->symbol)
		return ktap_refuse(refused, -EINVAL, offset_attr,
				   "an offset needs a symbol");
	if (ktap_args_has(args, addr_attr) && !addr)
		return ktap_refuse(refused, -EINVAL, addr_attr,
				   "address 0 cannot be probed");
	if (offset > S32_MAX)
		return ktap_refuse(refused, -EINVAL, offset_attr,
				   "the offset is larger than any function");
	return 0;
}

/**
 * ktap_kprobe_check() - check the place of a probe on kernel code
 * @args: request
 * @refused: filled when the request is refused
 *
 * Context: process.
 * Return: 0 or -EINVAL.
 */
int ktap_kprobe_check(const struct ktap_probe_args *args,
		      struct ktap_refused *refused)
{
	return check_place(args, KTAP_A_ADDR, args->addr, KTAP_A_OFFSET,
			   args->offset, refused);
}

/**
 * ktap_kprobe_allowed() - may a kprobe be at an address?
 * @addr: address; 0: not known until a kprobe is registered, ask again then
 * @attr: KTAP_A_* that gave it, or 0
 * @refused: filled when it is not allowed, or NULL
 *
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 * Return: 0 or -EINVAL.
 */
int ktap_kprobe_allowed(unsigned long addr, int attr,
			struct ktap_refused *refused)
{
	const char *why = addr ? ktap_place_forbidden(addr) : NULL;

	return why ? ktap_refuse(refused, -EINVAL, attr, why) : 0;
}

/**
 * ktap_kprobe_place() - set the address or the symbol of a kprobe
 * @kp: kprobe
 * @p: probe
 *
 * Context: process.
 */
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

/* The address of its kprobe. */
static unsigned long addr_of(const struct ktap_kprobe *k)
{
	return (unsigned long)k->shared->kp.addr;
}

static int register_disabled(struct ktap_kprobe *k)
{
	return ktap_shared_kprobe_join(k, k->p.addr);
}

static void unregister(struct ktap_kprobe *k)
{
	struct ktap_probe *p = &k->p;

	ktap_shared_kprobe_leave(&p, 1);
}

static int register_again(struct kprobe *kp, unsigned long addr)
{
	*kp = (struct kprobe){
		.pre_handler = kp->pre_handler,
		.flags = KPROBE_FLAG_DISABLED,
		.addr = (kprobe_opcode_t *)addr,
	};
	return register_kprobe(kp);
}

/**
 * ktap_kprobe_move_behind() - move a kprobe past the ftrace instruction
 * @kp: registered and disabled; kprobe_ftrace() is true
 * @regs: registers that the probe reads, as bits of enum ktap_reg_*
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps.
 * Return: 0, or -ENXIO if there is no equivalent place; then @kp is unchanged.
 */
int ktap_kprobe_move_behind(struct kprobe *kp, u64 regs)
{
	unsigned long site = (unsigned long)kp->addr;
	unsigned long behind = ktap_ftrace_behind(site, regs);

	if (!behind)
		return -ENXIO;
	unregister_kprobe(kp);
	if (!register_again(kp, behind))
		return 0;
	register_again(kp, site);
	return -ENXIO;
}

static int move_behind(struct ktap_kprobe *k)
{
	unsigned long behind = ktap_ftrace_behind(addr_of(k), k->regs);

	return behind && !ktap_shared_kprobe_move(k, behind) ? 0 : -ENXIO;
}

/*
 * On x86 ftrace serves kprobes at its sites. While ftrace is disabled, the kernel accepts
 * such a kprobe but it never fires.
 */
static int stay_live(struct ktap_kprobe *k, const struct ktap_probe_args *args,
		     struct ktap_refused *refused)
{
	int err = 0;

	if (kprobe_ftrace(&k->shared->kp) && !ktap_ftrace_is_on())
		err = ktap_kprobe_explain(move_behind(k), args, refused);
	if (err)
		unregister(k);
	return err;
}

static bool may_be_site(const struct ktap_kprobe *k)
{
	return !k->want_kprobe && !k->entry && !k->p.offset &&
	       ktap_ftrace_serves(k->regs);
}

/* The ip of the ftrace hook for the place, or 0. */
static unsigned long find_site(const struct ktap_kprobe *k, unsigned long addr)
{
	unsigned long site = may_be_site(k) ? ktap_ftrace_find_site(addr) : 0;

	return site && ktap_ftrace_is_on() ? site : 0;
}

/**
 * ktap_kprobe_no_site() - refuse a probe that the ftrace hook cannot serve
 * @regs: registers that it reads, as bits of enum ktap_reg_*
 * @refused: filled
 *
 * Context: process, under ktap_kernel_arming.lock; sleeps.
 * Return: -EOPNOTSUPP.
 */
int ktap_kprobe_no_site(u64 regs, struct ktap_refused *refused)
{
	if (!ktap_ftrace_works())
		return ktap_refuse(refused, -EOPNOTSUPP, KTAP_A_HOOK,
				   "this kernel has no ftrace");
	if (!ktap_ftrace_is_on())
		return ktap_refuse(refused, -EOPNOTSUPP, KTAP_A_HOOK,
				   ktap_ftrace_is_off);
	if (!ktap_ftrace_serves(regs))
		return ktap_refuse(refused, -EOPNOTSUPP, KTAP_A_HOOK,
				   "the program reads registers that an ftrace hook does not have");
	return ktap_refuse(refused, -EOPNOTSUPP, KTAP_A_HOOK,
			   "not the entry of a function that ftrace can trace");
}

/* Bytes, at most, of a hook's place at an entry after the function's address. */
#define ENTRY_LEAD 8

/* More by the call of ftrace, where ftrace is off. */
#define MOVED_MAX (ENTRY_LEAD + 8)

/*
 * Where a stack of a hit begins. The kernel moves a probe that has a name and no address
 * after the instruction that an indirect branch has to meet, or to the call of ftrace. Only
 * "%pS" tells modules how far.
 */
static unsigned long first_frame(const struct ktap_kprobe *k, unsigned long at)
{
	unsigned long moved, size;
	char *text, *plus;
	bool known;

	if (k->p.addr)
		return k->p.addr;
	if (!k->p.symbol || k->p.offset)
		return at;
	text = kasprintf(GFP_KERNEL, "%pS", (void *)at);
	plus = text ? strrchr(text, '+') : NULL;
	known = plus && sscanf(plus + 1, "%lx/%lx", &moved, &size) == 2;
	kfree(text);
	return known && moved <= MOVED_MAX ? at - moved : at;
}

static void serve_by_ftrace(struct ktap_kprobe *k, unsigned long site)
{
	k->site = site;
	k->p.where = site;
	k->p.site.spot = (struct ktap_spot){
		.ip = first_frame(k, site), .nr = ktap_place_number(), .is_entry = true,
	};
	k->p.site.traps = false;
	k->p.backend = &ftrace_backend;
}

static void serve_by_kprobe(struct ktap_kprobe *k)
{
	k->p.where = addr_of(k);
	k->at_ftrace = kprobe_ftrace(&k->shared->kp);
	k->p.site.spot = (struct ktap_spot){
		.ip = first_frame(k, k->p.where),
		.insn = ktap_arch_insn(&k->shared->kp),
		.nr = ktap_place_number(),
		/* with an address, a symbol is only for display */
		.is_entry = k->p.symbol && !k->p.addr && !k->p.offset,
	};
	k->p.site.traps = true;
	k->p.backend = &ktap_kprobe_backend;
}

/* If the request has only a symbol, registering a kprobe is the way to look it up. */
static int load_by_symbol(struct ktap_kprobe *k,
			  const struct ktap_probe_args *args,
			  struct ktap_refused *refused)
{
	unsigned long site;
	int err;

	if (k->want_ftrace && !may_be_site(k))
		return ktap_kprobe_no_site(k->regs, refused);
	err = ktap_kprobe_explain(register_disabled(k), args, refused);
	if (err)
		return err;
	err = ktap_kprobe_allowed(addr_of(k), 0, refused);
	if (err) {
		unregister(k);
		return err;
	}
	site = find_site(k, addr_of(k));
	if (!site && !k->want_ftrace) {
		err = stay_live(k, args, refused);
		if (!err)
			serve_by_kprobe(k);
		return err;
	}
	unregister(k);
	if (!site)
		return ktap_kprobe_no_site(k->regs, refused);
	serve_by_ftrace(k, site);
	return 0;
}

/*
 * Does not call register_kprobe() for an address that the ftrace hook serves. Its further
 * checks do not matter to the hook: its blacklist is for code that a breakpoint breaks,
 * code patched at run time is never the ftrace instruction, and ftrace knows no module
 * function that is not loaded. A call would also permanently turn another user's kprobe
 * there into an aggregate, which costs that 32 instructions a hit. Without an address the
 * call is needed to look up the symbol.
 */
static int load_place(struct ktap_kprobe *k, const struct ktap_probe_args *args,
		      struct ktap_refused *refused)
{
	struct ktap_probe *p = &k->p;
	unsigned long site;
	int err;

	if (!p->addr)
		return load_by_symbol(k, args, refused);
	err = ktap_kprobe_allowed(p->addr, KTAP_A_ADDR, refused);
	if (err)
		return err;
	site = find_site(k, p->addr);
	if (site) {
		serve_by_ftrace(k, site);
		return 0;
	}
	if (k->want_ftrace)
		return ktap_kprobe_no_site(k->regs, refused);
	err = ktap_kprobe_explain(register_disabled(k), args, refused);
	if (!err)
		err = stay_live(k, args, refused);
	if (!err)
		serve_by_kprobe(k);
	return err;
}

/* ---- firing ---------------------------------------------------------------- */

/* ftrace may have been disabled since the probe was loaded. */
static int hold_ftrace(struct ktap_kprobe *k)
{
	int err;

	if (!kprobe_ftrace(&k->shared->kp))
		return 0;
	err = ktap_ftrace_hold();
	k->held = !err;
	if (err != -ENXIO)
		return err;
	err = move_behind(k);
	if (!err)
		serve_by_kprobe(k);
	return err;
}

static void release_ftrace(struct ktap_kprobe *k)
{
	if (k->held)
		ktap_ftrace_release();
	k->held = false;
}

static int enable(struct ktap_kprobe *k)
{
	int err = hold_ftrace(k) ?: ktap_shared_kprobe_arm(k);

	if (err)
		release_ftrace(k);
	return err;
}

static void disable(struct ktap_kprobe *k)
{
	ktap_shared_kprobe_disarm(k);
	release_ftrace(k);
}

static void unload_places(struct ktap_probe **probes, int nr)
{
	int i;

	ktap_shared_kprobe_leave(probes, nr);
	for (i = 0; i < nr; i++)
		release_ftrace(mine(probes[i]));
}

static void ftrace_unload(struct ktap_probe **probes, int nr)
{
	ktap_ftrace_disarm(probes, nr);
	ktap_ftrace_wait();
}

/* ---- the companion --------------------------------------------------------- */

/* Context: preemption disabled, because the kprobe may be freed. */
static __always_inline u64 missed_by(const struct ktap_kprobe *k)
{
	/* S: missed_at is not older */
	const struct ktap_shared_kprobe *s = smp_load_acquire(&k->shared);
	u64 missed = READ_ONCE(k->missed_before) + atomic64_read(&k->missed);

	return s ? missed + READ_ONCE(s->kp.nmissed) - k->missed_at : missed;
}

static u64 entry_missed(const void *entry)
{
	return missed_by(entry);
}
NOKPROBE_SYMBOL(entry_missed);

static void free_entry(struct ktap_kprobe *k)
{
	ktap_calls_destroy(k->p.site.calls);
	kfree(k->entry);
	k->p.site.calls = NULL;
	k->entry = NULL;
}

/* A symbol without the entry's offset refers to the probe itself. */
static void place_entry(struct ktap_kprobe *k,
			const struct ktap_probe_args *args)
{
	struct ktap_probe *entry = &k->entry->p;

	entry->addr = args->frame_addr;
	entry->offset = args->frame_offset;
	if (ktap_args_has(args, KTAP_A_FRAME_OFFSET))
		entry->symbol = k->p.symbol;
}

static u64 regs_of(const struct ktap_calls *c)
{
	u64 regs = 0;
	u32 i;

	for (i = 0; i < c->nr_regs; i++)
		regs |= 1ULL << c->regs[i];
	return regs;
}

static int add_entry(struct ktap_kprobe *k, const struct ktap_probe_args *args,
		     struct ktap_refused *refused)
{
	struct ktap_kprobe *entry = kzalloc(sizeof(*entry), GFP_KERNEL_ACCOUNT);
	struct ktap_calls *calls;

	if (!entry)
		return -ENOMEM;
	calls = ktap_calls_create(args, &k->p.site, refused);
	if (IS_ERR(calls)) {
		kfree(entry);
		return PTR_ERR(calls);
	}
	calls->missed = entry_missed;
	calls->owner = entry;
	INIT_LIST_HEAD(&entry->in_armed);
	INIT_LIST_HEAD(&entry->p.site.attached);
	entry->p.site.keeps = calls;
	entry->p.backend = &ktap_kprobe_backend;
	entry->regs = regs_of(calls);
	k->p.site.calls = calls;
	k->entry = entry;
	place_entry(k, args);
	return 0;
}

/* At the entry itself the probe may be hit before the companion. */
static bool is_ahead(const struct ktap_kprobe *k)
{
	return k->entry->p.where - k->p.where > ENTRY_LEAD;
}

/* When the module is loaded again, the entry has another address. */
static void entry_gone(struct ktap_kprobe *k)
{
	k->entry->p.addr = 0;
	k->p.entry_where = 0;
}

static void unload_entry(struct ktap_kprobe *k)
{
	struct ktap_probe *entry = &k->entry->p;

	entry->backend->unload(&entry, 1);
	entry_gone(k);
}

static int load_entry(struct ktap_kprobe *k, const struct ktap_probe_args *args,
		      struct ktap_refused *refused)
{
	struct ktap_probe *entry = &k->entry->p;
	int err;

	if (!entry->addr && !entry->symbol)
		return -ENOENT;
	err = load_place(k->entry, args, refused);
	if (err)
		return err;
	k->p.entry_where = entry->where;
	if (is_ahead(k))
		return 0;
	unload_entry(k);
	return ktap_refuse(refused, -EINVAL, 0,
			   "the place is the entry itself, where no frame has been stored yet");
}

static void disarm_entry(struct ktap_kprobe *k)
{
	struct ktap_probe *entry = &k->entry->p;

	if (entry->backend->disarm_many)
		entry->backend->disarm_many(&entry, 1);
	else
		disable(k->entry);
}

/*
 * Arms the companion before the probe, so that a hit finds each call that began since. If
 * ftrace was disabled meanwhile, another hook may serve the companion, elsewhere.
 */
static int arm_entry(struct ktap_kprobe *k)
{
	struct ktap_probe *entry = &k->entry->p;
	int err;

	err = entry->backend->arm_many ? entry->backend->arm_many(&entry, 1) :
					 enable(k->entry);
	k->p.entry_where = entry->where;
	if (err)
		return err;
	if (!is_ahead(k)) {
		disarm_entry(k);
		return -ENXIO;
	}
	ktap_calls_forget_all(k->p.site.calls);
	return 0;
}

/* ---- kprobes --------------------------------------------------------------- */

static int add(struct ktap_probe *p, const struct ktap_probe_args *args,
	       struct ktap_refused *refused)
{
	struct ktap_kprobe *k = mine(p);

	INIT_LIST_HEAD(&k->in_armed);
	k->regs = p->prog->info.regs;
	k->want_kprobe = args->hook == KTAP_HOOK_KPROBE;
	k->want_ftrace = args->hook == KTAP_HOOK_FTRACE;
	if (k->want_ftrace)
		p->backend = &ftrace_backend; /* displayed while the probe waits */
	return args->frame_regs ? add_entry(k, args, refused) : 0;
}

static int load_both(struct ktap_kprobe *k, const struct ktap_probe_args *args,
		     struct ktap_refused *refused)
{
	struct ktap_probe *p = &k->p;
	int err = load_place(k, args, refused);

	if (err)
		return err;
	err = load_entry(k, args, refused);
	if (!err)
		return 0;
	if (refused)
		refused->attr = args->frame_addr ? KTAP_A_FRAME_ADDR :
						   KTAP_A_FRAME_OFFSET;
	unload_places(&p, 1);
	return err;
}

static int load(struct ktap_probe *p, const struct ktap_probe_args *args,
		struct ktap_refused *refused)
{
	struct ktap_kprobe *k = mine(p);
	int err;

	if (!k->entry)
		return load_place(k, args, refused);
	err = load_both(k, args, refused);
	if (err)
		entry_gone(k);
	return err;
}

/* Collects the companions of the probes that @b serves; @list is large enough. */
static int entries_of(struct ktap_probe **probes, int nr,
		      const struct ktap_backend *b, struct ktap_probe **list)
{
	int i, n = 0;

	for (i = 0; i < nr; i++)
		if (mine(probes[i])->entry &&
		    mine(probes[i])->entry->p.backend == b)
			list[n++] = &mine(probes[i])->entry->p;
	return n;
}

/* One wait for each backend; without memory one for each companion. */
static void unload_entries(struct ktap_probe **probes, int nr)
{
	struct ktap_probe **list;
	int i, n;

	list = kvmalloc_array(nr, sizeof(*list), GFP_KERNEL);
	if (list) {
		n = entries_of(probes, nr, &ftrace_backend, list);
		if (n)
			ftrace_unload(list, n);
		n = entries_of(probes, nr, &ktap_kprobe_backend, list);
		unload_places(list, n);
	}
	for (i = 0; i < nr; i++) {
		if (!mine(probes[i])->entry)
			continue;
		if (list)
			entry_gone(mine(probes[i]));
		else
			unload_entry(mine(probes[i]));
	}
	kvfree(list);
}

static void kprobe_unload(struct ktap_probe **probes, int nr)
{
	int i;

	unload_places(probes, nr);
	for (i = 0; i < nr; i++)
		if (mine(probes[i])->entry)
			break;
	if (i < nr)
		unload_entries(probes + i, nr - i);
}

/* No handler runs: unload() waited. */
static void kprobe_remove(struct ktap_probe **probes, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		free_entry(mine(probes[i]));
}

static int kprobe_arm(struct ktap_probe *p)
{
	struct ktap_kprobe *k = mine(p);
	int err = k->entry ? arm_entry(k) : 0;

	if (err)
		return err;
	err = enable(k);
	if (err && k->entry)
		disarm_entry(k);
	return err;
}

static void kprobe_disarm(struct ktap_probe *p)
{
	struct ktap_kprobe *k = mine(p);

	disable(k);
	if (k->entry)
		disarm_entry(k);
}

/* Not at a ftrace site: there ftrace walks all of its records for each kprobe. */
static bool kprobe_is_quick(const struct ktap_probe *p)
{
	const struct ktap_kprobe *k = mine_const(p);

	return KTAP_ARCH_PATCHES_LIVE && !k->entry && !READ_ONCE(k->at_ftrace);
}

/* The sum of both hooks: the other one may have served it before. */
static u64 missed(const struct ktap_probe *p)
{
	const struct ktap_kprobe *k = mine_const(p);
	u64 missed;

	preempt_disable();
	missed = missed_by(k) + (k->entry ? missed_by(k->entry) : 0);
	preempt_enable();
	return missed;
}

static void kprobe_describe(const struct ktap_probe *p,
			    struct ktap_probe_details *ret)
{
	const struct ktap_kprobe *k = mine_const(p);

	if (!k->entry)
		return;
	ret->maxactive = ktap_calls_max(p->site.calls);
	ret->frame_hook = k->entry->p.backend->name;
}

static int kprobe_check(struct ktap_probe_args *args,
			struct ktap_refused *refused)
{
	return ktap_kprobe_check(args, refused) ?:
	       check_place(args, KTAP_A_FRAME_ADDR, args->frame_addr,
			   KTAP_A_FRAME_OFFSET, args->frame_offset, refused) ?:
	       ktap_calls_check(args, refused);
}

const struct ktap_backend ktap_kprobe_backend = {
	.name = "kprobe",
	.feature = KTAP_FEATURE_KPROBE,
	.probe_size = sizeof(struct ktap_kprobe),
	.check = kprobe_check,
	.add = add,
	.remove = kprobe_remove,
	.load = load,
	.unload = kprobe_unload,
	.arm = kprobe_arm,
	.disarm = kprobe_disarm,
	.is_quick = kprobe_is_quick,
	.missed = missed,
	.describe = kprobe_describe,
};

/* ---- the ftrace hook ------------------------------------------------------- */

/* ftrace is enabled again: replaces the kprobe by the hook. */
static void serve_again_by_ftrace(struct ktap_probe *p)
{
	unload_places(&p, 1);
	serve_by_ftrace(mine(p), mine(p)->site);
}

/* ftrace was disabled since the probe was loaded. */
static int arm_as_kprobe(struct ktap_kprobe *k)
{
	int err;

	if (k->want_ftrace)
		return -ENXIO;
	err = register_disabled(k);
	if (err)
		return err;
	serve_by_kprobe(k);
	err = enable(k);
	if (err)
		serve_again_by_ftrace(&k->p);
	return err;
}

static int arm_as_kprobes(struct ktap_probe **probes, int nr)
{
	int i, err;

	for (i = 0; i < nr; i++) {
		err = arm_as_kprobe(mine(probes[i]));
		if (!err)
			continue;
		while (i--)
			serve_again_by_ftrace(probes[i]);
		return -ENXIO;
	}
	return 0;
}

/* If ftrace is disabled, arms kprobes instead, as many as a request may arm. */
static int ftrace_arm(struct ktap_probe **probes, int nr)
{
	int err = ktap_ftrace_arm(probes, nr);

	return err == -ENXIO && nr <= KTAP_ARM_MAX ? arm_as_kprobes(probes, nr) :
						     err;
}

/* load() assigns it to a probe that was set up as a kprobe. */
static const struct ktap_backend ftrace_backend = {
	.name = "ftrace",
	.load = load,
	.unload = ftrace_unload,
	.arm_many = ftrace_arm,
	.disarm_many = ktap_ftrace_disarm,
	.missed = missed,
};
