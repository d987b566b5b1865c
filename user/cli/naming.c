// SPDX-License-Identifier: GPL-2.0
#include "cli/naming.h"

#include <errno.h>

#include "define/recorded.h"
#include "define/recorded_files.h"

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

static int take_files(struct naming *n, const struct datafile *f, struct diag *d)
{
	int err = 0;

	/* a recording that is still coming may have user stacks later */
	if (n->inlined && !n->vmlinux && !f->nr_files && f->complete)
		return diag_set(d, -EINVAL, DIAG_OPTION_NEEDS, "--inline", "--vmlinux");
	if (!n->files && (n->root || n->inlined || f->nr_files))
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

void naming_reset(struct naming *n)
{
	recorded_files_destroy(take_ptr(n->files));
}
