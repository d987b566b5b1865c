// SPDX-License-Identifier: GPL-2.0
/*
 * Decides which processes need the breakpoint of a probe: those that a session has in
 * scope. An unneeded breakpoint costs time, because the hit path discards its hits. A
 * missing one loses records. So every process that is not known to be out of scope gets
 * one.
 *
 * - When a probe is registered, each process that shares no memory with a task in scope
 *   is an outsider. Its mm is held until the registration is done, so that no new mm can
 *   have the same address. A process that is being forked may have a copy of the mappings
 *   and not yet its bit in the scope, so it is not an outsider.
 *
 * - When a process maps the file later, the filter checks current. A new task has its
 *   creator's bit before it runs (scope.c).
 *
 * - When another consumer of the same place is removed, the filter has no information
 *   about the other processes. The breakpoint stays.
 *
 * An outsider can come into scope only by KTAP_IOC_SCOPE or through a new session. Then
 * the probe is registered for it (widen in ktap_uprobe_backend).
 */
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "core/attach.h"
#include "backend/uprobe.h"

/**
 * struct ktap_mms - list of address spaces
 * @nr: length of @mm
 * @mm: each is referenced
 */
struct ktap_mms {
	u32 nr;
	struct mm_struct *mm[] __counted_by(nr);
};

/* Is the task in scope of any attachment? Under RCU. */
static bool task_wanted(const struct ktap_probe *p, const struct task_struct *t)
{
	const unsigned long *scope;
	const struct ktap_attach *a;

	list_for_each_entry_rcu(a, &p->site.attached, in_probe) {
		scope = READ_ONCE(a->scope);
		if (!scope || test_bit(t->pid, scope))
			return true;
	}
	return false;
}

/**
 * ktap_uprobe_everywhere() - does any session need all processes?
 * @p: probe
 * @but: attachment to skip, or NULL
 *
 * Context: any in which RCU watches.
 */
bool ktap_uprobe_everywhere(const struct ktap_probe *p,
			    const struct ktap_attach *but)
{
	const struct ktap_attach *a;
	bool found = false;

	rcu_read_lock();
	list_for_each_entry_rcu(a, &p->site.attached, in_probe)
		if (a != but && !READ_ONCE(a->scope))
			found = true;
	rcu_read_unlock();
	return found;
}

/**
 * ktap_uprobe_wants() - does an address space need the breakpoint?
 * @p: probe
 * @mm: address space
 *
 * A thread group is in scope as a whole. The number of users of @mm shows whether other
 * processes share it (vfork).
 *
 * Context: process; holds locks of uprobes and of @mm, and does not sleep.
 */
bool ktap_uprobe_wants(const struct ktap_probe *p, struct mm_struct *mm)
{
	bool wanted;

	if (mm != current->mm ||
	    atomic_read(&mm->mm_users) > atomic_read(&current->signal->live))
		return true;
	/* an RCU read-side section too, without the calls of rcu_read_lock() */
	preempt_disable();
	wanted = task_wanted(p, current);
	preempt_enable();
	return wanted;
}

/* ---- outsiders ------------------------------------------------------------- */

/**
 * ktap_mms_has() - is an address space in a list?
 * @mms: list, or NULL
 * @mm: address space
 *
 * Context: any.
 */
bool ktap_mms_has(const struct ktap_mms *mms, const struct mm_struct *mm)
{
	u32 i;

	for (i = 0; i < mms->nr; i++)
		if (mms->mm[i] == mm)
			return true;
	return false;
}

/**
 * ktap_mms_free() - release a list
 * @mms: list, or NULL
 *
 * Context: process; may sleep.
 */
void ktap_mms_free(struct ktap_mms *mms)
{
	u32 i;

	if (!mms)
		return;
	for (i = 0; i < mms->nr; i++)
		mmdrop(mms->mm[i]);
	kvfree(mms);
}

static u32 count_processes(void)
{
	const struct task_struct *p;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process(p)
		nr++;
	rcu_read_unlock();
	return nr;
}

/* The address space of a process, referenced; NULL: none. */
static struct mm_struct *hold_mm(struct task_struct *leader)
{
	struct mm_struct *mm = NULL;
	struct task_struct *t;

	/* the leader may have exited while other threads run */
	for_each_thread(leader, t) {
		task_lock(t);
		if (t->mm && !(t->flags & PF_KTHREAD)) {
			mm = t->mm;
			mmgrab(mm);
		}
		task_unlock(t);
		if (mm)
			break;
	}
	return mm;
}

/*
 * A task that was created but not woken yet has no bit. on_fork() writes the bit before
 * the state.
 */
static bool is_new(const struct task_struct *t)
{
	bool is_new = ktap_task_state(t) & TASK_NEW;

	smp_rmb(); /* G: read the state before the bit; pairs with on_fork() */
	return is_new;
}

static bool process_wanted(const struct ktap_probe *p,
			   struct task_struct *leader)
{
	struct task_struct *t;

	for_each_thread(leader, t)
		if (is_new(t) || task_wanted(p, t))
			return true;
	return false;
}

/* Collects at most @max processes. */
static struct ktap_mms *collect(const struct ktap_probe *p, u32 max,
				bool wanted)
{
	struct task_struct *leader;
	struct ktap_mms *mms;

	mms = kvzalloc(struct_size(mms, mm, max), GFP_KERNEL);
	if (!mms)
		return NULL;
	rcu_read_lock();
	for_each_process(leader) {
		struct mm_struct *mm;

		if (process_wanted(p, leader) != wanted)
			continue;
		mm = hold_mm(leader);
		if (!mm)
			continue;
		if (mms->nr == max) {
			mmdrop(mm);
			break;
		}
		mms->nr++;
		mms->mm[mms->nr - 1] = mm;
	}
	rcu_read_unlock();
	return mms;
}

/* Drops address spaces that a task in scope uses too. */
static void leave_out(struct ktap_mms *mms, const struct ktap_mms *but)
{
	u32 i, kept = 0;

	for (i = 0; i < mms->nr; i++)
		if (ktap_mms_has(but, mms->mm[i]))
			mmdrop(mms->mm[i]);
		else
			mms->mm[kept++] = mms->mm[i];
	mms->nr = kept;
}

/**
 * ktap_uprobe_outsiders() - collect the address spaces that need no breakpoint
 * @p: probe
 *
 * Context: process; may sleep.
 * Return: list, freed by ktap_mms_free(); NULL: none, or no memory.
 */
struct ktap_mms *ktap_uprobe_outsiders(const struct ktap_probe *p)
{
	struct ktap_mms *mms, *in_scope;
	u32 max;

	if (ktap_uprobe_everywhere(p, NULL))
		return NULL;
	max = count_processes();
	mms = collect(p, max, false);
	in_scope = mms ? collect(p, max, true) : NULL;
	if (!in_scope || in_scope->nr == max) {
		ktap_mms_free(mms);
		mms = NULL;
	} else {
		leave_out(mms, in_scope);
	}
	ktap_mms_free(in_scope);
	return mms;
}
