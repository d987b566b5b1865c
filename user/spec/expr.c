// SPDX-License-Identifier: GPL-2.0
/*
 * EXPR: fetch arguments, and in ktap's own syntax C expressions over them.
 * Position decides as in C: where an operand is due "%di" is a register and
 * "+8(" a dereference, behind one '%' and '+' are operators.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "spec/parse.h"

#define ENTRY_HEAD "$entry("
#define LOAD_HEAD "$load("
#define TAKE_HEAD "$take("

/**
 * struct reader - one expression being read
 * @p: the definition
 * @pos: what comes next
 * @end: of all that may be read
 * @leaf_end: behind the last operand
 * @depth: operands begun and not ended
 */
struct reader {
	const struct parse *p;
	size_t pos;
	size_t end;
	size_t leaf_end;
	unsigned int depth;
};

static struct span rest(const struct reader *r)
{
	return span_between(r->pos, r->end);
}

static char next(const struct reader *r)
{
	return r->pos < r->end ? r->p->text[r->pos] : '\0';
}

static void skip_blanks(struct reader *r)
{
	while (r->pos < r->end && parse_is_blank(next(r)))
		r->pos++;
}

/* The operator that comes next, the longest that it can be; OP_NR: none. */
static enum expr_op next_op(const struct reader *r, bool unary)
{
	enum expr_op op, found = OP_NR;

	for (op = 0; op < OP_NR; op++) {
		if (!op_precedence(op) != unary ||
		    !parse_starts(r->p, rest(r), op_text(op)))
			continue;
		/* as in C "&&" is one operator, wherever it stands */
		if (op == OP_ADDRESS && parse_starts(r->p, rest(r), "&&"))
			continue;
		if (found == OP_NR ||
		    strlen(op_text(op)) > strlen(op_text(found)))
			found = op;
	}
	return found;
}

/* ---- errors ---- */

/* What stands where ')', an operator, a type or the end should. */
static int fail_after(const struct reader *r)
{
	const struct parse *p = r->p;

	parse_fail_text(p, rest(r), DIAG_SPEC_TRAILING, rest(r), 0);
	if (next(r) == ',')
		diag_hint(p->d, "separate arguments with blanks, not with commas");
	else if (next(r) == '=' && !p->kernel)
		diag_hint(p->d, "'==' compares");
	return -EINVAL;
}

static int too_deep(const struct reader *r, struct span at)
{
	return parse_fail(r->p, at, DIAG_SPEC_TOO_DEEP, SPEC_HEIGHT_MAX);
}

static int enter(struct reader *r)
{
	if (++r->depth <= SPEC_HEIGHT_MAX + 1)
		return 0;
	return too_deep(r, span_between(r->pos, r->pos));
}

/* The height of @e, whose operands are known now. */
static int set_height(const struct reader *r, struct expr *e)
{
	const struct expr *below[] = { e->base, e->right, e->third };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(below); i++)
		if (below[i] && below[i]->height >= e->height)
			e->height = below[i]->height + 1;
	return e->height > SPEC_HEIGHT_MAX ? too_deep(r, e->at) : 0;
}

/* ---- operands ---- */

static int read_cond(struct reader *r, struct expr **ret);
static int read_unary(struct reader *r, struct expr **ret);

/*
 * A ')'. Where it is missing the kernel points behind the innermost operand.
 */
static int read_close(struct reader *r)
{
	skip_blanks(r);
	if (next(r) == ')') {
		r->pos++;
		return 0;
	}
	if (r->pos == r->end || next(r) == ':')
		return parse_fail(r->p, span_between(r->leaf_end, r->leaf_end),
				  DIAG_SPEC_NO_CLOSE);
	return fail_after(r);
}

/* Behind what can be the number of a dereference, a '(' if it is one. */
static size_t deref_open(const struct reader *r)
{
	const struct parse *p = r->p;
	size_t pos = r->pos + 1;

	if (p->kernel)
		return parse_find(p, span_between(pos, r->end), '(');
	if (pos < r->end && strchr("+-", p->text[pos]) && next(r) == '+')
		pos++;
	while (pos < r->end && parse_is_ident(p->text[pos]))
		pos++;
	return pos;
}

/* In ktap's own syntax "-8" is a number and "-(x)" an operator. */
static bool is_deref(const struct reader *r)
{
	size_t open, first = r->pos + 1;

	if (!next(r) || !strchr("+-", next(r)))
		return false;
	if (r->p->kernel || next(r) == '+')
		return true;
	open = deref_open(r);
	return open > first && open < r->end && r->p->text[open] == '(' &&
	       (r->p->text[first] == 'u' ||
		(r->p->text[first] >= '0' && r->p->text[first] <= '9'));
}

