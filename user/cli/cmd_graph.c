// SPDX-License-Identifier: GPL-2.0
/* ktap graph: what a function calls, and how long each call takes. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fmt.h"
#include "cli/capture.h"
#include "cli/cmd.h"
#include "cli/graphed.h"
#include "cli/print.h"
#include "cli/say.h"
#include "decode/decode.h"
#include "define/callees.h"
#include "define/debug.h"
#include "define/running.h"

#define LEVELS		3
#define LEVELS_MAX	64
#define FUNCTIONS	256
#define FUNCTIONS_MAX	4096
#define REFUSED_NAMED	8	/* in a note */

static const struct option_row rows[] = {
	{ OPT_DEPTH, "depth", "N", "show N levels of calls (3); 1: the function alone" },
	{ OPT_FUNCTIONS, "functions", "N", "probe N functions at most (256)" },
	{ OPT_MAX, "max", "N", "end after N calls of the function" },
	OPTION_JSON,
	OPTION_MODULE,
	OPTION_KERNEL,
	{ 'p', "pid", "PID", "only the calls of this process and its descendants" },
	{ 'a', "all", NULL, "the calls of all processes, even with a command" },
	{ OPT_SELF, "self", NULL, "also the calls that ktap itself causes" },
	{ OPT_TIMEOUT, "timeout", "SEC", "end after SEC seconds; the command gets SIGTERM" },
	CAPTURE_ROW_RING,
	{ OPT_STRICT, "strict", NULL, "fail if a call was lost" },
	{ 'v', "verbose", NULL, "print the accounting at the end" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[OPTION...] 'FUNCTION [if EXPR]' [-- COMMAND...]",
	.about = "Shows the calls of a function of the kernel, the calls that are made inside them, and\n"
		 "how long each takes. Probes are set on the functions that its code calls.",
	.rows = rows,
	.takes_command = true,
};

/**
 * struct graph - this command at work
 * @opt: what the session needs
 * @levels: see callees_find()
 * @functions: likewise
 * @max: calls of the function to show; 0: all
 * @shown: calls that were shown
 * @look: how they are shown
 * @names: of functions; owned
 * @nr: how many
 * @function_of: number of the function by the id of its probe; owned
 * @recursive: the function may call itself
 * @attached: when all probes were attached
 * @lost_until: time of the last record before which hits were lost
 * @nests: calls that wait for those around them
 * @decoder: bytes to events
 * @live: events of all CPUs in the order of time
 * @ks: symbols
 */
struct graph {
	struct capture_options opt;
	unsigned int levels;
	size_t functions;
	uint64_t max;
	uint64_t shown;
	struct graphed_look look;
	char **names;
	size_t nr;
	unsigned int *function_of;
	bool recursive;
	uint64_t attached;
	uint64_t lost_until;
	struct nests *nests;
	struct decoder *decoder;
	struct live *live;
	struct ksyms *ks;
};

/* Of @function_of: the probe of another purpose */
#define NO_FUNCTION (~0U)

static int graph_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct graph *g = ctx;
	uint64_t n = 0;
	int err;

	switch (key) {
	case OPT_DEPTH:
		err = option_count(value, "--depth", NULL, LEVELS_MAX, d, &n);
		g->levels = n;
		return err;
	case OPT_FUNCTIONS:
		err = option_count(value, "--functions", NULL, FUNCTIONS_MAX, d, &n);
		g->functions = n;
		return err;
	case OPT_MAX:
		return option_count(value, "--max", NULL, INT64_MAX, d, &g->max);
	case OPT_JSON:
		g->look.json = true;
		return 0;
	default:
		return capture_option(&g->opt, key, value, d);
	}
}

/* ---- the probes ---- */

/* The state of a task that is inside the function: when it entered. */
#define KEY "$task"

/* struct wording - how the definitions of a graph are written */
struct wording {
	char *place;
	const char *filter;
};

static int refuse_word(const char *word, struct diag *d)
{
	diag_set(d, -EINVAL, DIAG_GRAPH_WORD, word);
	diag_hint(d, "write 'FUNCTION', 'MODULE:FUNCTION', its address, or one of these and 'if EXPR'");
	return -EINVAL;
}

