// SPDX-License-Identifier: GPL-2.0
/*
 * Events of tracefs that the file of a kernel defines, and their groups. No debug
 * information has the groups: they are strings that the data of the events point at.
 */
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "dwarf/file.h"

/* A struct trace_event_call is called like the event, with this before it. */
#define EVENT "event_"
/* include/linux/trace_events.h, 5.10 to 7.3: a list_head, then the struct
 * trace_event_class, which begins with the name of the group.
 */
#define CLASS_AT 16
#define SYSTEM_AT 0

/* struct reloc - a word that the kernel itself sets when it starts */
struct reloc {
	uint64_t at;
	uint64_t value;
};

/**
 * struct image - the data of a kernel's file
 * @dbg: it
 * @relocs: by address; owned. On arm64 a pointer in the file is 0, and its value is here.
 * @nr_relocs: how many
 */
struct image {
	struct debug *dbg;
	struct reloc *relocs;
	size_t nr_relocs;
};

static int add_relocs(struct image *image, Elf_Data *data)
{
	size_t nr = data->d_size / sizeof(Elf64_Rela);
	GElf_Rela rela;

	image->relocs = calloc(nr, sizeof(*image->relocs));
	if (nr && !image->relocs)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		if (gelf_getrela(data, i, &rela))
			image->relocs[image->nr_relocs++] =
				(struct reloc){ rela.r_offset, rela.r_addend };
	return sort_by_u64(image->relocs, image->nr_relocs, sizeof(*image->relocs),
			   offsetof(struct reloc, at));
}

static int read_relocs(struct image *image)
{
	struct debug_section s;
	Elf_Data *data;

	for (size_t i = 0; debug_section_at(image->dbg, i, &s); i++) {
		if (strcmp(s.name, ".rela.dyn"))
			continue;
		data = elf_getdata(s.scn, NULL);
		return data && data->d_type == ELF_T_RELA ? add_relocs(image, data) : 0;
	}
	return 0;
}

/* The bytes of the file at @address, *@nr of them to the end of the section; or NULL. */
static const char *bytes_at(const struct image *image, uint64_t address, size_t *nr)
{
	struct debug_section s;
	Elf_Data *data;

	for (size_t i = 0; debug_section_at(image->dbg, i, &s); i++) {
		if (!s.is_loaded || address < s.start || address - s.start >= s.size)
			continue;
		data = elf_rawdata(s.scn, NULL);
		if (!data || !data->d_buf || address - s.start >= data->d_size)
			return NULL;
		*nr = data->d_size - (address - s.start);
		return (const char *)data->d_buf + (address - s.start);
	}
	return NULL;
}

static uint64_t relocated(const struct image *image, uint64_t address)
{
	size_t low = 0, high = image->nr_relocs;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (image->relocs[middle].at < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < image->nr_relocs && image->relocs[low].at == address ?
	       image->relocs[low].value : 0;
}

static bool read_pointer(const struct image *image, uint64_t address, uint64_t *ret)
{
	size_t nr;
	const char *bytes = bytes_at(image, address, &nr);

	if (!bytes || nr < sizeof(*ret))
		return false;
	memcpy(ret, bytes, sizeof(*ret));
	if (!*ret)
		*ret = relocated(image, address);
	return *ret;
}

/* Return: the group of the event whose struct trace_event_call is at @address, or NULL */
static const char *group_at(const struct image *image, uint64_t address)
{
	uint64_t class, system;
	const char *name;
	size_t nr;

	if (!read_pointer(image, address + CLASS_AT, &class) ||
	    !read_pointer(image, class + SYSTEM_AT, &system))
		return NULL;
	name = bytes_at(image, system, &nr);
	return name && *name && memchr(name, '\0', nr) ? name : NULL;
}

int debug_events(struct debug *dbg, debug_event_fn fn, void *ctx)
{
	struct image image = { .dbg = dbg };
	const char *name, *group;
	uint64_t address;
	int err, pos = 0;

	if (debug_is_module(dbg))
		return 0;
	err = read_relocs(&image);
	while (!err && debug_symbol_in(dbg, 1, UINT64_MAX, &pos, &name, &address)) {
		if (strncmp(name, EVENT, strlen(EVENT)))
			continue;
		group = group_at(&image, address);
		if (group)
			err = fn(ctx, group, name + strlen(EVENT));
	}
	free(image.relocs);
	return err;
}
