// SPDX-License-Identifier: GPL-2.0
/* Runs user/tests/elf/build, and asks nm and the files themselves. */
#include "tests/elf_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "dwarf/debug.h"

static struct made {
	const char *prefix;
	char dir[64];
	pid_t owner;
} all_made[2];

static int run(const char *fmt, ...)
{
	char command[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	return system(command);
}

/* What a test forks ends here too: the files are not its own. */
static void remove_all(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all_made); i++)
		if (all_made[i].prefix && all_made[i].owner == getpid())
			run("rm -rf '%s'", all_made[i].dir);
}

const char *elf_files_make(const char *prefix)
{
	struct made *m = all_made;

	for (; m->prefix; m++)
		if (!strcmp(m->prefix, prefix))
			return m->dir;
	assert_true(m < all_made + ARRAY_SIZE(all_made));
	if (run("command -v %sgcc >/dev/null", prefix))
		return NULL;
	strcpy(m->dir, "/tmp/ktap-elf.XXXXXX");
	assert_non_null(mkdtemp(m->dir));
	if (m == all_made)
		atexit(remove_all);
	m->prefix = prefix;
	m->owner = getpid();
	assert_int_equal(run("sh user/tests/elf/build '%s' '%s' >&2", m->dir,
			     prefix), 0);
	return m->dir;
}

char *elf_file(const char *dir, const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", dir, name) > 0);
	return path;
}

struct debug *elf_file_debug(const char *dir, const char *name)
{
	_cleanup_free_ char *path = elf_file(dir, name);
	struct debug *dbg = NULL;
	struct diag d = {};

	if (access(path, R_OK))
		return NULL;
	if (debug_open(path, &d, &dbg))
		fail_msg("%s: %s", name, d.message);
	return dbg;
}

uint64_t elf_file_nm(const char *path, const char *table, const char *symbol,
		     size_t nr)
{
	unsigned long long address;
	char command[1024], name[512];
	bool found = false;
	FILE *f;

	/* the plugins for objects of LTO take ten times as long as the rest */
	snprintf(command, sizeof(command), "nm --plugin / %s '%s' | grep -v ' [Uw] '",
		 table, path);
	f = popen(command, "r");
	assert_non_null(f);
	while (!found && fscanf(f, "%llx %*c %511s", &address, name) == 2)
		found = !strcmp(name, symbol) && !nr--;
	pclose(f);
	if (!found)
		fail_msg("nm %s %s: no %s", table, path, symbol);
	return address;
}

uint64_t elf_file_find(const char *path, const char *text)
{
	FILE *f = fopen(path, "r");
	char *bytes;
	char *at;
	long size;

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	bytes = malloc(size);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, size, f), size);
	fclose(f);
	at = memmem(bytes, size, text, strlen(text));
	assert_non_null(at);
	assert_null(memmem(at + 1, bytes + size - at - 1, text, strlen(text)));
	size = at - bytes;
	free(bytes);
	return size;
}
