// SPDX-License-Identifier: GPL-2.0
#include "cli/naming.h"

#include <errno.h>

#include "define/recorded.h"
#include "define/recorded_files.h"
#include "object/debug_file.h"

int naming_option(struct naming *n, int key, const char *value)
{
	switch (key) {
	case 'k':
		n->vmlinux = value;
		return 0;
	case OPT_ROOT:
		n->root = value;
		return 0;
	case OPT_INLINE:
		n->inlined = true;
		return 0;
	default:
		return 1;
	}
}

int naming_check(const struct naming *n, struct diag *d)
{
	return n->root ? id_tree_check(n->root, d) : 0;
}

/*
 * With -k the options may be for many recordings, of which some have user stacks. One that is
 * still coming may have them later.
 */
static int check_use(const struct naming *n, const struct datafile *f, struct diag *d)
{
	const char *option = n->inlined ? "--inline" : n->root ? "--root" : NULL;

	if (!option || n->vmlinux || f->nr_files || !f->complete)
		return 0;
	diag_set(d, -EINVAL, DIAG_NAMING_NO_FILES, option);
	if (n->inlined)
		diag_hint(d, "inlined functions of the kernel need -k");
	return -EINVAL;
}

static int take_files(struct naming *n, const struct datafile *f, struct diag *d)
{
	int err = check_use(n, f, d);

	if (!err && !n->files && (n->root || n->inlined || f->nr_files))
		err = recorded_files_create(n->root, n->inlined, d, &n->files);
	if (!err && n->files && recorded_files_update(n->files, f))
		err = diag_no_memory(d);
	return err;
}

int naming_symbols(struct naming *n, const struct datafile *f, struct diag *d,
		   struct ksyms **ret)
{
	_cleanup_(ksyms_freep) struct ksyms *ks = NULL;
	int err = take_files(n, f, d);

	if (!err && n->vmlinux)
		err = recorded_symbols(n->vmlinux, n->inlined, f, d, &ks);
	else if (!err && f->symbols_size)
		err = ksyms_parse(f->symbols, f->symbols_size, d, &ks);
	if (!err && ks && n->files)
		ksyms_more(ks, &(struct ksyms_more){
			.find = recorded_files_find,
			.inlined = recorded_files_inlined,
			.ctx = n->files,
		});
	if (!err)
		*ret = take_ptr(ks);
	return err;
}

void naming_forget(struct naming *n)
{
	recorded_files_forget(n->files);
}

void naming_deinit(struct naming *n)
{
	recorded_files_destroy(take_ptr(n->files));
}
