// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols of a program or library, from all of its tables: .symtab, .dynsym
 * with its versions, mini debug information, and .symtab of its debug file.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/array.h"
#include "object/file.h"

/* Symbols that may cover an address and start before it: see sym_at(). */
#define NESTED_MAX 64

static const struct binary_sym no_syms;

/* struct version - what a number in .gnu.version means */
struct version {
	const char *name;
	const char *library;
};

/**
 * struct table - one symbol table being read
 * @bin: file
 * @elf: where the table is: the file or its mini debug information
 * @strings: section of its names
 * @numbers: .gnu.version, or NULL
 * @versions: by number
 * @nr_versions: how many
 */
struct table {
	struct binary *bin;
	Elf *elf;
	size_t strings;
	Elf_Data *numbers;
	struct version *versions;
	size_t nr_versions;
};

/* ---- versions ---- */

static int put_version(struct table *t, unsigned int number, const char *name,
		       const char *library)
{
	struct version *versions;

	number &= ~0x8000U;
	if (!name || number < 2)
		return 0;
	if (number >= t->nr_versions) {
		versions = reallocarray(t->versions, number + 1,
					sizeof(*versions));
		if (!versions)
			return -ENOMEM;
		memset(versions + t->nr_versions, 0,
		       (number + 1 - t->nr_versions) * sizeof(*versions));
		t->versions = versions;
		t->nr_versions = number + 1;
	}
	t->versions[number] = (struct version){ name, library };
	return 0;
}

/* Versions of the symbols that are here. Each step goes forward. */
static int read_definitions(struct table *t, Elf_Data *data, size_t strings)
{
	GElf_Verdaux aux;
	GElf_Verdef def;
	size_t at = 0;
	int err = 0;

	while (!err && at <= INT_MAX && gelf_getverdef(data, at, &def)) {
		if (!(def.vd_flags & VER_FLG_BASE) &&
		    gelf_getverdaux(data, at + def.vd_aux, &aux))
			err = put_version(t, def.vd_ndx,
					  elf_strptr(t->elf, strings,
						     aux.vda_name),
					  NULL);
		if (!def.vd_next)
			break;
		at += def.vd_next;
	}
	return err;
}

/* Versions wanted of one library; @at is that of the first. */
static int read_wanted(struct table *t, Elf_Data *data, size_t at,
		       size_t strings, const char *library)
{
	GElf_Vernaux aux;
	int err = 0;

	while (!err && at <= INT_MAX && gelf_getvernaux(data, at, &aux)) {
		err = put_version(t, aux.vna_other,
				  elf_strptr(t->elf, strings, aux.vna_name),
				  library);
		if (!aux.vna_next)
			break;
		at += aux.vna_next;
	}
	return err;
}

static int read_needs(struct table *t, Elf_Data *data, size_t strings)
{
	GElf_Verneed need;
	size_t at = 0;
	int err = 0;

	while (!err && at <= INT_MAX && gelf_getverneed(data, at, &need)) {
		err = read_wanted(t, data, at + need.vn_aux, strings,
				  elf_strptr(t->elf, strings, need.vn_file));
		if (!need.vn_next)
			break;
		at += need.vn_next;
	}
	return err;
}

static int read_versions(struct table *t)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	int err = 0;

	while (!err && (scn = elf_nextscn(t->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) ||
		    (sh.sh_type != SHT_GNU_versym &&
		     sh.sh_type != SHT_GNU_verdef &&
		     sh.sh_type != SHT_GNU_verneed))
			continue;
		data = elf_getdata(scn, NULL);
		if (!data)
			continue;
		if (sh.sh_type == SHT_GNU_versym)
			t->numbers = data;
		else if (sh.sh_type == SHT_GNU_verdef)
			err = read_definitions(t, data, sh.sh_link);
		else
			err = read_needs(t, data, sh.sh_link);
	}
	return err;
}

/* .dynsym: the version has a number, and a bit for "not the default". */
static void set_version(const struct table *t, size_t i, struct binary_sym *sym)
{
	const struct version *v;
	GElf_Versym number;

	if (!t->numbers || i > INT_MAX ||
	    !gelf_getversym(t->numbers, i, &number))
		return;
	if ((number & 0x7fff) >= t->nr_versions)
		return;
	v = &t->versions[number & 0x7fff];
	sym->version = v->name;
	sym->library = v->library;
	sym->is_default = !v->name || !(number & 0x8000);
}

