/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Locations of variables, as DWARF describes them, to expressions. All of a
 * location is translated, or it is refused: there is nothing in between.
 */
#ifndef KTAP_BIND_LOC_LOC_H
#define KTAP_BIND_LOC_LOC_H

#include "arch/arch.h"
#include "base/diag.h"
#include "codegen/term.h"
#include "dwarf/func.h"
#include "dwarf/map.h"

/* Why there is no location, or why it is refused: rows of loc_why_text(). */
enum loc_why {
	LOC_OK,
	LOC_ABSENT,	/* nothing is left of it */
	LOC_ELSEWHERE,	/* not at this address */
	LOC_OPERATION,	/* one that has no meaning here */
	LOC_PARAMETER,	/* it is a parameter of the caller's code */
	LOC_UNDEFINED,	/* a part is undefined */
	LOC_THREAD,	/* thread-local, of a library */
	LOC_FRAME,	/* no CFI */
	LOC_LOOP,	/* it jumps back */
	LOC_DAMAGED,
	LOC_FLOAT,	/* it computes floating-point numbers */
	LOC_REGISTER,	/* one that probes do not see */
	LOC_VECTOR,	/* one of those, for floating-point numbers and vectors */
	LOC_LONG,	/* too long */
	LOC_LATER,	/* the function has yet to put it there */
	LOC_TWIN,	/* &struct debug_var.is_twin */
	LOC_FREED,	/* it was there while the kernel or a module started */
	LOC_UNKNOWN,	/* where it is in memory cannot be seen */
	LOC_DISCARDED,	/* the linker left it out */
	LOC_NR
};

/**
 * struct site - where variables are looked for
 * @dbg: debug information
 * @func: the function
 * @address: in it, as the file has it
 * @file_base: programs: what is added to where the file would begin in memory, to
 *	make what is added to addresses of the file
 * @map: the kernel and its modules: where they run; NULL: where the file says
 * @at_entry: the function's variables are where the caller put them
 * @may_lack: what has no value here has one at another point of the event
 * @is_user: of a program
 */
struct site {
	struct debug *dbg;
	struct debug_func func;
	uint64_t address;
	uint64_t file_base;
	const struct debug_map *map;
	bool at_entry;
	bool may_lack;
	bool is_user;
};

enum loc_kind {
	LOC_NUMBER,	/* @term is the value */
	LOC_MEMORY,	/* @term is the address */
	LOC_PIECES,	/* @piece, from the lowest byte on */
	LOC_POINTER,	/* to @offset bytes behind the start of @target, which has
			 * a location, or had: the pointer itself is nowhere
			 */
};

/**
 * struct loc_piece - part of a variable
 * @kind: LOC_NUMBER or LOC_MEMORY
 * @term: see there; owned; NULL: it is undefined
 * @bits: how many
 * @shift: the first of them in the value, or behind the address
 */
struct loc_piece {
	enum loc_kind kind;
	struct term *term;
	uint64_t bits;
	uint64_t shift;
};

/**
 * struct loc - where a variable is
 * @kind: which members mean something
 * @term: owned
 * @piece: owned
 * @nr: how many
 * @target: DIE
 * @offset: bytes
 */
struct loc {
	enum loc_kind kind;
	struct term *term;
	struct loc_piece *piece;
	size_t nr;
	Dwarf_Die target;
	int64_t offset;
};

/**
 * loc_deinit() - free the terms and pieces of a location
 * @loc: location; it becomes all zeros, and may be passed again
 */
void loc_deinit(struct loc *loc);

/**
 * loc_find() - where a variable is
 * @site: when seen from there
 * @arch: the machine
 * @die: DIE of the variable
 * @at: where the expressions stand in the definition
 * @why: where it is refused: the reason
 * @ret: on success; release with loc_deinit()
 *
 * Return: 0, -ENODATA (see @why), -ENOMEM.
 */
int loc_find(const struct site *site, const struct arch *arch, Dwarf_Die *die,
	     struct span at, enum loc_why *why, struct loc *ret);

/* struct loc_ops - a location expression: @nr operations */
struct loc_ops {
	const Dwarf_Op *op;
	size_t nr;
};

/**
 * loc_translate() - translate one location expression
 * @site: place that the expression is evaluated at
 * @arch: the machine
 * @attr: attribute that has @ops for the address of @site; NULL: the operations refer to
 *	no DIE, block or table of addresses. Those that do are LOC_DAMAGED then.
 * @ops: the expression
 * @at: position in the definition, for the terms that are made
 * @why: LOC_OK on success; where the expression is refused, the reason; not set where memory
 *	ran out
 * @ret: on success; release with loc_deinit()
 *
 * The function does not check what loc_find() does: that the linker discarded the variable, or
 * that the function has yet to store it.
 *
 * Return: 0, -ENODATA (see @why), -ENOMEM.
 */
int loc_translate(const struct site *site, const struct arch *arch,
		  Dwarf_Attribute *attr, const struct loc_ops *ops,
		  struct span at, enum loc_why *why, struct loc *ret);

/**
 * loc_why_text() - describe why there is no location
 * @why: less than LOC_NR
 *
 * Return: the reason, a static string: "it has none there".
 */
const char *loc_why_text(enum loc_why why);

#endif /* KTAP_BIND_LOC_LOC_H */
