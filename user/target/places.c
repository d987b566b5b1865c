// SPDX-License-Identifier: GPL-2.0
/*
 * In place of the parts of define/ that look into files: places in programs and in
 * source code are refused, and no place has debug information.
 */
#include <errno.h>

#include "define/debug.h"
#include "define/debug_files.h"
#include "define/frames.h"
#include "define/recorded_files.h"
#include "object/debug_file.h"
#include "target/refuse.h"

static int refuse_place(const struct definition *def, enum diag_code code,
			struct diag *d)
{
	const struct probe_spec *spec = def->spec;

	diag_set(d, -EINVAL, code);
	diag_at(d, spec->text, spec->place.at.start, spec->place.at.length);
	return refuse_hint(d);
}

int define_in_file(struct definer *df, struct definition *def, struct diag *d)
{
	return refuse_place(def, DIAG_TARGET_NO_FILE, d);
}

int define_source(struct definer *df, struct definition *def, struct diag *d)
{
	return refuse_place(def, DIAG_TARGET_NO_SOURCE, d);
}

static int refuse_option(const char *option, struct diag *d)
{
	diag_set(d, -EINVAL, DIAG_TARGET_NO_OPTION, option);
	return refuse_hint(d);
}

/* Every command calls it once its options are known. */
int definer_set_module(struct definer *df, const char *value, struct diag *d)
{
	if (df->file)
		return refuse_option("-x", d);
	if (df->vmlinux)
		return refuse_option("-k", d);
	if (df->source)
		return refuse_option("-s", d);
	if (!value)
		return 0;
	if (strchr(value, '/') || strstr(value, ".ko"))
		return refuse_option("-m FILE", d);
	return definer_name_module(df, value, d);
}

/* Recordings have names of their own. */
int id_tree_check(const char *dir, struct diag *d)
{
	return refuse_option("--root", d);
}

/* Likewise. */
int recorded_files_create(const char *root, bool inlined, struct diag *d,
			  struct recorded_files **ret)
{
	return inlined ? refuse_option("--inline", d) : 0;
}

/* ---- nothing is known ---- */

/* Not reached: it is called where -k or -m names a file. */
int define_kernel(struct definer *df, struct diag *d)
{
	return refuse_option("-k", d);
}

/* Likewise. */
int frames_inlined(struct ksyms *ks, const char *vmlinux, uint64_t slide,
		   struct diag *d)
{
	return refuse_option("-k", d);
}

int recorded_files_update(struct recorded_files *rf, const struct datafile *f)
{
	return 0;
}

const struct ksym *recorded_files_find(void *ctx, uint64_t frame)
{
	return NULL;
}

size_t recorded_files_inlined(void *ctx, uint64_t frame, const char *const **ret)
{
	return 0;
}

void recorded_files_forget(struct recorded_files *rf)
{
}

void recorded_files_destroy(struct recorded_files *rf)
{
}

char *debug_file_find(const uint8_t *id, size_t size)
{
	return NULL;
}

int define_inlined(struct definer *df, struct definition *def, int err,
		   struct diag *d)
{
	return err;
}

int define_copies(struct definer *df, struct definition *def, struct diag *d)
{
	return 0;
}

int define_site(struct definer *df, struct definition *def, struct diag *d)
{
	return 0;
}

struct site *define_function(struct definer *df, const struct definition *def)
{
	return NULL;
}

int define_calls(struct definer *df, struct definition *def, struct diag *d)
{
	return 0;
}

int define_boundary(struct definer *df, const struct definition *def,
		    struct diag *d)
{
	return 0;
}

void define_hint_broken(const struct definition *def, struct diag *d)
{
}

int define_file_offsets(struct definer *df, const struct definition *def,
			struct diag *d)
{
	return 0;
}

int define_btf(struct definer *df, struct diag *d)
{
	return 0;
}

int define_events(struct definer *df, debug_event_fn fn, void *ctx)
{
	return 0;
}

void kbtf_free(struct kbtf *kb)
{
}

void debug_files_close(struct definer *df)
{
}

void debug_files_forget_maps(struct definer *df)
{
}

/* A point with debug information only has addresses of a module's file. */
bool debug_map_has(const struct debug_map *map, uint64_t value)
{
	return false;
}
