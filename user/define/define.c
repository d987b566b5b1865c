// SPDX-License-Identifier: GPL-2.0
/* Definitions to probes: parse, name, resolve, compile, add. */
#include "define/define.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "bind/bind.h"
#include "bind/syscall.h"
#include "define/debug.h"
#include "define/debug_files.h"
#include "define/name.h"
#include "define/running.h"

/* ---- definer ------------------------------------------------------------- */

int definer_init(struct definer *df, struct ctl *ctl, uint32_t flags,
		 define_notice_fn notice, void *ctx, struct diag *d)
{
	*df = (struct definer){
		.ctl = ctl, .flags = flags, .notice = notice, .notice_ctx = ctx,
		.arch = arch_native(),
	};
	/* nobody else meets the name of a transient probe */
	if (!ctl || flags & KTAP_PROBE_F_TRANSIENT)
		return 0;
	return names_load(df, d);
}

bool define_notify(const struct definer *df, const struct define_notice *n)
{
	return df->notice && df->notice(df->notice_ctx, n);
}

void definer_deinit(struct definer *df)
{
	names_free(df);
	ksyms_free(df->ks);
	kbtf_free(df->kb);
	while (df->nr_bins)
		binary_free(df->bins[--df->nr_bins]);
	free(df->bins);
	debug_files_close(df);
	free(df->module);
	while (df->nr_modules)
		free(df->modules[--df->nr_modules].name);
	free(df->modules);
	params_deinit(&df->seen);
}

int definer_see(struct definer *df, const struct params *params, struct diag *d)
{
	for (size_t i = 0; i < params->nr; i++)
		if (!params_find(&df->seen, params->param[i].name) &&
		    params_add(&df->seen, &params->param[i]))
			return diag_no_memory(d);
	return 0;
}

int definer_check_params(const struct definer *df, struct diag *d)
{
	return params_check_known(df->params, &df->seen, d);
}

void definer_set_slide(struct definer *df, uint64_t slide)
{
	df->slide = slide;
	ksyms_free(take_ptr(df->ks));
	debug_files_forget_maps(df);
	names_free(df);
}

int define_symbols(struct definer *df, struct diag *d)
{
	int err;

	if (df->ks)
		return 0;
	if (definer_is_offline(df))
		return define_kernel(df, d);
	err = running_symbols(df->ctl, d, &df->ks);
	if (!err && ksyms_hidden(df->ks))
		define_notify(df, &(struct define_notice){
			.kind = DEFINE_NO_ADDRESSES,
			.why = addresses_hidden_by(),
		});
	return err;
}

/* The file stays open, so that the kernel probes the file that was read. */
int define_open(struct definer *df, const char *path, struct diag *d,
		struct binary **ret)
{
	struct binary **bins;
	int err;

	for (size_t i = 0; i < df->nr_bins; i++) {
		*ret = df->bins[i];
		if (!strcmp(binary_path(*ret), path))
			return 0;
	}
	bins = reallocarray(df->bins, df->nr_bins + 1, sizeof(*bins));
	if (!bins)
		return diag_no_memory(d);
	df->bins = bins;
	err = binary_open(path, d, ret);
	if (!err)
		bins[df->nr_bins++] = *ret;
	return err;
}

/* ---- definitions --------------------------------------------------------- */

void definition_free(struct definition *def)
{
	struct definition *next;

	for (; def; def = next) {
		next = def->next;
		terms_free(def->terms);
		spec_free(def->spec);
		place_deinit(&def->place);
		program_free(def->program);
		free(def->site);
		free(def->traced);
		free(def->blob);
		free(def);
	}
}

/* Of its place, or of what its tracepoint calls */
static const struct site *site_of(const struct definition *def)
{
	return def->site ? def->site : def->traced;
}

/* What $argN and $retval name, by what is known of the function */
static int check_places(struct definer *df, struct definition *def,
			struct diag *d)
{
	_cleanup_free_ struct site *site = NULL;
	bool known;
	int err;

	if (!vars_places_wanted(def->terms, &def->place))
		return 0;
	err = vars_check_places(def->terms, &def->place, def->arch, df->kb,
				site_of(def), d, &known);
	if (err || known || def->site)
		return err;
	site = define_function(df, def);
	if (!site)
		return 0;
	return vars_check_places(def->terms, &def->place, def->arch, df->kb,
				 site, d, &known);
}

