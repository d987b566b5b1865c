/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Debug information of one file: a kernel, a module, a program or a library of
 * either architecture. Addresses are those of the file that was named, as its
 * symbols have them; of a module, where libdwfl laid out its sections.
 */
#ifndef KTAP_DWARF_DEBUG_H
#define KTAP_DWARF_DEBUG_H

#include <elfutils/libdw.h>
#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/suggest.h"
#include "dwarf/types.h"

struct debug;

/**
 * debug_open() - open a file and find its debug information
 * @path: file; the information is in it, or where its build-id, .gnu_debuglink
 *	and .gnu_debugaltlink lead to, or with a debuginfod that is configured
 * @d: on failure
 * @ret: on success; free with debug_free()
 *
 * Return: 0, -ENOENT where there is none, -EINVAL for what is damaged, -ENOMEM,
 * or the error of open().
 */
int debug_open(const char *path, struct diag *d, struct debug **ret);

/**
 * debug_open_symbols() - open a file whose symbols and sections are wanted
 * @path: file of the kernel or of a module, with or without debug information
 * @d: on failure
 * @ret: on success; free with debug_free(). Until debug_load() has succeeded, only
 *	functions about symbols, sections, the machine and the build-id may be called.
 *
 * Return: 0, -EINVAL for what is damaged, -ENOMEM, or the error of open().
 */
int debug_open_symbols(const char *path, struct diag *d, struct debug **ret);

/**
 * debug_load() - find the debug information of a file that is open
 * @dbg: from debug_open_symbols()
 * @d: on failure
 *
 * Return: as debug_open()
 */
int debug_load(struct debug *dbg, struct diag *d);
void debug_free(struct debug *dbg);
DEFINE_CLEANUP(struct debug, debug_free)

/* debug_check_there() - -ENOENT where the code at @address is of a unit that was split
 * off, and what has its variables is not there or cannot be read; 0: of any unit.
 */
int debug_check_there(struct debug *dbg, uint64_t address, struct diag *d);

const char *debug_path(const struct debug *dbg);
/* debug_has_index() - looking for something in all of it is cheap. */
bool debug_has_index(struct debug *dbg);
/* debug_build_id() - *@nr bytes; NULL: it has none. */
const uint8_t *debug_build_id(const struct debug *dbg, size_t *nr);

/* debug_running_path() - the @i'th place where debug information of the running
 * kernel may be, malloc'ed; NULL: there are no more, or no memory.
 */
char *debug_running_path(unsigned int i);
/* debug_check_running() - -EINVAL where @dbg is not of the running kernel. */
int debug_check_running(const struct debug *dbg, struct diag *d);

/* debug_is_module() - @dbg is of a module of the kernel, which has no addresses yet. */
bool debug_is_module(struct debug *dbg);
/* debug_module_name() - what the kernel calls it; malloc'ed; NULL: no memory. */
char *debug_module_name(struct debug *dbg);
/* debug_module_path() - the @i'th place where debug information of @module of the
 * running kernel may be, malloc'ed; NULL: there are no more, or no memory.
 */
char *debug_module_path(const char *module, unsigned int i);
/* debug_check_module() - -EINVAL where another @module than that of @dbg is loaded. */
int debug_check_module(const struct debug *dbg, const char *module,
		       struct diag *d);
bool debug_module_is_loaded(const char *module);
/* debug_module_is_live() - its initialisation is over, and was freed. */
bool debug_module_is_live(const char *module);
/* debug_module_section() - where that is in memory; false: that is not known. */
bool debug_module_section(const char *module, const char *section,
			  uint64_t *ret);

/* An event of tracefs: its group and its name. A value other than 0 ends the walk. */
typedef int (*debug_event_fn)(void *ctx, const char *group, const char *name);

/**
 * debug_events() - call a function for each event of tracefs that a kernel's file defines
 * @dbg: the file, with its data: a file that has debug information alone has no events
 * @fn: called for each; names are @dbg's
 * @ctx: for @fn
 *
 * Modules are not read: what their data points at is known when they are loaded.
 *
 * Return: 0, -ENOMEM, or what @fn returned
 */
int debug_events(struct debug *dbg, debug_event_fn fn, void *ctx);

bool debug_has_symbols(struct debug *dbg);
/* debug_symbol() - the address of @name; false: there is none of that name, or there
 * are several.
 */
bool debug_symbol(struct debug *dbg, const char *name, uint64_t *ret);

struct debug_types *debug_types(struct debug *dbg);

/* debug_set_base() - where types are defined that @dbg, which is of a module, only
 * declares: asked for when there is one; its answer, or NULL, outlives @dbg's types.
 */
void debug_set_base(struct debug *dbg, struct debug *(*base)(void *ctx),
		    void *ctx);

/* debug_arch() - whose code it is; false: of no machine that is supported. */
bool debug_arch(struct debug *dbg, enum ktap_arch *ret);
/* debug_tables() - the file that has the debug information, if it has the addresses of the
 * file that was opened; else NULL. Valid until debug_free().
 */
