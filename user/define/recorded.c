// SPDX-License-Identifier: GPL-2.0
#include "define/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/elf_id.h"
#include "bundle/bundle.h"
#include "define/debug.h"
#include "define/define.h"
#include "place/symtab.h"

static int check_kernel(const char *vmlinux, const struct machine *m, struct diag *d)
{
	_cleanup_buf_ struct buf theirs = BUF_INIT, ours = BUF_INIT;
	struct elf_id id = { 0 };
	int fd;

	fd = open(vmlinux, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	/* if it cannot be opened, reading its symbols fails, with the reason */
	if (fd < 0 || !m->build_id_size) {
		cleanup_closep(&fd);
		return 0;
	}
	elf_id_find(fd, &id);
	cleanup_closep(&fd);
	if (id.size == m->build_id_size && !memcmp(id.bytes, m->build_id, id.size))
		return 0;
	bundle_put_id(&ours, id.bytes, id.size);
	bundle_put_id(&theirs, m->build_id, m->build_id_size);
	return diag_set(d, -EINVAL, DIAG_RECORDED_OTHER_KERNEL, vmlinux,
			buf_str(&ours), buf_str(&theirs));
}

static bool anchor_of(const struct ksyms *ks, uint64_t *ret)
{
	struct ksym sym;
	size_t pos = 0;

	if (!ksyms_find(ks, KTAP_ANCHOR, &pos, &sym))
		return false;
	*ret = sym.address;
	return true;
}

static int find_anchor(const struct datafile *f, struct diag *d, uint64_t *ret)
{
	struct ksyms *ks = NULL;
	bool found;
	int err;

	err = f->symbols_size ? ksyms_parse(f->symbols, f->symbols_size, d, &ks) : 0;
	if (err)
		return err;
	found = ks && anchor_of(ks, ret);
	ksyms_free(ks);
	return found ? 0 : diag_set(d, -EINVAL, DIAG_RECORDED_NO_ANCHOR);
}

/* The second time at the addresses of the recording. */
static int load_twice(struct definer *df, uint64_t anchor, struct diag *d)
{
	uint64_t there;
	int err;

	err = define_kernel(df, d);
	if (err)
		return err;
	if (!anchor_of(df->ks, &there))
		return diag_set(d, -EINVAL, DIAG_BUNDLE_NO_ANCHOR, df->vmlinux,
				KTAP_ANCHOR);
	definer_set_slide(df, anchor - there);
	return define_kernel(df, d);
}

int recorded_symbols(const char *vmlinux, const struct datafile *f, struct diag *d,
		     struct ksyms **ret)
{
	struct definer df;
	uint64_t anchor = 0;
	int err;

	err = find_anchor(f, d, &anchor);
	if (!err)
		err = check_kernel(vmlinux, &f->machine, d);
	if (err)
		return err;
	err = definer_init(&df, NULL, 0, NULL, NULL, d);
	df.dry = true;
	df.foreign = true;
	df.vmlinux = vmlinux;
	if (!err)
		err = load_twice(&df, anchor, d);
	if (!err)
		*ret = take_ptr(df.ks);
	definer_deinit(&df);
	return err;
}
