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

#include "base/diag.h"

struct kdir;

/**
 * versions_check() - compare a module with the kernel
 * @k: kernel
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
int versions_check(const struct kdir *k, const char *path,
		   const char *const *modules, size_t nr_modules, struct diag *d);

#endif /* KTAP_MODULE_VERSIONS_H */
