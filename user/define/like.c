// SPDX-License-Identifier: GPL-2.0
/* Definitions of several points: further ones that are like the first. */
#include <stdlib.h>
#include <string.h>

#include "define/debug.h"

bool define_needs_source(const struct definition *def)
{
	const struct place_spec *place = &def->spec->place;

	return place->kind == PLACE_SOURCE || place->source ||
	       place->line_at.length;
}

struct definition *define_append_bare(struct definition *def)
{
	struct definition *point = calloc(1, sizeof(*point)), *last = def;

	while (last->next)
		last = last->next;
	last->next = point;
	if (!point)
		return NULL;
	point->bin = def->bin;
	point->arch = def->arch;
	return point;
}

struct definition *define_append(struct definition *def, struct diag *d)
{
	const struct probe_spec *spec = def->spec;
	struct definition *point = define_append_bare(def);
	int err;

	if (!point) {
		diag_no_memory(d);
		return NULL;
	}
	err = spec_copy(spec, d, &point->spec);
	return err ? NULL : point;
}

struct definition *define_like(const struct definition *def, const char *symbol,
			       struct diag *d)
{
	_cleanup_(definition_freep) struct definition *like = NULL;
	struct place_spec *place;

	like = calloc(1, sizeof(*like));
	if (!like) {
		diag_no_memory(d);
		return NULL;
	}
	like->bin = def->bin;
	like->arch = def->arch;
	if (spec_copy(def->spec, d, &like->spec))
		return NULL;
	place = &like->spec->place;
	place->glob = false;
	free(place->symbol);
	place->symbol = strdup(symbol);
	if (place->symbol)
		return take_ptr(like);
	diag_no_memory(d);
	return NULL;
}

void define_take_events(struct definition *def, struct definition *events)
{
	struct definition old = *def;

	*def = *events;
	*events = old;
	events->next = NULL;
	definition_free(events);
	def->glob = true;
	def->events = !def->spec->name;
}
