// SPDX-License-Identifier: GPL-2.0
/*
 * The walk. What a table from elsewhere can make it do is bounded: by the height
 * of types, which was checked, and by what all values together may cost.
 */
#include "types/walk.h"

#include <bpf/btf.h>
#include <string.h>

#include "base/array.h"
#include "types/btf_types.h"
#include "types/enum.h"
#include "types/real.h"

/* Values, letters of names and enumerators that are looked at, in one walk. */
#define WORK_MAX (1 << 18)

/**
 * struct walk - one walk
 * @t: what it goes over
 * @out: where values go
 * @ctx: for @out
 * @left: work that may still be done
 */
struct walk {
	const struct typed *t;
	const struct typed_out *out;
	void *ctx;
	long left;
};

/**
 * struct spot - a part of the bytes
 * @id: its type, behind typedefs
 * @type: that
 * @bit: where it begins
 * @width: bits of a bit-field; 0: it is none
 * @level: structures that it is in
 */
struct spot {
	uint32_t id;
	const struct btf_type *type;
	uint64_t bit;
	unsigned int width;
	unsigned int level;
};

static void walk_spot(struct walk *w, const struct spot *s);

static void set_type(const struct walk *w, struct spot *s, uint32_t id)
{
	s->id = id;
	s->type = ctype_strip(w->t->btf, &s->id);
}

static uint64_t bits_of(const struct walk *w, const struct spot *s)
{
	return s->width ? s->width : typed_size(w->t->btf, s->id) * 8;
}

static uint64_t bits_there(const struct walk *w, const struct spot *s)
{
	uint64_t all = (uint64_t)w->t->size * 8;

	return s->bit < all ? all - s->bit : 0;
}

static bool is_text(const struct walk *w, const struct spot *s)
{
	return btf_is_array(s->type) && btf_array(s->type)->nelems &&
	       typed_is_text(w->t->btf, s->id);
}

static bool is_composite(const struct spot *s)
{
	return s->type && (btf_is_composite(s->type) || btf_is_array(s->type));
}

/* Whether what there is of it is too little to be shown. */
static bool is_missing(const struct walk *w, const struct spot *s)
{
	uint64_t bits = bits_of(w, s);

	return is_composite(s) ? bits && !bits_there(w, s) :
				 bits_there(w, s) < bits;
}

/* How many bits of @s have no value */
static uint64_t bits_unknown(const struct walk *w, const struct spot *s)
{
	uint64_t from = s->bit, to = from + bits_of(w, s), bits = 0;

	for (size_t i = 0; i < w->t->nr_holes; i++) {
		uint64_t start = (uint64_t)w->t->holes[i].offset * 8;
		uint64_t end = start + (uint64_t)w->t->holes[i].size * 8;

		if (start < from)
			start = from;
		if (end > to)
			end = to;
		bits += end > start ? end - start : 0;
	}
	return bits;
}

/* Of a structure or an array it is seen part by part. */
static bool is_unknown(const struct walk *w, const struct spot *s)
{
	uint64_t bits;

	if (!w->t->nr_holes)
		return false;
	bits = bits_unknown(w, s);
	if (is_composite(s) && !is_text(w, s))
		return bits && bits == bits_of(w, s);
	return bits;
}

/* ---- values -------------------------------------------------------------------- */

static uint64_t get_bits(const struct walk *w, const struct spot *s,
			 unsigned int nr)
{
	const uint8_t *at = (const uint8_t *)w->t->data + s->bit / 8;
	unsigned int shift = s->bit % 8, bytes = (shift + nr + 7) / 8;
	uint64_t value = 0;

	memcpy(&value, at, bytes < sizeof(value) ? bytes : sizeof(value));
	value >>= shift;
	/* 64 bits that begin inside of a byte end in a ninth one */
	if (bytes > sizeof(value))
		value |= (uint64_t)at[sizeof(value)] << (64 - shift);
	return nr < 64 ? value & ((1ULL << nr) - 1) : value;
}

