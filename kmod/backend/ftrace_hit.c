// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of the ftrace hook: finds the probes at the address of a call.
 *
 * The trampoline calls the handler directly, without ftrace's own recursion guard, which
 * costs more than the whole handler. Hits have a guard of their own (hit/nest.h).
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "arch/ftrace.h"
#include "backend/ftrace.h"
#include "hit/hit_inline.h"

/* Not NULL while the ops is registered. */
struct ktap_ftrace_table *ktap_ftrace_table;

/*
 * RCU may not watch, or may not wait for this CPU, only while the idle task runs. A CPU
 * that is starting up or has reported its death is not online. A grace period for tables
 * covers these cases (ktap_ftrace_wait()), one for attachments does not.
 *
 * rcu_is_watching() may have a kprobe. The trap of that kprobe may call hooked functions
 * of the kernel's trap handler (reenter_kprobe()), whose hits end up here. So the call
 * nests as a hit does; otherwise each trap would cause the next one, without end.
 */
static bool may_hit_idle(void)
{
	unsigned int before = this_cpu_read(ktap_busy);
	bool may;

	if (before && !ktap_may_nest(before, true))
		return false;
	ktap_nest_enter(ktap_arch_here(&ktap_busy), before);
	may = rcu_is_watching() && cpu_online(raw_smp_processor_id());
	ktap_busy_leave(before);
	return may;
}
NOKPROBE_SYMBOL(may_hit_idle);

static __always_inline bool may_hit(void)
{
	return likely(!is_idle_task(current)) || may_hit_idle();
}

static noinline void hit_if_allowed(struct ktap_kprobe *k,
				    const struct pt_regs *regs)
{
	if (unlikely(!may_hit()))
		atomic64_inc(&k->missed);
	else
		ktap_hit(&k->p.site, regs);
}
NOKPROBE_SYMBOL(hit_if_allowed);

/*
 * Makes the kernel follow a call, as the kprobe of the kretprobe would: its handler needs
 * the stack pointer only. The handler is not marked notrace, so the CPU is marked busy.
 */
static __always_inline void follow(struct ktap_kprobe *k, struct pt_regs *regs)
{
	struct kprobe *kp = &k->follows->kp;
	unsigned int before = this_cpu_read(ktap_busy);

	if (unlikely(!may_hit() || (before && !ktap_may_nest(before, false)))) {
		atomic64_inc(&k->missed);
		return;
	}
	ktap_nest_enter(ktap_arch_here(&ktap_busy), before);
	kp->pre_handler(kp, regs);
	ktap_busy_leave(before);
}

/* For places with several probes, and probes that need the address of the hit. */
static noinline void hit_listed(const struct ktap_ftrace_slot *s,
				unsigned long ip, struct ftrace_regs *fregs)
{
	struct ktap_ftrace_room room __uninitialized;
	struct pt_regs *regs = ktap_ftrace_all_regs(fregs, ip, &room);

	for (; s->ip; s++) {
		struct ktap_kprobe *k = s->ip == ip ?
			ktap_ftrace_probe(READ_ONCE(s->probe)) : NULL;

		if (!k)
			continue;
		if (KTAP_FTRACE_FOLLOWS && k->follows)
			follow(k, regs);
		else
			hit_if_allowed(k, regs);
	}
	ktap_ftrace_regs_done(fregs, &room);
}
NOKPROBE_SYMBOL(hit_listed);

/* For the rest: the only probe of a place if it follows calls, or the list of a place. */
static noinline void hit_special(const struct ktap_ftrace_slot *s, unsigned long probe,
				 unsigned long ip, struct ftrace_regs *fregs)
{
	struct ktap_ftrace_room room __uninitialized;
	struct ktap_kprobe *k = ktap_ftrace_probe(probe);

	if (KTAP_FTRACE_FOLLOWS && likely(k))
		follow(k, ktap_ftrace_regs(fregs, &room));
	else
		hit_listed(s, ip, fregs);
}
NOKPROBE_SYMBOL(hit_special);

/**
 * ktap_ftrace_handler() - handle a call of a function with armed probes
 * @ip: address of the ftrace site
 * @parent_ip: return address of the function
 * @op: the module's ftrace_ops
 * @fregs: registers
 *
 * Context: any, NMI included.
 */
void ktap_ftrace_handler(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	const struct ktap_ftrace_table *t;
	const struct ktap_ftrace_slot *s;
	struct ktap_ftrace_room room __uninitialized;
	struct ktap_kprobe *k;
	unsigned long probe;

	preempt_disable_notrace();
	t = READ_ONCE(ktap_ftrace_table); /* pairs with publish() */
	for (s = ktap_ftrace_first(t, ip); unlikely(s->ip != ip); s++)
		if (!s->ip)
			goto out; /* disarmed since */
	probe = READ_ONCE(s->probe);
	k = (void *)probe;
	if (unlikely(probe & KTAP_FTRACE_SPECIAL))
		hit_special(s, probe, ip, fregs);
	else if (unlikely(is_idle_task(current)))
		hit_if_allowed(k, ktap_ftrace_regs(fregs, &room));
	else
		ktap_hit_inline(&k->p.site, ktap_ftrace_regs(fregs, &room));
out:
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(ktap_ftrace_handler);
