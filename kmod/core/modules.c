// SPDX-License-Identifier: GPL-2.0
/*
 * Probes on the code of modules that are loaded and unloaded.
 *
 * A probe holds no reference on the module. When the module is unloaded, the notifier
 * removes the kprobe or ftrace hook from its code and the probe waits. When the module is
 * loaded, the notifier puts it there again before any function of the module is called.
 *
 * The notifier is called without module_mutex and with the notifier chain's lock held
 * shared, so it may take ktap_kernel_arming.lock. It cannot defer the work, because the
 * code is freed, or runs, as soon as it returns. All waits under ktap_kernel_arming.lock
 * are bounded, and probes whose hits may sleep have other locks. The notifier is
 * registered and unregistered without ktap locks, because that waits for running
 * notifiers.
 *
 * While ktap_kernel_arming.lock is held, a probe that was found is not removed.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "core/arming.h"
#include "core/modules.h"
#include "core/probe.h"

/* Probes per call of a backend. */
#define FEW 64

static bool is_of(const struct ktap_probe *p, const struct module *mod)
{
	size_t len = strlen(mod->name);

	return p->symbol && !strncmp(p->symbol, mod->name, len) &&
	       p->symbol[len] == ':';
}

/* ---- loading --------------------------------------------------------------- */

static void arm(struct ktap_probe **list, int nr, const struct module *mod)
{
	int i, err;

	if (!ktap_probes_arm(list, nr))
		return;
	for (i = 0; i < nr; i++) {
		err = ktap_probes_arm(&list[i], 1);
		if (err)
			pr_warn("ktap: %s cannot be armed in %s: error %d\n",
				list[i]->name, mod->name, err);
	}
}

/* Return: whether the probe is loaded and attached, so that it has to be armed. */
static bool put_there(struct ktap_probe *p, const struct module *mod)
{
	int err = p->backend->load(p, NULL, NULL);
	bool loaded = !err, wanted;

	mutex_lock(&ktap_lock);
	if (loaded)
		err = ktap_place_cost_update(p); /* may exceed the limit */
	if (err)
		p->where = 0;
	p->waiting = err;
	wanted = !list_empty(&p->site.attached);
	mutex_unlock(&ktap_lock);
	if (loaded && err)
		p->backend->unload(&p, 1);
	if (err)
		pr_warn("ktap: %s cannot be put into %s: error %d\n", p->name,
			mod->name, err);
	return !err && wanted;
}

/* The first probe with an id from @id on that waits for @mod, or NULL. */
static struct ktap_probe *next_waiting(u32 id, const struct module *mod)
{
	struct ktap_probe *p;

	mutex_lock(&ktap_lock);
	for (; (p = ktap_probe_next(id)); id = p->id + 1)
		if (p->waiting && is_of(p, mod))
			break;
	mutex_unlock(&ktap_lock);
	return p;
}

static void comes(const struct module *mod)
{
	struct ktap_probe *list[FEW], *p;
	u32 id = 0;
	int nr = 0;

	for (; (p = next_waiting(id, mod)); id = p->id + 1) {
		if (!put_there(p, mod))
			continue;
		list[nr++] = p;
		if (nr == FEW) {
			arm(list, nr, mod);
			nr = 0;
		}
	}
	arm(list, nr, mod);
}

/* ---- unloading, and freeing of init code ----------------------------------- */

static void take_off(struct ktap_probe **list, int nr)
{
	int i;

	if (!nr)
		return;
	list[0]->backend->unload(list, nr);
	mutex_lock(&ktap_lock);
	for (i = 0; i < nr; i++) {
		list[i]->armed = false;
		list[i]->waiting = true;
		list[i]->where = 0;
		list[i]->addr = 0;
		ktap_place_cost_drop(list[i]);
	}
	mutex_unlock(&ktap_lock);
}

/*
 * At MODULE_STATE_LIVE the module's init code is about to be freed and ftrace drops its
 * records. At unload all of its code is.
 */
static bool is_leaving(const struct ktap_probe *p, const struct module *mod)
{
	if (mod->state == MODULE_STATE_LIVE)
		return within_module_init(p->where, mod) ||
		       within_module_init(p->entry_where, mod);
	return within_module(p->where, mod) ||
	       within_module(p->entry_where, mod);
}

/* The first probe with an id from @id on in code that is about to be freed, or NULL. */
static struct ktap_probe *next_leaving(u32 id, const struct module *mod)
{
	struct ktap_probe *p;

	mutex_lock(&ktap_lock);
	for (; (p = ktap_probe_next(id)); id = p->id + 1)
		if (p->where && is_leaving(p, mod))
			break;
	mutex_unlock(&ktap_lock);
	return p;
}

static void goes(const struct module *mod)
{
	struct ktap_probe *list[FEW], *p;
	u32 id = 0;
	int nr = 0;

	for (; (p = next_leaving(id, mod)); id = p->id + 1) {
		if (nr == FEW || (nr && list[0]->backend != p->backend)) {
			take_off(list, nr);
			nr = 0;
		}
		list[nr++] = p;
	}
	take_off(list, nr);
}

/* ---- epoch of the set of loaded modules ------------------------------------ */

/* Both are written under ktap_kernel_arming.lock. */
static unsigned long epoch;
static unsigned long epoch_began;

static void begin_epoch(unsigned long number)
{
	WRITE_ONCE(epoch_began, jiffies);
	/* pairs with the acquire in ktap_modules_epoch() */
	smp_store_release(&epoch, number);
}

/**
 * ktap_modules_epoch() - number that changes when a module is loaded or unloaded
 *
 * The notifier for MODULE_STATE_LIVE is called before the symbols of the init code leave
 * kallsyms (do_init_module()). So the number is not reported for a second after a change.
 *
 * Context: any.
 * Return: the number; 0 if it changed within the last second.
 */
unsigned long ktap_modules_epoch(void)
{
	/* pairs with begin_epoch(): epoch_began is not older than the number */
	unsigned long number = smp_load_acquire(&epoch);

	return time_after(jiffies, READ_ONCE(epoch_began) + HZ) ? number : 0;
}

static int on_module(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = data;

	ktap_arming_enter();
	begin_epoch(epoch + 1);
	if (event == MODULE_STATE_COMING)
		comes(mod);
	else
		goes(mod);
	ktap_arming_leave();
	return NOTIFY_DONE;
}

/*
 * Runs after the notifier of kprobes, which then no longer uses the code that is about to
 * be freed.
 */
static struct notifier_block module_notifier = {
	.notifier_call = on_module,
};

/**
 * ktap_modules_init() - register the module notifier
 *
 * Context: module init, without locks.
 * Return: 0 or a negative errno.
 */
int ktap_modules_init(void)
{
	begin_epoch(get_random_long());
	return register_module_notifier(&module_notifier);
}

/**
 * ktap_modules_exit() - unregister the module notifier
 *
 * Context: module exit, without locks; no probe is left.
 */
void ktap_modules_exit(void)
{
	unregister_module_notifier(&module_notifier);
}
