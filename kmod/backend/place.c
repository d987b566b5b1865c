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
 * across the end: an oops. Likewise what stands before a gap in the kernel's own code
 * is taken to reach to its end: that of srso_alias_safe_ret() is a megabyte, to the
 * next page of two, and to decode that can take longer than the watchdog waits.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/sizes.h>
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

/* Several times the size of the largest function that a compiler made. */
#define READ_MAX SZ_256K

/* struct extent - the function that an address is in; all 0: it is not known */
struct extent {
	unsigned long begin;
	unsigned long end;
	bool in_module;
};

static struct extent extent_of(unsigned long addr)
{
	char *text = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	unsigned long offset, size;
	struct extent e = {};
	char *at;

	if (!text)
		return e;
	sprint_symbol(text, addr);
	at = strrchr(text, '+');
	if (at && sscanf(at, "+0x%lx/0x%lx", &offset, &size) == 2) {
		e.begin = addr - offset;
		e.end = e.begin + size;
		e.in_module = strchr(at, '[');
	}
	kfree(text);
	return e;
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
	return extent_of(addr).begin;
}

/* What a kprobe has the kernel read. A kprobe that ftrace serves is not read. */
static const char *hurts_to_read(unsigned long addr)
{
	const char *why = NULL;
	struct extent e;
	u8 byte;

	if (!IS_ENABLED(CONFIG_OPTPROBES))
		return NULL;
	e = extent_of(addr);
	if (e.end - e.begin > READ_MAX)
		why = "for a kprobe here this kernel would read all of the padding behind its code";
	else if (e.in_module && copy_from_kernel_nofault(&byte, (void *)e.end, 1))
		why = "for a kprobe here this kernel would read past the end of the module";
	return why && !ktap_ftrace_find_site(addr) ? why : NULL;
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
	return hurts_to_read(addr);
}
