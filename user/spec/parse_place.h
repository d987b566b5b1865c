/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the parser: what the files that read places share. */
#ifndef KTAP_SPEC_PARSE_PLACE_H
#define KTAP_SPEC_PARSE_PLACE_H

#include "spec/parse.h"

/**
 * place_bad() - report that something is no place, and say what would be one
 * @p: definition
 * @at: bytes at fault, which the message quotes
 * @place: the place; its @file chooses the hint
 *
 * Return: -EINVAL.
 */
int place_bad(const struct parse *p, struct span at,
	      const struct place_spec *place);

/**
 * place_maxactive() - parse how many calls a return probe follows at once
 * @p: definition
 * @at: all of the number, as parse_number() has it
 * @ret: gets @maxactive
 *
 * Return: 0; -EINVAL: it is no number from 1 to SPEC_ACTIVE_MAX.
 */
int place_maxactive(const struct parse *p, struct span at,
		    struct place_spec *ret);

/**
 * place_suffix() - take %return from the end of a place, if it is there
 * @p: definition; in ktap's own syntax %return(MAXACTIVE) is taken too
 * @at: place; becomes what is before the '%'
 * @ret: gets @is_return and @maxactive; its @file is known
 *
 * Return: 0, also if there is no '%'; -EINVAL: something else follows '%', or the number
 *	is bad, or the place is in a program and has a number.
 */
int place_suffix(const struct parse *p, struct span *at,
		 struct place_spec *ret);

/**
 * place_pattern() - take ;PATTERN from the end of a place, if it is there
 * @p: definition
 * @at: place; becomes what is before the ';'
 * @ret: gets @pattern, and @line_at, which is where the pattern stands
 *
 * Return: 0, also if there is no ';'; -EINVAL: the pattern is empty; -ENOMEM.
 */
int place_pattern(const struct parse *p, struct span *at,
		  struct place_spec *ret);

/**
 * place_is_file() - whether something looks like the name of a source file
 * @p: definition
 * @at: all of the name
 *
 * Return: true if it has a '/', or ends like one: in ".c", ".rs" and so on.
 */
bool place_is_file(const struct parse *p, struct span at);

/**
 * place_is_module() - whether something can be the name of a module
 * @p: definition
 * @at: all of the name
 *
 * Return: true if it is not empty, and has only letters, digits, '_' and '-'.
 */
bool place_is_module(const struct parse *p, struct span at);

/**
 * place_line() - take @FILE and :LINE from the end of a place, if they are there
 * @p: definition
 * @at: place; becomes what is before them: a symbol, unless it was a file
 * @ret: gets @source and the lines; its @file and the pattern are known. If @at was a
 *	file, its @kind is PLACE_SOURCE, and it also gets @module of MODULE:FILE:LINE.
 *
 * In a program (@ret->file) @VERSION is not taken.
 *
 * Return: 0, also if there is neither; -EINVAL, -ENOMEM.
 */
int place_line(const struct parse *p, struct span *at, struct place_spec *ret);

/**
 * place_is_open() - whether more words belong to a name with scopes
 * @p: definition
 * @at: the words so far
 *
 * Return: true if they are the beginning of such a name, and its brackets are not closed
 *	yet, or the parameters of a conversion operator do not follow yet.
 */
bool place_is_open(const struct parse *p, struct span at);

/**
 * place_scoped() - take a name with scopes, parameters or an operator from a place
 * @p: definition
 * @at: place; becomes what follows the name
 * @ret: gets @symbol_at, and @glob if the name is a pattern; its @file is known
 *
 * The name is not copied: @ret->symbol stays as it is.
 *
 * Return: false: the place does not begin with such a name, and nothing was changed. In
 *	kernel syntax there are none, and without a program they need "::".
 */
bool place_scoped(const struct parse *p, struct span *at,
		  struct place_spec *ret);

/**
 * place_check_return() - refuse a return probe with an offset
 * @p: definition
 * @place: the place, which was parsed
 *
 * Return: 0; -EINVAL: it has both.
 */
int place_check_return(const struct parse *p, const struct place_spec *place);

/**
 * place_is_glob() - whether a symbol is a pattern
 * @p: definition
 * @at: all of the symbol
 *
 * Return: true if it has one of the characters * ? [ at least, each '[' is closed, and
 *	all other characters can be in a symbol.
 */
bool place_is_glob(const struct parse *p, struct span at);

/**
 * place_symbol() - parse [MODULE:]SYMBOL[@VERSION][+OFFSET]
 * @p: definition
 * @at: all of that
 * @globs: SYMBOL may be a pattern
 * @ret: gets @module, @symbol, @version, @offset and @glob; its @at is known, at which
 *	some errors point, and its @file: a MODULE is for the kernel, a VERSION for programs
 *
 * What @ret owns is released with its definition, after a failure too.
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int place_symbol(const struct parse *p, struct span at, bool globs,
		 struct place_spec *ret);

/**
 * place_has_word() - whether a place begins with sdt:, tracepoint:, sys:, mem: or timer:
 * @p: definition
 * @at: place
 *
 * Return: true if it does, and the word is no scope or group: a number follows "timer:",
 *	and in a program no second ':' follows the others, except for "sdt:".
 */
bool place_has_word(const struct parse *p, struct span at);

/**
 * place_by_word() - parse a place that begins with a word
 * @p: definition
 * @at: all of the place; place_has_word() is true of it
 * @ret: filled; its @at and @file are known
 *
 * What @ret owns is released with its definition, after a failure too.
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int place_by_word(const struct parse *p, struct span at,
		  struct place_spec *ret);

/**
 * place_tracepoint() - parse the name of a tracepoint
 * @p: definition; in ktap's own syntax the name may be a pattern, and have GROUP: before
 *	it
 * @at: all of the name
 * @ret: gets @kind, @symbol, @glob, and the group as @provider
 *
 * Return: 0; -EINVAL: the name has other characters than letters, digits and '_';
 *	-ENOMEM.
 */
int place_tracepoint(const struct parse *p, struct span at,
		     struct place_spec *ret);

/**
 * kernel_place() - parse the place of a kernel line
 * @p: definition
 * @letter: that the line begins with: p, r, f or t; 0: a removal without one
 * @at: all of the place
 * @ret: filled; its @is_return and @file are known
 *
 * What @ret owns is released with its definition, after a failure too.
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int kernel_place(const struct parse *p, char letter, struct span at,
		 struct place_spec *ret);

#endif /* KTAP_SPEC_PARSE_PLACE_H */