/* Return: -EINVAL where the word says more than a function and a filter. */
static int check_word(const struct probe_spec *spec, struct diag *d)
{
	const struct place_spec *p = &spec->place;

	if (spec->kind == SPEC_PROBE && !spec->kernel_syntax && !spec->name &&
	    (p->kind == PLACE_SYMBOL || p->kind == PLACE_ADDRESS) && !p->is_return && !p->glob && !p->file && !p->source && !p->line_at.length &&
	    !p->offset_at.length && !spec->nr_args && !spec->nr_stores && !spec->aggregates)
		return 0;
	return refuse_word(spec->text, d);
}

static int word_it(const struct probe_spec *spec, struct diag *d, struct wording *ret)
{
	const struct span *at = &spec->place.at;

	ret->filter = spec->filter ? spec->text + at->start + at->length : "";
	ret->place = strndup(spec->text + at->start, at->length);
	return ret->place ? 0 : diag_no_memory(d);
}

static int define(struct graph *g, struct definer *df, struct targets *t, unsigned int function,
		  struct buf *text, struct diag *d)
{
	char *word = (char *)buf_str(text);
	const struct words words = { .word = &word, .nr = 1 };
	size_t nr = t->nr;
	int err;

	err = text->failed ? diag_no_memory(d) : targets_define(t, df, &words, d);
	for (; nr < t->nr; nr++)
		g->function_of[t->target[nr].id] = function;
	buf_clear(text);
	return err;
}

#define TIMES "%%return start=$entry($now) end=$now"

static int define_root(struct graph *g, struct definer *df, struct targets *t,
		       const struct wording *w, struct diag *d)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	int err = 0;

	if (!g->recursive || *w->filter) {
		buf_printf(&text, "%s store(" KEY ",$now)%s", w->place, w->filter);
		err = define(g, df, t, NO_FUNCTION, &text, d);
		buf_printf(&text, "%s" TIMES " inside=$take(" KEY ")", w->place);
	} else {
		buf_printf(&text, "%s" TIMES, w->place);
	}
	if (*w->filter)
		buf_puts(&text, " if $load(" KEY ")");
	return err ? err : define(g, df, t, 0, &text, d);
}

static int add_name(struct graph *g, const struct callee *fn)
{
	char **more = array_grow(g->names, g->nr, sizeof(*more));
	char *name;

	if (!more)
		return -ENOMEM;
	g->names = more;
	if (asprintf(&name, fn->module ? "%s [%s]" : "%s", fn->name, fn->module) < 0)
		return -ENOMEM;
	more[g->nr++] = name;
	return 0;
}

/* By its name, which the accounting shows, unless there are several. */
static void put_place(struct buf *text, const struct callee *fn)
{
	if (fn->shares_name)
		buf_printf(text, "0x%" PRIx64, fn->address);
	else if (fn->module)
		buf_printf(text, "%s:%s", fn->module, fn->name);
	else
		buf_puts(text, fn->name);
}

/* The first few of them by name: what the graph will not have. */
static void note_refused(const struct graph *g, const struct callees *c, struct buf *names,
			 size_t refused, const struct diag *why)
{
	if (!refused || g->opt.quiet)
		return;
	if (refused > REFUSED_NAMED)
		buf_printf(names, " and %zu more", refused - REFUSED_NAMED);
	say_note("%zu of %zu functions cannot be probed:%s; the first because %s", refused, c->nr,
		 buf_str(names), why->message ? why->message : "memory ran out");
}

/* The kernel may refuse some. Return: 0, or an error that ends all. */
static int define_callees(struct graph *g, struct definer *df, struct targets *t,
			  const struct callees *c, size_t *nr_refused, struct diag *d)
{
	_cleanup_buf_ struct buf text = BUF_INIT, names = BUF_INIT;
	struct diag why = { 0 };
	size_t refused = 0;
	int err = 0;

	for (size_t i = 1; !err && i < c->nr; i++) {
		err = add_name(g, &c->fn[i]);
		put_place(&text, &c->fn[i]);
		buf_printf(&text, TIMES);
		if (!g->recursive)
			buf_puts(&text, " if $load(" KEY ")");
		if (!err)
			err = define(g, df, t, i, &text, refused ? NULL : &why);
		if (err && err != -ENOMEM && err != -EINTR) {
			if (refused++ < REFUSED_NAMED)
				buf_printf(&names, " %s", g->names[i]);
			err = 0;
		}
	}
	note_refused(g, c, &names, refused, &why);
	diag_clear(&why);
	*nr_refused = refused;
	return err == -ENOMEM ? diag_no_memory(d) : err;
}

