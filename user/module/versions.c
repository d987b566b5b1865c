// SPDX-License-Identifier: GPL-2.0
#include "module/versions.h"

#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/array.h"
#include "base/buf.h"
#include "module/kdir.h"
#include "module/ko.h"

/* With CONFIG_MODVERSIONS the kernel exports it, and each module has its CRC. */
#define LAYOUT		"module_layout"

/**
 * struct need - a symbol that a module needs
 * @name: in the file of the module
 * @ours: its CRC in the module
 * @theirs: its CRC in a Module.symvers
 * @weak: it may be missing
 * @has_crc: @ours is known
 * @exported: something exports it
 * @compared: @theirs is known
 */
struct need {
	const char *name;
	uint64_t ours;
	uint32_t theirs;
	bool weak;
	bool has_crc;
	bool exported;
	bool compared;
};

/**
 * struct checked - a module that is compared
 * @k: with this kernel
 * @path: its file
 * @bytes: of the file
 * @elf: what libelf makes of them
 * @vermagic: in @bytes
 * @needs: symbols, sorted by name
 * @nr: how many
 * @has_basic: it has the section __versions
 * @has_extended: it has the sections __version_ext_crcs and __version_ext_names
 * @d: on failure
 */
struct checked {
	const struct kdir *k;
	const char *path;
	char *bytes;
	Elf *elf;
	const char *vermagic;
	struct need *needs;
	size_t nr;
	bool has_basic;
	bool has_extended;
	struct diag *d;
};

/* ---- the symbols ------------------------------------------------------------------ */

static int compare_export(const void *key, const void *member)
{
	const struct export *e = key;
	const struct need *n = member;
	int order = strncmp(e->name, n->name, e->size);

	return order ? order : -(n->name[e->size] != '\0');
}

static struct need *find_need(const struct checked *c, const char *name, size_t size)
{
	const struct export key = { .name = name, .size = size };

	return c->nr ? bsearch(&key, c->needs, c->nr, sizeof(*c->needs), compare_export) : NULL;
}

/*
 * Marks what @s exports of that which @c needs. The kernel takes the first symbol of a name,
 * too.
 */
static void mark_exports(const struct checked *c, const struct symvers *s)
{
	const char *at = NULL;
	struct export e;

	while (symvers_next(s, &at, &e)) {
		struct need *n = find_need(c, e.name, e.size);

		if (!n || n->exported)
			continue;
		n->exported = true;
		n->compared = true;
		n->theirs = e.crc;
	}
}

/* ---- what a module needs ---------------------------------------------------------- */

static int not_module(struct checked *c, const char *why)
{
	return diag_set(c->d, -EINVAL, DIAG_MODULE_NOT_ONE, c->path, why);
}

static int compare_needs(const void *a, const void *b)
{
	return strcmp(((const struct need *)a)->name, ((const struct need *)b)->name);
}

/* Also removes what is there twice. */
static void sort_needs(struct checked *c)
{
	size_t nr = 0;

	if (c->nr)
		qsort(c->needs, c->nr, sizeof(*c->needs), compare_needs);
	for (size_t i = 0; i < c->nr; i++) {
		if (nr && !strcmp(c->needs[nr - 1].name, c->needs[i].name))
			c->needs[nr - 1].weak &= c->needs[i].weak;
		else
			c->needs[nr++] = c->needs[i];
	}
	c->nr = nr;
}

static int add_need(struct checked *c, const char *name, bool weak)
{
	struct need *more = array_grow(c->needs, c->nr, sizeof(*more));

	if (!more)
		return diag_no_memory(c->d);
	c->needs = more;
	more[c->nr++] = (struct need){ .name = name, .weak = weak };
	return 0;
}

static bool is_ignored(const struct checked *c, const char *name)
{
	const char *ignored = c->k->arch->ignored_symbol;

	return ignored && !strcmp(name, ignored);
}

static int add_undefined(struct checked *c, Elf_Data *data, size_t names)
{
	size_t nr = data->d_size / sizeof(Elf64_Sym);
	int err = 0;

	for (size_t i = 1; !err && i < nr; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym))
			return not_module(c, elf_errmsg(-1));
		if (sym.st_shndx != SHN_UNDEF)
			continue;
		name = elf_strptr(c->elf, names, sym.st_name);
		if (!name)
			return not_module(c, elf_errmsg(-1));
		if (!is_ignored(c, name))
			err = add_need(c, name, GELF_ST_BIND(sym.st_info) == STB_WEAK);
	}
	return err;
}