/* +uN( or -uN( */
static int read_deref_head(struct reader *r, struct expr *e)
{
	const struct parse *p = r->p;
	size_t open = deref_open(r), start = r->pos + 1;
	bool minus = next(r) == '-';
	struct span digits;

	e->at = rest(r);
	e->user = start < r->end && p->text[start] == 'u';
	start += e->user;
	if (open == r->end || p->text[open] != '(') {
		parse_fail(p, rest(r), DIAG_SPEC_NO_PAREN);
		diag_hint(p->d, "memory is +8($arg1), a number is \\8");
		return -EINVAL;
	}
	digits = span_between(start, open);
	if (minus ? parse_negative(p, digits, &e->value) :
		    parse_signed(p, digits, &e->value))
		return parse_fail_text(p, span_between(r->pos, open),
				       DIAG_SPEC_BAD_DEREF, digits, 0);
	r->pos = open + 1;
	return 0;
}

static int read_deref(struct reader *r, struct expr *e)
{
	int err;

	e->kind = EXPR_DEREF;
	err = read_deref_head(r, e);
	if (!err)
		err = read_cond(r, &e->base);
	if (!err && (e->base->kind == EXPR_COMM || e->base->kind == EXPR_TEXT))
		err = parse_fail(r->p, e->base->at, DIAG_SPEC_COMM_DEREF);
	return err ? err : read_close(r);
}

static int read_unary_op(struct reader *r, struct expr *e, enum expr_op op)
{
	e->kind = EXPR_UNARY;
	e->op = op;
	r->pos += strlen(op_text(op));
	return read_unary(r, &e->base);
}

/* (x)y is a cast; (x)+y is none, unless x can only be a type. */
static bool read_c_type(struct reader *r, struct span at, struct expr *e)
{
	size_t next = span_end(at) + 1;
	bool sure, follows;

	follows = next < r->end && (parse_is_ident(r->p->text[next]) ||
				    strchr("$%@(\"", r->p->text[next]));
	e->text = parse_c_type(r->p, at, &sure);
	if (e->text && (sure || follows)) {
		e->type = (struct type_spec){ .kind = TYPE_C, .at = at };
		return true;
	}
	free(e->text);
	e->text = NULL;
	return false;
}

/* (TYPE)x; where what is in the brackets is no type, nothing is read. */
static bool read_cast_head(struct reader *r, struct expr *e)
{
	size_t close = parse_find(r->p, rest(r), ')');

	struct span type = span_between(r->pos + 1, close);

	if (close == r->end ||
	    (!parse_cast(r->p, type, &e->type) && !read_c_type(r, type, e)))
		return false;
	r->pos = close + 1;
	return true;
}

/* (x) is no node of its own. */
static int read_brackets(struct reader *r, struct expr *e)
{
	struct expr *inside = NULL;
	int err;

	if (read_cast_head(r, e)) {
		e->kind = EXPR_CAST;
		return read_unary(r, &e->base);
	}
	r->pos++;
	err = read_cond(r, &inside);
	if (!err)
		err = read_close(r);
	r->leaf_end = r->pos;
	if (!err) {
		*e = *inside;
		free(inside);
	} else {
		expr_free(inside);
	}
	return err;
}

/* The ')' that belongs to what begins at @r, or the end. */
static size_t find_close(const struct reader *r)
{
	unsigned int depth = 0;
	size_t pos;

	for (pos = r->pos; pos < r->end; pos++) {
		if (r->p->text[pos] == '(')
			depth++;
		else if (r->p->text[pos] == ')' && !depth--)
			break;
	}
	return pos;
}

/* $entry(x) or $entry(x:TYPE) */
static int read_entry(struct reader *r, struct expr *e)
{
	size_t close;
	int err;

	e->kind = EXPR_ENTRY;
	r->pos += strlen(ENTRY_HEAD);
	err = read_cond(r, &e->base);
	skip_blanks(r);
	if (!err && next(r) == ':') {
		close = find_close(r);
		err = parse_type(r->p, span_between(r->pos + 1, close), e->base,
				 &e->type);
		r->pos = close;
		r->leaf_end = close;
	}
	return err ? err : read_close(r);
}

