/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places that debug information knows: lines of source, functions by the file
 * that defines them, and where functions were inlined. Each may be several
 * points.
 */
#ifndef KTAP_DEFINE_POINTS_H
#define KTAP_DEFINE_POINTS_H

#include "dwarf/func.h"
#include "dwarf/line.h"
#include "spec/spec.h"

/**
 * struct points - what a place stands for
 * @dbg: debug information
 * @spec: the place, and the text that errors point into
 * @source: -s DIR or OLD=NEW, or NULL
 * @d: where errors go
 * @func: functions, each with the address of its point as its entry; owned
 * @nr: how many
 */
struct points {
	struct debug *dbg;
	const struct probe_spec *spec;
	const char *source;
	struct diag *d;
	struct debug_func *func;
	size_t nr;
};

/**
 * points_returns() - the functions that return where @p->spec's function does
 * @p: points, none yet; release with points_deinit(), also on failure
 *
 * Those are the clones that the compiler made of it, where it has no code of its own.
 * Returns of what was inlined cannot be probed, so that a return probe would miss calls
 * if the function was inlined anywhere: that is refused.
 *
 * Return: 0; -ENOENT: no such function; -EINVAL; -ENOMEM.
 */
int points_returns(struct points *p);

/**
 * points_find() - the code that @p->spec names by lines or by a function
 * @p: points, none yet; release with points_deinit(), also on failure
 *
 * Each address is one point, of the innermost function that is there.
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM, or what reading the source met.
 */
int points_find(struct points *p);

/**
 * points_inside() - the code at the place's offset in the one function of its name
 * @p: points, none yet; release with points_deinit(), also on failure
 *
 * It is one point, whose function is the one that has the code, not one inlined there.
 *
 * Return: 0, -ENOENT, -ENOMEM; -EINVAL: the function ends before it.
 */
int points_inside(struct points *p);

/**
 * points_matches() - the functions of a file that @p->spec's pattern matches
 * @p: points, none yet; release with points_deinit(), also on failure
 *
 * A function that was only inlined is none of them.
 *
 * Return: 0, -ENOENT, -ENOMEM.
 */
int points_matches(struct points *p);

/**
 * points_copies() - all code of the function whose symbol is at an address
 * @p: points, none yet; release with points_deinit(), also on failure
 * @address: of the symbol, as the file has it
 *
 * Its own code is one point, and so is each inlined instance. Functions of the same name that
 * are defined elsewhere are no points.
 *
 * Return: 0, also if there is no such function; -ENOMEM.
 */
int points_copies(struct points *p, uint64_t address);

/**
 * points_deinit() - free the functions of points
 * @p: points; there are none afterwards, and @p can be used again
 *
 * The debug information stays valid: it is the caller's.
 */
void points_deinit(struct points *p);

/**
 * points_functions() - find the code of the one function that the place names
 * @p: points; those that it has stay as they are
 * @ret: on success: at least one function, by address; release with debug_funcs_deinit()
 *
 * Return: 0; -ENOENT: no such function; -EINVAL: several functions have the name; -ENOMEM.
 */
int points_functions(struct points *p, struct debug_funcs *ret);

/**
 * points_twins() - write how to name each of several functions that have one name
 * @p: points; only the name of the place counts, not its file of source
 * @b: the names are appended, for a hint; nothing if all code is of one function, or without
 *	memory
 */
void points_twins(struct points *p, struct buf *b);

/**
 * points_no_file() - report that no code is from the file of source of the place
 * @p: points; @p->d gets the error, with names of files that are similar
 *
 * Return: -ENOENT.
 */
int points_no_file(struct points *p);

/**
 * points_no_lines() - report that the line of the function of the place is not known
 * @p: points; @p->d gets the error
 *
 * Return: -ENOENT.
 */
int points_no_lines(struct points *p);

/**
 * points_no_code() - report that no code is at the lines of the place
 * @p: points; @p->d gets the error, with the nearest lines that have code as its hint
 * @rows: lines that have code
 * @base: line of the function, from which the lines of the place count; 0: they are lines of
 *	a file
 * @file: source of the function: if the line there is code of another function, the hint
 *	says so; or NULL
 *
 * Return: -ENOENT.
 */
int points_no_code(struct points *p, const struct debug_rows *rows, int base,
		   const char *file);

#endif /* KTAP_DEFINE_POINTS_H */
