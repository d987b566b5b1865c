// SPDX-License-Identifier: GPL-2.0
/* Definitions of places that only debug information knows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "define/debug.h"
#include "define/debug_files.h"
#include "define/points.h"
#include "dwarf/func.h"
#include "place/binary.h"
#include "place/symtab.h"

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

/* An address of the file, as places have it. */
static uint64_t address_of(const struct making *m, uint64_t address)
{
	return address + debug_map_find(m->map, address).slide;
}

/* struct found - the places of a point: a return may be seen at several */
struct found {
	struct place *places;
	size_t nr;
};

static void found_deinit(struct found *f)
{
	places_free(f->places, f->nr);
	*f = (struct found){};
}

static int found_one(struct making *m, const struct place *place,
		     struct found *ret)
{
	ret->places = malloc(sizeof(*place));
	if (!ret->places)
		return diag_no_memory(m->d);
	*ret->places = *place;
	ret->nr = 1;
	return 0;
}

/* The places of the code at @address, as if that had been written. */
static int resolve_address(struct making *m, uint64_t address,
			   struct found *ret)
{
	struct probe_spec spec = *m->def->spec;
	struct place place = {};
	int err;

	spec.place.kind = PLACE_ADDRESS;
	spec.place.address = address_of(m, address);
	spec.place.symbol_at = spec.place.at;
	if (m->def->bin)
		return binary_resolve((struct binary *)m->def->bin, &spec,
				      m->def->arch, m->d, &ret->places,
				      &ret->nr);
	err = ksyms_resolve(m->df->ks, &spec, m->d, &place);
	if (!err)
		err = found_one(m, &place, ret);
	if (err)
		place_deinit(&place);
	return err;
}

/* The module is not loaded, but may come. */
static bool is_awaited(const struct making *m, uint64_t address)
{
	const char *module = m->def->spec->place.module;

	return m->map && module && !definer_is_offline(m->df) &&
	       !debug_module_is_loaded(module) &&
	       debug_map_find(m->map, address).kind == DEBUG_AREA_UNKNOWN;
}

/* Where the code at @address will be: in a function whose name is known, and no
 * other's.
 */
static bool find_awaited(const struct making *m, uint64_t address,
			 const char **name, uint64_t *start)
{
	uint64_t at, end;
	int pos = 0;

	if (!is_awaited(m, address) ||
	    !debug_function_symbol(m->points.dbg, address, start, &end))
		return false;
	while (debug_symbol_in(m->points.dbg, *start, *start + 1, &pos, name, &at))
		if (debug_symbol(m->points.dbg, *name, &at))
			return true;
	return false;
}

static int resolve_awaited(struct making *m, uint64_t address,
			   struct found *ret)
{
	const struct place_spec *spec = &m->def->spec->place;
	struct place place;
	const char *name;
	uint64_t start;
	int err;

	*ret = (struct found){};
	if (!find_awaited(m, address, &name, &start))
		return resolve_address(m, address, ret);
	place = (struct place){
		.type = spec->is_return ? KTAP_TYPE_KRETPROBE : KTAP_TYPE_KPROBE,
		.is_entry = address == start,
		.module_absent = true,
		.symbol = strdup(name),
		.module = strdup(spec->module),
		.offset = address - start,
	};
	err = place.symbol && place.module ? found_one(m, &place, ret) :
					     diag_no_memory(m->d);
	if (err)
		place_deinit(&place);
	return err;
}

/* Takes @place. */
static void set_point(struct definition *point, const struct debug_func *func,
		      struct place *place)
{
	point->place = *place;
	*place = (struct place){};
	point->func = *func;
	point->has_func = true;
}

/* Points of @func: the first one is the definition, if it @is_free. */
static int add_points(struct making *m, const struct debug_func *func,
		      bool is_free)
{
	struct definition *point;
	struct found found;
	int err;

	err = resolve_awaited(m, func->entry, &found);
	for (size_t i = 0; !err && i < found.nr; i++) {
		point = i || !is_free ? define_append(m->def, m->d) : m->def;
		if (!point) {
			err = -ENOMEM;
			break;
		}
		set_point(point, func, &found.places[i]);
		err = define_own_entry(point, m->points.dbg, m->d);
	}
	found_deinit(&found);
	return err;
}

