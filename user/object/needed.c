// SPDX-License-Identifier: GPL-2.0
/* What is loaded with a program or library, and where. */
#include "object/file.h"

#include <string.h>

bool binary_address_of(const struct binary *bin, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < bin->nr_segments; i++) {
		const struct segment *s = &bin->segments[i];

		if (!(s->flags & PF_X) || offset < s->offset || offset - s->offset >= s->size)
			continue;
		*ret = s->address + (offset - s->offset);
		return true;
	}
	return false;
}

static int each_library(Elf_Scn *scn, Elf *elf, const GElf_Shdr *sh,
			int (*fn)(void *ctx, const char *name), void *ctx)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *name;
	GElf_Dyn dyn;
	int err = 0;

	for (int i = 0; !err && data && gelf_getdyn(data, i, &dyn); i++) {
		if (dyn.d_tag == DT_NULL)
			break;
		name = dyn.d_tag == DT_NEEDED ?
			       elf_strptr(elf, sh->sh_link, dyn.d_un.d_val) : NULL;
		if (name)
			err = fn(ctx, name);
	}
	return err;
}

/* The section has the path with its NUL, as the segment PT_INTERP has. */
static int interpreter(Elf *elf, int (*fn)(void *ctx, const char *name), void *ctx)
{
	GElf_Shdr sh;
	Elf_Scn *scn = binary_section(elf, ".interp", &sh);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;

	if (!data || !data->d_size || !memchr(data->d_buf, 0, data->d_size))
		return 0;
	return fn(ctx, data->d_buf);
}

int binary_needed(const struct binary *bin, int (*fn)(void *ctx, const char *name),
		  void *ctx)
{
	int err = interpreter(bin->elf, fn, ctx);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (!err && (scn = elf_nextscn(bin->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNAMIC)
			err = each_library(scn, bin->elf, &sh, fn, ctx);
	return err;
}
