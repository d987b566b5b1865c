// SPDX-License-Identifier: GPL-2.0
/* ktap record: hits to a file, for later and for other machines. */
#include <string.h>
#include <sys/resource.h>

#include "aggregate/saved.h"
#include "cli/account.h"
#include "cli/captures.h"
#include "cli/cmd.h"
#include "cli/maps.h"
#include "cli/say.h"
#include "define/addresses.h"
#include "record/datafile.h"

static const struct option_row rows[] = {
	{ 'o', "output", "FILE", "write to FILE (default: ktap.data); -: standard output" },
	CAPTURE_ROW_EVENT,
	CAPTURE_ROW_STACKS,
	VERDICT_ROWS,
	CAPTURE_ROW_ROWS,
	CAPTURE_ROW_RING,
	CAPTURE_ROW_OVERWRITE,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-o FILE] [OPTION...] [[-e NAME]... DEFINITION... [-- COMMAND...]]",
	.about = "Writes hits to a file, which 'ktap script' prints on this or another machine.\n"
		 "Without definitions and -e, it records all events that are defined.",
	.rows = rows,
	.more = capture_rows,
	.takes_command = true,
};

/**
 * struct options - of this command
 * @opt: what the session needs
 * @path: file
 */
struct options {
	struct capture_options opt;
	const char *path;
};

/**
 * struct record - a session at work
 * @opt: how
 * @path: file
 * @writer: the file while it is written
 * @addresses: that are in it
 * @user_files: of user stacks; the session's; NULL: there are no such stacks
 * @maps: of definitions that aggregate: written at the end
 */
struct record {
	const struct capture_options *opt;
	const char *path;
	struct datafile_writer *writer;
	struct addresses addresses;
	struct user_files *user_files;
	struct maps maps;
};

static int record_option(void *ctx, int key, const char *value,
			 struct diag *d)
{
	struct options *o = ctx;

	if (key != 'o')
		return capture_option(&o->opt, key, value, d);
	o->path = value;
	return 0;
}

static int write_clock(struct record *r, struct capture *c, struct diag *d)
{
	struct ktap_session_state now;
	int err;

	err = session_state(c->session, d, &now);
	return err ? err : datafile_clock(r->writer, &now, d);
}

/*
 * Tasks that hit all the time leave a processor to others in turns of several
 * milliseconds, in which a ring can fill: so we go first, and sleep most of the
 * time. Who may not do that takes turns. The command was forked before.
 */
#define RECORDER_NICE (-20)

void record_first(const struct capture_options *opt)
{
	if (!opt->overwrite)
		setpriority(PRIO_PROCESS, 0, RECORDER_NICE);
}

static int record_begin(void *ctx, struct capture *c, struct diag *d)
{
	struct record *r = ctx;
	struct machine m;
	int err;

	record_first(r->opt);
	machine_from_session(session_setup_info(c->session), &m);
	err = maps_begin(&r->maps, c, d);
	if (!err)
		err = datafile_prepare(r->path, &m, d, &r->writer);
	for (size_t i = 0; !err && i < c->targets.nr; i++) {
		const struct target *t = &c->targets.target[i];

		err = datafile_probe(r->writer, t->id, t->name, t->blob,
				     t->blob_size, d);
	}
	addresses_begin(&r->addresses, &m, r->writer, c->ctl);
	for (size_t i = 0; !err && i < c->targets.nr; i++) {
		const struct target *t = &c->targets.target[i];

		err = addresses_probe(&r->addresses, t->id, t->blob,
				      t->blob_size, d);
	}
	if (c->user_files)
		addresses_more(&r->addresses, &(struct ksyms_more){
			.find = user_files_find_own, .ctx = c->user_files,
		});
	r->user_files = c->user_files;
	return err ? err : write_clock(r, c, d);
}

