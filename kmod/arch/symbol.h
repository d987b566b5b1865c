/* SPDX-License-Identifier: GPL-2.0 */
/* Symbols of the kernel that modules have no access to. */
#ifndef KTAP_ARCH_SYMBOL_H
#define KTAP_ARCH_SYMBOL_H

#include <linux/kprobes.h>

/**
 * ktap_symbol_address() - find a symbol of the kernel
 * @name: symbol
 *
 * register_kprobe() refuses data, and functions that must not be probed, after it has found
 * them. What it would accept is registered as disabled, so nothing is ever patched.
 *
 * Context: process, may sleep.
 * Return: its address; 0: it is not known.
 */
static inline unsigned long ktap_symbol_address(const char *name)
{
	struct kprobe kp = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	unsigned long at;
	int err = register_kprobe(&kp);

	at = (unsigned long)kp.addr;
	if (!err)
		unregister_kprobe(&kp);
	return at;
}

#endif /* KTAP_ARCH_SYMBOL_H */
