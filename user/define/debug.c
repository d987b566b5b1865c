// SPDX-License-Identifier: GPL-2.0
/* Debug information for definitions: which file has it, and where they are in it. */
#include "define/debug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bind/bind.h"
#include "define/debug_files.h"
#include "dwarf/func.h"

/* The symbols of one file of the kernel */
static int put_symbols(struct definer *df, const char *path, const char *module,
		       struct diag *d, struct buf *b)
{
	struct debug *dbg;
	int err;

	err = debug_files_symbols(df, path, d, &dbg);
	if (err)
		return err;
	if (!debug_arch(dbg, &df->arch))
		return diag_set(d, -EINVAL, DIAG_DEBUG_MACHINE, path);
	debug_symbols(dbg, module, module ? definer_module_slide(df) : df->slide, b);
	return 0;
}

int define_kernel(struct definer *df, struct diag *d)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	int err = 0;

	if (df->vmlinux)
		err = put_symbols(df, df->vmlinux, NULL, d, &b);
	if (!err && df->module_file)
		err = put_symbols(df, df->module_file, df->module, d, &b);
	for (size_t i = 0; !err && i < df->nr_modules; i++)
		err = put_symbols(df, df->modules[i].path, df->modules[i].name,
				  d, &b);
	if (err)
		return err;
	if (b.failed)
		return diag_no_memory(d);
	return ksyms_parse(b.data, b.size, d, &df->ks);
}

int define_events(struct definer *df, debug_event_fn fn, void *ctx)
{
	struct debug *dbg;
	int err = df->vmlinux ? debug_files_symbols(df, df->vmlinux, NULL, &dbg) : -ENOENT;

	if (err)
		return err == -ENOMEM ? err : 0;
	return debug_events(dbg, fn, ctx);
}

/* ---- types ------------------------------------------------------------------------------ */

int define_btf(struct definer *df, struct diag *d)
{
	if (df->kb)
		return 0;
	/* the BTF of the running kernel does not describe another kernel */
	if (!definer_is_offline(df))
		df->kb = kbtf_new(NULL);
	else
		df->kb = df->vmlinux ? kbtf_of_file(df->vmlinux) : kbtf_none();
	return df->kb ? 0 : diag_no_memory(d);
}

/* ---- the kernel that runs -------------------------------------------------------------- */

/* Of what is found, what is of another kernel is left alone. */
static int search_running(struct definer *df, struct diag *d,
			  struct debug **ret)
{
	char *path;
	int err;

	for (unsigned int i = 0; (path = debug_running_path(i)); i++) {
		err = debug_files_open(df, path, NULL, ret);
		free(path);
		if (err == -ENOMEM)
			return diag_no_memory(d);
		if (!err && !debug_check_running(*ret, NULL)) {
			df->running = *ret;
			return 0;
		}
	}
	*ret = NULL;
	return 0;
}

/* What -k names has to be it. */
static int open_running(struct definer *df, struct diag *d, struct debug **ret)
{
	int err;

	if (df->vmlinux) {
		err = debug_files_open(df, df->vmlinux, d, ret);
		return err || definer_is_offline(df) ?
		       err : debug_check_running(*ret, d);
	}
	*ret = df->running;
	if (df->searched)
		return 0;
	df->searched = true;
	return search_running(df, d, ret);
}

/* ---- which file ------------------------------------------------------------------------- */

static const char *file_of(const struct definition *def)
{
	return def->bin ? binary_path(def->bin) : def->spec->place.file;
}

/* What it was found in counts, then what was written. */
static const char *module_of(const struct definition *def)
{
	const char *module = def->place.module ? def->place.module :
						 def->spec->place.module;

	return module && strcmp(module, "vmlinux") ? module : NULL;
}

/* Types that a module only declares may be the kernel's. */
static struct debug *kernel_of(void *ctx)
{
	struct definer *df = ctx;
	struct debug *dbg = NULL;
	struct diag why = {};