static int bind(struct definer *df, struct definition *def, struct diag *d)
{
	int err = define_btf(df, d);

	if (err)
		return err;
	err = bind_start(def->spec, d, &def->terms);
	if (!err)
		err = define_cgroups(df, def->terms, d);
	if (!err)
		err = syscall_vars_expand(def->terms, &def->place, d);
	if (!err)
		err = define_site(df, def, d);
	if (!err)
		err = check_places(df, def, d);
	if (err)
		return err;
	err = vars_expand(def->terms, &def->place, def->arch, df->kb,
			  site_of(def), d);
	if (err)
		define_hint_broken(def, d);
	return err ? err : bind_marks(def->terms, &def->place, d);
}

int define_names(struct definer *df, struct definition *def, struct diag *d)
{
	int err = def->terms ? 0 : bind(df, def, d);

	if (err)
		terms_free(take_ptr(def->terms));
	return err;
}

static bool is_name_of_file(const struct type_spec *type)
{
	return type->kind == TYPE_DENTRY || type->kind == TYPE_FILE;
}

static bool names_files(const struct expr *e)
{
	return e && (is_name_of_file(&e->type) || names_files(e->base) ||
		     names_files(e->right) || names_files(e->third));
}

static bool wants_offsets(const struct probe_spec *spec)
{
	for (size_t i = 0; i < spec->nr_args; i++) {
		if (is_name_of_file(&spec->args[i].type) ||
		    names_files(spec->args[i].expr))
			return true;
	}
	for (size_t i = 0; i < spec->nr_stores; i++)
		if (names_files(spec->stores[i]))
			return true;
	return names_files(spec->filter);
}

int define_ask(struct definer *df, struct diag *d)
{
	return df->ctl && !df->info.abi ? ctl_info(df->ctl, d, &df->info) : 0;
}

/* Without a module there are none: the compiler says what that means. */
static int ask_offsets(struct definer *df, struct definition *def,
		       struct diag *d)
{
	int err = 0;

	if (!wants_offsets(def->spec))
		return 0;
	if (!df->foreign && !definer_is_offline(df))
		err = define_ask(df, d);
	else if (!df->info.has_offsets)
		err = define_file_offsets(df, def, d);
	if (!err && df->info.has_offsets)
		def->place.offsets = &df->info.offsets;
	return err;
}

/* Of thousands of programs none has room that it does not need. */
static void shrink(struct program *program)
{
	struct ktap_insn *insns;

	insns = reallocarray(program->insns, program->nr_insns, sizeof(*insns));
	if (insns)
		program->insns = insns;
}

/* As others may read and type it: names stay names. Values are chosen on the target. */
static int put_definition(const struct definer *df, struct definition *def,
			  struct diag *d)
{
	def->program->layout->definition = df->foreign ? spec_portable(def->spec) :
							 spec_canonical(def->spec);
	return def->program->layout->definition ? 0 : diag_no_memory(d);
}

static int compile_point(struct definer *df, struct definition *def,
			 struct diag *d)
{
	int err;

	err = define_names(df, def, d);
	if (!err)
		err = ask_offsets(df, def, d);
	if (!err)
		err = compile_probe(def->terms, &def->place, df->ks, def->arch,
				    d, &def->program);
	if (!err)
		err = put_definition(df, def, d);
	if (!err)
		err = define_calls(df, def, d);
	if (!err)
		shrink(def->program);
	if (!err && layout_encode(def->program->layout, &def->blob,
				  &def->blob_size))
		err = diag_no_memory(d);
	return err;
}

/* All points of an event have its name. */
static int copy_name(const struct definition *def, struct definition *point,
		     struct diag *d)
{
	free(point->spec->name);
	point->spec->name = strdup(def->spec->name);
	return point->spec->name ? 0 : diag_no_memory(d);
}

/* @first: the first point of the event that the points before @point are of */
static int name_point(struct definer *df, const struct definition *def,
		      struct definition *point, struct definition **first,
		      struct diag *d)
{
	/* a function that a pattern matched has an event of its own, without a name */
	if (point == def || (def->events && !point->joins))
		*first = point;
	return point == *first ? name_choose(df, point, d) :
				 copy_name(*first, point, d);
}

