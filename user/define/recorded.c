// SPDX-License-Identifier: GPL-2.0
#include "define/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/elf_id.h"
#include "bundle/bundle.h"
#include "define/debug.h"
#include "define/define.h"
#include "define/frames.h"
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

/* The second time at the addresses of the recording. */
static int load_twice(struct definer *df, uint64_t anchor, struct diag *d,
		      uint64_t *slide)
{
	uint64_t there;
	int err;

	err = define_kernel(df, d);
	if (err)
		return err;
	if (!anchor_of(df->ks, &there))
		return diag_set(d, -EINVAL, DIAG_BUNDLE_NO_ANCHOR, df->vmlinux,
				KTAP_ANCHOR);
	*slide = anchor - there;
	definer_set_slide(df, *slide);
	return define_kernel(df, d);
}

/* The recording lacks symbols, and says where its kernel was. */
static int take_kernel(struct definer *df, uint64_t anchor, bool inlined,
		       struct diag *d)
{
	uint64_t slide = 0;
	int err = load_twice(df, anchor, d, &slide);

	if (!err && inlined)
		err = frames_inlined(df->ks, df->vmlinux, slide, d);
	return err;
}

/* How far a symbol of the recording, @own, is from the only one of that name in the file. */
static bool find_slide(const struct ksyms *own, const struct ksyms *file,
		       uint64_t *ret)
{
	struct ksym sym, there, other;
	size_t pos = 0, at;

	while (ksyms_next(own, &pos, &sym)) {
		at = 0;
		if (sym.module || !ksym_is_text(&sym) ||
		    !ksyms_find(file, sym.name, &at, &there) ||
		    ksyms_find(file, sym.name, &at, &other))
			continue;
		*ret = sym.address - there.address;
		return true;
	}
	return false;
}

/* The recording has symbols, also of modules: they stay, and know inlined functions from here on. */
static int add_inlined(struct definer *df, struct ksyms *own, struct diag *d)
{
	uint64_t slide = 0;
	int err = define_kernel(df, d);

	/* else no frame is in the kernel's own code */
	if (!err && find_slide(own, df->ks, &slide))
		err = frames_inlined(own, df->vmlinux, slide, d);
	return err;
}

int recorded_symbols(const char *vmlinux, bool inlined, const struct datafile *f,
		     struct diag *d, struct ksyms **ret)
{
	_cleanup_(ksyms_freep) struct ksyms *own = NULL;
	bool anchored = false;
	struct definer df;
	uint64_t anchor = 0;
	int err;

	err = f->symbols_size ? ksyms_parse(f->symbols, f->symbols_size, d, &own) : 0;
	if (err)
		return err;
	if (own)
		anchored = anchor_of(own, &anchor);
	if (!anchored && !(own && inlined))
		return diag_set(d, -EINVAL, DIAG_RECORDED_NO_ANCHOR);
	err = check_kernel(vmlinux, &f->machine, d);
	if (err)
		return err;
	err = definer_init(&df, NULL, 0, NULL, NULL, d);
	df.dry = true;
	df.foreign = true;
	df.vmlinux = vmlinux;
	if (!err)
		err = anchored ? take_kernel(&df, anchor, inlined, d) :
				 add_inlined(&df, own, d);
	if (!err && anchored)
		ksyms_take_recorded(df.ks, take_ptr(own));
	if (!err)
		*ret = anchored ? take_ptr(df.ks) : take_ptr(own);
	definer_deinit(&df);
	return err;
}
