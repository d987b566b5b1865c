// SPDX-License-Identifier: GPL-2.0
/* Definitions of places in programs and libraries. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/sdt.h"
#include "define/debug.h"
#include "place/binary.h"

/* A file of another machine: the definition keeps its path there. */
static int open_foreign(struct definer *df, const struct place_spec *place,
			struct diag *d, struct binary **ret)
{
	for (size_t i = 0; i < df->nr_files; i++)
		if (!strcmp(df->files[i].target, place->file))
			return define_open(df, df->files[i].host, d, ret);
	diag_set(d, -ENOENT, DIAG_NO_FILE_FOR, place->file);
	diag_hint(d, "say where it is on this machine: -x FILE=%s", place->file);
	return -ENOENT;
}

/* From here on the definition names the file in a way that is good anywhere. */
static int open_file(struct definer *df, struct place_spec *place,
		     struct diag *d, struct binary **ret)
{
	char *path;
	int err;

	if (df->foreign)
		return open_foreign(df, place, d, ret);
	err = binary_find(place->file, arch_native(), d, &path);
	if (err)
		return err;
	free(place->file);
	place->file = path;
	return define_open(df, path, d, ret);
}

static int put_arg(struct probe_spec *spec, unsigned int nr, struct diag *d)
{
	struct arg_spec *arg;
	char name[24];

	snprintf(name, sizeof(name), "arg%u", nr);
	arg = spec_add_arg(spec, name, EXPR_ARG, d);
	if (!arg)
		return -ENOMEM;
	arg->named = true;
	arg->expr->value = nr;
	return 0;
}

/* The note of a USDT probe names its arguments: they are recorded if no others are. */
static int put_mark_args(const struct definer *df, struct probe_spec *spec,
			 const struct sdt_args *args, struct diag *d)
{
	int err = 0;

	if (!args || !spec->takes_defaults || spec->kernel_syntax)
		return 0;
	spec->takes_defaults = false;
	for (size_t i = 0; !err && i < args->nr; i++) {
		if (args->arg[i].kind != SDT_UNREADABLE)
			err = put_arg(spec, i + 1, d);
		else
			define_notify(df, &(struct define_notice){
				.kind = DEFINE_NO_ARGUMENT, .nr = i + 1,
				.why = args->arg[i].why,
			});
	}
	return err;
}

/* Another point is as the first one, at another place; takes @place. */
static int append_place(const struct definer *df, struct definition *def,
			struct place *place, struct diag *d)
{
	struct definition *point = define_append(def, d);

	if (!point)
		return -ENOMEM;
	point->place = *place;
	*place = (struct place){};
	return put_mark_args(df, point->spec, point->place.sdt_args, d);
}

/* Of a stripped file, the debug file may be the only one that has the symbol. */
static int resolve_stripped(struct definer *df, const struct definition *def,
			    struct binary *bin, struct diag *d,
			    struct place **places, size_t *nr)
{
	_cleanup_diag_ struct diag why = {};
	struct debug *dbg = NULL;
	Elf *elf;

	if (define_debug(df, def, false, &why, &dbg) || !dbg)
		return -ENOENT;
	elf = debug_tables(dbg);
	if (!elf || !binary_add_symbols(bin, elf))
		return -ENOENT;
	diag_clear(d);
	return binary_resolve(bin, def->spec, def->arch, d, places, nr);
}

static int resolve(struct definer *df, struct definition *def,
		   struct binary *bin, struct diag *d)
{
	struct place *places;
	size_t nr;
	int err;

	err = binary_resolve(bin, def->spec, def->arch, d, &places, &nr);
	if (err) {
		err = define_inlined(df, def, err, d);
		if (err != -ENOENT)
			return err;
		err = resolve_stripped(df, def, bin, d, &places, &nr);
		if (err)
			return err;
	}
	def->place = places[0];
	places[0] = (struct place){};
	err = define_copies(df, def, d);
	for (size_t i = 1; !err && i < nr; i++)
		err = append_place(df, def, &places[i], d);
	places_free(places, nr);
	/* the other points were copied without arguments: each has its own */
	if (!err)
		err = put_mark_args(df, def->spec, def->place.sdt_args, d);
	return err;
}

/* @spec for the function @sym */
static int instance(const struct probe_spec *spec, const struct binary_sym *sym,
		    struct diag *d, struct probe_spec **ret)
{
	struct probe_spec *point = NULL;
	int err = spec_instance(spec, sym->name, NULL, d, &point);

