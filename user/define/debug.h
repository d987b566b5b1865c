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

/**
 * define_kernel() - read the symbols of a kernel and of modules from their files
 * @df: definer without symbols: @df->ks is set, and @df->arch becomes the architecture
 *	of the files
 * @d: on failure
 *
 * The files are @df->vmlinux, @df->module_file and the files of @df->modules.
 *
 * Return: 0; -ENOENT: a file has no symbols; -EINVAL: a file is damaged, or of an architecture
 *	that ktap does not know; -ENOMEM; or the error of opening a file.
 */
int define_kernel(struct definer *df, struct diag *d);

/**
 * define_cgroups() - replace the paths that $cgroup is compared with by IDs
 * @df: definer
 * @terms: the definition
 * @d: on failure: what, and the column
 *
 * Return: 0; -EINVAL: the definition is for another machine; -ENOENT: there is no such
 *	control group; or another error of cgroups_id().
 */
int define_cgroups(const struct definer *df, struct terms *terms, struct diag *d);

/**
 * define_in_module() - apply -m to a definition
 * @df: definer; without @df->module nothing is done
 * @spec: definition, which was parsed; if its place can be in a module and names none, it
 *	names @df->module afterwards
 * @d: on failure
 *
 * Lines of kprobe_events and uprobe_events, places in programs, addresses, timers, system
 * calls and tracepoints stay as they are.
 *
 * Return: 0; -EINVAL: the definition names another module; -ENOMEM.
 */
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

/**
 * define_site() - find the debug information of a place, if names in the definition need it
 * @df: definer
 * @def: definition with a place and terms. @def->site is set, or of a tracepoint
 *	@def->traced
 * @d: on failure
 *
 * Nothing is done if @def->site is set, or no name or type is to be looked up. Where code
 * is not optimised, the place moves from the entry of the function to the end of its
 * prologue. Inside a function the place learns where the entry is.
 *
 * Return: 0, also if there is no debug information; -ENOENT, -EINVAL, -ENOMEM, as
 *	define_debug().
 */
int define_site(struct definer *df, struct definition *def, struct diag *d);

/**
 * define_traced() - find the debug information of the function that calls a tracepoint
 * @df: definer
 * @def: definition; says which file has the debug information
 * @name: tracepoint; its function is __traceiter_NAME
 * @d: on failure
 * @ret: the function, which the caller frees with free(); NULL: BTF knows the function, or
 *	neither BTF nor debug information does
 *
 * Return: 0, -ENOMEM, or as define_debug() when debug information is not required.
 */
int define_traced(struct definer *df, const struct definition *def,
		  const char *name, struct diag *d, struct site **ret);

/**
 * define_function() - find the debug information of the function at a place
 * @df: definer
 * @def: definition with a place; stays as it is
 *
 * Return: the function as seen from its entry, which the caller frees with free(); NULL for
 *	a tracepoint, without debug information, and on any error.
 */
struct site *define_function(struct definer *df, const struct definition *def);

/**
 * define_must_site() - find the debug information of a place, and fail without it
 * @df: definer
 * @def: definition with a place, whose @def->site is NULL; it needs no terms. The place may
 *	move as define_site() says
 * @d: on failure
 *
 * Return: 0: @def->site is set; -ENOENT: there is no debug information, it does not have the
 *	place, or the place is a tracepoint; -EINVAL, -ENOMEM, as define_debug().
 */
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

/**
 * define_needs_source() - whether only debug information knows a place
 * @def: definition, which was parsed
 *
 * Return: true for lines of source, patterns of lines, and functions with the file of
 *	source that defines them.
 */
bool define_needs_source(const struct definition *def);

