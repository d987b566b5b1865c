/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return addresses that kretprobes of ktap have replaced, for kernels whose unwinder does not
 * know them (KTAP_KEEPS_RETURNS). Others have a list, or need none.
 */
#ifndef KTAP_RETURNS_H
#define KTAP_RETURNS_H

#include <linux/ptrace.h>
#include <linux/types.h>

#include "compat.h"

#if KTAP_KEEPS_RETURNS
void ktap_returns_hold(void);
void ktap_returns_drop(void);
bool ktap_return_is_fake(unsigned long address);
void ktap_return_keep(const struct pt_regs *regs);
void ktap_return_forget(unsigned long slot);
unsigned long ktap_return_find(unsigned long slot);
#else
static inline void ktap_returns_hold(void)
{
}

static inline void ktap_returns_drop(void)
{
}

static inline bool ktap_return_is_fake(unsigned long address)
{
	return false;
}

static inline void ktap_return_keep(const struct pt_regs *regs)
{
}

static inline void ktap_return_forget(unsigned long slot)
{
}

static inline unsigned long ktap_return_find(unsigned long slot)
{
	return 0;
}
#endif

#endif /* KTAP_RETURNS_H */