static uint64_t sign_extend(uint64_t value, unsigned int bits)
{
	return (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits));
}

static void put_odd(struct walk *w, enum typed_kind declared,
		    struct typed_value v)
{
	v.declared = declared;
	w->out->value(w->ctx, &v);
}

static void put_value(struct walk *w, struct typed_value v)
{
	put_odd(w, v.kind, v);
}

static void put_kind(struct walk *w, enum typed_kind kind, uint64_t number)
{
	put_value(w, (struct typed_value){ .kind = kind, .number = number });
}

static void leave_out(struct walk *w)
{
	put_kind(w, TYPED_LEFT_OUT, 0);
}

static struct typed_value integer(const struct spot *s, uint64_t number,
				  unsigned int bits, bool is_signed)
{
	return (struct typed_value){
		.kind = is_signed ? TYPED_SIGNED : TYPED_UNSIGNED,
		.number = is_signed ? sign_extend(number, bits) : number,
		.size = s->type->size,
	};
}

/* What no number of C holds here, as it lies in memory. */
static void walk_wide(struct walk *w, const struct spot *s,
		      enum typed_kind declared)
{
	uint8_t bytes[16] = {};
	struct typed_value v = { .kind = TYPED_WIDE };

	memcpy(bytes, (const uint8_t *)w->t->data + s->bit / 8, s->type->size);
	memcpy(&v.number, bytes, sizeof(v.number));
	memcpy(&v.high, bytes + sizeof(v.number), sizeof(v.high));
	put_odd(w, declared, v);
}

static void walk_int(struct walk *w, const struct spot *s)
{
	unsigned int encoding = btf_int_encoding(s->type), bits = bits_of(w, s);
	uint64_t number;

	if (bits > 64) {
		walk_wide(w, s, TYPED_WIDE);
		return;
	}
	number = get_bits(w, s, bits);
	if (encoding & BTF_INT_BOOL && number <= 1)
		put_kind(w, TYPED_BOOL, number);
	else if (!s->width && typed_is_letter(w->t->btf, s->id))
		put_kind(w, TYPED_CHAR, number);
	else if (encoding & BTF_INT_BOOL)
		put_odd(w, TYPED_BOOL, integer(s, number, bits, false));
	else
		put_value(w, integer(s, number, bits,
				     encoding & BTF_INT_SIGNED));
}

static void walk_enum(struct walk *w, const struct spot *s)
{
	_cleanup_buf_ struct buf name = BUF_INIT;
	unsigned int bits = bits_of(w, s);
	uint64_t number = get_bits(w, s, bits);
	bool is_signed = btf_kflag(s->type);

	w->left -= btf_vlen(s->type);
	if (is_signed)
		number = sign_extend(number, bits);
	if (!enum_name(w->t->btf, s->type, number, &name)) {
		put_odd(w, TYPED_ENUM, integer(s, number, bits, is_signed));
		return;
	}
	w->left -= name.size;
	put_value(w, (struct typed_value){
		.kind = TYPED_ENUM, .number = number,
		.text = buf_str(&name), .length = name.size,
	});
}

static void walk_pointer(struct walk *w, const struct spot *s)
{
	bool is_code = typed_is_code(w->t->btf, s->id);

	put_kind(w, is_code ? TYPED_CODE : TYPED_POINTER,
		 get_bits(w, s, bits_of(w, s)));
}

static void walk_float(struct walk *w, const struct spot *s)
{
	const char *name = btf__name_by_offset(w->t->btf, s->type->name_off);
	struct typed_value v = { .kind = TYPED_REAL, .size = s->type->size };

	if (!real_read((const uint8_t *)w->t->data + s->bit / 8, v.size,
		       !strcmp(name, TYPED_X87), &v.real))
		walk_wide(w, s, TYPED_REAL);
	else
		put_value(w, v);
}