/* .symtab: the version is a part of the name, behind '@' or '@@'. */
static int split_version(struct table *t, struct binary_sym *sym)
{
	const char *at = strchr(sym->name, '@');
	struct binary *bin = t->bin;
	char *copy, **names;

	if (!at || at == sym->name)
		return 0;
	names = array_grow(bin->names, bin->nr_names, sizeof(*names));
	if (!names)
		return -ENOMEM;
	bin->names = names;
	copy = strdup(sym->name);
	if (!copy)
		return -ENOMEM;
	names[bin->nr_names++] = copy;
	copy[at - sym->name] = '\0';
	sym->is_default = at[1] == '@';
	sym->version = copy + (at - sym->name) + 1 + sym->is_default;
	sym->name = copy;
	return 0;
}

/* ---- symbols ---- */

/* $x, $d.12: where code and data begin, for disassemblers. */
static bool is_mapping(const struct binary *bin, const char *name)
{
	const char *kinds = arch_find(bin->arch)->mapping_symbols;

	return kinds && name[0] == '$' && name[1] && strchr(kinds, name[1]) &&
	       (!name[2] || name[2] == '.');
}

/* false: it names nothing that could be meant. */
static bool set_kind(const struct binary *bin, const GElf_Sym *elf_sym,
		     struct binary_sym *sym)
{
	unsigned int type = GELF_ST_TYPE(elf_sym->st_info);

	if (type == STT_SECTION || type == STT_FILE ||
	    elf_sym->st_shndx == SHN_ABS || is_mapping(bin, sym->name))
		return false;
	sym->is_label = type == STT_NOTYPE;
	if (elf_sym->st_shndx == SHN_UNDEF)
		sym->kind = BINARY_IMPORTED;
	else if (type == STT_GNU_IFUNC)
		sym->kind = BINARY_IFUNC;
	else if (type == STT_FUNC ||
		 (sym->is_label && binary_is_code(bin, sym->address)))
		sym->kind = BINARY_CODE;
	else
		sym->kind = BINARY_DATA;
	return true;
}

static int read_sym(struct table *t, size_t i, const GElf_Sym *elf_sym)
{
	struct binary_sym sym = {
		.name = elf_strptr(t->elf, t->strings, elf_sym->st_name),
		.address = elf_sym->st_value,
		.size = elf_sym->st_size,
		.is_default = true,
		.is_global = GELF_ST_BIND(elf_sym->st_info) != STB_LOCAL,
	};
	struct binary *bin = t->bin;
	struct binary_sym *syms;
	int err = 0;

	if (!sym.name || !*sym.name || !set_kind(bin, elf_sym, &sym))
		return 0;
	/* the slot of a procedure linkage table is no address of its own */
	if (sym.kind == BINARY_IMPORTED)
		sym.address = 0;
	if (t->numbers)
		set_version(t, i, &sym);
	else
		err = split_version(t, &sym);
	if (err)
		return err;
	syms = array_grow(bin->syms, bin->nr_syms, sizeof(*syms));
	if (!syms)
		return -ENOMEM;
	bin->syms = syms;
	syms[bin->nr_syms++] = sym;
	return 0;
}

static int read_table(struct table *t, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t i, nr, size = gelf_fsize(t->elf, ELF_T_SYM, 1, EV_CURRENT);
	GElf_Sym sym;
	int err = 0;

	if (!data || !size)
		return 0;
	t->strings = sh->sh_link;
	nr = data->d_size / size;
	for (i = 1; !err && i < nr && i <= INT_MAX; i++) {
		if (!gelf_getsym(data, i, &sym))
			break;
		err = read_sym(t, i, &sym);
	}
	return err;
}

static int read_tables(struct binary *bin, Elf *elf)
{
	struct table t = { .bin = bin, .elf = elf };
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int err = 0;

	while (!err && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		if (sh.sh_type == SHT_DYNSYM)
			err = read_versions(&t);
		else if (sh.sh_type != SHT_SYMTAB)
			continue;
		if (!err)
			err = read_table(&t, scn, &sh);
		t.numbers = NULL;
	}
	free(t.versions);
	return err;
}

/* ---- order ---- */

static int compare_addresses(const struct binary_sym *a,
			     const struct binary_sym *b)
{
	return a->address < b->address ? -1 : a->address > b->address;
}

static int compare_texts(const char *a, const char *b)
{
	if (!a || !b)
		return !a - !b;
	return strcmp(a, b);
}

/* Copies of one symbol stand together, those that tell more first. */
static int by_identity(const void *x, const void *y)
{
	const struct binary_sym *a = x, *b = y;
	int order = compare_addresses(a, b);

	if (!order)
		order = strcmp(a->name, b->name);
	if (!order)
		order = compare_texts(a->version, b->version);
	if (!order)
		order = compare_texts(a->library, b->library);
	return order ? order : (int)b->is_global - (int)a->is_global;
}