static void note_callees(const struct graph *g, const struct callees *c, size_t nr_refused)
{
	size_t probed = c->nr - nr_refused;

	if (g->opt.quiet)
		return;
	say_note("%zu function%s probed; not followed: %zu call%s by pointers", probed,
		 probed == 1 ? " is" : "s are", c->indirect, fmt_s(c->indirect));
	if (c->nameless)
		say_note("not followed: %zu call%s of addresses that have no symbol", c->nameless,
			 fmt_s(c->nameless));
	if (c->forbidden)
		say_note("left out: %zu function%s that kprobes themselves need", c->forbidden,
			 fmt_s(c->forbidden));
	if (c->beyond)
		say_note("left out: %zu function%s beyond %zu: see --functions and --depth", c->beyond,
			 fmt_s(c->beyond), g->functions);
	if (c->unread)
		say_note("the code of %zu function%s cannot be read to its end: calls may be missing",
			 c->unread, fmt_s(c->unread));
}

/* Where the function of a definition begins. */
static int find_root(struct definer *df, const struct probe_spec *spec, struct diag *d,
		     uint64_t *ret)
{
	struct place place = { 0 };
	int err;

	err = ksyms_resolve(df->ks, spec, d, &place);
	*ret = place.address;
	if (!err && place.module_absent) {
		err = diag_set(d, -ENOENT, DIAG_KSYMS_NO_MODULE, place.module);
		diag_hint(d, "its code can only be read when it is loaded");
	} else if (!err && !place.address) {
		err = diag_set(d, -EPERM, DIAG_KSYMS_HIDDEN, place.symbol);
		addresses_hint(d);
	}
	place_deinit(&place);
	return err;
}

static int define_graph(struct graph *g, struct definer *df, const struct probe_spec *spec,
			struct targets *t, struct diag *d)
{
	struct callees c = { 0 };
	struct wording w = { 0 };
	size_t nr_refused = 0;
	uint64_t root;
	int err;

	err = find_root(df, spec, d, &root);
	if (!err)
		err = callees_find(df, root, g->levels, g->functions, d, &c);
	if (!err)
		err = word_it(spec, d, &w);
	/* the code was read; without names, no debug information of the file is needed */
	if (!err && !*w.filter)
		df->vmlinux = NULL;
	if (!err) {
		g->recursive = c.recursive;
		err = add_name(g, &c.fn[0]) ? diag_no_memory(d) : define_root(g, df, t, &w, d);
	}
	if (!err)
		err = define_callees(g, df, t, &c, &nr_refused, d);
	if (!err)
		note_callees(g, &c, nr_refused);
	free(w.place);
	callees_deinit(&c);
	return err;
}

static int graph_choose(void *ctx, struct definer *df, const struct words *words,
			struct targets *t, struct diag *d)
{
	struct probe_spec *spec = NULL;
	struct graph *g = ctx;
	int err;

	g->function_of = calloc(UINT16_MAX + 1, sizeof(*g->function_of));
	if (!g->function_of)
		return diag_no_memory(d);
	err = spec_parse(words->word[0], d, &spec);
	if (!err)
		err = check_word(spec, d);
	if (!err)
		err = define_in_module(df, spec, d);
	if (!err)
		err = define_symbols(df, d);
	if (!err)
		err = define_graph(g, df, spec, t, d);
	spec_free(spec);
	return err;
}

/* ---- the calls ---- */

static int graph_begin(void *ctx, struct capture *c, struct diag *d)
{
	struct graph *g = ctx;
	struct machine m;
	int err;

	machine_from_session(session_setup_info(c->session), &m);
	g->nests = nests_new();
	err = g->nests ? decoder_create(&m, d, &g->decoder) : diag_no_memory(d);
	if (!err)
		err = targets_describe(&c->targets, g->decoder, d);
	if (!err)
		err = live_create(g->decoder, NULL, d, &g->live);
	if (!err)
		err = running_symbols(c->ctl, d, &g->ks);
	g->look.names = g->names;
	g->look.ks = g->ks;
	return err;
}

