// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: debug information with bytes changed. The input says which: four
 * bytes each, three for where in a small program, most of them in its debug
 * information, and one for what is there instead; three bytes more cut the
 * program off. All functions, variables and lines are looked for, every location
 * is translated and compiled: each is had, or refused with a reason.
 */
#include <dwarf.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "bind/bind.h"
#include "bind/loc/loc.h"
#include "codegen/compile.h"
#include "dwarf/line.h"
#include "dwarf/var.h"
#include "fuzz.h"

/* More are not asked for, for the fuzzer's patience. */
#define ASKED_MAX 64
/* After more changes there is nothing left to be read. */
#define CHANGES_MAX 16

/* struct one - a file being asked; @problem: what is wrong with the answers */
struct one {
	struct debug *dbg;
	const struct arch *arch;
	struct debug_func func;
	unsigned int left;
	const char *problem;
};

/* The program, and where the debug information is in it */
static struct {
	uint8_t *data;
	size_t size;
	size_t start;
	size_t end;
} base;

static void base_free(void)
{
	free(base.data);
}

/* They stand in a row. */
static void base_find_debug(void)
{
	const Elf64_Ehdr *header = (const void *)base.data;
	const Elf64_Shdr *sh = (const void *)(base.data + header->e_shoff);
	const char *names;

	names = (const char *)base.data + sh[header->e_shstrndx].sh_offset;
	base.start = base.size;
	for (size_t i = 0; i < header->e_shnum; i++) {
		size_t start = sh[i].sh_offset, end = start + sh[i].sh_size;

		if (strncmp(names + sh[i].sh_name, ".debug", 6))
			continue;
		if (start < base.start)
			base.start = start;
		if (end > base.end)
			base.end = end;
	}
}

/* The program that is changed, as it is; made once. */
static bool base_make(void)
{
	static const char command[] =
		"gcc -g -O2 -nostdlib -static -Wl,-e,main -Wl,--build-id=none -o %s user/tests/dwarf/main.c user/tests/dwarf/other.c 2>/dev/null";
	char path[] = "/tmp/ktap-fuzz.XXXXXX", text[300];
	int fd = mkstemp(path);
	struct buf b = BUF_INIT;
	char chunk[4096];
	ssize_t n;

	if (fd < 0)
		return false;
	snprintf(text, sizeof(text), command, path);
	close(fd);
	fd = system(text) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_put(&b, chunk, n);
	if (fd >= 0)
		close(fd);
	unlink(path);
	base.size = b.size;
	base.data = (uint8_t *)buf_take(&b);
	atexit(base_free);
	if (!base.data || !base.size)
		return false;
	base_find_debug();
	return base.start < base.end;
}

/* ---- what is asked ------------------------------------------------------------------- */

static void compile(struct one *o, struct term *e)
{
	struct place place = { .address = o->func.entry };
	struct term_arg arg = { .name = (char *)"v", .term = e };
	struct terms terms = {
		.text = "", .is_bound = true, .args = &arg, .nr_args = 1,
	};
	struct program *program = NULL;
	struct diag d = {};

	if (compile_probe(&terms, &place, NULL, o->arch->id, &d, &program) &&
	    (d.code == DIAG_OK || !d.message))
		o->problem = "a program is refused without a reason";
	program_free(program);
	diag_clear(&d);
}

static void check_loc(struct one *o, struct loc *loc)
{
	if (loc->kind == LOC_NUMBER || loc->kind == LOC_MEMORY)
		compile(o, loc->term);
	for (size_t i = 0; i < loc->nr; i++)
		if (loc->piece[i].term)
			compile(o, loc->piece[i].term);
	loc_deinit(loc);
}

/* What 'ktap add' makes of the words @args at the function's entry */
static void check_words(struct one *o, const struct site *site,
			const char *args)
{
	struct place place = {
		.address = o->func.entry, .symbol = (char *)"func",
		.is_entry = true, .has_frame = true,
	};
	struct probe_spec *spec = NULL;
	struct terms *terms = NULL;
	struct program *program = NULL;
	struct buf b = BUF_INIT;
	struct diag d = {};

	buf_printf(&b, "func %s", args);
	/* a damaged name may be no word */
	if (!spec_parse(buf_str(&b), NULL, &spec) &&
	    (bind_start(spec, &d, &terms) ||
	     vars_expand(terms, &place, o->arch->id, NULL, site, &d) ||
	     compile_probe(terms, &place, NULL, o->arch->id, &d, &program)) &&
	    (d.code == DIAG_OK || !d.message))
		o->problem = "a definition is refused without a reason";
	program_free(program);
	terms_free(terms);
	spec_free(spec);
	diag_clear(&d);
	buf_deinit(&b);
}

