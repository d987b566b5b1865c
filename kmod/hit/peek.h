/* SPDX-License-Identifier: GPL-2.0 */
/* Reads members of objects of the kernel that may be freed meanwhile: their memory may go. */
#ifndef KTAP_PEEK_H
#define KTAP_PEEK_H

#include <linux/stddef.h>
#include <linux/uaccess.h>

#include "hit/env.h"

/*
 * Reads a member of 4 or 8 bytes; goes to @label if it cannot. The caller has disabled page
 * faults, and has checked the object with ktap_peek_ok().
 */
#define KTAP_PEEK(type, object, member, ret, label) do {			\
	const u64 from_ = (object) + offsetof(type, member);			\
										\
	if (sizeof_field(type, member) == sizeof(u64))				\
		ENV_GET(u64, from_, ret, label);				\
	else									\
		ENV_GET(u32, from_, ret, label);				\
	BUILD_BUG_ON(sizeof_field(type, member) != sizeof(u64) &&		\
		     sizeof_field(type, member) != sizeof(u32));		\
} while (0)

/* Can @object be an address of kernel memory? */
#define ktap_peek_ok(type, object)						\
	((object) >= PAGE_OFFSET && (object) <= KTAP_ARCH_KERNEL_END - sizeof(type))

#endif /* KTAP_PEEK_H */
