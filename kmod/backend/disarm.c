// SPDX-License-Identifier: GPL-2.0
/* Kprobes are disabled where memory does not fail. */
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>

#include "backend/kprobe.h"
#include "compat.h"

/* struct disarming - disable_kprobe(@kp), and what it returned */
struct disarming {
	struct work_struct work;
	struct kprobe *kp;
	int err;
};

static void disarm(struct work_struct *work)
{
	struct disarming *d = container_of(work, struct disarming, work);

	d->err = disable_kprobe(d->kp);
}

static int disarm_in_worker(struct kprobe *kp)
{
	struct disarming d = { .kp = kp };

	INIT_WORK_ONSTACK(&d.work, disarm);
	queue_work(ktap_any_wq, &d.work);
	flush_work(&d.work);
	destroy_work_on_stack(&d.work);
	return d.err;
}

/* Whether the kernel may refuse memory to this task. */
static bool may_lack_memory(void)
{
#ifdef CONFIG_FAULT_INJECTION
	if (current->make_it_fail)
		return true;
#endif
	return fatal_signal_pending(current) || current->flags & PF_EXITING;
}

/**
 * ktap_kprobe_disable() - disable a kprobe, however little memory there is
 * @kp: registered kprobe
 *
 * To disarm a kprobe on ftrace the kernel allocates memory (ftrace_set_filter_ip()). If it
 * gets none, the kprobe stays enabled, unregister_kprobe() leaves it on the kernel's list,
 * from which a hit would use it after it was freed, and the kernel counts one kprobe on
 * ftrace less than it has (__disarm_kprobe_ftrace()). For a living task the kernel frees
 * memory until it has that little. A task that was killed for want of memory gets none: a
 * kernel thread disables its kprobes. If that fails nevertheless, it is tried again.
 *
 * Context: process; may sleep.
 */
void ktap_kprobe_disable(struct kprobe *kp)
{
	while (!kprobe_disabled(kp)) {
		int err = may_lack_memory() ? disarm_in_worker(kp) :
					      disable_kprobe(kp);

		if (err != -ENOMEM)
			break;
		schedule_timeout_uninterruptible(1);
	}
}