static bool is_there(const struct making *m, uint64_t address)
{
	const char *name;
	uint64_t start;

	return debug_map_find(m->map, address).kind == DEBUG_AREA_THERE ||
	       find_awaited(m, address, &name, &start);
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

	diag_set(m->d, -EINVAL, freed ? DIAG_DEBUG_FREED : DIAG_DEBUG_NOWHERE);
	if (is_awaited(m, address))
		diag_hint(m->d, "module '%s' is not loaded: a probe can wait for it only if the name of the function is unique in the module",
			  spec->place.module);
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
		err = add_points(m, &p->func[i], !i && !has_place);
	}
	return err;
}

/* ---- patterns --------------------------------------------------------------------- */

/* An event like the definition, of @func; what is like it follows it. */
static int make_event(struct making *m, const struct debug_func *func,
		      struct definition **ret)
{
	_cleanup_(definition_freep) struct definition *event = NULL;
	struct definition **end = &event;
	Dwarf_Die die = func->die;
	struct found found;
	int err;

	err = resolve_awaited(m, func->entry, &found);
	for (size_t i = 0; !err && i < found.nr; i++) {
		*end = define_like(m->def, dwarf_diename(&die), m->d);
		if (!*end) {
			err = -ENOMEM;
			break;
		}
		set_point(*end, func, &found.places[i]);
		(*end)->joins = i;
		err = define_names(m->df, *end, m->d);
		end = &(*end)->next;
	}
	found_deinit(&found);
	if (!err)
		*ret = take_ptr(event);
	return err;
}

/* The points of all functions that can be probed, and have what is to be shown. */
static int make_events(struct making *m, struct definition **ret)
{
	struct definition **end = ret;
	struct diag why = {}, *d = m->d;
	size_t left_out = 0;
	int err;

	for (size_t i = 0; i < m->points.nr; i++) {
		m->d = left_out ? NULL : &why;
		err = make_event(m, &m->points.func[i], end);
		m->d = d;
		if (err == -ENOMEM) {
			diag_clear(&why);
			return diag_no_memory(d);
		}
		left_out += !!err;
		while (*end)
			end = &(*end)->next;
	}
	if (!*ret) {
		*d = why;
		return -EINVAL;
	}
	define_notify_left_out(m->df, left_out, &why);
	diag_clear(&why);
	return 0;
}

/* GLOB@FILE: an event for each function of the file that has code of its own */
static int define_matches(struct making *m)
{
	_cleanup_(definition_freep) struct definition *events = NULL;
	uint64_t first;
	int err;

	err = points_matches(&m->points);
	if (err)
		return err;
	first = m->points.func[0].entry;
	drop_gone(m);
	if (!m->points.nr)
		return fail_gone(m, first);
	err = make_events(m, &events);
	if (!err)
		define_take_events(m->def, take_ptr(events));
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

	if (!err && def->spec->place.glob) {
		err = define_matches(&m);
	} else if (!err) {
		err = points_find(&m.points);
		if (!err)
			err = make_points(&m, false);
	}
	points_deinit(&m.points);
	return err;
}

/* Whether a name means a function, with all code that it has. */
static bool has_copies(const struct definition *def)
{
	const struct place_spec *place = &def->spec->place;

	return place->kind == PLACE_SYMBOL && !place->offset_at.length &&
	       !place->is_return && !def->spec->kernel_syntax &&
	       !place->version;
}

/* Whether the debug information that is searched covers every function of that name. */
static bool is_of_one_file(const struct making *m)
{
	const struct place_spec *place = &m->def->spec->place;
	struct ksym sym;
	size_t pos = 0;

	if (place->file || place->module)
		return true;
	while (ksyms_find(m->df->ks, place->symbol, &pos, &sym))
		if (sym.module)
			return false;
	return true;
}

