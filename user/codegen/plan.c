// SPDX-License-Identifier: GPL-2.0
/*
 * Record layout. Fields are stored by falling alignment, in argument order
 * where that is equal, which leaves no hole between them; the fault mask is one
 * of them, and so is the address returned to, where that is stored. Strings
 * follow the fixed part in argument order.
 */
#include "codegen/plan.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "codegen/entry.h"
#include "codegen/range.h"
#include "types/table.h"

#define STRING_ALIGN sizeof(struct ktap_string)

int compile_fail(const struct terms *terms, struct span at, struct diag *d,
		 enum diag_code code, ...)
{
	va_list ap;

	va_start(ap, code);
	diag_vset(d, -EINVAL, code, ap);
	va_end(ap);
	diag_at(d, terms->text, at.start, at.length);
	return -EINVAL;
}

static bool is_string(const struct term_arg *arg)
{
	return arg->term->kind != TERM_COMM && arg->term->kind != TERM_TEXT &&
	       type_is_text(&arg->type);
}

/* ---- what an argument is ---- */

static void set_integer(const struct show *type, struct field *f)
{
	static const enum field_format formats[] = {
		[SHOW_UNSIGNED] = FORMAT_UNSIGNED,
		[SHOW_SIGNED] = FORMAT_SIGNED,
		[SHOW_HEX] = FORMAT_HEX,
		[SHOW_CHAR] = FORMAT_CHAR,
		[SHOW_SYMBOL] = FORMAT_SYMBOL,
		[SHOW_SYMSTR] = FORMAT_SYMSTR,
		[SHOW_ERRNO] = FORMAT_ERRNO,
		[SHOW_BITS] = FORMAT_UNSIGNED,
		[SHOW_SIGNED_BITS] = FORMAT_SIGNED,
		[SHOW_STRUCT] = FORMAT_TYPE,
	};

	f->kind = type->kind == SHOW_STRUCT ? FIELD_STRUCT : FIELD_INT;
	f->format = formats[type->kind];
	f->size = type->size;
	f->count = type->count;
	f->bit_offset = type->bit_offset;
	f->bit_width = type->bit_width;
}

/* What is computed is a number of C, with its sign; the rest as in the kernel. */
static void set_default(const struct term *e, const struct node *n,
			struct field *f)
{
	f->kind = FIELD_INT;
	f->size = 8;
	switch (e->kind) {
	case TERM_CAST:
	case TERM_MARK:
	case TERM_PARAM:
		set_integer(&e->type, f);
		break;
	case TERM_CALLER:
		f->format = FORMAT_SYMBOL;
		break;
	case TERM_ELAPSED:
	case TERM_STATE:
	case TERM_COUNTER:
	case TERM_CTX:
		f->format = term_is_task(e) ? FORMAT_HEX :
			    term_is_cgroup(e) ? FORMAT_CGROUP : FORMAT_UNSIGNED;
		f->size = range_fits(n, 32, false) ? 4 : 8;
		break;
	case TERM_UNARY:
	case TERM_BINARY:
	case TERM_COND:
		f->format = n->is_unsigned ? FORMAT_UNSIGNED : FORMAT_SIGNED;
		break;
	default:
		f->format = FORMAT_HEX;
		break;
	}
}

bool plan_in_memory(const struct term_arg *arg)
{
	return arg->type.kind == SHOW_STRUCT &&
	       (arg->term->kind == TERM_DEREF || arg->term->kind == TERM_SYMBOL);
}

/* The module adds up, and compares, what the decoder would make of an error first. */
static bool is_added_errno(const struct term_arg *arg)
{
	return arg->type.kind == SHOW_ERRNO && !arg->type.count && arg->aggregate.kind;
}

/* Of an aggregated bit-field only its own bits are a key, or are added up. */
static int take_bits(struct lower *l, struct planned *p, struct field *f)
{
	const struct show *type = &p->arg->type;
	struct node *n = p->node;

	if (!type->bit_width || !p->arg->aggregate.kind)
		return 0;
	f->bit_offset = 0;
	f->bit_width = 0;
	p->node = NULL;
	return lower_fits(l, p->arg->term, lower_shown(p->arg, n), &p->node);
}

