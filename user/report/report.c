// SPDX-License-Identifier: GPL-2.0
#include "report/report.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/suggest.h"
#include "report/report_in.h"

#define SLOTS_MIN	1024
#define NAMES_SHOWN	12	/* in a hint */

/* Hits of which the sum of as many values of 64 bits fits in 127 */
#define MAPPED_MAX	(1ULL << 62)

/* ---- begin and end ---- */

int report_create(const struct report_options *opt, struct diag *d,
		  struct report **ret)
{
	struct report *r = calloc(1, sizeof(*r));

	if (!r)
		return diag_no_memory(d);
	r->opt = *opt;
	r->nr_slots = SLOTS_MIN;
	r->slots = calloc(r->nr_slots, sizeof(*r->slots));
	r->found_events = calloc(opt->nr_events + 1, sizeof(*r->found_events));
	r->other.tallies = calloc(opt->values->nr + 1, sizeof(*r->other.tallies));
	if (!r->slots || !r->found_events || !r->other.tallies) {
		report_destroy(r);
		return diag_no_memory(d);
	}
	*ret = r;
	return 0;
}

static void empty_tallies(const struct report *r, struct report_row *row)
{
	for (size_t i = 0; row->tallies && i < r->opt.values->nr; i++)
		tally_deinit(&row->tallies[i]);
}

static void row_deinit(const struct report *r, struct report_row *row)
{
	empty_tallies(r, row);
	free(row->tallies);
	free(row->texts);
}

void report_clear(struct report *r)
{
	while (r->nr)
		row_deinit(r, &r->rows[--r->nr]);
	free(r->rows);
	r->rows = NULL;
	empty_tallies(r, &r->other);
	r->other.count = 0;
	memset(r->slots, 0, r->nr_slots * sizeof(*r->slots));
}

void report_destroy(struct report *r)
{
	if (!r)
		return;
	if (r->slots)
		report_clear(r);
	row_deinit(r, &r->other);
	buf_deinit(&r->key);
	free(r->plans);
	free(r->slots);
	free(r->found_events);
	names_deinit(&r->arguments);
	free(r);
}

void report_symbols(struct report *r, const struct ksyms *ks)
{
	r->ks = ks;
}

/* ---- events that there are ---- */

/* The name of the group is optional, as in 'ktap del'. */
static bool name_matches(const char *pattern, const char *name)
{
	const char *event = strchr(name, ':');

	return !fnmatch(pattern, name, 0) ||
	       (event && !fnmatch(pattern, event + 1, 0));
}

static bool is_wanted(const struct report *r, const char *name, bool *found)
{
	bool wanted = !r->opt.nr_events;

	for (size_t i = 0; i < r->opt.nr_events; i++) {
		if (!name_matches(r->opt.events[i], name))
			continue;
		wanted = true;
		if (found)
			found[i] = true;
	}
	return wanted;
}

/* Numbers that are added up; not those that stand for something else. */
static bool is_number(const struct field *f)
{
	if (f->kind == FIELD_UNKNOWN)
		return true;
	if (f->kind != FIELD_INT || f->count || f->type)
		return false;
	return f->format == FORMAT_UNSIGNED || f->format == FORMAT_SIGNED ||
	       f->format == FORMAT_HEX || f->format == FORMAT_ERRNO;
}

/* Numbers that there is a sum of. */
static bool has_sum(const struct field *f)
{
	return f->aggregate.kind != AGGREGATE_LOG2 &&
	       f->aggregate.kind != AGGREGATE_LINEAR;
}

/* What the kernel added up is no key. */
static int find_key(const struct layout *l, const char *name)
{
	int field = key_field(l, name);

	return field != NO_FIELD && aggregate_is_value(&l->fields[field].aggregate) ?
		       NO_FIELD : field;
}

static int check_value(const struct field *f, const char *name, struct diag *d)
{
	if (!has_sum(f)) {
		diag_set(d, -EINVAL, DIAG_REPORT_HISTOGRAM, f->name, name);
		diag_hint(d, "sum(EXPR) and stats(EXPR) in its definition keep one");
		return -EINVAL;
	}
	if (is_number(f))
		return 0;
	diag_set(d, -EINVAL, DIAG_REPORT_NO_NUMBER, f->name, name);
	diag_hint(d, "-e chooses the events of the report");
	return -EINVAL;
}

static int probe_values(struct report *r, const char *name,
			const struct layout *l, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; !err && i < r->opt.values->nr; i++) {
		int field = key_field(l, r->opt.values->name[i].argument);

		if (field == NO_FIELD)
			continue;
		r->found_values[i] = true;
		err = check_value(&l->fields[field], name, d);
	}
	return err;
}

bool report_wants(struct report *r, const char *name)
{
	return is_wanted(r, name, r->found_events);
}

