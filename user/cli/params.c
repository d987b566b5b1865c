// SPDX-License-Identifier: GPL-2.0
/* Parameters as text. */
#include "cli/params.h"

#include <string.h>

#include "arch/syscall_args.h"
#include "base/cleanup.h"

/* No blank behind a star. */
void params_put_one(struct buf *out, const char *type, const char *name)
{
	size_t length = strlen(type);
	bool tight = !length || type[length - 1] == '*';

	buf_printf(out, "%s%s%s", type, tight || !*name ? "" : " ", name);
}

void params_put_typed(struct buf *out, const struct ctype *t, const char *name)
{
	_cleanup_free_ char *type = ctype_text(t);

	params_put_one(out, type ? type : "", name);
}

void params_put(struct buf *out, struct kbtf *kb, const char *module,
		const char *name)
{
	struct kbtf_func func;
	struct ctype t;

	if (!kb || kbtf_find(kb, module, name, NULL, &func))
		return;
	buf_putc(out, '(');
	for (unsigned int i = 0; i < func.nr_params; i++) {
		const char *param = kbtf_param(&func, i, &t);

		buf_puts(out, i ? ", " : "");
		params_put_typed(out, &t, param);
	}
	if (func.is_variadic)
		buf_puts(out, func.nr_params ? ", ..." : "...");
	buf_putc(out, ')');
}

void params_put_syscall(struct buf *out, const char *name)
{
	_cleanup_buf_ struct buf symbol = BUF_INIT;
	const char *args;

	buf_printf(&symbol, "__x64_sys_%s", name);
	args = syscall_args(buf_str(&symbol));
	if (args && *args)
		buf_printf(out, " %s", args);
}
