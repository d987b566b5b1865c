// SPDX-License-Identifier: GPL-2.0
/* ktap funcs: functions and USDT probes. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/sdt.h"
#include "base/fmt.h"
#include "base/names.h"
#include "base/scoped.h"
#include "bind/bind.h"
#include "cli/cmd.h"
#include "cli/inspect.h"
#include "cli/members.h"
#include "cli/options.h"
#include "cli/params.h"
#include "cli/print.h"
#include "cli/say.h"
#include "codegen/compile.h"
#include "define/debug.h"
#include "dwarf/inlines.h"
#include "place/binary.h"
#include "place/ksyms.h"

static const struct option_row rows[] = {
	{ 'x', "exec", "PATH", "list functions of this program or library" },
	{ 'k', "vmlinux", "PATH", "list functions of this kernel file" },
	OPTION_MODULE,
	{ OPT_SDT, "sdt", NULL, "list USDT probes with their arguments" },
	OPTION_JSON,
	{ 'v', "verbose", NULL, "also show parameters and inlined functions" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-x PATH [--sdt] | -m MODULE] [-k VMLINUX] [-v] [--json] [GLOB]",
	.about = "Lists the functions that can be probed, in the form that a definition uses.",
	.rows = rows,
};

/**
 * struct funcs_options - what is wanted
 * @in: of which file
 * @sdt: USDT probes
 * @verbose: what was inlined, too
 */
struct funcs_options {
	struct inspect in;
	bool sdt;
	bool verbose;
};

static int funcs_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct funcs_options *o = ctx;

	(void)d;
	if (inspect_option(&o->in, key, value))
		return 0;
	if (key == OPT_SDT)
		o->sdt = true;
	else
		o->verbose = true;
	return 0;
}

static void note_twice(const struct funcs_options *o, size_t twice)
{
	if (twice && !o->in.quiet)
		say_note("left out: %zu function%s without a unique name", twice, fmt_s(twice));
}

/* ---- inlined functions --------------------------------------------------- */

/**
 * struct inlined - what was inlined, being shown between what has symbols
 * @all: by name
 * @next: the first one that was not shown yet
 * @is_known: there is debug information
 * @module: of that module of the kernel; or NULL
 * @json: as JSON
 */
struct inlined {
	struct debug_inlines all;
	size_t next;
	bool is_known;
	const char *module;
	bool json;
};

/* Without debug information it is not known, which is no error. */
static int find_inlined(struct funcs_options *o, const char *module,
			const char *pattern, struct diag *d,
			struct inlined *ret)
{
	struct progress progress;
	struct debug *dbg = NULL;
	int err;

	*ret = (struct inlined){ .module = module, .json = o->in.json };
	if (!o->verbose)
		return 0;
	err = inspect_debug(&o->in, module, false, d, &dbg);
	if (err)
		return err;
	if (!dbg) {
		if (!o->in.quiet)
			say_note("no debug information: what was inlined is not known");
		return 0;
	}
	ret->is_known = true;
	progress_init(&progress, "files of source", 0, o->in.quiet);
	err = debug_inlines(dbg, pattern, progress_step_fn, &progress, d,
			    &ret->all);
	progress_deinit(&progress);
	return err;
}

static void print_inlined(const struct inlined *in,
			  const struct debug_inline *item)
{
	struct json_line line;

	if (item->has_code)
		return;
	if (!in->json) {
		print_line("%s (only inlined: %zu)", item->name, item->copies);
		return;
	}
	json_line_begin(&line);
	member_str(&line.json, "name", item->name);
	member_str(&line.json, "file", item->file);
	member_u64(&line.json, "line", item->line);
	member_u64(&line.json, "inlined", item->copies);
	json_line_end(&line);
}

/* How often the function @name was inlined; what comes before it is printed. */
static size_t inlined_copies(struct inlined *in, const char *name)
{
	size_t i, copies = 0;

	for (; in->next < in->all.nr; in->next++) {
		if (strcmp(in->all.item[in->next].name, name) >= 0)
			break;
		print_inlined(in, &in->all.item[in->next]);
	}
	/* the name may come again, in another module or version */
	for (i = in->next; i < in->all.nr; i++) {
		if (strcmp(in->all.item[i].name, name))
			break;
		copies += in->all.item[i].copies;
	}
	return copies;
}

