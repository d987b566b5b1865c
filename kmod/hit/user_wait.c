// SPDX-License-Identifier: GPL-2.0
/*
 * Reads of user memory that is not resident, for hits that may wait.
 *
 * A page fault in the kernel has no time limit: the page may belong to a userfaultfd
 * whose reader never answers, to FUSE, or to a server that is down, and only a fatal
 * signal ends most of these waits. But unregistering a uprobe waits for the hit. So the
 * hit does not take the fault itself. Kernel threads of ktap, the servants, fault pages
 * in, one page at a time, in an address space that they hold. The hit waits for a servant
 * with a timeout, and then reads without faulting. The total waiting time of a hit is
 * counted from its first such read. After that the value is a fault, and so is every
 * later value of that hit that is not resident.
 *
 * Repeated faults that do not wait (FAULT_FLAG_RETRY_NOWAIT) would need no servants, but
 * have no bound either: file systems read metadata before they begin to read a page, FUSE
 * queues the request, and a userfaultfd is not notified of them.
 *
 * A hit that times out sends its servant a signal, which ends every wait that a fatal
 * signal ends in any task. If that does not help (a FUSE server that has the request and
 * does not answer), the servant stays blocked in that address space, as a thread of that
 * process would. Other hits cannot use it; at most NR_SERVANTS of them wait at once. A
 * blocked servant holds the module, so that rmmod fails at once and does not hang.
 */
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "compat.h"
#include "hit/env.h"
#include "hit/user_wait.h"

#define NR_SERVANTS	8
#define WAIT_MS_MAX	1000U

/* A page that was faulted in may be reclaimed before it is read. */
#define TRIES_MAX	3

static unsigned int user_wait_ms = 100;
module_param(user_wait_ms, uint, 0644);
MODULE_PARM_DESC(user_wait_ms,
		 "milliseconds that a hit of user code may wait for memory, at most 1000");

/**
 * enum duty - state of a servant
 * @DUTY_NONE: idle
 * @DUTY_ASKED: faulting in a page for a hit that waits
 * @DUTY_DONE: done, and the hit has not read the result yet
 * @DUTY_LEFT: faulting in a page for a hit that has timed out
 */
enum duty {
	DUTY_NONE,
	DUTY_ASKED,
	DUTY_DONE,
	DUTY_LEFT,
};

/**
 * struct servant - a thread that faults pages in
 * @task: thread, or NULL: not started
 * @wq: wait queue of the servant and of the hit that it serves
 * @duty: state
 * @mm: address space, held from DUTY_ASKED to DUTY_DONE
 * @addr: address in the page
 * @err: result
 */
struct servant {
	struct task_struct *task;
	wait_queue_head_t wq;
	enum duty duty;
	struct mm_struct *mm;
	unsigned long addr;
	int err;
};

static struct servant servants[NR_SERVANTS];
static DEFINE_SPINLOCK(servants_lock); /* protects the states of all servants */
static DECLARE_WAIT_QUEUE_HEAD(idle_wq);
static DEFINE_MUTEX(start_mutex); /* serialises their start */

/* ---- servants ---------------------------------------------------------------- */

static int bring_page(struct mm_struct *mm, unsigned long addr)
{
	bool unlocked;
	int err;

	err = mmap_read_lock_killable(mm);
	if (err)
		return err;
	err = fixup_user_fault(mm, addr, FAULT_FLAG_REMOTE, &unlocked);
	mmap_read_unlock(mm);
	return err;
}

/*
 * A hit that timed out has sent a signal under the lock. It is cleared here, so that it
 * does not end the next duty.
 */
static void end_duty(struct servant *s, int err)
{
	bool left;

	spin_lock(&servants_lock);
	left = s->duty == DUTY_LEFT;
	s->err = err;
	s->duty = left ? DUTY_NONE : DUTY_DONE;
	flush_signals(current);
	spin_unlock(&servants_lock);
	if (!left) {
		wake_up(&s->wq);
		return;
	}
	wake_up(&idle_wq);
	/* the code stays loaded: module exit waits for this thread */
	module_put(THIS_MODULE);
}

