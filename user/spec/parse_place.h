/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the parser: what the files that read places share. */
#ifndef KTAP_SPEC_PARSE_PLACE_H
#define KTAP_SPEC_PARSE_PLACE_H

#include "spec/parse.h"

/* place_bad() - @at is no place, and what is one. -EINVAL. */
int place_bad(const struct parse *p, struct span at,
	      const struct place_spec *place);

/* place_maxactive() - how many calls a return probe follows at once. */
int place_maxactive(const struct parse *p, struct span at,
		    struct place_spec *ret);

/* place_suffix() - takes %return, in ktap's own syntax %return(MAXACTIVE) too,
 * from the end of *@at.
 */
int place_suffix(const struct parse *p, struct span *at,
		 struct place_spec *ret);

/* place_pattern() - takes ;PATTERN from the end of *@at. */
int place_pattern(const struct parse *p, struct span *at,
		  struct place_spec *ret);

/* place_is_file() - @at looks like a file of source. */
bool place_is_file(const struct parse *p, struct span at);

/* place_is_module() - @at can be the name of a module. */
bool place_is_module(const struct parse *p, struct span at);

/* place_line() - takes @FILE and :LINE from the end of *@at. What is left is a
 * symbol, or it was a file: then @ret's kind is PLACE_SOURCE.
 */
int place_line(const struct parse *p, struct span *at, struct place_spec *ret);

/* place_is_open() - @at is the beginning of a name with scopes whose brackets are
 * not closed yet.
 */
bool place_is_open(const struct parse *p, struct span at);

/* place_scoped() - takes a name with scopes, parameters or an operator from the start
 * of *@at into @ret's symbol_at; false: none is there.
 */
bool place_scoped(const struct parse *p, struct span *at,
		  struct place_spec *ret);

/* place_check_return() - a return probe has no offset. */
int place_check_return(const struct parse *p, const struct place_spec *place);

/* place_is_glob() - a pattern with at least one of * ? [ in it. */
bool place_is_glob(const struct parse *p, struct span at);

/* place_symbol() - [MODULE:]SYMBOL[@VERSION][+OFFSET]; @globs: or a pattern. */
int place_symbol(const struct parse *p, struct span at, bool globs,
		 struct place_spec *ret);

/* place_has_word() - sdt:, tracepoint:, sys:, mem: or timer: is in front. */
bool place_has_word(const struct parse *p, struct span at);
int place_by_word(const struct parse *p, struct span at,
		  struct place_spec *ret);

/* place_tracepoint() - the name of one; the kernel's letters only. */
int place_tracepoint(const struct parse *p, struct span at,
		     struct place_spec *ret);

/* kernel_place() - the place of a kernel line with @letter in front. */
int kernel_place(const struct parse *p, char letter, struct span at,
		 struct place_spec *ret);

#endif /* KTAP_SPEC_PARSE_PLACE_H */
