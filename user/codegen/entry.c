// SPDX-License-Identifier: GPL-2.0
/* Values from the entry of a function: which, and how the return reads them. */
#include "codegen/entry.h"

#include <errno.h>
#include <linux/ktap.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "codegen/plan.h"

/* The time, which $elapsed counts from. */
static struct term entry_time = {
	.kind = TERM_CTX, .value = KTAP_CTX_TIME,
};

/* ---- collecting ---- */

/* One more for *@array of @nr. */
static bool grow(void *array, size_t nr, size_t size)
{
	void *old, *more;

	memcpy(&old, array, sizeof(old));
	more = array_grow(old, nr, size);
	if (!more)
		return false;
	memcpy(array, &more, sizeof(more));
	return true;
}

static int add_key(struct entries *es, const struct term *e, size_t item)
{
	if (!grow(&es->keys, es->nr_keys, sizeof(*es->keys)))
		return -ENOMEM;
	es->keys[es->nr_keys++] = (struct entry_key){ e, item };
	return 0;
}

static bool same_type(const struct show *a, const struct show *b)
{
	return a->kind == b->kind && a->size == b->size &&
	       a->count == b->count && a->bit_width == b->bit_width &&
	       a->bit_offset == b->bit_offset && a->btf == b->btf &&
	       a->btf_id == b->btf_id;
}

/* What is the same at every mention is taken along once. */
static bool same(const struct term_arg *a, const struct term_arg *b)
{
	const struct term *x = a->term, *y = b->term;

	if (x->kind != y->kind || !same_type(&a->type, &b->type))
		return false;
	return x == y || x->kind == TERM_FILE ||
	       (x->kind == TERM_ARG && x->value == y->value);
}

/* @key wants the value of @e as a @type. */
static int add_item(struct entries *es, const struct term *key, struct term *e,
		    const struct show *type)
{
	struct term_arg arg = { .name = "entry", .at = key->at, .term = e };
	size_t i;

	if (type)
		arg.type = *type;
	if (type_is_text(&arg.type) && !arg.type.size)
		arg.type.size = ENTRY_STRING_DEFAULT;
	for (i = 0; i < es->nr_args; i++)
		if (same(&es->args[i], &arg))
			return add_key(es, key, i);
	if (!grow(&es->args, es->nr_args, sizeof(*es->args)))
		return -ENOMEM;
	es->args[es->nr_args++] = arg;
	return add_key(es, key, es->nr_args - 1);
}

static struct term *make(struct entries *es, const struct term *like)
{
	struct term *e = calloc(1, sizeof(*e));

	if (!e || !grow(&es->made, es->nr_made, sizeof(struct term *))) {
		free(e);
		return NULL;
	}
	*e = *like;
	es->made[es->nr_made++] = e;
	return e;
}

/* The comparison @e of the text @entry with one in quotes, at the entry. */
static int add_compare(struct entries *es, const struct term *e,
		       const struct term *entry, const struct show *type)
{
	struct term *compare = make(es, e), *text = make(es, entry);

	if (!compare || !text)
		return -ENOMEM;
	if (entry->base->kind == TERM_COMM) {
		*text = *entry->base;
	} else {
		text->kind = TERM_CAST;
		text->type = *type;
	}
	if (e->base->kind == TERM_TEXT)
		compare->right = text;
	else
		compare->base = text;
	return add_item(es, e, compare, NULL);
}

static int collect(struct lower *l, struct entries *es, struct term *e,
		   const struct show *type);

static int collect_below(struct lower *l, struct entries *es,
			 const struct term *e)
{
	int err = 0;

	if (e->base)
		err = collect(l, es, e->base, NULL);
	if (!err && e->right)
		err = collect(l, es, e->right, NULL);
	if (!err && e->third)
		err = collect(l, es, e->third, NULL);
	return err;
}

/* @type: what the argument is shown as, where @e is all of it; or NULL. */
static int collect(struct lower *l, struct entries *es, struct term *e,
		   const struct show *type)
{
	const struct show *text_type;
	const struct term *text;

	switch (e->kind) {
	case TERM_ENTRY:
		return add_item(es, e, e->base,
				e->type.kind != SHOW_DEFAULT ? &e->type : type);
	case TERM_ARG:
	case TERM_FILE:
		return add_item(es, e, e, NULL);
	case TERM_ELAPSED:
		return add_item(es, e, &entry_time, NULL);
	case TERM_BINARY:
		text = lower_entry_text(l, e, &text_type);
		if (text)
			return add_compare(es, e, text, text_type);
		return collect_below(l, es, e);
	default:
		return collect_below(l, es, e);
	}
}

