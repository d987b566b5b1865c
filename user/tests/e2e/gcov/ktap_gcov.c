// SPDX-License-Identifier: GPL-2.0
/*
 * ktap_gcov: what of ktap.ko was executed, on kernels without CONFIG_GCOV_KERNEL.
 * ktap.ko compiled with -fprofile-arcs counts in its own memory, which is safe in
 * any context, and has constructors that call us. Most kernels leave those of modules
 * alone, so they are found by their names. /proc/ktap_gcov has each object's counts as
 * its .gcda file, behind a line "PATH SIZE". Counts of a module that went stay: it may
 * come again.
 *
 * Owns: what is kept of objects.
 */
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ktap_gcov.h"

#define MAGIC 0x67636461
#define TAG_FUNCTION 0x01000000
#define TAG_COUNTERS 0x01a10000

/* ktap's tests have its allocations fail, ours may not. */
#define GFP_SURE (GFP_KERNEL | __GFP_NOFAIL)

/**
 * struct kept_function - a function's counts
 * @fn: its numbers; of those that a linker left out, all is 0
 * @values: sums of what it counted in modules that went
 */
struct kept_function {
	struct gcov_fn_info fn;
	s64 *values;
};

/**
 * struct kept - an object
 * @list: in kept_list
 * @live: its counters, while its module is there
 * @head: what is told of it
 * @functions: its functions, head.nr of them
 */
struct kept {
	struct list_head list;
	const struct gcov_info *live;
	struct gcov_info head;
	struct kept_function functions[];
};

static LIST_HEAD(kept_list);
static DEFINE_MUTEX(kept_lock);

static struct kept *find(const struct gcov_info *info)
{
	struct kept *k;

	list_for_each_entry(k, &kept_list, list) {
		if (!strcmp(k->head.filename, info->filename) &&
		    k->head.checksum == info->checksum)
			return k;
	}
	return NULL;
}

static struct kept *keep(const struct gcov_info *info)
{
	struct kept *k = kzalloc(struct_size(k, functions, info->nr), GFP_SURE);
	const struct gcov_fn_info *fn;
	u32 i;

	k->head = *info;
	k->head.filename = kstrdup(info->filename, GFP_SURE);
	for (i = 0; i < info->nr; i++) {
		fn = info->functions[i];
		if (!fn || fn->key != info)
			continue;
		k->functions[i].fn = *fn;
		k->functions[i].values = kcalloc(fn->arcs.nr + 1, sizeof(s64), GFP_SURE);
	}
	list_add_tail(&k->list, &kept_list);
	return k;
}

/* Called by the constructors of an object. */
void __gcov_init(struct gcov_info *info)
{
	struct kept *k;

	mutex_lock(&kept_lock);
	k = find(info) ?: keep(info);
	k->live = info;
	mutex_unlock(&kept_lock);
}
EXPORT_SYMBOL_GPL(__gcov_init);

void __gcov_exit(void)
{
}
EXPORT_SYMBOL_GPL(__gcov_exit);

/* Only its address is wanted: it names the kind of the counters. */
void __gcov_merge_add(s64 *counters, u32 n)
{
}
EXPORT_SYMBOL_GPL(__gcov_merge_add);

static s64 live_value(const struct kept *k, u32 function, u32 i)
{
	return k->live ? READ_ONCE(k->live->functions[function]->arcs.values[i]) : 0;
}

static void put_live(struct kept *k)
{
	u32 i, j;

	for (i = 0; i < k->head.nr; i++) {
		for (j = 0; j < k->functions[i].fn.arcs.nr; j++)
			k->functions[i].values[j] += live_value(k, i, j);
	}
	k->live = NULL;
}

static void module_goes(const struct module *mod)
{
	struct kept *k;

	mutex_lock(&kept_lock);
	list_for_each_entry(k, &kept_list, list) {
		if (k->live && within_module((unsigned long)k->live, mod))
			put_live(k);
	}
	mutex_unlock(&kept_lock);
}

/* gcc calls the constructor of an object so. Where the kernel calls it too, it is
 * another time, which does no harm.
 */
static void call_constructors(struct module *mod)
{
	const struct mod_kallsyms *all = rcu_dereference_raw(mod->kallsyms);
	unsigned int i;

	for (i = 0; i < all->num_symtab; i++) {
		if (!strncmp(all->strtab + all->symtab[i].st_name, "_sub_I_", 7))
			((void (*)(void))all->symtab[i].st_value)();
	}
}

static int module_changes(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;

	if (state == MODULE_STATE_GOING)
		module_goes(mod);
	/* no others have such constructors */
	else if (state == MODULE_STATE_COMING && !strncmp(mod->name, "ktap", 4))
		call_constructors(mod);
	return NOTIFY_DONE;
}

static struct notifier_block module_nb = {
	.notifier_call = module_changes,
	/* behind ktap's own, which is part of what is counted */
	.priority = INT_MIN,
};

/* ---- the file ------------------------------------------------------------- */

static u32 gcda_size(const struct kept *k)
{
	u32 words = 4, i;

	for (i = 0; i < k->head.nr; i++)
		words += k->functions[i].fn.key ? 5 + 2 + 2 * k->functions[i].fn.arcs.nr : 0;
	return words * sizeof(u32);
}

static void put_word(struct seq_file *m, u32 word)
{
	seq_write(m, &word, sizeof(word));
}

static void show_function(struct seq_file *m, const struct kept *k, u32 function)
{
	const struct kept_function *f = &k->functions[function];
	s64 value;
	u32 i;

	put_word(m, TAG_FUNCTION);
	put_word(m, 3 * sizeof(u32));
	put_word(m, f->fn.ident);
	put_word(m, f->fn.lineno_checksum);
	put_word(m, f->fn.cfg_checksum);
	put_word(m, TAG_COUNTERS);
	put_word(m, f->fn.arcs.nr * sizeof(s64));
	for (i = 0; i < f->fn.arcs.nr; i++) {
		value = f->values[i] + live_value(k, function, i);
		put_word(m, lower_32_bits(value));
		put_word(m, upper_32_bits(value));
	}
}

static int show(struct seq_file *m, void *v)
{
	const struct kept *k = list_entry(v, struct kept, list);
	u32 i;

	seq_printf(m, "%s %u\n", k->head.filename, gcda_size(k));
	put_word(m, MAGIC);
	put_word(m, k->head.version);
	put_word(m, k->head.stamp);
	put_word(m, k->head.checksum);
	for (i = 0; i < k->head.nr; i++) {
		if (k->functions[i].fn.key)
			show_function(m, k, i);
	}
	return 0;
}

static void *start(struct seq_file *m, loff_t *at)
{
	mutex_lock(&kept_lock);
	return seq_list_start(&kept_list, *at);
}

static void *next(struct seq_file *m, void *v, loff_t *at)
{
	return seq_list_next(v, &kept_list, at);
}

static void stop(struct seq_file *m, void *v)
{
	mutex_unlock(&kept_lock);
}

static const struct seq_operations operations = {
	.start = start,
	.next = next,
	.stop = stop,
	.show = show,
};

/* It stays: who would read the counts of a module that is gone? */
static int __init ktap_gcov_init(void)
{
	if (!proc_create_seq("ktap_gcov", 0400, NULL, &operations))
		return -ENOMEM;
	__module_get(THIS_MODULE);
	return register_module_notifier(&module_nb);
}
module_init(ktap_gcov_init);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("counts of what of ktap was executed");