	if (definer_is_offline(df) && !df->vmlinux)
		return NULL;
	if (open_running(df, &why, &dbg))
		dbg = NULL;
	diag_clear(&why);
	return dbg;
}

static int find_module(struct definer *df, const char *module, struct diag *d,
		       struct debug **ret)
{
	if (df->module_file && !strcmp(df->module, module))
		return debug_files_open(df, df->module_file, d, ret);
	for (size_t i = 0; i < df->nr_modules; i++)
		if (!strcmp(df->modules[i].name, module))
			return debug_files_open(df, df->modules[i].path, d, ret);
	if (!definer_is_offline(df))
		return debug_files_module(df, module, d, ret);
	diag_set(d, -ENOENT, DIAG_DEBUG_NO_MODULE, module);
	diag_hint(d, "name its file with -m FILE.ko");
	return -ENOENT;
}

static int find_debug(struct definer *df, const struct definition *def,
		      struct diag *d, struct debug **ret)
{
	const char *path = file_of(def);

	if (path)
		return debug_files_open(df, path, d, ret);
	if (module_of(def)) {
		int err = find_module(df, module_of(def), d, ret);

		if (!err && *ret)
			debug_set_base(*ret, kernel_of, df);
		return err;
	}
	return open_running(df, d, ret);
}

int define_debug(struct definer *df, const struct definition *def, bool must,
		 struct diag *d, struct debug **ret)
{
	bool is_given = df->vmlinux && !file_of(def) && !module_of(def);
	struct diag why = {};
	int err;

	*ret = NULL;
	err = find_debug(df, def, &why, ret);
	/* the symbols and the BTF of another kernel's file say enough for most definitions */
	if (why.code == DIAG_DEBUG_NONE && definer_is_offline(df))
		is_given = false;
	if (err && (must || is_given || err == -ENOMEM)) {
		*d = why;
		return err;
	}
	diag_clear(&why);
	if (err)
		*ret = NULL;
	if (*ret || !must)
		return 0;
	diag_set(d, -ENOENT, DIAG_DEBUG_NO_KERNEL);
	diag_hint(d, "name its vmlinux with -k, or install the package with its debug information");
	return -ENOENT;
}

/* ---- sites -------------------------------------------------------------------------------- */

static int set_kernel(struct definer *df, struct debug *dbg,
		      const struct place *place, struct diag *d,
		      struct site *site)
{
	int err;

	err = debug_files_map(df, dbg, d, &site->map);
	if (err || (place->address && debug_map_back(site->map, place->address,
						     &site->address)))
		return err;
	/* what is not there yet has no address in memory, or it is hidden */
	site->address = 0;
	if (place->symbol && debug_symbol(dbg, place->symbol, &site->address))
		site->address += place->offset;
	return 0;
}

/* Where the registers can be kept that the function was entered with. */
static void set_frame(struct definition *def)
{
	Dwarf_Die owner = def->site->func.owner;
	struct place *place = &def->place;
	struct debug_area area;
	uint64_t entry;

	if (place->is_entry || !debug_entry(def->site->dbg, &owner, &entry))
		return;
	place->has_frame = true;
	if (place->path) {
		place->frame_offset = place->file_offset + entry -
				      def->site->address;
		return;
	}
	area = debug_map_find(def->site->map, entry);
	if (area.kind == DEBUG_AREA_THERE)
		place->frame_address = entry + area.slide;
	place->has_frame_offset = entry == def->site->address - place->offset;
}

/* What is not optimised is probed where it has stored what it was given. */
static void skip_prologue(struct definition *def)
{
	struct site *site = def->site;
	struct place *place = &def->place;
	bool is_return = type_is_return(place->type);
	uint64_t end, more;

	site->at_entry = place->is_entry || is_return;
	if (!place->is_entry || is_return ||
	    !debug_prologue_end(site->dbg, &site->func, &end) ||
	    end <= site->address)
		return;
	more = end - site->address;
	site->address = end;
	if (place->address)
		place->address += more;
	place->offset += more;
	if (place->path)
		place->file_offset += more;
}

