/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Command lines from tables: one row per option serves the parser and the
 * help. Options end at the first word, so that a definition needs no escape.
 */
#ifndef KTAP_CLI_OPTIONS_H
#define KTAP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/diag.h"

/* Options without a letter have keys from here on. */
#define OPTION_LONG_ONLY 256

/* Two options of almost every command. */
#define OPTION_QUIET	{ 'q', "quiet", NULL, "print no notes, show no progress" }
#define OPTION_FILE	\
	{ 'x', "exec", "PATH", "look up all places in this program or library" }
#define OPTION_KERNEL	\
	{ 'k', "vmlinux", "PATH", "read this kernel file with debug information" }
#define OPTION_MODULE	\
	{ 'm', "module", "MODULE", "look up all places in this module (name or FILE.ko)" }
#define OPTION_SOURCE	\
	{ 's', "source", "DIR", "search source files below DIR; or OLD=NEW" }
#define OPTION_HOOK	\
	{ OPT_HOOK, "hook", "HOOK", "serve the probes by ftrace, kprobe or syscall" }
#define OPTION_WAIT	\
	{ OPT_WAIT, "wait", NULL, "wait for a module that is not installed" }
#define OPTION_SKIP	\
	{ OPT_SKIP, "skip", NULL, "leave out definitions of a bundle that cannot be used here" }
#define OPTION_ROOT	\
	{ OPT_ROOT, "root", "DIR", "find the programs of a bundle below DIR" }
#define OPTION_PARAM	\
	{ OPT_PARAM, "param", "PARAM=VALUE", "set a parameter; PARAM=DEFAULT:TYPE declares it" }
#define OPTION_LIMIT \
	{ 'n', "limit", "N", "show the first N rows, and the sum of the others" }
#define OPTION_JSON	{ OPT_JSON, "json", NULL, "print one JSON object per line" }

enum {
	OPT_JSON = OPTION_LONG_ONLY,
	OPT_JSON_INTS,
	OPT_TIME,
	OPT_TIMEOUT,
	OPT_SELF,
	OPT_OVERWRITE,
	OPT_STRICT,
	OPT_DEFINITIONS,
	OPT_SDT,
	OPT_HOOK,
	OPT_EVERY,
	OPT_RATE,
	OPT_MAX,
	OPT_PRETTY,
	OPT_DEPTH,
	OPT_RANGE,
	OPT_EXTERNS,
	OPT_FORMAT,
	OPT_WAIT,
	OPT_EXPECT,
	OPT_MAX_LOST,
	OPT_JUNIT,
	OPT_INTERVAL,
	OPT_SKIP,
	OPT_ROOT,
	OPT_ROWS,
	OPT_LINEAR,
	OPT_SHOW,
	OPT_FOR,
	OPT_TEMPLATE,
	OPT_BY,
	OPT_VALUE,
	OPT_HIST,
	OPT_FOLDED,
	OPT_FLAME,
	OPT_TREE,
	OPT_INLINE,
	OPT_MIN,
	OPT_SORT,
	OPT_DIFF,
	OPT_PARAM,
	OPT_SIGN_KEY,
	OPT_SIGN_CERT,
	OPT_SIGN_HASH,
	OPT_KDIR,
	OPT_FUNCTIONS,
};

/**
 * struct option_row - one option
 * @key: its letter, or OPT_*
 * @name: long name
 * @value: what its value is called in the help, or NULL: it takes none
 * @help: for the help; NULL ends a table
 */
struct option_row {
	int key;
	const char *name;
	const char *value;
	const char *help;
};

/**
 * struct usage - what a command takes
 * @synopsis: what follows "ktap VERB", for the help
 * @about: one paragraph for the help
 * @rows: its options
 * @more: further options, or NULL
 * @takes_command: words after "--" are a command to run
 * @joins_words: every word after the first belongs to it, also one
 *	that looks like an option: "-n" can be an expression
 */
struct usage {
	const char *synopsis;
	const char *about;
	const struct option_row *rows;
	const struct option_row *more;
	bool takes_command;
	bool joins_words;
};

