// SPDX-License-Identifier: GPL-2.0
/* Where the records of a probe module go. */
#include "cli/module_records.h"

#include <errno.h>

#include "base/cleanup.h"
#include "cli/account.h"
#include "cli/maps.h"
#include "cli/recording.h"
#include "cli/replay.h"
#include "cli/saved_maps.h"
#include "define/addresses.h"

DEFINE_CLEANUP(struct datafile, datafile_close)

static void take_totals(const struct datafile *f, struct module_totals *ret)
{
	for (size_t i = 0; f && i < f->nr_totals; i++) {
		account_add(&ret->counts, &f->totals[i].counts);
		ret->missed += f->totals[i].missed;
		ret->unfollowed += f->totals[i].unfollowed;
	}
	ret->maps = f && f->nr_maps;
	for (size_t i = 0; f && i < f->nr_probes; i++)
		ret->aggregates |= layout_aggregates(f->probes[i].blob,
						     f->probes[i].blob_size);
}

/* ---- lines ----------------------------------------------------------------------- */

static int begin(void *ctx, int64_t wall, struct diag *d)
{
	struct module_maps *m = ctx;

	return output_open(m->out, wall, d);
}

/* Addresses have the names of the running kernel. A later probe may want what this does not. */
static int take_probe(void *ctx, const struct datafile_probe *p, struct diag *d)
{
	struct module_maps *m = ctx;
	struct output *out = m->out;
	int err = module_maps_probe(m, p, d);

	if (err || out->ks || !wanted_names(p->blob, p->blob_size))
		return err;
	err = wanted_load(WANTS_SYMBOLS | WANTS_CGROUPS, NULL, d, &out->ks);
	if (!err)
		sink_symbols(out->sink, out->ks);
	return err;
}

static void decodes(void *ctx, struct decoder *dec)
{
	struct module_maps *m = ctx;

	m->decoder = dec;
}

static int skip_symbols(void *ctx, const struct datafile *f, struct diag *d)
{
	struct module_maps *m = ctx;

	m->nr_cpus = f->machine.nr_cpus;
	(void)d;
	return 0;
}

static int take_event(void *ctx, const struct event *event)
{
	struct module_maps *m = ctx;

	return output_event(m->out, event);
}

static int flush(void *ctx)
{
	struct module_maps *m = ctx;

	return output_flush(m->out);
}

static int show_maps(void *ctx, const struct datafile *f, struct decoder *dec,
		     struct diag *d)
{
	(void)dec;
	return module_maps_end(ctx, f, d);
}

int module_print(const struct datafile_source *from, struct module_maps *maps,
		 bool verbose, struct module_totals *ret, struct diag *d)
{
	static const struct replay_ops ops = {
		.begin = begin,
		.probe = take_probe,
		.decodes = decodes,
		.symbols = skip_symbols,
		.event = take_event,
		.flush = flush,
		.end = show_maps,
	};
	_cleanup_(datafile_closep) struct datafile *f = NULL;
	struct decode_summary summary = { 0 };
	int err;

	*ret = (struct module_totals){ 0 };
	err = replay(from, &ops, maps, &summary, d, &f);
	maps->decoder = NULL;
	if (err)
		return err;
	take_totals(f, ret);
	return recording_end(from->path, f, &summary, verbose, d);
}

/* ---- a file ---------------------------------------------------------------------- */

/**
 * struct copy - a recording that is written
 * @path: file
 * @writer: the file
 * @addresses: that are in it
 * @nr_probes: that were written
 * @symbols_size: bytes of symbols that were written
 */
struct copy {
	const char *path;
	struct datafile_writer *writer;
	struct addresses addresses;
	size_t nr_probes;
	size_t symbols_size;
};

static int copy_begin(struct copy *c, const struct datafile *f, struct diag *d)
{
	int err;

	if (c->writer || !f->machine.nr_cpus)
		return 0;
	err = datafile_create(c->path, &f->machine, d, &c->writer);
	if (!err)
		addresses_begin(&c->addresses, &f->machine, c->writer, NULL);
	return err;
}