static int graph_attached(void *ctx, struct capture *c, struct diag *d)
{
	struct ktap_session_state now;
	struct graph *g = ctx;
	int err;

	err = session_state(c->session, d, &now);
	if (!err)
		g->attached = now.mono;
	return err;
}

static void graph_clock(void *ctx, const struct ktap_session_state *now)
{
	struct graph *g = ctx;

	decoder_clock(g->decoder, now);
}

static int graph_batch(void *ctx, const struct datafile_batch *b, struct diag *d)
{
	struct graph *g = ctx;

	return live_batch(g->live, b, d);
}

/* The idle tasks of all CPUs have one number. */
static uint64_t task_of(const struct event *e)
{
	return e->tid ? e->tid : ~(uint64_t)e->cpu;
}

static int take_event(void *ctx, const struct event *e)
{
	struct graph *g = ctx;
	struct nest_calls calls;
	struct nest_call call;
	int err;

	/* since the record before it on that CPU; the task may have been on any */
	if (e->lost)
		g->lost_until = e->mono;
	/* a call whose entry was not seen has no time */
	if (e->lost || e->mark || e->nr_values < 2 || e->values[0].fault || e->values[1].fault)
		return 0;
	call = (struct nest_call){
		.start = e->values[0].number, .end = e->values[1].number,
		.function = g->function_of[e->probe_id],
	};
	if (call.function)
		return nests_add(g->nests, task_of(e), &call);
	/* some of the calls in one that began earlier had no probes */
	if (call.start < g->attached || (g->max && g->shown >= g->max))
		return 0;
	err = nests_take(g->nests, task_of(e), &call, g->recursive, &calls);
	if (!err)
		graphed_show(&g->look, e, &calls, (struct graphed_gaps){
			.again = e->nr_values > 2 && e->values[2].fault,
			.lost = call.start < g->lost_until,
		});
	g->shown += !err;
	return err;
}

static int show_until(struct graph *g, uint64_t until, struct diag *d)
{
	int skipped = live_flush(g->live, until, take_event, g, d);

	if (skipped && skipped != -EBADMSG)
		return skipped;
	return fflush(stdout) ? say_output(d, -errno) : skipped;
}

static int graph_round(void *ctx, const struct ktap_session_state *now, struct diag *d)
{
	return show_until(ctx, now->mono - LIVE_SETTLED_NS, d);
}

static int graph_tick(void *ctx, struct capture *c, struct diag *d)
{
	const struct graph *g = ctx;

	return g->max && g->shown >= g->max;
}

static int graph_end(void *ctx, struct capture *c, struct diag *d)
{
	struct graph *g = ctx;
	int err = show_until(g, UINT64_MAX, d);

	/* calls outside of the function: its state is for finding these */
	c->state.misses = 0;

	if ((!err || err == -EBADMSG) && !g->shown && !g->look.json)
		print_line("no calls");
	return err;
}

static const struct capture_ops graph_ops = {
	.watermark = 16 * 1024,
	.poll_ms = 50,
	.choose = graph_choose,
	.begin = graph_begin,
	.attached = graph_attached,
	.tick = graph_tick,
	.clock = graph_clock,
	.batch = graph_batch,
	.round = graph_round,
	.end = graph_end,
};

static void graph_deinit(struct graph *g)
{
	for (size_t i = 0; i < g->nr; i++)
		free(g->names[i]);
	free(g->names);
	free(g->function_of);
	live_destroy(g->live);
	decoder_destroy(g->decoder);
	nests_free(g->nests);
	ksyms_free(g->ks);
	capture_options_deinit(&g->opt);
}

static int graph(struct graph *g, int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, graph_option, g, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret && !words.nr)
		ret = diag_set(&d, -EINVAL, DIAG_MISSING_WORD, "a function");
	if (!ret && words.nr > 1)
		ret = refuse_word(words.word[1], &d);
	return ret ? say_failure(&d, NULL) : capture_run(&g->opt, &words, &graph_ops, g);
}

int cmd_graph(int argc, char **argv)
{
	struct graph g = { .levels = LEVELS, .functions = FUNCTIONS };
	int status = graph(&g, argc, argv);

	graph_deinit(&g);
	return status;
}