/**
 * struct words - what is left of a command line behind the options
 * @word: the words
 * @nr: how many
 * @command: what follows "--", ended by NULL; NULL: there was none
 */
struct words {
	char **word;
	int nr;
	char **command;
};

/**
 * words_join() - write words as one text, with a blank between two
 * @words: words
 * @ret: to which the text is appended
 */
void words_join(const struct words *words, struct buf *ret);

/* option_fn - takes one option. Return: 0, or negative with @d set. */
typedef int (*option_fn)(void *ctx, int key, const char *value,
			 struct diag *d);

/**
 * options_parse() - parse the command line of a verb
 * @usage: what it may hold
 * @argc: words
 * @argv: words; argv[0] is the verb
 * @fn: called for each option
 * @ctx: handed to @fn
 * @d: on failure
 * @ret: the words behind the options
 *
 * Options may follow the words, unless these are joined: @argv is sorted for
 * that.
 *
 * Return: 0; 1 when help was asked for and given; -EINVAL, or what @fn said.
 */
int options_parse(const struct usage *usage, int argc, char **argv,
		  option_fn fn, void *ctx, struct diag *d, struct words *ret);

/* Values of options */

/**
 * option_pid() - parse the number of a process
 * @value: a decimal number, at least 1
 * @name: name of the option, for the error
 * @d: on failure; or NULL
 * @ret: on success; whether there is such a process is not checked
 *
 * Return: 0; -EINVAL: @value is no such number.
 */
int option_pid(const char *value, const char *name, struct diag *d, pid_t *ret);

/**
 * option_interval() - parse the time between two outputs, in seconds
 * @value: as for option_seconds(), and a tenth of a second at least
 * @d: on failure; or NULL
 * @ret_ns: on success: the time in nanoseconds, rounded down
 *
 * Return: 0; -EINVAL: @value is no such number.
 */
int option_interval(const char *value, struct diag *d, uint64_t *ret_ns);

/**
 * option_seconds() - parse a time in seconds, also with a fraction
 * @value: a number above 0 and below 10^9, in a form that strtod() reads
 * @name: name of the option, for the error
 * @d: on failure; or NULL
 * @ret_ns: on success: the time in nanoseconds, rounded down, but at least 1
 *
 * Return: 0; -EINVAL: @value is no such number.
 */
int option_seconds(const char *value, const char *name, struct diag *d,
		   uint64_t *ret_ns);

/**
 * option_count() - parse a number of things
 * @value: a decimal number from 1 to @max
 * @name: name of the option, for the error
 * @unit: string that may follow the number; or NULL
 * @max: largest number
 * @d: on failure; or NULL
 * @ret: on success: the number
 *
 * Return: 0; -EINVAL: @value is no such number.
 */
int option_count(const char *value, const char *name, const char *unit,
		 uint64_t max, struct diag *d, uint64_t *ret);

/**
 * option_percent() - parse a percentage, also with a fraction
 * @value: a number from 0 to 100, in a form that strtod() reads
 * @name: name of the option, for the error
 * @d: on failure; or NULL
 * @ret: on success
 *
 * Return: 0; -EINVAL: @value is no such number.
 */
int option_percent(const char *value, const char *name, struct diag *d,
		   double *ret);

/**
 * option_size() - parse a number of bytes
 * @value: a decimal number, at least 1; one of K, M and G may follow it, in either case,
 *	for 2^10, 2^20 and 2^30 bytes
 * @name: name of the option, for the error
 * @d: on failure; or NULL
 * @ret: on success: bytes
 *
 * Return: 0; -EINVAL: @value is no such number, or has more than 64 bits.
 */
int option_size(const char *value, const char *name, struct diag *d,
		uint64_t *ret);

/**
 * options_check_bundle() - refuse options that change nothing without a bundle
 * @root: value of --root; NULL: it was not given
 * @skip: --skip was given
 * @words: words that may be bundles
 * @more: further ones; or NULL
 * @d: on failure
 *
 * Return: 0; -EINVAL: there is such an option, and no word is a bundle.
 */
int options_check_bundle(const char *root, bool skip, const struct words *words,
			 const struct words *more, struct diag *d);

#endif /* KTAP_CLI_OPTIONS_H */
