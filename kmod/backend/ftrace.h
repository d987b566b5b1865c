/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ftrace hook: function entries, all through one struct ftrace_ops.
 */
#ifndef KTAP_FTRACE_H
#define KTAP_FTRACE_H

#include "compat.h"
#include "backend/kprobe.h"

#ifdef KTAP_FTRACE_FLAGS

/**
 * struct ktap_ftrace_slot - an armed probe
 * @ip: what the hook is called with; 0: free, and the end of a search
 * @probe: NULL: disarmed since; or, in the first slot of an address, its probes
 *	are in later ones
 */
struct ktap_ftrace_slot {
	unsigned long ip;
	struct ktap_kprobe *probe;
};

/**
 * struct ktap_ftrace_table - all armed probes, by ip
 * @shift: of an ip's hash, to the first slot of a search
 * @nr: armed when it was made
 * @size: bytes of it
 * @slots: open addressing; never more than half full, so that searches are
 *	short, and longer than the hash reaches, so that they never wrap
 *
 * A table is written once, but for probes that are taken out.
 */
struct ktap_ftrace_table {
	unsigned int shift;
	unsigned int nr;
	size_t size;
	struct ktap_ftrace_slot slots[];
};

/* Fibonacci hashing: functions are aligned, so the low bits say nothing. */
static __always_inline unsigned long
ktap_ftrace_hash(const struct ktap_ftrace_table *t, unsigned long ip)
{
	return (ip * 0x9e3779b97f4a7c15UL) >> t->shift;
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
