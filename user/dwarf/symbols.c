// SPDX-License-Identifier: GPL-2.0
/* Symbols of a kernel's file, as the kernel that runs would list them. */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/fmt.h"
#include "base/sort.h"
#include "dwarf/file.h"

/* As nm prints it: large letters where other files see the symbol. */
static char letter_of(Elf *elf, const GElf_Sym *sym, GElf_Word section)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	bool is_global = GELF_ST_BIND(sym->st_info) != STB_LOCAL;
	char letter = 'a';
	GElf_Shdr sh;

	if (scn && gelf_getshdr(scn, &sh)) {
		if (sh.sh_flags & SHF_EXECINSTR)
			letter = 't';
		else if (!(sh.sh_flags & SHF_WRITE))
			letter = 'r';
		else
			letter = sh.sh_type == SHT_NOBITS ? 'b' : 'd';
	}
	return is_global ? letter - 'a' + 'A' : letter;
}

/* There are hundreds of thousands: printf() is too slow. */
static void put_symbol(struct buf *b, uint64_t value, char letter,
		       const char *name, const char *module)
{
	char text[FMT_MAX + 3], *at = fmt_hex(text, value);

	*at++ = ' ';
	*at++ = letter;
	*at++ = ' ';
	buf_put(b, text, at - text);
	buf_puts(b, name);
	if (module)
		buf_printf(b, "\t[%s]", module);
	buf_putc(b, '\n');
}

/* struct symbol - one, with its address as the file has it */
struct symbol {
	const char *name;
	uint64_t address;
	GElf_Sym sym;
	Elf *elf;
	GElf_Word section;
};

/* Symbols of a module count from their sections, which libdwfl has laid out. */
static bool get_symbol(struct debug *dbg, int i, struct symbol *ret)
{
	GElf_Addr address;
	Dwarf_Addr bias;
	unsigned int type;

	ret->name = dwfl_module_getsym_info(dbg->mod, i, &ret->sym, &address,
					    &ret->section, &ret->elf, &bias);
	ret->address = debug_is_module(dbg) ? address : ret->sym.st_value;
	type = GELF_ST_TYPE(ret->sym.st_info);
	return ret->name && *ret->name && *ret->name != '$' &&
	       ret->sym.st_shndx != SHN_UNDEF && type != STT_SECTION &&
	       type != STT_FILE;
}

/*
 * The kernel's numbers are not moved: the variables of each CPU, for one, may be counted
 * from 0. In the file of a module all addresses are counted from 0.
 */
static uint64_t slid(uint64_t address, const char *module, uint64_t slide)
{
	return module || address >> 63 ? address + slide : address;
}

void debug_symbols(struct debug *dbg, const char *module, uint64_t slide,
		   struct buf *b)
{
	int i, nr = dwfl_module_getsymtab(dbg->mod);
	struct symbol s;

	for (i = 1; i < nr; i++)
		if (get_symbol(dbg, i, &s))
			put_symbol(b, slid(s.address, module, slide),
				   letter_of(s.elf, &s.sym, s.section), s.name,
				   module);
}

bool debug_has_symbols(struct debug *dbg)
{
	return dwfl_module_getsymtab(dbg->mod) > 1;
}

bool debug_symbol_in(struct debug *dbg, uint64_t start, uint64_t end, int *pos,
		     const char **name, uint64_t *address)
{
	int nr = dwfl_module_getsymtab(dbg->mod);
	struct symbol s;

	while (++*pos < nr) {
		if (!get_symbol(dbg, *pos, &s) || s.address < start ||
		    s.address >= end || s.sym.st_shndx == SHN_ABS)
			continue;
		*name = s.name;
		*address = s.address;
		return true;
	}
	return false;
}

bool debug_symbol(struct debug *dbg, const char *name, uint64_t *ret)
{
	int i, nr = dwfl_module_getsymtab(dbg->mod);
	bool found = false;
	uint64_t address;
	struct symbol s;

	for (i = 1; i < nr; i++) {
		if (!get_symbol(dbg, i, &s) || strcmp(s.name, name))
			continue;
		if (found && address != s.address)
			return false;
		address = s.address;
		found = true;
	}
	if (found)
		*ret = address;
	return found;
}