/* What several symbols are called: files tell them apart better than addresses. */
static void hint_files(struct making *m, struct diag *d)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const struct place_spec *place = &m->def->spec->place;

	if (place->kind != PLACE_SYMBOL || place->offset_at.length ||
	    m->def->spec->kernel_syntax || place->version || !is_of_one_file(m))
		return;
	if (!open_points(m, false) && m->points.dbg)
		points_twins(&m->points, &b);
	points_deinit(&m->points);
	if (!b.size)
		return;
	free(take_ptr(d->hint));
	diag_hint(d, "write which one: %s", buf_str(&b));
}

/* FUNC+OFFSET, of a function that only the debug information knows by that name. */
static bool is_inside(const struct definition *def)
{
	const struct place_spec *place = &def->spec->place;

	return place->kind == PLACE_SYMBOL && place->offset_at.length &&
	       !place->is_return && !def->spec->kernel_syntax &&
	       !place->version;
}

/* What is inlined there, and has the variables, is found by the address. */
static int define_inside(struct making *m, int err, struct diag *d)
{
	struct diag *why = m->d;
	struct found found = {};
	int reason;

	if (open_points(m, false) || !m->points.dbg) {
		points_deinit(&m->points);
		return err;
	}
	reason = points_inside(&m->points);
	if (!reason)
		reason = resolve_address(m, m->points.func[0].entry, &found);
	points_deinit(&m->points);
	if (!reason) {
		m->def->place = found.places[0];
		found.places[0] = (struct place){};
	}
	found_deinit(&found);
	if (reason == -ENOENT)
		return err;
	diag_clear(d);
	if (reason) {
		*d = *why;
		*why = (struct diag){};
	}
	return reason;
}

/* FUNC%return, of a function that only the debug information knows by that name. */
static bool is_return_of(const struct definition *def)
{
	const struct place_spec *place = &def->spec->place;

	return place->kind == PLACE_SYMBOL && place->is_return &&
	       !place->offset_at.length && !def->spec->kernel_syntax &&
	       !place->version;
}

static int define_returns(struct making *m, int err, struct diag *d)
{
	struct diag *why = m->d;
	int reason;

	if (open_points(m, false) || !m->points.dbg) {
		points_deinit(&m->points);
		return err;
	}
	reason = points_returns(&m->points);
	if (!reason)
		reason = make_points(m, false);
	points_deinit(&m->points);
	if (reason == -ENOENT)
		return err;
	diag_clear(d);
	*d = *why;
	*why = (struct diag){};
	return reason;
}

int define_inlined(struct definer *df, struct definition *def, int err,
		   struct diag *d)
{
	_cleanup_diag_ struct diag why = {};
	struct making m = { .df = df, .def = def, .d = &why };

	if (err == -ENOENT && is_return_of(def))
		return define_returns(&m, err, d);
	if (err == -ENOENT && is_inside(def))
		return define_inside(&m, err, d);
	if (d->code == DIAG_KSYMS_AMBIGUOUS || d->code == DIAG_ELF_AMBIGUOUS) {
		hint_files(&m, d);
		return err;
	}
	if (err != -ENOENT || !has_copies(def) || open_points(&m, false) ||
	    !m.points.dbg || points_find(&m.points)) {
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

/* Of a module that is not loaded nothing is known but this. */
static int wait_for_copies(struct making *m)
{
	_cleanup_diag_ struct diag why = {};
	struct diag *d = m->d;
	int err;

	m->points.d = &why;
	err = points_find(&m->points);
	m->points.d = d;
	if (err == -ENOENT)
		return 0;
	if (err) {
		*d = why;
		why = (struct diag){};
		return err;
	}
	place_deinit(&m->def->place);
	return make_points(m, false);
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
	if (def->place.module_absent) {
		err = wait_for_copies(&m);
		points_deinit(&m.points);
		return err;
	}
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
