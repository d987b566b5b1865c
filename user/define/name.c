// SPDX-License-Identifier: GPL-2.0
/*
 * Names of events. Several definitions may have one name, and are points of
 * one event then: they record the same arguments, by the rules of
 * kprobe_events.
 */
#include "define/name.h"

#include <bpf/btf.h>
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "define/events.h"
#include "schema/layout.h"

/**
 * struct event - a name that is taken
 * @name: it
 * @type: enum ktap_type of its points
 * @shared: the kernel lets others have it
 * @ids: its probes in the kernel, whose definitions are not read yet
 * @nr_ids: how many
 * @layout: of one of its points; NULL: not read yet
 * @definitions: of its points (a tree of strings)
 */
struct event {
	char *name;
	uint32_t type;
	bool shared;
	uint32_t *ids;
	size_t nr_ids;
	struct layout *layout;
	void *definitions;
};

/* ---- the tree -------------------------------------------------------------- */

static int compare_events(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void event_free(void *event)
{
	struct event *e = event;

	tdestroy(e->definitions, free);
	layout_free(e->layout);
	free(e->ids);
	free(e->name);
	free(e);
}

void names_free(struct definer *df)
{
	tdestroy(df->names, event_free);
	df->names = NULL;
}

static struct event *find(const struct definer *df, const char *name)
{
	const struct event key = { .name = (char *)name };
	struct event **found = tfind(&key, &df->names, compare_events);

	return found ? *found : NULL;
}

/* The event called @name, which may be new. */
static struct event *get(struct definer *df, const char *name)
{
	struct event *e = find(df, name);

	if (e)
		return e;
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->shared = true;
	e->name = strdup(name);
	if (e->name && tsearch(e, &df->names, compare_events))
		return e;
	event_free(e);
	return NULL;
}

/* struct search - the first event that a pattern matches */
struct search {
	const char *pattern;
	struct event *found;
};

static void visit(const void *node, VISIT which, void *ctx)
{
	struct event *e = *(struct event *const *)node;
	struct search *s = ctx;

	if ((which == postorder || which == leaf) && !s->found &&
	    event_name_matches(e->name, s->pattern))
		s->found = e;
}

size_t names_drop(struct definer *df, const char *pattern)
{
	size_t nr = 0;

	for (;; nr++) {
		struct search s = { .pattern = pattern };

		twalk_r(df->names, visit, &s);
		if (!s.found)
			return nr;
		tdelete(s.found, &df->names, compare_events);
		event_free(s.found);
	}
}

/* ---- what the kernel has ------------------------------------------------------ */

static int add_probe(struct definer *df, const struct ctl_probe *p,
		     struct diag *d)
{
	struct event *e = get(df, p->name);
	uint32_t *ids;

	if (!e)
		return diag_no_memory(d);
	ids = reallocarray(e->ids, e->nr_ids + 1, sizeof(*ids));
	if (!ids)
		return diag_no_memory(d);
	e->ids = ids;
	ids[e->nr_ids++] = p->id;
	e->type = p->type;
	e->shared &= !!(p->flags & KTAP_PROBE_F_SHARED);
	return 0;
}

int names_load(struct definer *df, struct diag *d)
{
	struct ctl_probes all = { 0 };
	int err;

	names_free(df);
	err = ctl_probes_get(df->ctl, d, &all);
	for (size_t i = 0; !err && i < all.nr; i++) {
		if (!event_owned(&all.probes[i]))
			err = add_probe(df, &all.probes[i], d);
	}
	ctl_probes_deinit(&all);
	return err;
}

static int add_text(struct event *e, const char *text, struct diag *d)
{
	char *copy;

	if (tfind(text, &e->definitions, compare_texts))
		return 0;
	copy = strdup(text);
	if (copy && tsearch(copy, &e->definitions, compare_texts))
		return 0;
	free(copy);
	return diag_no_memory(d);
}

/* The layout of one of its probes; one that has gone meanwhile has none. */
static int read_probe(struct definer *df, struct event *e, uint32_t id,
		      struct diag *d)
{
	_cleanup_(layout_freep) struct layout *layout = NULL;
	_cleanup_free_ void *blob = NULL;
	size_t size;
	int err;

	if (ctl_blob_get(df->ctl, id, NULL, &blob, &size) ||
	    layout_decode(blob, size, NULL, &layout))
		return 0;
	err = add_text(e, layout->definition, d);
	if (!err && !e->layout)
		e->layout = take_ptr(layout);
	return err;
}

/* ---- what has one name records the same ----------------------------------- */

/* The kernel points at the whole line; ktap at the name in it. */
static void at_name(const struct probe_spec *spec, struct diag *d)
{
	if (spec->kernel_syntax)
		diag_at(d, spec->text, 0, strlen(spec->text));
	else if (spec->name_at.length)
		diag_at(d, spec->text, spec->name_at.start,
			spec->name_at.length);
}

static int taken(const struct definition *def, enum diag_code code,
		 struct diag *d)
{
	const struct probe_spec *spec = def->spec;

	diag_set(d, -EEXIST, code, spec->name);
	at_name(spec, d);
	diag_hint(d, "'ktap del %s' removes it", spec->name);
	return -EEXIST;
}

static bool same_field(const struct field *a, const struct field *b)
{
	return !strcmp(a->name, b->name) && a->kind == b->kind &&
	       a->format == b->format && a->size == b->size &&
	       a->count == b->count && a->bit_offset == b->bit_offset &&
	       a->bit_width == b->bit_width && a->type == b->type;
}

/* Tables of the same types in the same order have the same bytes. */
static bool same_types(const struct layout *a, const struct layout *b)
{
	const void *of_a, *of_b;
	uint32_t size_a, size_b;

	if (!a->types || !b->types)
		return a->types == b->types;
	of_a = btf__raw_data(a->types, &size_a);
	of_b = btf__raw_data(b->types, &size_b);
	return of_a && of_b && size_a == size_b && !memcmp(of_a, of_b, size_a);
}

static int check_fields(const struct event *e, const struct definition *def,
			struct diag *d)
{
	const struct layout *l = def->program->layout;
	const struct terms *terms = def->terms;
	size_t i = 0;

	while (i < l->nr_fields && i < e->layout->nr_fields &&
	       same_field(&l->fields[i], &e->layout->fields[i]))
		i++;
	if (i == l->nr_fields && i == e->layout->nr_fields &&
	    same_types(l, e->layout))
		return 0;
	diag_set(d, -EEXIST, DIAG_EVENT_OTHER_ARGS, def->spec->name);
	if (terms && i < terms->nr_args)
		diag_at(d, terms->text, terms->args[i].at.start,
			terms->args[i].at.length);
	else
		at_name(def->spec, d);
	diag_hint(d, "its points record the same arguments: %s",
		  e->layout->definition);
	return -EEXIST;
}

static int check_join(struct definer *df, struct event *e,
		      const struct definition *def, struct diag *d)
{
	int err = 0;

	while (!err && e->nr_ids)
		err = read_probe(df, e, e->ids[--e->nr_ids], d);
	if (err)
		return err;
	if (!e->shared || !e->layout)
		return taken(def, DIAG_NAME_TAKEN, d);
	if (e->type != def->place.type)
		return taken(def, DIAG_EVENT_OTHER_TYPE, d);
	err = check_fields(e, def, d);
	if (err)
		return err;
	if (tfind(def->program->layout->definition, &e->definitions,
		  compare_texts))
		return taken(def, DIAG_EVENT_SAME, d);
	return 0;
}

/* ---- definitions --------------------------------------------------------------- */

int name_choose(struct definer *df, struct definition *def, struct diag *d)
{
	_cleanup_free_ char *base = NULL;
	struct probe_spec *spec = def->spec;

	if (!spec->name)
		spec->name = spec_default_name(spec);
	if (!spec->name)
		return diag_no_memory(d);
	if (name_is_given(spec) || !find(df, spec->name))
		return 0;
	base = take_ptr(spec->name);
	for (unsigned int n = 1;; n++) {
		free(spec->name);
		if (asprintf(&spec->name, "%s_%u", base, n) < 0) {
			spec->name = NULL;
			return diag_no_memory(d);
		}
		if (!find(df, spec->name))
			return 0;
	}
}

int name_take(struct definer *df, const struct definition *def, bool check,
	      struct diag *d)
{
	struct event *e = find(df, def->spec->name);
	int err;

	/* nobody else meets the name of a transient probe */
	if (e && check && df->ctl && !(df->flags & KTAP_PROBE_F_TRANSIENT)) {
		err = check_join(df, e, def, d);
		if (err)
			return err;
	}
	e = get(df, def->spec->name);
	if (!e)
		return diag_no_memory(d);
	if (!e->layout && !e->nr_ids) {
		e->type = def->place.type;
		if (layout_decode(def->blob, def->blob_size, d, &e->layout))
			return -ENOMEM;
	}
	return add_text(e, def->program->layout->definition, d);
}