static int copy_section(void *ctx, const struct datafile *f, struct diag *d)
{
	struct copy *c = ctx;
	int err = copy_begin(c, f, d);
	size_t from = c->symbols_size;

	if (err || !c->writer)
		return err;
	c->symbols_size = f->symbols_size;
	if (from != f->symbols_size)
		err = datafile_symbols(c->writer, f->symbols + from,
				       f->symbols_size - from, d);
	for (; !err && c->nr_probes < f->nr_probes; c->nr_probes++) {
		const struct datafile_probe *p = &f->probes[c->nr_probes];

		err = datafile_probe(c->writer, p->id, p->name, p->blob,
				     p->blob_size, d);
		if (!err)
			err = addresses_probe(&c->addresses, p->id, p->blob,
					      p->blob_size, d);
	}
	for (size_t i = 0; !err && i < f->nr_stacks; i++) {
		const struct datafile_part *p = &f->stacks[i];

		err = datafile_stacks(c->writer, p->data, p->size, d);
		if (!err)
			err = addresses_stacks(&c->addresses, p->data, p->size, d);
	}
	for (size_t i = 0; !err && i < f->nr_batches; i++) {
		const struct datafile_batch *b = &f->batches[i];

		err = datafile_data(c->writer, b->cpu, b->position, b->data,
				    b->size, d);
		if (!err)
			err = addresses_batch(&c->addresses, b, d);
	}
	for (size_t i = 0; !err && i < f->nr_clocks; i++)
		err = datafile_clock(c->writer, &f->clocks[i], d);
	return err;
}

static int copy_map(struct copy *c, const char *from, const struct datafile *f,
		    const struct datafile_probe *p, struct diag *d)
{
	struct aggregated map = { .id = p->id };
	struct rows rows;
	int err;

	if (!layout_aggregates(p->blob, p->blob_size))
		return 0;
	err = layout_decode(p->blob, p->blob_size, d, &map.layout);
	if (err)
		return err;
	err = saved_maps_load(f, &map, &rows);
	if (!err)
		err = maps_save(&rows, p->id, &c->addresses, c->writer, d);
	rows_deinit(&rows);
	aggregated_deinit(&map);
	return err == -EBADMSG ? diag_set(d, err, DIAG_RECORDING_DAMAGED, from, 1ULL) : err;
}

static int copy_end(struct copy *c, const char *from, const struct datafile *f,
		    struct diag *d)
{
	int err = 0;

	for (size_t i = 0; !err && i < f->nr_totals; i++) {
		const struct datafile_total *t = &f->totals[i];

		err = datafile_totals(c->writer, t->id, &t->counts, t->missed,
				      t->unfollowed, d);
	}
	for (size_t i = 0; !err && i < f->nr_probes; i++)
		err = copy_map(c, from, f, &f->probes[i], d);
	if (!err)
		err = datafile_marks(c->writer, &f->marks, d);
	if (!err && !f->complete)
		err = diag_set(d, -EBADMSG, DIAG_RECORDING_CUT, from,
			       (unsigned long long)f->cut_at, f->cut_reason);
	return err;
}

int module_write(const struct datafile_source *from, const char *path,
		 struct module_totals *ret, struct diag *d)
{
	_cleanup_(datafile_closep) struct datafile *f = NULL;
	struct copy c = { .path = path };
	int err;

	*ret = (struct module_totals){ 0 };
	err = datafile_stream(from, copy_section, &c, d, &f);
	if (!err)
		err = copy_end(&c, from->path, f, d);
	if (!err)
		err = datafile_finish(take_ptr(c.writer), &ret->bytes, d);
	datafile_finish(c.writer, NULL, NULL);
	addresses_deinit(&c.addresses);
	take_totals(f, ret);
	account_losses(&ret->counts, ret->missed, ret->unfollowed);
	maps_note_other(&ret->counts, ": see --rows");
	return err;
}