Elf *debug_tables(struct debug *dbg);
/**
 * debug_symbols() - the symbols of a kernel or module, as /proc/kallsyms has them
 * @dbg: its file
 * @module: name of the module; NULL: it is a kernel
 * @slide: bytes that are added to the addresses
 * @b: the lines are appended
 */
void debug_symbols(struct debug *dbg, const char *module, uint64_t slide,
		   struct buf *b);
/* debug_function_symbol() - where the symbol is of the function that has the code at
 * @address; false: no symbol says so. Where the symbol has no size, @end is @start, and
 * the function may be another one.
 */
bool debug_function_symbol(struct debug *dbg, uint64_t address, uint64_t *start,
			   uint64_t *end);
/* debug_symbol_in() - the next symbol in an area; start with *@pos at 0. */
bool debug_symbol_in(struct debug *dbg, uint64_t start, uint64_t end, int *pos,
		     const char **name, uint64_t *address);

/**
 * struct debug_section - of the file that was named
 * @name: of it
 * @scn: of libelf
 * @start: address of its first byte
 * @size: bytes
 * @is_loaded: it is in memory when the file is
 */
struct debug_section {
	const char *name;
	Elf_Scn *scn;
	uint64_t start;
	uint64_t size;
	bool is_loaded;
};

/* debug_section_at() - the @i'th one; false: there are no more. */
bool debug_section_at(struct debug *dbg, size_t i, struct debug_section *ret);
/* debug_section() - where it is; false: there is none. */
bool debug_section(struct debug *dbg, const char *name, uint64_t *start,
		   uint64_t *size);

/**
 * struct debug_threads - what each thread of a program has its own copy of
 * @address: of the first byte, as the file has it
 * @size: bytes
 * @align: a power of two
 */
struct debug_threads {
	uint64_t address;
	uint64_t size;
	uint64_t align;
};

/* debug_threads() - false: it has none, or it is no program. */
bool debug_threads(struct debug *dbg, struct debug_threads *ret);

/* debug_thread_symbol() - bytes behind the first of them at which the variable @die is,
 * by its symbol; false: it is no such variable, or no symbol is surely its.
 */
bool debug_thread_symbol(struct debug *dbg, Dwarf_Die *die, uint64_t *ret);

/* debug_cfi() - the rules that lead from the registers at @address to the CFA;
 * *@ret is malloc'ed. False: there are none.
 */
bool debug_cfi(struct debug *dbg, uint64_t address, Dwarf_Frame **ret);

/* ---- functions ---------------------------------------------------------------- */

/**
 * struct debug_func - code of a function: its own, or where it was inlined
 * @die: DW_TAG_subprogram or DW_TAG_inlined_subroutine
 * @owner: the DW_TAG_subprogram that has the code
 * @entry: address; of its own code the symbol's
 * @is_inlined: @die is not @owner
 * @is_rest: it begins in the middle of a call, whose first part is elsewhere
 */
struct debug_func {
	Dwarf_Die die;
	Dwarf_Die owner;
	uint64_t entry;
	bool is_inlined;
	bool is_rest;
};

struct debug_funcs {
	struct debug_func *func;
	size_t nr;
};

/**
 * debug_find() - all code of a function
 * @dbg: debug information
 * @name: function, or the linkage name of one
 * @file: end of the path of the file that defines it; NULL: any
 * @address: where a symbol of that name says that it is; 0: not known. A
 *	function of the unit there that no other unit can see is not looked for
 *	elsewhere.
 * @d: on failure
 * @ret: by address; release with debug_funcs_deinit()
 *
 * Return: 0, also where nothing was found, or -ENOMEM.
 */
int debug_find(struct debug *dbg, const char *name, const char *file,
	       uint64_t address, struct diag *d, struct debug_funcs *ret);
void debug_funcs_deinit(struct debug_funcs *funcs);

/* A visitor of functions ends the walk where it returns false; the walk then does,
 * too.
 */
typedef bool (*debug_func_fn)(void *ctx, const struct debug_func *func);

/* debug_file_functions() - those with code of their own that are defined in @file, the
 * end of a path
 */
bool debug_file_functions(struct debug *dbg, const char *file, debug_func_fn fn,
			  void *ctx);

/* debug_suggest_function() - consider the functions that are defined in @file, the
 * end of a path, or NULL: anywhere.
 */
void debug_suggest_function(struct debug *dbg, const char *file,
			    struct suggest *s);

/* debug_suggest_file() - consider the files of source, by as much of their paths
 * as @s's word, which ends with a NUL, has.
 */
void debug_suggest_file(struct debug *dbg, struct suggest *s);

/* debug_prologue_end() - where @func has stored what it was given, if its variables
 * are nowhere before; false: it is not such a function.
 */
bool debug_prologue_end(struct debug *dbg, const struct debug_func *func,
			uint64_t *ret);

/* debug_entry() - the address of the entry of the function @die; of its own code the
 * symbol's
 */
bool debug_entry(struct debug *dbg, Dwarf_Die *die, uint64_t *ret);

/**
 * struct debug_call - one function of a chain of inlined calls
 * @name: of the function; NULL: it has none
 * @file: that has the call that became its code; NULL: it was not inlined
 * @line: of the call
 */
