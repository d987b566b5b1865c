// SPDX-License-Identifier: GPL-2.0
/* Where the names of files are in the structures of a kernel that is in a file. */
#include <errno.h>
#include <string.h>

#include "define/debug.h"
#include "define/define.h"
#include "dwarf/var.h"

/* The offset in bytes of the pointer @outer.@inner in @t. */
static bool find_offset(const struct ctype *t, const char *outer,
			const char *inner, uint32_t *ret)
{
	struct ctype_member a, b;

	if (!ctype_find(t, outer, &a) || !ctype_find(&a.type, inner, &b) ||
	    b.type.kind != CTYPE_POINTER)
		return false;
	*ret = (a.offset + b.offset) / 8;
	return true;
}

/* Debug information has the types of both; without it, BTF may. */
static bool find_struct(struct definer *df, struct debug *dbg, const char *name,
			struct ctype *ret)
{
	if (dbg && debug_find_type(dbg, NULL, DEBUG_STRUCT, name, ret))
		return true;
	return kbtf_find_type(df->kb, NULL, "struct", name, ret);
}

int define_file_offsets(struct definer *df, const struct definition *def,
			struct diag *d)
{
	struct ktap_offsets *offsets = &df->info.offsets;
	struct ctype dentry, file;
	struct debug *dbg;
	int err = define_debug(df, def, false, d, &dbg);

	if (!err)
		err = define_btf(df, d);
	if (err)
		return err;
	df->info.has_offsets =
		find_struct(df, dbg, "dentry", &dentry) &&
		find_struct(df, dbg, "file", &file) &&
		find_offset(&dentry, "d_name", "name", &offsets->dentry_name) &&
		find_offset(&file, "f_path", "dentry", &offsets->file_dentry);
	if (df->info.has_offsets)
		return 0;
	diag_set(d, -EINVAL, DIAG_NO_OFFSETS);
	diag_at(d, def->spec->text, 0, strlen(def->spec->text));
	return -EINVAL;
}
