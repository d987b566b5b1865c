// SPDX-License-Identifier: GPL-2.0
/* Compiled definitions to probes of the kernel, and back. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "bind/loc/loc.h"
#include "define/events.h"
#include "define/name.h"
#include "place/blacklist.h"

/* ---- one request ------------------------------------------------------------- */

/* Where the text says what the kernel refused. */
static const struct span *span_at_fault(const struct probe_spec *spec,
					unsigned int attr)
{
	switch (attr) {
	case KTAP_A_NAME:
		return &spec->name_at;
	case KTAP_A_OFFSET:
		return spec->place.offset_at.length ? &spec->place.offset_at :
						      &spec->place.at;
	case KTAP_A_SYMBOL:
		return spec->place.symbol_at.length ? &spec->place.symbol_at :
						      &spec->place.at;
	case KTAP_A_ADDR:
	case KTAP_A_HOOK:
	case KTAP_A_FRAME_ADDR:
	case KTAP_A_FRAME_OFFSET:
		return &spec->place.at;
	case KTAP_A_PATH:
	case KTAP_A_FD:
		return spec->place.file_at.length ? &spec->place.file_at :
						    &spec->place.at;
	case KTAP_A_REF_OFFSET:
	case KTAP_A_LENGTH:
	case KTAP_A_ACCESS:
	case KTAP_A_MAXACTIVE:
	case KTAP_A_TYPE:
		return &spec->place.at;
	default:
		return NULL;
	}
}

/* Where an expression reads the counter of an event. */
static const struct expr *find_counter(const struct expr *e, uint64_t event)
{
	const struct expr *found;

	if (!e || (e->kind == EXPR_COUNTER && (uint64_t)e->value == event))
		return e;
	found = find_counter(e->base, event);
	found = found ? found : find_counter(e->right, event);
	return found ? found : find_counter(e->third, event);
}

static const struct expr *spec_counter(const struct probe_spec *spec, uint64_t event)
{
	const struct expr *found = find_counter(spec->filter, event);

	for (size_t i = 0; !found && i < spec->nr_args; i++)
		found = find_counter(spec->args[i].expr, event);
	for (size_t i = 0; !found && i < spec->nr_stores; i++)
		found = find_counter(spec->stores[i], event);
	return found;
}

/* The kernel has no words for an event: says which one it is, and what can be done. */
static void explain_counter(const struct definition *def, uint64_t event, int err,
			    struct diag *d)
{
	const struct expr *e = event ? spec_counter(def->spec, event) : NULL;

	if (!e)
		return;
	diag_clear(d);
	diag_set(d, err, DIAG_NO_COUNTER, e->text, strerror(-err));
	diag_at(d, def->spec->text, e->at.start, e->at.length);
	if (err == -EBUSY)
		diag_hint(d, "others use the counters of the hardware: 'perf', or the kernel with the sysctl kernel.nmi_watchdog");
	else if (KTAP_COUNTER_TYPE(event) == PERF_TYPE_HARDWARE)
		diag_hint(d, "it has no counters of this hardware, as in many virtual machines; page-faults, context-switches, cpu-clock and others of software need none");
	else
		diag_hint(d, "it is too old for that event, or was built without CONFIG_PERF_EVENTS");
}

static void point_at_fault(const struct definition *def, unsigned int attr,
			   struct diag *d)
{
	const struct span *at = span_at_fault(def->spec, attr);
	const struct place *place = &def->place;

	if (at && at->length)
		diag_at(d, def->spec->text, at->start, at->length);
	/* one error of the kernel has several reasons; this one can be looked up */
	if (attr == KTAP_A_ADDR && place->address &&
	    (place->type == KTAP_TYPE_KPROBE ||
	     place->type == KTAP_TYPE_KRETPROBE) &&
	    blacklist_has(NULL, place->address))
		diag_hint(d, "it is on the kernel's list of code that kprobes themselves need");
}

/* Whether it has addresses that hold until the module goes, and no longer. */
static bool has_addresses(const struct definition *def)
{
	const struct program *p = def->program;

	if (!def->site)
		return false;
	for (size_t i = 0; i < p->nr_insns; i++)
		if (debug_map_has(def->site->map, p->insns[i].imm))
			return true;
	for (size_t i = 0; i < p->nr_entry_insns; i++)
		if (debug_map_has(def->site->map, p->entry_insns[i].imm))
			return true;
	return false;
}

/*
 * Without an address the kernel looks the symbol up; and it has to know the
 * module that a probe is in to follow it when that goes and comes back. @room
 * is freed by the caller. A probe with addresses of the module does not follow
 * it: they are those of something else then.
 */
static int symbol_for_kernel(const struct definition *def, char **room,
			     const char **ret)
{
	const struct place *place = &def->place;

	*ret = place->symbol;
	/* a name that is too long is in the layout all the same */
	if (def->bin && *ret && strlen(*ret) >= KTAP_SYMBOL_MAX)
		*ret = NULL;
	if (def->bin || !place->symbol || !place->module ||
	    place->type == KTAP_TYPE_WATCHPOINT || has_addresses(def))
		return 0;
	if (asprintf(room, "%s:%s", place->module, place->symbol) < 0) {
		*room = NULL;
		return -ENOMEM;
	}
	*ret = *room;
	return 0;
}

