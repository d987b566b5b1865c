/* SPDX-License-Identifier: GPL-2.0 */
/* Probe modules: made of the template ktap-probe.ko without a compiler. */
#ifndef KTAP_MODULE_TEMPLATE_H
#define KTAP_MODULE_TEMPLATE_H

#include <stddef.h>

#include "base/diag.h"
#include "bundle/bundle.h"
#include "module/sign.h"

/* For the name of a hash algorithm. */
#define PROBE_MODULE_HASH_SIZE	24

/**
 * struct probe_module_order - how a probe module is made
 * @template: path of ktap-probe.ko of the target's kernel
 * @path: file that is written; its name, less ".ko", is the name of the module
 * @signer: NULL: it is not signed
 * @hash: name of the hash algorithm for @signer; NULL: that of the kernel's own modules,
 *	if the template says it, or SIGN_HASH_DEFAULT
 */
struct probe_module_order {
	const char *template;
	const char *path;
	const struct signer *signer;
	const char *hash;
};

/**
 * struct probe_module_made - what was made
 * @size: bytes of the module, with the signature
 * @hash: what it is signed with; empty: it is not signed
 */
struct probe_module_made {
	size_t size;
	char hash[PROBE_MODULE_HASH_SIZE];
};

/**
 * probe_module_make() - make a probe module of a template and a bundle
 * @order: of what, and where
 * @b: bundle
 * @d: on failure
 * @ret: on success
 *
 * Return: 0, -EINVAL, -ENOMEM, or why a file cannot be read or written.
 */
int probe_module_make(const struct probe_module_order *order, const struct bundle *b,
		      struct diag *d, struct probe_module_made *ret);

#endif /* KTAP_MODULE_TEMPLATE_H */