int entries_collect(struct lower *l, struct entries *es)
{
	const struct terms *terms = l->terms;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < terms->nr_args; i++)
		err = collect(l, es, terms->args[i].term, &terms->args[i].type);
	for (i = 0; !err && i < terms->nr_stores; i++)
		err = collect(l, es, terms->stores[i], NULL);
	l->in_filter = true;
	if (!err && terms->filter)
		err = collect(l, es, terms->filter, NULL);
	l->in_filter = false;
	return err ? diag_set(l->d, err, DIAG_NO_MEMORY) : 0;
}

void entries_deinit(struct entries *es)
{
	size_t i;

	for (i = 0; i < es->nr_made; i++)
		free(es->made[i]);
	free(es->made);
	free(es->keys);
	free(es->args);
}

static unsigned int texts_of(const struct field *f)
{
	if (f->kind != FIELD_STRING)
		return 0;
	return f->count ? f->count : 1;
}

/* ---- room ---- */

int entries_check(struct lower *l, const struct entries *es,
		  const struct layout *layout)
{
	unsigned long long size = layout->fixed_size;
	unsigned int strings = 0;
	size_t i;

	for (i = 0; i < es->nr_args; i++) {
		strings += texts_of(&layout->fields[i]);
		size += (unsigned long long)es->args[i].type.size *
			texts_of(&layout->fields[i]);
		if (strings > KTAP_NR_ENTRY_STRINGS)
			return compile_fail(l->terms, es->args[i].at, l->d,
					    DIAG_COMPILE_ENTRY_STRINGS,
					    KTAP_NR_ENTRY_STRINGS);
		if (size <= KTAP_ENTRY_MAX)
			continue;
		compile_fail(l->terms, es->args[i].at, l->d,
			     DIAG_COMPILE_ENTRY_SIZE, size, KTAP_ENTRY_MAX);
		diag_hint(l->d, "give strings a limit, as in $entry(+0($arg1):string(64))");
		return -EINVAL;
	}
	return 0;
}

/* ---- reading ---- */

bool entry_find(const struct lower *l, const struct term *e,
		struct entry_value *ret)
{
	const struct entries *es = l->entries;
	size_t i, item;

	for (i = 0; es && i < es->nr_keys && es->keys[i].term != e;)
		i++;
	if (!es || i == es->nr_keys)
		return false;
	item = es->keys[i].item;
	*ret = (struct entry_value){
		.arg = &es->args[item], .field = &es->layout->fields[item],
	};
	for (i = 0; i < item; i++)
		ret->string += texts_of(&es->layout->fields[i]);
	return true;
}

struct ktap_insn entry_insn(const struct field *f)
{
	return (struct ktap_insn){
		.op = KTAP_OP_ENTRY,
		.b = f->fault == FIELD_NO_FAULT ? KTAP_NO_FAULT : f->fault,
		.size = f->size,
		.imm = f->offset,
	};
}

/* A program's call may return to a child that was forked inside of it, and more. */
bool entry_may_lack(const struct lower *l)
{
	return l->place->path;
}

/* A number, as what it was said to be. */
static struct node *read_entry(const struct lower *l, struct span at,
			       const struct entry_value *v)
{
	const struct field *f = v->field;
	struct node *n = node_leaf(at, entry_insn(f), f->size * 8,
				   f->fault != FIELD_NO_FAULT || entry_may_lack(l));

	if (v->arg->type.kind != SHOW_DEFAULT)
		return lower_typed(n, &v->arg->type);
	return f->format == FORMAT_SIGNED ? node_cast(at, n, 64, true) : n;
}

static int only_at_return(struct lower *l, const struct term *e,
			  const char *what)
{
	if (l->place->at_ret)
		return lower_at_ret(l, e);
	return lower_fail(l, e, DIAG_COMPILE_RETVAL, what);
}

int lower_entry(struct lower *l, const struct term *e, struct node **ret)
{
	struct entry_value v;

	if (!entry_find(l, e, &v))
		return only_at_return(l, e, "$entry()");
	if (v.field->count)
		return lower_quote(l, e, DIAG_COMPILE_ARRAY_VALUE);
	if (v.field->kind != FIELD_INT)
		return lower_quote(l, e, DIAG_COMPILE_TEXT_VALUE);
	return lower_done(l, read_entry(l, e->at, &v), ret);
}

int lower_elapsed(struct lower *l, const struct term *e, struct node **ret)
{
	struct entry_value v;
	struct node *now;

	if (!entry_find(l, e, &v))
		return only_at_return(l, e, "$elapsed");
	now = node_leaf(e->at, (struct ktap_insn){
		.op = KTAP_OP_CTX, .imm = KTAP_CTX_TIME,
	}, 64, false);
	return lower_done(l, node_binary(e->at, OP_SUB, now,
					 read_entry(l, e->at, &v)), ret);
}
