/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols of the running kernel, or of any file in the format of
 * /proc/kallsyms or System.map.
 */
#ifndef KTAP_PLACE_KSYMS_H
#define KTAP_PLACE_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/ktap.h>

#include "arch/sdt.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "spec/spec.h"

struct ksym {
	uint64_t address;	/* 0 when the kernel hides it */
	char type;		/* as nm prints it */
	const char *name;
	const char *module;	/* NULL: vmlinux */
};

struct ksyms;

/**
 * ksyms_load() - read symbols from a file
 * @path: file in the format of /proc/kallsyms or System.map; NULL: /proc/kallsyms
 * @d: on failure
 * @ret: on success; release with ksyms_free()
 *
 * Return: 0; -EINVAL: no line of the file is a symbol; -ENOMEM; or the error of opening
 *	or reading the file.
 */
int ksyms_load(const char *path, struct diag *d, struct ksyms **ret);

/**
 * struct ksyms_epoch - who knows when the symbols of the running kernel change
 * @get: a number that is the same for as long as they are; 0: that is not known, or
 *	they are not for the caller's eyes
 * @ctx: its first argument
 */
struct ksyms_epoch {
	uint64_t (*get)(void *ctx);
	void *ctx;
};

/**
 * ksyms_load_running() - as ksyms_load() of the running kernel, once an epoch
 * @epoch: who knows that
 * @d: where errors go
 * @ret: the symbols; those that come and go without a module (of BPF programs, of
 *	trampolines) may be of an earlier time, but ksyms_by_address() reads them again
 *	for an address where such may be, once and after each change ksyms_follow() finds
 *
 * Return: as ksyms_load().
 */
int ksyms_load_running(const struct ksyms_epoch *epoch, struct diag *d,
		       struct ksyms **ret);

/**
 * ksyms_follow() - have symbols of the running kernel follow the set of modules
 * @ks: from ksyms_load_running(); others stay as they are
 * @epoch: who knows that
 *
 * Call it when records were read, before their addresses are named: then each module has its
 * own names. A module that was unloaded keeps its names until another module is in its place.
 *
 * Return: whether addresses may have other names than they had.
 */
bool ksyms_follow(struct ksyms *ks, const struct ksyms_epoch *epoch);

/**
 * ksyms_parse() - read symbols from memory
 * @text: in the format of /proc/kallsyms; copied
 * @size: bytes of @text
 * @d: on failure
 * @ret: on success; release with ksyms_free()
 *
 * Unlike ksyms_load(), it accepts a text without any symbol.
 *
 * Return: 0 or -ENOMEM.
 */
int ksyms_parse(const char *text, size_t size, struct diag *d,
		struct ksyms **ret);

/**
 * ksym_print() - write a symbol as a line of /proc/kallsyms
 * @sym: symbol
 *
 * Return: the line, with a newline at its end; malloc'ed; NULL: no memory.
 */
char *ksym_print(const struct ksym *sym);

/**
 * struct ksyms_inlines - who knows the functions that were inlined at an address
 * @find: their names, the innermost one first, valid until @free; returns how many
 * @free: releases @ctx
 * @ctx: first argument of both
 */
struct ksyms_inlines {
	size_t (*find)(void *ctx, uint64_t address, const char *const **ret);
	void (*free)(void *ctx);
	void *ctx;
};

/**
 * ksyms_set_inlines() - have symbols know functions that were inlined
 * @ks: symbols without such knowledge; own @in->ctx from here on
 * @in: who knows; copied
 */
void ksyms_set_inlines(struct ksyms *ks, const struct ksyms_inlines *in);

/**
 * ksyms_inlined() - the functions that were inlined at an address
 * @ks: symbols, or NULL
 * @address: of an instruction of the kernel, or the frame of a user stack
 * @ret: their names, the innermost one first; valid as long as @ks, for a user stack as long
 *	as @ctx of ksyms_more(); unchanged if there is none
 *
 * Return: how many; 0 also without ksyms_set_inlines() or ksyms_more().
 */
size_t ksyms_inlined(const struct ksyms *ks, uint64_t address,
		     const char *const **ret);

/**
 * ksyms_free() - release symbols
 * @ks: symbols, or NULL
 *
 * The strings of each struct ksym that was found in @ks become invalid.
 */
void ksyms_free(struct ksyms *ks);
DEFINE_CLEANUP(struct ksyms, ksyms_free)

/**
 * ksyms_hidden() - whether the addresses of symbols are withheld
 * @ks: symbols
 *
 * Return: true if the address of every line is 0, or there are no lines.
 */
bool ksyms_hidden(const struct ksyms *ks);

/**
 * addresses_restricted() - whether the running kernel withholds addresses from all users
 *
 * It reads the sysctl kernel.kptr_restrict.
 *
 * Return: true if its value is 2; false also where it cannot be read.
 */
