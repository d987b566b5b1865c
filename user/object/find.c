// SPDX-License-Identifier: GPL-2.0
/*
 * From the name of a program or library to its file, as a shell and the
 * dynamic linker find them. A machine may have no ldconfig: then the cache is
 * missing, and the directories are searched.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/exec_path.h"
#include "base/utf8.h"
#include "object/binary.h"

#define CACHE		"/etc/ld.so.cache"
#define CACHE_MAGIC	"glibc-ld.so.cache1.1"
#define CACHE_MAX	(64 << 20)
#define CONF		"/etc/ld.so.conf"
#define CONF_DEPTH	4

/**
 * struct search - a file being looked for
 * @name: what it is called
 * @arch: whose code has to be in it
 * @found: path; owned by the caller in the end
 * @failed: memory ran out
 */
struct search {
	const char *name;
	enum ktap_arch arch;
	char *found;
	bool failed;
};

/* ---- candidates ---- */

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* Return: true ends the search. */
static bool take(struct search *s, const char *path)
{
	s->found = strdup(path);
	s->failed = !s->found;
	return true;
}

static bool try_library(struct search *s, const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf64_Ehdr header;

	if (fd < 0 || pread(fd, &header, sizeof(header), 0) != sizeof(header))
		return false;
	return !memcmp(header.e_ident, ELFMAG, SELFMAG) &&
	       arch_of_elf(header.e_ident, header.e_machine) == arch_find(s->arch) &&
	       take(s, path);
}

static bool try_directory(struct search *s, const char *dir)
{
	_cleanup_buf_ struct buf path = BUF_INIT;

	buf_printf(&path, "%s/%s", dir, s->name);
	return try_library(s, buf_str(&path));
}

/* ---- programs ---- */

/* In full, so that it is good in another directory too. */
static bool take_path(struct search *s, const char *name)
{
	_cleanup_free_ char *here = NULL;
	_cleanup_buf_ struct buf path = BUF_INIT;

	if (*name != '/') {
		here = getcwd(NULL, 0);
		while (!strncmp(name, "./", 2))
			name += 2 + strspn(name + 2, "/");
	}
	if (here)
		buf_printf(&path, "%s/", strcmp(here, "/") ? here : "");
	buf_puts(&path, name);
	return take(s, buf_str(&path));
}

static bool search_path(struct search *s)
{
	_cleanup_buf_ struct buf file = BUF_INIT;
	struct exec_path path;

	exec_path_init(&path);
	while (exec_path_next(&path, &file)) {
		buf_printf(&file, "/%s", s->name);
		if (is_program(buf_str(&file)))
			return take_path(s, buf_str(&file));
	}
	return false;
}

/* ---- the dynamic linker's cache ---- */

/* struct cache_header, struct cache_entry - as glibc's ldconfig writes them */
struct cache_header {
	char magic[20];
	uint32_t nr;
	uint32_t strings_size;
	uint32_t unused[5];
};

struct cache_entry {
	int32_t flags;
	uint32_t name;		/* from the start of the header */
	uint32_t path;
	uint32_t os_version;
	uint64_t hwcap;
};

static int read_file(const char *path, struct buf *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	char block[16384];
	ssize_t n;

	if (fd < 0)
		return -errno;
	while ((n = read(fd, block, sizeof(block))) > 0 && ret->size < CACHE_MAX)
		buf_put(ret, block, n);
	return n || ret->failed ? -EIO : 0;
}

static bool search_entries(struct search *s, const char *cache, size_t size)
{
	struct cache_header header;
	struct cache_entry entry;
	size_t i, at;

	memcpy(&header, cache, sizeof(header));
	for (i = 0; i < header.nr; i++) {
		at = sizeof(header) + i * sizeof(entry);
		if (size < sizeof(entry) || at > size - sizeof(entry))
			return false;
		memcpy(&entry, cache + at, sizeof(entry));
		/* with a hwcap it is for some processors only; the buffer ends
		 * with a NUL, so that no text does not
		 */
		if (!entry.hwcap && entry.name < size && entry.path < size &&
		    !strcmp(cache + entry.name, s->name) &&
		    try_library(s, cache + entry.path))
			return true;
	}
	return false;
}

static bool search_cache(struct search *s)
{
	_cleanup_buf_ struct buf cache = BUF_INIT;
	const char *start;

	if (read_file(CACHE, &cache) || cache.size < sizeof(struct cache_header))
		return false;
	/* older ones have a part in another format in front */
	start = memmem(cache.data, cache.size, CACHE_MAGIC,
		       strlen(CACHE_MAGIC));
	if (!start ||
	    cache.data + cache.size - start < (ssize_t)sizeof(struct cache_header))
		return false;
	return search_entries(s, start, cache.data + cache.size - start);
}

/* ---- directories ---- */

static bool search_conf(struct search *s, const char *path, unsigned int depth);

static bool search_included(struct search *s, const char *pattern,
			    unsigned int depth)
{
	bool found = false;
	glob_t files;

	if (glob(pattern, 0, NULL, &files))
		return false;
	for (size_t i = 0; !found && i < files.gl_pathc; i++)
		found = search_conf(s, files.gl_pathv[i], depth + 1);
	globfree(&files);
	return found;
}

static bool search_conf_line(struct search *s, char *line, unsigned int depth)
{
	line[strcspn(line, "#\r\n")] = '\0';
	line += strspn(line, " \t");
	if (!strncmp(line, "include", 7) && strchr(" \t", line[7]))
		return search_included(s, line + 7 + strspn(line + 7, " \t"),
				       depth);
	return *line == '/' && try_directory(s, line);
}

static bool search_conf(struct search *s, const char *path, unsigned int depth)
{
	FILE *f = depth <= CONF_DEPTH ? fopen(path, "re") : NULL;
	bool found = false;
	char *line = NULL;
	size_t room = 0;

	if (!f)
		return false;
	while (!found && getline(&line, &room, f) > 0)
		found = search_conf_line(s, line, depth);
	free(line);
	fclose(f);
	return found;
}

static bool search_standard(struct search *s)
{
	static const char *const dirs[] = {
		"/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib",
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		_cleanup_buf_ struct buf dir = BUF_INIT;

		buf_printf(&dir, "%s/%s", dirs[i],
			   arch_find(s->arch)->libraries);
		if (try_directory(s, buf_str(&dir)))
			return true;
	}
	for (i = 0; i < ARRAY_SIZE(dirs); i++)
		if (try_directory(s, dirs[i]))
			return true;
	return false;
}

static bool search_libraries(struct search *s)
{
	return search_cache(s) || search_conf(s, CONF, 0) || search_standard(s);
}

static bool search(struct search *s)
{
	if (strchr(s->name, '/'))
		return take_path(s, s->name);
	if (strstr(s->name, ".so"))
		return search_libraries(s) || search_path(s);
	return search_path(s) || search_libraries(s);
}

int binary_find(const char *name, enum ktap_arch arch, struct diag *d,
		char **ret)
{
	struct search s = { .name = name, .arch = arch };

	if (!*name || !search(&s)) {
		diag_set(d, -ENOENT, DIAG_ELF_NOT_FOUND, name);
		diag_hint(d, "a name without '/' is searched in PATH and where the dynamic linker does; './%s' is a file",
			  name);
		return -ENOENT;
	}
	if (s.failed)
		return diag_no_memory(d);
	if (!utf8_is_plain(s.found, strlen(s.found))) {
		diag_set(d, -EINVAL, DIAG_ELF_ODD_PATH, s.found);
		diag_hint(d, "a link with another name works");
		free(s.found);
		return -EINVAL;
	}
	*ret = s.found;
	return 0;
}
