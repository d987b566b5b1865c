/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A definition as the kernel's own lines have it, kprobe_events or
 * uprobe_events, where those can say the same.
 */
#ifndef KTAP_CODEGEN_KERNEL_LINE_H
#define KTAP_CODEGEN_KERNEL_LINE_H

#include <linux/ktap.h>

#include "base/buf.h"
#include "base/diag.h"
#include "codegen/term.h"
#include "place/ksyms.h"

/**
 * struct kernel_of - what a line needs beside the terms
 * @ks: symbols, or NULL: addresses stay addresses
 * @offline: those of modules are as their files have them
 * @name: [GROUP:]EVENT
 * @maxactive: calls followed at once; 0: the default
 * @place_at: where the place stands in the definition
 */
struct kernel_of {
	const struct ksyms *ks;
	bool offline;
	const char *name;
	unsigned int maxactive;
	struct span place_at;
};

/**
 * kernel_line() - write such a line, without its end
 * @terms: arguments and filter; names in them were replaced
 * @place: where it goes
 * @arch: whose code that is
 * @of: the kernel, and what the definition says beside its terms
 * @d: on failure: the argument that cannot be said, and why
 * @b: where it is put
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int kernel_line(const struct terms *terms, const struct place *place,
		enum ktap_arch arch, const struct kernel_of *of, struct diag *d,
		struct buf *b);

#endif /* KTAP_CODEGEN_KERNEL_LINE_H */
