// SPDX-License-Identifier: GPL-2.0
/*
 * Scope by process tree, without a fork tracepoint.
 *
 * A kprobe on wake_up_new_task(), which every new task passes in the context of its
 * creator, copies the creator's bit to the new task. So a fork that reuses a pid also
 * resets its bit, and task exit need not be watched. Tasks that exist already are found
 * by walking the task list.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/threads.h>

#include "backend/ftrace.h"
#include "core/budget.h"
#include "core/probe.h"
#include "core/scope.h"

#define MAP_BYTES	(BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(long))

static DEFINE_MUTEX(scopes_lock); /* protects the list and the state of the hook */
static LIST_HEAD(scopes); /* read by the fork hook under RCU */
static bool hook_works;
static bool hook_holds; /* it keeps ftrace enabled */

/*
 * Clears the child's bit before it reads the creator's and then sets it. mark_tree()
 * marks a creator before its children. So a concurrent fork cannot undo the walk. Pairs
 * with the barriers in mark().
 */
static void inherit(unsigned long *map, pid_t creator, pid_t child)
{
	clear_bit(child, map);
	smp_mb__after_atomic(); /* D: clear before reading */
	if (test_bit(creator, map))
		set_bit(child, map);
}
NOKPROBE_SYMBOL(inherit);

static int on_fork(struct kprobe *kp, struct pt_regs *regs)
{
	const struct task_struct *child;
	struct ktap_scope *scope;

	child = (void *)regs_get_kernel_argument(regs, 0);
	list_for_each_entry_rcu(scope, &scopes, node, !preemptible())
		inherit(scope->map, current->pid, child->pid);
	/* G: the bits before the state; pairs with is_new(), uprobe_scope.c */
	smp_wmb();
	return 0;
}
NOKPROBE_SYMBOL(on_fork);

static struct kprobe fork_hook = {
	.symbol_name = "wake_up_new_task",
	.pre_handler = on_fork,
	.flags = KPROBE_FLAG_DISABLED,
};

/**
 * ktap_scope_init() - register the fork hook, disabled
 *
 * Context: module init.
 */
void ktap_scope_init(void)
{
	hook_works = !register_kprobe(&fork_hook);
}

/**
 * ktap_scope_exit() - unregister the fork hook
 *
 * Context: module exit; no scope is left.
 */
void ktap_scope_exit(void)
{
	if (hook_works)
		unregister_kprobe(&fork_hook);
}

/**
 * ktap_scope_works() - can this kernel follow new tasks?
 *
 * Context: any.
 * Return: whether the fork hook was registered.
 */
bool ktap_scope_works(void)
{
	return hook_works;
}

/*
 * The kprobe is at a function entry, which ftrace may serve (x86). While ftrace is
 * disabled, the kprobe is moved past the ftrace instruction.
 */
static int hook_on(void)
{
	int err = 0;

	mutex_lock(&ktap_kernel_arming.lock);
	if (kprobe_ftrace(&fork_hook))
		err = ktap_ftrace_hold();
	hook_holds = !err && kprobe_ftrace(&fork_hook);
	if (err == -ENXIO)
		err = ktap_kprobe_move_behind(&fork_hook, 0);
	if (!err)
		err = enable_kprobe(&fork_hook);
	if (err && hook_holds)
		ktap_ftrace_release();
	mutex_unlock(&ktap_kernel_arming.lock);
	return err;
}

static void hook_off(void)
{
	disable_kprobe(&fork_hook);
	mutex_lock(&ktap_kernel_arming.lock);
	if (hook_holds)
		ktap_ftrace_release();
	mutex_unlock(&ktap_kernel_arming.lock);
}

static int scope_begin(struct ktap_scope *scope)
{
	unsigned long *map;
	int err;

	if (!hook_works)
		return -EOPNOTSUPP;
	map = ktap_mem_alloc(KTAP_MEM_SCOPES, MAP_BYTES);
	if (IS_ERR(map))
		return PTR_ERR(map);
	mutex_lock(&scopes_lock);
	err = list_empty(&scopes) ? hook_on() : 0;
	if (!err) {
		scope->map = map;
		list_add_rcu(&scope->node, &scopes);
	}
	mutex_unlock(&scopes_lock);
	if (err)
		ktap_mem_free(KTAP_MEM_SCOPES, map, MAP_BYTES);
	return err;
}

/**
 * ktap_scope_deinit() - free a scope
 * @scope: scope that no attachment uses any more
 *
 * Context: process, without ktap locks; sleeps for a grace period.
 */
void ktap_scope_deinit(struct ktap_scope *scope)
{
	if (!scope->map)
		return;
	mutex_lock(&scopes_lock);
	list_del_rcu(&scope->node);
	if (list_empty(&scopes))
		hook_off();
	mutex_unlock(&scopes_lock);
	synchronize_rcu();
	ktap_mem_free(KTAP_MEM_SCOPES, scope->map, MAP_BYTES);
	scope->map = NULL;
}

static bool descends_from(const struct task_struct *t,
			  const struct task_struct *ancestor)
{
	while (t->group_leader != ancestor) {
		if (is_global_init(t->group_leader) || !t->pid)
			return false;
		t = rcu_dereference(t->real_parent);
	}
	return true;
}

static void mark(unsigned long *map, const struct task_struct *t)
{
	set_bit(t->pid, map);
	smp_mb__after_atomic(); /* D: the creator before its children */
}

static void mark_tree(unsigned long *map, struct task_struct *top, bool tree)
{
	struct task_struct *leader, *t;

	rcu_read_lock();
	for_each_process_thread(leader, t)
		if (leader == top || (tree && descends_from(leader, top)))
			mark(map, t);
	rcu_read_unlock();
}

/**
 * ktap_scope_add() - add a process to a scope
 * @scope: scope; unlimited until the first process is added
 * @pid: pid in the caller's namespace; a thread id selects its process
 * @tree: add its present descendants too
 *
 * Future threads and children of a task in scope are in scope whatever @tree says: the
 * fork hook cannot tell a thread from a process.
 *
 * Context: process, under the lock of the scope's session; may sleep.
 * Return: 0, -ESRCH, -ENOMEM, -ENOSPC, or -EOPNOTSUPP if this kernel cannot follow forks.
 */
int ktap_scope_add(struct ktap_scope *scope, pid_t pid, bool tree)
{
	struct task_struct *task;
	struct pid *ref;
	int err = 0;

	ref = find_get_pid(pid);
	task = get_pid_task(ref, PIDTYPE_PID);
	put_pid(ref);
	if (!task)
		return -ESRCH;
	if (!scope->map)
		err = scope_begin(scope);
	if (!err)
		mark_tree(scope->map, task->group_leader, tree);
	put_task_struct(task);
	return err;
}