int report_probe(struct report *r, const char *name, const void *blob,
		 size_t size, struct diag *d)
{
	_cleanup_(layout_freep) struct layout *l = NULL;
	int err = layout_decode(blob, size, d, &l);

	if (err || !is_wanted(r, name, r->found_events))
		return err;
	for (size_t i = 0; i < r->opt.keys->nr; i++)
		if (find_key(l, r->opt.keys->name[i].argument) != NO_FIELD)
			r->found_keys[i] = true;
	/* what the user may have meant by a name that is wrong */
	for (size_t i = 0; i < l->nr_fields; i++)
		if (names_put(&r->arguments, l->fields[i].name))
			return diag_no_memory(d);
	return probe_values(r, name, l, d);
}

static bool first_have(const struct names *names, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(names->name[i], name))
			return true;
	return false;
}

static void hint_names(const struct report *r, const struct report_names *names, struct diag *d)
{
	_cleanup_buf_ struct buf all = BUF_INIT;
	size_t nr = 0;
	const char *own;

	for (size_t i = 0; i < r->arguments.nr; i++) {
		if (first_have(&r->arguments, i, r->arguments.name[i]))
			continue;
		if (nr++ < NAMES_SHOWN)
			buf_printf(&all, ", %s", r->arguments.name[i]);
	}
	if (nr > NAMES_SHOWN)
		buf_printf(&all, ", %zu more arguments", nr - NAMES_SHOWN);
	for (size_t i = 0; !names->arguments && (own = report_source_name(i)); i++)
		if (!first_have(&r->arguments, r->arguments.nr, own))
			buf_printf(&all, ", %s", own);
	if (all.size)
		diag_hint(d, "there are %s", buf_str(&all) + strlen(", "));
}

/* An argument that was found and is no key is a value of a map. */
static int no_name(const struct report *r, const struct report_names *names,
		   const char *name, struct diag *d)
{
	struct suggest near;
	const char *own;

	if (first_have(&r->arguments, r->arguments.nr, name))
		return diag_set(d, -EINVAL, DIAG_REPORT_NO_KEY, name);
	diag_set(d, -EINVAL, DIAG_REPORT_NO_NAME, name);
	suggest_init(&near, name, strlen(name));
	for (size_t i = 0; !names->arguments && (own = report_source_name(i)); i++)
		suggest_try(&near, own);
	for (size_t i = 0; i < r->arguments.nr; i++)
		suggest_try(&near, r->arguments.name[i]);
	suggest_hint(&near, "", d);
	/* it keeps a hint that it has */
	hint_names(r, names, d);
	return -EINVAL;
}

static int check_names(const struct report *r, const struct report_names *names,
		       const bool *found, struct diag *d)
{
	for (size_t i = 0; i < names->nr; i++)
		if (names->name[i].source == REPORT_ARGUMENT && !found[i])
			return no_name(r, names, names->name[i].argument, d);
	return 0;
}

void report_found_also(struct report *r, const struct report *other)
{
	for (size_t i = 0; i < r->opt.nr_events; i++)
		r->found_events[i] |= other->found_events[i];
	for (size_t i = 0; i < REPORT_NAMES_MAX; i++) {
		r->found_keys[i] |= other->found_keys[i];
		r->found_values[i] |= other->found_values[i];
	}
}

int report_check(const struct report *r, struct diag *d)
{
	int err;

	for (size_t i = 0; i < r->opt.nr_events; i++)
		if (!r->found_events[i])
			return diag_set(d, -EINVAL, DIAG_REPORT_NO_EVENT,
					r->opt.events[i]);
	err = check_names(r, r->opt.keys, r->found_keys, d);
	return err ? err : check_names(r, r->opt.values, r->found_values, d);
}

/* Hits that the kernel added up have no task and no CPU, unless these are keys of the row. */
static enum report_source source_in(const struct layout *l, enum report_source source)
{
	if (!l->aggregates || source == REPORT_EVENT || source == REPORT_SYMBOL)
		return source;
	return REPORT_ARGUMENT;
}

static void make_plan(const struct report *r, const struct event *e,
		      struct event_plan *plan)
{
	const struct report_names *keys = r->opt.keys, *values = r->opt.values;
	const struct layout *l = e->layout;

	plan->known = true;
	plan->wanted = is_wanted(r, e->name, NULL);
	for (size_t i = 0; i < keys->nr; i++) {
		plan->sources[i] = source_in(l, keys->name[i].source);
		plan->plain[i] = keys->name[i].source == REPORT_COMM;
		plan->keys[i] = find_key(l, keys->name[i].argument);
	}
	for (size_t i = 0; i < values->nr; i++) {
		int field = key_field(l, values->name[i].argument);

		if (field != NO_FIELD &&
		    !(is_number(&l->fields[field]) && has_sum(&l->fields[field])))
			field = NO_FIELD;
		plan->values[i] = field;
	}
}

