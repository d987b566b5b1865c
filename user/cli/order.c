// SPDX-License-Identifier: GPL-2.0
#include "cli/order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/notices.h"

void order_deinit(struct order *o)
{
	for (size_t i = 0; i < o->nr_hosts; i++)
		free(o->hosts[i]);
	free(o->hosts);
	free(o->kernels);
	free(o->modules);
	free(o->files);
	params_deinit(&o->params);
}

static int append(const char ***list, size_t *nr, const char *value,
		  struct diag *d)
{
	const char **more = array_grow(*list, *nr, sizeof(*more));

	if (!more)
		return diag_no_memory(d);
	*list = more;
	more[(*nr)++] = value;
	return 0;
}

/* FILE=TARGET; a file may have '=' in its name, where the target's path is given, too. */
static int add_file(struct order *o, const char *value, struct diag *d)
{
	const char *equals = strrchr(value, '=');
	struct definer_file *files;
	char **hosts;
	char *host;

	files = array_grow(o->files, o->nr_files, sizeof(*files));
	if (files)
		o->files = files;
	hosts = array_grow(o->hosts, o->nr_hosts, sizeof(*hosts));
	if (hosts)
		o->hosts = hosts;
	host = files && hosts ? strdup(value) : NULL;
	if (!host)
		return diag_no_memory(d);
	hosts[o->nr_hosts++] = host;
	if (equals)
		host[equals - value] = '\0';
	files[o->nr_files++] = (struct definer_file){
		.target = equals ? equals + 1 : value, .host = host,
	};
	if (*files[o->nr_files - 1].target == '/')
		return 0;
	diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, "-x");
	diag_hint(d, "the path on the target begins with '/': -x FILE=/PATH");
	return -EINVAL;
}

int order_option(struct order *o, int key, const char *value, struct diag *d)
{
	switch (key) {
	case 'm':
		return append(&o->modules, &o->nr_modules, value, d);
	case 'x':
		return add_file(o, value, d);
	case OPT_PARAM:
		return params_take_option(&o->params, value, d);
	case 's':
		o->source = value;
		return 0;
	case 'o':
		o->output = value;
		return 0;
	case 'q':
		o->quiet = true;
		return 0;
	default: /* -k, --for */
		return append(&o->kernels, &o->nr_kernels, value, d);
	}
}

int order_make(const struct order *o, const struct words *words,
	       struct diag *d, struct bundle **ret)
{
	struct notices notices = { .quiet = o->quiet };
	const struct bundle_order order = {
		.kernels = o->kernels,
		.nr_kernels = o->nr_kernels,
		.modules = o->modules,
		.nr_modules = o->nr_modules,
		.files = o->files,
		.nr_files = o->nr_files,
		.definitions = (const char *const *)words->word,
		.nr_definitions = words->nr,
		.params = &o->params,
		.source = o->source,
		.maker = KTAP_VERSION,
		.notice = notices_show,
		.notice_ctx = &notices,
	};

	return bundle_make(&order, d, ret);
}