/* ---- structures and arrays ------------------------------------------------------- */

/* Two nameless members that tell which of several there is: see types_struct.c. */
static bool is_choice(const struct walk *w, const struct spot *s,
		      unsigned int i)
{
	const struct btf_member *m = btf_members(s->type) + i;
	struct spot which, parts;

	if (i + 1 >= btf_vlen(s->type) || m[0].name_off || m[1].name_off)
		return false;
	set_type(w, &which, m[0].type);
	set_type(w, &parts, m[1].type);
	return which.type && parts.type && btf_is_any_enum(which.type) &&
	       btf_is_union(parts.type);
}

/* The enumerator of a value, else @name's; 0: there is none. */
static uint32_t find_name(const struct btf_type *t, const uint64_t *value,
			  const struct btf *btf, const char *name)
{
	uint64_t mask = t->size < 8 ? (1ULL << t->size * 8) - 1 : UINT64_MAX;

	for (unsigned int i = 0; i < btf_vlen(t); i++) {
		bool is_wide = btf_is_enum64(t);
		uint32_t off = is_wide ? btf_enum64(t)[i].name_off :
					 btf_enum(t)[i].name_off;
		uint64_t has = is_wide ? btf_enum64_value(&btf_enum64(t)[i]) :
					 (uint32_t)btf_enum(t)[i].val;

		if (value ? (has & mask) == *value :
			    !strcmp(btf__name_by_offset(btf, off), name))
			return off;
	}
	return 0;
}

/* The part that the number @value stands for, or that no number does; -1: none, or
 * several.
 */