static bool is_busy(struct servant *s)
{
	enum duty duty;

	spin_lock(&servants_lock);
	duty = s->duty;
	spin_unlock(&servants_lock);
	return duty == DUTY_ASKED || duty == DUTY_LEFT;
}

static int serve(void *arg)
{
	struct servant *s = arg;
	int err;

	allow_kernel_signal(SIGKILL);
	while (!kthread_should_stop()) {
		wait_event_idle(s->wq, is_busy(s) || kthread_should_stop());
		if (!is_busy(s))
			continue;
		err = bring_page(s->mm, s->addr);
		/* drops the last reference if the process has exited meanwhile */
		mmput(s->mm);
		end_duty(s, err);
	}
	return 0;
}

static int start_servant(struct servant *s, int nr)
{
	struct task_struct *task;

	init_waitqueue_head(&s->wq);
	task = kthread_run(serve, s, "ktap_memory/%d", nr);
	if (IS_ERR(task))
		return PTR_ERR(task);
	spin_lock(&servants_lock);
	s->task = task;
	spin_unlock(&servants_lock);
	return 0;
}

/**
 * ktap_user_wait_start() - start the servants, because hits may wait
 *
 * They run until ktap_user_wait_exit().
 *
 * Context: process; allocates memory.
 * Return: 0, -ENOMEM or -EINTR.
 */
int ktap_user_wait_start(void)
{
	int i, err = 0;

	mutex_lock(&start_mutex);
	for (i = 0; i < NR_SERVANTS && !err; i++)
		if (!servants[i].task)
			err = start_servant(&servants[i], i);
	mutex_unlock(&start_mutex);
	return err;
}

/**
 * ktap_user_wait_exit() - stop the servants
 *
 * A busy servant would hold the module, so all are idle.
 *
 * Context: module exit, no handler runs.
 */
void ktap_user_wait_exit(void)
{
	int i;

	for (i = 0; i < NR_SERVANTS; i++)
		if (servants[i].task)
			kthread_stop(servants[i].task);
}

/* ---- hits -------------------------------------------------------------------- */

/**
 * ktap_user_wait_begin() - begin a hit that may wait
 * @wait: filled
 *
 * Context: process, the task that hit; preemption disabled if the CPU matters.
 */
void ktap_user_wait_begin(struct ktap_user_wait *wait)
{
	unsigned int ms = min(READ_ONCE(user_wait_ms), WAIT_MS_MAX);

	wait->cpu = raw_smp_processor_id();
	wait->until = jiffies + msecs_to_jiffies(ms);
	wait->over = !ms;
}

static struct servant *idle_servant(void)
{
	struct servant *s;

	for (s = servants; s < servants + NR_SERVANTS; s++)
		if (s->task && s->duty == DUTY_NONE)
			return s;
	return NULL;
}

/* Return: servant that faults in the page of @addr, or NULL: all are busy. */
static struct servant *ask(unsigned long addr)
{
	struct servant *s;

	spin_lock(&servants_lock);
	s = idle_servant();
	if (s) {
		s->mm = current->mm;
		mmget(s->mm);
		s->addr = addr;
		s->duty = DUTY_ASKED;
	}
	spin_unlock(&servants_lock);
	if (s)
		wake_up(&s->wq);
	return s;
}

static bool is_done(struct servant *s)
{
	bool done;

	spin_lock(&servants_lock);
	done = s->duty == DUTY_DONE;
	spin_unlock(&servants_lock);
	return done;
}

/* Return: result of the servant; -ETIMEDOUT: none, and the hit waits no more. */
static int leave(struct servant *s)
{
	int err = -ETIMEDOUT;

	spin_lock(&servants_lock);
	if (s->duty == DUTY_DONE) {
		err = s->err;
		s->duty = DUTY_NONE;
	} else {
		s->duty = DUTY_LEFT;
		send_sig(SIGKILL, s->task, 1);
	}
	spin_unlock(&servants_lock);
	if (err == -ETIMEDOUT)
		return err; /* the servant drops the reference on the module */
	wake_up(&idle_wq);
	module_put(THIS_MODULE);
	return err;
}

/* In jiffies; 0: none. */
static long time_left(const struct ktap_user_wait *wait)
{
	return max(0L, (long)(wait->until - jiffies));
}