bool addresses_restricted(void);

/**
 * addresses_hidden_by() - name the reason why addresses are withheld
 *
 * It is for callers that found hidden addresses: it does not look whether they are
 * hidden.
 *
 * Return: a constant string: "kernel.kptr_restrict is 2", or "no CAP_SYSLOG".
 */
const char *addresses_hidden_by(void);

/**
 * addresses_hint() - add to an error why addresses are withheld, and who can see them
 * @d: gets it as its hint, unless it has one
 */
void addresses_hint(struct diag *d);

/**
 * ksyms_prepare() - sort all symbols by address now
 * @ks: symbols
 *
 * The first ksyms_by_address() does it otherwise, which is not the time where rings fill.
 */
void ksyms_prepare(const struct ksyms *ks);

/**
 * ksyms_by_address() - find the function that covers an address
 * @ks: symbols
 * @address: run-time address
 *
 * A symbol has no size: it covers the bytes up to the next symbol, of code or of data,
 * and at most 1 MiB. Of several symbols at one address, one of data ends the function
 * before it; else the first in the file is returned that is no padding ("__pfx_",
 * "__cfi_"). The first call sorts all symbols by address; @ks keeps that index.
 *
 * Return: a symbol of code, valid until the next call; NULL: no function is there, the
 *	addresses are hidden, or there is no memory for the index.
 */
const struct ksym *ksyms_by_address(const struct ksyms *ks, uint64_t address);

/**
 * struct ksyms_more - who knows the functions of programs
 * @find: returns the symbol for the frame of a user stack (see KTAP_USER_FILE_SHIFT), valid
 *	until the next call; NULL: none, and the symbols themselves may have one
 * @inlined: as @find of struct ksyms_inlines, for such a frame; or NULL
 * @ctx: first argument of both; must live as long as the symbols
 */
struct ksyms_more {
	const struct ksym *(*find)(void *ctx, uint64_t frame);
	size_t (*inlined)(void *ctx, uint64_t frame, const char *const **ret);
	void *ctx;
};

/**
 * ksyms_more() - let symbols of programs be found, too
 * @ks: symbols
 * @more: who knows them; copied
 */
void ksyms_more(struct ksyms *ks, const struct ksyms_more *more);

/* What a control group is in a text of symbols, where others have 'T' or 'D'. */
#define KSYM_CGROUP	'g'

/**
 * ksyms_read_cgroups() - have symbols know the control groups of the running system
 * @ks: symbols
 *
 * Return: 0 or -ENOMEM.
 */
int ksyms_read_cgroups(struct ksyms *ks);

/**
 * ksyms_take_recorded() - have symbols know the control groups that a recording names
 * @ks: symbols, which come from elsewhere
 * @recorded: those of the recording; @ks owns them from here on
 */
void ksyms_take_recorded(struct ksyms *ks, struct ksyms *recorded);

/**
 * ksyms_cgroup() - the path of a control group
 * @ks: symbols, or NULL
 * @id: its ID
 *
 * Return: see cgroups_path(), valid until ksyms_free(); NULL: it is not known.
 */
const char *ksyms_cgroup(const struct ksyms *ks, uint64_t id);

/**
 * struct place - where a probe goes, resolved
 * @type: enum ktap_type of the probe; 0: KTAP_TYPE_KPROBE
 * @is_entry: at a function's entry: its arguments are where the ABI puts them
 * @is_syscall: but the function's one argument is a struct pt_regs, which has
 *	those of the system call
 * @shares_name: its address was given, and other functions of its module are
 *	called @symbol too
 * @module_absent: @module is not loaded; it may come
 * @path: program or library of a user probe; owned
 * @file_offset: byte of it
 * @ref_offset: byte of it that counts the users of an SDT mark; 0: none
 * @sdt_args: arguments of a USDT probe; owned; NULL: it is none
 * @at_ret: at a RET instruction of the function, where its return is seen
 * @no_retval: there: why what it returns is in no register; owned; NULL: it is
 * @has_frame: the entry of the function that it is in is known, and is elsewhere
 * @frame_address: kernel: its run-time address; 0: hidden
 * @has_frame_offset: kernel: it is @frame_offset bytes from @symbol, which is
 *	how it is found without an address and when @module comes back
 * @frame_offset: that; in a program or library the byte of the file
 * @watch_length: bytes watched
 * @watch_access: KTAP_ACCESS_*
 * @period: ns between two ticks of a timer; 0: it is none
 * @each_cpu: the timer ticks on each CPU
 * @offsets: of the kernel's structures; the caller's, or NULL: not known
 * @symbol: function; NULL for an address while addresses are hidden; owned
 * @module: its module, or NULL
 * @offset: bytes from @symbol
 * @address: run-time address; 0 when addresses are hidden; in a program or
 *	library the one that its symbols have
 */
