// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of the ftrace hook: from the address of a call to the probes there.
 *
 * The trampoline comes here directly, without ftrace's own guard against
 * recursion, which costs more than all of this. Recursion can only begin where
 * a hit calls a function that can be traced; those places say so
 * (ktap_busy_enter()), and a hit that was made there is counted as missed.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "arch/ftrace.h"
#include "ftrace.h"
#include "hit.h"
#include "scratch.h"

/* Never NULL while the hook is registered. */
struct ktap_ftrace_table *ktap_ftrace_table;

/*
 * Only the idle task runs where RCU is not watching; tables outlive it even
 * so (ktap_ftrace_wait()), attachments do not.
 */
static __always_inline bool may_hit(void)
{
	return !ktap_busy_here() &&
	       (likely(!is_idle_task(current)) || rcu_is_watching());
}

static __always_inline void hit(struct ktap_kprobe *k, unsigned long ip,
				struct ftrace_regs *fregs)
{
	struct pt_regs room, *regs;

	if (unlikely(!may_hit())) {
		atomic64_inc(&k->missed);
		return;
	}
	regs = ktap_ftrace_regs(fregs, ip, &room);
	ktap_hit(&k->p.site, regs);
	ktap_ftrace_regs_done(regs, &room);
}

/**
 * ktap_ftrace_handler() - a function with armed probes was called
 * @ip: of the call to the hook
 * @parent_ip: where the function was called
 * @op: the module's only one
 * @fregs: registers
 *
 * Context: any, NMI included.
 */
void ktap_ftrace_handler(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	const struct ktap_ftrace_table *t;
	const struct ktap_ftrace_slot *s;
	struct ktap_kprobe *k;

	preempt_disable_notrace();
	t = READ_ONCE(ktap_ftrace_table); /* pairs with publish() */
	for (s = &t->slots[ktap_ftrace_hash(t, ip)]; s->ip; s++) {
		if (s->ip != ip)
			continue;
		k = READ_ONCE(s->probe);
		if (likely(k))
			hit(k, ip, fregs);
	}
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(ktap_ftrace_handler);
