// SPDX-License-Identifier: GPL-2.0
/*
 * Strings as programs read them, in memory that may not be there: a word at a
 * time. The kernel's strncpy_from_user() gives the same, but looks at length at
 * where it copies to; it has the last word wherever less than a whole word can be
 * read. Relied upon, in all kernels from 6.1 on: unsafe_get_user() jumps to its
 * label at a fault, and faults are not served with page faults disabled; and
 * copy_from_kernel_nofault() refuses nothing between PAGE_OFFSET and
 * KTAP_ARCH_KERNEL_END, so that __get_kernel_nofault() needs no look at an address
 * there.
 *
 * A word that faults may only reach beyond the string's end; so may one that is
 * read, which is why no sanitizer sees these reads.
 *
 * Everything returns what env_string() returns.
 */
#include <asm/word-at-a-time.h>
#include <linux/bitops.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "hit/env.h"

/* Keep a word of a string. Return: whether the string ends in it, at *@len. */
static __always_inline bool put_word(char *dst, unsigned long word, long *len)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long zero;

	memcpy(dst + *len, &word, sizeof(word));
	if (likely(!has_zero(word, &zero, &constants)))
		return false;
	/* little-endian, as both architectures are: bits above may be wrong */
	*len += __ffs(zero) / 8;
	return true;
}

/* From @len on, as strncpy_from_user() does it: it knows every odd case. */
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
 * The words ended before the string did: less than one is left, or one faulted.
 * The string may still end in a part of that which is there.
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

/* Return: whether the string ends, at *@len; words could be read up to there. */
static __always_inline bool user_words(char *dst, const char __user *src,
				       long max, long *len)
{
	long last = max - (long)sizeof(long);
	unsigned long word;

	for (*len = 0; *len <= last; *len += sizeof(word)) {
		unsafe_get_user(word, (const unsigned long __user *)(src + *len),
				end);
		if (put_word(dst, word, len))
			return true;
	}
end:
	return false;
}

static __always_inline long user_text(char *dst, const char __user *src,
				      u32 max)
{
	bool ends;
	long len;

	pagefault_disable();
	/* more than @max, so that the compiler knows it */
	if (unlikely(!ktap_user_read_begin(&src, KTAP_STRING_MAX))) {
		/* at the end of user space, or with a tag */
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

/* All of it can be read, or faults. */
static __always_inline long kernel_words(char *dst, const char *src, long max)
{
	long last = max - (long)sizeof(long), len;
	unsigned long word;

	for (len = 0; len <= last; len += sizeof(word)) {
		__get_kernel_nofault(&word, src + len, unsigned long, bytes);
		if (put_word(dst, word, &len))
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

/* Aligned chunks never cross a page, so a fault means the string's own end. */
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

	/* what is not the kernel's memory for sure has to be asked about */
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
 * @dst: where to; room for @max bytes, and no more are written
 * @addr: where from
 * @max: its limit, with the NUL; at most KTAP_STRING_MAX
 * @memory: whose memory
 *
 * Context: any, NMI included; preemption off. Where it is on, what is there may
 * be missed.
 * Return: its length without the NUL; @max when there was none within; or
 * -EFAULT.
 */
noinline long env_string(char *dst, u64 addr, u32 max, enum env_memory memory)
{
	const char __user *src = (const char __user *)addr;

	/* a name of a task has its end in it */
	if (unlikely(!env_is_user(addr, 1, memory)))
		return kernel_text(dst, addr, max);
	if (unlikely(!ktap_arch_user_here()))
		return -EFAULT;
	if (unlikely(!ktap_arch_user_settled()))
		return unsettled_user_text(dst, src, max);
	return user_text(dst, src, max);
}
NOKPROBE_SYMBOL(env_string);
