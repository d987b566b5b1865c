/* SPDX-License-Identifier: GPL-2.0 */
/* Probe modules: made of the template ktap-probe.ko without a compiler. */
#ifndef KTAP_MODULE_TEMPLATE_H
#define KTAP_MODULE_TEMPLATE_H

#include <stddef.h>

#include "base/diag.h"
#include "bundle/bundle.h"

/**
 * probe_module_make() - make a probe module of a template and a bundle
 * @template: path of ktap-probe.ko of the target's kernel
 * @b: bundle
 * @path: file that is written; its name, less ".ko", is the name of the module
 * @d: on failure
 * @size: bytes of the module
 *
 * Return: 0, -EINVAL, -ENOMEM, or why a file cannot be read or written.
 */
int probe_module_make(const char *template, const struct bundle *b,
		      const char *path, struct diag *d, size_t *size);

#endif /* KTAP_MODULE_TEMPLATE_H */
