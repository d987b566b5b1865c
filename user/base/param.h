/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parameters of definitions: numbers with a name and a type, whose values are chosen where
 * the definitions run. This file reads and writes their types and values; spec/ reads
 * $param(NAME) in a definition.
 */
#ifndef KTAP_BASE_PARAM_H
#define KTAP_BASE_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/span.h"

#define PARAM_NAME_SIZE	32	/* bytes of a name, with its NUL */
#define PARAMS_MAX	256	/* of one command or bundle */

/* How the value of a parameter is read and shown; bundles have these numbers. */
enum param_kind {
	PARAM_NO_TYPE,	/* it was not said */
	PARAM_UNSIGNED,
	PARAM_SIGNED,
	PARAM_HEX,
	PARAM_KIND_NR
};

/**
 * struct param - one parameter
 * @name: its name; owned
 * @kind: with @size, its type
 * @size: bytes of the value: 1, 2, 4 or 8
 * @value: the value, extended to 64 bits with its sign if it has one; if @kind is
 *	PARAM_NO_TYPE it is not known yet
 * @text: the value as it was typed; owned; NULL: no value was given, or nothing was typed
 * @at: its position in a definition
 */
struct param {
	char *name;
	enum param_kind kind;
	unsigned int size;
	uint64_t value;
	char *text;
	struct span at;
};

/**
 * struct params - some parameters, each with another name
 * @param: them; owned
 * @nr: how many
 */
struct params {
	struct param *param;
	size_t nr;
};

/**
 * param_deinit() - release what a parameter owns
 * @p: parameter, or zeros; zeros afterwards
 */
void param_deinit(struct param *p);

/**
 * params_deinit() - release parameters
 * @ps: parameters, or zeros; zeros afterwards
 */
void params_deinit(struct params *ps);

/**
 * params_find() - find a parameter by its name
 * @ps: parameters; or NULL
 * @name: the name
 *
 * Return: the parameter, valid until the next one is added; NULL: none has the name.
 */
struct param *params_find(const struct params *ps, const char *name);

/**
 * params_add() - append a copy of a parameter
 * @ps: parameters, none of which has the name of @p
 * @p: parameter
 *
 * Return: 0; -ENOMEM: @ps is as it was.
 */
int params_add(struct params *ps, const struct param *p);

/**
 * params_copy() - copy parameters
 * @to: gets the copies; need not be initialized; on failure, it can be released
 * @from: parameters
 *
 * Return: 0, -ENOMEM.
 */
int params_copy(struct params *to, const struct params *from);

/**
 * params_take_option() - read the value of an option --param
 * @ps: parameters; gets one more
 * @word: NAME=VALUE or NAME=DEFAULT:TYPE
 * @d: on failure; its column is in @word
 *
 * Return: 0; -EINVAL: @word is malformed, its value does not fit its type, a parameter has
 *	the name already, or there are PARAMS_MAX; -ENOMEM.
 */
int params_take_option(struct params *ps, const char *word, struct diag *d);

/**
 * params_check_known() - refuse values of parameters that no definition has
 * @given: parameters whose values were given; or NULL
 * @known: parameters of all definitions
 * @d: on failure; its hint has the nearest names
 *
 * Return: 0, -EINVAL.
 */
int params_check_known(const struct params *given, const struct params *known,
		       struct diag *d);

/**
 * param_read() - read NAME, NAME=VALUE or NAME=VALUE:TYPE
 * @source: the line that it stands in
 * @at: all of it
 * @d: on failure; its column is in @source
 * @ret: on success; release it with param_deinit(). Without a TYPE, @kind is PARAM_NO_TYPE
 *
 * Return: 0; -EINVAL: it is malformed, or the value does not fit the type; -ENOMEM.
 */
int param_read(const char *source, struct span at, struct diag *d,
	       struct param *ret);

/**
 * param_set() - give a parameter the value that a text says
 * @p: parameter with a type
 * @text: a number as in C, with a sign if it has one; needs no NUL
 * @length: bytes of @text
 * @d: on failure; without a place
 *
 * Return: 0; -EINVAL: it is no number, or does not fit the type.
 */
int param_set(struct param *p, const char *text, size_t length, struct diag *d);

/**
 * param_fits() - whether a value is one of a parameter's type
 * @p: parameter with a type
 * @value: value, as in struct param
 *
 * Return: true if it is.
 */
bool param_fits(const struct param *p, uint64_t value);

/**
 * param_same_type() - whether two parameters have the same type
 * @a: parameter
 * @b: parameter
 *
 * Return: true if they have.
 */
static inline bool param_same_type(const struct param *a, const struct param *b)
{
	return a->kind == b->kind && a->size == b->size;
}

/**
 * param_check_same() - refuse two declarations of one parameter that differ
 * @old: the first one
 * @new: the second one
 * @d: on failure; without a place
 *
 * Return: 0; -EINVAL: they have two types or two values.
 */
int param_check_same(const struct param *old, const struct param *new,
		     struct diag *d);

/**
 * param_name_ok() - whether a text can be the name of a parameter
 * @name: text; needs no NUL
 * @length: bytes of it
 *
 * Return: true if it has letters, digits and '_', no digit first, and 1 to
 *	PARAM_NAME_SIZE - 1 bytes.
 */
bool param_name_ok(const char *name, size_t length);

/**
 * param_type_ok() - whether a kind and a size are a type
 * @kind: kind
 * @size: bytes
 *
 * Return: true for all types but PARAM_NO_TYPE, with 1, 2, 4 or 8 bytes.
 */
bool param_type_ok(uint64_t kind, uint64_t size);

/**
 * param_put_type() - write the type of a parameter
 * @b: appended to, such as "u64"
 * @p: parameter with a type
 */
void param_put_type(struct buf *b, const struct param *p);

/**
 * param_put_value() - write the value of a parameter
 * @b: appended to; param_set() reads it back
 * @p: parameter with a type
 */
void param_put_value(struct buf *b, const struct param *p);

#endif /* KTAP_BASE_PARAM_H */
