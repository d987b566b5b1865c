// SPDX-License-Identifier: GPL-2.0
/* Definitions of places that only debug information knows. */
#include <errno.h>
#include <stdlib.h>

#include "cli/debug_files.h"
#include "cli/define_debug.h"
#include "cli/points.h"
#include "cli/say.h"

/**
 * struct making - points that become definitions
 * @df: definer
 * @def: the definition
 * @d: where errors go
 * @map: of the kernel or its module: where that is in memory
 * @points: them
 */
struct making {
	struct definer *df;
	struct definition *def;
	struct diag *d;
	const struct debug_map *map;
	struct points points;
};

bool define_needs_source(const struct definition *def)
{
	const struct place_spec *place = &def->spec->place;

	return place->kind == PLACE_SOURCE || place->source ||
	       place->line_at.length;
}

/* An address of the file, as places have it. */
static uint64_t address_of(const struct making *m, uint64_t address)
{
	return address + debug_map_find(m->map, address).slide;
}

/* The place of the code at @address, as if that had been written. */
static int resolve_address(struct making *m, uint64_t address,
			   struct place *ret)
{
	struct probe_spec spec = *m->def->spec;
	struct place *places;
	size_t nr;
	int err;

	spec.place.kind = PLACE_ADDRESS;
	spec.place.address = address_of(m, address);
	spec.place.symbol_at = spec.place.at;
	if (!m->def->bin)
		return ksyms_resolve(m->df->ks, &spec, m->d, ret);
	err = binary_resolve((struct binary *)m->def->bin, &spec, m->def->arch,
			     m->d, &places, &nr);
	if (err)
		return err;
	*ret = places[0];
	places[0] = (struct place){};
	places_free(places, nr);
	return 0;
}

static int set_point(struct making *m, struct definition *point,
		     const struct debug_func *func)
{
	int err = resolve_address(m, func->entry, &point->place);

	point->func = *func;
	point->has_func = !err;
	return err;
}

static bool is_there(const struct making *m, uint64_t address)
{
	return debug_map_find(m->map, address).kind == DEBUG_AREA_THERE;
}

/* Code that was freed is no point, if there is other code. */
static void drop_gone(struct making *m)
{
	struct points *p = &m->points;
	size_t i, nr = 0;

	for (i = 0; i < p->nr; i++)
		if (is_there(m, p->func[i].entry))
			p->func[nr++] = p->func[i];
	p->nr = nr;
}

static int fail_gone(struct making *m, uint64_t address)
{
	const struct probe_spec *spec = m->def->spec;
	bool freed = debug_map_find(m->map, address).kind == DEBUG_AREA_FREED;
	const char *module = spec->place.module;

	diag_set(m->d, -EINVAL, freed ? DIAG_DEBUG_FREED : DIAG_DEBUG_NOWHERE);
	if (!freed && module && !debug_module_is_loaded(module))
		diag_hint(m->d, "module '%s' is not loaded: of such, %s:FUNCTION and %s:FUNCTION+OFFSET can be waited for",
			  module, module, module);
	diag_at(m->d, spec->text, spec->place.at.start, spec->place.at.length);
	return -EINVAL;
}

/* The points are further ones of the definition; the first is it, unless it
 * @has_place.
 */
static int make_points(struct making *m, bool has_place)
{
	struct points *p = &m->points;
	uint64_t first = p->nr ? p->func[0].entry : 0;
	struct definition *point;
	int err = 0;

	drop_gone(m);
	if (!p->nr && !has_place)
		return fail_gone(m, first);
	for (size_t i = 0; !err && i < p->nr; i++) {
		if (has_place && address_of(m, p->func[i].entry) ==
				 m->def->place.address) {
			m->def->func = p->func[i];
			m->def->has_func = true;
			continue;
		}
		point = i || has_place ? define_append(m->def, m->d) : m->def;
		err = point ? set_point(m, point, &p->func[i]) : -ENOMEM;
	}
	return err;
}

static int open_points(struct making *m, bool must)
{
	struct points *p = &m->points;
	int err = define_debug(m->df, m->def, must, m->d, &p->dbg);

	p->spec = m->def->spec;
	p->source = m->df->source;
	p->d = m->d;
	if (!err && p->dbg && !m->def->bin)
		err = debug_files_map(m->df, p->dbg, m->d, &m->map);
	return err;
}

int define_source(struct definer *df, struct definition *def, struct diag *d)
{
	struct making m = { .df = df, .def = def, .d = d };
	int err = open_points(&m, true);

	if (!err)
		err = points_find(&m.points);
	if (!err)
		err = make_points(&m, false);
	points_deinit(&m.points);
	return err;
}

/* Whether a name means a function, with all code that it has. */
static bool has_copies(const struct definition *def)
{
	const struct place_spec *place = &def->spec->place;

	return place->kind == PLACE_SYMBOL && !place->offset_at.length &&
	       !place->is_return && !def->spec->kernel_syntax &&
	       !place->version && !def->place.module_absent;
}

/* All of it is in a module that is not loaded. */
static bool is_unknown(const struct making *m)
{
	const struct points *p = &m->points;

	for (size_t i = 0; i < p->nr; i++)
		if (debug_map_find(m->map, p->func[i].entry).kind !=
		    DEBUG_AREA_UNKNOWN)
			return false;
	return true;
}

int define_inlined(struct definer *df, struct definition *def, int err,
		   struct diag *d)
{
	_cleanup_diag_ struct diag why = {};
	struct making m = { .df = df, .def = def, .d = &why };

	if (err != -ENOENT || !has_copies(def) || open_points(&m, false) ||
	    !m.points.dbg || points_find(&m.points) || is_unknown(&m)) {
		points_deinit(&m.points);
		if (why.code != DIAG_DEBUG_TWINS)
			return err;
		/* there are such functions, and not only no such symbol */
		diag_clear(d);
		*d = why;
		why = (struct diag){};
		return -EINVAL;
	}
	diag_clear(d);
	m.d = d;
	err = make_points(&m, false);
	points_deinit(&m.points);
	return err;
}

int define_copies(struct definer *df, struct definition *def, struct diag *d)
{
	struct making m = { .df = df, .def = def, .d = d };
	uint64_t address;
	int err = 0;

	if (!has_copies(def))
		return 0;
	err = open_points(&m, false);
	if (err || !m.points.dbg)
		return err;
	if (!m.map)
		address = def->place.address;
	else if (!debug_map_back(m.map, def->place.address, &address))
		return 0;
	err = points_copies(&m.points, address);
	if (!err)
		err = make_points(&m, true);
	points_deinit(&m.points);
	return err;
}
