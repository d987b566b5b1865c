/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What programs in a guest share that are tests themselves: a table of
 * attempts, by name on the command line, whose outcome is told as the guest's
 * TAP.
 */
#ifndef KTAP_TESTS_TELL_H
#define KTAP_TESTS_TELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct attempt - what can be tried; a table of them ends with a name NULL */
struct attempt {
	const char *name;
	void (*try)(void);
};

/* tell_main() - try those that argv[1] and the following name; for main(). */
int tell_main(int argc, char **argv, const struct attempt *attempts);

void ok(bool good, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void is(long long got, long long want, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* is_error() - a system call or request: negative errno, or 0. */
void is_error(int got, int want, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void is_text(const char *got, const char *want, const char *what);
/* kernel_symbol() - its address by /proc/kallsyms, or the end */
uint64_t kernel_symbol(const char *name);
/* file_offset() - where a function of this program lies in its file */
uint64_t file_offset(const void *function);
void die(const char *what) __attribute__((noreturn));

#endif /* KTAP_TESTS_TELL_H */
