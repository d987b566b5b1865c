// SPDX-License-Identifier: GPL-2.0
/*
 * Modules of the kernel by their names: where their files are, whether they are loaded,
 * and where their sections are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "dwarf/debug.h"

#define SYSFS "/sys/module/%s/"

/* ---- files ----------------------------------------------------------------------------- */

static bool is_end(const char *path)
{
	return !*path || *path == '.' || *path == ':';
}

/* Whether @path is of the module @name; '-' and '_' are the same letter. */
static bool is_file_of(const char *path, size_t length, const char *name)
{
	const char *slash = memrchr(path, '/', length);
	const char *base = slash ? slash + 1 : path;

	for (; *name && !is_end(base); base++, name++)
		if ((*base == '-' ? '_' : *base) != (*name == '-' ? '_' : *name))
			return false;
	return !*name && !strncmp(base, ".ko", 3);
}

static FILE *open_list(const char *release)
{
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "/lib/modules/%s/modules.dep", release) < 0) {
		path = NULL;
		return NULL;
	}
	return fopen(path, "re");
}

/* The file below /lib/modules/@release that depmod found; malloc'ed, or NULL. */
static char *find_ko(const char *release, const char *name)
{
	_cleanup_fclose_ FILE *f = open_list(release);
	_cleanup_free_ char *line = NULL;
	size_t room = 0, length;

	while (f && getline(&line, &room, f) > 0) {
		length = strcspn(line, ":");
		if (is_file_of(line, length, name))
			return strndup(line, length);
	}
	return NULL;
}

/* With the release, and what is below it: without what says how it is packed. */
static const char *const places[] = {
	"/lib/modules/%s/%s",
	"/usr/lib/debug/lib/modules/%s/%s",
	"/usr/lib/debug/lib/modules/%s/%s.debug",
};

char *debug_module_path(const char *module, unsigned int i)
{
	_cleanup_free_ char *ko = NULL;
	struct utsname name;
	char *path, *end;

	if (i >= ARRAY_SIZE(places) || uname(&name))
		return NULL;
	ko = find_ko(name.release, module);
	if (!ko)
		return NULL;
	end = i ? strstr(ko, ".ko") : NULL;
	if (end)
		end[strlen(".ko")] = '\0';
	/* depmod writes whole paths of what is elsewhere */
	if (asprintf(&path, *ko == '/' ? "%.0s%s" : places[i], name.release,
		     ko) < 0)
		return NULL;
	return path;
}

/* ---- what is loaded -------------------------------------------------------------------- */

/* The first line of a file of it; empty: there is none. */
static void read_line(const char *module, const char *file, char *line,
		      size_t size)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_fclose_ FILE *f = NULL;

	*line = '\0';
	if (asprintf(&path, SYSFS "%s", module, file) < 0) {
		path = NULL;
		return;
	}
	f = fopen(path, "re");
	if (!f || !fgets(line, size, f))
		*line = '\0';
}

bool debug_module_is_loaded(const char *module)
{
	char line[16];

	read_line(module, "initstate", line, sizeof(line));
	return *line;
}

bool debug_module_is_live(const char *module)
{
	char line[16];

	read_line(module, "initstate", line, sizeof(line));
	return !strncmp(line, "live", 4);
}

bool debug_module_section(const char *module, const char *section,
			  uint64_t *ret)
{
	_cleanup_free_ char *file = NULL;
	char line[32];

	if (asprintf(&file, "sections/%s", section) < 0) {
		file = NULL;
		return false;
	}
	read_line(module, file, line, sizeof(line));
	*ret = strtoull(line, NULL, 16);
	/* those without the right to see it see 0 */
	return *ret;
}
