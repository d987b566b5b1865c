// SPDX-License-Identifier: GPL-2.0
/* Thread-local variables of programs. */
#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/file.h"
#include "dwarf/name.h"

/* Linkers say since 2016 which of the shared objects are programs. */
static bool is_pie(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Dyn dyn;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(scn, NULL);
		for (int i = 0; data && gelf_getdyn(data, i, &dyn); i++)
			if (dyn.d_tag == DT_FLAGS_1)
				return dyn.d_un.d_val & DF_1_PIE;
	}
	return false;
}

static bool is_program(Elf *elf)
{
	GElf_Ehdr eh;

	return gelf_getehdr(elf, &eh) &&
	       (eh.e_type == ET_EXEC || (eh.e_type == ET_DYN && is_pie(elf)));
}

bool debug_threads(struct debug *dbg, struct debug_threads *ret)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(dbg->mod, &bias);
	GElf_Phdr ph;

	if (!elf || !is_program(elf))
		return false;
	for (int i = 0; gelf_getphdr(elf, i, &ph); i++) {
		if (ph.p_type != PT_TLS || ph.p_align & (ph.p_align - 1))
			continue;
		*ret = (struct debug_threads){
			ph.p_vaddr, ph.p_memsz, ph.p_align ? ph.p_align : 1,
		};
		return true;
	}
	return false;
}

/* ---- by symbols ----------------------------------------------------------------------- */

/* Those of functions have no symbol of that name. */
static bool is_of_file(Dwarf_Die *die)
{
	Dwarf_Die *scopes = NULL;
	int nr = dwarf_getscopes_die(die, &scopes);
	/* the first one is the variable */
	int tag = nr > 1 ? dwarf_tag(&scopes[1]) : DW_TAG_invalid;

	free(scopes);
	return tag == DW_TAG_compile_unit || tag == DW_TAG_namespace;
}

/* What assemblers call the unit: the name of its file, without directories. */
static const char *file_of(Dwarf_Die *die)
{
	Dwarf_Die unit;
	const char *name = dwarf_diecu(die, &unit, NULL, NULL) ?
				   dwarf_diename(&unit) : NULL;

	return name ? basename(name) : "";
}

/* Static ones stand behind the name of the file that they are from. */
bool debug_thread_symbol(struct debug *dbg, Dwarf_Die *die, uint64_t *ret)
{
	const char *name = debug_linkage_name(die), *file = "", *found;
	bool is_static = !dwarf_hasattr_integrate(die, DW_AT_external);
	int i, nr = dwfl_module_getsymtab(dbg->mod);
	unsigned int matches = 0;
	GElf_Addr address;
	uint64_t value;
	GElf_Sym sym;

	if (!name)
		name = dwarf_diename(die);
	if (!name || !is_of_file(die))
		return false;
	for (i = 1; i < nr; i++) {
		found = dwfl_module_getsym_info(dbg->mod, i, &sym, &address,
						NULL, NULL, NULL);
		if (!found)
			continue;
		if (GELF_ST_TYPE(sym.st_info) == STT_FILE)
			file = found;
		if (GELF_ST_TYPE(sym.st_info) != STT_TLS ||
		    sym.st_shndx == SHN_UNDEF || strcmp(found, name) ||
		    is_static != (GELF_ST_BIND(sym.st_info) == STB_LOCAL) ||
		    (is_static && strcmp(file, file_of(die))))
			continue;
		value = sym.st_value;
		matches++;
	}
	if (matches != 1)
		return false;
	*ret = value;
	return true;
}