/* The kernel takes the open file: a path would mean another one elsewhere. */
static int make_request(const struct definer *df, const struct definition *def,
			uint32_t flags, char **room, struct ctl_probe_new *ret)
{
	const struct place *place = &def->place;

	*ret = (struct ctl_probe_new){
		.name = def->spec->name,
		.type = place->type,
		.flags = df->flags | flags |
			 (place->module_absent ? KTAP_PROBE_F_WAIT : 0),
		.address = def->bin ? 0 : place->address,
		.offset = place->path ? place->file_offset : place->offset,
		.insns = def->program->insns,
		.nr_insns = def->program->nr_insns,
		.blob = def->blob,
		.blob_size = def->blob_size,
		.entry_insns = def->program->entry_insns,
		.nr_entry_insns = def->program->nr_entry_insns,
		.maxactive = def->spec->place.maxactive,
		.frame_regs = def->program->frame.regs,
		.nr_frame_regs = def->program->frame.nr,
		.frame_address = def->bin ? 0 : place->frame_address,
		.has_frame_offset = def->bin || place->has_frame_offset,
		.frame_offset = place->frame_offset,
		.fd = def->bin ? binary_fd(def->bin) : -1,
		.path = place->path,
		.ref_offset = place->ref_offset,
		.length = place->watch_length,
		.access = place->watch_access,
		.period = place->period,
		.each_cpu = place->each_cpu,
		.hook = df->hook,
	};
	/* what is served by number has no hook to choose */
	if (def->by_number) {
		ret->type = type_is_return(place->type) || def->timed ?
			    KTAP_TYPE_SYSRET : KTAP_TYPE_SYSCALL;
		ret->flags |= def->timed ? KTAP_PROBE_F_TIMES : 0;
		ret->syscall = def->number;
		ret->hook = NULL;
	}
	return symbol_for_kernel(def, room, &ret->symbol);
}

/* Others may join an event whose name somebody gave. */
static uint32_t sharing(const struct definition *def)
{
	bool points = def->next && !def->events;

	return points || name_is_given(def->spec) ? KTAP_PROBE_F_SHARED : 0;
}

static int request_one(struct definer *df, struct definition *def,
		       struct diag *d)
{
	_cleanup_free_ char *room = NULL;
	struct ctl_probe_new req;
	int err;

	if (make_request(df, def, sharing(def), &room, &req))
		return diag_no_memory(d);
	err = ctl_probe_new(df->ctl, &req, d, &def->id);
	if (err)
		point_at_fault(def, ctl_attr(df->ctl), d);
	if (err)
		explain_counter(def, ctl_event(df->ctl, err), err, d);
	return err;
}

/* Another process took the name since we looked: look again. */
static int rename_and_request(struct definer *df, struct definition *def,
			      struct diag *d)
{
	int err;

	free(take_ptr(def->spec->name));
	err = names_load(df, d);
	if (!err && def->is_fixed) {
		err = define_name_points(df, def, d);
	} else if (!err) {
		program_free(take_ptr(def->program));
		free(take_ptr(def->blob));
		err = define_code(df, def, d);
	}
	return err ? err : request_one(df, def, d);
}

static int add_one(struct definer *df, struct definition *def, struct diag *d)
{
	int err = request_one(df, def, d);

	while (err == -EEXIST && !name_is_given(def->spec)) {
		diag_clear(d);
		err = rename_and_request(df, def, d);
	}
	return err;
}

/* ---- many ----------------------------------------------------------------------- */

/**
 * struct bulk - many points on their way into the kernel
 * @df: definer
 * @flags: of all
 * @at: the first of them that has not been sent
 * @done: how many were sent
 * @refused: how many of those were refused
 * @why: why the first of those was
 * @who: and which it is
 */
struct bulk {
	struct definer *df;
	uint32_t flags;
	struct definition *at;
	size_t done;
	size_t refused;
	struct ctl_new why;
	const struct definition *who;
};

static void take_results(struct bulk *b, const struct ctl_new *results, int nr)
{
	for (int i = 0; i < nr; i++, b->at = b->at->next) {
		b->done++;
		b->at->id = results[i].id;
		if (results[i].id)
			continue;
		if (!b->refused++) {
			b->why = results[i];
			b->who = b->at;
		}
	}
}

