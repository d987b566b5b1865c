/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numbers of system calls, and the names and types of their arguments: facts of the
 * interface to programs, which never change, so that they are known of any kernel, without
 * BTF or debug information.
 */
#ifndef KTAP_ARCH_SYSCALL_ARGS_H
#define KTAP_ARCH_SYSCALL_ARGS_H

#include <stdbool.h>
#include <stddef.h>

/* syscall_args() - of the call that the function @symbol serves, "dfd:s32 filename:ustring";
 * NULL: not known.
 */
const char *syscall_args(const char *symbol);

/* What syscall_number() gives where it gives none. */
#define SYSCALL_NO_NUMBER	(-1)
#define SYSCALL_NOT_KNOWN	(-2)

/**
 * syscall_number() - by which programs call the function @symbol
 * @symbol: of one architecture: __x64_sys_openat
 *
 * Return: it; SYSCALL_NO_NUMBER: 64-bit programs cannot; SYSCALL_NOT_KNOWN: a call
 * that is newer than this tool.
 */
int syscall_number(const char *symbol);

/* struct syscall_arg - one of them; the texts go on behind their lengths */
struct syscall_arg {
	const char *name;
	size_t name_length;
	const char *type;
	size_t type_length;
};

/* syscall_next_arg() - the next one; *@at is what syscall_args() gave, and moves on. */
bool syscall_next_arg(const char **at, struct syscall_arg *ret);

#endif /* KTAP_ARCH_SYSCALL_ARGS_H */