/* What comes last is printed, unless there was an error. */
static void inlined_finish(struct inlined *in, int err)
{
	for (; !err && in->next < in->all.nr; in->next++)
		print_inlined(in, &in->all.item[in->next]);
	debug_inlines_deinit(&in->all);
}

/* What ends the line of a function that has a symbol */
static void end_line(struct buf *line, size_t copies)
{
	if (copies)
		buf_printf(line, " (inlined: %zu)", copies);
	print_line("%s", buf_str(line));
}

/* That no symbol matches is no error where something was inlined. */
static int forgive(const struct inlined *in, int err, struct diag *d)
{
	if (err != -ENOENT || !in->all.nr)
		return err;
	diag_clear(d);
	return 0;
}

/* ---- the kernel ---------------------------------------------------------- */

static void print_match(const struct ksym_match *m, bool is_syscall,
			struct inlined *in, const struct funcs_options *o)
{
	_cleanup_buf_ struct buf text = BUF_INIT, params = BUF_INIT;
	bool counts = !is_syscall && (in->module || !m->sym.module);
	size_t copies = counts ? inlined_copies(in, m->name) : 0;
	struct json_line line;

	/* what is known without debug information, where more than names is wanted */
	if (o->verbose && is_syscall)
		params_put_syscall(&params, m->name);
	else if (o->verbose)
		params_put(&params, o->in.df.kb, m->sym.module, m->name);
	if (!in->json) {
		buf_printf(&text, "%s%s%s%s%s", is_syscall ? "sys:" : "",
			   m->module ? m->module : "", m->module ? ":" : "",
			   m->name, buf_str(&params));
		end_line(&text, copies);
		return;
	}
	json_line_begin(&line);
	member_str(&line.json, "name", m->name);
	member_str(&line.json, "module", m->sym.module);
	if (m->sym.address)
		member_hex(&line.json, "address", m->sym.address);
	if (in->is_known && counts)
		member_u64(&line.json, "inlined", copies);
	if (params.size)
		member_str(&line.json, "parameters", buf_str(&params) + is_syscall);
	json_line_end(&line);
}

static int load_symbols(struct inspect *in, struct diag *d)
{
	return definer_is_offline(&in->df) ?
	       define_symbols(&in->df, d) : ksyms_load(NULL, d, &in->df.ks);
}

static int print_kernel(const struct probe_spec *spec,
			struct funcs_options *o, struct diag *d)
{
	bool is_syscall = spec->place.kind == PLACE_SYSCALL;
	struct ksym_matches matches = { 0 };
	struct inlined in = { .json = o->in.json };
	int err;

	err = load_symbols(&o->in, d);
	if (!err && o->verbose)
		err = define_btf(&o->in.df, d);
	if (!err && !is_syscall)
		err = find_inlined(o, spec->place.module, spec->place.symbol, d,
				   &in);
	if (!err)
		err = forgive(&in, ksyms_glob(o->in.df.ks, spec, d, &matches),
			      d);
	for (size_t i = 0; !err && i < matches.nr; i++)
		print_match(&matches.match[i], is_syscall, &in, o);
	if (!err)
		note_twice(o, matches.twice);
	inlined_finish(&in, err);
	ksym_matches_deinit(&matches);
	return err;
}

static bool is_tracepoints(const struct probe_spec *spec)
{
	return spec->kind == SPEC_PROBE &&
	       spec->place.kind == PLACE_TRACEPOINT && !spec->nr_args &&
	       !spec->filter && !spec->name && !spec->kernel_syntax;
}

static void put_param(void *ctx, const char *name, const struct ctype *t,
		      unsigned int number)
{
	struct buf *out = ctx;

	buf_puts(out, out->size ? ", " : "(");
	params_put_typed(out, t, name);
}

/* Of one that nobody knows, nothing */
static int put_traced(struct buf *out, struct funcs_options *o,
		      const struct probe_spec *spec, const char *name,
		      struct diag *d)
{
	_cleanup_free_ struct site *site = NULL;
	const struct definition def = { .spec = (struct probe_spec *)spec };
	const struct place place = {
		.type = KTAP_TYPE_TRACEPOINT, .symbol = (char *)name,
	};
	int err = define_traced(&o->in.df, &def, name, d, &site);