/* Return: NULL: no memory. */
static const struct event_plan *add_plan(struct report *r, const struct event *e)
{
	struct event_plan *more;
	size_t nr = e->shape + 1;

	if (nr > r->nr_plans) {
		more = reallocarray(r->plans, nr, sizeof(*more));
		if (!more)
			return NULL;
		memset(more + r->nr_plans, 0, (nr - r->nr_plans) * sizeof(*more));
		r->plans = more;
		r->nr_plans = nr;
	}
	make_plan(r, e, &r->plans[e->shape]);
	return &r->plans[e->shape];
}

/* Return: NULL: no memory. */
static inline const struct event_plan *find_plan(struct report *r, const struct event *e)
{
	if (e->shape < r->nr_plans && r->plans[e->shape].known)
		return &r->plans[e->shape];
	return add_plan(r, e);
}

/* ---- rows ---- */

static void put_slot(struct report *r, uint64_t hash, uint32_t number)
{
	size_t i = hash & (r->nr_slots - 1);

	while (r->slots[i])
		i = (i + 1) & (r->nr_slots - 1);
	r->slots[i] = number;
}

/* All rows are in a table that is large enough for one more. */
int report_fill_slots(struct report *r)
{
	uint32_t *more;

	if (2 * (r->nr + 1) > r->nr_slots) {
		more = reallocarray(r->slots, 2 * r->nr_slots, sizeof(*more));
		if (!more)
			return -ENOMEM;
		r->slots = more;
		r->nr_slots *= 2;
	}
	memset(r->slots, 0, r->nr_slots * sizeof(*r->slots));
	for (size_t i = 0; i < r->nr; i++)
		put_slot(r, r->rows[i].hash, i + 1);
	return 0;
}

static struct report_row *find_row(const struct report *r, uint64_t hash)
{
	size_t i = hash & (r->nr_slots - 1);

	for (; r->slots[i]; i = (i + 1) & (r->nr_slots - 1)) {
		struct report_row *row = &r->rows[r->slots[i] - 1];

		if (row->hash == hash && row->key_size == r->key.size &&
		    !memcmp(row->key, r->key.data, r->key.size))
			return row;
	}
	return NULL;
}

/* Texts and, behind them, bytes of the keys. */
static int make_key(struct report *r, const struct event_plan *plan,
		    const struct event *e, struct report_row *row)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < r->opt.keys->nr; i++) {
		key_text(&b, plan, i, e, r->ks, r->opt.json);
		buf_putc(&b, '\0');
		if (key_is_stack(plan, i, e))
			row->stacks |= 1U << i;
	}
	row->texts_size = b.size;
	row->key_size = r->key.size;
	buf_put(&b, r->key.data, r->key.size);
	row->texts = buf_take(&b);
	row->tallies = calloc(r->opt.values->nr + 1, sizeof(*row->tallies));
	if (!row->texts || !row->tallies) {
		free(row->texts);
		free(row->tallies);
		return -ENOMEM;
	}
	row->key = row->texts + row->texts_size;
	return 0;
}

/* Return: NULL: no memory. */
static struct report_row *add_row(struct report *r, uint64_t hash,
				  const struct event_plan *plan,
				  const struct event *e)
{
	struct report_row row = { .hash = hash }, *more;

	if (r->nr == r->opt.rows_max)
		return &r->other;
	more = array_grow(r->rows, r->nr, sizeof(*more));
	if (!more)
		return NULL;
	r->rows = more;
	if (2 * (r->nr + 1) > r->nr_slots && report_fill_slots(r))
		return NULL;
	if (make_key(r, plan, e, &row))
		return NULL;
	more[r->nr++] = row;
	put_slot(r, hash, r->nr);
	return &more[r->nr - 1];
}

/* As the module adds it up, so that both say the same. */
static __int128 number_of(const struct value *v)
{
	unsigned int shift = 64 - 8 * v->field->size;

	if (!field_is_signed(v->field))
		return v->number;
	if (v->field->bit_width || v->field->size > 8)
		return (int64_t)v->number;
	return (int64_t)(v->number << shift) >> shift;
}

static int add_value(struct tally *tally, const struct value *v, uint64_t times)
{
	if (!v->fault)
		return tally_add(tally, number_of(v), times);
	tally->total.faulted += times;
	return 0;
}

static int add_values(const struct report *r, const struct event_plan *plan,
		      const struct event *e, struct report_row *row)
{
	int err = 0;

	for (size_t i = 0; !err && i < r->opt.values->nr; i++)
		if (plan->values[i] != NO_FIELD)
			err = add_value(&row->tallies[i], &e->values[plan->values[i]], 1);
	return err;
}