static int plan_number(struct lower *l, struct planned *p, struct field *f)
{
	const struct show *type = &p->arg->type;
	int err;

	if (type->count || plan_in_memory(p->arg)) {
		set_integer(type, f);
		return lower_address(l, p->arg->term, &p->user, &p->node);
	}
	err = is_added_errno(p->arg) ? lower_arg(l, p->arg, &p->node) :
				       lower_value(l, p->arg->term, &p->node);
	if (err)
		return err;
	if (type->kind == SHOW_DEFAULT)
		set_default(p->arg->term, p->node, f);
	else
		set_integer(type, f);
	err = take_bits(l, p, f);
	if (!err)
		node_narrow(p->node, f->size * 8);
	return err;
}

/* ---- words ---- */

void planned_deinit(struct planned *p)
{
	while (p->nr_words)
		node_free(p->words[--p->nr_words].node);
	free(p->words);
	node_free(p->node);
}

static int plan_word(struct lower *l, struct planned *p, const struct term *e,
		     unsigned int offset)
{
	struct planned_word *words;
	struct node *node = NULL;
	int err;

	words = array_grow(p->words, p->nr_words, sizeof(*words));
	if (!words)
		return diag_no_memory(l->d);
	p->words = words;
	err = e->base ? lower_value(l, e->base, &node) : 0;
	if (err)
		return err;
	if (node)
		node_narrow(node, e->value * 8);
	words[p->nr_words++] = (struct planned_word){
		.node = node, .offset = offset, .size = e->value,
	};
	return 0;
}

/* Bytes that are not known are remembered; those side by side are one hole. */
static int put_hole(struct lower *l, struct field *f, unsigned int offset,
		    unsigned int size)
{
	struct typed_hole *holes = f->holes;

	if (f->nr_holes && holes[f->nr_holes - 1].offset +
			   holes[f->nr_holes - 1].size == offset) {
		holes[f->nr_holes - 1].size += size;
		return 0;
	}
	holes = array_grow(f->holes, f->nr_holes, sizeof(*holes));
	if (!holes)
		return diag_no_memory(l->d);
	f->holes = holes;
	holes[f->nr_holes++] = (struct typed_hole){ offset, size };
	return 0;
}

static int plan_words(struct lower *l, struct planned *p, struct field *f)
{
	const struct term *e;
	unsigned int offset = 0;
	int err = 0;

	set_integer(&p->arg->type, f);
	for (e = p->arg->term; !err && e; e = e->right) {
		err = plan_word(l, p, e, offset);
		if (!err && !e->base)
			err = put_hole(l, f, offset, e->value);
		offset += e->value;
	}
	return err;
}

static int plan_string(struct lower *l, struct planned *p, struct field *f)
{
	int err;

	if (p->arg->term->kind == TERM_RETVAL) {
		compile_fail(l->terms, p->arg->type.at, l->d,
			     DIAG_SPEC_BAD_STRING);
		diag_hint(l->d, "what the operand points at is +0($retval)");
		return -EINVAL;
	}
	f->kind = FIELD_STRING;
	f->format = FORMAT_TEXT;
	f->size = sizeof(struct ktap_string);
	f->count = p->arg->type.count;
	p->limit = p->arg->type.size;
	if (!p->limit)
		p->limit = p->arg->aggregate.kind == AGGREGATE_KEY ?
				   STRING_KEY : STRING_DEFAULT;
	err = lower_text_address(l, p->arg->term, &p->arg->type, &p->user,
				 &p->node);
	/* elements are texts of the program where the array's type says so */
	p->user_texts = p->user || p->arg->type.kind == SHOW_USTRING;
	if (!f->count)
		p->user = p->user_texts;
	return err;
}

