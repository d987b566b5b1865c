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
#include "base/whole.h"
#include "module/ko.h"

#define SYMVERS		"Module.symvers"
#define AUTO_CONF	"include/config/auto.conf"
#define UTS_RELEASE	"include/generated/utsrelease.h"
#define KERNEL_RELEASE	"include/config/kernel.release"
#define FILE_LIMIT	(64UL << 20)
#define RELEASE_SIZE	65	/* __NEW_UTS_LEN, with the NUL */

/* With CONFIG_MODVERSIONS the kernel exports it, and each module has its CRC. */
#define LAYOUT		"module_layout"

/* Options of the kernel that vermagic has words for, and what modules need. */
enum kconfig {
	KCONFIG_MODULES,
	KCONFIG_SMP,
	KCONFIG_PREEMPT,
	KCONFIG_PREEMPT_BUILD,
	KCONFIG_PREEMPT_RT,
	KCONFIG_UNLOAD,
	KCONFIG_MODVERSIONS,
	KCONFIG_X86_64,
	KCONFIG_ARM64,
	NR_KCONFIG,
};

static const char *const kconfig_lines[NR_KCONFIG] = {
	[KCONFIG_MODULES] = "CONFIG_MODULES=y",
	[KCONFIG_SMP] = "CONFIG_SMP=y",
	[KCONFIG_PREEMPT] = "CONFIG_PREEMPT=y",
	[KCONFIG_PREEMPT_BUILD] = "CONFIG_PREEMPT_BUILD=y",
	[KCONFIG_PREEMPT_RT] = "CONFIG_PREEMPT_RT=y",
	[KCONFIG_UNLOAD] = "CONFIG_MODULE_UNLOAD=y",
	[KCONFIG_MODVERSIONS] = "CONFIG_MODVERSIONS=y",
	[KCONFIG_X86_64] = "CONFIG_X86_64=y",
	[KCONFIG_ARM64] = "CONFIG_ARM64=y",
};

/**
 * struct versions - what a kernel build directory says of modules
 * @dir: the directory; owned
 * @symvers: text of Module.symvers, each line of which is well-formed; owned
 * @symvers_size: bytes
 * @release: as in vermagic
 * @set: options of the kernel that are set
 * @arch: architecture
 */
struct versions {
	char *dir;
	char *symvers;
	size_t symvers_size;
	char release[RELEASE_SIZE];
	bool set[NR_KCONFIG];
	const struct arch *arch;
};

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
 * @v: with this kernel
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
	const struct versions *v;
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

/* ---- Module.symvers --------------------------------------------------------------- */

/* struct export - a line of Module.symvers; @name is not ended by a NUL */
struct export {
	const char *name;
	size_t size;
	uint32_t crc;
};

/* CRC, name, module and more, with tabs between them: read_dump() of scripts/mod/modpost.c */
static bool parse_export(const char *line, const char *end, struct export *ret)
{
	const char *tab = memchr(line, '\t', end - line), *name, *next;
	unsigned long crc;
	char *digits;

	if (!tab || tab == line)
		return false;
	name = tab + 1;
	next = memchr(name, '\t', end - name);
	if (!next || next == name || memchr(line, '\0', end - line))
		return false;
	crc = strtoul(line, &digits, 16);
	if (digits != tab || crc > UINT32_MAX)
		return false;
	*ret = (struct export){ .name = name, .size = next - name, .crc = crc };
	return true;
}

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
 * Marks what @text exports of that which @c needs; without @c it only looks at the text.
 * The kernel takes the first symbol of a name, too.
 * Return: 0, or the number of a line that is not well-formed.
 */
static size_t read_symvers(const char *text, size_t size, struct checked *c)
{
	const char *end = text + size;

	for (size_t line = 1; text < end; line++) {
		const char *next = memchr(text, '\n', end - text);
		struct export e;
		struct need *n;

		if (!next || !parse_export(text, next, &e))
			return line;
		n = c ? find_need(c, e.name, e.size) : NULL;
		if (n && !n->exported) {
			n->exported = true;
			n->compared = true;
			n->theirs = e.crc;
		}
		text = next + 1;
	}
	return 0;
}

static int bad_symvers(struct diag *d, const char *path, size_t line)
{
	return diag_set(d, -EINVAL, DIAG_KDIR_SYMVERS, path, line);
}

/* ---- the build directory ---------------------------------------------------------- */

static int cannot_read(struct diag *d, const char *path, int err)
{
	if (err == -ENOMEM)
		return diag_no_memory(d);
	return diag_set(d, err, DIAG_KDIR_READ, path,
			err == -EINVAL ? "it is no regular file" : strerror(-err));
}

