// SPDX-License-Identifier: GPL-2.0
/* Files of modules of the kernel: what they are called, and which one is loaded. */
#include <errno.h>
#include <gelf.h>
#include <stdio.h>

#include "dwarf/file.h"
#include "dwarf/running.h"

#define SYSFS "/sys/module/%s/"

int debug_check_module(const struct debug *dbg, const char *module,
		       struct diag *d)
{
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, SYSFS "notes/.note.gnu.build-id", module) < 0) {
		path = NULL;
		return diag_no_memory(d);
	}
	if (running_has_id(path, dbg))
		return 0;
	return diag_set(d, -EINVAL, DIAG_DEBUG_OTHER_MODULE, debug_path(dbg),
			module);
}

/* ---- names ----------------------------------------------------------------------------- */

/* As modpost writes it: strings, one behind the other. */
static const char *name_in_info(const char *info, size_t size)
{
	static const char key[] = "name=";
	size_t at = 0, length;

	for (; at < size; at += length + 1) {
		length = strnlen(info + at, size - at);
		if (at + length == size)
			break;
		if (!strncmp(info + at, key, strlen(key)))
			return info + at + strlen(key);
	}
	return NULL;
}

static char *name_of_path(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *end = strstr(base, ".ko");
	char *name;

	name = strndup(base, end ? (size_t)(end - base) : strlen(base));
	for (char *c = name; c && *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

char *debug_module_name(struct debug *dbg)
{
	struct debug_section s;
	const char *name = NULL;
	Elf_Data *data;

	for (size_t i = 0; debug_section_at(dbg, i, &s); i++) {
		if (strcmp(s.name, ".modinfo"))
			continue;
		data = elf_rawdata(s.scn, NULL);
		if (data && data->d_buf)
			name = name_in_info(data->d_buf, data->d_size);
	}
	return name ? strdup(name) : name_of_path(debug_path(dbg));
}