/**
 * define_source() - find all points of a place that only debug information knows
 * @df: definer, with symbols if the place is in the kernel
 * @def: definition, for which define_needs_source() is true; @def->bin is set if the place is
 *	in a program. The definition becomes the first point, and the further points follow it
 * @d: on failure
 *
 * A pattern of functions becomes one event for each function that has code of its own and
 * has the values that the definition records.
 *
 * Return: 0; -ENOENT: no debug information, or nothing of that name or line in it; -EINVAL:
 *	the place is ambiguous, or its code is not in memory; -ENOMEM; or the error of
 *	reading the source.
 */
int define_source(struct definer *df, struct definition *def, struct diag *d);

/**
 * define_copies() - append the points where a function was inlined
 * @df: definer
 * @def: definition with a place; further points follow it
 * @d: on failure
 *
 * Nothing is appended unless the definition names a function, without an offset, a return or
 * a version; nor for a line of kprobe_events or uprobe_events, nor without debug information.
 * In a module that is not loaded the place is found again, by the debug information.
 *
 * Return: 0, -EINVAL, -ENOMEM, or as define_debug() when debug information is not required.
 */
int define_copies(struct definer *df, struct definition *def, struct diag *d);

/**
 * define_inlined() - find a function by debug information after its symbol was not found
 * @df: definer
 * @def: definition of a function, an offset in it, or its return. On success it has a place,
 *	and further points may follow it
 * @err: error of looking the symbol up
 * @d: has the error @err; not NULL. On success it is empty
 *
 * After -ENOENT the function may be one that was inlined everywhere, or one that has another
 * symbol than its name. If several symbols have the name, the error gets a hint that has the
 * files of source that define them.
 *
 * Return: 0: the points were found; @err: debug information does not have the function
 *	either, or @err is an error that it cannot help with; or why a function that was
 *	found there cannot be probed: -EINVAL, -ENOMEM.
 */
int define_inlined(struct definer *df, struct definition *def, int err,
		   struct diag *d);

/**
 * define_like() - copy a definition for one function that its pattern matches
 * @def: definition, whose place is a pattern
 * @symbol: function; copied
 * @d: on failure
 *
 * Return: a definition of that function, in the same file and without a place, to be freed
 *	with definition_free(); NULL: no memory.
 */
struct definition *define_like(const struct definition *def, const char *symbol,
			       struct diag *d);

/**
 * define_take_events() - replace a definition by the events that its pattern stands for
 * @def: definition without further points; becomes the first event, and the other events
 *	follow it
 * @events: events; taken: the pointer is not valid any more
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

/**
 * define_ask() - have @df->info of ktap's module
 * @df: definer; without @df->ctl nothing is done
 * @d: on failure
 *
 * The module is not asked again if @df->info is filled in.
 *
 * Return: 0, or the error of ctl_info().
 */
int define_ask(struct definer *df, struct diag *d);

/**
 * define_file_offsets() - have the offsets for %pd and %pD of the kernel that is in a file
 * @df: definer, whose kernel is in a file; @df->info gets the offsets
 * @def: definition, whose file is searched first
 * @d: on failure
 *
 * Return: 0; -EINVAL: neither debug information nor BTF has struct dentry and struct file; or
 *	as define_debug() when debug information is not required.
 */
int define_file_offsets(struct definer *df, const struct definition *def,
			struct diag *d);

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

/**
 * define_append() - append a point with the syntax of the first one
 * @def: first point; its syntax is copied
 * @d: on failure
 *
 * Return: the point, without a place, which @def owns; NULL: no memory: then @def may have
 *	one more point, which is empty.
 */
struct definition *define_append(struct definition *def, struct diag *d);

/**
 * define_calls() - note in a layout the calls that the code was inlined through
 * @df: definer
 * @def: compiled point; if its code is an inlined instance, @def->program->layout->calls is
 *	set
 * @d: on failure
 *
 * It is for after compile_probe() and before the layout is encoded.
 *
 * Return: 0, also if nothing was inlined; -ENOMEM, or as define_debug() when debug
 *	information is required.
 */
int define_calls(struct definer *df, struct definition *def, struct diag *d);

#endif /* KTAP_DEFINE_DEBUG_H */