/* Of a point that is not the only one. */
static bool lacks_value(const struct definition *def,
			const struct definition *point, const struct diag *d)
{
	return d && point->site && def->next && !def->glob &&
	       (d->code == DIAG_VAR_NO_LOCATION ||
		d->code == DIAG_VAR_NOWHERE);
}

/* At one point, at least, everything has a value: @why it does not at the first
 * one where it has none.
 */
static int compile_points(struct definer *df, struct definition *def,
			  struct definition *point, struct diag *why,
			  bool *whole, struct diag *d)
{
	int err = compile_point(df, point, d);

	if (!err)
		*whole = true;
	if (!err || !lacks_value(def, point, d))
		return err;
	if (why->code)
		diag_clear(d);
	else
		*why = *d;
	*d = (struct diag){};
	/* once more, with what has no value there marked as unknown */
	terms_free(take_ptr(point->terms));
	point->site->may_lack = true;
	return compile_point(df, point, d);
}

int define_code(struct definer *df, struct definition *def, struct diag *d)
{
	_cleanup_diag_ struct diag why = {};
	struct definition *first = def, *point;
	bool whole = false;
	int err = 0;

	for (point = def; !err && point; point = point->next) {
		err = name_point(df, def, point, &first, d);
		if (!err)
			err = compile_points(df, def, point, &why, &whole, d);
		if (!err)
			err = name_take(df, point, point == first, d);
	}
	if (err || whole)
		return err;
	*d = why;
	why = (struct diag){};
	return -EINVAL;
}

int define_name_points(struct definer *df, struct definition *def,
		       struct diag *d)
{
	struct definition *first = def, *point;
	int err = 0;

	for (point = def; !err && point; point = point->next) {
		err = name_point(df, def, point, &first, d);
		if (!err)
			err = name_take(df, point, point == first, d);
	}
	return err;
}

/* What it deletes is free as a name for the lines after this one. */
static int compile_deletion(struct definer *df, struct definition *def,
			    struct diag *d)
{
	if (df->flags & KTAP_PROBE_F_TRANSIENT) {
		diag_set(d, -EINVAL, DIAG_DELETION_HERE);
		diag_at(d, def->spec->text, 0, strlen(def->spec->text));
		return -EINVAL;
	}
	if (names_drop(df, def->spec->name) || !df->ctl)
		return 0;
	diag_set(d, -ENOENT, DIAG_EVENT_MISSING, def->spec->name);
	diag_at(d, def->spec->text, def->spec->name_at.start,
		def->spec->name_at.length);
	return -ENOENT;
}

/* @point: that of @spec's pattern which is at @m; empty where that fails */
static int make_point(struct definer *df, const struct probe_spec *spec,
		      const struct ksym_match *m, struct definition *point,
		      struct diag *d)
{
	int err;

	err = spec_instance(spec, m->name, m->module, d, &point->spec);
	if (!err)
		err = ksym_match_place(df->ks, m, spec, d, &point->place);
	if (!err)
		err = define_names(df, point, d);
	if (!err)
		return 0;
	terms_free(take_ptr(point->terms));
	spec_free(take_ptr(point->spec));
	place_deinit(&point->place);
	return err;
}

void define_notify_left_out(const struct definer *df, size_t nr,
			    const struct diag *why)
{
	if (nr)
		define_notify(df, &(struct define_notice){
			.kind = DEFINE_LEFT_OUT, .nr = nr, .why = why->message,
		});
}

/*
 * One point for each function that @spec matches; the first one is @def. Those
 * that do not have the parameters that it names are left out, if others do.
 */
static int expand(struct definer *df, struct definition *def,
		  const struct probe_spec *spec,
		  const struct ksym_matches *matches, struct diag *d)
{
	struct definition *last = NULL, *point;
	struct diag why = {};
	size_t i, left_out = 0;
	int err = 0;

	for (i = 0; i < matches->nr && err != -ENOMEM; i++) {
		point = last ? calloc(1, sizeof(*point)) : def;
		if (!point)
			return diag_no_memory(d);
		point->arch = def->arch;
		err = make_point(df, spec, &matches->match[i], point,
				 left_out ? NULL : &why);
		if (!err) {
			if (last)
				last->next = point;
			last = point;
			continue;
		}
		left_out++;
		if (last)
			free(point);
	}
	if (err == -ENOMEM)
		diag_clear(&why);
	if (err == -ENOMEM || !last) {
		*d = why;
		return err == -ENOMEM ? diag_no_memory(d) : err;
	}
	define_notify_left_out(df, left_out, &why);
	diag_clear(&why);
	return 0;
}