	if (err)
		return err;
	err = vars_params(&place, o->in.df.arch, o->in.df.kb, site, put_param, out,
			  NULL);
	if (err)
		return err == -ENOMEM ? diag_no_memory(d) : 0;
	buf_puts(out, out->size ? ")" : "()");
	return out->failed ? diag_no_memory(d) : 0;
}

static int print_tracepoint(const struct probe_spec *spec, const char *name,
			    struct funcs_options *o, struct diag *d)
{
	_cleanup_buf_ struct buf params = BUF_INIT;
	int err = o->verbose ? put_traced(&params, o, spec, name, d) : 0;
	struct json_line line;

	if (err)
		return err;
	if (!o->in.json) {
		print_line("tracepoint:%s%s", name, buf_str(&params));
		return 0;
	}
	json_line_begin(&line);
	member_str(&line.json, "name", name);
	member_str(&line.json, "module", NULL);
	if (params.size)
		member_str(&line.json, "parameters", buf_str(&params));
	json_line_end(&line);
	return 0;
}

/* The places of all that a definition with this pattern would be. */
static int print_tracepoints(const struct probe_spec *spec,
			     struct funcs_options *o, struct diag *d)
{
	struct names names = {};
	int err = load_symbols(&o->in, d);

	if (!err)
		err = define_tracepoints(&o->in.df, spec, d, &names);
	for (size_t i = 0; !err && i < names.nr; i++)
		err = print_tracepoint(spec, names.name[i], o, d);
	names_deinit(&names);
	return err;
}

/* It has nothing that only a definition can have, such as arguments. */
static bool is_pattern(const struct probe_spec *spec)
{
	return spec->kind == SPEC_PROBE && !spec->place.line_at.length &&
	       !spec->place.offset && !spec->place.is_return && !spec->nr_args &&
	       !spec->filter && !spec->name;
}

static int kernel_funcs(const char *pattern, struct funcs_options *o,
			struct diag *d)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	int err;

	err = spec_parse(pattern, d, &spec);
	if (!err)
		err = define_in_module(&o->in.df, spec, d);
	if (err)
		return err;
	if (is_tracepoints(spec))
		return print_tracepoints(spec, o, d);
	if ((spec->place.kind != PLACE_SYMBOL && spec->place.kind != PLACE_SYSCALL) ||
	    spec->place.file || spec->place.source || !is_pattern(spec))
		return diag_set(d, -EINVAL, DIAG_EXTRA_WORD, pattern);
	return print_kernel(spec, o, d);
}

/* ---- programs and libraries ---------------------------------------------- */

static void print_sym(const struct binary_sym *sym, struct inlined *in)
{
	_cleanup_free_ char *name = symbol_shown(sym->name);
	_cleanup_buf_ struct buf text = BUF_INIT;
	size_t copies = inlined_copies(in, sym->name);
	struct json_line line;

	if (!in->json) {
		buf_printf(&text, "%s%s%s", name ? name : sym->name,
			   sym->is_default ? "" : "@",
			   sym->is_default ? "" : sym->version);
		end_line(&text, copies);
		return;
	}
	json_line_begin(&line);
	member_str(&line.json, "name", sym->name);
	if (name && strcmp(name, sym->name))
		member_str(&line.json, "demangled", name);
	member_str(&line.json, "version", sym->version);
	member_bool(&line.json, "default", sym->is_default);
	member_hex(&line.json, "address", sym->address);
	member_u64(&line.json, "size", sym->size);
	if (in->is_known)
		member_u64(&line.json, "inlined", copies);
	json_line_end(&line);
}

static int file_funcs(struct binary *bin, const char *pattern,
		      struct funcs_options *o, struct diag *d)
{
	struct binary_matches matches = {};
	struct inlined in;
	int err;

	err = find_inlined(o, NULL, pattern, d, &in);
	if (!err)
		err = forgive(&in, binary_glob(bin, pattern, d, &matches), d);
	for (size_t i = 0; !err && i < matches.nr; i++)
		print_sym(matches.syms[i], &in);
	if (!err)
		note_twice(o, matches.twice);
	inlined_finish(&in, err);
	binary_matches_deinit(&matches);
	return err;
}

/* ---- USDT probes -------------------------------------------------------- */

