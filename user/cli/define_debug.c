// SPDX-License-Identifier: GPL-2.0
/* Debug information for definitions: which file has it, and where they are in it. */
#include "cli/define_debug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compile/vars.h"
#include "resolve/symtab.h"

/* Where the kernel's code begins: where that is tells where all of it is. */
#define ANCHOR "_stext"

/**
 * struct debug_file - a file that was looked into, also where that failed
 * @path: of it; owned
 * @dbg: its debug information; or NULL: ...
 * @err: ... why not: ...
 * @why: ... in words
 * @next: another one
 */
struct debug_file {
	char *path;
	struct debug *dbg;
	int err;
	struct diag why;
	struct debug_file *next;
};

void define_close_debug(struct definer *df)
{
	struct debug_file *f;

	while ((f = df->debugs)) {
		df->debugs = f->next;
		debug_free(f->dbg);
		diag_clear(&f->why);
		free(f->path);
		free(f);
	}
}

static struct debug_file *find_file(const struct definer *df, const char *path)
{
	struct debug_file *f = df->debugs;

	while (f && strcmp(f->path, path))
		f = f->next;
	return f;
}

/* What was read once is kept; and that there is nothing to read, too: a server
 * may have been asked for it.
 */
static struct debug_file *open_file(struct definer *df, const char *path)
{
	struct debug_file *f = find_file(df, path);

	if (f)
		return f;
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->path = strdup(path);
	if (!f->path) {
		free(f);
		return NULL;
	}
	f->err = debug_open(path, &f->why, &f->dbg);
	f->next = df->debugs;
	df->debugs = f;
	return f;
}

static int open_debug(struct definer *df, const char *path, struct diag *d,
		      struct debug **ret)
{
	const struct debug_file *f = open_file(df, path);

	if (!f)
		return diag_no_memory(d);
	*ret = f->dbg;
	return f->err ? diag_copy(d, f->err, &f->why) : 0;
}

int define_kernel(struct definer *df, struct diag *d)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct debug *dbg;
	int err;

	err = open_debug(df, df->vmlinux, d, &dbg);
	if (err)
		return err;
	if (!debug_arch(dbg, &df->arch))
		return diag_set(d, -EINVAL, DIAG_DEBUG_MACHINE, df->vmlinux);
	debug_symbols(dbg, &b);
	if (b.failed)
		return diag_no_memory(d);
	return ksyms_parse(b.data, b.size, d, &df->ks);
}

/* ---- the kernel that runs -------------------------------------------------------------- */

/* Of what is found, what is of another kernel is left alone. */
static int search_running(struct definer *df, struct diag *d,
			  struct debug **ret)
{
	char *path;
	int err;

	for (unsigned int i = 0; (path = debug_running_path(i)); i++) {
		err = open_debug(df, path, NULL, ret);
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
		err = open_debug(df, df->vmlinux, d, ret);
		return err || df->dry ? err : debug_check_running(*ret, d);
	}
	*ret = df->running;
	if (df->searched)
		return 0;
	df->searched = true;
	return search_running(df, d, ret);
}

int define_slide(struct definer *df, struct debug *dbg, struct diag *d,
		 uint64_t *ret)
{
	struct ksym sym;
	uint64_t anchor;
	size_t pos = 0;

	*ret = 0;
	if (df->vmlinux && df->dry)
		return 0;
	if (!debug_symbol(dbg, ANCHOR, &anchor) ||
	    !ksyms_find(df->ks, ANCHOR, &pos, &sym) || !sym.address)
		return diag_set(d, -EINVAL, DIAG_DEBUG_SLIDE, debug_path(dbg));
	*ret = sym.address - anchor;
	return 0;
}

/* ---- which file ------------------------------------------------------------------------- */

static const char *file_of(const struct definition *def)
{
	return def->bin ? binary_path(def->bin) : def->spec->place.file;
}

static int find_debug(struct definer *df, const struct definition *def,
		      struct diag *d, struct debug **ret)
{
	const char *path = file_of(def);

	if (path)
		return open_debug(df, path, d, ret);
	/* another module's information is in its own file */
	if (def->place.module)
		return 0;
	return open_running(df, d, ret);
}

int define_debug(struct definer *df, const struct definition *def, bool must,
		 struct diag *d, struct debug **ret)
{
	bool is_given = df->vmlinux && !file_of(def);
	struct diag why = {};
	int err;

	*ret = NULL;
	err = find_debug(df, def, &why, ret);
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
	uint64_t size = 0;
	int err;

	err = define_slide(df, dbg, d, &site->slide);
	if (err)
		return err;
	site->address = place->address - site->slide;
	if (debug_section(dbg, ".data..percpu", &site->percpu[0], &size))
		site->percpu[1] = site->percpu[0] + size;
	return 0;
}

static void set_program(const struct place *place, struct site *site)
{
	site->is_user = true;
	site->address = place->address;
	site->file_base = place->file_offset - place->address;
}

/* Where the registers can be kept that the function was entered with. */
static void set_frame(struct definition *def)
{
	Dwarf_Die owner = def->site->func.owner;
	struct place *place = &def->place;
	uint64_t entry;

	if (place->is_entry || !debug_entry(def->site->dbg, &owner, &entry))
		return;
	place->has_frame = true;
	if (place->path) {
		place->frame_offset = place->file_offset + entry -
				      def->site->address;
		return;
	}
	place->frame_address = entry + def->site->slide;
	place->has_frame_offset = place->frame_address ==
				  place->address - place->offset;
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
	if (place->path)
		set_program(place, site);
	else if (set_kernel(df, dbg, place, d, site))
		return NULL;
	return take_ptr(site);
}

/* The function of an address is what was inlined there; of a symbol, it. */
static bool find_func(struct definition *def, struct site *site)
{
	bool inlined = def->spec->place.kind == PLACE_ADDRESS;

	site->func = def->func;
	return def->has_func ||
	       debug_func_at(site->dbg, site->address, inlined, &site->func);
}

/* Without a function there, or without @must any debug information, it has none. */
static int make_site(struct definer *df, struct definition *def, bool must,
		     struct diag *d)
{
	struct debug *dbg;
	int err;

	err = define_debug(df, def, must, d, &dbg);
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
	free(take_ptr(def->site));
	return 0;
}

int define_site(struct definer *df, struct definition *def, struct diag *d)
{
	if (def->site || !vars_wanted(def->spec, &def->place))
		return 0;
	return make_site(df, def, false, d);
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