/* $load(x) or $take(x) */
static int read_state(struct reader *r, struct expr *e, bool take)
{
	int err;

	e->kind = EXPR_STATE;
	e->value = take;
	r->pos += strlen(take ? TAKE_HEAD : LOAD_HEAD);
	err = read_cond(r, &e->base);
	err = err ? err : read_close(r);
	r->leaf_end = r->pos;
	return err;
}

static int read_leaf(struct reader *r, struct expr *e)
{
	int err = parse_operand(r->p, rest(r), e);

	if (err)
		return err;
	r->pos = span_end(e->at);
	r->leaf_end = r->pos;
	return 0;
}

static int read_operand(struct reader *r, struct expr *e)
{
	enum expr_op op = next_op(r, true);

	if (is_deref(r))
		return read_deref(r, e);
	if (!r->p->kernel && parse_starts(r->p, rest(r), ENTRY_HEAD))
		return read_entry(r, e);
	if (!r->p->kernel && parse_starts(r->p, rest(r), LOAD_HEAD))
		return read_state(r, e, false);
	if (!r->p->kernel && parse_starts(r->p, rest(r), TAKE_HEAD))
		return read_state(r, e, true);
	if (!r->p->kernel && next(r) == '(')
		return read_brackets(r, e);
	if (!r->p->kernel && op != OP_NR)
		return read_unary_op(r, e, op);
	return read_leaf(r, e);
}

/* ---- members and elements ---- */

/* What can have some, if it is a variable. */
static bool can_have_parts(const struct reader *r, const struct expr *e,
			   size_t start)
{
	if (e->kind == EXPR_NAME || e->kind == EXPR_RETVAL)
		return true;
	/* those of a cast's operand were read with it */
	if (r->p->kernel || (e->kind == EXPR_CAST && e->type.kind != TYPE_C))
		return false;
	return e->kind == EXPR_ARG || e->kind == EXPR_ENTRY ||
	       expr_is_task(e) || r->p->text[start] == '(';
}

/* *@e becomes a part of what it was; it begins at @start. */
static struct expr *make_part(const struct reader *r, struct expr **e,
			      enum expr_kind kind)
{
	struct expr *part = expr_new(kind, r->p->d);

	if (part) {
		part->base = *e;
		*e = part;
	}
	return part;
}

/* The name behind "->" or ".", which comes next. */
static int read_member(struct reader *r, struct expr **e, size_t start)
{
	bool arrow = next(r) == '-';
	struct expr *m = make_part(r, e, EXPR_MEMBER);

	if (!m)
		return -ENOMEM;
	m->arrow = arrow;
	r->pos += 1 + arrow;
	m->name_at = span_between(r->pos, r->pos + parse_ident(r->p, rest(r)));
	if (!m->name_at.length)
		return parse_fail(r->p, m->name_at, DIAG_SPEC_NO_MEMBER);
	r->pos = span_end(m->name_at);
	m->at = span_between(start, r->pos);
	m->text = parse_dup(r->p, m->name_at);
	return m->text ? set_height(r, m) : parse_no_memory(r->p);
}

/* What is in the brackets that come next. */
static int read_index(struct reader *r, struct expr **e, size_t start)
{
	struct expr *m = make_part(r, e, EXPR_INDEX);
	int err;

	if (!m)
		return -ENOMEM;
	r->pos++;
	err = enter(r);
	if (!err)
		err = read_cond(r, &m->right);
	r->depth--;
	if (err)
		return err;
	skip_blanks(r);
	if (next(r) != ']')
		return parse_fail(r->p, span_between(r->pos, r->pos),
				  DIAG_SPEC_NO_BRACKET);
	r->pos++;
	m->at = span_between(start, r->pos);
	return set_height(r, m);
}

static int bad_hyphen(const struct reader *r)
{
	parse_fail(r->p, span_between(r->pos, r->pos + 1),
		   DIAG_SPEC_HYPHEN);
	diag_hint(r->p->d, "a member is x->m or x.m");
	return -EINVAL;
}

/* "->" comes next, behind blanks perhaps, which it moves over. */
static bool is_arrow(struct reader *r)
{
	size_t pos = r->pos;

	skip_blanks(r);
	if (parse_starts(r->p, rest(r), "->"))
		return true;
	r->pos = pos;
	return false;
}

/* All parts of *@e, which begins at @start. */
static int read_parts(struct reader *r, struct expr **e, size_t start)
{
	int err = 0;

	while (!err) {
		if (is_arrow(r) || next(r) == '.')
			err = read_member(r, e, start);
		else if (r->p->kernel && next(r) == '-')
			return bad_hyphen(r);
		else if (!r->p->kernel && next(r) == '[')
			err = read_index(r, e, start);
		else
			break;
		r->leaf_end = r->pos;
	}
	return err;
}

