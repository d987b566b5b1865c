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

/* ksyms_load() - read @path (NULL: /proc/kallsyms). */
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
 * @ret: the symbols; those that have an address and come and go without a module
 *	(of BPF programs, of trampolines) may be of an earlier time
 *
 * Return: as ksyms_load().
 */
int ksyms_load_running(const struct ksyms_epoch *epoch, struct diag *d,
		       struct ksyms **ret);

/* ksyms_parse() - the same from @size bytes of text (copied). */
int ksyms_parse(const char *text, size_t size, struct diag *d,
		struct ksyms **ret);
/* ksym_print() - as a line of such a text; malloc'ed, or NULL. */
char *ksym_print(const struct ksym *sym);
void ksyms_free(struct ksyms *ks);
DEFINE_CLEANUP(struct ksyms, ksyms_free)

/* ksyms_hidden() - true when the addresses are withheld. */
bool ksyms_hidden(const struct ksyms *ks);

/* addresses_restricted() - this kernel withholds them from everybody. */
bool addresses_restricted(void);

/* addresses_hidden_by() - who cannot see them lacks what, in words. */
const char *addresses_hidden_by(void);

/* addresses_hint() - how they could be seen. */
void addresses_hint(struct diag *d);

/* ksyms_by_address() - the text symbol that covers @address, or NULL. */
const struct ksym *ksyms_by_address(const struct ksyms *ks, uint64_t address);

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

/* type_is_return() - @type (enum ktap_type) is of probes where a function returns. */
static inline bool type_is_return(uint32_t type)
{
	return type == KTAP_TYPE_KRETPROBE || type == KTAP_TYPE_URETPROBE ||
	       type == KTAP_TYPE_SYSRET;
}

/* place_is_return() - a function returns there. */
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
void ksym_matches_deinit(struct ksym_matches *matches);

/* ksym_match_place() - the place of a match; as ksyms_resolve(). */
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
