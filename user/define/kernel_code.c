// SPDX-License-Identifier: GPL-2.0
#include "define/kernel_code.h"

#include <errno.h>

#include "define/debug_files.h"

static int open_file(struct definer *df, struct diag *d, struct kernel_code *ret)
{
	struct debug *dbg;
	int err;

	err = debug_files_symbols(df, df->vmlinux, d, &dbg);
	if (!err)
		err = debug_check_running(dbg, d);
	if (!err)
		err = debug_files_slide(df, dbg, d, &ret->slide);
	return err ? err : binary_open(df->vmlinux, d, &ret->file);
}

int kernel_code_open(struct definer *df, struct diag *d, struct kernel_code *ret)
{
	int err;

	*ret = (struct kernel_code){ 0 };
	if (df->vmlinux)
		return open_file(df, d, ret);
	err = kcore_open(NULL, d, &ret->memory);
	if (err && err != -ENOMEM)
		diag_hint(d, "or read the code from the kernel's file: -k vmlinux");
	return err;
}

int kernel_code_read(const struct kernel_code *code, uint64_t address, void *buf, size_t size)
{
	return code->memory ? kcore_read(code->memory, address, buf, size) :
			      binary_read_code(code->file, address - code->slide, buf, size);
}

void kernel_code_close(struct kernel_code *code)
{
	kcore_free(code->memory);
	binary_free(code->file);
	*code = (struct kernel_code){ 0 };
}
