/* SPDX-License-Identifier: GPL-2.0 */
/* Names in definitions at system calls: sys:openat filename. */
#ifndef KTAP_BIND_SYSCALL_H
#define KTAP_BIND_SYSCALL_H

#include "codegen/term.h"
#include "place/ksyms.h"

/**
 * syscall_vars_expand() - names of arguments become $argN with their types
 * @terms: definition
 * @place: where it goes; any but that of a system call is left alone, and so are names at a
 *	call whose arguments are not known
 * @d: on failure
 *
 * $arg* and $params become all of them. What is a text is read at the hit: of a return,
 * that is then. $retval is an error, or a number, and has a sign.
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int syscall_vars_expand(struct terms *terms, const struct place *place,
			struct diag *d);

#endif /* KTAP_BIND_SYSCALL_H */
