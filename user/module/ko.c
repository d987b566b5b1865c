// SPDX-License-Identifier: GPL-2.0
#include "module/ko.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>

#include "base/whole.h"

#define SIZE_LIMIT	(64UL << 20)

int ko_read(const char *path, struct diag *d, enum diag_code refused, char **ret,
	    size_t *size)
{
	int err = read_regular(path, SIZE_LIMIT, ret, size);

	if (err == -ENOMEM)
		return diag_no_memory(d);
	if (err == -EINVAL || err == -EFBIG)
		return diag_set(d, -EINVAL, refused, path, KO_NOT_ONE);
	return err ? diag_set(d, err, DIAG_MODULE_TEMPLATE_OPEN, path, strerror(-err)) : 0;
}

const struct arch *ko_arch(Elf *elf)
{
	GElf_Ehdr head;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &head) ||
	    head.e_type != ET_REL)
		return NULL;
	return arch_of_elf(head.e_ident, head.e_machine);
}

Elf_Data *ko_section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	Elf_Data *data;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *found = gelf_getshdr(scn, &shdr) ?
				    elf_strptr(elf, names, shdr.sh_name) : NULL;

		if (!found || strcmp(found, name))
			continue;
		data = elf_getdata(scn, NULL);
		return data && data->d_buf ? data : NULL;
	}
	return NULL;
}
