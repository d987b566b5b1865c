// SPDX-License-Identifier: GPL-2.0
/* Locations as text. */
#include "bind/where.h"

#include <dwarf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "bind/bind_in.h"
#include "codegen/term.h"
#include "dwarf/var.h"

/* More of them tell nobody anything. */
#define PIECES_MAX 8

/**
 * struct asked - one variable
 * @site: seen from there
 * @arch: the machine
 * @b: what is said of it
 */
struct asked {
	const struct site *site;
	const struct arch *arch;
	struct buf *b;
};

const char *where_kind_text(enum where_kind kind)
{
	static const char *const texts[WHERE_NR] = {
		[WHERE_NOWHERE] = "nowhere",
		[WHERE_REGISTER] = "register",
		[WHERE_CONSTANT] = "constant",
		[WHERE_COMPUTED] = "computed",
		[WHERE_MEMORY] = "memory",
		[WHERE_PIECES] = "pieces",
		[WHERE_POINTER] = "pointer",
	};

	return texts[kind];
}

/* What is at the address that @e is; of a number, as the kernel has it. */
static void put_memory(struct buf *b, struct term *e)
{
	struct term deref = { .kind = TERM_DEREF, .base = e };

	if (e->kind == TERM_IMM) {
		buf_printf(b, "@0x%" PRIx64, e->value);
		return;
	}
	if (e->kind == TERM_BINARY && e->op == OP_ADD &&
	    e->right->kind == TERM_IMM) {
		deref.base = e->base;
		deref.value = e->right->value;
	}
	term_put(b, &deref);
}

static enum where_kind kind_of(const struct term *e)
{
	if (e->kind == TERM_REG)
		return WHERE_REGISTER;
	return e->kind == TERM_IMM ? WHERE_CONSTANT : WHERE_COMPUTED;
}

/* "bytes 0..7: %di", or of what is no whole byte, bits */
static void put_piece(struct buf *b, const struct loc_piece *piece,
		      uint64_t start)
{
	uint64_t unit = (start | piece->bits) % 8 ? 1 : 8;

	buf_printf(b, "%s%s%s %" PRIu64, start ? ", " : "",
		   unit == 8 ? "byte" : "bit", piece->bits > unit ? "s" : "",
		   start / unit);
	if (piece->bits > unit)
		buf_printf(b, "..%" PRIu64, (start + piece->bits) / unit - 1);
	buf_puts(b, ": ");
	if (!piece->term)
		buf_puts(b, "nowhere");
	else if (piece->kind == LOC_MEMORY)
		put_memory(b, piece->term);
	else
		term_put(b, piece->term);
	if (piece->shift)
		buf_printf(b, " from bit %" PRIu64, piece->shift);
}

static void put_pieces(struct buf *b, const struct loc *loc)
{
	uint64_t start = 0;

	for (size_t i = 0; i < loc->nr; start += loc->piece[i++].bits) {
		if (i == PIECES_MAX) {
			buf_printf(b, ", and %zu more", loc->nr - i);
			break;
		}
		put_piece(b, &loc->piece[i], start);
	}
}

static int put_found(const struct asked *a, struct loc *loc,
		     enum where_kind *ret);

/* Such a pointer points at no other one. */
static int put_target(const struct asked *a, struct loc *loc)
{
	struct loc target = {};
	enum where_kind kind;
	enum loc_why why;
	int err;

	buf_puts(a->b, "nowhere itself; what it points at ");
	if (loc->offset)
		buf_printf(a->b, "begins %" PRId64 " bytes behind ",
			   loc->offset);
	else
		buf_puts(a->b, "is ");
	err = loc_find(a->site, a->arch, &loc->target, (struct span){}, &why,
		       &target);
	if (err == -ENODATA) {
		buf_printf(a->b, "nowhere: %s", loc_why_text(why));
		return 0;
	}
	if (err)
		return err;
	if (target.kind == LOC_POINTER)
		buf_puts(a->b, "a pointer that is nowhere, too");
	else
		err = put_found(a, &target, &kind);
	loc_deinit(&target);
	return err;
}

static int put_found(const struct asked *a, struct loc *loc,
		     enum where_kind *ret)
{
	switch (loc->kind) {
	case LOC_NUMBER:
		*ret = kind_of(loc->term);
		term_put(a->b, loc->term);
		return 0;
	case LOC_MEMORY:
		*ret = WHERE_MEMORY;
		put_memory(a->b, loc->term);
		return 0;
	case LOC_PIECES:
		*ret = WHERE_PIECES;
		put_pieces(a->b, loc);
		return 0;
	default:
		*ret = WHERE_POINTER;
		return put_target(a, loc);
	}
}