struct place {
	uint32_t type;
	bool is_entry;
	bool is_syscall;
	bool shares_name;
	bool module_absent;
	char *path;
	uint64_t file_offset;
	uint64_t ref_offset;
	struct sdt_args *sdt_args;
	bool at_ret;
	char *no_retval;
	bool has_frame;
	uint64_t frame_address;
	bool has_frame_offset;
	uint64_t frame_offset;
	uint32_t watch_length;
	uint32_t watch_access;
	uint64_t period;
	bool each_cpu;
	const struct ktap_offsets *offsets;
	char *symbol;
	char *module;
	uint64_t offset;
	uint64_t address;
};

/**
 * type_is_return() - whether a type is of probes where a function returns
 * @type: enum ktap_type
 *
 * Return: true for KTAP_TYPE_KRETPROBE, KTAP_TYPE_URETPROBE and KTAP_TYPE_SYSRET.
 */
static inline bool type_is_return(uint32_t type)
{
	return type == KTAP_TYPE_KRETPROBE || type == KTAP_TYPE_URETPROBE ||
	       type == KTAP_TYPE_SYSRET;
}

/**
 * place_is_return() - whether a function returns at a place
 * @place: place
 *
 * Return: true if type_is_return() is true of its type, or it is at a RET instruction.
 */
static inline bool place_is_return(const struct place *place)
{
	return type_is_return(place->type) || place->at_ret;
}

/**
 * ksyms_resolve() - find the place of a definition
 * @ks: symbols
 * @spec: the definition; errors point into its text
 * @d: on failure: missing (with suggestions as the hint), ambiguous (the
 *	candidates with their addresses and modules), data instead of code,
 *	offset past the end of the function
 * @ret: filled on success; release with place_deinit()
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM.
 */
int ksyms_resolve(const struct ksyms *ks, const struct probe_spec *spec,
		  struct diag *d, struct place *ret);

/**
 * place_deinit() - release what a place owns
 * @place: place, or all zero; all zero afterwards
 *
 * What it only refers to (@offsets) stays.
 */
void place_deinit(struct place *place);

/**
 * struct ksym_match - a function that a pattern matched
 * @sym: it
 * @name: as a place names it: the symbol, or of a system call the name
 * @module: that has to be written for it to be the only one; or NULL
 */
struct ksym_match {
	struct ksym sym;
	const char *name;
	const char *module;
};

/**
 * struct ksym_matches - what a pattern matched
 * @match: by name
 * @nr: how many
 * @twice: functions that were left out: another has their name in one module
 * @forbidden: likewise: the kernel lets no kprobe be in them
 */
struct ksym_matches {
	struct ksym_match *match;
	size_t nr;
	size_t twice;
	size_t forbidden;
};

/**
 * ksyms_glob() - the functions that the place of a definition matches
 * @ks: symbols
 * @spec: the definition, whose place is a glob
 * @d: on failure; no match is one
 * @ret: on success; release with ksym_matches_deinit()
 *
 * What the kernel frees after its start is left out, and so are parts of
 * functions that the compiler put elsewhere.
 *
 * Return: 0, -ENOENT, -ENOMEM.
 */
int ksyms_glob(const struct ksyms *ks, const struct probe_spec *spec,
	       struct diag *d, struct ksym_matches *ret);

/**
 * ksym_matches_deinit() - release what ksyms_glob() returned
 * @matches: matches, or all zero; empty afterwards
 *
 * Only the array is freed: the strings in it belong to the symbols.
 */
void ksym_matches_deinit(struct ksym_matches *matches);

/**
 * ksym_match_place() - make the place of a function that a pattern matched
 * @ks: the symbols that ksyms_glob() searched
 * @match: a match
 * @spec: the definition with the pattern: it says whether the probe is a return probe,
 *	and whether the function serves a system call
 * @d: on failure
 * @ret: filled as by ksyms_resolve(), with copies of all strings; release with
 *	place_deinit(); all zero after a failure
 *
 * Return: 0 or -ENOMEM.
 */
int ksym_match_place(const struct ksyms *ks, const struct ksym_match *match,
		     const struct probe_spec *spec, struct diag *d,
		     struct place *ret);

/**
 * ksyms_data_address() - the address of a symbol of data
 * @ks: symbols
 * @text: the definition
 * @at: where the symbol stands in it; errors point there
 * @name: the symbol
 * @d: on failure: missing, ambiguous, or hidden
 * @ret: the address
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM.
 */
int ksyms_data_address(const struct ksyms *ks, const char *text,
		       struct span at, const char *name, struct diag *d,
		       uint64_t *ret);

#endif /* KTAP_PLACE_KSYMS_H */
