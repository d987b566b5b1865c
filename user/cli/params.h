/* SPDX-License-Identifier: GPL-2.0 */
/* What functions are called with, for listings: without debug information. */
#ifndef KTAP_CLI_PARAMS_H
#define KTAP_CLI_PARAMS_H

#include "base/buf.h"
#include "types/btf.h"

/* params_put() - "(struct file *file, int flags)" of a function of the kernel;
 * nothing, where BTF does not know it.
 */
void params_put(struct buf *out, struct kbtf *kb, const char *module,
		const char *name);

/* params_put_typed() - "char *name", of a type of the target */
void params_put_typed(struct buf *out, const struct ctype *t, const char *name);

/* params_put_one() - "char *name", "int flags" */
void params_put_one(struct buf *out, const char *type, const char *name);

/* params_put_syscall() - " dfd:s32 filename:ustring" of a system call, by its name in
 * the kernel
 */
void params_put_syscall(struct buf *out, const char *name);

#endif /* KTAP_CLI_PARAMS_H */
