// SPDX-License-Identifier: GPL-2.0
/* ktap trace: define, show hits as they come, remove on exit. */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "cli/captures.h"
#include "cli/cmd.h"
#include "cli/maps.h"
#include "cli/print.h"
#include "cli/say.h"
#include "decode/decode.h"
#include "define/addresses.h"
#include "define/running.h"

static const struct option_row rows[] = {
	CAPTURE_ROW_EVENT,
	CAPTURE_ROW_STACKS,
	OPTION_JSON,
	OUTPUT_ROWS,
	CAPTURE_ROW_ROWS,
	CAPTURE_ROW_RING,
	CAPTURE_ROW_OVERWRITE,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[OPTION...] DEFINITION... [-- COMMAND...]",
	.about = "Prints the hits of probes, which exist until this command ends.\n"
		 "Each word is one whole definition, so quote it.",
	.rows = rows,
	.more = capture_rows,
	.takes_command = true,
};

/**
 * struct options - of this command
 * @opt: what the session needs
 * @out: lines
 */
struct options {
	struct capture_options opt;
	struct output out;
};

/**
 * struct trace - a session at work
 * @out: lines
 * @ctl: the module
 * @decoder: bytes to events
 * @live: events of all CPUs in the order of time
 * @maps: of definitions that aggregate: shown at the end
 * @began_ns: time when it began
 * @shown_ns: time when @maps were shown
 */
struct trace {
	struct output *out;
	struct ctl *ctl;
	struct decoder *decoder;
	struct live *live;
	struct maps maps;
	uint64_t began_ns;
	uint64_t shown_ns;
};

static int trace_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct options *o = ctx;
	int err = output_option(&o->out, key, value, d);

	return err > 0 ? capture_option(&o->opt, key, value, d) : err;
}

static int trace_begin(void *ctx, struct capture *c, struct diag *d)
{
	struct ktap_session_state now;
	struct trace *t = ctx;
	unsigned int wanted = 0;
	struct machine m;
	int err;

	machine_from_session(session_setup_info(c->session), &m);
	err = session_state(c->session, d, &now);
	if (!err)
		err = maps_begin(&t->maps, c, d);
	t->ctl = c->ctl;
	t->began_ns = now_ns();
	t->shown_ns = t->began_ns;
	if (!err)
		err = decoder_create(&m, d, &t->decoder);
	if (!err)
		err = targets_describe(&c->targets, t->decoder, d);
	for (size_t i = 0; !err && i < c->targets.nr; i++)
		wanted |= wanted_names(c->targets.target[i].blob,
				       c->targets.target[i].blob_size);
	if (!err)
		err = live_create(t->decoder, NULL, d, &t->live);
	if (!err)
		err = wanted_load(wanted, c->ctl, d, &t->out->ks);
	if (!err && t->out->ks && c->user_files)
		ksyms_more(t->out->ks, &(struct ksyms_more){
			.find = user_files_find, .ctx = c->user_files,
		});
	if (!err)
		err = output_open(t->out, now.real - now.mono, d);
	return err;
}

static void trace_clock(void *ctx, const struct ktap_session_state *now)
{
	struct trace *t = ctx;

	decoder_clock(t->decoder, now);
}

static int trace_batch(void *ctx, const struct datafile_batch *b,
		       struct diag *d)
{
	struct trace *t = ctx;

	return live_batch(t->live, b, d);
}

static int trace_stacks(void *ctx, const void *stacks, size_t size,
			struct diag *d)
{
	struct trace *t = ctx;

	return decoder_stacks(t->decoder, stacks, size, d);
}

static int show_until(struct trace *t, uint64_t until, struct diag *d)
{
	int skipped, err;

	running_symbols_follow(t->ctl, t->out->ks);
	skipped = live_flush(t->live, until, output_event, t->out, d);
	err = skipped == -EBADMSG ? 0 : skipped;
	if (!err)
		err = output_flush(t->out);
	if (err && err != -EPIPE)
		return say_output(d, err);
	return err ? err : skipped;
}

/* What is left waits for the next round. */
static int trace_round(void *ctx, const struct ktap_session_state *now,
		       struct diag *d)
{
	return show_until(ctx, now->mono - LIVE_SETTLED_NS, d);
}

static int show_maps(struct trace *t, struct capture *c, struct diag *d)
{
	bool text = c->opt->interval_ns && !t->out->json;
	int err;

	if (!t->maps.nr)
		return 0;
	t->shown_ns = now_ns();
	output_block(t->out);
	if (text)
		aggregated_heading((double)(t->shown_ns - t->began_ns) / 1e9);
	err = maps_show(&t->maps, c, &(struct aggregated_look){
		.decoder = t->decoder, .ks = t->out->ks, .json = t->out->json,
		.ints_text = t->out->ints_text, .depth = t->out->depth,
		.time_ns = c->opt->interval_ns ? t->shown_ns : 0,
	}, d);
	if (!err && text && !t->maps.any)
		print_line("no hits");
	return err;
}

static int trace_tick(void *ctx, struct capture *c, struct diag *d)
{
	struct trace *t = ctx;

	if (!c->opt->interval_ns || now_ns() - t->shown_ns < c->opt->interval_ns)
		return 0;
	return show_maps(t, c, d);
}

static int trace_end(void *ctx, struct capture *c, struct diag *d)
{
	struct trace *t = ctx;
	int skipped = show_until(t, UINT64_MAX, d);
	int err = skipped == -EBADMSG ? 0 : skipped;

	if (!err)
		err = show_maps(t, c, d);
	maps_note_other(&c->sum, ": see --rows");
	return err ? err : skipped;
}

/*
 * What is read sooner would wait anyhow, until nothing older can come. So no hit has to
 * look whether somebody is to be woken.
 */
static const struct capture_ops trace_ops = {
	.watermark = 16 * 1024,
	.poll_ms = 50,
	.begin = trace_begin,
	.clock = trace_clock,
	.stacks = trace_stacks,
	.batch = trace_batch,
	.round = trace_round,
	.tick = trace_tick,
	.end = trace_end,
};

int trace_run(const struct capture_options *opt, struct output *out,
	      const struct words *words)
{
	struct trace t = { .out = out };
	int status;

	out->lost = opt->verbose;
	status = capture_run(opt, words, &trace_ops, &t);
	output_close(out);
	live_destroy(t.live);
	decoder_destroy(t.decoder);
	maps_deinit(&t.maps);
	return status;
}

static int trace(struct options *o, int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, trace_option, o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret && !words.nr && !o->opt.events.nr)
		ret = diag_set(&d, -EINVAL, DIAG_MISSING_WORD, "a definition");
	if (ret)
		return say_failure(&d, NULL);
	return trace_run(&o->opt, &o->out, &words);
}

int cmd_trace(int argc, char **argv)
{
	struct options o = { 0 };
	int status = trace(&o, argc, argv);

	capture_options_deinit(&o.opt);
	return status;
}
