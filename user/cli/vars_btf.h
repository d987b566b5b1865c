/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_CLI_VARS_BTF_H
#define KTAP_CLI_VARS_BTF_H

#include <stdbool.h>

#include "base/diag.h"
#include "define/define.h"
#include "types/btf.h"

/**
 * vars_btf_show() - print the parameters of a function of the kernel
 * @kb: BTF, which knows no other variables
 * @def: a place at the function's entry or return
 * @json: as JSON
 * @d: on failure: why; nothing of it where the place is not one
 *
 * Return: 0, -ENOENT: BTF has nothing for that place, and nothing was printed;
 * -EINVAL, -ENOMEM, or what reading BTF met.
 */
int vars_btf_show(struct kbtf *kb, const struct definition *def, bool json,
		  struct diag *d);

/**
 * vars_syscall_known() - whether a place is a system call whose arguments the tool knows
 * @def: the place
 *
 * The arguments come from a table of the tool, not from BTF: see arch/syscall_args.h.
 *
 * Return: true if so.
 */
bool vars_syscall_known(const struct definition *def);

/**
 * vars_syscall_show() - print the arguments of a system call
 * @def: the place, for which vars_syscall_known() is true
 * @json: as JSON, one object per line
 * @d: on failure
 *
 * Return: 0 or -ENOMEM.
 */
int vars_syscall_show(const struct definition *def, bool json, struct diag *d);

#endif /* KTAP_CLI_VARS_BTF_H */
