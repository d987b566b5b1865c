// SPDX-License-Identifier: GPL-2.0
/* Options of the commands that look at debug information. */
#include "cli/inspect.h"

#include <errno.h>

#include "arch/arch.h"
#include "cli/notices.h"
#include "cli/options.h"
#include "define/debug.h"

bool inspect_option(struct inspect *in, int key, const char *value)
{
	if (key == 'x')
		in->file = value;
	else if (key == 'k')
		in->vmlinux = value;
	else if (key == 'm')
		in->module = value;
	else if (key == 's')
		in->source = value;
	else if (key == 'q')
		in->quiet = true;
	else if (key == OPT_JSON)
		in->json = true;
	else
		return false;
	return true;
}

int inspect_open(struct inspect *in, struct diag *d)
{
	int err;

	if (in->file && in->vmlinux)
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "-x", "-k");
	if (in->file && in->module)
		return diag_set(d, -EINVAL, DIAG_OPTION_CONFLICT, "-x", "-m");
	in->notices.quiet = in->quiet;
	err = definer_init(&in->df, NULL, 0, notices_show, &in->notices, d);
	if (!err && in->file)
		err = binary_find(in->file, arch_native(), d,
				  &in->path);
	in->df.file = in->path;
	in->df.vmlinux = in->vmlinux;
	in->df.source = in->source;
	in->df.dry = true;
	return err ? err : definer_set_module(&in->df, in->module, d);
}

void inspect_deinit(struct inspect *in)
{
	definer_deinit(&in->df);
	free(in->path);
}

int inspect_debug(struct inspect *in, const char *module, bool must,
		  struct diag *d, struct debug **ret)
{
	struct probe_spec spec = {
		.place.file = in->path, .place.module = (char *)module,
	};
	struct definition def = { .spec = &spec };

	return define_debug(&in->df, &def, must, d, ret);
}

int inspect_word(const struct words *words, const char *what, struct diag *d,
		 const char **ret)
{
	if (!words->nr)
		return diag_set(d, -EINVAL, DIAG_MISSING_WORD, what);
	if (words->nr > 1)
		return diag_set(d, -EINVAL, DIAG_EXTRA_WORD, words->word[1]);
	*ret = words->word[0];
	return 0;
}