static int send_batch(struct bulk *b, struct diag *d)
{
	struct ctl_probe_new reqs[CTL_BATCH];
	struct ctl_new results[CTL_BATCH];
	char *rooms[CTL_BATCH] = { 0 };
	struct definition *point = b->at;
	int nr = 0, sent = 0, err = 0;

	for (; !err && point && nr < CTL_BATCH; point = point->next, nr++)
		err = make_request(b->df, point, b->flags, &rooms[nr],
				   &reqs[nr]);
	if (err)
		sent = diag_no_memory(d);
	else
		sent = ctl_probes_new(b->df->ctl, reqs, nr, results, d);
	if (sent > 0)
		take_results(b, results, sent);
	for (int i = 0; i < nr; i++)
		free(rooms[i]);
	return sent < 0 ? sent : 0;
}

static size_t count(const struct definition *def)
{
	size_t nr = 0;

	for (; def; def = def->next)
		nr++;
	return nr;
}

static int refused(const struct bulk *b, struct diag *d)
{
	ctl_new_diag(&b->why, d);
	point_at_fault(b->who, b->why.attr, d);
	explain_counter(b->who, ctl_event_of(b->why.err, b->why.attr, b->why.number),
			b->why.err, d);
	return b->why.err;
}

static int finish_glob(const struct bulk *b, struct diag *d)
{
	if (!b->refused)
		return 0;
	if (b->refused == b->done)
		return refused(b, d);
	define_notify(b->df, &(struct define_notice){
		.kind = DEFINE_REFUSED,
		.nr = b->refused,
		.total = b->done,
		.name = b->who->place.symbol,
		.why = b->why.text[0] ? b->why.text : strerror(-b->why.err),
	});
	return 0;
}

/* Return: true when the caller of the library wants to stop. */
static bool progress(const struct definer *df, size_t nr, size_t total)
{
	return define_notify(df, &(struct define_notice){
		.kind = DEFINE_ADDING, .nr = nr, .total = total,
	});
}

static int add_many(struct definer *df, struct definition *def, struct diag *d)
{
	struct bulk b = { .df = df, .flags = sharing(def), .at = def };
	struct removal undo = { .df = df };
	size_t total = count(def);
	int err = 0;

	while (!err && b.at) {
		err = send_batch(&b, d);
		if (!err && progress(df, b.done, total))
			err = diag_set(d, -EINTR, DIAG_INTERRUPTED);
		if (!err && b.refused && !def->glob)
			err = refused(&b, d);
	}
	if (!err && def->glob)
		err = finish_glob(&b, d);
	if (err) {
		removal_add(&undo, def);
		removal_flush(&undo);
	}
	return err;
}

int define_add(struct definer *df, struct definition *def, struct diag *d)
{
	int err;

	if (progress(df, 0, count(def)))
		err = diag_set(d, -EINTR, DIAG_INTERRUPTED);
	else
		err = def->next ? add_many(df, def, d) : add_one(df, def, d);
	define_notify(df, &(struct define_notice){ .kind = DEFINE_ADDED });
	return err;
}

/* ---- removing --------------------------------------------------------------- */

/* All of them go or none: where one has gone already, each by itself. */
void removal_flush(struct removal *r)
{
	struct ctl *ctl = r->df->ctl;

	if (r->nr && ctl_probes_del(ctl, r->ids, r->nr, NULL))
		for (size_t i = 0; i < r->nr; i++)
			ctl_probe_del(ctl, r->ids[i], NULL);
	r->nr = 0;
}

void removal_add(struct removal *r, struct definition *def)
{
	for (; def; def = def->next) {
		if (!def->id)
			continue;
		if (r->nr == KTAP_IDS_MAX)
			removal_flush(r);
		r->ids[r->nr++] = def->id;
		def->id = 0;
	}
}

/* A deletion may name the place too: then it means only what is there. */
static bool at_place(const struct ctl_probe *p, const struct place_spec *place)
{
	if (place->symbol)
		return p->symbol && !strcmp(p->symbol, place->symbol) &&
		       p->offset == place->offset;
	if (place->kind == PLACE_FILE_OFFSET)
		return p->offset == place->offset;
	return !place->address || p->address == place->address;
}

int define_delete(struct definer *df, const struct definition *def,
		  struct diag *d)
{
	const char *name = def->spec->name;
	struct ctl_probes all = { 0 };
	_cleanup_free_ bool *chosen = NULL;
	size_t nr = 0;
	int err;

	err = ctl_probes_get(df->ctl, d, &all);
	if (!err)
		err = events_choose(&all, &name, 1, d, &chosen);
	for (size_t i = 0; !err && i < all.nr; i++) {
		if (!chosen[i] ||
		    !at_place(&all.probes[i], &def->spec->place))
			continue;
		err = ctl_probe_del(df->ctl, all.probes[i].id, d);
		nr++;
	}
	ctl_probes_deinit(&all);
	if (err || nr)
		return err;
	diag_set(d, -ENOENT, DIAG_DELETION_PLACE, def->spec->name);
	diag_at(d, def->spec->text, def->spec->place.at.start,
		def->spec->place.at.length);
	return -ENOENT;
}

int define_apply(struct definer *df, struct definition *def, struct diag *d)
{
	return definition_deletes(def) ? define_delete(df, def, d) : define_add(df, def, d);
}