static int read_needs(struct checked *c)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(c->elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_SYMTAB)
			break;
	data = scn ? elf_getdata(scn, NULL) : NULL;
	if (!data || !data->d_buf)
		return not_module(c, "it has no symbol table");
	return add_undefined(c, data, shdr.sh_link);
}

/* struct modversion_info of 64-bit kernels: the section __versions is an array of it. */
struct modversion {
	uint64_t crc;
	char name[56];
};

/* The kernel takes the first entry of a name. */
static void set_crc(const struct checked *c, const char *name, size_t size, uint64_t crc)
{
	struct need *n = find_need(c, name, size);

	if (!n || n->has_crc)
		return;
	n->has_crc = true;
	n->ours = crc;
}

static void set_basic(const struct checked *c, const Elf_Data *data)
{
	struct modversion m;

	for (size_t at = 0; at + sizeof(m) <= data->d_size; at += sizeof(m)) {
		memcpy(&m, (const char *)data->d_buf + at, sizeof(m));
		set_crc(c, m.name, strnlen(m.name, sizeof(m.name)), m.crc);
	}
}

/* Since Linux 6.14: CRCs of 32 bits, and as many names, each of which ends with a NUL. */
static void set_extended(const struct checked *c, const Elf_Data *crcs,
			 const Elf_Data *names)
{
	const char *name = names->d_buf, *end = name + names->d_size;
	uint32_t crc;

	for (size_t at = 0; at + sizeof(crc) <= crcs->d_size; at += sizeof(crc)) {
		size_t size = strnlen(name, end - name);

		if (size == (size_t)(end - name))
			return;
		memcpy(&crc, (const char *)crcs->d_buf + at, sizeof(crc));
		set_crc(c, name, size, crc);
		name += size + 1;
	}
}

/* Kernels that know the extended sections use nothing else if a module has them. */
static int read_crcs(struct checked *c)
{
	const Elf_Data *basic = ko_section(c->elf, "__versions");
	const Elf_Data *crcs = ko_section(c->elf, "__version_ext_crcs");
	const Elf_Data *names = ko_section(c->elf, "__version_ext_names");
	int err = 0;

	c->has_basic = basic;
	c->has_extended = crcs && names;
	if (c->k->set[KCONFIG_MODVERSIONS] && (c->has_basic || c->has_extended))
		err = add_need(c, LAYOUT, false);
	if (err)
		return err;
	sort_needs(c);
	if (c->has_extended)
		set_extended(c, crcs, names);
	else if (c->has_basic)
		set_basic(c, basic);
	return 0;
}

static int read_vermagic(struct checked *c)
{
	static const char key[] = "vermagic=";
	const Elf_Data *data = ko_section(c->elf, KO_MODINFO);
	const char *at = data ? data->d_buf : NULL, *end = data ? at + data->d_size : NULL;
	size_t size;

	for (; at < end; at += size + 1) {
		size = strnlen(at, end - at);
		if (size == (size_t)(end - at))
			break;
		if (strncmp(at, key, strlen(key)))
			continue;
		c->vermagic = at + strlen(key);
		return 0;
	}
	return not_module(c, "it has no vermagic");
}

static int check_arch(struct checked *c)
{
	const struct arch *arch = ko_arch(c->elf);

	if (!arch)
		return not_module(c, KO_NOT_ONE);
	if (arch == c->k->arch)
		return 0;
	return diag_set(c->d, -EINVAL, DIAG_VERSIONS_ARCH, c->path, c->k->release,
			arch->name, c->k->arch->name);
}

static int read_module(struct checked *c)
{
	size_t size;
	int err;

	err = ko_read(c->path, c->d, DIAG_MODULE_NOT_ONE, &c->bytes, &size);
	if (err)
		return err;
	elf_version(EV_CURRENT);
	c->elf = elf_memory(c->bytes, size);
	if (!c->elf)
		return not_module(c, KO_NOT_ONE);
	err = check_arch(c);
	if (!err)
		err = read_vermagic(c);
	if (!err)
		err = read_needs(c);
	return err ? err : read_crcs(c);
}

