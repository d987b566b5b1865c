/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return addresses that kretprobes of ktap have replaced, for kernels where a walk does not
 * find them otherwise (KTAP_KEEPS_RETURNS).
 */
#ifndef KTAP_RETURNS_H
#define KTAP_RETURNS_H

#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/types.h>

#include "compat.h"

#if KTAP_KEEPS_RETURNS
void ktap_returns_hold(void);
void ktap_returns_drop(void);
bool ktap_return_is_fake(unsigned long address);
bool ktap_return_is_within(unsigned long address);
void ktap_returns_forget(const struct kretprobe *rp);
void ktap_return_keep(const struct kretprobe *rp, const struct pt_regs *regs);
void ktap_return_forget(const struct kretprobe_instance *ri, const struct pt_regs *regs);
unsigned long ktap_return_find(unsigned long place);
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

static inline bool ktap_return_is_within(unsigned long address)
{
	return false;
}

static inline void ktap_returns_forget(const struct kretprobe *rp)
{
}

static inline void ktap_return_keep(const struct kretprobe *rp,
				    const struct pt_regs *regs)
{
}

static inline void ktap_return_forget(const struct kretprobe_instance *ri,
				      const struct pt_regs *regs)
{
}

static inline unsigned long ktap_return_find(unsigned long place)
{
	return 0;
}
#endif

#endif /* KTAP_RETURNS_H */
