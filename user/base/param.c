// SPDX-License-Identifier: GPL-2.0
/* Parameters of definitions: types and values, read and written. */
#include "base/param.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/suggest.h"

static const char letters[PARAM_KIND_NR] = {
	[PARAM_UNSIGNED] = 'u', [PARAM_SIGNED] = 's', [PARAM_HEX] = 'x',
};

void param_deinit(struct param *p)
{
	free(p->name);
	free(p->text);
	*p = (struct param){};
}

void params_deinit(struct params *ps)
{
	while (ps->nr)
		param_deinit(&ps->param[--ps->nr]);
	free(ps->param);
	ps->param = NULL;
}

struct param *params_find(const struct params *ps, const char *name)
{
	for (size_t i = 0; ps && i < ps->nr; i++)
		if (!strcmp(ps->param[i].name, name))
			return &ps->param[i];
	return NULL;
}

int params_add(struct params *ps, const struct param *p)
{
	struct param copy = *p, *more;

	copy.name = strdup(p->name);
	copy.text = p->text ? strdup(p->text) : NULL;
	more = array_grow(ps->param, ps->nr, sizeof(*more));
	if (more)
		ps->param = more;
	if (!more || !copy.name || (p->text && !copy.text)) {
		param_deinit(&copy);
		return -ENOMEM;
	}
	more[ps->nr++] = copy;
	return 0;
}

int params_copy(struct params *to, const struct params *from)
{
	int err = 0;

	*to = (struct params){};
	for (size_t i = 0; !err && i < from->nr; i++)
		err = params_add(to, &from->param[i]);
	return err;
}

/* ---- types and values ------------------------------------------------------------- */

bool param_type_ok(uint64_t kind, uint64_t size)
{
	return kind > PARAM_NO_TYPE && kind < PARAM_KIND_NR &&
	       (size == 1 || size == 2 || size == 4 || size == 8);
}

static unsigned int bits_of(const struct param *p)
{
	return p->size * 8;
}

static uint64_t largest(const struct param *p)
{
	return UINT64_MAX >> (64 - bits_of(p) + (p->kind == PARAM_SIGNED));
}

bool param_fits(const struct param *p, uint64_t value)
{
	if (p->kind == PARAM_SIGNED && (int64_t)value < 0)
		return ~value <= largest(p);
	return value <= largest(p);
}

void param_put_type(struct buf *b, const struct param *p)
{
	buf_printf(b, "%c%u", letters[p->kind], bits_of(p));
}

void param_put_value(struct buf *b, const struct param *p)
{
	if (p->kind == PARAM_HEX)
		buf_printf(b, "0x%" PRIx64, p->value);
	else if (p->kind == PARAM_SIGNED)
		buf_printf(b, "%" PRId64, (int64_t)p->value);
	else
		buf_printf(b, "%" PRIu64, p->value);
}

static bool set_type(struct param *p, const char *text, size_t length)
{
	static const char *const sizes[] = { "8", "16", "32", "64" };

	for (int kind = PARAM_UNSIGNED; length && kind < PARAM_KIND_NR; kind++) {
		if (*text != letters[kind])
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			if (strlen(sizes[i]) != length - 1 ||
			    memcmp(text + 1, sizes[i], length - 1))
				continue;
			p->kind = kind;
			p->size = 1U << i;
			return true;
		}
	}
	return false;
}

static int out_of_range(const struct param *p, const char *text, size_t length,
			struct diag *d)
{
	_cleanup_buf_ struct buf type = BUF_INIT, least = BUF_INIT, most = BUF_INIT;
	struct param end = *p;

	param_put_type(&type, p);
	end.value = p->kind == PARAM_SIGNED ? ~largest(p) : 0;
	param_put_value(&least, &end);
	end.value = largest(p);
	param_put_value(&most, &end);
	return diag_set(d, -EINVAL, DIAG_PARAM_RANGE, (int)length, text, p->name,
			buf_str(&type), buf_str(&least), buf_str(&most));
}

int param_set(struct param *p, const char *text, size_t length, struct diag *d)
{
	_cleanup_free_ char *copy = strndup(text, length);
	bool is_negative;
	uint64_t value;
	char *end;

	if (!copy)
		return diag_no_memory(d);
	is_negative = *copy == '-';
	text = copy + (is_negative || *copy == '+');
	errno = 0;
	value = strtoull(text, &end, 0);
	if (*text < '0' || *text > '9' || *end)
		return diag_set(d, -EINVAL, DIAG_PARAM_NUMBER, copy, p->name);
	/* what is out of range here is so for each type */
	if (errno || (is_negative && p->kind != PARAM_SIGNED && value) ||
	    (is_negative && value > 1ULL << 63) ||
	    (!is_negative && value > largest(p)))
		return out_of_range(p, copy, strlen(copy), d);
	if (is_negative)
		value = -value;
	if (!param_fits(p, value))
		return out_of_range(p, copy, strlen(copy), d);
	p->value = value;
	return 0;
}