/* The module is held. Return: as bring_in(). */
static int have_brought(struct ktap_user_wait *wait, unsigned long addr)
{
	struct servant *s;
	long left;

	left = wait_event_killable_timeout(idle_wq, (s = ask(addr)),
					   time_left(wait));
	if (left <= 0) {
		module_put(THIS_MODULE);
		return -ETIMEDOUT;
	}
	/* a fatal signal or the timeout: leave() finds out which */
	(void)wait_event_killable_timeout(s->wq, is_done(s), time_left(wait));
	return leave(s);
}

/* Most addresses that cannot be read are in no mapping, which needs no servant. */
static bool may_be_memory(unsigned long addr)
{
	struct mm_struct *mm = current->mm;
	bool may = true;

	if (addr >= TASK_SIZE_MAX)
		return false;
	if (mmap_read_trylock(mm)) {
		may = ktap_vma_at(mm, addr);
		mmap_read_unlock(mm);
	}
	return may;
}

/* Return: 0: try again; or -EFAULT, -ENOMEM, -ETIMEDOUT. */
static int bring_in(struct ktap_user_wait *wait, unsigned long addr)
{
	int err;

	addr = untagged_addr(addr);
	if (!time_left(wait))
		wait->over = true;
	if (wait->over || !may_be_memory(addr))
		return -EFAULT;
	/* fails when the module is about to be unloaded */
	err = try_module_get(THIS_MODULE) ? have_brought(wait, addr) :
					    -ETIMEDOUT;
	if (err == -ETIMEDOUT)
		wait->over = true;
	return err;
}

static long try_bytes(char *dst, u64 addr, u32 size)
{
	return copy_from_user_nofault(dst, (const void __user *)addr, size);
}

static long try_string(char *dst, u64 addr, u32 max)
{
	return env_string(dst, addr, max, ENV_USER);
}

/*
 * Reads inside one page. Preemption is disabled for the try: if the task moved to another
 * CPU, resident memory could be reported as a fault. Return: as @try.
 */
static long read_part(struct ktap_user_wait *wait,
		      long (*try)(char *dst, u64 addr, u32 size), char *dst,
		      u64 addr, u32 size)
{
	unsigned int tries;
	long ret;

	for (tries = 0;; tries++) {
		preempt_disable();
		ret = try(dst, addr, size);
		preempt_enable();
		if (ret >= 0)
			return ret;
		if (tries == TRIES_MAX || bring_in(wait, addr))
			return -EFAULT;
	}
}

/* Bytes from @addr to the end of its page, at most @max. */
static u32 in_page(u64 addr, u32 max)
{
	return min_t(u64, max, PAGE_SIZE - offset_in_page(addr));
}

/**
 * ktap_user_read() - read user memory, and wait until it is resident
 * @wait: of the hit
 * @dst: destination
 * @addr: address in the current task's memory
 * @size: bytes
 *
 * Context: process, preemptible; any, if @wait is over.
 * Return: 0 or -EFAULT.
 */
int ktap_user_read(struct ktap_user_wait *wait, void *dst, u64 addr, u32 size)
{
	u32 at, n;

	for (at = 0; at < size; at += n) {
		n = in_page(addr + at, size - at);
		if (read_part(wait, try_bytes, dst + at, addr + at, n))
			return -EFAULT;
	}
	return 0;
}

/**
 * ktap_user_string() - read a string in user memory, and wait until it is resident
 * @wait: of the hit
 * @dst: destination of @max bytes
 * @addr: address in the current task's memory
 * @max: limit, with the NUL; at most KTAP_STRING_MAX
 *
 * Does not wait for pages past the end of the string.
 *
 * Context: process, preemptible; any, if @wait is over.
 * Return: as env_string().
 */
long ktap_user_string(struct ktap_user_wait *wait, char *dst, u64 addr, u32 max)
{
	long got;
	u32 at, n;

	for (at = 0; at < max; at += n) {
		n = in_page(addr + at, max - at);
		got = read_part(wait, try_string, dst + at, addr + at, n);
		if (got < 0)
			return got;
		if (got < n)
			return at + got;
	}
	return max;
}
