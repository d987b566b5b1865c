// SPDX-License-Identifier: GPL-2.0
/*
 * The floor: a hook whose handler only counts, per CPU. What a hit costs with
 * this module is the kernel's own; what it costs above is the tracer's.
 *
 *   kind=kprobe, kretprobe	symbol, offset
 *   kind=ftrace		symbol
 *   kind=shared		symbol: as ftrace, but all CPUs have one counter
 *   kind=uprobe, uretprobe	path, offset in that file
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/percpu.h>
#include <linux/uprobes.h>

#include "compat.h"

static char kind[16] = "kprobe";
module_param_string(kind, kind, sizeof(kind), 0444);
MODULE_PARM_DESC(kind, "what calls the handler");

static char symbol[128] = "ksys_fadvise64_64";
module_param_string(symbol, symbol, sizeof(symbol), 0444);
MODULE_PARM_DESC(symbol, "kernel function");

static ulong offset;
module_param(offset, ulong, 0444);
MODULE_PARM_DESC(offset, "in the function, or in the file");

static char *path = "/root/hits";
module_param(path, charp, 0444);
MODULE_PARM_DESC(path, "program");

static DEFINE_PER_CPU(unsigned long, hits);

/* ---- kernel functions ---- */

static int count(struct kprobe *kp, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}
NOKPROBE_SYMBOL(count);

static struct kprobe kp = {
	.symbol_name = symbol,
	.pre_handler = count,
};

static int count_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}
NOKPROBE_SYMBOL(count_return);

static struct kretprobe rp = {
	.kp.symbol_name = symbol,
	.handler = count_return,
};

static int kprobe_begin(void)
{
	kp.offset = offset;
	return register_kprobe(&kp);
}

static void kprobe_end(void)
{
	unregister_kprobe(&kp);
}

static int kretprobe_begin(void)
{
	return register_kretprobe(&rp);
}

static void kretprobe_end(void)
{
	unregister_kretprobe(&rp);
}

/* ---- the ftrace hook ---- */

#ifdef KTAP_FTRACE_FLAGS
static void count_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	this_cpu_inc(hits);
}
NOKPROBE_SYMBOL(count_call);

static atomic_long_t shared_hits;

static void count_shared(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	atomic_long_inc(&shared_hits);
}
NOKPROBE_SYMBOL(count_shared);

static struct ftrace_ops ops = {
	.func = count_call,
	.flags = FTRACE_OPS_FL_PERMANENT | KTAP_FTRACE_FLAGS,
};

static int ftrace_begin(void)
{
	int err = ftrace_set_filter(&ops, symbol, strlen(symbol), 1);

	return err ?: register_ftrace_function(&ops);
}

static int shared_begin(void)
{
	ops.func = count_shared;
	return ftrace_begin();
}

static void ftrace_end(void)
{
	unregister_ftrace_function(&ops);
	ktap_ftrace_free_filter(&ops);
}
#endif

/* ---- user functions ---- */

#ifdef CONFIG_UPROBES
static KTAP_UPROBE_HANDLER(count_user)
{
	this_cpu_inc(hits);
	return 0;
}

static KTAP_UPROBE_RET_HANDLER(count_user_return)
{
	this_cpu_inc(hits);
	return 0;
}

static struct uprobe_consumer uc;
static struct ktap_uprobe_handle handle;
static struct path program;

static int uprobe_begin(void)
{
	int err = kern_path(path, LOOKUP_FOLLOW, &program);

	if (err)
		return err;
	if (!strcmp(kind, "uprobe"))
		uc.handler = count_user;
	else
		uc.ret_handler = count_user_return;
	err = ktap_uprobe_register(&handle, d_inode(program.dentry), offset, 0,
				   &uc);
	if (err)
		path_put(&program);
	return err;
}

static void uprobe_end(void)
{
	ktap_uprobe_unregister(&handle, &uc);
	ktap_uprobe_sync();
	path_put(&program);
}
#endif

/* ---- module ---- */

static const struct hook {
	const char *kind;
	int (*begin)(void);
	void (*end)(void);
} hooks[] = {
	{ "kprobe", kprobe_begin, kprobe_end },
	{ "kretprobe", kretprobe_begin, kretprobe_end },
#ifdef KTAP_FTRACE_FLAGS
	{ "ftrace", ftrace_begin, ftrace_end },
	{ "shared", shared_begin, ftrace_end },
#endif
#ifdef CONFIG_UPROBES
	{ "uprobe", uprobe_begin, uprobe_end },
	{ "uretprobe", uprobe_begin, uprobe_end },
#endif
};

static const struct hook *find(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (!strcmp(hooks[i].kind, kind))
			return &hooks[i];
	return NULL;
}

static int __init floor_init(void)
{
	const struct hook *hook = find();

	return hook ? hook->begin() : -EINVAL;
}

static void __exit floor_exit(void)
{
	find()->end();
}

module_init(floor_init);
module_exit(floor_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("ktap bench: a hook that only counts");
