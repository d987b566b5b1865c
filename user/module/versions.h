/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a kernel would load a module, from what the kernel's build directory says: its
 * exported symbols with their CRCs, its release and its configuration. The rules are the
 * kernel's, of 5.10 to 7.x: kernel/module/main.c (simplify_symbols(), check_modinfo()),
 * kernel/module/version.c and include/linux/vermagic.h.
 *
 * Namespaces of symbols, licences and signatures are not compared. modpost checked the
 * first two when the module was built.
 */
#ifndef KTAP_MODULE_VERSIONS_H
#define KTAP_MODULE_VERSIONS_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/diag.h"

struct versions;

/**
 * versions_open() - read what a kernel build directory says of modules
 * @dir: directory in which the kernel was built, or the headers of its package
 * @d: on failure
 * @ret: on success; release with versions_free()
 *
 * It reads Module.symvers, include/config/auto.conf, and include/generated/utsrelease.h,
 * from which the kernel has the release in its vermagic. Without the latter it reads
 * include/config/kernel.release, which can differ: Debian's packages have another release
 * there. Any of the files may be hostile.
 *
 * Return: 0; -EINVAL: a file does not contain what it should; -ENOMEM; or why a file cannot
 *	be read.
 */
int versions_open(const char *dir, struct diag *d, struct versions **ret);

/**
 * versions_free() - release it
 * @v: from versions_open(), or NULL
 */
void versions_free(struct versions *v);
DEFINE_CLEANUP(struct versions, versions_free)

/**
 * versions_release() - name the kernel
 * @v: from versions_open()
 *
 * Return: its release, as in vermagic; it belongs to @v.
 */
const char *versions_release(const struct versions *v);

/**
 * versions_check() - compare a module with the kernel
 * @v: kernel
 * @path: file of the module, which may be hostile
 * @modules: files of modules that will be loaded before @path; one that is @path itself, or
 *	that cannot be read, counts for nothing
 * @nr_modules: how many
 * @d: the first difference, by its kind: vermagic, symbols that nothing exports, CRCs; it
 *	counts further ones of that kind
 *
 * A symbol may also be exported by what kbuild wrote beside @path: it is in Module.symvers
 * there, or in ktap.ko. CRCs are compared with a Module.symvers, not with modules.
 *
 * Return: 0: the kernel would load it; -EINVAL: it would not, or this is no module; -ENOMEM;
 *	or why a file cannot be read.
 */
int versions_check(const struct versions *v, const char *path,
		   const char *const *modules, size_t nr_modules, struct diag *d);

#endif /* KTAP_MODULE_VERSIONS_H */
