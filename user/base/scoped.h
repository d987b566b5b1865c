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

/**
 * scoped_last() - find the last part of a name
 * @name: name
 * @length: bytes of @name, without its parameters: see scoped_params()
 *
 * A "::" in <> or () separates nothing. Operators such as "operator<" are one part.
 *
 * Return: the part, within @name and without a NUL; all of it where it has no scope.
 */
struct scoped_part scoped_last(const char *name, size_t length);

/**
 * scoped_before() - count the bytes before the last part of a name and its "::"
 * @name: name
 * @last: what scoped_last() returned for it
 *
 * Return: bytes, which scoped_last() takes as the length of the next outer part; 0: there
 *	is no outer part.
 */
size_t scoped_before(const char *name, struct scoped_part last);

/**
 * scoped_is_part() - check whether a part as people write it is a part of a full name
 * @part: as it was written; the arguments of a template may be missing
 * @name: the part with the arguments of its template; not NUL-terminated itself, but within
 *	a string
 * @length: bytes of @name
 *
 * Blanks do not matter.
 *
 * Return: true: it is.
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

/**
 * symbol_shown() - find the name that people use for a symbol
 * @symbol: as the linker has it; not NULL
 *
 * That is the demangled name, with the types of its parameters where it has them. A symbol
 * that stands for no name, or for one that could steer a terminal, stays as it is. @symbol
 * itself is not checked for such characters.
 *
 * Return: malloc'ed; NULL: no memory.
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

/**
 * demangles_like() - check whether a pattern matches the name that a symbol stands for
 * @symbol: as the linker has it
 * @pattern: of fnmatch(), for the whole name with all scopes, without parameters
 *
 * A symbol with a "." does not match: the compiler split it off from a function, or copied
 * it ("f.cold"). A plain symbol of C does not match either. Without memory the answer is
 * false.
 *
 * Return: true: it matches.
 */
bool demangles_like(const char *symbol, const char *pattern);

#endif /* KTAP_BASE_SCOPED_H */