/* @ret_path: for messages; owned by the caller, and set on failure, too */
static int read_of(const char *dir, const char *name, struct diag *d, char **ret_path,
		   char **ret, size_t *size)
{
	int err;

	if (asprintf(ret_path, "%s/%s", dir, name) < 0) {
		*ret_path = NULL;
		return diag_no_memory(d);
	}
	err = read_regular(*ret_path, FILE_LIMIT, ret, size);
	return err ? cannot_read(d, *ret_path, err) : 0;
}

static int read_config(struct versions *v, struct diag *d)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	char *line, *rest;
	size_t size;
	int err;

	err = read_of(v->dir, AUTO_CONF, d, &path, &text, &size);
	if (err) {
		diag_hint(d, "--kdir is the directory where the target's kernel was built, or its headers, such as /lib/modules/RELEASE/build");
		return err;
	}
	rest = text;
	while ((line = strsep(&rest, "\n")))
		for (size_t i = 0; i < NR_KCONFIG; i++)
			v->set[i] |= !strcmp(line, kconfig_lines[i]);
	v->arch = v->set[KCONFIG_X86_64] ? &arch_x86_64 :
		  v->set[KCONFIG_ARM64] ? &arch_arm64 : NULL;
	if (v->arch && v->set[KCONFIG_MODULES])
		return 0;
	return diag_set(d, -EINVAL, DIAG_KDIR_CONFIG, path);
}

/* The text after @before, up to a character of @ends. */
static bool take_release(struct versions *v, const char *text, const char *before,
			 const char *ends)
{
	const char *at = strstr(text, before);
	size_t size;

	if (!at)
		return false;
	at += strlen(before);
	size = strcspn(at, ends);
	if (!size || size >= sizeof(v->release) || !at[size])
		return false;
	memcpy(v->release, at, size);
	for (size_t i = 0; i < size; i++)
		if (at[i] <= ' ' || at[i] > '~')
			return false;
	return true;
}

static int read_release(struct versions *v, struct diag *d)
{
	_cleanup_free_ char *path = NULL, *text = NULL, *other = NULL;
	bool found = false;
	size_t size;
	int err;

	err = read_of(v->dir, UTS_RELEASE, NULL, &path, &text, &size);
	if (!err) {
		found = take_release(v, text, "#define UTS_RELEASE \"", "\"");
	} else if (err == -ENOENT) {
		err = read_of(v->dir, KERNEL_RELEASE, d, &other, &text, &size);
		found = !err && take_release(v, text, "", "\n");
	} else {
		cannot_read(d, path, err);
	}
	if (err || found)
		return err;
	return diag_set(d, -EINVAL, DIAG_KDIR_RELEASE, other ? other : path);
}

static int read_exports(struct versions *v, struct diag *d)
{
	_cleanup_free_ char *path = NULL;
	size_t line;
	int err;

	err = read_of(v->dir, SYMVERS, d, &path, &v->symvers, &v->symvers_size);
	if (err == -ENOENT)
		diag_hint(d, "building the kernel and its modules writes it; 'make modules_prepare' does not");
	if (err)
		return err;
	line = read_symvers(v->symvers, v->symvers_size, NULL);
	return line || !v->symvers_size ? bad_symvers(d, path, line ? line : 1) : 0;
}

int versions_open(const char *dir, struct diag *d, struct versions **ret)
{
	_cleanup_(versions_freep) struct versions *v = calloc(1, sizeof(*v));
	int err;

	if (v)
		v->dir = strdup(dir);
	if (!v || !v->dir)
		return diag_no_memory(d);
	err = read_config(v, d);
	if (!err)
		err = read_release(v, d);
	if (!err)
		err = read_exports(v, d);
	if (!err)
		*ret = take_ptr(v);
	return err;
}

void versions_free(struct versions *v)
{
	if (!v)
		return;
	free(v->dir);
	free(v->symvers);
	free(v);
}