static int choose(const struct walk *w, const struct btf_type *which,
		  const struct btf_type *parts, uint64_t value)
{
	const struct btf *btf = w->t->btf;
	uint32_t wanted = find_name(which, &value, btf, NULL);
	const char *name = wanted ? btf__name_by_offset(btf, wanted) : NULL;
	int found = -1;

	for (unsigned int i = 0; i < btf_vlen(parts); i++) {
		uint32_t off = btf_members(parts)[i].name_off;
		const char *part = btf__name_by_offset(btf, off);

		if (name ? strcmp(part, name) != 0 :
			   find_name(which, NULL, btf, part) != 0)
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

/* Shows the one that is there, at the level of what it is a value of. */
static bool walk_choice(struct walk *w, const struct spot *s, unsigned int i)
{
	const struct btf_member *m = btf_members(s->type) + i;
	struct spot which = { .bit = s->bit + btf_member_bit_offset(s->type, i) };
	struct spot part = { .level = s->level - 1 };
	const struct btf_type *parts;
	int nr;

	set_type(w, &which, m[0].type);
	set_type(w, &part, m[1].type);
	parts = part.type;
	w->left -= (long)btf_vlen(which.type) * (btf_vlen(parts) + 1);
	if (w->left <= 0 || is_missing(w, &which) || is_unknown(w, &which))
		return true;
	nr = choose(w, which.type, parts, get_bits(w, &which, bits_of(w, &which)));
	if (nr < 0)
		return true;
	part.bit = s->bit + btf_member_bit_offset(s->type, i + 1) +
		   btf_member_bit_offset(parts, nr);
	set_type(w, &part, btf_members(parts)[nr].type);
	if (is_missing(w, &part))
		return true;
	w->out->next(w->ctx, btf__name_by_offset(w->t->btf,
						 btf_members(parts)[nr].name_off));
	walk_spot(w, &part);
	return false;
}

/* Return: whether it was cut. */
static bool walk_members(struct walk *w, const struct spot *s)
{
	const struct ctype outer = {
		.btf = w->t->btf, .id = s->id, .kind = CTYPE_STRUCT,
	};
	struct ctype_member m;
	bool is_cut = false;
	unsigned int i;

	for (i = 0; ctype_nth(&outer, i, &m); i++) {
		struct spot inner = {
			.bit = s->bit + m.offset, .width = m.width,
			.level = s->level,
		};

		if (is_choice(w, s, i)) {
			is_cut |= walk_choice(w, s, i++);
			continue;
		}
		set_type(w, &inner, btf_members(s->type)[i].type);
		/* what has no words here: types_more() */
		if (!m.name && inner.type && btf_is_fwd(inner.type)) {
			is_cut = true;
			continue;
		}
		if (w->left <= 0 || is_missing(w, &inner)) {
			is_cut = true;
			continue;
		}
		w->left--;
		if (!m.name && inner.type && btf_is_composite(inner.type)) {
			is_cut |= walk_members(w, &inner);
			continue;
		}
		w->left -= m.name ? strlen(m.name) : 0;
		w->out->next(w->ctx, m.name ? m.name : "");
		walk_spot(w, &inner);
	}
	return is_cut;
}

static void walk_struct(struct walk *w, const struct spot *s)
{
	struct spot inside = *s;
	bool is_cut;

	if (s->level >= w->t->depth) {
		leave_out(w);
		return;
	}
	inside.level++;
	w->out->begin(w->ctx, false);
	is_cut = walk_members(w, &inside);
	w->out->end(w->ctx, false, is_cut);
}

static void walk_text(struct walk *w, const struct spot *s)
{
	const char *text = (const char *)w->t->data + s->bit / 8;
	uint64_t all = btf_array(s->type)->nelems;
	uint64_t there = bits_there(w, s) / 8;
	size_t length;

	if (there > all)
		there = all;
	length = strnlen(text, there);
	put_value(w, (struct typed_value){
		.kind = TYPED_TEXT, .text = text, .length = length,
		.is_cut = length == there && there < all,
	});
}

static void walk_elements(struct walk *w, const struct spot *s)
{
	const struct btf_array *a = btf_array(s->type);
	struct spot element = { .bit = s->bit, .level = s->level };
	/* how many there are was not said */
	bool is_cut = !a->nelems;
	uint32_t i;

	set_type(w, &element, a->type);
	w->out->begin(w->ctx, true);
	for (i = 0; !is_cut && i < a->nelems; i++) {
		is_cut = w->left <= 0 || is_missing(w, &element);
		if (is_cut)
			break;
		w->left--;
		w->out->next(w->ctx, NULL);
		walk_spot(w, &element);
		element.bit += bits_of(w, &element);
	}
	w->out->end(w->ctx, true, is_cut);
}

static void walk_array(struct walk *w, const struct spot *s)
{
	if (is_text(w, s))
		walk_text(w, s);
	else
		walk_elements(w, s);
}

static void (*const rows[NR_BTF_KINDS])(struct walk *w,
					const struct spot *s) = {
	[BTF_KIND_INT] = walk_int,
	[BTF_KIND_ENUM] = walk_enum,
	[BTF_KIND_ENUM64] = walk_enum,
	[BTF_KIND_PTR] = walk_pointer,
	[BTF_KIND_FLOAT] = walk_float,
	[BTF_KIND_STRUCT] = walk_struct,
	[BTF_KIND_UNION] = walk_struct,
	[BTF_KIND_ARRAY] = walk_array,
};

static void walk_spot(struct walk *w, const struct spot *s)
{
	unsigned int kind = s->type ? btf_kind(s->type) : BTF_KIND_UNKN;

	if (is_unknown(w, s))
		put_kind(w, TYPED_UNKNOWN, 0);
	else if (kind < ARRAY_SIZE(rows) && rows[kind])
		rows[kind](w, s);
	else
		leave_out(w);
}

void typed_walk(const struct typed *t, const struct typed_out *out, void *ctx)
{
	struct walk w = { .t = t, .out = out, .ctx = ctx, .left = WORK_MAX };
	struct spot s = { .width = t->bit_width };

	set_type(&w, &s, t->id);
	if (is_missing(&w, &s))
		leave_out(&w);
	else
		walk_spot(&w, &s);
}
