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

/* vars_syscall_known() - a system call whose arguments the tool knows. */
bool vars_syscall_known(const struct definition *def);

/* vars_syscall_show() - print them. Return: 0, -ENOMEM. */
int vars_syscall_show(const struct definition *def, bool json, struct diag *d);

#endif /* KTAP_CLI_VARS_BTF_H */