/* The variable, all of it and what it points at, and parts of both */
static void check_words_of(struct one *o, const struct site *site,
			   const char *name)
{
	static const char *const texts[] = {
		"%s", "*%s", "&%s", "%s[1]", "%s->nameless.whole", "%s.bits.s",
		"%s.numbers[2][1] $vars",
	};
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		buf_clear(&b);
		buf_printf(&b, texts[i], name);
		check_words(o, site, buf_str(&b));
	}
	buf_deinit(&b);
}

static void check_type(struct one *o, Dwarf_Die *die)
{
	struct ctype type = debug_type_of(debug_types(o->dbg), die);
	struct ctype_member member;

	free(ctype_text(&type));
	if (type.kind == CTYPE_POINTER)
		type = ctype_target(&type);
	for (unsigned int i = 0; i < 16 && type.kind == CTYPE_STRUCT &&
	     ctype_nth(&type, i, &member); i++)
		free(ctype_text(&member.type));
}

static int check_var(void *ctx, const struct debug_var *var)
{
	struct one *o = ctx;
	struct site site = {
		.dbg = o->dbg, .func = o->func, .address = o->func.entry,
	};
	struct debug_var found;
	Dwarf_Die die = var->die;
	struct buf b = BUF_INIT;
	struct loc loc = {};
	enum loc_why why = LOC_OK;

	if (!o->left)
		return 1;
	o->left--;
	for (unsigned int i = 0; i < 16; i += 5) {
		site.address = o->func.entry + i;
		if (loc_find(&site, o->arch, &die, (struct span){}, &why, &loc))
			o->problem = why ? o->problem : "no location, no reason";
		else
			check_loc(o, &loc);
	}
	check_type(o, &die);
	debug_put_ranges(o->dbg, &o->func, &die, &b);
	buf_deinit(&b);
	if (!dwarf_diename(&die))
		return 0;
	debug_find_var(o->dbg, &o->func, o->func.entry, dwarf_diename(&die),
		       &found);
	site.address = o->func.entry;
	check_words_of(o, &site, dwarf_diename(&die));
	return 0;
}

static void check_func(struct one *o, const struct debug_func *func)
{
	struct debug_rows rows;
	struct debug_func found;
	struct kbtf_func proto;
	const char *path;
	uint64_t end;

	o->func = *func;
	debug_vars(o->dbg, func, func->entry, true, check_var, o);
	debug_prologue_end(o->dbg, func, &end);
	debug_proto(debug_types(o->dbg), &o->func.die, &proto);
	debug_decl(o->dbg, func, &path);
	if (path && !debug_func_rows(o->dbg, func, NULL, &rows))
		debug_rows_deinit(&rows);
	debug_func_at(o->dbg, func->entry, true, &found);
}

static void check_all(struct one *o)
{
	static const char *const names[] = {
		"main", "user", "scopes", "copied", "twin", "parted", "other",
		"a::main",
	};
	struct debug_rows rows;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct debug_funcs funcs;

		o->left = ASKED_MAX;
		if (debug_find(o->dbg, names[i], NULL, 0, NULL, &funcs))
			continue;
		for (size_t k = 0; k < funcs.nr && k < 8; k++)
			check_func(o, &funcs.func[k]);
		debug_funcs_deinit(&funcs);
	}
	if (!debug_file_rows(o->dbg, "main.c", NULL, &rows))
		debug_rows_deinit(&rows);
}

static const char *ask(const uint8_t *data, size_t size)
{
	_cleanup_(debug_freep) struct debug *dbg = NULL;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	enum ktap_arch arch = KTAP_ARCH_X86_64;
	struct one o = {};
	struct diag d = {};
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (debug_open(path, &d, &dbg)) {
		if (d.code == DIAG_OK || !d.message)
			o.problem = "a file is refused without a reason";
	} else {
		debug_arch(dbg, &arch);
		o.dbg = dbg;
		o.arch = arch_find(arch);
		check_all(&o);
	}
	diag_clear(&d);
	close(fd);
	return o.problem;
}

/* One change of eight is anywhere in the program. */
static size_t place_of(const uint8_t *change)
{
	size_t at = change[0] | change[1] << 8 | (change[2] & 0x1f) << 16;

	if (change[2] >> 5)
		return base.start + at % (base.end - base.start);
	return at % base.size;
}

const char *fuzz_dwarf(const uint8_t *data, size_t size)
{
	_cleanup_free_ uint8_t *copy = NULL;
	size_t left;

	if (!base.data && !base_make())
		return "there is no program to change";
	left = base.size;
	copy = malloc(base.size);
	if (!copy)
		abort();
	memcpy(copy, base.data, base.size);
	for (int i = 0; i < CHANGES_MAX && size >= 4; i++, size -= 4) {
		copy[place_of(data)] = data[3];
		data += 4;
	}
	if (size == 3)
		left = base.size * data[0] / 256;
	return ask(copy, left);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (fuzz_dwarf(data, size))
		abort();
	return 0;
}