/* What is known now need not be in any record. */
static int plan_literal(struct lower *l, struct planned *p, struct field *f)
{
	f->kind = FIELD_LITERAL;
	f->format = FORMAT_TEXT;
	f->text = strdup(p->arg->term->text);
	return f->text ? 0 : diag_no_memory(l->d);
}

/*
 * What was taken along is copied as it is; but for a quoted text, and for what
 * has one type there and another one here.
 */
static bool plan_entry(struct lower *l, struct planned *p, struct field *f)
{
	const struct term *e = p->arg->term;
	struct entry_value v;

	if (e->kind != TERM_ENTRY || !entry_find(l, e, &v) ||
	    v.field->kind == FIELD_LITERAL ||
	    (v.field->bit_width && !v.field->count && p->arg->aggregate.kind) ||
	    is_added_errno(p->arg) ||
	    (e->type.kind != SHOW_DEFAULT && p->arg->type.kind != SHOW_DEFAULT))
		return false;
	p->entry = v.field;
	p->entry_string = v.string;
	p->entry_type = &v.arg->type;
	f->kind = v.field->kind;
	f->format = v.field->format;
	f->size = v.field->size;
	f->count = v.field->count;
	f->bit_offset = v.field->bit_offset;
	f->bit_width = v.field->bit_width;
	if (f->kind == FIELD_STRING)
		p->limit = v.arg->type.size;
	return true;
}

/* A stack is stored as its id. */
static int plan_stack(struct lower *l, struct planned *p, struct field *f)
{
	if (p->arg->type.kind != SHOW_DEFAULT)
		return lower_value(l, p->arg->term, &p->node); /* refuses it */
	f->kind = FIELD_INT;
	f->format = p->arg->term->kind == TERM_USTACK ? FORMAT_USTACK : FORMAT_STACK;
	f->size = 8;
	return lower_take_stack(l, p->arg->term, &p->node);
}

/* Of texts the text says it. */
static bool entry_can_fail(const struct lower *l, const struct planned *p)
{
	if (p->entry->kind == FIELD_STRING)
		return false;
	return p->entry->fault != FIELD_NO_FAULT || entry_may_lack(l);
}

/* Whether it may turn out that there is no value. */
static bool can_fail(const struct lower *l, const struct planned *p, const struct field *f)
{
	size_t i;

	if (p->entry)
		return entry_can_fail(l, p);
	for (i = 0; i < p->nr_words; i++)
		if (p->words[i].node && p->words[i].node->can_fail)
			return true;
	if (p->nr_words)
		return false;
	if (f->kind != FIELD_INT && f->kind != FIELD_STRUCT)
		return false;
	return p->node->can_fail || f->count || plan_in_memory(p->arg);
}

/* What one argument is, but for its place. */
static int plan_arg(struct lower *l, struct planned *p, struct field *f)
{
	f->fault = FIELD_NO_FAULT;
	if (p->arg->term->kind == TERM_UNKNOWN) {
		f->kind = FIELD_UNKNOWN;
		f->format = FORMAT_TEXT;
		return 0;
	}
	if (p->arg->term->kind == TERM_PIECES)
		return plan_words(l, p, f);
	if (term_is_stack(p->arg->term))
		return plan_stack(l, p, f);
	if (p->arg->term->kind == TERM_ENTRY && term_is_stack(p->arg->term->base))
		return lower_value(l, p->arg->term->base, &p->node); /* refuses it */
	if (plan_entry(l, p, f))
		return 0;
	if (is_string(p->arg))
		return plan_string(l, p, f);
	if (p->arg->term->kind == TERM_TEXT)
		return plan_literal(l, p, f);
	if (p->arg->term->kind != TERM_COMM)
		return plan_number(l, p, f);
	f->kind = FIELD_COMM;
	f->format = FORMAT_TEXT;
	f->size = KTAP_COMM_LEN;
	return 0;
}