bool debug_section_at(struct debug *dbg, size_t i, struct debug_section *ret)
{
	Dwarf_Addr bias;
	Elf *elf = dwfl_module_getelf(dbg->mod, &bias);
	size_t strings;
	GElf_Shdr sh;

	if (!elf || elf_getshdrstrndx(elf, &strings))
		return false;
	/* the first one is none */
	ret->scn = elf_getscn(elf, i + 1);
	if (!ret->scn || !gelf_getshdr(ret->scn, &sh))
		return false;
	ret->name = elf_strptr(elf, strings, sh.sh_name);
	if (!ret->name)
		ret->name = "";
	ret->start = sh.sh_addr;
	ret->size = sh.sh_size;
	ret->is_loaded = sh.sh_flags & SHF_ALLOC;
	return true;
}

/* ---- functions by address ------------------------------------------------------------- */

/* By address; of those that begin at one the longest comes last. */
static int sort_codes(struct debug *dbg)
{
	const size_t size = sizeof(*dbg->code);
	int err;

	err = sort_by_u64(dbg->code, dbg->nr_codes, size,
			  offsetof(struct debug_code, end));
	return err ? err : sort_by_u64(dbg->code, dbg->nr_codes, size,
				       offsetof(struct debug_code, start));
}

static bool is_function(const GElf_Sym *sym)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);

	return sym->st_shndx != SHN_UNDEF &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC);
}

/* The library looks through all symbols each time: here they are sorted once. */
static void collect_codes(struct debug *dbg)
{
	int i, nr = dwfl_module_getsymtab(dbg->mod);
	GElf_Addr address;
	Dwarf_Addr bias;
	GElf_Sym sym;

	if (nr <= 0 || !dwfl_module_getelf(dbg->mod, &bias))
		return;
	dbg->code = calloc(nr, sizeof(*dbg->code));
	for (i = 1; dbg->code && i < nr; i++)
		if (dwfl_module_getsym_info(dbg->mod, i, &sym, &address, NULL,
					    NULL, NULL) &&
		    is_function(&sym))
			dbg->code[dbg->nr_codes++] = (struct debug_code){
				address - bias, address - bias + sym.st_size,
			};
	if (dbg->code && sort_codes(dbg))
		dbg->nr_codes = 0;
}

bool debug_function_symbol(struct debug *dbg, uint64_t address, uint64_t *start,
			   uint64_t *end)
{
	size_t low = 0, high;

	if (!dbg->code)
		collect_codes(dbg);
	for (high = dbg->nr_codes; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (dbg->code[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	/* the longest one that begins there; those without a size have no end */
	if (!low || (dbg->code[low - 1].end <= address &&
		     dbg->code[low - 1].end > dbg->code[low - 1].start))
		return false;
	*start = dbg->code[low - 1].start;
	*end = dbg->code[low - 1].end;
	return true;
}

bool debug_section(struct debug *dbg, const char *name, uint64_t *start,
		   uint64_t *size)
{
	struct debug_section s;

	for (size_t i = 0; debug_section_at(dbg, i, &s); i++) {
		if (strcmp(s.name, name))
			continue;
		*start = s.start;
		*size = s.size;
		return true;
	}
	return false;
}

bool debug_is_module(struct debug *dbg)
{
	Dwarf_Addr bias;
	Elf *elf = dwfl_module_getelf(dbg->mod, &bias);
	GElf_Ehdr header;

	return elf && gelf_getehdr(elf, &header) && header.e_type == ET_REL;
}

bool debug_arch(struct debug *dbg, enum ktap_arch *ret)
{
	Dwarf_Addr bias;
	Elf *elf = dwfl_module_getelf(dbg->mod, &bias);
	const struct arch *arch = NULL;
	GElf_Ehdr header;

	if (elf && gelf_getehdr(elf, &header))
		arch = arch_of_elf(header.e_ident, header.e_machine);
	if (arch)
		*ret = arch->id;
	return arch;
}
