// SPDX-License-Identifier: GPL-2.0
/* What a value is shown as where that was not said: its own type decides. */
#include <linux/ktap.h>

#include "bind/bind_in.h"
#include "types/walk.h"

/* Bytes of a structure that are taken, unless a part of it is named. */
#define STRUCT_MAX 4096

bool vars_is_number(const struct value *x)
{
	return x->type.kind == CTYPE_INT && x->type.size <= 8 &&
	       !(x->type.size & (x->type.size - 1));
}

void vars_set_type(struct show *type, enum show_kind kind,
		   unsigned int size)
{
	type->kind = kind;
	type->size = size;
}

void vars_int_type(struct show *type, const struct value *x)
{
	bool is_signed = x->type.is_signed;

	if (x->bit_width) {
		vars_set_type(type, is_signed ? SHOW_SIGNED_BITS : SHOW_BITS,
			      x->unit);
		type->bit_width = x->bit_width;
		type->bit_offset = x->bit_offset;
	} else {
		vars_set_type(type, is_signed ? SHOW_SIGNED : SHOW_UNSIGNED,
			      x->type.size);
	}
}

bool vars_array_type(struct show *type, const struct ctype *array)
{
	struct value x = { .type = ctype_target(array) };
	uint64_t size = array->size;

	if (array->count && typed_is_text(array->btf, array->id)) {
		vars_set_type(type, SHOW_STRING,
			      size < KTAP_STRING_MAX ? size : KTAP_STRING_MAX);
		return true;
	}
	if (!array->count || size > KTAP_BYTES_MAX ||
	    typed_has_names(x.type.btf, x.type.id))
		return false;
	if (x.type.kind == CTYPE_POINTER)
		vars_set_type(type, SHOW_HEX, 8);
	else if (vars_is_number(&x))
		vars_int_type(type, &x);
	else
		return false;
	type->count = array->count;
	return true;
}

bool vars_struct_type(struct show *type, const struct value *x)
{
	uint64_t size = x->type.size;
	unsigned int word = 1;

	if (!size)
		return false;
	if (size > STRUCT_MAX)
		size = STRUCT_MAX;
	if (!x->is_memory && !x->is_gathered) {
		if (x->type.kind != CTYPE_STRUCT || size > 8)
			return false;
		while (word < size)
			word *= 2;
		size = word;
	}
	vars_set_type(type, SHOW_STRUCT, size);
	type->btf = x->type.btf;
	type->btf_id = x->type.id;
	return true;
}

void vars_names(struct show *type, const struct value *x)
{
	if (x->is_address || !typed_has_names(x->type.btf, x->type.id))
		return;
	type->btf = x->type.btf;
	type->btf_id = x->type.id;
}