/* An operand with all that stands before it, and behind it. */
static int read_unary(struct reader *r, struct expr **ret)
{
	struct expr *e = expr_new(EXPR_NAME, r->p->d);
	size_t start;
	int err;

	if (!e)
		return -ENOMEM;
	*ret = e;
	skip_blanks(r);
	start = r->pos;
	err = enter(r);
	if (!err)
		err = read_operand(r, e);
	r->depth--;
	if (err)
		return err;
	if (e->kind == EXPR_DEREF || e->kind == EXPR_UNARY ||
	    e->kind == EXPR_CAST || e->kind == EXPR_ENTRY ||
	    e->kind == EXPR_STATE || r->p->text[start] == '(')
		e->at = span_between(start, r->pos);
	err = set_height(r, e);
	if (!err && can_have_parts(r, e, start))
		err = read_parts(r, ret, start);
	return err;
}

/* ---- operations ---- */

static int read_right(struct reader *r, struct expr **left, enum expr_op op);

/* Operations that bind with @least or more. */
static int read_binary(struct reader *r, unsigned int least, struct expr **ret)
{
	int err = read_unary(r, ret);
	enum expr_op op;
	size_t pos;

	while (!err && !r->p->kernel) {
		pos = r->pos;
		skip_blanks(r);
		op = next_op(r, false);
		if (op == OP_NR || op_precedence(op) < least) {
			r->pos = pos;
			break;
		}
		err = read_right(r, ret, op);
	}
	return err;
}

/* What $caller is compared with is no variable: a function, in quotes or not. */
static void note_function(const struct expr *caller, struct expr *other)
{
	if (caller->kind == EXPR_CALLER &&
	    (other->kind == EXPR_NAME || other->kind == EXPR_TEXT))
		other->kind = EXPR_FUNCTION;
}

/* *@left becomes the operation on it and what follows; @op comes next. */
static int read_right(struct reader *r, struct expr **left, enum expr_op op)
{
	struct expr *e = expr_new(EXPR_BINARY, r->p->d);
	int err;

	if (!e)
		return -ENOMEM;
	e->op = op;
	e->base = *left;
	*left = e;
	r->pos += strlen(op_text(op));
	err = read_binary(r, op_precedence(op) + 1, &e->right);
	if (err)
		return err;
	if (op == OP_EQ || op == OP_NE) {
		note_function(e->base, e->right);
		note_function(e->right, e->base);
	}
	e->at = span_between(e->base->at.start, span_end(e->right->at));
	return set_height(r, e);
}

/* What follows '?' or ':', which comes next. */
static int read_choice(struct reader *r, struct expr **ret)
{
	int err;

	r->pos++;
	err = enter(r);
	if (!err)
		err = read_cond(r, ret);
	r->depth--;
	return err;
}

/* *@ret becomes the condition of "? x : y", which come next. */
static int read_choices(struct reader *r, struct expr **ret)
{
	struct expr *e = expr_new(EXPR_COND, r->p->d);
	int err;

	if (!e)
		return -ENOMEM;
	e->base = *ret;
	*ret = e;
	err = read_choice(r, &e->right);
	if (err)
		return err;
	skip_blanks(r);
	if (next(r) != ':')
		return parse_fail(r->p, rest(r), DIAG_SPEC_NO_COLON);
	err = read_choice(r, &e->third);
	if (err)
		return err;
	e->at = span_between(e->base->at.start, span_end(e->third->at));
	return set_height(r, e);
}

static int read_cond(struct reader *r, struct expr **ret)
{
	int err = read_binary(r, 1, ret);
	size_t pos = r->pos;

	if (err || r->p->kernel)
		return err;
	skip_blanks(r);
	if (next(r) == '?')
		return read_choices(r, ret);
	r->pos = pos;
	return 0;
}

int parse_expr(const struct parse *p, struct span at, struct expr **ret,
	       size_t *ret_end)
{
	struct reader r = { .p = p, .pos = at.start, .end = span_end(at) };
	struct expr *root = NULL;
	int err;

	err = read_cond(&r, &root);
	skip_blanks(&r);
	*ret_end = r.pos;
	if (!err && r.pos < r.end && next(&r) != ':')
		err = fail_after(&r);
	if (err) {
		expr_free(root);
		return err;
	}
	*ret = root;
	return 0;
}