struct probe_spec *define_take_glob(struct definition *def)
{
	def->glob = true;
	def->events = !def->spec->name;
	return take_ptr(def->spec);
}

void define_notify_twice(const struct definer *df, size_t nr)
{
	if (nr)
		define_notify(df, &(struct define_notice){
			.kind = DEFINE_SAME_NAME, .nr = nr,
		});
}

static int resolve_glob(struct definer *df, struct definition *def,
			struct diag *d)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	struct ksym_matches matches;
	int err;

	err = ksyms_glob(df->ks, def->spec, d, &matches);
	if (err)
		return err;
	spec = define_take_glob(def);
	err = expand(df, def, spec, &matches, d);
	if (!err)
		define_notify_twice(df, matches.twice);
	if (!err && matches.forbidden)
		define_notify(df, &(struct define_notice){
			.kind = DEFINE_NO_KPROBE, .nr = matches.forbidden,
		});
	ksym_matches_deinit(&matches);
	return err;
}

static int resolve_name(struct definer *df, struct definition *def,
			struct diag *d)
{
	int err = ksyms_resolve(df->ks, def->spec, d, &def->place);

	if (err)
		return define_inlined(df, def, err, d);
	err = define_boundary(df, def, d);
	return err ? err : define_copies(df, def, d);
}

/* What was running. */
static int add_at(struct definition *def, struct diag *d)
{
	struct arg_spec *arg = spec_add_arg(def->spec, "at", EXPR_REG, d);
	const struct arch *arch = arch_find(def->arch);

	if (!arg)
		return -ENOMEM;
	arg->named = true;
	arg->type = (struct type_spec){ .kind = TYPE_SYMBOL, .size = sizeof(uint64_t) };
	arg->expr->text = strdup(arch_reg_name(arch, arch->pc));
	return arg->expr->text ? 0 : diag_no_memory(d);
}

/* What a watched word holds now. */
static int add_value(struct definition *def, struct diag *d)
{
	const struct place *place = &def->place;
	struct arg_spec *arg = spec_add_arg(def->spec, "value", EXPR_SYMBOL, d);

	if (!arg)
		return -ENOMEM;
	arg->named = true;
	/* a word of eight bytes is an address more often than a number */
	arg->type = (struct type_spec){
		.kind = place->watch_length == 8 ? TYPE_HEX : TYPE_UNSIGNED,
		.size = place->watch_length,
	};
	arg->expr->value = place->symbol ? place->offset : place->address;
	if (place->symbol)
		arg->expr->text = strdup(place->symbol);
	return place->symbol && !arg->expr->text ? diag_no_memory(d) : 0;
}

/* A watchpoint or a timer without arguments has those that it is for. */
static int add_defaults(struct definition *def, struct diag *d)
{
	const struct place *place = &def->place;
	int err;

	if (!def->spec->takes_defaults || def->spec->aggregates ||
	    place->watch_access == KTAP_ACCESS_EXEC ||
	    (place->type != KTAP_TYPE_WATCHPOINT &&
	     place->type != KTAP_TYPE_TIMER))
		return 0;
	def->spec->takes_defaults = false;
	err = add_at(def, d);
	if (!err && place->type == KTAP_TYPE_WATCHPOINT)
		err = add_value(def, d);
	return err;
}

