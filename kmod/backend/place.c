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

#include "backend/ftrace.h"
#include "backend/place.h"

/*
 * Built in (CONFIG_KTAP=y) there is no struct module of ours to ask: THIS_MODULE
 * is NULL. The linker puts the code of objects in the order in which Kbuild has
 * them, and begin.o and end.o are around all others. Where it does not (LTO), this
 * function is not between them, and nothing is taken for ours; what runs at a hit
 * the kernel refuses by itself, by NOKPROBE_SYMBOL.
 */
static bool is_ours(unsigned long addr)
{
#ifdef MODULE
	return within_module(addr, THIS_MODULE);
#else
	unsigned long begin = (unsigned long)ktap_text_begin;
	unsigned long end = (unsigned long)ktap_text_end;
	unsigned long here = (unsigned long)ktap_place_forbidden;

	return here > begin && here < end && addr >= begin && addr < end;
#endif
}

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

/**
 * ktap_place_function() - where the function begins that an address is in
 * @addr: address
 *
 * Context: process; may sleep.
 * Return: its address, or 0: it is not known.
 */
unsigned long ktap_place_function(unsigned long addr)
{
	char *text = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	unsigned long offset, begin = 0;
	char *at;

	if (!text)
		return 0;
	sprint_symbol(text, addr);
	at = strrchr(text, '+');
	if (at && sscanf(at, "+0x%lx/", &offset) == 1)
		begin = addr - offset;
	kfree(text);
	return begin;
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
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 * Return: the reason, or NULL.
 */
const char *ktap_place_forbidden(unsigned long addr)
{
	if (is_ours(addr))
		return "ktap does not probe itself";
	if (is_read_past_end(addr))
		return "for a kprobe here this kernel would read past the end of the module";
	return NULL;
}
