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
 * debug_open_alone() - open a file whose debug information is in it
 * @path: file, which may be of another machine
 * @d: on failure
 * @ret: on success; free with debug_free()
 *
 * Names of other files in it are not followed: what such a name leads to on this machine may
 * be a FIFO, or a file of another build.
 *
 * Return: as debug_open().
 */
int debug_open_alone(const char *path, struct diag *d, struct debug **ret);

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

/**
 * debug_free() - close a file and release its debug information
 * @dbg: the file; may be NULL
 *
 * Afterwards nothing that came from @dbg may be used: no DIE, type, name, path, section or
 * frame. Arrays that have a function of their own to release them are still released with
 * that.
 */
void debug_free(struct debug *dbg);
DEFINE_CLEANUP(struct debug, debug_free)

/**
 * debug_check_there() - check that the variables of some code can be read
 * @dbg: debug information, loaded
 * @address: of the code, as the file has it; 0: check all units
 * @d: on failure: which .dwo file is missing; or NULL
 *
 * A unit that was split off (-gsplit-dwarf) has its variables in a .dwo file.
 *
 * Return: 0, also where no unit has the code; -ENOENT: the .dwo file of that unit, or with
 * @address 0 of any unit, is not there or cannot be read; -ENOMEM.
 */
int debug_check_there(struct debug *dbg, uint64_t address, struct diag *d);

/**
 * debug_path() - return the path of the file
 * @dbg: the file
 *
 * Return: the path as debug_open() got it; owned by @dbg, valid until debug_free().
 */
const char *debug_path(const struct debug *dbg);

/**
 * debug_has_index() - report whether a search through all debug information is cheap
 * @dbg: debug information
 *
 * The first call opens the index, as index_of() does.
 *
 * Return: true if @dbg has an index that can be used.
 */
bool debug_has_index(struct debug *dbg);

/**
 * debug_build_id() - return the build-id of the file
 * @dbg: the file
 * @nr: set to the bytes of the build-id; 0: there is none
 *
 * Return: the build-id; owned by @dbg, valid until debug_free(); NULL: the file has none.
 */
const uint8_t *debug_build_id(const struct debug *dbg, size_t *nr);

/**
 * debug_running_path() - return a path where debug information of the running kernel may be
 * @i: number of the path, from 0; the caller tries them in this order
 *
 * The file need not exist, and may be of another build: see debug_check_running().
 *
 * Return: the path, malloc'ed; NULL: there are no more, or no memory.
 */
char *debug_running_path(unsigned int i);

/**
 * debug_check_running() - check that a file is of the running kernel
 * @dbg: the file
 * @d: on failure; or NULL
 *
 * The build-id is compared with /sys/kernel/notes.
 *
 * Return: 0, also where one of them has no build-id that can be read; -EINVAL: the
 * build-ids differ.
 */
int debug_check_running(const struct debug *dbg, struct diag *d);

/**
 * debug_is_module() - report whether a file is a module of the kernel
 * @dbg: the file
 *
 * Return: true if it is relocatable (ET_REL): such a file has no addresses until the kernel
 * loads it.
 */
bool debug_is_module(struct debug *dbg);

/**
 * debug_module_name() - return the name by which the kernel knows a module
 * @dbg: file of the module
 *
 * The name is in the section .modinfo. Without one it is the name of the file up to ".ko",
 * with '_' in place of '-'.
 *
 * Return: the name, malloc'ed; NULL: no memory.
 */
char *debug_module_name(struct debug *dbg);

/**
 * debug_module_path() - return a path where debug information of a module may be
 * @module: name of the module; '-' and '_' are the same character
 * @i: number of the path, from 0; the caller tries them in this order
 *
 * The paths are of the running kernel, and made from its modules.dep. The file need not
 * exist, and may be of another build: see debug_check_module(). Two numbers may have the
 * same path.
 *
 * Return: the path, malloc'ed; NULL: there are no more, modules.dep does not have the
 * module, or no memory.
 */
char *debug_module_path(const char *module, unsigned int i);

/**
 * debug_check_module() - check that a file is of a module that is loaded
 * @dbg: the file
 * @module: name of the module, as the kernel writes it
 * @d: on failure; or NULL
 *
 * The build-id is compared with /sys/module/MODULE/notes/.note.gnu.build-id.
 *
 * Return: 0, also where one of them has no build-id that can be read, as of a module that
 * is not loaded; -EINVAL: the build-ids differ; -ENOMEM.
 */
int debug_check_module(const struct debug *dbg, const char *module,
		       struct diag *d);

/**
 * debug_module_is_loaded() - report whether a module is loaded
 * @module: name of the module, as the kernel writes it
 *
 * Return: true if /sys/module/MODULE/initstate can be read, so also while the module is
 * being initialised or removed; false for code that is built into the kernel.
 */
bool debug_module_is_loaded(const char *module);

/**
 * debug_module_is_live() - report whether the initialisation of a module is over
 * @module: name of the module, as the kernel writes it
 *
 * Return: true if /sys/module/MODULE/initstate says "live": then the kernel has freed the
 * sections .init of the module, or is about to.
 */
bool debug_module_is_live(const char *module);

/**
 * debug_module_section() - find where a section of a module is in memory
 * @module: name of the module, as the kernel writes it
 * @section: name of the section
 * @ret: its address in memory; 0 or unchanged on failure
 *
 * The address is read from /sys/module/MODULE/sections/SECTION.
 *
 * Return: false: that cannot be read, or is 0, as the kernel shows it to a process without
 * the right to see it.
 */
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

