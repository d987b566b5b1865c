// SPDX-License-Identifier: GPL-2.0
/*
 * Loading symbols, as /proc/kallsyms or System.map list them: "ADDRESS TYPE NAME", with
 * "\t[MODULE]" behind those of modules. The text is kept as it was read, with NULs where
 * names end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "place/cgroups.h"
#include "place/symtab.h"

#define KPTR_RESTRICT "/proc/sys/kernel/kptr_restrict"
#define FIRST_ROOM (4 << 20)

/* ---- the text ---- */

static int grow_memory(struct ksyms_room *r)
{
	size_t size = r->size ? 2 * r->size : FIRST_ROOM;
	char *text = realloc(r->text, size);

	if (!text)
		return -ENOMEM;
	r->text = text;
	r->size = size;
	return 0;
}

static int end_text(struct ksyms_room *r, size_t size)
{
	r->text[size] = '\0';
	return 0;
}

int ksyms_read(int fd, struct ksyms_room *r, struct ksyms *ks)
{
	ssize_t n = 1;
	int err = 0;

	while (!err && n) {
		if (ks->size + 1 >= r->size)
			err = r->grow(r);
		ks->text = r->text;
		if (err)
			break;
		n = read(fd, ks->text + ks->size, r->size - ks->size - 1);
		if (n < 0)
			err = errno == EINTR ? 0 : -errno;
		else
			ks->size += n;
	}
	return err ? err : r->end(r, ks->size);
}

static bool has_address(const char *line)
{
	while (*line == '0')
		line++;
	return *line != ' ' && *line;
}

void ksyms_split(struct ksyms *ks)
{
	char *line = ks->text, *end = ks->text + ks->size, *newline, *tab;

	ks->hidden = true;
	for (; line < end; line = newline + 1) {
		newline = memchr(line, '\n', end - line);
		if (!newline)
			newline = end;
		*newline = '\0';
		tab = newline > line && newline[-1] == ']' ?
		      memrchr(line, '\t', newline - line) : NULL;
		if (tab) {
			newline[-1] = '\0';
			*tab = '\0';
		}
		if (ks->hidden && has_address(line))
			ks->hidden = false;
	}
}

static int read_file(const char *path, struct ksyms *ks)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct ksyms_room room = { .grow = grow_memory, .end = end_text };

	return fd < 0 ? -errno : ksyms_read(fd, &room, ks);
}

/* ---- loading ---- */

struct ksyms *ksyms_new(void)
{
	_cleanup_(ksyms_freep) struct ksyms *ks = calloc(1, sizeof(*ks));

	if (!ks)
		return NULL;
	ks->index = ksym_index_new();
	return ks->index ? take_ptr(ks) : NULL;
}

int ksyms_load(const char *path, struct diag *d, struct ksyms **ret)
{
	_cleanup_(ksyms_freep) struct ksyms *ks = ksyms_new();
	struct ksym first;
	size_t pos = 0;
	int err;

	if (!path)
		path = KSYMS_RUNNING;
	err = ks ? read_file(path, ks) : -ENOMEM;
	if (err == -ENOMEM)
		return diag_set(d, err, DIAG_NO_MEMORY);
	if (err)
		return diag_set(d, err, DIAG_KSYMS_READ, path, strerror(-err));
	ksyms_split(ks);
	if (!ksyms_next(ks, &pos, &first))
		return diag_set(d, -EINVAL, DIAG_KSYMS_FORMAT, path);
	*ret = take_ptr(ks);
	return 0;
}

int ksyms_parse(const char *text, size_t size, struct diag *d,
		struct ksyms **ret)
{
	_cleanup_(ksyms_freep) struct ksyms *ks = ksyms_new();

	if (ks)
		ks->text = malloc(size + 1);
	if (!ks || !ks->text)
		return diag_no_memory(d);
	memcpy(ks->text, text, size);
	ks->text[size] = '\0';
	ks->size = size;
	ksyms_split(ks);
	*ret = take_ptr(ks);
	return 0;
}

void ksyms_free(struct ksyms *ks)
{
	if (!ks)
		return;
	if (ks->inlines.free)
		ks->inlines.free(ks->inlines.ctx);
	cgroups_free(ks->cgroups);
	ksyms_free(ks->recorded);
	ksym_index_free(ks->index);
	if (ks->map)
		munmap(ks->map, ks->map_size);
	else
		free(ks->text);
	free(ks);
}

void ksyms_set_inlines(struct ksyms *ks, const struct ksyms_inlines *in)
{
	ks->inlines = *in;
}

size_t ksyms_inlined(const struct ksyms *ks, uint64_t address,
		     const char *const **ret)
{
	if (!ks)
		return 0;
	if (ksym_is_user(address))
		return ks->more.inlined ? ks->more.inlined(ks->more.ctx, address, ret) : 0;
	return ks->inlines.find ? ks->inlines.find(ks->inlines.ctx, address, ret) : 0;
}

/* ---- control groups ---- */

int ksyms_read_cgroups(struct ksyms *ks)
{
	ks->cgroups = cgroups_open();
	return ks->cgroups ? 0 : -ENOMEM;
}

void ksyms_take_recorded(struct ksyms *ks, struct ksyms *recorded)
{
	ks->recorded = recorded;
}

/* ---- what is hidden ---- */

bool addresses_restricted(void)
{
	_cleanup_close_ int fd = open(KPTR_RESTRICT, O_RDONLY | O_CLOEXEC);
	char c;

	return fd >= 0 && read(fd, &c, 1) == 1 && c != '0' && c != '1';
}

const char *addresses_hidden_by(void)
{
	return addresses_restricted() ? "kernel.kptr_restrict is 2" :
					"no CAP_SYSLOG";
}

void addresses_hint(struct diag *d)
{
	if (addresses_restricted())
		diag_hint(d, "kernel.kptr_restrict is 2, which hides addresses from everybody");
	else
		diag_hint(d, "only root (CAP_SYSLOG) can see addresses");
}

bool ksyms_hidden(const struct ksyms *ks)
{
	return ks->hidden;
}
