// SPDX-License-Identifier: GPL-2.0
/*
 * Reads strings from memory that may not be mapped, word by word.
 *
 * The kernel's strncpy_from_user() has the same result, but its checks cost more. It is
 * still called when less than a whole word can be read. This file relies on two facts, in
 * all kernels from 6.1 on. unsafe_get_user() jumps to its label at a fault, and a fault
 * is not served while page faults are disabled. copy_from_kernel_nofault() accepts all
 * addresses between PAGE_OFFSET and KTAP_ARCH_KERNEL_END, so __get_kernel_nofault() needs
 * no address check there.
 *
 * A word may extend past the end of the string, whether it faults or not. So sanitizers
 * do not instrument these reads.
 *
 * All functions return what env_string() returns.
 */
#include <asm/word-at-a-time.h>
#include <linux/bitops.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "hit/env.h"

/*
 * Stores a word of a string at @dst. Return: whether the string ends in it; @len grows by
 * the bytes before the end then. A word without a byte of 0 or above 0x80 takes one test.
 */
static __always_inline bool put_word(char *dst, unsigned long word, long *len)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long zero;

	memcpy(dst, &word, sizeof(word));
	if (likely(!((word - constants.one_bits) & constants.high_bits)) ||
	    !has_zero(word, &zero, &constants))
		return false;
	/* little-endian, as both architectures are: higher bits may be wrong */
	*len += __ffs(zero) / 8;
	return true;
}

/* Reads from @len on with strncpy_from_user(), which handles all special cases. */
static noinline long rest_of_user(char *dst, const char __user *src, u32 max,
				  long len)
{
	long rest;

	pagefault_disable();
	rest = strncpy_from_user(dst + len, src + len, max - len);
	pagefault_enable();
	return rest < 0 ? rest : len + rest;
}
NOKPROBE_SYMBOL(rest_of_user);

/*
 * The string did not end in whole words: less than a word is left, or a word faulted. It
 * may still end in the readable part of that word.
 */
static noinline long end_of_user(char *dst, const char __user *src, u32 max,
				 long len)
{
	unsigned long in_granule = (unsigned long)(src + len) %
				   KTAP_ARCH_FAULT_GRANULE;

	if (len + sizeof(long) <= max &&
	    in_granule + sizeof(long) <= KTAP_ARCH_FAULT_GRANULE)
		return -EFAULT;
	return rest_of_user(dst, src, max, len);
}
NOKPROBE_SYMBOL(end_of_user);

/* Stores the word at @off. Return: as put_word(); jumps to @label if it faults. */
#define USER_WORD(dst, src, off, len, label) ({				\
	long at = (off);						\
	unsigned long word;						\
	bool ends;							\
									\
	unsafe_get_user(word, (const unsigned long __user *)((src) + at), \
			label);						\
	ends = put_word((dst) + at, word, &at);				\
	if (ends)							\
		*(len) = at;						\
	ends;								\
})

/*
 * The loop over four words at a time saves three instructions a word. If one of the four
 * faults, they are read again one by one.
 *
 * Return: whether the string ends, at *@len; words before that were read.
 */
static __always_inline bool user_words(char *dst, const char __user *src,
				       long max, long *len)
{
	const long size = sizeof(unsigned long);

	for (*len = 0; *len <= max - 4 * size; *len += 4 * size)
		if (USER_WORD(dst, src, *len, len, single) ||
		    USER_WORD(dst, src, *len + size, len, single) ||
		    USER_WORD(dst, src, *len + 2 * size, len, single) ||
		    USER_WORD(dst, src, *len + 3 * size, len, single))
			return true;
single:
	for (; *len <= max - size; *len += size)
		if (USER_WORD(dst, src, *len, len, end))
			return true;
end:
	return false;
}

static __always_inline long user_text(char *dst, const char __user *src,
				      u32 max)
{
	bool ends;
	long len;

	pagefault_disable();
	/* more than @max, but a constant for the compiler */
	if (unlikely(!ktap_user_read_begin(&src, KTAP_STRING_MAX))) {
		/* at the end of user space, or a tagged address */
		pagefault_enable();
		return rest_of_user(dst, src, max, 0);
	}
	ends = user_words(dst, src, max, &len);
	user_read_access_end();
	pagefault_enable();
	return likely(ends) ? len : end_of_user(dst, src, max, len);
}

static noinline long unsettled_user_text(char *dst, const char __user *src,
					 u32 max)
{
	return ktap_arch_user_loaded() ? user_text(dst, src, max) : -EFAULT;
}
NOKPROBE_SYMBOL(unsettled_user_text);

/* For addresses that can be read or fault. */
static __always_inline long kernel_words(char *dst, const char *src, long max)
{
	long last = max - (long)sizeof(long), len;
	unsigned long word;

	for (len = 0; len <= last; len += sizeof(word)) {
		__get_kernel_nofault(&word, src + len, unsigned long, bytes);
		if (put_word(dst + len, word, &len))
			return len;
	}
bytes:
	for (; len < max; len++) {
		__get_kernel_nofault(dst + len, src + len, char, fault);
		if (!dst[len])
			break;
	}
	return len;
fault:
	return -EFAULT;
}

/* An aligned chunk is inside one page, so a fault means that the string is not mapped. */
static long asked_text(char *dst, u64 addr, u32 max)
{
	u32 len = 0;

	if (!ktap_arch_canonical(addr))
		return -EFAULT;
	while (len < max) {
		u32 chunk = min_t(u32, 8 - ((addr + len) & 7), max - len);
		const char *nul;

		if (copy_from_kernel_nofault(dst + len,
					     (void *)(addr + len), chunk))
			return -EFAULT;
		nul = memchr(dst + len, 0, chunk);
		if (nul)
			return nul - dst;
		len += chunk;
	}
	return max;
}
NOKPROBE_SYMBOL(asked_text);

static noinline long kernel_text(char *dst, u64 addr, u32 max)
{
	long len;

	/* other addresses need the kernel's check */
	if (unlikely(addr < PAGE_OFFSET || addr > KTAP_ARCH_KERNEL_END - max))
		return asked_text(dst, addr, max);
	pagefault_disable();
	len = kernel_words(dst, (const char *)addr, max);
	pagefault_enable();
	return len;
}
NOKPROBE_SYMBOL(kernel_text);

/**
 * env_string() - read a string
 * @dst: destination; at most @max bytes are written
 * @addr: address
 * @max: limit, with the NUL; at most KTAP_STRING_MAX
 * @memory: address space
 *
 * Context: any, NMI included; preemption disabled. With preemption enabled, memory that
 * is resident may be reported as a fault.
 * Return: length without the NUL; @max if there is no NUL within the limit; -EFAULT.
 */
noinline long env_string(char *dst, u64 addr, u32 max, enum env_memory memory)
{
	const char __user *src = (const char __user *)addr;

	/* the comm of a task contains its NUL */
	if (unlikely(!env_is_user(addr, 1, memory)))
		return kernel_text(dst, addr, max);
	if (unlikely(!ktap_arch_user_here()))
		return -EFAULT;
	if (unlikely(!ktap_arch_user_settled()))
		return unsettled_user_text(dst, src, max);
	return user_text(dst, src, max);
}
NOKPROBE_SYMBOL(env_string);