/**
 * debug_has_symbols() - report whether a file has symbols
 * @dbg: the file
 *
 * Return: true if its symbol table has more than the first entry, which is empty.
 */
bool debug_has_symbols(struct debug *dbg);

/**
 * debug_symbol() - find a symbol by its name
 * @dbg: the file
 * @name: name of the symbol
 * @ret: its address, as the file has it
 *
 * Undefined symbols, symbols of sections and source files, and names that begin with '$' (as
 * mapping symbols do) are passed over.
 *
 * Return: false: no symbol has the name, or several symbols at different addresses have it;
 *	@ret is unchanged.
 */
bool debug_symbol(struct debug *dbg, const char *name, uint64_t *ret);

/**
 * debug_types() - return the types of a file
 * @dbg: the file
 *
 * Return: the types; owned by @dbg, valid until debug_free(); never NULL.
 */
struct debug_types *debug_types(struct debug *dbg);

/**
 * debug_set_base() - set where types are searched for that a module only declares
 * @dbg: debug information of a module
 * @base: returns the debug information of the kernel, or NULL: there is none. It is called
 *	whenever such a type is searched for. Its result must outlive the types of @dbg.
 * @ctx: for @base; must live as long as @dbg uses it
 *
 * A later call replaces @base and @ctx.
 */
void debug_set_base(struct debug *dbg, struct debug *(*base)(void *ctx),
		    void *ctx);

/**
 * debug_arch() - find the architecture of a file's code
 * @dbg: the file
 * @ret: the architecture; unchanged on failure
 *
 * Return: false: it is not a 64-bit little-endian file for x86-64 or arm64.
 */
bool debug_arch(struct debug *dbg, enum ktap_arch *ret);

/**
 * debug_tables() - return the ELF file that has the debug information
 * @dbg: debug information, loaded
 *
 * It may have symbols that the file that was opened lacks.
 *
 * Return: the file; owned by @dbg, valid until debug_free(); NULL: its addresses differ
 * from the addresses of the file that was opened.
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

/**
 * debug_function_symbol() - find the symbol of the function at an address
 * @dbg: the file
 * @address: of code, as the file has it
 * @start: address of the symbol
 * @end: address after the function's last byte; the same as @start where the symbol has no
 *	size: then the code at @address may be of another function
 *
 * Of symbols at one address the longest counts. The first call sorts all symbols of
 * functions.
 *
 * Return: false: no symbol has the code at @address, or no memory.
 */
bool debug_function_symbol(struct debug *dbg, uint64_t address, uint64_t *start,
			   uint64_t *end);

/**
 * debug_symbol_in() - find the next symbol in a range of addresses
 * @dbg: the file
 * @start: first address of the range, as the file has it
 * @end: first address after the range
 * @pos: where the search is; 0 at the start; changed by each call
 * @name: name of the symbol; owned by @dbg
 * @address: its address
 *
 * The symbols come in the order of the symbol table. Absolute ones (SHN_ABS), and those that
 * debug_symbol() passes over, are passed over.
 *
 * Return: false: there are no more, and @name and @address are unchanged.
 */
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

/**
 * debug_section_at() - return a section by its number
 * @dbg: the file
 * @i: number of the section, from 0; the empty first entry of the section table is not
 *	counted
 * @ret: the section; its name and libelf handle are owned by @dbg
 *
 * Return: false: there are no more, or the table cannot be read.
 */
bool debug_section_at(struct debug *dbg, size_t i, struct debug_section *ret);

/**
 * debug_section() - find a section by its name
 * @dbg: the file
 * @name: name of the section; the first one with it is found
 * @start: address of its first byte, as the file has it
 * @size: bytes
 *
 * Return: false: there is no such section, and @start and @size are unchanged.
 */
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

/**
 * debug_threads() - find the thread-local variables of a program
 * @dbg: the file
 * @ret: where the segment PT_TLS has them; unchanged on failure
 *
 * Return: false: the file has no such segment, or is not a program but a library.
 */
bool debug_threads(struct debug *dbg, struct debug_threads *ret);

/**
 * debug_thread_symbol() - find where a thread-local variable is, by its symbol
 * @dbg: debug information of a program
 * @die: the variable; of a variable that is declared in a function nothing is found
 * @ret: bytes from the start of the thread-local variables to this one
 *
 * The symbol has the type STT_TLS, and the linkage name of the variable, or if there is none
 * its name. The symbol of a static variable has to come after the STT_FILE symbol that has
 * the name of the variable's unit, without directories.
 *
 * Return: true if exactly one symbol matches; else @ret is unchanged.
 */
bool debug_thread_symbol(struct debug *dbg, Dwarf_Die *die, uint64_t *ret);

/**
 * debug_cfi() - find the rules that lead from the registers to the CFA
 * @dbg: the file
 * @address: of an instruction, as the file has it
 * @ret: the frame there, malloc'ed: free it with free(), after the last use of what libdw
 *	returned from it
 *
 * Rules in .debug_frame take precedence over .eh_frame, because there are more of them.
 *
 * Return: false: there are no rules for @address.
 */
bool debug_cfi(struct debug *dbg, uint64_t address, Dwarf_Frame **ret);

#endif /* KTAP_DWARF_DEBUG_H */