static int resolve(struct definer *df, struct definition *def, struct diag *d)
{
	int err;

	if (def->spec->place.file)
		return define_in_file(df, def, d);
	if (df->foreign && !df->vmlinux) {
		diag_set(d, -EINVAL, DIAG_BUNDLE_NO_KERNEL);
		diag_hint(d, "name its file with -k VMLINUX, or the program with -x PATH before the place");
		diag_at(d, def->spec->text, def->spec->place.at.start,
			def->spec->place.at.length);
		return -EINVAL;
	}
	err = define_symbols(df, d);
	if (err)
		return err;
	def->arch = df->arch;
	err = define_meaning(df, def, d);
	if (err || def->place.type)
		return err;
	if (define_needs_source(def))
		err = define_source(df, def, d);
	else if (def->spec->place.glob)
		err = resolve_glob(df, def, d);
	else
		err = resolve_name(df, def, d);
	if (!err)
		err = add_defaults(def, d);
	if (!err && def->place.module_absent && !df->foreign)
		define_notify(df, &(struct define_notice){
			.kind = DEFINE_WAITS, .name = def->place.module,
		});
	return err;
}

/* The command decides what is done with values; without one, each says it itself. */
static int aggregate(const struct definer *df, struct probe_spec *spec,
		     struct diag *d)
{
	const struct aggregate none = { .kind = AGGREGATE_NONE };

	if (spec->kind == SPEC_DELETE || spec_is_silent(spec) ||
	    (!df->aggregate && !spec->aggregates))
		return 0;
	return spec_aggregate(spec, df->aggregate ? df->aggregate : &none, d);
}

/* In a program, and at a system call, the kernel's stack is its entry and nothing else. */
static bool has_kstack(const struct probe_spec *spec)
{
	return !spec->place.file && spec->place.kind != PLACE_SYSCALL;
}

/* The stacks that there are. */
static int add_stacks(struct definer *df, struct probe_spec *spec, struct diag *d)
{
	int err = has_kstack(spec) ? spec_add_stack(spec, EXPR_KSTACK, d) : 0;

	if (!err)
		err = define_ask(df, d);
	if (!err && df->info.features & KTAP_FEATURE_USTACK)
		err = spec_add_stack(spec, EXPR_USTACK, d);
	return err;
}

/* The module would refuse the program, without its reason in words of the definition. */
static int check_ustack(struct definer *df, const struct probe_spec *spec, struct diag *d)
{
	bool has = false;
	int err;

	for (size_t i = 0; i < spec->nr_args; i++)
		has |= spec->args[i].expr->kind == EXPR_USTACK;
	if (!has || df->foreign || !df->ctl)
		return 0;
	err = define_ask(df, d);
	if (err || df->info.features & KTAP_FEATURE_USTACK)
		return err;
	diag_set(d, -EOPNOTSUPP, DIAG_NO_USTACK);
	diag_hint(d, "they need Linux 6.1, where a hit can look up mappings without a lock, and a module that knows them");
	return -EOPNOTSUPP;
}

static int parse(struct definer *df, const char *text, struct diag *d,
		 struct definition **ret)
{
	struct definition *def = calloc(1, sizeof(*def));
	int err;

	if (!def)
		return diag_no_memory(d);
	def->arch = df->arch;
	*ret = def;
	err = spec_parse_with(text, df->file, df->params, d, &def->spec);
	if (!err)
		err = definer_see(df, &def->spec->params, d);
	if (!err)
		err = aggregate(df, def->spec, d);
	if (!err && df->stacks && !definition_deletes(def) &&
	    !spec_is_silent(def->spec) && !def->spec->aggregates)
		err = add_stacks(df, def->spec, d);
	if (!err)
		err = check_ustack(df, def->spec, d);
	return err ? err : define_in_module(df, def->spec, d);
}

int define_place(struct definer *df, const char *text, struct diag *d,
		 struct definition **ret)
{
	_cleanup_(definition_freep) struct definition *def = NULL;
	int err = parse(df, text, d, &def);

	if (!err && definition_deletes(def))
		err = diag_set(d, -EINVAL, DIAG_EXTRA_WORD, text);
	if (!err)
		err = resolve(df, def, d);
	if (!err)
		*ret = take_ptr(def);
	return err;
}

int define_compile(struct definer *df, const char *text, struct diag *d,
		   struct definition **ret)
{
	_cleanup_(definition_freep) struct definition *def = NULL;
	int err = parse(df, text, d, &def);

	if (err)
		return err;
	if (definition_deletes(def)) {
		err = compile_deletion(df, def, d);
	} else {
		err = resolve(df, def, d);
		if (!err)
			err = define_code(df, def, d);
		if (!err)
			err = define_by_number(df, def, d);
	}
	if (!err)
		*ret = take_ptr(def);
	return err;
}
