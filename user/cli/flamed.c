// SPDX-License-Identifier: GPL-2.0
#include "cli/flamed.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fmt.h"
#include "base/whole.h"
#include "cli/row_path.h"
#include "cli/say.h"
#include "record/create.h"
#include "report/flame.h"

int flamed_add(struct flamed *f, const struct report_row *row)
{
	__int128 weight = row_path_weight(f->look, row);

	if (weight < 0 || weight > UINT64_MAX) {
		f->left_out++;
		return 0;
	}
	return row_path_add(&f->paths, f->look, row);
}

/* A file that cannot be written whole does not replace the file that has its name. */
static int write_file(const char *path, const struct buf *svg, struct diag *d)
{
	struct created to = { .fd = -1, .dir = -1 };
	int err = created_open(&to, path, d);

	if (!err) {
		err = write_all(to.fd, svg->data, svg->size);
		if (err && err != -EPIPE)
			diag_set(d, err, DIAG_FLAME_WRITE, path, strerror(-err));
	}
	if (!err)
		err = created_publish(&to, path, d);
	created_close(&to);
	return err;
}

int flamed_write(struct flamed *f, struct diag *d)
{
	_cleanup_buf_ struct buf title = BUF_INIT, svg = BUF_INIT;
	const struct report_names *values = f->look->values;
	int err;

	if (values->nr)
		buf_printf(&title, "sum of %s by ", values->name[0].text);
	else
		buf_puts(&title, "hits by ");
	for (size_t i = 0; i < f->look->keys->nr; i++)
		buf_printf(&title, "%s%s", i ? ", " : "",
			   f->look->keys->name[i].text);
	err = flame_svg(&f->paths, buf_str(&title),
			values->nr ? values->name[0].text : "hits", &svg);
	if (err == -EOVERFLOW)
		return diag_set(d, err, DIAG_FLAME_SUM, values->name[0].text);
	if (err || title.failed)
		return diag_no_memory(d);
	if (f->left_out)
		say_note("not in the graph: %llu row%s whose sum of '%s' is negative or too large",
			 (unsigned long long)f->left_out, fmt_s(f->left_out), values->name[0].text);
	return write_file(f->look->flame, &svg, d);
}

void flamed_deinit(struct flamed *f)
{
	paths_deinit(&f->paths);
}
