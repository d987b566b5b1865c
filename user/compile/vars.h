/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of parameters, and what C says about them, to fetch arguments: after it
 * "file->f_pos" is +96($arg1) with the type s64. What becomes of names in a
 * filter that are those of arguments is for the compiler.
 */
#ifndef KTAP_COMPILE_VARS_H
#define KTAP_COMPILE_VARS_H

#include <linux/ktap.h>

#include "resolve/btf.h"
#include "resolve/ksyms.h"
#include "spec/spec.h"
#include "util/diag.h"

/**
 * vars_expand() - replace the names in a definition
 * @spec: the definition; it keeps its canonical text. One that was expanded
 *	stays as it is.
 * @place: where it goes
 * @arch: target
 * @kb: where names and types are looked up, if there are any
 * @d: on failure: what, and the column
 *
 * Return: 0, -EINVAL, -ENOMEM, or what reading BTF met.
 */
int vars_expand(struct probe_spec *spec, const struct place *place,
		enum ktap_arch arch, struct kbtf *kb, struct diag *d);

#endif /* KTAP_COMPILE_VARS_H */
