/* SPDX-License-Identifier: GPL-2.0 */
/* The ftrace hook: serves function entries through one struct ftrace_ops. */
#ifndef KTAP_FTRACE_H
#define KTAP_FTRACE_H

#include "arch/arch.h"
#include "compat.h"
#include "backend/kprobe.h"

/*
 * Can the hook make the kernel follow a call for a kretprobe? The handler of its kprobe then
 * needs no more registers than the hook has.
 */
#if defined(KTAP_FTRACE_FLAGS) && defined(CONFIG_KRETPROBE_ON_RETHOOK)
#define KTAP_FTRACE_FOLLOWS	KTAP_ARCH_CALL_PUSHES
#else
#define KTAP_FTRACE_FOLLOWS	0
#endif

#ifdef KTAP_FTRACE_FLAGS

/**
 * struct ktap_ftrace_slot - slot of the hash table
 * @ip: ip with which the hook is called; 0: free, ends a search
 * @probe: address of the armed probe. Its lowest bit is set if the fast path must not serve
 *	it, because it follows calls (kretprobe.c). KTAP_FTRACE_NONE: disarmed, or the first
 *	slot of an address whose probes are in later slots
 */
struct ktap_ftrace_slot {
	unsigned long ip;
	unsigned long probe;
};

#define KTAP_FTRACE_NONE	1UL
#define KTAP_FTRACE_SPECIAL	1UL

static __always_inline struct ktap_kprobe *ktap_ftrace_probe(unsigned long probe)
{
	return (void *)(probe & ~KTAP_FTRACE_SPECIAL);
}

/**
 * struct ktap_ftrace_table - hash table of all armed probes, by ip
 * @shift: shift from the hash of an ip to the offset of its first slot, in bytes
 * @nr: number of armed probes when the table was made
 * @size: size in bytes
 * @slots: open addressing. At most half of the slots are used, so that searches are
 *	short. The array extends past the range of the hash, so that searches do not wrap
 *
 * A published table changes only by removal of probes.
 */
struct ktap_ftrace_table {
	unsigned int shift;
	unsigned int nr;
	size_t size;
	struct ktap_ftrace_slot slots[];
};

/* Fibonacci hashing: functions are aligned, so the low bits carry no information. */
static __always_inline struct ktap_ftrace_slot *
ktap_ftrace_first(const struct ktap_ftrace_table *t, unsigned long ip)
{
	unsigned long bytes = (ip * 0x9e3779b97f4a7c15UL) >> t->shift;

	BUILD_BUG_ON_NOT_POWER_OF_2(sizeof(struct ktap_ftrace_slot));
	return (void *)t->slots + (bytes & -sizeof(struct ktap_ftrace_slot));
}

extern struct ktap_ftrace_table *ktap_ftrace_table;

void ktap_ftrace_handler(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *op, struct ftrace_regs *fregs);

bool ktap_ftrace_works(void);
bool ktap_ftrace_is_on(void);
int ktap_ftrace_hold(void);
void ktap_ftrace_release(void);
void ktap_ftrace_exit(void);
unsigned long ktap_ftrace_find_site(unsigned long addr);
unsigned long ktap_ftrace_behind(unsigned long site, u64 regs);
bool ktap_ftrace_serves(u64 regs);
int ktap_ftrace_arm(struct ktap_probe **probes, int nr);
void ktap_ftrace_disarm(struct ktap_probe **probes, int nr);
void ktap_ftrace_wait(void);

#else

static inline bool ktap_ftrace_works(void)
{
	return false;
}

static inline bool ktap_ftrace_is_on(void)
{
	return false;
}

static inline int ktap_ftrace_hold(void)
{
	return -EOPNOTSUPP;
}

static inline void ktap_ftrace_release(void)
{
}

static inline void ktap_ftrace_exit(void)
{
}

static inline unsigned long ktap_ftrace_find_site(unsigned long addr)
{
	return 0;
}

static inline unsigned long ktap_ftrace_behind(unsigned long site, u64 regs)
{
	return 0;
}

static inline bool ktap_ftrace_serves(u64 regs)
{
	return false;
}

static inline int ktap_ftrace_arm(struct ktap_probe **probes, int nr)
{
	return -EOPNOTSUPP;
}

static inline void ktap_ftrace_disarm(struct ktap_probe **probes, int nr)
{
}

static inline void ktap_ftrace_wait(void)
{
}

#endif
#endif /* KTAP_FTRACE_H */
