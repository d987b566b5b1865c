// SPDX-License-Identifier: GPL-2.0
/*
 * Probes on the code of modules that come and go. A probe never holds the
 * module: when it goes, the probe is taken off its code and waits; when it
 * comes, before any of its functions is called, the probe is put there again.
 *
 * The notifier is called without locks of the kernel's that control needs
 * (module_mutex is not held, the chain's own lock is shared), so it may take
 * ktap_lock. It is (un)registered without ktap_lock, since that waits for
 * notifiers that run.
 */
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "modules.h"
#include "probe.h"

/* Probes that one call of a backend can do, where there is memory for more. */
#define FEW 64

static bool is_of(const struct ktap_probe *p, const struct module *mod)
{
	size_t len = strlen(mod->name);

	return p->symbol && !strncmp(p->symbol, mod->name, len) &&
	       p->symbol[len] == ':';
}

/* ---- it comes -------------------------------------------------------------- */

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

/* Return: whether it is there and wanted, so that it has to be armed. */
static bool put_there(struct ktap_probe *p, const struct module *mod)
{
	int err = p->backend->load(p, NULL, NULL);

	if (err)
		pr_warn("ktap: %s cannot be put into %s: error %d\n", p->name,
			mod->name, err);
	p->waiting = err;
	return !err && !list_empty(&p->site.attached);
}

static void comes(const struct module *mod)
{
	struct ktap_probe *list[FEW], *p;
	u32 id = 0;
	int nr = 0;

	for (; (p = ktap_probe_next(id)); id = p->id + 1) {
		if (!p->waiting || !is_of(p, mod) || !put_there(p, mod))
			continue;
		list[nr++] = p;
		if (nr == FEW) {
			arm(list, nr, mod);
			nr = 0;
		}
	}
	arm(list, nr, mod);
}

/* ---- it goes, or its initialisation does ----------------------------------- */

static void take_off(struct ktap_probe **list, int nr)
{
	int i;

	if (!nr)
		return;
	list[0]->backend->unload(list, nr);
	for (i = 0; i < nr; i++) {
		list[i]->waiting = true;
		list[i]->where = 0;
		list[i]->addr = 0;
	}
}

/*
 * At MODULE_STATE_LIVE the code that ran once is about to be freed, and ftrace
 * forgets it; of a module that goes, all is.
 */
static bool is_leaving(const struct ktap_probe *p, const struct module *mod)
{
	if (mod->state == MODULE_STATE_LIVE)
		return within_module_init(p->where, mod) ||
		       within_module_init(p->entry_where, mod);
	return within_module(p->where, mod) ||
	       within_module(p->entry_where, mod);
}

static void goes(const struct module *mod)
{
	struct ktap_probe *list[FEW], *p;
	u32 id = 0;
	int nr = 0;

	for (; (p = ktap_probe_next(id)); id = p->id + 1) {
		if (!p->where || !is_leaving(p, mod))
			continue;
		if (nr == FEW || (nr && list[0]->backend != p->backend)) {
			take_off(list, nr);
			nr = 0;
		}
		list[nr++] = p;
	}
	take_off(list, nr);
}

static int on_module(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = data;

	mutex_lock(&ktap_lock);
	if (event == MODULE_STATE_COMING)
		comes(mod);
	else
		goes(mod);
	mutex_unlock(&ktap_lock);
	return NOTIFY_DONE;
}

/* After the kprobes' own, which then no longer touches what goes. */
static struct notifier_block module_notifier = {
	.notifier_call = on_module,
};

/* ktap_modules_init() - Context: module init, without locks. */
int ktap_modules_init(void)
{
	return register_module_notifier(&module_notifier);
}

/* ktap_modules_exit() - Context: module exit, without locks; no probe is left. */
void ktap_modules_exit(void)
{
	unregister_module_notifier(&module_notifier);
}