/* ---- what exports it -------------------------------------------------------------- */

/* The names of what a module exports are in one section, also if it is stripped. */
static void mark_module(const struct checked *c, const char *path)
{
	_cleanup_free_ char *bytes = NULL;
	const char *at, *end;
	Elf_Data *data;
	struct need *n;
	size_t size;
	Elf *elf;

	if (ko_read(path, NULL, DIAG_MODULE_NOT_ONE, &bytes, &size))
		return;
	elf = elf_memory(bytes, size);
	data = elf && ko_arch(elf) ? ko_section(elf, "__ksymtab_strings") : NULL;
	at = data ? data->d_buf : NULL;
	end = data ? at + data->d_size : NULL;
	for (; at < end; at += size + 1) {
		size = strnlen(at, end - at);
		n = find_need(c, at, size);
		if (n)
			n->exported = true;
	}
	elf_end(elf);
}

/* Return: how many symbols nothing exports; @ret: the first of them. */
static size_t count_missing(const struct checked *c, const char **ret)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->nr; i++) {
		if (c->needs[i].exported || c->needs[i].weak)
			continue;
		if (!nr++)
			*ret = c->needs[i].name;
	}
	return nr;
}

/* What kbuild writes beside a module. */
static int mark_beside(struct checked *c)
{
	_cleanup_(symvers_deinit) struct symvers symvers = { 0 };
	const char *slash = strrchr(c->path, '/');
	_cleanup_free_ char *dir = slash ? strndup(c->path, slash - c->path) : strdup(".");
	_cleanup_free_ char *module = NULL;
	int err;

	if (!dir)
		return diag_no_memory(c->d);
	err = symvers_read(dir, c->d, &symvers);
	if (err)
		return err;
	mark_exports(c, &symvers);
	if (asprintf(&module, "%s/ktap.ko", dir) < 0) {
		module = NULL;
		return diag_no_memory(c->d);
	}
	mark_module(c, module);
	return 0;
}

/* ---- the comparison --------------------------------------------------------------- */

/* ", and N others", or nothing. */
static const char *others(struct buf *text, size_t nr)
{
	if (nr > 1)
		buf_printf(text, ", and %zu other%s", nr - 1, nr > 2 ? "s" : "");
	return buf_str(text);
}

static int differs(struct checked *c, int err)
{
	diag_hint(c->d, "build it for this kernel: make kmod KDIR=%s", c->k->dir);
	return err;
}

/*
 * MODULE_RANDSTRUCT in include/linux/vermagic.h, which may follow the word before it without
 * a blank, is not compared: it is the hash of a seed that is not in auto.conf. What the
 * kernel refuses for the seed alone is not found here.
 */
static size_t size_of_words(const char *words)
{
	const char *seed = strstr(words, "RANDSTRUCT_");
	size_t size = seed ? (size_t)(seed - words) : strlen(words);

	while (size && words[size - 1] == ' ')
		size--;
	return size;
}

/* What VERMAGIC_STRING has after the release. */
static void put_words(const struct kdir *k, const char *preempt, struct buf *ret)
{
	buf_printf(ret, "%s%s%s%s%s", k->set[KCONFIG_SMP] ? " SMP" : "", preempt,
		   k->set[KCONFIG_UNLOAD] ? " mod_unload" : "",
		   k->set[KCONFIG_MODVERSIONS] ? " modversions" : "",
		   k->arch->vermagic);
}

static bool has_words(const struct checked *c, const char *preempt)
{
	_cleanup_buf_ struct buf words = BUF_INIT;
	const char *ours = c->vermagic + strcspn(c->vermagic, " ");
	size_t size = size_of_words(ours);

	put_words(c->k, preempt, &words);
	return words.size == size && !memcmp(ours, buf_str(&words), size);
}

/*
 * A kernel with CONFIG_PREEMPT_RT can also have CONFIG_PREEMPT_BUILD. Then the word is
 * "preempt" up to Linux 6.12 and "preempt_rt" in 7.x, so either is taken. Kernels before
 * 5.16 have CONFIG_PREEMPT instead of CONFIG_PREEMPT_BUILD.
 */
