// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoint backend. A tracepoint is found by name, in the kernel or in a module.
 * Programs read its raw arguments, those of TP_PROTO.
 *
 * A probe holds no reference on the module of its tracepoint. When the module is
 * unloaded, its probes are unregistered. When a module with a tracepoint of that name is
 * loaded, they are registered again. The notifier runs under the kernel's lock of
 * tracepoint modules and takes ktap_kernel_arming.lock, as modules.c does. So it is
 * registered and unregistered without that lock.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

#include "backend/tracepoint.h"
#include "core/refused.h"
#include "hit/fetch.h"
#include "hit/hit.h"
#include "hit/spot.h"

/**
 * struct tracepoint_probe - a probe with its tracepoint
 * @p: common part; the symbol is the name of the tracepoint
 * @tp: tracepoint, or NULL while it does not exist
 * @iterator: function of the kernel that calls all probes of the tracepoint
 * @armed: it fires as soon as the tracepoint exists
 * @node: link in the list of all
 */
struct tracepoint_probe {
	struct ktap_probe p;
	struct tracepoint *tp;
	struct ktap_code iterator;
	bool armed;
	struct list_head node;
};

/* struct tracepoint_module - a loaded module with tracepoints */
struct tracepoint_module {
	struct module *mod;
	struct list_head node;
};

static LIST_HEAD(all_probes);	/* both under ktap_kernel_arming.lock */
static LIST_HEAD(all_modules);

static struct tracepoint_probe *mine(struct ktap_probe *p)
{
	return container_of(p, struct tracepoint_probe, p);
}

/*
 * Called as if it had the prototype of the tracepoint. Both architectures pass the first
 * arguments in registers and the others in stack slots that the caller removes. So
 * arguments that the tracepoint does not have are the present contents of registers and
 * of the caller's frame.
 *
 * The module cannot find out how many arguments a tracepoint has: struct tracepoint has
 * no count, and not every kernel has BTF. The sender of a program must know. So the handler
 * reads no stack slot. A program that wants one reads it as memory that may not be there: a
 * caller at the top of a stack for interrupts has nothing above its frame. To read too much
 * discloses nothing: a user who may create a probe may read any kernel memory. Kernels that
 * check prototypes are refused: KTAP_LACKS_TRACEPOINTS.
 *
 * The caller is the function with the tracepoint, or the iterator: if there are several
 * probes, and always where the kernel has no static calls (arm64). A stack begins at the
 * function in both cases.
 */
static void on_tracepoint(void *data, KTAP_ARCH_PARAMS)
{
	const struct tracepoint_probe *t = data;
	const u64 args[] = { KTAP_ARCH_ARGS };
	const struct ktap_caller caller = {
		.ip = (unsigned long)__builtin_return_address(0),
		.fp = (unsigned long)__builtin_frame_address(0),
		.hidden = &t->iterator,
	};
	const struct ktap_frame frame = {
		.args = args, .nr_args = ARRAY_SIZE(args), .caller = &caller,
		/* the stack pointer of the caller, at the call: the first slot */
		.stack_args = (unsigned long)__builtin_dwarf_cfa(),
	};

	/*
	 * Faultable tracepoints run with preemption enabled. Since 7.0 (commit
	 * a46023d5616e) all tracepoints do, protected by SRCU.
	 */
	preempt_disable_notrace();
	ktap_hit_frame(&t->p.site, &frame);
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(on_tracepoint);

/* ---- look-up --------------------------------------------------------------- */

/* struct search - search for the first tracepoint with a name */
struct search {
	const char *name;
	struct tracepoint *found;
};

static void look_at(struct tracepoint *tp, void *ctx)
{
	struct search *s = ctx;

	if (!s->found && !strcmp(tp->name, s->name))
		s->found = tp;
}

static struct tracepoint *find_in_module(const struct module *mod,
					 const char *name)
{
	struct search s = { .name = name };
	unsigned int i;

	for (i = 0; i < mod->num_tracepoints; i++)
		look_at(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]), &s);
	return s.found;
}

static struct tracepoint *find(const char *name)
{
	struct search s = { .name = name };
	struct tracepoint_module *m;

	lockdep_assert_held(&ktap_kernel_arming.lock);
	for_each_kernel_tracepoint(look_at, &s);
	list_for_each_entry(m, &all_modules, node) {
		if (s.found)
			break;
		s.found = find_in_module(m->mod, name);
	}
	return s.found;
}

/* Bytes of a function; 0: unknown, because the kernel has no symbols. */
static unsigned long size_of(const void *function)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long size;
	const char *slash;

	/* "name+0x0/0x50", and the module */
	sprint_symbol(text, (unsigned long)function);
	slash = strrchr(text, '/');
	return slash && sscanf(slash, "/%lx", &size) == 1 ? size : 0;
}

/* Before it is registered. No hit runs: it was not registered, or its module is unloaded. */
static void set_tracepoint(struct tracepoint_probe *t, struct tracepoint *tp)
{
	t->tp = tp;
	if (!tp)
		return;
	t->iterator = (struct ktap_code){
		.begin = (unsigned long)tp->iterator, .size = size_of(tp->iterator),
	};
}

