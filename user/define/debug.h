/* SPDX-License-Identifier: GPL-2.0 */
/* Places and names of definitions by debug information. */
#ifndef KTAP_DEFINE_DEBUG_H
#define KTAP_DEFINE_DEBUG_H

#include "define/define.h"

struct names;
#include "dwarf/debug.h"

/**
 * define_debug() - the debug information for @def
 * @df: definer
 * @def: what it is for; its file was found
 * @must: that there is none is an error
 * @d: on failure
 * @ret: of the definer; NULL: there is none
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM.
 */
int define_debug(struct definer *df, const struct definition *def, bool must,
		 struct diag *d, struct debug **ret);

/* define_kernel() - symbols of the kernel that -k names and of the module that -m
 * does, and whose code it is
 */
int define_kernel(struct definer *df, struct diag *d);

/* define_in_module() - what -m says holds for @spec, which was parsed. */
int define_in_module(const struct definer *df, struct probe_spec *spec,
		     struct diag *d);

/**
 * define_events() - the events of tracefs that the file of -k defines
 * @df: definer, which is offline
 * @fn: called for each
 * @ctx: for @fn
 *
 * Return: 0, also if no file is named or it has no data, -ENOMEM, or what @fn returned
 */
int define_events(struct definer *df, debug_event_fn fn, void *ctx);

/* define_site() - find the debug information of @def's place, if names in it want
 * some and there is some.
 */
int define_site(struct definer *df, struct definition *def, struct diag *d);

/* define_traced() - debug information of what calls the probes of @def's tracepoint @name,
 * where BTF does not know it; malloc'ed. NULL in *@ret: BTF does, or nothing does.
 */
int define_traced(struct definer *df, const struct definition *def,
		  const char *name, struct diag *d, struct site **ret);

/* define_function() - debug information of the function at @def's place, which stays as
 * it is; malloc'ed. NULL: there is none, or no way to it.
 */
struct site *define_function(struct definer *df, const struct definition *def);

/* define_must_site() - the same whatever names there are; without it, an error. */
int define_must_site(struct definer *df, struct definition *def,
		     struct diag *d);

/**
 * define_hint_broken() - say so where the debug information of a program is damaged
 * @def: a definition in a program, which could not be bound
 * @d: the error, which gets a hint
 */
void define_hint_broken(const struct definition *def, struct diag *d);

/**
 * define_boundary() - check that an instruction begins at the place
 * @df: definer
 * @def: resolved
 * @d: on failure
 *
 * This is checked in the file of a kernel only. The running kernel checks it itself.
 *
 * Return: 0, or -EINVAL.
 */
int define_boundary(struct definer *df, const struct definition *def,
		    struct diag *d);

/* define_needs_source() - its place is one that only debug information has. */
bool define_needs_source(const struct definition *def);

/* define_source() - all points of such a place */
int define_source(struct definer *df, struct definition *def, struct diag *d);

/* define_copies() - where the function of @def, which has a place, was inlined are
 * further points.
 */
int define_copies(struct definer *df, struct definition *def, struct diag *d);

/* define_inlined() - all points of @def's function, which has no symbol (@err is
 * -ENOENT, which is in @d): it may be in other functions only. @err: it is not, or
 * there was another error; if that is that several have the name, the hint tells
 * their files.
 */
int define_inlined(struct definer *df, struct definition *def, int err,
		   struct diag *d);

/* define_like() - a definition like @def, without a place, of the function @symbol,
 * which its pattern matches; NULL: no memory.
 */
struct definition *define_like(const struct definition *def, const char *symbol,
			       struct diag *d);

/* define_take_events() - @def becomes the first of @events, which @def's pattern stands
 * for, and the others follow it
 */
void define_take_events(struct definition *def, struct definition *events);

/**
 * define_meaning() - what a place that has a colon in it is
 * @df: definer, with symbols
 * @def: its place becomes that of a tracepoint or of a system call, or @def an event for
 *	each tracepoint that matches, with its place; else it stays
 * @d: on failure
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM.
 */
int define_meaning(struct definer *df, struct definition *def, struct diag *d);

/* define_ask() - @df->info is filled in, where there is a module to ask. */
int define_ask(struct definer *df, struct diag *d);

/**
 * define_by_number() - which system calls the kernel's tracepoint of all calls serves
 * @df: definer
 * @def: compiled; some of its points, or none, are marked for that
 * @d: on failure
 *
 * Those of a pattern, where they are many: two hooks are armed then, and not one for each
 * call; but every task takes the slow way into the kernel for all of its calls.
 *
 * Return: 0; -EOPNOTSUPP: --hook=syscall asks for what cannot be; what the kernel said.
 */
int define_by_number(struct definer *df, struct definition *def, struct diag *d);

/**
 * define_tracepoints() - those that tracepoint:[GROUP:]PATTERN matches
 * @df: definer, with symbols
 * @spec: the definition
 * @d: on failure
 * @ret: on success, sorted; may have some twice
 *
 * Return: 0, -ENOENT, -ENOMEM.
 */
int define_tracepoints(struct definer *df, const struct probe_spec *spec,
		       struct diag *d, struct names *ret);

/**
 * define_own_entry() - the entry of a function of a program that has no symbol
 * @def: resolved
 * @dbg: debug information of its program
 * @d: on failure
 *
 * Symbols tell where functions begin, but for those that were stripped of them: then
 * the debug information does, and names the function.
 *
 * Return: 0, also where nothing is to be done, or -ENOMEM.
 */
int define_own_entry(struct definition *def, struct debug *dbg, struct diag *d);

/**
 * define_append_bare() - one more point in the same file, without syntax and place
 * @def: first point
 *
 * Return: the point, which @def owns; NULL: no memory.
 */
struct definition *define_append_bare(struct definition *def);

/* define_append() - another point like @def, without a place; NULL: no memory. */
struct definition *define_append(struct definition *def, struct diag *d);

/* define_calls() - the layout of a compiled point gets the calls that its code was
 * inlined through, where it was.
 */
int define_calls(struct definer *df, struct definition *def, struct diag *d);

#endif /* KTAP_DEFINE_DEBUG_H */
