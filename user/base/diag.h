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
int diag_vset(struct diag *d, int err, enum diag_code code, va_list ap);

/* diag_copy() - the message and the hint of @from once more. Return: @err. */
int diag_copy(struct diag *d, int err, const struct diag *from);

/* diag_no_memory() - Return: -ENOMEM. */
int diag_no_memory(struct diag *d);

/* diag_at() - say where in @source the error is (copies @source). */
void diag_at(struct diag *d, const char *source, size_t column, size_t length);

/* diag_hint() - add advice; printf format. The first hint wins. */
void diag_hint(struct diag *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void diag_clear(struct diag *d);

/* diag_exit_status() - DIAG_EXIT_FAILED or DIAG_EXIT_USAGE. */
int diag_exit_status(const struct diag *d);

/* diag_name() - the row's name, for --json and tests. */
const char *diag_name(enum diag_code code);

#endif /* KTAP_BASE_DIAG_H */
