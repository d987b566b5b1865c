// SPDX-License-Identifier: GPL-2.0
/*
 * A table of return addresses that kretprobes have replaced: before 5.16. There the unwinder of
 * x86-64 does not look for the address, and ends the stack at the trampoline. On arm64 the kernel
 * knows a call by its stack pointer, which no frame record has. So the key is another place on the
 * stack, which a walk knows: ktap_arch_return_place().
 *
 * A stack belongs to one task, which adds, looks up and removes the places of its own stack
 * alone; a nested hit runs between two of its instructions. So an entry with a place is
 * complete. A task that dies in the function leaves its entry. The next call with that place
 * replaces it, and so does any other call whose set is full; another task does not find it.
 *
 * Addresses are kept while a session takes stacks. A call that began before that ends a
 * stack. So does a call whose probe was removed: its return is not seen.
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
#define TRAMPOLINE_SIZE	256	/* or less */

/**
 * struct entry - a call
 * @place: ktap_arch_return_place(); 0: free
 * @address: where it returns to
 * @rp: what follows it
 * @pid: of the task that it belongs to, or that it interrupted
 */
struct entry {
	unsigned long place;
	unsigned long address;
	const struct kretprobe *rp;
	pid_t pid;
};

static struct entry table[BIT(SET_BITS)][WAYS];
static DEFINE_MUTEX(lock);
static unsigned int nr_users;
/* What the kernel puts in place of return addresses: for a kretprobe, for a tracer; 0: none. */
static unsigned long trampoline, tracer;

static void learn_fakes(void)
{
	if (trampoline)
		return;
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
		learn_fakes();
		/* hits that have seen the last user are done; what they kept may be stale */
		synchronize_rcu();
		memset(table, 0, sizeof(table));
	}
	/* W: table, addresses, release of the number; pairs with ktap_return_keep() */
	smp_store_release(&nr_users, nr_users + 1);
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

/**
 * ktap_returns_forget() - a probe is unregistered: its calls return unseen
 * @rp: the probe
 *
 * Context: process.
 */
void ktap_returns_forget(const struct kretprobe *rp)
{
	struct entry *e = &table[0][0], *end = e + ARRAY_SIZE(table) * WAYS;
	unsigned long place;

	for (; e < end; e++) {
		place = READ_ONCE(e->place);
		/* if it is another probe's now, that call ends a stack, too */
		if (place != BUSY && READ_ONCE(e->rp) == rp)
			cmpxchg(&e->place, place, 0);
	}
}

static struct entry *set_of(unsigned long place)
{
	return table[hash_long(place, SET_BITS)];
}
NOKPROBE_SYMBOL(set_of);

/* It is not BUSY, nor what a register may have in assembly. */
static bool is_place(unsigned long place)
{
	return place && IS_ALIGNED(place, sizeof(long));
}
NOKPROBE_SYMBOL(is_place);

static struct entry *entry_of(unsigned long place)
{
	struct entry *set = set_of(place);
	unsigned int i;

	if (!is_place(place))
		return NULL;
	for (i = 0; i < WAYS; i++)
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

/**
 * ktap_return_is_within() - is it in the code of the kretprobes' trampoline, or just after?
 * @address: where code was stopped, or a return address
 *
 * Context: any.
 * Return: whether it is, but at the begin, which ktap_return_is_fake() tells.
 */
bool ktap_return_is_within(unsigned long address)
{
	return address - READ_ONCE(trampoline) - 1 < TRAMPOLINE_SIZE && READ_ONCE(trampoline);
}
NOKPROBE_SYMBOL(ktap_return_is_within);

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
 * @rp: what follows the call
 * @regs: registers at the entry of the function
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_return_keep(const struct kretprobe *rp, const struct pt_regs *regs)
{
	unsigned long place = ktap_arch_return_place(regs), address;
	struct entry *e;

	/* W: acquire of the number, table, addresses; pairs with ktap_returns_hold() */
	if (!smp_load_acquire(&nr_users) || !is_place(place))
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
	WRITE_ONCE(e->rp, rp);
	WRITE_ONCE(e->pid, current->pid);
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
	address = READ_ONCE(e->pid) == current->pid ? READ_ONCE(e->address) : 0;
	/* another stack's call may have taken the entry */
	smp_rmb(); /* V: pairs with the full barrier of claim() */
	return READ_ONCE(e->place) == place ? address : 0;
}
NOKPROBE_SYMBOL(ktap_return_find);
#endif