/* Bytes of a mask of @bits bits: a power of two. */
static unsigned int mask_size(unsigned int bits)
{
	unsigned int size = 1;

	if (!bits)
		return 0;
	while (size * 8 < bits)
		size *= 2;
	return size;
}

static uint64_t round_up(uint64_t n, unsigned int power)
{
	return (n + power - 1) & -(uint64_t)power;
}

/* struct sums - sizes of the arguments so far */
struct sums {
	uint64_t fixed;
	uint64_t strings;
	unsigned int faults;
};

static uint64_t record_size(const struct sums *s)
{
	return round_up(sizeof(struct ktap_rec_head) +
		     round_up(s->fixed + mask_size(s->faults), STRING_ALIGN) +
		     s->strings, 8);
}

static int add_arg(struct lower *l, const struct planned *p, struct sums *s,
		   struct field *f)
{
	const struct term_arg *arg = p->arg;

	if (s->faults + can_fail(l, p, f) + f->state > KTAP_NR_FAULTS)
		return compile_fail(l->terms, arg->at, l->d,
				    DIAG_COMPILE_TOO_MANY_READS, KTAP_NR_FAULTS);
	if (can_fail(l, p, f))
		f->fault = s->faults++;
	if (f->state)
		f->absent = s->faults++;
	s->fixed += field_bytes(f);
	s->strings += (uint64_t)p->limit * (f->count ? f->count : 1);
	if (record_size(s) <= KTAP_RECORD_MAX)
		return 0;
	compile_fail(l->terms, arg->at, l->d, DIAG_COMPILE_TOO_BIG,
		     (unsigned long long)record_size(s), KTAP_RECORD_MAX);
	diag_hint(l->d, "give strings a limit, as in +0(%%di):string(256): without one it is %d bytes",
		  STRING_DEFAULT);
	return -EINVAL;
}

/* One bit says of all of them that the frame was not found. */
static int add_frame(struct lower *l, struct sums *s, struct layout *layout)
{
	const struct terms *terms = l->terms;
	size_t i;

	for (i = 0; i < layout->nr_fields && !layout->fields[i].frame;)
		i++;
	if (i == layout->nr_fields)
		return 0;
	if (s->faults == KTAP_NR_FAULTS)
		return compile_fail(terms, terms->args[i].at, l->d,
				    DIAG_COMPILE_TOO_MANY_READS,
				    KTAP_NR_FAULTS);
	layout->has_frame = true;
	layout->no_entry = s->faults++;
	return 0;
}

/* The largest power of two in it, so that what follows is aligned too. */
static unsigned int alignment_of(unsigned int size)
{
	unsigned int power = size & -size;

	return power < 8 ? power : 8;
}

static struct field *last_string(const struct layout *layout)
{
	size_t i = layout->nr_fields;

	while (i--)
		if (layout->fields[i].kind == FIELD_STRING)
			return &layout->fields[i];
	return NULL;
}

/*
 * Gives every field but @end its offset. Return: where they end.
 */
static unsigned int place_by_size(struct layout *layout, const struct field *end)
{
	unsigned int align, offset = 0;
	size_t i;

	for (align = 8; align; align /= 2) {
		if (layout->return_size == align) {
			layout->return_offset = offset;
			offset += layout->return_size;
		}
		for (i = 0; i < layout->nr_fields; i++) {
			struct field *f = &layout->fields[i];

			if (f == end || alignment_of(f->size) != align)
				continue;
			f->offset = offset;
			offset += field_bytes(f);
		}
		if (layout->faults_size == align) {
			layout->faults_offset = offset;
			offset += layout->faults_size;
		}
	}
	return offset;
}

/*
 * Gives every field its offset. Where there are strings, the slot of the last
 * one ends the fixed part: strings begin where the highest store ends, and of
 * other fields the end may be a hole. A hit copies whole words of registers with
 * the fewest instructions, so the address returned to takes a word where the
 * record gets no longer by that.
 */