/* The row that an event is in; NULL: no memory. */
static inline struct report_row *row_of(struct report *r, const struct event_plan *plan,
					const struct event *e)
{
	struct report_row *row;
	uint64_t hash;

	key_bytes(&r->key, r->opt.keys->nr, plan, e);
	if (r->key.failed)
		return NULL;
	hash = XXH3_64bits(r->key.data, r->key.size);
	row = find_row(r, hash);
	return row ? row : add_row(r, hash, plan, e);
}

int report_event(void *report, const struct event *e)
{
	struct report *r = report;
	const struct event_plan *plan;
	struct report_row *row;

	if (e->lost || e->mark)
		return 0;
	plan = find_plan(r, e);
	if (!plan)
		return -ENOMEM;
	if (!plan->wanted)
		return 0;
	row = row_of(r, plan, e);
	if (!row)
		return -ENOMEM;
	row->count++;
	return add_values(r, plan, e, row);
}

/* ---- rows of a map ---- */

/* A value that the kernel added up, or a key, which all hits of the row have. */
static int add_mapped(struct tally *tally, const struct rows *rows,
		      const struct row *row, const struct event *e, int field)
{
	const struct field *f = &rows->layout->fields[field];
	struct total total;

	if (aggregate_is_value(&f->aggregate)) {
		rows_total(rows, row, f, &total);
		tally_add_total(tally, &total, f->aggregate.kind == AGGREGATE_STATS);
		return 0;
	}
	return row->key ? add_value(tally, &e->values[field], row->count) : 0;
}

/* Then the sum of all rows fits, too. */
static bool is_possible(const struct report *r, const struct rows *rows, const struct row *row)
{
	return row->count <= MAPPED_MAX - r->mapped && rows_possible(rows, row);
}

static bool needs_key(const struct report *r, const struct event_plan *plan)
{
	for (size_t i = 0; i < r->opt.keys->nr; i++)
		if (plan->sources[i] == REPORT_ARGUMENT && plan->keys[i] != NO_FIELD)
			return true;
	return false;
}

int report_row(struct report *r, const struct rows *rows, const struct row *row,
	       const struct event *e)
{
	const struct event_plan *plan = find_plan(r, e);
	struct report_row *to;
	int err = 0;

	if (!plan)
		return -ENOMEM;
	if (!plan->wanted)
		return 0;
	if (!is_possible(r, rows, row))
		return -EBADMSG;
	r->mapped += row->count;
	to = row->key || !needs_key(r, plan) ? row_of(r, plan, e) : &r->other;
	if (!to)
		return -ENOMEM;
	to->count += row->count;
	for (size_t i = 0; !err && i < r->opt.values->nr; i++)
		if (plan->values[i] != NO_FIELD)
			err = add_mapped(&to->tallies[i], rows, row, e, plan->values[i]);
	return err;
}

/* ---- sums of rows ---- */

int report_compare(const void *a, const void *b)
{
	const struct report_row *x = a, *y = b;
	size_t size = x->texts_size < y->texts_size ? x->texts_size :
						      y->texts_size;
	int order = memcmp(x->texts, y->texts, size);

	if (order || x->texts_size == y->texts_size)
		return order;
	return x->texts_size < y->texts_size ? -1 : 1;
}

static int add_up(const struct report *r, struct report_row *to,
		  const struct report_row *from)
{
	int err = 0;

	to->count += from->count;
	for (size_t i = 0; !err && i < r->opt.values->nr; i++)
		err = tally_merge(&to->tallies[i], &from->tallies[i]);
	return err;
}

int report_merge(struct report *r)
{
	size_t nr = r->nr, i;
	int err = 0;

	if (!nr)
		return 0;
	qsort(r->rows, nr, sizeof(*r->rows), report_compare);
	r->nr = 0;
	for (i = 0; i < nr; i++) {
		struct report_row *row = &r->rows[i];

		if (r->nr && !report_compare(&r->rows[r->nr - 1], row)) {
			err |= add_up(r, &r->rows[r->nr - 1], row);
			row_deinit(r, row);
		} else {
			r->rows[r->nr++] = *row;
		}
	}
	return err ? -ENOMEM : 0;
}

int report_add_other(struct report *r, const struct report_row *row)
{
	return add_up(r, &r->other, row);
}

struct report_row *report_other(struct report *r)
{
	return &r->other;
}

int report_fold(struct report *r, size_t from)
{
	int err = 0;

	while (r->nr > from) {
		struct report_row *row = &r->rows[--r->nr];

		err |= add_up(r, &r->other, row);
		row_deinit(r, row);
	}
	return err ? -ENOMEM : report_fill_slots(r);
}

uint64_t report_total(const struct report *r)
{
	uint64_t sum = r->other.count;

	for (size_t i = 0; i < r->nr; i++)
		sum += r->rows[i].count;
	return sum;
}