	/* a plain name means the default version */
	if (!err && !sym->is_default && !point->place.version) {
		point->place.version = strdup(sym->version);
		if (!point->place.version)
			err = diag_no_memory(d);
	}
	if (err)
		spec_free(point);
	else
		*ret = point;
	return err;
}

/* The first point, and others which join it; the places are taken. */
static int add_points(struct definition *def, const struct probe_spec *spec,
		      const struct binary_sym *sym, struct place *places,
		      size_t nr, struct diag *d)
{
	struct definition *point;
	int err = 0;

	for (size_t i = 0; !err && i < nr; i++) {
		point = def->spec ? define_append_bare(def) : def;
		if (!point)
			return diag_no_memory(d);
		point->joins = i;
		point->place = places[i];
		places[i] = (struct place){};
		err = instance(spec, sym, d, &point->spec);
	}
	return err;
}

static bool has_version(const struct binary_sym *sym, const char *version)
{
	return !version || (sym->version && !strcmp(sym->version, version));
}

static int add_match(struct definition *def, struct binary *bin,
		     const struct probe_spec *spec,
		     const struct binary_sym *sym, struct diag *d)
{
	_cleanup_(spec_freep) struct probe_spec *one = NULL;
	struct place *places;
	size_t nr;
	int err;

	err = instance(spec, sym, d, &one);
	if (!err)
		err = binary_resolve(bin, one, def->arch, d, &places, &nr);
	if (err)
		return err;
	err = add_points(def, spec, sym, places, nr, d);
	places_free(places, nr);
	return err;
}

static int fail_no_match(const struct probe_spec *spec, struct diag *d)
{
	diag_at(d, spec->text, spec->place.symbol_at.start,
		spec->place.symbol_at.length);
	return -ENOENT;
}

/*
 * One point for each function that @spec matches, or for each of its RETs; the
 * first one is @def. What never returns is left out, if others do.
 */
static int expand(const struct definer *df, struct definition *def,
		  struct binary *bin, const struct probe_spec *spec,
		  const struct binary_matches *matches, struct diag *d)
{
	_cleanup_diag_ struct diag first = {};
	const struct place_spec *place = &spec->place;
	size_t left_out = 0;

	for (size_t i = 0; i < matches->nr; i++) {
		struct diag why = {};
		int err;

		if (!has_version(matches->syms[i], place->version))
			continue;
		err = add_match(def, bin, spec, matches->syms[i], &why);
		if (err && why.code != DIAG_ELF_GO_NO_RET) {
			*d = why;
			return err;
		}
		if (err && left_out++)
			diag_clear(&why);
		else if (err)
			first = why;
	}
	if (!def->spec && !left_out) {
		diag_set(d, -ENOENT, DIAG_ELF_NO_VERSIONS, binary_path(bin),
			 place->symbol, place->version);
		return fail_no_match(spec, d);
	}
	if (!def->spec) {
		*d = first;
		first = (struct diag){};
		return -EINVAL;
	}
	define_notify_left_out(df, left_out, &first);
	return 0;
}

static int resolve_glob(struct definer *df, struct definition *def,
			struct binary *bin, struct diag *d)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	struct binary_matches matches;
	int err;

	err = binary_glob(bin, def->spec->place.symbol, d, &matches);
	if (err)
		return err == -ENOENT ? fail_no_match(def->spec, d) : err;
	spec = define_take_glob(def);
	err = expand(df, def, bin, spec, &matches, d);
	if (!err)
		define_notify_twice(df, matches.twice);
	binary_matches_deinit(&matches);
	return err;
}

int define_in_file(struct definer *df, struct definition *def, struct diag *d)
{
	const struct probe_spec *spec = def->spec;
	struct binary *bin;
	int err;

	err = open_file(df, &def->spec->place, d, &bin);
	if (err) {
		if (spec->place.file_at.length)
			diag_at(d, spec->text, spec->place.file_at.start,
				spec->place.file_at.length);
		return err;
	}
	if (df->dry)
		def->arch = binary_arch(bin);
	def->bin = bin;
	if (define_needs_source(def))
		return define_source(df, def, d);
	if (!spec->place.glob)
		return resolve(df, def, bin, d);
	if (spec->place.kind != PLACE_SDT)
		return resolve_glob(df, def, bin, d);
	diag_set(d, -EINVAL, DIAG_NOT_SUPPORTED, "patterns of USDT probes");
	diag_at(d, spec->text, spec->place.at.start, spec->place.at.length);
	return -EINVAL;
}
