/* SPDX-License-Identifier: GPL-2.0 */
/* What functions are called with, for listings: without debug information. */
#ifndef KTAP_CLI_PARAMS_H
#define KTAP_CLI_PARAMS_H

#include "base/buf.h"
#include "types/btf.h"

/**
 * params_put() - write the parameters of a function of the kernel
 * @out: appended to: "(struct file *file, int flags)", "(const char *fmt, ...)"
 * @kb: BTF; or NULL
 * @module: module that has the function; NULL: the kernel itself
 * @name: function
 *
 * Nothing is appended if there is no BTF, or if the function is not found there.
 */
void params_put(struct buf *out, struct kbtf *kb, const char *module,
		const char *name);

/**
 * params_put_typed() - write a parameter whose type is known from BTF
 * @out: appended to: "char *name"
 * @t: type of the target; it is omitted where memory runs out
 * @name: name; "": not known
 */
void params_put_typed(struct buf *out, const struct ctype *t, const char *name);

/**
 * params_put_one() - write a parameter
 * @out: appended to: "char *name", "int flags"
 * @type: type as a string
 * @name: name; "": not known
 */
void params_put_one(struct buf *out, const char *type, const char *name);

/**
 * params_put_syscall() - write the arguments of a system call
 * @out: appended to: " dfd:s32 filename:ustring"; nothing where they are not known
 * @name: name in the kernel, without the prefix of an architecture: "openat"
 */
void params_put_syscall(struct buf *out, const char *name);

#endif /* KTAP_CLI_PARAMS_H */
