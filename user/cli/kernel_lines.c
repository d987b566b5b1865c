// SPDX-License-Identifier: GPL-2.0
/* Lines of kprobe_events and uprobe_events. */
#include "cli/kernel_lines.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "codegen/kernel_line.h"

int format_option(const char *value, struct diag *d)
{
	if (!strcmp(value, FORMAT_KERNEL))
		return 0;
	diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, "--format");
	diag_hint(d, "it takes " FORMAT_KERNEL);
	return -EINVAL;
}

int kernel_lines_print(const struct definer *df, const struct definition *def,
		       struct diag *d)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	int err = 0;

	for (; !err && def; def = def->next) {
		const struct kernel_of of = {
			.ks = df->ks, .offline = definer_is_offline(df),
			.name = def->spec->name,
			.maxactive = def->spec->place.maxactive,
			.place_at = def->spec->place.at,
		};

		err = kernel_line(def->terms, &def->place, def->arch, &of, d, &b);
		buf_putc(&b, '\n');
	}
	if (!err && b.failed)
		err = diag_no_memory(d);
	if (!err)
		fputs(buf_str(&b), stdout);
	return err;
}
