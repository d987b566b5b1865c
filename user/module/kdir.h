/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the directory in which a kernel was built says of modules: exported symbols with
 * their CRCs, the release and the configuration. Any file there may be hostile.
 */
#ifndef KTAP_MODULE_KDIR_H
#define KTAP_MODULE_KDIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"

#define KDIR_RELEASE_SIZE	65	/* __NEW_UTS_LEN, with the NUL */

/* Options of the kernel that vermagic has words for, and what modules need. */
enum kconfig {
	KCONFIG_MODULES,
	KCONFIG_SMP,
	KCONFIG_PREEMPT,
	KCONFIG_PREEMPT_BUILD,
	KCONFIG_PREEMPT_RT,
	KCONFIG_UNLOAD,
	KCONFIG_MODVERSIONS,
	NR_KCONFIG,
};

/**
 * struct symvers - a Module.symvers
 * @text: its text, each line of which is well-formed; owned; NULL: there is none
 * @size: bytes
 */
struct symvers {
	char *text;
	size_t size;
};

/**
 * struct kdir - what a kernel build directory says of modules
 * @dir: the directory; owned
 * @symvers: what it exports
 * @release: as in vermagic
 * @set: options of the kernel that are set
 * @arch: architecture
 */
struct kdir {
	char *dir;
	struct symvers symvers;
	char release[KDIR_RELEASE_SIZE];
	bool set[NR_KCONFIG];
	const struct arch *arch;
};

/**
 * kdir_open() - read what a kernel build directory says of modules
 * @dir: directory in which the kernel was built, or the headers of its package
 * @d: on failure
 * @ret: on success; release with kdir_free()
 *
 * It reads Module.symvers, include/config/auto.conf, and include/generated/utsrelease.h,
 * from which the kernel has the release in its vermagic. Without the latter it reads
 * include/config/kernel.release, which can differ: Debian's packages have another release
 * there.
 *
 * Return: 0; -EINVAL: a file does not contain what it should; -ENOMEM; or why a file cannot
 *	be read.
 */
int kdir_open(const char *dir, struct diag *d, struct kdir **ret);

/**
 * kdir_free() - release it
 * @k: from kdir_open(), or NULL
 */
void kdir_free(struct kdir *k);
DEFINE_CLEANUP(struct kdir, kdir_free)

/**
 * symvers_read() - read the Module.symvers that kbuild wrote beside a module
 * @dir: directory
 * @d: on failure
 * @ret: on success; zeros if there is none; release with symvers_deinit()
 *
 * Return: 0, also if there is none; -EINVAL: it does not contain what it should; -ENOMEM; or
 *	why it cannot be read.
 */
int symvers_read(const char *dir, struct diag *d, struct symvers *ret);

/**
 * symvers_deinit() - release it
 * @s: from symvers_read(), or zeros
 */
void symvers_deinit(struct symvers *s);

/* struct export - a line of Module.symvers; @name is not ended by a NUL */
struct export {
	const char *name;
	size_t size;
	uint32_t crc;
};

/**
 * symvers_next() - go through what is exported, in the order of the file
 * @s: a Module.symvers
 * @at: where the walk is: a line of @s, or NULL at first; changed by each call
 * @ret: the next one; its name belongs to @s
 *
 * Return: false: there are no more, and @ret is unchanged.
 */
bool symvers_next(const struct symvers *s, const char **at, struct export *ret);

#endif /* KTAP_MODULE_KDIR_H */