const char *versions_release(const struct versions *v)
{
	return v->release;
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

/* GNU as before 2.37 makes this symbol and does not use it; kernels ignore it. */
static bool is_ignored(const struct checked *c, const char *name)
{
	return c->v->arch == &arch_x86_64 && !strcmp(name, "_GLOBAL_OFFSET_TABLE_");
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
	if (c->v->set[KCONFIG_MODVERSIONS] && (c->has_basic || c->has_extended))
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
	if (arch == c->v->arch)
		return 0;
	return diag_set(c->d, -EINVAL, DIAG_VERSIONS_ARCH, c->path, c->v->release,
			arch->name, c->v->arch->name);
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
	const char *slash = strrchr(c->path, '/');
	_cleanup_free_ char *dir = slash ? strndup(c->path, slash - c->path) : strdup(".");
	_cleanup_free_ char *path = NULL, *text = NULL, *module = NULL;
	size_t size, line;
	int err;

	if (!dir)
		return diag_no_memory(c->d);
	err = read_of(dir, SYMVERS, NULL, &path, &text, &size);
	if (err && err != -ENOENT)
		return cannot_read(c->d, path, err);
	line = err ? 0 : read_symvers(text, size, c);
	if (line)
		return bad_symvers(c->d, path, line);
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
	diag_hint(c->d, "build it for this kernel: make kmod KDIR=%s", c->v->dir);
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
static void put_words(const struct versions *v, const char *preempt, struct buf *ret)
{
	buf_printf(ret, "%s%s%s%s%s", v->set[KCONFIG_SMP] ? " SMP" : "", preempt,
		   v->set[KCONFIG_UNLOAD] ? " mod_unload" : "",
		   v->set[KCONFIG_MODVERSIONS] ? " modversions" : "",
		   v->arch == &arch_arm64 ? " aarch64" : "");
}

static bool has_words(const struct checked *c, const char *preempt)
{
	_cleanup_buf_ struct buf words = BUF_INIT;
	const char *ours = c->vermagic + strcspn(c->vermagic, " ");
	size_t size = size_of_words(ours);

	put_words(c->v, preempt, &words);
	return words.size == size && !memcmp(ours, buf_str(&words), size);
}

/*
 * A kernel with CONFIG_PREEMPT_RT can also have CONFIG_PREEMPT_BUILD. Then the word is
 * "preempt" up to Linux 6.12 and "preempt_rt" in 7.x, so either is taken. Kernels before
 * 5.16 have CONFIG_PREEMPT instead of CONFIG_PREEMPT_BUILD.
 */
static const char *preempt_words(const struct versions *v, const char **other)
{
	bool preempt = v->set[KCONFIG_PREEMPT_BUILD] || v->set[KCONFIG_PREEMPT];
	bool rt = v->set[KCONFIG_PREEMPT_RT];
	const char *word = preempt ? " preempt" : rt ? " preempt_rt" : "";

	*other = preempt && rt ? " preempt_rt" : word;
	return word;
}

/* same_magic(): the release counts for a module without the section __versions. */
static int check_vermagic(struct checked *c)
{
	_cleanup_buf_ struct buf theirs = BUF_INIT;
	size_t release = strcspn(c->vermagic, " ");
	const char *other, *word = preempt_words(c->v, &other);
	bool with_release = !c->has_basic;

	if ((has_words(c, word) || has_words(c, other)) &&
	    (!with_release || (strlen(c->v->release) == release &&
			       !memcmp(c->v->release, c->vermagic, release))))
		return 0;
	buf_puts(&theirs, c->v->release);
	put_words(c->v, word, &theirs);
	return differs(c, diag_set(c->d, -EINVAL, DIAG_VERSIONS_MAGIC, c->path,
				   c->v->release, (int)size_of_words(c->vermagic),
				   c->vermagic, buf_str(&theirs)));
}

static int check_exports(struct checked *c, const char *const *modules, size_t nr)
{
	_cleanup_buf_ struct buf more = BUF_INIT;
	const char *first = NULL;
	size_t missing;
	int err = 0;

	read_symvers(c->v->symvers, c->v->symvers_size, c);
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
				   c->v->release, first, others(&more, missing)));
}

/*
 * check_version() of the kernel. A symbol that the build of the kernel has no CRC of is 0 in
 * Module.symvers, and modpost gives a module no CRC of it. Without an extended CRC of a
 * symbol the kernel only warns.
 */
static bool is_other(const struct checked *c, const struct need *n)
{
	if (!n->compared || !c->v->set[KCONFIG_MODVERSIONS])
		return false;
	return n->has_crc ? n->ours != n->theirs : n->theirs && !c->has_extended;
}

static int report_crc(struct checked *c, const struct need *n, size_t nr)
{
	_cleanup_buf_ struct buf more = BUF_INIT;

	if (!n->has_crc)
		return differs(c, diag_set(c->d, -EINVAL, DIAG_VERSIONS_NO_CRC, c->path,
					   c->v->release, n->name, others(&more, nr)));
	diag_set(c->d, -EINVAL, DIAG_VERSIONS_CRC, c->path, c->v->release, n->name,
		 n->theirs, (unsigned long long)n->ours, others(&more, nr));
	if (!strcmp(n->name, LAYOUT))
		diag_hint(c->d, "it was built for another version or configuration: make kmod KDIR=%s",
			  c->v->dir);
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

int versions_check(const struct versions *v, const char *path,
		   const char *const *modules, size_t nr_modules, struct diag *d)
{
	struct checked c = { .v = v, .path = path, .d = d };
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