static int put_reason(const struct asked *a, Dwarf_Die *die, enum loc_why why,
		      enum where_kind *ret)
{
	*ret = WHERE_NOWHERE;
	if (why == LOC_ABSENT && dwarf_hasattr(die, DW_AT_declaration))
		buf_puts(a->b, "another file of source defines it");
	else
		buf_puts(a->b, loc_why_text(why));
	return 0;
}

/* A constant has the sign of its type. */
static bool is_negative(const struct asked *a, Dwarf_Die *die,
			const struct loc *loc)
{
	struct ctype type;

	if (loc->kind != LOC_NUMBER || loc->term->kind != TERM_IMM ||
	    loc->term->value >= 0)
		return false;
	type = debug_type_of(debug_types(a->site->dbg), die);
	return type.kind == CTYPE_INT && type.is_signed;
}

static int put_location(const struct asked *a, const struct debug_var *var,
			enum where_kind *ret)
{
	Dwarf_Die die = var->die;
	struct loc loc = {};
	enum loc_why why;
	int err;

	if (var->is_twin)
		return put_reason(a, &die, LOC_TWIN, ret);
	err = loc_find(a->site, a->arch, &die, (struct span){}, &why, &loc);
	if (err == -ENODATA)
		return put_reason(a, &die, why, ret);
	if (!err && is_negative(a, &die, &loc)) {
		*ret = WHERE_CONSTANT;
		buf_printf(a->b, "%" PRId64, loc.term->value);
	} else if (!err) {
		err = put_found(a, &loc, ret);
	}
	loc_deinit(&loc);
	return err;
}

/* Which parameter of its function it is, from 1; 0: it is none. */
static unsigned int number_of(const struct site *site,
			      const struct debug_var *var)
{
	Dwarf_Die owner = site->func.owner, child;
	unsigned int nr = 0;

	if (dwarf_child(&owner, &child))
		return 0;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		nr++;
		if (child.addr == var->die.addr)
			return nr;
	} while (!dwarf_siblingof(&child, &child));
	return 0;
}

/* What is not optimised has stored nothing yet at its entry. */
static bool is_given(const struct site *site, const struct debug_var *var)
{
	uint64_t end;

	return var->kind == DEBUG_PARAM &&
	       debug_prologue_end(site->dbg, &site->func, &end);
}

/* Only numbers are taken along from the entry, which are in one place there. */
static bool is_taken(const struct site *site, const struct debug_var *var,
		     enum where_kind kind)
{
	Dwarf_Die die = var->die;
	struct ctype type;

	if (kind != WHERE_MEMORY)
		return kind != WHERE_PIECES && kind != WHERE_POINTER;
	type = debug_type_of(debug_types(site->dbg), &die);
	return type.size <= 8 &&
	       (type.kind == CTYPE_INT || type.kind == CTYPE_POINTER);
}

/* A parameter that is where the caller put it. */
static void put_given(const struct asked *a, unsigned int index,
		      enum where_kind *ret)
{
	unsigned int number = vars_number_at(a->site, a->arch, index);

	if (number) {
		buf_printf(a->b, "$arg%u", number);
		return;
	}
	buf_puts(a->b, "it is not passed as one number");
	*ret = WHERE_NOWHERE;
}

/* The value is taken along from the entry. */
static int put_entry(const struct asked *a, const struct debug_var *var,
		     enum where_kind *ret)
{
	_cleanup_buf_ struct buf inner = BUF_INIT;
	struct asked at_entry = { a->site, a->arch, &inner };
	unsigned int nr = is_given(a->site, var) ? number_of(a->site, var) : 0;
	int err = 0;

	*ret = WHERE_REGISTER;
	if (nr)
		put_given(&at_entry, nr - 1, ret);
	else
		err = put_location(&at_entry, var, ret);
	if (*ret == WHERE_NOWHERE || *ret == WHERE_CONSTANT) {
		buf_puts(a->b, buf_str(&inner));
	} else if (!nr && !is_taken(a->site, var, *ret)) {
		buf_puts(a->b, "it is too large to be taken along from the entry");
		*ret = WHERE_NOWHERE;
	} else {
		buf_printf(a->b, "$entry(%s)", buf_str(&inner));
	}
	return inner.failed ? -ENOMEM : err;
}

int where_find(const struct site *site, const struct arch *arch,
	       const struct debug_var *var, bool is_return, struct where *ret)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct asked a = { site, arch, &b };
	int err;

	if (is_return && var->kind != DEBUG_GLOBAL)
		err = put_entry(&a, var, &ret->kind);
	else
		err = put_location(&a, var, &ret->kind);
	ret->text = err ? NULL : buf_take(&b);
	return ret->text ? 0 : -ENOMEM;
}

void where_deinit(struct where *where)
{
	free(where->text);
	where->text = NULL;
}
