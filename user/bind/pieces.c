// SPDX-License-Identifier: GPL-2.0
/*
 * What is in pieces: a number is put together when its value is wanted, a
 * structure is recorded word by word.
 */
#include <errno.h>
#include <stdlib.h>

#include "bind/bind_in.h"

/**
 * struct bits - a part of what is in pieces
 * @from: the first one
 * @width: how many
 */
struct bits {
	uint64_t from;
	uint64_t width;
};

/* Those of @piece, which begins at @start, that are in @want. */
static bool overlap(const struct loc_piece *piece, uint64_t start,
		    const struct bits *want, struct bits *ret)
{
	uint64_t end = start + piece->bits, last = want->from + want->width;

	ret->from = start > want->from ? start : want->from;
	if (end > last)
		end = last;
	if (end <= ret->from)
		return false;
	ret->width = end - ret->from;
	return true;
}

/* @made in @e's place, or the news that memory ran out. */
static struct term *wrapped(struct vars *v, struct term *e, int err)
{
	if (!err)
		return e;
	term_free(e);
	return NULL;
}

static struct term *shifted(struct vars *v, struct term *e, enum expr_op op,
			    uint64_t bits)
{
	return e && bits ? wrapped(v, e, vars_op(v, e, op, bits)) : e;
}

/* @bits bits of @e from @shift on, without a sign */
static struct term *cut(struct vars *v, struct term *e, uint64_t shift,
			uint64_t bits)
{
	int err;

	if (!e || (!shift && bits == 64))
		return e;
	err = vars_cast(v, e, SHOW_BITS, 8);
	e->type.bit_offset = shift;
	e->type.bit_width = bits;
	return wrapped(v, e, err);
}

/* The bits of @piece behind its first @skip ones. */
static struct term *piece_bits(struct vars *v, const struct loc_piece *piece,
			       uint64_t skip, uint64_t width)
{
	uint64_t shift = piece->shift + skip;
	struct term *e = term_copy(piece->term);

	if (!e || piece->kind == LOC_NUMBER)
		return cut(v, e, shift, width);
	if (shift / 8)
		e = wrapped(v, e, vars_op(v, e, OP_ADD, shift / 8));
	if (e)
		e = wrapped(v, e, vars_wrap(v, e, TERM_DEREF));
	if (e) {
		e->user = v->site->is_user;
		vars_fold(e);
	}
	return cut(v, e, shift % 8, width);
}

/* @sum | @part, both of which are taken; @sum may be none yet. */
static struct term *put_together(struct vars *v, struct term *sum,
				 struct term *part)
{
	if (!sum || !part) {
		term_free(sum);
		return part;
	}
	if (vars_wrap(v, sum, TERM_BINARY)) {
		term_free(sum);
		term_free(part);
		return NULL;
	}
	sum->op = OP_OR;
	sum->right = part;
	if (sum->height <= part->height)
		sum->height = part->height + 1;
	return sum;
}

/* The bits @want of @loc as one number, in *@ret. */
static int collect(struct vars *v, const struct term *e, const struct loc *loc,
		   const struct bits *want, struct term **ret)
{
	uint64_t start = 0, found = 0;
	struct term *sum = NULL, *part;
	struct bits b;
	size_t i;

	for (i = 0; i < loc->nr; start += loc->piece[i++].bits) {
		if (!overlap(&loc->piece[i], start, want, &b) ||
		    !loc->piece[i].term)
			continue;
		part = piece_bits(v, &loc->piece[i], b.from - start, b.width);
		part = shifted(v, part, OP_SHL, b.from - want->from);
		sum = put_together(v, sum, part);
		if (!sum)
			return diag_no_memory(v->d);
		found += b.width;
	}
	if (found == want->width) {
		*ret = sum;
		return 0;
	}
	term_free(sum);
	return vars_nowhere(v, e);
}

int vars_extract(struct vars *v, struct term *e, struct value *x)
{
	struct bits want = { x->loc_bits, x->type.size * 8 };
	struct term *made = NULL;
	int err;

	if (x->bit_width) {
		want.from += x->bit_offset;
		want.width = x->bit_width;
	}
	err = collect(v, e, x->loc, &want, &made);
	if (err)
		return err;
	vars_replace(e, made);
	x->loc = NULL;
	if (x->bit_width) {
		x->bit_offset = 0;
		x->unit = 8;
	}
	return 0;
}

/* ---- structures ---------------------------------------------------------------------- */

#define WORDS_MAX 256	/* bytes: each 8 of them are several instructions */

/**
 * struct words - a structure being cut into what programs store
 * @v: definition
 * @e: where it stands in it
 * @loc: its pieces
 * @tail: where the next word goes
 */
struct words {
	struct vars *v;
	const struct term *e;
	const struct loc *loc;
	struct term **tail;
};

/* How many bits of @want are somewhere */
static uint64_t known_bits(const struct loc *loc, const struct bits *want)
{
	uint64_t start = 0, known = 0;
	struct bits b;
	size_t i;

	for (i = 0; i < loc->nr; start += loc->piece[i++].bits)
		if (loc->piece[i].term &&
		    overlap(&loc->piece[i], start, want, &b))
			known += b.width;
	return known;
}

static int put_word(struct words *w, const struct bits *want, bool is_known)
{
	struct term *word = term_new(TERM_PIECES, w->v->d);
	int err;

	if (!word)
		return -ENOMEM;
	word->at = w->e->at;
	word->value = want->width / 8;
	*w->tail = word;
	w->tail = &word->right;
	if (!is_known)
		return 0;
	err = collect(w->v, w->e, w->loc, want, &word->base);
	if (!err)
		word->height = word->base->height + 1;
	return err;
}

/* Of a word of which a part is unknown, the halves may not be. */
static int put_words(struct words *w, struct bits want)
{
	uint64_t known = known_bits(w->loc, &want);
	int err;

	if (known == want.width || !known || want.width == 8)
		return put_word(w, &want, known == want.width);
	want.width /= 2;
	err = put_words(w, want);
	want.from += want.width;
	return err ? err : put_words(w, want);
}

/* Bytes of the words that a structure of @size bytes consists of */
static uint64_t word_of(uint64_t size)
{
	uint64_t power = size & -size;

	return power < 8 ? power : 8;
}

bool vars_is_split(const struct value *x)
{
	return vars_is_pieces(x) && !x->bit_width && !x->is_address &&
	       (x->type.kind == CTYPE_STRUCT || x->type.kind == CTYPE_ARRAY) &&
	       x->type.size && x->type.size <= WORDS_MAX;
}

int vars_gather(struct vars *v, struct term *e, struct value *x)
{
	struct bits all = { x->loc_bits, x->type.size * 8 }, want = all;
	struct term *first = NULL;
	struct words w = { .v = v, .e = e, .loc = x->loc, .tail = &first };
	int err = 0;

	if (!known_bits(x->loc, &all))
		return vars_nowhere(v, e);
	want.width = word_of(x->type.size) * 8;
	for (; !err && want.from < all.from + all.width; want.from += want.width)
		err = put_words(&w, want);
	if (err) {
		term_free(first);
		return err;
	}
	vars_replace(e, first);
	x->loc = NULL;
	x->is_gathered = true;
	return 0;
}