struct debug_call {
	const char *name;
	const char *file;
	int line;
};

struct debug_chain {
	struct debug_call *call;
	size_t nr;
};

/* debug_chain() - @func, and if it was inlined, what called it, and so on up to the
 * function that has the code. -ENOMEM. Release with debug_chain_deinit().
 */
int debug_chain(struct debug *dbg, const struct debug_func *func,
		struct diag *d, struct debug_chain *ret);
void debug_chain_deinit(struct debug_chain *chain);

/* debug_first() - where what is known of @address begins: the first instruction of
 * @func, where @address is between that and its symbol; else it
 */
uint64_t debug_first(struct debug *dbg, const struct debug_func *func,
		     uint64_t address);

/* debug_origin() - the DIE that is the same for all code of one function */
Dwarf_Die debug_origin(const struct debug_func *func);

/* debug_func_at() - the function whose code is at @address; where @inlined is
 * set the innermost of those that were inlined there. False: none is.
 */
bool debug_func_at(struct debug *dbg, uint64_t address, bool inlined,
		   struct debug_func *ret);

/* debug_unit() - the unit that has the code at @address, or NULL. */
Dwarf_Die *debug_unit(struct debug *dbg, uint64_t address, Dwarf_Die *ret);

/* debug_to_dwarf() - an address of the file, as DWARF has it */
uint64_t debug_to_dwarf(const struct debug *dbg, uint64_t address);

/* debug_has_pc() - whether the code of @die is at @pc, an address of DWARF */
bool debug_has_pc(Dwarf_Die *die, uint64_t pc);

/* ---- types -------------------------------------------------------------------- */

/* What the keyword in front of a type's name says that it is. */
enum debug_type_kind {
	DEBUG_STRUCT,
	DEBUG_UNION,
	DEBUG_ENUM,
	DEBUG_TYPEDEF,	/* no keyword */
};

/* debug_find_type() - the type @name: that of @func's unit, or of any other;
 * false: there is none.
 */
bool debug_find_type(struct debug *dbg, const struct debug_func *func,
		     enum debug_type_kind kind, const char *name,
		     struct ctype *ret);

/* ---- variables ---------------------------------------------------------------- */

enum debug_var_kind {
	DEBUG_PARAM,
	DEBUG_LOCAL,
	DEBUG_GLOBAL,
};

/**
 * struct debug_var - one that is in scope
 * @die: DIE
 * @kind: what it is
 * @is_twin: it is of a block without code, and another such block has one of that
 *	name
 */
struct debug_var {
	Dwarf_Die die;
	enum debug_var_kind kind;
	bool is_twin;
};

/* A visitor of variables ends the walk where it returns other than 0. */
typedef int (*debug_var_fn)(void *ctx, const struct debug_var *var);

/**
 * debug_vars() - what is in scope, the innermost first
 * @dbg: debug information
 * @func: of this function
 * @address: at this address of it
 * @globals: those of its unit too
 * @fn: called for each, also where an inner one hides it
 * @ctx: for @fn
 *
 * Return: what @fn returned.
 */
int debug_vars(struct debug *dbg, const struct debug_func *func,
	       uint64_t address, bool globals, debug_var_fn fn, void *ctx);

/* debug_find_var() - the variable @name in scope, else of what was inlined there,
 * else a global one, else of what @func was inlined into; false: there is none.
 */
bool debug_find_var(struct debug *dbg, const struct debug_func *func,
		    uint64_t address, const char *name, struct debug_var *ret);

/* debug_put_decl() - the variable @die as it would be declared; or without its
 * name, its type.
 */
void debug_put_decl(Dwarf_Die *die, bool named, struct buf *b);

/**
 * struct debug_range - part of a function
 * @start: address of the first byte
 * @end: behind the last one
 * @first: line of the code there; 0: not known
 * @last: line of the last instruction
 */
struct debug_range {
	uint64_t start;
	uint64_t end;
	int first;
	int last;
};

/**
 * struct debug_ranges - where a variable has a value
 * @start: of the function that has the code: offsets are written from there
 * @always: everywhere in its scope; then there are no ranges
 * @range: in the order of the file; owned
 * @nr: how many; 0: nowhere, unless @always
 */
struct debug_ranges {
	uint64_t start;
	bool always;
	struct debug_range *range;
	size_t nr;
};

/* debug_ranges() - of the variable @die of @func. -ENOMEM. */
int debug_ranges(struct debug *dbg, const struct debug_func *func,
		 Dwarf_Die *die, struct debug_ranges *ret);
void debug_ranges_deinit(struct debug_ranges *ranges);
/* debug_put_range() - the one at @i, as offsets with lines */
void debug_put_range(const struct debug_ranges *ranges, size_t i,
		     struct buf *b);

/* debug_put_ranges() - the first ones of @die, for a hint; nothing where it always
 * has a value, or never
 */
void debug_put_ranges(struct debug *dbg, const struct debug_func *func,
		      Dwarf_Die *die, struct buf *b);

#endif /* KTAP_DWARF_DEBUG_H */
