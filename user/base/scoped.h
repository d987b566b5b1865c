/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of functions in languages that have scopes for them, as people write
 * them: outer::shape::area, shape::area, area(int).
 */
#ifndef KTAP_BASE_SCOPED_H
#define KTAP_BASE_SCOPED_H

#include <stdbool.h>
#include <stddef.h>

/* struct scoped_part - of a name, between two "::" */
struct scoped_part {
	const char *text;
	size_t length;
};

/* scoped_last() - the last part of @length bytes of @name; what is in brackets is
 * one thing.
 */
struct scoped_part scoped_last(const char *name, size_t length);

/* scoped_before() - the bytes of @name in front of its last part and the "::" */
size_t scoped_before(const char *name, struct scoped_part last);

/* scoped_is_part() - @part is @name; of a template, the arguments need not be
 * written.
 */
bool scoped_is_part(struct scoped_part part, const char *name, size_t length);

/**
 * scoped_params() - where the parameters of a function begin
 * @name: "ns::f(int)", or without parameters
 *
 * Return: bytes in front of them; those of all of @name, where it has none.
 */
size_t scoped_params(const char *name);

/**
 * demangle() - the name that a symbol of C++ or Rust stands for
 * @symbol: as the linker has it
 * @params: with the types of its parameters
 *
 * Return: malloc'ed, without the type that is returned; NULL: it stands for
 *	none, or memory ran out.
 */
char *demangle(const char *symbol, bool params);

/* symbol_shown() - what people call it, with parameters; malloc'ed, or NULL: no
 * memory. What could steer a terminal stays as it is.
 */
char *symbol_shown(const char *symbol);

/* How well a name says what is meant: what it says best is what it means. */
enum scoped_match {
	SCOPED_NONE,	/* that is not what it means */
	SCOPED_PART,	/* scopes around it were left out */
	SCOPED_WHOLE,	/* it has all scopes */
	SCOPED_SYMBOL,	/* it is the symbol */
};

/**
 * demangles_to() - whether a symbol is what a name means
 * @symbol: as the linker has it
 * @name: with or without scopes in front, arguments of templates, and
 *	parameters; blanks between those do not matter
 *
 * A part that the compiler split off is not the function. Of plain symbols it is
 * not asked.
 */
enum scoped_match demangles_to(const char *symbol, const char *name);

/* demangles_like() - the same with a pattern of all of the name but parameters */
bool demangles_like(const char *symbol, const char *pattern);

#endif /* KTAP_BASE_SCOPED_H */