int param_check_same(const struct param *old, const struct param *new,
		     struct diag *d)
{
	_cleanup_buf_ struct buf a = BUF_INIT, b = BUF_INIT;
	bool same_type = param_same_type(old, new);

	if (same_type && old->value == new->value)
		return 0;
	if (same_type) {
		param_put_value(&a, old);
		param_put_value(&b, new);
	} else {
		param_put_type(&a, old);
		param_put_type(&b, new);
	}
	return diag_set(d, -EINVAL, same_type ? DIAG_PARAM_VALUES : DIAG_PARAM_TYPES,
			new->name, buf_str(&a), buf_str(&b));
}

/* ---- NAME=VALUE:TYPE -------------------------------------------------------------- */

bool param_name_ok(const char *name, size_t length)
{
	if (!length || length >= PARAM_NAME_SIZE || (*name >= '0' && *name <= '9'))
		return false;
	for (size_t i = 0; i < length; i++) {
		char c = name[i], lower = c | 0x20;

		if (!(lower >= 'a' && lower <= 'z') && !(c >= '0' && c <= '9') &&
		    c != '_')
			return false;
	}
	return true;
}

static size_t find(const char *source, size_t from, size_t end, char c)
{
	while (from < end && source[from] != c)
		from++;
	return from;
}

static int fail(const char *source, size_t from, size_t end, struct diag *d,
		enum diag_code code)
{
	diag_set(d, -EINVAL, code, (int)(end - from), source + from);
	diag_at(d, source, from, end - from);
	return -EINVAL;
}

static int read_name(const char *source, size_t from, size_t end, struct diag *d,
		     struct param *p)
{
	if (!param_name_ok(source + from, end - from)) {
		fail(source, from, end, d, DIAG_PARAM_NAME);
		diag_hint(d, "use letters, digits and '_', no digit first, and at most %d characters",
			  PARAM_NAME_SIZE - 1);
		return -EINVAL;
	}
	p->name = strndup(source + from, end - from);
	return p->name ? 0 : diag_no_memory(d);
}

static int read_value(const char *source, size_t from, size_t end, struct diag *d,
		      struct param *p)
{
	size_t colon = find(source, from, end, ':');
	int err;

	if (from == colon) {
		fail(source, from, end, d, DIAG_PARAM_NO_VALUE);
		return -EINVAL;
	}
	p->text = strndup(source + from, colon - from);
	if (!p->text)
		return diag_no_memory(d);
	if (colon == end)
		return 0;
	if (!set_type(p, source + colon + 1, end - colon - 1)) {
		fail(source, colon + 1, end, d, DIAG_PARAM_TYPE);
		diag_hint(d, "there are u8 to u64, s8 to s64 and x8 to x64; a text cannot be a parameter: write it into the definition");
		return -EINVAL;
	}
	err = param_set(p, p->text, colon - from, d);
	if (err)
		diag_at(d, source, from, colon - from);
	return err;
}

int param_read(const char *source, struct span at, struct diag *d,
	       struct param *ret)
{
	size_t end = at.start + at.length;
	size_t equals = find(source, at.start, end, '=');
	struct param p = { .at = at };
	int err;

	err = read_name(source, at.start, equals, d, &p);
	if (!err && equals < end)
		err = read_value(source, equals + 1, end, d, &p);
	if (err)
		param_deinit(&p);
	else
		*ret = p;
	return err;
}

/* ---- --param ---------------------------------------------------------------------- */

int params_take_option(struct params *ps, const char *word, struct diag *d)
{
	struct span all = { 0, strlen(word) };
	struct param p;
	int err;

	if (!strchr(word, '='))
		return diag_set(d, -EINVAL, DIAG_PARAM_OPTION, word);
	err = param_read(word, all, d, &p);
	if (err)
		return err;
	if (params_find(ps, p.name))
		err = diag_set(d, -EINVAL, DIAG_PARAM_TWICE, p.name);
	else if (ps->nr == PARAMS_MAX)
		err = diag_set(d, -EINVAL, DIAG_PARAM_MANY, PARAMS_MAX);
	else if (params_add(ps, &p))
		err = diag_no_memory(d);
	param_deinit(&p);
	return err;
}

static int unknown(const char *name, const struct params *known, struct diag *d)
{
	struct suggest s;

	diag_set(d, -EINVAL, DIAG_PARAM_UNKNOWN, name);
	suggest_init(&s, name, strlen(name));
	for (size_t i = 0; i < known->nr; i++)
		suggest_try(&s, known->param[i].name);
	suggest_hint(&s, "", d);
	diag_hint(d, "a definition reads it as $param(%s)", name);
	return -EINVAL;
}

int params_check_known(const struct params *given, const struct params *known,
		       struct diag *d)
{
	for (size_t i = 0; given && i < given->nr; i++)
		if (!params_find(known, given->param[i].name))
			return unknown(given->param[i].name, known, d);
	return 0;
}