/* If nothing can be attached, the file that has the name stays. */
static int record_attached(void *ctx, struct capture *c, struct diag *d)
{
	struct record *r = ctx;

	return datafile_publish(r->writer, d);
}

static int record_stacks(void *ctx, const void *stacks, size_t size,
			 struct diag *d)
{
	struct record *r = ctx;
	int err;

	err = datafile_stacks(r->writer, stacks, size, d);
	if (!err && r->user_files)
		err = user_files_write(r->user_files, stacks, size, r->writer, d);
	return err ? err : addresses_stacks(&r->addresses, stacks, size, d);
}

static int record_batch(void *ctx, const struct datafile_batch *b,
			struct diag *d)
{
	struct record *r = ctx;
	int err;

	err = datafile_data(r->writer, b->cpu, b->position, b->data, b->size,
			    d);
	return err ? err : addresses_batch(&r->addresses, b, d);
}

/*
 * Who reads a stream can show what comes before a moment that all rings were
 * read after.
 */
static int record_round(void *ctx, const struct ktap_session_state *now,
			struct diag *d)
{
	struct record *r = ctx;

	if (!datafile_is_stream(r->writer))
		return 0;
	return datafile_clock(r->writer, now, d);
}

static int write_map(struct record *r, struct capture *c,
		     const struct aggregated *map, struct diag *d)
{
	struct rows rows;
	int err = maps_read(map, c, &rows, d);

	if (!err)
		err = maps_save(&rows, map->id, &r->addresses, r->writer, d);
	rows_deinit(&rows);
	return err;
}

static int record_end(void *ctx, struct capture *c, struct diag *d)
{
	struct record *r = ctx;
	uint64_t size;
	int err;

	err = write_clock(r, c, d);
	for (size_t i = 0; !err && i < c->targets.nr; i++) {
		const struct target *t = &c->targets.target[i];

		err = datafile_totals(r->writer, t->id, &t->counts, t->missed,
				      t->unfollowed, d);
	}
	for (size_t i = 0; !err && i < r->maps.nr; i++)
		err = write_map(r, c, &r->maps.map[i], d);
	if (!err)
		err = datafile_marks(r->writer, &c->marks, d);
	if (!err && targets_locked_down(&c->targets))
		err = datafile_stopped(r->writer, DATAFILE_LOCKDOWN, d);
	if (!err)
		err = datafile_finish(take_ptr(r->writer), &size, d);
	if (!err && !r->opt->quiet)
		maps_note_recording(r->path, &c->sum, r->maps.nr, size);
	maps_note_other(&c->sum, ": see --rows");
	if (r->addresses.is_shared)
		say_note("modules were loaded and unloaded: where two had the same address, it has the name of the first");
	return err;
}

/*
 * A quarter of the default ring: to be woken costs as much as to write 13 KiB,
 * and three quarters are left for what comes meanwhile.
 */
static const struct capture_ops record_ops = {
	.watermark = 256 * 1024,
	.begin = record_begin,
	.attached = record_attached,
	.stacks = record_stacks,
	.batch = record_batch,
	.round = record_round,
	.end = record_end,
};

int record_run(struct capture_options *opt, const char *path,
	       const struct words *words)
{
	struct record r = { .opt = opt, .path = path };
	int status;

	opt->writes_stdout = !strcmp(path, "-");
	status = capture_run(opt, words, &record_ops, &r);
	if (r.writer)
		datafile_finish(r.writer, NULL, NULL);
	addresses_deinit(&r.addresses);
	maps_deinit(&r.maps);
	return status;
}

static int record(struct options *o, int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, record_option, o, &d, &words);
	if (ret > 0)
		return 0;
	if (ret)
		return say_failure(&d, NULL);
	return record_run(&o->opt, o->path, &words);
}

int cmd_record(int argc, char **argv)
{
	struct options o = { .path = "ktap.data" };
	int status = record(&o, argc, argv);

	capture_options_deinit(&o.opt);
	return status;
}