/* ---- the backend ------------------------------------------------------------ */

static int tracepoint_check(struct ktap_probe_args *args,
			    struct ktap_refused *refused)
{
	if (args->addr || args->offset)
		return ktap_refuse(refused, -EINVAL,
				   args->addr ? KTAP_A_ADDR : KTAP_A_OFFSET,
				   "a tracepoint has a name and no address");
	args->place.nr_args = KTAP_NR_ARGS;
	args->place.no_regs = true;
	return 0;
}

static int tracepoint_add(struct ktap_probe *p,
			  const struct ktap_probe_args *args,
			  struct ktap_refused *refused)
{
	struct tracepoint_probe *t = mine(p);

	set_tracepoint(t, find(p->symbol));
	if (!t->tp)
		return ktap_refuse(refused, -ENOENT, KTAP_A_SYMBOL,
				   "no tracepoint of this name in this kernel and its modules");
	list_add_tail(&t->node, &all_probes);
	return 0;
}

static void take_off(struct tracepoint_probe *t)
{
	lockdep_assert_held(&ktap_kernel_arming.lock);
	if (t->armed && t->tp)
		tracepoint_probe_unregister(t->tp, on_tracepoint, t);
}

static void tracepoint_remove(struct ktap_probe **probes, int nr)
{
	struct tracepoint_probe *t;
	int i;

	for (i = 0; i < nr; i++) {
		t = mine(probes[i]);
		take_off(t);
		t->armed = false;
		list_del(&t->node);
	}
	tracepoint_synchronize_unregister();
}

static int tracepoint_arm(struct ktap_probe *p)
{
	struct tracepoint_probe *t = mine(p);
	int err = 0;

	lockdep_assert_held(&ktap_kernel_arming.lock);
	if (t->tp)
		err = tracepoint_probe_register(t->tp, on_tracepoint, t);
	t->armed = !err;
	return err;
}

/*
 * The caller waits for an RCU grace period. That is enough: a handler looks for
 * attachments with preemption disabled and RCU watching, even if the tracepoint is in the
 * idle loop. A late handler finds no attachment, and the probe exists until
 * tracepoint_remove() has waited for all handlers.
 */
static void tracepoint_disarm(struct ktap_probe *p)
{
	struct tracepoint_probe *t = mine(p);

	take_off(t);
	t->armed = false;
}

const struct ktap_backend ktap_tracepoint_backend = {
	.name = "tracepoint",
	.feature = KTAP_FEATURE_TRACEPOINT,
	.probe_size = sizeof(struct tracepoint_probe),
	.check = tracepoint_check,
	.add = tracepoint_add,
	.remove = tracepoint_remove,
	.arm = tracepoint_arm,
	.disarm = tracepoint_disarm,
};

/* ---- modules ------------------------------------------------------------------ */

static void module_comes(struct module *mod)
{
	struct tracepoint_module *m = kmalloc(sizeof(*m), GFP_KERNEL);
	struct tracepoint_probe *t;

	if (!m) {
		pr_warn("ktap: no memory to remember the tracepoints of %s\n",
			mod->name);
		return;
	}
	m->mod = mod;
	list_add_tail(&m->node, &all_modules);
	list_for_each_entry(t, &all_probes, node) {
		if (t->tp)
			continue;
		set_tracepoint(t, find_in_module(mod, t->p.symbol));
		if (t->tp && t->armed &&
		    tracepoint_probe_register(t->tp, on_tracepoint, t)) {
			pr_warn("ktap: cannot arm %s again\n", t->p.name);
			t->tp = NULL;
		}
	}
}

/* No code of the module runs any more, so no handler called by it does. */
static void module_goes(struct module *mod)
{
	struct tracepoint_module *m, *next;
	struct tracepoint_probe *t;

	list_for_each_entry(t, &all_probes, node) {
		if (!t->tp || find_in_module(mod, t->p.symbol) != t->tp)
			continue;
		take_off(t);
		t->tp = NULL;
	}
	list_for_each_entry_safe(m, next, &all_modules, node) {
		if (m->mod != mod)
			continue;
		list_del(&m->node);
		kfree(m);
	}
}

static int on_module(struct notifier_block *nb, unsigned long event,
		     void *data)
{
	const struct tp_module *tm = data;

	ktap_arming_enter();
	if (event == MODULE_STATE_COMING)
		module_comes(tm->mod);
	else if (event == MODULE_STATE_GOING)
		module_goes(tm->mod);
	ktap_arming_leave();
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = on_module,
};

/**
 * ktap_tracepoint_init() - register the notifier
 *
 * Context: module init, without locks.
 * Return: 0 or a negative errno.
 */
int ktap_tracepoint_init(void)
{
	return register_tracepoint_module_notifier(&module_notifier);
}

/**
 * ktap_tracepoint_exit() - unregister the notifier
 *
 * Context: module exit, without locks.
 */
void ktap_tracepoint_exit(void)
{
	unregister_tracepoint_module_notifier(&module_notifier);
}