static struct site *site_new(struct definer *df, struct debug *dbg,
			     const struct place *place, struct diag *d)
{
	_cleanup_free_ struct site *site = calloc(1, sizeof(*site));

	if (!site) {
		diag_no_memory(d);
		return NULL;
	}
	site->dbg = dbg;
	if (place->path) {
		site->is_user = true;
		site->address = place->address;
		site->file_base = place->file_offset - place->address;
	} else if (set_kernel(df, dbg, place, d, site)) {
		return NULL;
	}
	return take_ptr(site);
}

/*
 * In the middle of a function's code it is what was inlined there, as it is for
 * debuggers; at its entry it is itself.
 */
static bool find_func(const struct definition *def, struct site *site)
{
	bool inlined = !def->place.is_entry &&
		       !place_is_return(&def->place);

	site->func = def->func;
	return def->has_func ||
	       debug_func_at(site->dbg, site->address, inlined, &site->func);
}

int define_traced(struct definer *df, const struct definition *def,
		  const char *name, struct diag *d, struct site **ret)
{
	_cleanup_free_ struct site *site = calloc(1, sizeof(*site));
	_cleanup_free_ char *symbol = NULL;
	struct kbtf_func known;
	int err;

	*ret = NULL;
	if (!site || asprintf(&symbol, "__traceiter_%s", name) < 0) {
		symbol = NULL;
		return diag_no_memory(d);
	}
	err = define_btf(df, d);
	if (err || !kbtf_find(df->kb, def->place.module, symbol, NULL, &known))
		return err;
	err = define_debug(df, def, false, d, &site->dbg);
	if (!err && site->dbg &&
	    debug_symbol(site->dbg, symbol, &site->address) &&
	    debug_func_at(site->dbg, site->address, false, &site->func))
		*ret = take_ptr(site);
	return err;
}

int define_own_entry(struct definition *def, struct debug *dbg, struct diag *d)
{
	struct place *place = &def->place;
	struct debug_func func = def->func;
	const char *name;
	uint64_t entry;

	if (!place->path || place->type != KTAP_TYPE_UPROBE || place->is_entry ||
	    place->at_ret || def->spec->place.kind == PLACE_SDT ||
	    (!def->has_func &&
	     !debug_func_at(dbg, place->address, false, &func)) ||
	    !debug_entry(dbg, &func.owner, &entry) || entry != place->address)
		return 0;
	name = dwarf_diename(&func.owner);
	if (!name)
		return 0;
	free(place->symbol);
	place->symbol = strdup(name);
	place->offset = 0;
	place->is_entry = true;
	return place->symbol ? 0 : diag_no_memory(d);
}

/* Without a function there, or without @must any debug information, it has none. */
static int make_site(struct definer *df, struct definition *def, bool must,
		     struct diag *d)
{
	struct debug *dbg;
	int err;

	if (def->place.type == KTAP_TYPE_TRACEPOINT)
		return def->traced ? 0 : define_traced(df, def, def->place.symbol,
						       d, &def->traced);
	err = define_debug(df, def, must, d, &dbg);
	if (!err && dbg)
		err = define_own_entry(def, dbg, d);
	if (err || !dbg)
		return err;
	def->site = site_new(df, dbg, &def->place, d);
	if (!def->site)
		return -EINVAL;
	if (find_func(def, def->site)) {
		skip_prologue(def);
		set_frame(def);
		def->site->address = debug_first(dbg, &def->site->func,
						 def->site->address);
		return 0;
	}
	err = def->place.path ?
	      debug_check_there(dbg, def->site->address, d) : 0;
	free(take_ptr(def->site));
	return err;
}

