/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Errors as values. A function that can fail takes a struct diag, fills it
 * once at the point of knowledge, and returns a negative errno. The library
 * never prints and never exits; user/cli prints a diag with a caret.
 */
#ifndef KTAP_BASE_DIAG_H
#define KTAP_BASE_DIAG_H

#include <stdarg.h>
#include <stddef.h>

#include "base/cleanup.h"

#define _cleanup_diag_ _cleanup_(diag_clear)

/* Every text that a user can meet is a row of errors.def. */
enum diag_code {
	DIAG_OK,
#define DIAG(name, status, text) DIAG_##name,
#include "base/errors.def"
#undef DIAG
	DIAG_NR
};

/* Exit status of the command that met the error. */
#define DIAG_EXIT_FAILED	1
#define DIAG_EXIT_USAGE		2

/**
 * struct diag - one error, its place in what the user typed, and advice
 * @code: row of errors.def
 * @message: the text, formatted; owned; NULL where memory ran out
 * @source: the line that the columns refer to, or NULL; owned
 * @column: first byte at fault in @source
 * @length: bytes at fault, at least 1 when @source is set
 * @hint: what to do, shown after the marker, or NULL; owned
 */
struct diag {
	enum diag_code code;
	char *message;
	char *source;
	size_t column;
	size_t length;
	char *hint;
};

/**
 * diag_set() - record an error
 * @d: where; NULL is allowed (the caller does not want the text)
 * @err: negative errno to return
 * @code: which; its text is the printf format
 *
 * The first error wins: a diag that is already set is left alone.
 *
 * Return: @err.
 */
int diag_set(struct diag *d, int err, enum diag_code code, ...);

/**
 * diag_vset() - record an error, with the arguments in a va_list
 * @d: as for diag_set()
 * @err: negative errno to return
 * @code: which; as for diag_set()
 * @ap: arguments of its format; as after vprintf(), the caller can only call va_end()
 *	for it
 *
 * Without memory for the message @d->code becomes DIAG_NO_MEMORY.
 *
 * Return: @err.
 */
int diag_vset(struct diag *d, int err, enum diag_code code, va_list ap);

/**
 * diag_copy() - record the error that another diag has
 * @d: as for diag_set(): the first error wins
 * @err: negative errno to return
 * @from: its code, its message and its hint are copied
 *
 * The place of @from is not copied: the caller names its own with diag_at().
 *
 * Return: @err.
 */
int diag_copy(struct diag *d, int err, const struct diag *from);

/**
 * diag_no_memory() - record that memory ran out
 * @d: as for diag_set()
 *
 * Return: -ENOMEM.
 */
int diag_no_memory(struct diag *d);

/**
 * diag_at() - record where the error is
 * @d: where to record it; NULL is allowed
 * @source: the line that the user typed; it is copied
 * @column: offset in @source of the first byte at fault, from 0; may be the end of @source
 * @length: bytes at fault; 0 counts as 1
 *
 * The first place wins. Without memory for the copy @d has no place.
 */
void diag_at(struct diag *d, const char *source, size_t column, size_t length);

/**
 * diag_hint() - add advice
 * @d: where to add it; NULL is allowed
 * @fmt: printf format; its arguments follow
 *
 * The first hint wins. Without memory @d has no hint.
 */
void diag_hint(struct diag *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * diag_clear() - release the strings of a diag
 * @d: diag; not NULL; afterwards it has no error and may be set again
 */
void diag_clear(struct diag *d);

/**
 * diag_exit_status() - get the exit status for an error
 * @d: diag; not NULL
 *
 * Return: DIAG_EXIT_FAILED or DIAG_EXIT_USAGE; 0 when @d has no error.
 */
int diag_exit_status(const struct diag *d);

/**
 * diag_name() - get the name of a row of errors.def, which tests print and compare
 * @code: the row
 *
 * Return: a constant string without the prefix DIAG_, such as "NO_MEMORY".
 */
const char *diag_name(enum diag_code code);

#endif /* KTAP_BASE_DIAG_H */
