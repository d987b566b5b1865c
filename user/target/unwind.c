// SPDX-License-Identifier: GPL-2.0
/*
 * In place of what user stacks need of object/ and dwarf/: frames are places in files, without
 * names, and hits follow frame pointers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dwarf/unwind.h"
#include "object/binary.h"

/* A path: names are found where libraries are, which is not known here. */
int binary_find(const char *name, enum ktap_arch arch, struct diag *d, char **ret)
{
	(void)arch;
	(void)d;
	if (!strchr(name, '/'))
		return -ENOENT;
	*ret = strdup(name);
	return *ret ? 0 : -ENOMEM;
}

int binary_image(const char *path, const void *image, size_t size, struct diag *d,
		 struct binary **ret)
{
	(void)path;
	(void)image;
	(void)size;
	(void)d;
	(void)ret;
	return -EINVAL;
}

int binary_needed(const struct binary *bin, int (*fn)(void *ctx, const char *name),
		  void *ctx)
{
	(void)bin;
	(void)fn;
	(void)ctx;
	return 0;
}

bool binary_address_of(const struct binary *bin, uint64_t offset, uint64_t *ret)
{
	(void)bin;
	(void)offset;
	(void)ret;
	return false;
}

bool binary_has_symtab(const struct binary *bin)
{
	return false;
}

const struct binary_sym *binary_syms(struct binary *bin, struct diag *d, size_t *nr)
{
	(void)bin;
	(void)d;
	*nr = 0;
	return NULL;
}

const struct binary_sym *binary_sym_at(const struct binary *bin, uint64_t address)
{
	(void)bin;
	(void)address;
	return NULL;
}

int unwind_table_make(int fd, size_t max_rows, struct unwind_table *ret)
{
	(void)fd;
	(void)max_rows;
	*ret = (struct unwind_table){ 0 };
	return 0;
}

void unwind_table_deinit(struct unwind_table *t)
{
	(void)t;
}