int define_site(struct definer *df, struct definition *def, struct diag *d)
{
	struct diag why = {};
	int err;

	if (def->site)
		return 0;
	if (vars_wanted(def->terms, &def->place))
		return make_site(df, def, false, d);
	if (!vars_return_wanted(def->terms, &def->place))
		return 0;
	/* without it $retval is a number, which is no error */
	err = make_site(df, def, false, &why);
	diag_clear(&why);
	return err == -ENOMEM ? diag_no_memory(d) : 0;
}

struct site *define_function(struct definer *df, const struct definition *def)
{
	_cleanup_free_ struct site *site = NULL;
	struct debug *dbg = NULL;
	struct diag why = {};

	if (def->place.type != KTAP_TYPE_TRACEPOINT &&
	    !define_debug(df, def, false, &why, &dbg) && dbg)
		site = site_new(df, dbg, &def->place, &why);
	diag_clear(&why);
	if (!site || !find_func(def, site))
		return NULL;
	site->at_entry = true;
	return take_ptr(site);
}

int define_must_site(struct definer *df, struct definition *def,
		     struct diag *d)
{
	const struct place_spec *place = &def->spec->place;
	int err = make_site(df, def, true, d);

	if (err || def->site)
		return err;
	diag_set(d, -ENOENT, DIAG_DEBUG_NOT_THERE);
	diag_at(d, def->spec->text, place->at.start, place->at.length);
	return -ENOENT;
}

int define_calls(struct definer *df, struct definition *def, struct diag *d)
{
	const struct debug_func *func = def->site ? &def->site->func : &def->func;
	struct debug_chain chain;
	struct buf b = BUF_INIT;
	struct debug *dbg;
	int err;

	if ((!def->site && !def->has_func) || !func->is_inlined)
		return 0;
	err = define_debug(df, def, true, d, &dbg);
	if (!err)
		err = debug_chain(dbg, func, d, &chain);
	if (err)
		return err;
	/* "inner in middle at a.c:5 in outer at a.c:9" */
	for (size_t i = 0; i < chain.nr; i++) {
		const struct debug_call *call = &chain.call[i];

		buf_printf(&b, "%s%s", i ? " in " : "",
			   call->name ? call->name : "?");
		if (i && call[-1].file)
			buf_printf(&b, " at %s:%d", call[-1].file, call[-1].line);
	}
	debug_chain_deinit(&chain);
	def->program->layout->calls = buf_take(&b);
	return def->program->layout->calls ? 0 : diag_no_memory(d);
}

/* ---- where nothing is found ---------------------------------------------------------- */

/* A program without debug information is no error. If its debug information cannot be
 * read, the reason becomes a hint of another error.
 */
void define_hint_broken(const struct definition *def, struct diag *d)
{
	_cleanup_diag_ struct diag why = {};
	struct debug *dbg = NULL;

	if (def->site || !def->bin)
		return;
	if (debug_open(binary_path(def->bin), &why, &dbg) &&
	    (why.code == DIAG_DEBUG_SPLIT || why.code == DIAG_DEBUG_PACKAGE ||
	     why.code == DIAG_DEBUG_DAMAGED))
		diag_hint(d, "%s", why.message);
	debug_free(dbg);
}

/* The file has the code as it was before the kernel patched it: instructions begin at the
 * same addresses. Code in a module's file has no address yet.
 */
int define_boundary(struct definer *df, const struct definition *def,
		    struct diag *d)
{
	const struct place *place = &def->place;
	struct binary *bin;
	uint64_t at, address;

	if (!definer_is_offline(df) || !df->vmlinux || place->module ||
	    !place->offset || !place->address ||
	    define_open(df, df->vmlinux, NULL, &bin))
		return 0;
	address = place->address - df->slide;
	at = binary_insn_at(bin, address - place->offset, address);
	if (!at || at == address)
		return 0;
	diag_set(d, -EINVAL, DIAG_INSIDE_INSN,
		 (unsigned long long)place->offset, place->symbol,
		 (unsigned long long)(at - address + place->offset));
	diag_at(d, def->spec->text, def->spec->place.offset_at.start,
		def->spec->place.offset_at.length);
	return -EINVAL;
}
