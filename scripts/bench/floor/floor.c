// SPDX-License-Identifier: GPL-2.0
/*
 * The floor: a kprobe, or with returns=1 a kretprobe, whose handler only counts,
 * per CPU. What a hit costs with this module is the kernel's own; what it costs
 * above is the tracer's.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>

static char symbol[128] = "ksys_fadvise64_64";
module_param_string(symbol, symbol, sizeof(symbol), 0444);
MODULE_PARM_DESC(symbol, "function to probe");

static bool returns;
module_param(returns, bool, 0444);
MODULE_PARM_DESC(returns, "probe its returns");

static DEFINE_PER_CPU(unsigned long, hits);

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

static int __init floor_init(void)
{
	return returns ? register_kretprobe(&rp) : register_kprobe(&kp);
}

static void __exit floor_exit(void)
{
	if (returns)
		unregister_kretprobe(&rp);
	else
		unregister_kprobe(&kp);
}

module_init(floor_init);
module_exit(floor_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("ktap bench: kprobe that only counts");