static void place_fields(struct layout *layout)
{
	struct field *end = last_string(layout);
	unsigned int offset = place_by_size(layout, end);

	if (layout->return_size == 4 && !end &&
	    round_up(offset + 4, 8) == round_up(offset, 8)) {
		layout->return_size = 8;
		offset = place_by_size(layout, end);
	}
	layout->fixed_size = round_up(offset, end ? STRING_ALIGN : 8);
	if (end) {
		end->offset = layout->fixed_size;
		layout->fixed_size += field_bytes(end);
	}
}

/* The type that decides how @f is shown goes into the table of the layout. */
static int add_type(struct lower *l, struct typetab *tab,
		    const struct planned *p, struct field *f)
{
	const struct show *type = p->entry_type ? p->entry_type :
						       &p->arg->type;
	int err;

	if (!type->btf)
		return 0;
	err = typetab_add(tab, type->btf, type->btf_id, &f->type);
	return err ? diag_no_memory(l->d) : 0;
}

static bool has_op(const struct planned *p, enum ktap_op op)
{
	bool ret = node_has(p->node, op);
	size_t i;

	for (i = 0; i < p->nr_words; i++)
		ret |= node_has(p->words[i].node, op);
	return ret;
}

/* Whether it needs a value of the entry, and the entry may have been missed. */
static bool lacks_entry(const struct lower *l, const struct planned *p)
{
	return entry_may_lack(l) && (p->entry || has_op(p, KTAP_OP_ENTRY));
}

/* The module adds up integers of whole bytes. */
static int check_role(const struct lower *l, const struct term_arg *arg,
		      struct field *f)
{
	f->aggregate = arg->aggregate;
	if (!aggregate_is_value(&f->aggregate))
		return 0;
	if (f->kind != FIELD_INT || field_is_stack(f) || f->count || f->bit_width)
		return compile_fail(l->terms, arg->at, l->d, DIAG_COMPILE_NO_NUMBER,
				    arg->name);
	if (f->aggregate.kind == AGGREGATE_LINEAR && f->aggregate.min < 0 &&
	    !field_is_signed(f))
		return compile_fail(l->terms, arg->at, l->d, DIAG_COMPILE_STEPS_BELOW,
				    arg->name, (long long)f->aggregate.min);
	return 0;
}

static int plan_fields(struct lower *l, struct layout *layout,
		       struct typetab *tab, struct planned *ret)
{
	const struct terms *terms = l->terms;
	struct sums s = { .fixed = layout->return_size };
	size_t i;
	int err;

	for (i = 0; i < terms->nr_args; i++) {
		struct field *f = &layout->fields[i];

		ret[i].arg = &terms->args[i];
		f->name = strdup(terms->args[i].name);
		if (!f->name)
			return diag_no_memory(l->d);
		layout->nr_fields++;
		err = plan_arg(l, &ret[i], f);
		f->frame = has_op(&ret[i], KTAP_OP_FRAME) || lacks_entry(l, &ret[i]);
		f->state = has_op(&ret[i], KTAP_OP_STATE_GET);
		if (!err)
			err = check_role(l, ret[i].arg, f);
		if (!err)
			err = add_arg(l, &ret[i], &s, f);
		if (!err)
			err = add_type(l, tab, &ret[i], f);
		if (err)
			return err;
	}
	err = add_frame(l, &s, layout);
	if (err)
		return err;
	layout->faults_size = mask_size(s.faults);
	return 0;
}

int plan_layout(struct lower *l, struct layout *layout, struct planned *ret)
{
	size_t nr = l->terms->nr_args;
	struct typetab tab = {};
	int err;

	layout->fields = calloc(nr ? nr : 1, sizeof(layout->fields[0]));
	if (!layout->fields)
		return diag_no_memory(l->d);
	layout->aggregates = l->terms->aggregates;
	layout->silent = l->terms->nr_stores && !nr && !layout->aggregates;
	err = plan_fields(l, layout, &tab, ret);
	layout->types = tab.btf;
	typetab_deinit(&tab);
	if (!err)
		place_fields(layout);
	return err;
}