static const char *preempt_words(const struct kdir *k, const char **other)
{
	bool preempt = k->set[KCONFIG_PREEMPT_BUILD] || k->set[KCONFIG_PREEMPT];
	bool rt = k->set[KCONFIG_PREEMPT_RT];
	const char *word = preempt ? " preempt" : rt ? " preempt_rt" : "";

	*other = preempt && rt ? " preempt_rt" : word;
	return word;
}

/* same_magic(): the release counts for a module without the section __versions. */
static int check_vermagic(struct checked *c)
{
	_cleanup_buf_ struct buf theirs = BUF_INIT;
	size_t release = strcspn(c->vermagic, " ");
	const char *other, *word = preempt_words(c->k, &other);
	bool with_release = !c->has_basic;

	if ((has_words(c, word) || has_words(c, other)) &&
	    (!with_release || (strlen(c->k->release) == release &&
			       !memcmp(c->k->release, c->vermagic, release))))
		return 0;
	buf_puts(&theirs, c->k->release);
	put_words(c->k, word, &theirs);
	return differs(c, diag_set(c->d, -EINVAL, DIAG_VERSIONS_MAGIC, c->path,
				   c->k->release, (int)size_of_words(c->vermagic),
				   c->vermagic, buf_str(&theirs)));
}

static int check_exports(struct checked *c, const char *const *modules, size_t nr)
{
	_cleanup_buf_ struct buf more = BUF_INIT;
	const char *first = NULL;
	size_t missing;
	int err = 0;

	mark_exports(c, &c->k->symvers);
	if (count_missing(c, &first))
		err = mark_beside(c);
	if (err)
		return err;
	for (size_t i = 0; i < nr; i++)
		if (strcmp(modules[i], c->path))
			mark_module(c, modules[i]);
	missing = count_missing(c, &first);
	if (!missing)
		return 0;
	return differs(c, diag_set(c->d, -EINVAL, DIAG_VERSIONS_SYMBOL, c->path,
				   c->k->release, first, others(&more, missing)));
}

/*
 * check_version() of the kernel. A symbol that the build of the kernel has no CRC of is 0 in
 * Module.symvers, and modpost gives a module no CRC of it. Without an extended CRC of a
 * symbol the kernel only warns.
 */
static bool is_other(const struct checked *c, const struct need *n)
{
	if (!n->compared || !c->k->set[KCONFIG_MODVERSIONS])
		return false;
	return n->has_crc ? n->ours != n->theirs : n->theirs && !c->has_extended;
}

static int report_crc(struct checked *c, const struct need *n, size_t nr)
{
	_cleanup_buf_ struct buf more = BUF_INIT;

	if (!n->has_crc)
		return differs(c, diag_set(c->d, -EINVAL, DIAG_VERSIONS_NO_CRC, c->path,
					   c->k->release, n->name, others(&more, nr)));
	diag_set(c->d, -EINVAL, DIAG_VERSIONS_CRC, c->path, c->k->release, n->name,
		 n->theirs, (unsigned long long)n->ours, others(&more, nr));
	if (!strcmp(n->name, LAYOUT))
		diag_hint(c->d, "it was built for another version or configuration: make kmod KDIR=%s",
			  c->k->dir);
	return differs(c, -EINVAL);
}

/* A difference of module_layout explains the others. */
static int check_crcs(struct checked *c)
{
	const struct need *first = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < c->nr; i++) {
		if (!is_other(c, &c->needs[i]))
			continue;
		if (!first || !strcmp(c->needs[i].name, LAYOUT))
			first = &c->needs[i];
		nr++;
	}
	return first ? report_crc(c, first, nr) : 0;
}

int versions_check(const struct kdir *k, const char *path,
		   const char *const *modules, size_t nr_modules, struct diag *d)
{
	struct checked c = { .k = k, .path = path, .d = d };
	int err;

	err = read_module(&c);
	if (!err)
		err = check_vermagic(&c);
	if (!err)
		err = check_exports(&c, modules, nr_modules);
	if (!err)
		err = check_crcs(&c);
	free(c.needs);
	elf_end(c.elf);
	free(c.bytes);
	return err;
}
