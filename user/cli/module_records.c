// SPDX-License-Identifier: GPL-2.0
/* Where the records of a probe module go. */
#include "cli/module_records.h"

#include <errno.h>

#include "base/cleanup.h"
#include "cli/account.h"
#include "cli/recording.h"
#include "cli/replay.h"
#include "define/addresses.h"

DEFINE_CLEANUP(struct datafile, datafile_close)

static void take_totals(const struct datafile *f, struct module_totals *ret)
{
	for (size_t i = 0; f && i < f->nr_totals; i++) {
		account_add(&ret->counts, &f->totals[i].counts);
		ret->missed += f->totals[i].missed;
		ret->unfollowed += f->totals[i].unfollowed;
	}
}

/* ---- lines ----------------------------------------------------------------------- */

static int begin(void *ctx, int64_t wall, struct diag *d)
{
	return output_open(ctx, wall, d);
}

/* Addresses have the names of the running kernel. A later probe may want what this does not. */
static int take_probe(void *ctx, const struct datafile_probe *p, struct diag *d)
{
	struct output *out = ctx;
	int err;

	if (out->ks || !wanted_names(p->blob, p->blob_size))
		return 0;
	err = wanted_load(WANTS_SYMBOLS | WANTS_CGROUPS, d, &out->ks);
	if (!err)
		sink_symbols(out->sink, out->ks);
	return err;
}

static int skip_symbols(void *ctx, const struct datafile *f, struct diag *d)
{
	(void)ctx;
	(void)f;
	(void)d;
	return 0;
}

static int flush(void *ctx)
{
	return output_flush(ctx);
}

int module_print(const struct datafile_source *from, struct output *out,
		 bool verbose, struct module_totals *ret, struct diag *d)
{
	static const struct replay_ops ops = {
		.begin = begin,
		.probe = take_probe,
		.symbols = skip_symbols,
		.event = output_event,
		.flush = flush,
	};
	_cleanup_(datafile_closep) struct datafile *f = NULL;
	struct decode_summary summary = { 0 };
	int err;

	*ret = (struct module_totals){ 0 };
	err = replay(from, &ops, out, &summary, d, &f);
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
		addresses_begin(&c->addresses, &f->machine, c->writer);
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

static int copy_end(struct copy *c, const char *from, const struct datafile *f,
		    struct diag *d)
{
	int err = 0;

	for (size_t i = 0; !err && i < f->nr_totals; i++) {
		const struct datafile_total *t = &f->totals[i];

		err = datafile_totals(c->writer, t->id, &t->counts, t->missed,
				      t->unfollowed, d);
	}
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
	return err;
}