static void text_mark(const struct binary_mark *mark,
		      const struct sdt_args *args, size_t points)
{
	_cleanup_buf_ struct buf line = BUF_INIT;

	buf_printf(&line, "sdt:%s:%s", mark->provider, mark->name);
	/* "arg1:s32", or why it cannot be read */
	for (size_t i = 0; i < args->nr; i++) {
		const struct sdt_arg *arg = &args->arg[i];

		if (arg->kind == SDT_UNREADABLE)
			buf_printf(&line, " arg%zu:? (%s)", i + 1, arg->why);
		else
			buf_printf(&line, " arg%zu:%c%u", i + 1,
				   arg->is_signed ? 's' : 'u', 8 * arg->size);
	}
	if (points > 1)
		buf_printf(&line, " (%zu points)", points);
	print_line("%s", buf_str(&line));
}

/* "%di:s32"; what cannot be read is null. */
static void json_arg(struct json *j, const struct sdt_arg *arg)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (arg->kind == SDT_UNREADABLE) {
		json_null(j);
		return;
	}
	sdt_arg_put(&text, arg);
	buf_printf(&text, ":%c%u", arg->is_signed ? 's' : 'u', 8 * arg->size);
	json_string(j, buf_str(&text), text.size);
}

static void json_mark(const struct binary_mark *mark,
		      const struct sdt_args *args)
{
	struct json_line line;
	struct json *j = &line.json;

	json_line_begin(&line);
	member_str(j, "provider", mark->provider);
	member_str(j, "name", mark->name);
	member_hex(j, "address", mark->address);
	if (mark->semaphore)
		member_hex(j, "semaphore", mark->semaphore);
	json_key(j, "args");
	json_array(j);
	for (size_t i = 0; i < args->nr; i++)
		json_arg(j, &args->arg[i]);
	json_array_end(j);
	json_line_end(&line);
}

static int compare_marks(const void *x, const void *y)
{
	const struct binary_mark *a = *(const struct binary_mark *const *)x;
	const struct binary_mark *b = *(const struct binary_mark *const *)y;
	int order = strcmp(a->provider, b->provider);

	if (!order)
		order = strcmp(a->name, b->name);
	return order ? order : (a > b) - (a < b);
}

static bool same_mark(const struct binary_mark *a, const struct binary_mark *b)
{
	return !strcmp(a->provider, b->provider) && !strcmp(a->name, b->name);
}

/* As text the points of a mark are one line; as JSON each is an object. */
static int print_marks(struct binary *bin, const struct binary_mark **marks,
		       size_t nr, bool json)
{
	size_t end;

	for (size_t i = 0; i < nr; i = end) {
		_cleanup_(sdt_args_freep) struct sdt_args *args =
			binary_mark_args(bin, marks[i]);

		if (!args)
			return -ENOMEM;
		end = i + 1;
		while (!json && end < nr && same_mark(marks[i], marks[end]))
			end++;
		if (json)
			json_mark(marks[i], args);
		else
			text_mark(marks[i], args, end - i);
	}
	return 0;
}

/* PROVIDER:NAME, as it stands behind "sdt:". */
static bool mark_matches(const struct binary_mark *mark, const char *pattern)
{
	_cleanup_buf_ struct buf name = BUF_INIT;

	buf_printf(&name, "sdt:%s:%s", mark->provider, mark->name);
	return !fnmatch(pattern, buf_str(&name), 0) ||
	       !fnmatch(pattern, buf_str(&name) + strlen("sdt:"), 0) ||
	       !fnmatch(pattern, mark->name, 0);
}

static int file_marks(struct binary *bin, const char *pattern,
		      const struct funcs_options *o, struct diag *d)
{
	_cleanup_free_ const struct binary_mark **chosen = NULL;
	const struct binary_mark *marks;
	size_t nr, nr_chosen = 0;

	marks = binary_marks(bin, d, &nr);
	if (marks)
		chosen = calloc(nr + 1, sizeof(*chosen));
	if (!chosen)
		return diag_no_memory(d);
	for (size_t i = 0; i < nr; i++)
		if (mark_matches(&marks[i], pattern))
			chosen[nr_chosen++] = &marks[i];
	if (!nr)
		return diag_set(d, -ENOENT, DIAG_ELF_NO_MARKS,
				binary_path(bin));
	if (!nr_chosen)
		return diag_set(d, -ENOENT, DIAG_ELF_NO_MARK_MATCH,
				binary_path(bin), pattern);
	qsort(chosen, nr_chosen, sizeof(*chosen), compare_marks);
	if (print_marks(bin, chosen, nr_chosen, o->in.json))
		return diag_no_memory(d);
	return 0;
}