static bool is_copy(const struct binary_sym *sym,
		    const struct binary_sym *before)
{
	return sym->address == before->address && sym->kind == before->kind &&
	       !strcmp(sym->name, before->name) &&
	       (!sym->version || !compare_texts(sym->version, before->version));
}

static void drop_copies(struct binary *bin)
{
	size_t i, nr = 0;

	for (i = 0; i < bin->nr_syms; i++)
		if (!nr || !is_copy(&bin->syms[i], &bin->syms[nr - 1]))
			bin->syms[nr++] = bin->syms[i];
	bin->nr_syms = nr;
}

/* How good a name for its address it is; less is better. */
static int rank(const struct binary_sym *sym)
{
	return (sym->kind != BINARY_CODE) << 3 | sym->is_label << 2 |
	       !sym->is_global << 1 | !sym->is_default;
}

static int by_address(const void *x, const void *y)
{
	const struct binary_sym *a = x, *b = y;
	int order = compare_addresses(a, b);

	if (!order)
		order = rank(a) - rank(b);
	return order ? order : strcmp(a->name, b->name);
}

static void sort(struct binary *bin, int (*order)(const void *, const void *))
{
	if (bin->nr_syms)
		qsort(bin->syms, bin->nr_syms, sizeof(bin->syms[0]), order);
}

static int read_all(struct binary *bin)
{
	int err = read_tables(bin, bin->elf);

	if (!err)
		err = binary_mini(bin);
	if (!err && bin->mini)
		err = read_tables(bin, bin->mini);
	if (!err && bin->more)
		err = read_tables(bin, bin->more);
	return err;
}

static bool has_symtab(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

bool binary_has_symtab(const struct binary *bin)
{
	return bin->mini || bin->more || has_symtab(bin->elf);
}

bool binary_add_symbols(struct binary *bin, Elf *elf)
{
	if (bin->more || has_symtab(bin->elf) || !has_symtab(elf))
		return false;
	bin->more = elf;
	bin->has_syms = false;
	return true;
}

const struct binary_sym *binary_syms(struct binary *bin, struct diag *d,
				     size_t *nr)
{
	if (!bin->has_syms) {
		bin->nr_syms = 0;
		if (read_all(bin)) {
			diag_no_memory(d);
			return NULL;
		}
		sort(bin, by_identity);
		drop_copies(bin);
		sort(bin, by_address);
		bin->has_syms = true;
	}
	*nr = bin->nr_syms;
	/* NULL is for failure */
	return bin->syms ? bin->syms : &no_syms;
}

/* ---- by address ---- */

/* The first symbol whose address is above @address. */
static size_t above(const struct binary *bin, uint64_t address)
{
	size_t low = 0, high = bin->nr_syms;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (bin->syms[middle].address > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool has_code(const struct binary_sym *sym)
{
	return sym->kind == BINARY_CODE || sym->kind == BINARY_IFUNC;
}

uint64_t binary_sym_end(const struct binary *bin, const struct binary_sym *sym)
{
	const struct segment *s = binary_segment(bin, sym->address);
	uint64_t end = s ? s->address + s->size : sym->address;
	size_t i;

	if (sym->size)
		return sym->size < end - sym->address ?
		       sym->address + sym->size : end;
	for (i = above(bin, sym->address); i < bin->nr_syms; i++)
		if (has_code(&bin->syms[i]))
			return bin->syms[i].address < end ?
			       bin->syms[i].address : end;
	return end;
}

/* The best name of an address stands first there. */
static const struct binary_sym *best_name(const struct binary *bin,
					  const struct binary_sym *sym,
					  uint64_t address)
{
	const struct binary_sym *best = sym;

	while (sym > bin->syms && sym[-1].address == sym->address) {
		sym--;
		if (has_code(sym) && address < binary_sym_end(bin, sym))
			best = sym;
	}
	return best;
}

/* A function goes before a label that stands in it. */
const struct binary_sym *binary_sym_at(const struct binary *bin,
				       uint64_t address)
{
	const struct binary_sym *label = NULL, *sym;
	size_t i = above(bin, address), first;

	first = i > NESTED_MAX ? i - NESTED_MAX : 0;
	for (; i > first; i--) {
		sym = &bin->syms[i - 1];
		if (!has_code(sym) || address >= binary_sym_end(bin, sym))
			continue;
		if (!sym->is_label)
			return best_name(bin, sym, address);
		if (!label)
			label = sym;
	}
	return label;
}
