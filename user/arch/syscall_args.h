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

/**
 * syscall_args() - find the arguments of a system call
 * @symbol: function that serves the call: __x64_sys_openat. The name of the call begins after
 *	the first "_sys_".
 *
 * Return: "dfd:s32 filename:ustring", a static string for syscall_next_arg(), which is empty
 *	where the call has no arguments; NULL: the call or its arguments are not known.
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

/**
 * syscall_next_arg() - take the next argument from a string of syscall_args()
 * @at: rest of the string, not NULL: at first the string itself; it moves past the argument
 * @ret: the argument; its strings are parts of the static one
 *
 * Return: true; false: there are no more arguments, and @ret is unchanged.
 */
bool syscall_next_arg(const char **at, struct syscall_arg *ret);

#endif /* KTAP_ARCH_SYSCALL_ARGS_H */