static int in_file(const char *pattern, struct funcs_options *o,
		   struct diag *d)
{
	_cleanup_(binary_freep) struct binary *bin = NULL;
	int err;

	err = binary_open(o->in.path, d, &bin);
	if (err)
		return err;
	return o->sdt ? file_marks(bin, pattern, o, d) :
			file_funcs(bin, pattern, o, d);
}

/* ---- functions of a source file ------------------------------------------- */

/* NAME@FILE */
static bool names_source(const char *pattern, bool in_program)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	_cleanup_diag_ struct diag d = {};

	if (!strchr(pattern, '@') || spec_parse(pattern, &d, &spec))
		return false;
	return spec->place.kind == PLACE_SYMBOL && spec->place.source &&
	       (in_program || !spec->place.file) && is_pattern(spec);
}

static void print_place(const struct funcs_options *o, const struct place *place)
{
	_cleanup_free_ char *name = o->in.file ? symbol_shown(place->symbol) : NULL;
	_cleanup_buf_ struct buf params = BUF_INIT;
	struct json_line line;

	if (o->verbose && !o->in.file)
		params_put(&params, o->in.df.kb, place->module, place->symbol);
	if (!o->in.json) {
		print_line("%s%s%s%s", place->module ? place->module : "",
			   place->module ? ":" : "", name ? name : place->symbol,
			   buf_str(&params));
		return;
	}
	json_line_begin(&line);
	member_str(&line.json, "name", place->symbol);
	member_str(&line.json, "module", place->module);
	if (params.size)
		member_str(&line.json, "parameters", buf_str(&params));
	json_line_end(&line);
}

static int compare_places(const void *x, const void *y)
{
	const struct place *a = *(const struct place *const *)x;
	const struct place *b = *(const struct place *const *)y;

	return strcmp(a->symbol, b->symbol);
}

/* The functions that a definition with this pattern probes, each once */
static int source_funcs(const char *pattern, struct funcs_options *o,
			struct diag *d)
{
	_cleanup_(definition_freep) struct definition *def = NULL;
	_cleanup_free_ const struct place **places = NULL;
	const struct definition *point;
	size_t nr = 0;
	int err;

	err = define_place(&o->in.df, pattern, d, &def);
	if (!err && o->verbose && !o->in.file)
		err = define_btf(&o->in.df, d);
	if (err)
		return err;
	for (point = def; point; point = point->next)
		nr++;
	places = calloc(nr, sizeof(*places));
	if (!places)
		return diag_no_memory(d);
	nr = 0;
	for (point = def; point; point = point->next)
		if (point->place.symbol)
			places[nr++] = &point->place;
	qsort(places, nr, sizeof(*places), compare_places);
	for (size_t i = 0; i < nr; i++)
		if (!i || strcmp(places[i]->symbol, places[i - 1]->symbol))
			print_place(o, places[i]);
	return 0;
}

/* ---- all of them ----------------------------------------------------------- */

static int funcs(const struct words *words, struct funcs_options *o,
		 struct diag *d)
{
	const char *pattern = words->nr ? words->word[0] : "*";
	int err;

	if (words->nr > 1)
		return diag_set(d, -EINVAL, DIAG_EXTRA_WORD, words->word[1]);
	/* as a definition names marks */
	o->sdt |= o->in.file && !strncmp(pattern, "sdt:", strlen("sdt:"));
	if (o->sdt && !o->in.file)
		return diag_set(d, -EINVAL, DIAG_MISSING_WORD,
				"-x PATH, the program or library of the USDT probes");
	err = inspect_open(&o->in, d);
	if (err)
		return err;
	if (!o->sdt && names_source(pattern, o->in.file))
		return source_funcs(pattern, o, d);
	return o->in.file ? in_file(pattern, o, d) :
			    kernel_funcs(pattern, o, d);
}

int cmd_funcs(int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct funcs_options o = { 0 };
	struct words words;
	int ret;

	ret = options_parse(&usage, argc, argv, funcs_option, &o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret)
		ret = funcs(&words, &o, &d);
	inspect_deinit(&o.in);
	return ret ? say_failure(&d, NULL) : 0;
}
