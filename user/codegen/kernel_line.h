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
#include "place/ksyms.h"
#include "spec/spec.h"

/**
 * struct kernel_of - the kernel that the line is for
 * @ks: symbols, or NULL: addresses stay addresses
 * @offline: those of modules are as their files have them
 */
struct kernel_of {
	const struct ksyms *ks;
	bool offline;
};

/**
 * kernel_line() - write such a line, without its end
 * @spec: definition; it has a name, and names in it were expanded
 * @place: where it goes
 * @arch: whose code that is
 * @of: the kernel
 * @d: on failure: the argument that cannot be said, and why
 * @b: where it is put
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int kernel_line(const struct probe_spec *spec, const struct place *place,
		enum ktap_arch arch, const struct kernel_of *of, struct diag *d,
		struct buf *b);

#endif /* KTAP_CODEGEN_KERNEL_LINE_H */
