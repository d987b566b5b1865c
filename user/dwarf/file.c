// SPDX-License-Identifier: GPL-2.0
/* Finding and opening debug information: libdwfl knows where it may be. */
#include "dwarf/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dwarf/func.h"
#include "dwarf/index/index.h"
#include "dwarf/unit.h"
#include "object/debug_file.h"

/* Where separate files are looked for, beside where the file itself is. */
static char *search_path = (char *)":.debug:/usr/lib/debug";

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &search_path,
};

static int find_nothing(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **path)
{
	(void)mod;
	(void)userdata;
	(void)name;
	(void)base;
	(void)file;
	(void)link;
	(void)crc;
	(void)path;
	return -1;
}

static const Dwfl_Callbacks callbacks_alone = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_nothing,
	.section_address = dwfl_offline_section_address,
};

static int damaged(const struct debug *dbg, struct diag *d)
{
	return diag_set(d, -EINVAL, DIAG_DEBUG_DAMAGED, dbg->path,
			dwfl_errmsg(-1));
}

/* The library takes the descriptor where it succeeds. */
static int report(struct debug *dbg, struct diag *d)
{
	int fd = open(dbg->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		int err = -errno;

		return diag_set(d, err, DIAG_DEBUG_OPEN, dbg->path,
				strerror(-err));
	}
	dwfl_report_begin(dbg->dwfl);
	dbg->mod = dwfl_report_offline(dbg->dwfl, "", dbg->path, fd);
	if (!dbg->mod)
		close(fd);
	if (!dbg->mod || dwfl_report_end(dbg->dwfl, NULL, NULL))
		return damaged(dbg, d);
	return 0;
}

/* Since then packages of .dwo files are read. */
#define PACKAGES_SINCE 191

static bool reads_packages(const char *version)
{
	unsigned int major, minor;

	return sscanf(version, "%u.%u", &major, &minor) != 2 || major ||
	       minor >= PACKAGES_SINCE;
}

/* @lacking is a .dwo file that is not there: a package may be. */
static int is_lacking(const struct debug *dbg, const char *lacking,
		      struct diag *d)
{
	_cleanup_free_ char *package = NULL;
	const char *version = dwfl_version(NULL);

	if (asprintf(&package, "%s.dwp", dbg->path) < 0) {
		package = NULL;
		return diag_no_memory(d);
	}
	if (!access(package, F_OK) && !reads_packages(version)) {
		diag_set(d, -ENOENT, DIAG_DEBUG_PACKAGE, dbg->path, package,
			 version);
		diag_hint(d, "libdw 0.%u and later do; this one reads '%s', beside the program or where that was built",
			  PACKAGES_SINCE, lacking);
		return -ENOENT;
	}
	diag_set(d, -ENOENT, DIAG_DEBUG_SPLIT, dbg->path, lacking);
	diag_hint(d, "ktap looks for it beside the program, where the program was built, and in '%s'",
		  package);
	return -ENOENT;
}

int debug_load(struct debug *dbg, struct diag *d)
{
	Dwarf_Addr dwarf_bias, elf_bias;
	const char *lacking;

	if (!dwfl_module_getelf(dbg->mod, &elf_bias))
		return damaged(dbg, d);
	dbg->dw = dwfl_module_getdwarf(dbg->mod, &dwarf_bias);
	if (!dbg->dw)
		return diag_set(d, -ENOENT, DIAG_DEBUG_NONE, dbg->path);
	dbg->shift = dwarf_bias - elf_bias;
	lacking = debug_lacking(dbg->dw);
	return lacking ? is_lacking(dbg, lacking, d) : 0;
}

int debug_check_there(struct debug *dbg, uint64_t address, struct diag *d)
{
	const char *lacking =
		debug_lacking_any(dbg->dw, address ? address - dbg->shift : 0);

	return lacking ? is_lacking(dbg, lacking, d) : 0;
}

static int open_with(const Dwfl_Callbacks *how, const char *path, struct diag *d,
		     struct debug **ret)
{
	_cleanup_(debug_freep) struct debug *dbg = calloc(1, sizeof(*dbg));
	int err;

	if (!dbg)
		return diag_no_memory(d);
	dbg->path = strdup(path);
	dbg->dwfl = dwfl_begin(how);
	dbg->types = debug_types_new(dbg);
	if (!dbg->path || !dbg->dwfl || !dbg->types)
		return diag_no_memory(d);
	if (how == &callbacks)
		debug_file_follow(dbg->dwfl);
	err = report(dbg, d);
	if (!err)
		*ret = take_ptr(dbg);
	return err;
}

int debug_open_symbols(const char *path, struct diag *d, struct debug **ret)
{
	return open_with(&callbacks, path, d, ret);
}

static int open_and_load(const Dwfl_Callbacks *how, const char *path, struct diag *d,
			 struct debug **ret)
{
	_cleanup_(debug_freep) struct debug *dbg = NULL;
	int err = open_with(how, path, d, &dbg);

	if (!err)
		err = debug_load(dbg, d);
	if (!err)
		*ret = take_ptr(dbg);
	return err;
}

int debug_open(const char *path, struct diag *d, struct debug **ret)
{
	return open_and_load(&callbacks, path, d, ret);
}

int debug_open_alone(const char *path, struct diag *d, struct debug **ret)
{
	return open_and_load(&callbacks_alone, path, d, ret);
}

void debug_free(struct debug *dbg)
{
	if (!dbg)
		return;
	debug_types_free(dbg->types);
	dwfl_end(dbg->dwfl);
	index_free(dbg->index);
	free(dbg->code);
	free(dbg->sought);
	free(dbg->path);
	free(dbg);
}

Elf *debug_tables(struct debug *dbg)
{
	return dbg->shift ? NULL : dwarf_getelf(dbg->dw);
}

const char *debug_path(const struct debug *dbg)
{
	return dbg->path;
}

const uint8_t *debug_build_id(const struct debug *dbg, size_t *nr)
{
	const unsigned char *bits;
	GElf_Addr where;
	int size = dwfl_module_build_id(dbg->mod, &bits, &where);

	*nr = size > 0 ? size : 0;
	return size > 0 ? bits : NULL;
}

void debug_set_base(struct debug *dbg, struct debug *(*base)(void *ctx),
		    void *ctx)
{
	dbg->base = base;
	dbg->base_ctx = ctx;
}

struct debug_types *debug_types(struct debug *dbg)
{
	return dbg->types;
}

uint64_t debug_to_dwarf(const struct debug *dbg, uint64_t address)
{
	return address - dbg->shift;
}

/* @address is one of DWARF where @bias is added to it. */
static bool frame_of(Dwarf_CFI *cfi, uint64_t address, Dwarf_Addr bias,
		     Dwarf_Frame **ret)
{
	return cfi && !dwarf_cfi_addrframe(cfi, address - bias, ret);
}

/* What is for debuggers comes first: it has more. */
bool debug_cfi(struct debug *dbg, uint64_t address, Dwarf_Frame **ret)
{
	Dwarf_Addr bias, base;
	Dwarf_CFI *cfi;

	if (!dwfl_module_getelf(dbg->mod, &base))
		return false;
	cfi = dwfl_module_dwarf_cfi(dbg->mod, &bias);
	if (frame_of(cfi, address + base, bias, ret))
		return true;
	cfi = dwfl_module_eh_cfi(dbg->mod, &bias);
	return frame_of(cfi, address + base, bias, ret);
}
