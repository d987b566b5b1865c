// SPDX-License-Identifier: GPL-2.0
/*
 * Places that the kernel would take for a kprobe, and should not.
 *
 * Where jumps may replace breakpoints (CONFIG_OPTPROBES, x86), registering a
 * kprobe decodes the function from its first byte to its last (can_optimize()
 * in arch/x86/kernel/kprobes/opt.c). For the last function of a module, the
 * last byte is taken to be that of the module's code, padding included. Since
 * 6.4 nothing is mapped behind that (commit ac3b43283923, modules in parts),
 * and an instruction that begins in the last byte of the padding is read
 * across the end: an oops.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "ftrace.h"
#include "place.h"

/* The end of the function that @addr is in, if that is a module's; or 0. */
static unsigned long end_in_module(unsigned long addr)
{
	char *text = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	unsigned long offset, size, end = 0;
	char *at;

	if (!text)
		return 0;
	sprint_symbol(text, addr);
	at = strrchr(text, '+');
	if (at && strchr(at, '[') &&
	    sscanf(at, "+0x%lx/0x%lx", &offset, &size) == 2)
		end = addr - offset + size;
	kfree(text);
	return end;
}

/* A kprobe that ftrace serves is not read by the kernel. */
static bool is_read_past_end(unsigned long addr)
{
	unsigned long end;
	u8 byte;

	if (!IS_ENABLED(CONFIG_OPTPROBES) || addr < MODULES_VADDR ||
	    addr >= MODULES_END)
		return false;
	end = end_in_module(addr);
	return end && copy_from_kernel_nofault(&byte, (void *)end, 1) &&
	       !ktap_ftrace_find_site(addr);
}

/**
 * ktap_place_forbidden() - why no kprobe may be at an address
 * @addr: address
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: the reason, or NULL.
 */
const char *ktap_place_forbidden(unsigned long addr)
{
	if (within_module(addr, THIS_MODULE))
		return "ktap does not probe itself";
	if (is_read_past_end(addr))
		return "for a kprobe here this kernel would read past the end of the module";
	return NULL;
}
