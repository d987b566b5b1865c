// SPDX-License-Identifier: GPL-2.0
/*
 * Declarations as C has them: what is around a name says what it is, from the
 * inside to the outside.
 */
#include <dwarf.h>
#include <inttypes.h>

#include "dwarf/var.h"

#define DEPTH_MAX 32

static void put_type(struct buf *b, Dwarf_Die *die, struct buf *inner,
		     unsigned int depth);

static Dwarf_Die *type_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr))
		return NULL;
	return dwarf_formref_die(&attr, ret);
}

/* @die, or where there is none, void; and what is around the name */
static void put_last(struct buf *b, const char *word, const char *name,
		     const struct buf *inner)
{
	buf_printf(b, "%s%s%s", word, *word ? " " : "", name);
	if (inner->size)
		buf_printf(b, "%s%s", *buf_str(inner) == '[' ? "" : " ",
			   buf_str(inner));
}

/* The type that @die refers to, around @inner. */
static void put_target(struct buf *b, Dwarf_Die *die, struct buf *inner,
		       unsigned int depth)
{
	Dwarf_Die target;

	if (!depth)
		put_last(b, "", "...", inner);
	else if (type_of(die, &target))
		put_type(b, &target, inner, depth - 1);
	else
		put_last(b, "", "void", inner);
}

/* ---- pointers ------------------------------------------------------------------- */

static const char *qualifier_of(int tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return "const";
	case DW_TAG_volatile_type:
		return "volatile";
	case DW_TAG_restrict_type:
		return "restrict";
	case DW_TAG_atomic_type:
		return "_Atomic";
	default:
		return NULL;
	}
}

static const char *sign_of(int tag)
{
	switch (tag) {
	case DW_TAG_pointer_type:
		return "*";
	case DW_TAG_reference_type:
		return "&";
	case DW_TAG_rvalue_reference_type:
		return "&&";
	default:
		return NULL;
	}
}

/* An array or a function binds more than the '*' in front of a name. */
static bool wants_brackets(Dwarf_Die *die)
{
	Dwarf_Die target;
	int tag;

	if (!type_of(die, &target))
		return false;
	tag = dwarf_tag(&target);
	return tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type;
}

static void put_pointer(struct buf *b, Dwarf_Die *die, const char *sign,
			const struct buf *inner, unsigned int depth)
{
	_cleanup_buf_ struct buf more = BUF_INIT;

	if (wants_brackets(die))
		buf_printf(&more, "(%s%s)", sign, buf_str(inner));
	else
		buf_printf(&more, "%s%s", sign, buf_str(inner));
	put_target(b, die, &more, depth);
	b->failed |= more.failed;
}

/* The elements of a constant array are constant: that is said once. */
static bool is_said(Dwarf_Die *array, int tag)
{
	Dwarf_Die element;

	return dwarf_tag(array) == DW_TAG_array_type &&
	       type_of(array, &element) && dwarf_tag(&element) == tag;
}

/* "const char *p", but "char *const p" */
static void put_qualified(struct buf *b, Dwarf_Die *die, const char *word,
			  struct buf *inner, unsigned int depth)
{
	_cleanup_buf_ struct buf more = BUF_INIT;
	Dwarf_Die target;
	bool known = type_of(die, &target);

	if (known && sign_of(dwarf_tag(&target))) {
		buf_printf(&more, "%s%s%s", word, inner->size ? " " : "",
			   buf_str(inner));
		put_target(b, die, &more, depth);
		b->failed |= more.failed;
		return;
	}
	if (!known || !is_said(&target, dwarf_tag(die)))
		buf_printf(b, "%s ", word);
	put_target(b, die, inner, depth);
}

/* ---- arrays and functions --------------------------------------------------------- */

static bool get_count(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (dwarf_attr_integrate(die, DW_AT_count, &attr) &&
	    !dwarf_formudata(&attr, &value)) {
		*ret = value;
		return true;
	}
	if (!dwarf_attr_integrate(die, DW_AT_upper_bound, &attr) ||
	    dwarf_formudata(&attr, &value))
		return false;
	*ret = value + 1;
	return true;
}

static void put_array(struct buf *b, Dwarf_Die *die, struct buf *inner,
		      unsigned int depth)
{
	uint64_t count;
	Dwarf_Die child;

	if (!dwarf_child(die, &child)) {
		do {
			if (dwarf_tag(&child) != DW_TAG_subrange_type)
				continue;
			if (get_count(&child, &count))
				buf_printf(inner, "[%" PRIu64 "]", count);
			else
				buf_puts(inner, "[]");
		} while (!dwarf_siblingof(&child, &child));
	}
	put_target(b, die, inner, depth);
}

static void put_params(struct buf *b, Dwarf_Die *die, unsigned int depth)
{
	bool any = false;
	Dwarf_Die child;

	buf_putc(b, '(');
	if (!dwarf_child(die, &child)) {
		do {
			_cleanup_buf_ struct buf inner = BUF_INIT;
			int tag = dwarf_tag(&child);

			if (tag != DW_TAG_formal_parameter &&
			    tag != DW_TAG_unspecified_parameters)
				continue;
			buf_puts(b, any ? ", " : "");
			any = true;
			if (tag == DW_TAG_formal_parameter)
				put_target(b, &child, &inner, depth);
			else
				buf_puts(b, "...");
		} while (!dwarf_siblingof(&child, &child));
	}
	buf_puts(b, any ? ")" : "void)");
}

/* ---- all of them ------------------------------------------------------------------ */

static const char *word_of(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return "struct";
	case DW_TAG_union_type:
		return "union";
	case DW_TAG_enumeration_type:
		return "enum";
	case DW_TAG_class_type:
		return "class";
	default:
		return "";
	}
}

static void put_type(struct buf *b, Dwarf_Die *die, struct buf *inner,
		     unsigned int depth)
{
	int tag = dwarf_tag(die);

	if (sign_of(tag)) {
		put_pointer(b, die, sign_of(tag), inner, depth);
	} else if (qualifier_of(tag)) {
		put_qualified(b, die, qualifier_of(tag), inner, depth);
	} else if (tag == DW_TAG_array_type) {
		put_array(b, die, inner, depth);
	} else if (tag == DW_TAG_subroutine_type) {
		put_params(inner, die, depth);
		put_target(b, die, inner, depth);
	} else {
		const char *name = dwarf_diename(die);

		put_last(b, word_of(tag), name ? name : "{...}", inner);
	}
}

void debug_put_decl(Dwarf_Die *die, bool named, struct buf *b)
{
	_cleanup_buf_ struct buf inner = BUF_INIT;
	const char *name = dwarf_diename(die);

	if (named && name)
		buf_puts(&inner, name);
	put_target(b, die, &inner, DEPTH_MAX);
	b->failed |= inner.failed;
}
