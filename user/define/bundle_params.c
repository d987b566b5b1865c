// SPDX-License-Identifier: GPL-2.0
/* Values for the parameters of a bundle. */
#include <errno.h>
#include <string.h>

#include "define/bundle.h"

int bundle_set_params(struct bundle *b, const struct params *given,
		      struct diag *d)
{
	for (size_t i = 0; i < b->params.nr; i++) {
		struct param *p = &b->params.param[i];
		const struct param *new = params_find(given, p->name);
		int err;

		if (!new)
			continue;
		if (new->kind && !param_same_type(p, new))
			return param_check_same(p, new, d);
		err = param_set(p, new->text, strlen(new->text), d);
		if (err)
			return err;
		bundle_set_param(b, i);
	}
	return 0;
}
