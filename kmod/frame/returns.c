// SPDX-License-Identifier: GPL-2.0
/*
 * A table of return addresses, by the place of the stack that stands for each: before 5.16. There
 * a kretprobe's instances are in a table of the kernel that needs a lock, so the unwinder of
 * x86-64 ends a stack at the trampoline. On arm64 the kernel knows a call by a stack pointer,
 * which no frame record tells.
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

#include "arch/arch.h"
#include "arch/symbol.h"
#include "frame/returns.h"

#if KTAP_KEEPS_RETURNS

#define SET_BITS	7
#define WAYS		8U
#define BUSY		1UL	/* no place of a stack */

/* struct entry - @place: ktap_arch_return_place(); 0: free. @address: where it returns to */
struct entry {
	unsigned long place;
	unsigned long address;
};

static struct entry table[BIT(SET_BITS)][WAYS];
static DEFINE_MUTEX(lock);
static unsigned int nr_users;
/* What the kernel puts in place of return addresses: for a kretprobe, for a tracer; 0: none. */
static unsigned long trampoline, tracer;

static void learn_fakes(void)
{
	WRITE_ONCE(trampoline, ktap_symbol_address(KTAP_RETURN_TRAMPOLINE));
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER))
		WRITE_ONCE(tracer, ktap_symbol_address("return_to_handler"));
}

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
		learn_fakes();
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

static struct entry *set_of(unsigned long place)
{
	return table[hash_long(place, SET_BITS)];
}
NOKPROBE_SYMBOL(set_of);

static struct entry *entry_of(unsigned long place)
{
	struct entry *set = set_of(place);
	unsigned int i;

	for (i = 0; i < WAYS && place; i++)
		if (READ_ONCE(set[i].place) == place)
			return &set[i];
	return NULL;
}
NOKPROBE_SYMBOL(entry_of);

/* Claims an entry: a free one, or any if none is free. Return: NULL: others were faster. */
static struct entry *claim(unsigned long place)
{
	struct entry *set = set_of(place), *any = &set[place / sizeof(long) % WAYS];
	unsigned long old = READ_ONCE(any->place);
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		if (!READ_ONCE(set[i].place) && !cmpxchg(&set[i].place, 0, BUSY))
			return &set[i];
	return old != BUSY && cmpxchg(&any->place, old, BUSY) == old ? any : NULL;
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
	return address && address == READ_ONCE(trampoline);
}
NOKPROBE_SYMBOL(ktap_return_is_fake);

static void forget(unsigned long place)
{
	struct entry *e = READ_ONCE(nr_users) ? entry_of(place) : NULL;

	if (e)
		cmpxchg(&e->place, place, 0);
}
NOKPROBE_SYMBOL(forget);

/**
 * ktap_return_forget() - a call has returned
 * @ri: its instance
 * @regs: registers of the return
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_return_forget(const struct kretprobe_instance *ri, const struct pt_regs *regs)
{
	forget(ktap_arch_returned_place(regs, (unsigned long)ri->fp));
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
	unsigned long place = ktap_arch_return_place(regs), address;
	struct entry *e;

	if (!READ_ONCE(nr_users) || !place)
		return;
	address = ktap_arch_return_address(regs);
	/* of several probes on a call, the first one finds the address */
	if (address == READ_ONCE(trampoline))
		return;
	if (unlikely(address == READ_ONCE(tracer))) {
		/* the kernel traces the return, and has the address */
		forget(place);
		return;
	}
	e = entry_of(place);
	/* what a dead task has left; another CPU may be claiming it */
	if (!e || cmpxchg(&e->place, place, BUSY) != place)
		e = claim(place);
	if (!e)
		return;
	WRITE_ONCE(e->address, address);
	barrier(); /* a nested hit of this task finds either no place or both */
	WRITE_ONCE(e->place, place);
}
NOKPROBE_SYMBOL(ktap_return_keep);

/**
 * ktap_return_find() - the return address that was replaced
 * @place: place on the current task's stack, or on the stack of an interrupt on this CPU
 *
 * Context: any, NMI included; preemption disabled.
 * Return: the address; 0: it is not known.
 */
unsigned long ktap_return_find(unsigned long place)
{
	struct entry *e = entry_of(place);
	unsigned long address;

	if (!e)
		return 0;
	address = READ_ONCE(e->address);
	/* another stack's call may have taken the entry */
	smp_rmb(); /* V: pairs with the full barrier of claim() */
	return READ_ONCE(e->place) == place ? address : 0;
}
NOKPROBE_SYMBOL(ktap_return_find);
#endif
