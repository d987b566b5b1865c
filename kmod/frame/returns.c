// SPDX-License-Identifier: GPL-2.0
/*
 * A table of return addresses, by the place of the stack that had them: x86-64 before 5.16.
 * There a kretprobe's instances are in a table of the kernel that needs a lock, so the kernel's
 * unwinder ends a stack at the trampoline.
 *
 * A stack belongs to one task, which adds, looks up and removes the places of its own stack
 * alone; a nested hit runs between two of its instructions. So an entry with a place is
 * complete. A task that dies in the function leaves its entry: the next call with that
 * place replaces it, and so does any other call whose set is full.
 *
 * Addresses are kept while a session takes stacks. A call that began before that ends a
 * stack.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "arch/orc.h"
#include "frame/returns.h"

#if KTAP_KEEPS_RETURNS

#define SET_BITS	7
#define WAYS		8U
#define BUSY		1UL	/* no place of a stack */

/* struct entry - @slot: place on the stack; 0: free. @address: what it had */
struct entry {
	unsigned long slot;
	unsigned long address;
};

static struct entry table[BIT(SET_BITS)][WAYS];
static DEFINE_MUTEX(lock);
static unsigned int nr_users;

/**
 * ktap_returns_hold() - keep return addresses from now on
 *
 * Context: process; may sleep.
 */
void ktap_returns_hold(void)
{
	mutex_lock(&lock);
	if (!nr_users) {
		/* hits that have seen the last user are done; what they kept may be stale */
		synchronize_rcu();
		memset(table, 0, sizeof(table));
	}
	WRITE_ONCE(nr_users, nr_users + 1);
	mutex_unlock(&lock);
}

/**
 * ktap_returns_drop() - end of a user
 *
 * Context: process; may sleep.
 */
void ktap_returns_drop(void)
{
	mutex_lock(&lock);
	WRITE_ONCE(nr_users, nr_users - 1);
	mutex_unlock(&lock);
}

static struct entry *set_of(unsigned long slot)
{
	return table[hash_long(slot, SET_BITS)];
}
NOKPROBE_SYMBOL(set_of);

static struct entry *entry_of(unsigned long slot)
{
	struct entry *set = set_of(slot);
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		if (READ_ONCE(set[i].slot) == slot)
			return &set[i];
	return NULL;
}
NOKPROBE_SYMBOL(entry_of);

/* Claims an entry: a free one, or any if none is free. Return: NULL: others were faster. */
static struct entry *claim(unsigned long slot)
{
	struct entry *set = set_of(slot), *any = &set[slot / sizeof(long) % WAYS];
	unsigned long old = READ_ONCE(any->slot);
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		if (!READ_ONCE(set[i].slot) && !cmpxchg(&set[i].slot, 0, BUSY))
			return &set[i];
	return old != BUSY && cmpxchg(&any->slot, old, BUSY) == old ? any : NULL;
}
NOKPROBE_SYMBOL(claim);

/**
 * ktap_return_is_fake() - is it the address of the kretprobes' trampoline?
 * @address: return address
 *
 * Context: any.
 * Return: whether it is; false if its address is not known.
 */
bool ktap_return_is_fake(unsigned long address)
{
	const struct ktap_orc *o = ktap_orc();

	return o && address == o->fakes[1];
}
NOKPROBE_SYMBOL(ktap_return_is_fake);

/**
 * ktap_return_forget() - a call has returned
 * @slot: place of its return address
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_return_forget(unsigned long slot)
{
	struct entry *e = READ_ONCE(nr_users) ? entry_of(slot) : NULL;

	if (e)
		cmpxchg(&e->slot, slot, 0);
}
NOKPROBE_SYMBOL(ktap_return_forget);

/**
 * ktap_return_keep() - keep the return address of a call, which the kernel replaces next
 * @regs: registers at the entry of the function
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_return_keep(const struct pt_regs *regs)
{
	unsigned long slot = regs->sp, address;
	const struct ktap_orc *o = ktap_orc();
	struct entry *e;

	if (!READ_ONCE(nr_users))
		return;
	address = READ_ONCE_NOCHECK(*(unsigned long *)slot);
	/* of several probes on a call, the first one finds the address; no tables: no walk asks */
	if (!o || address == o->fakes[1])
		return;
	if (unlikely(address == o->fakes[0])) {
		/* the kernel traces the return, and has the address */
		ktap_return_forget(slot);
		return;
	}
	e = entry_of(slot);
	/* what a dead task has left; another CPU may be claiming it */
	if (!e || cmpxchg(&e->slot, slot, BUSY) != slot)
		e = claim(slot);
	if (!e)
		return;
	WRITE_ONCE(e->address, address);
	barrier(); /* a nested hit of this task finds either no place or both */
	WRITE_ONCE(e->slot, slot);
}
NOKPROBE_SYMBOL(ktap_return_keep);

/**
 * ktap_return_find() - the return address that was replaced
 * @slot: place on the current task's stack, or on the stack of an interrupt on this CPU
 *
 * Context: any, NMI included; preemption disabled.
 * Return: the address; 0: it is not known.
 */
unsigned long ktap_return_find(unsigned long slot)
{
	struct entry *e = entry_of(slot);
	unsigned long address;

	if (!e)
		return 0;
	address = READ_ONCE(e->address);
	/* another stack's call may have taken the entry */
	smp_rmb(); /* V: pairs with the full barrier of claim() */
	return READ_ONCE(e->slot) == slot ? address : 0;
}
NOKPROBE_SYMBOL(ktap_return_find);
#endif
