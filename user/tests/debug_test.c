// SPDX-License-Identifier: GPL-2.0
/*
 * Debug information of programs that compilers have just made: types, functions,
 * lines and scopes. What is right is had from C itself, nm, addr2line and gdb.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/array.h"
#include "dwarf/line.h"
#include "dwarf/running.h"
#include "dwarf/source.h"
#include "dwarf/var.h"
#include "tests/elf_files.h"

#define SRC "user/tests/dwarf/"

static char dir[32];
static bool met[DIAG_NR];

/* Of both versions of DWARF, with and without optimisation. */
static const char *const files[] = {
	"gcc4O0", "gcc4O2", "gcc5O0", "gcc5O2",
	"clang4O0", "clang4O2", "clang5O0", "clang5O2",
	"gcc4split", "gcc5split", "clang4split", "clang5split",
};

static struct debug *open_file(const char *name)
{
	return elf_file_debug(dir, name);
}

static struct debug *need_file(const char *name)
{
	struct debug *dbg = open_file(name);

	if (!dbg) {
		print_message("# no compiler for %s\n", name);
		skip();
	}
	return dbg;
}

/* The one function @name, defined in @file or anywhere. */
static struct debug_func one_func(struct debug *dbg, const char *name,
				  const char *file)
{
	struct debug_funcs funcs;
	struct debug_func ret;

	assert_int_equal(debug_find(dbg, name, file, 0, NULL, &funcs), 0);
	if (funcs.nr != 1)
		fail_msg("%s: %zu functions", name, funcs.nr);
	ret = funcs.func[0];
	debug_funcs_deinit(&funcs);
	return ret;
}

static uint64_t nm(struct debug *dbg, const char *symbol)
{
	return elf_file_nm(debug_path(dbg), "", symbol, 0);
}

/* The line of @file that has @text. */
static int line_of(const char *file, const char *text)
{
	_cleanup_fclose_ FILE *f = fopen(file, "r");
	char line[256];
	int nr = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		nr++;
		if (strstr(line, text))
			return nr;
	}
	fail_msg("%s: no %s", file, text);
	return 0;
}

/* ---- types --------------------------------------------------------------------------- */

static struct ctype type_at(struct debug *dbg, const struct debug_func *func,
			    uint64_t address, const char *name)
{
	struct debug_var var;

	if (!debug_find_var(dbg, func, address, name, &var))
		fail_msg("%s: no variable %s", debug_path(dbg), name);
	return debug_type_of(debug_types(dbg), &var.die);
}

static struct ctype global_type(struct debug *dbg, const char *name)
{
	struct debug_func func = one_func(dbg, "user", NULL);

	return type_at(dbg, &func, func.entry, name);
}

static void check_text(const struct ctype *type, const char *text)
{
	_cleanup_free_ char *got = ctype_text(type);

	assert_string_equal(got, text);
}

static struct ctype_member member_of(const struct ctype *type, const char *name)
{
	struct ctype_member ret;

	if (!ctype_find(type, name, &ret))
		fail_msg("no member %s", name);
	return ret;
}

static void check_place(const struct ctype *type, const char *name,
			uint64_t offset, unsigned int width, bool is_signed)
{
	struct ctype_member m = member_of(type, name);

	if (m.offset != offset || m.width != width ||
	    m.type.is_signed != is_signed)
		fail_msg("%s: bit %llu, %u bits", name,
			 (unsigned long long)m.offset, m.width);
}

/* The same declarations, as this compiler lays them out. */
struct like_bits {
	unsigned int a : 3;
	unsigned int b : 29;
	int s : 5;
	bool ready : 1;
	unsigned long wide : 40;
};

static void check_bits(const struct ctype *types)
{
	struct ctype bits = member_of(types, "bits").type;

	assert_int_equal(bits.size, sizeof(struct like_bits));
	check_place(&bits, "a", 0, 3, false);
	check_place(&bits, "b", 3, 29, false);
	check_place(&bits, "s", 32, 5, true);
	check_place(&bits, "ready", 37, 1, false);
	check_place(&bits, "wide", 64, 40, false);
}

static void check_arrays(const struct ctype *types)
{
	struct ctype array = member_of(types, "numbers").type;
	struct ctype tail = member_of(types, "tail").type;

	assert_int_equal(array.kind, CTYPE_ARRAY);
	assert_int_equal(array.count, 3);
	assert_int_equal(array.size, 30);
	array = ctype_target(&array);
	assert_int_equal(array.kind, CTYPE_ARRAY);
	assert_int_equal(array.count, 5);
	array = ctype_target(&array);
	assert_int_equal(array.size, 2);
	assert_true(array.is_signed);
	array = member_of(types, "text").type;
	array = ctype_target(&array);
	assert_true(ctype_is_char(&array));
	assert_int_equal(tail.kind, CTYPE_ARRAY);
	assert_int_equal(tail.count, 0);
	assert_int_equal(tail.size, 0);
}

static void check_pointers(const struct ctype *types)
{
	struct ctype type = member_of(types, "incomplete").type;

	check_text(&type, "struct incomplete *");
	type = ctype_target(&type);
	assert_int_equal(type.kind, CTYPE_FORWARD);
	/* what is named by a typedef alone */
	type = member_of(types, "pointer").type;
	assert_int_equal(type.kind, CTYPE_POINTER);
	type = ctype_target(&type);
	assert_int_equal(type.kind, CTYPE_STRUCT);
	assert_int_equal(member_of(&type, "second").offset, 64);
	type = member_of(types, "self").type;
	type = ctype_target(&type);
	check_text(&type, "struct types");
	type = member_of(types, "function").type;
	type = ctype_target(&type);
	assert_int_equal(type.kind, CTYPE_FUNC);
}

static void check_enums(const struct ctype *types)
{
	struct ctype small = member_of(types, "small").type;
	struct ctype large = member_of(types, "large").type;

	assert_int_equal(small.kind, CTYPE_INT);
	assert_int_equal(small.size, 4);
	assert_true(small.is_signed);
	assert_int_equal(large.kind, CTYPE_INT);
	assert_int_equal(large.size, 8);
}

static void check_types(struct debug *dbg)
{
	struct ctype types = global_type(dbg, "global");

	check_text(&types, "struct types");
	check_bits(&types);
	check_arrays(&types);
	check_pointers(&types);
	check_enums(&types);
	assert_int_equal(member_of(&types, "real").type.kind, CTYPE_FLOAT);
	assert_int_equal(member_of(&types, "wide").type.size, 16);
	/* of what has no name, and of what has one */
	assert_int_equal(member_of(&types, "inside").offset,
			 member_of(&types, "bytes").offset);
	assert_int_equal(member_of(&types, "bytes").type.count, 4);
	types = member_of(&types, "named").type;
	assert_int_equal(member_of(&types, "deep").offset, 0);
}

/* @check for all files; of those for which there is a compiler. */
static void each_file(void (*check)(struct debug *dbg))
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(debug_freep) struct debug *dbg = open_file(files[i]);

		if (dbg)
			check(dbg);
	}
}

static void test_types(void **state)
{
	each_file(check_types);
}

static void check_prototype(struct debug *dbg)
{
	struct debug_func func = one_func(dbg, "scopes", NULL);
	struct kbtf_func proto;
	struct ctype type;

	assert_int_equal(debug_proto(debug_types(dbg), &func.die, &proto), 0);
	assert_int_equal(proto.nr_params, 2);
	check_text(&proto.returns, "int");
	assert_string_equal(kbtf_param(&proto, 1, &type), "t");
	check_text(&type, "struct types *");
}

static void test_prototypes(void **state)
{
	each_file(check_prototype);
}

/* ---- functions ------------------------------------------------------------------------ */

static void check_functions(struct debug *dbg)
{
	struct debug_func func = one_func(dbg, "user", NULL), at;
	uint64_t address = nm(dbg, "user");
	enum ktap_arch arch;

	assert_true(debug_arch(dbg, &arch));
	assert_int_equal(func.entry, address);
	assert_false(func.is_inlined);
	assert_true(debug_func_at(dbg, address, false, &at));
	assert_ptr_equal(at.die.addr, func.die.addr);
	assert_false(debug_func_at(dbg, 16, false, &at));
	assert_ptr_equal(at.die.addr, func.die.addr);
	/* its cold part is elsewhere */
	func = one_func(dbg, "parted", NULL);
	assert_int_equal(func.entry, nm(dbg, "parted"));
	assert_true(debug_func_at(dbg, func.entry, true, &at));
	assert_ptr_equal(at.die.addr, func.die.addr);
	assert_true(debug_symbol(dbg, "user", &address));
	assert_int_equal(address, nm(dbg, "user"));
	/* several have the name: what was there stays, as without any */
	address = 5;
	assert_false(debug_symbol(dbg, "nothing", &address));
	assert_false(debug_symbol(dbg, "twin", &address));
	assert_int_equal(address, 5);
}

static void test_functions(void **state)
{
	each_file(check_functions);
}

static void check_twins(struct debug *dbg)
{
	struct debug_func first = one_func(dbg, "twin", "main.c");
	struct debug_func second = one_func(dbg, "twin", "dwarf/other.c");
	struct debug_funcs funcs;

	assert_int_not_equal(first.entry, second.entry);
	assert_int_equal(debug_find(dbg, "twin", NULL, 0, NULL, &funcs), 0);
	assert_int_equal(funcs.nr, 2);
	debug_funcs_deinit(&funcs);
	/* no other unit has what is static, in no header */
	assert_int_equal(debug_find(dbg, "twin", NULL, second.entry, NULL,
				    &funcs), 0);
	assert_int_equal(funcs.nr, 1);
	assert_int_equal(funcs.func[0].entry, second.entry);
	debug_funcs_deinit(&funcs);
	assert_int_equal(debug_find(dbg, "twin", "in.c", 0, NULL, &funcs), 0);
	assert_int_equal(funcs.nr, 0);
}

static void test_twins(void **state)
{
	each_file(check_twins);
}

static void check_copies(struct debug *dbg)
{
	struct debug_funcs funcs;
	struct debug_func at;
	struct ctype type;

	assert_int_equal(debug_find(dbg, "copied", NULL, 0, NULL, &funcs), 0);
	assert_int_equal(funcs.nr, 2);
	for (size_t i = 0; i < funcs.nr; i++) {
		Dwarf_Die origin = debug_origin(&funcs.func[i]);

		assert_true(funcs.func[i].is_inlined);
		assert_string_equal(dwarf_diename(&funcs.func[i].owner),
				    "user");
		assert_ptr_equal(origin.addr,
				 debug_origin(&funcs.func[0]).addr);
		assert_true(debug_func_at(dbg, funcs.func[i].entry, true, &at));
		assert_ptr_equal(at.die.addr, funcs.func[i].die.addr);
		type = type_at(dbg, &at, at.entry, "given");
		check_text(&type, "int");
		/* of its caller, which a copy has by that name alone */
		type = type_at(dbg, &at, at.entry, "first");
		check_text(&type, "int");
		assert_true(debug_func_at(dbg, funcs.func[i].entry, false,
					  &at));
		assert_false(at.is_inlined);
	}
	assert_true(funcs.func[0].entry < funcs.func[1].entry);
	debug_funcs_deinit(&funcs);
}

static void test_copies(void **state)
{
	each_file(check_copies);
}

/* gdb stops where the function has stored what it was given. */
static uint64_t gdb_break(struct debug *dbg, const char *function)
{
	unsigned long long address = 0;
	char command[512];
	FILE *f;

	snprintf(command, sizeof(command),
		 "gdb -q -nx -batch -ex 'break %s' '%s' 2>/dev/null | sed -n 's/.* at \\(0x[0-9a-f]*\\).*/\\1/p'",
		 function, debug_path(dbg));
	f = popen(command, "r");
	assert_non_null(f);
	if (fscanf(f, "%llx", &address) != 1)
		address = 0;
	pclose(f);
	return address;
}

static void test_prologues(void **state)
{
	_cleanup_(debug_freep) struct debug *plain = need_file("gcc5O0");
	_cleanup_(debug_freep) struct debug *optimised = need_file("gcc5O2");
	struct debug_func func = one_func(plain, "user", NULL);
	uint64_t end, gdb = gdb_break(plain, "user");

	assert_true(debug_prologue_end(plain, &func, &end));
	assert_true(end > func.entry);
	if (gdb)
		assert_int_equal(end, gdb);
	func = one_func(optimised, "user", NULL);
	assert_false(debug_prologue_end(optimised, &func, &end));
}

/* ---- names ---------------------------------------------------------------------------- */

static void check_named(struct debug *dbg, const char *name, size_t nr)
{
	struct debug_funcs funcs;

	assert_int_equal(debug_find(dbg, name, NULL, 0, NULL, &funcs), 0);
	if (funcs.nr != nr)
		fail_msg("%s: %zu functions, not %zu", name, funcs.nr, nr);
	debug_funcs_deinit(&funcs);
}

static void test_cpp_names(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = need_file("names");

	check_named(dbg, "method", 3);
	check_named(dbg, "base::method", 1);
	check_named(dbg, "outer::base::method", 1);
	check_named(dbg, "outer::derived::method", 1);
	check_named(dbg, "_ZN5outer7derived6methodEi", 1);
	check_named(dbg, "outer::method", 0);
	check_named(dbg, "inner::base::method", 0);
	check_named(dbg, "more::outer::base::method", 0);
	check_named(dbg, "outer::hidden", 1);
	check_named(dbg, "outer::(anonymous namespace)::hidden", 1);
	check_named(dbg, "largest", 1);
	check_named(dbg, "outer::largest<int>", 1);
	check_named(dbg, "outer::v1::largest", 1);
	check_named(dbg, "outer::largest<long>", 0);
	assert_int_equal(one_func(dbg, "outer::other::method", NULL).entry,
			 nm(dbg, "_ZN5outer5other6methodEi"));
}

static void test_rust_names(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = need_file("rust");

	check_named(dbg, "shapes::Point::grow", 1);
	check_named(dbg, "names::shapes::Point::grow", 1);
	check_named(dbg, "shapes::area", 1);
	check_named(dbg, "shapes::twice", 1);
	check_named(dbg, "shapes::twice<i32>", 1);
	check_named(dbg, "shapes::twice<i64>", 0);
	check_named(dbg, "shapes::grow", 0);
}

static void test_classes(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = need_file("names");
	struct debug_func func = one_func(dbg, "derived::method", NULL);
	struct ctype type = type_at(dbg, &func, func.entry, "this");
	struct ctype_member first;

	type = ctype_target(&type);
	assert_int_equal(type.kind, CTYPE_STRUCT);
	/* of the base, by its own name; what is static is in no object */
	first = member_of(&type, "first");
	assert_int_equal(first.offset, 0);
	assert_false(ctype_find(&type, "counted", &first));
	assert_int_equal(member_of(&type, "reference").type.kind, CTYPE_POINTER);
	assert_int_equal(member_of(&type, "second").offset, 128);
}

/* ---- lines ---------------------------------------------------------------------------- */

/* All rows, beside what addr2line makes of their addresses. */
static void check_rows(struct debug *dbg)
{
	_cleanup_buf_ struct buf command = BUF_INIT;
	struct debug_rows rows;
	char line[512];
	FILE *f;

	/* of those addr2line does not know the lines */
	if (strstr(debug_path(dbg), "split"))
		return;
	assert_int_equal(debug_file_rows(dbg, "dwarf/other.c", NULL, &rows), 0);
	assert_true(rows.nr > 5);
	buf_printf(&command, "addr2line -e '%s'", debug_path(dbg));
	for (size_t i = 0; i < rows.nr; i++)
		buf_printf(&command, " 0x%llx",
			   (unsigned long long)rows.row[i].address);
	f = popen(buf_str(&command), "r");
	assert_non_null(f);
	for (size_t i = 0; i < rows.nr; i++) {
		assert_non_null(fgets(line, sizeof(line), f));
		assert_true(debug_ends_with(rows.row[i].file, "other.c"));
		/* what is at one address more than once has its last line there */
		if (i + 1 < rows.nr &&
		    rows.row[i + 1].address == rows.row[i].address)
			continue;
		if (atoi(strrchr(line, ':') + 1) != rows.row[i].line)
			fail_msg("%s: %s is not line %d", debug_path(dbg), line,
				 rows.row[i].line);
	}
	pclose(f);
	debug_rows_deinit(&rows);
}

static void test_rows(void **state)
{
	each_file(check_rows);
}

/* The address at which @function begins the line that has @text; 0: nowhere. */
static uint64_t address_of(struct debug *dbg, const struct debug_func *func,
			   const char *text)
{
	int line = line_of(SRC "main.c", text);
	uint64_t address = 0;
	struct debug_rows rows;

	assert_int_equal(debug_func_rows(dbg, func, NULL, &rows), 0);
	for (size_t i = 0; i < rows.nr; i++) {
		assert_true(debug_has_pc((Dwarf_Die *)&func->die,
					 rows.row[i].address));
		if (rows.row[i].line == line)
			address = rows.row[i].address;
	}
	debug_rows_deinit(&rows);
	return address;
}

static void test_shadows(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = need_file("gcc5O0");
	struct debug_func func = one_func(dbg, "scopes", NULL);
	struct debug_var var;
	struct ctype type;

	type = type_at(dbg, &func, address_of(dbg, &func, "the innermost"),
		       "name");
	check_text(&type, "char");
	type = type_at(dbg, &func, address_of(dbg, &func, "long name = "),
		       "name");
	check_text(&type, "long int");
	type = type_at(dbg, &func, func.entry, "name");
	check_text(&type, "int");
	/* what is declared there is defined further out */
	assert_true(debug_find_var(dbg, &func,
				   address_of(dbg, &func, "sum += declared"),
				   "declared", &var));
	assert_true(dwarf_hasattr_integrate(&var.die, DW_AT_location));
	assert_int_equal(var.kind, DEBUG_GLOBAL);
	assert_false(debug_find_var(dbg, &func, func.entry, "nobody", &var));
}

static void test_ranges(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = need_file("gcc5O2");
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct debug_func func = one_func(dbg, "user", NULL);
	struct debug_var var;

	assert_true(debug_find_var(dbg, &func, func.entry, "given", &var));
	debug_put_ranges(dbg, &func, &var.die, &b);
	/* the parameter has a value from the entry on */
	assert_int_equal(strncmp(buf_str(&b), "+0x0..+0x", 9), 0);
	assert_non_null(strstr(buf_str(&b), "line"));
	/* what always has one, has it nowhere in particular */
	buf_clear(&b);
	assert_true(debug_find_var(dbg, &func, func.entry, "global", &var));
	debug_put_ranges(dbg, &func, &var.die, &b);
	assert_int_equal(b.size, 0);
}

/* ---- source --------------------------------------------------------------------------- */

static void test_source(void **state)
{
	_cleanup_(source_freep) struct source *s = NULL;
	int line = line_of(SRC "main.c", "the innermost");
	const char *text;
	size_t length;

	assert_int_equal(source_open(NULL, "/build/of/nobody/" SRC "main.c",
				     ".", NULL, &s), 0);
	text = source_line(s, line, &length);
	assert_non_null(text);
	assert_memory_equal(text, "\t\t\tsink = name; /* the innermost */",
			    length);
	assert_true(source_matches(s, line, "sink = name;*"));
	assert_true(source_matches(s, line, "*sink=name*"));
	assert_true(source_matches(s, line, "sink*innermost*"));
	assert_false(source_matches(s, line, "link*"));
	assert_false(source_matches(s, line + 1, "*sink=name*"));
	assert_null(source_line(s, 0, &length));
	assert_null(source_line(s, 100000, &length));
	assert_false(source_matches(s, 100000, "*"));
}

/* ---- what is refused ------------------------------------------------------------------ */

static void check_refused(const char *path, enum diag_code code)
{
	struct debug *dbg = NULL;
	struct diag d = {};

	if (!debug_open(path, &d, &dbg))
		fail_msg("%s: opened", path);
	if (d.code != code)
		fail_msg("%s: %s", path, d.message);
	assert_non_null(strstr(d.message, path));
	met[d.code] = true;
	diag_clear(&d);
}

/* The first @size bytes of @name, as a file of its own. */
static char *cut_file(const char *name, size_t size)
{
	_cleanup_free_ char *path = elf_file(dir, name);
	char *cut = elf_file(dir, "cut"), *command;

	assert_true(asprintf(&command, "head -c %zu '%s' >'%s'", size, path,
			     cut) > 0);
	assert_int_equal(system(command), 0);
	free(command);
	return cut;
}

static void test_files(void **state)
{
	_cleanup_(debug_freep) struct debug *linked = NULL;
	_cleanup_free_ char *none = elf_file(dir, "none");
	_cleanup_free_ char *lacking = elf_file(dir, "lacking");
	_cleanup_free_ char *stripped = elf_file(dir, "stripped");
	_cleanup_free_ char *wrong = elf_file(dir, "wrong");

	check_refused(none, DIAG_DEBUG_OPEN);
	check_refused(lacking, DIAG_DEBUG_SPLIT);
	check_refused(stripped, DIAG_DEBUG_NONE);
	/* that is of another build: its sum is another one */
	check_refused(wrong, DIAG_DEBUG_NONE);
	check_refused(SRC "main.c", DIAG_DEBUG_DAMAGED);
	check_refused(dir, DIAG_DEBUG_DAMAGED);
	check_refused("/dev/null", DIAG_DEBUG_DAMAGED);
	linked = open_file("linked");
	assert_int_equal(one_func(linked, "user", NULL).entry,
			 nm(linked, "user"));
}

/* Cut off anywhere, it is refused, or what is left of it is read. */
static void test_cut(void **state)
{
	for (size_t size = 0; size < 20000; size += 1000) {
		_cleanup_(debug_freep) struct debug *dbg = NULL;
		_cleanup_free_ char *path = cut_file("gcc5O2", size);
		struct debug_funcs funcs;
		struct diag d = {};

		if (debug_open(path, &d, &dbg)) {
			assert_int_not_equal(d.code, DIAG_OK);
			diag_clear(&d);
			continue;
		}
		assert_int_equal(debug_find(dbg, "user", NULL, 0, NULL,
					    &funcs), 0);
		debug_funcs_deinit(&funcs);
	}
}

static void test_source_refused(void **state)
{
	static const char *const paths[] = { "nowhere.c", "/tmp", "/dev/null" };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct source *s = NULL;
		struct diag d = {};

		assert_int_not_equal(source_open(NULL, paths[i], NULL, &d, &s),
				     0);
		assert_int_equal(d.code, DIAG_DEBUG_SOURCE);
		assert_non_null(strstr(d.hint, "-s DIR"));
		met[d.code] = true;
		diag_clear(&d);
	}
}

/* A program is not the kernel that runs. */
static void test_other(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = need_file("gcc5O2");
	struct diag d = {};
	size_t nr;

	assert_true(debug_build_id(dbg, &nr) && nr == 20);
	if (access("/sys/kernel/notes", R_OK)) {
		print_message("# /sys/kernel/notes cannot be read\n");
		debug_free(take_ptr(dbg)); /* skip() does not come back */
		skip();
	}
	assert_int_equal(debug_check_running(dbg, &d), -EINVAL);
	assert_int_equal(d.code, DIAG_DEBUG_OTHER);
	met[d.code] = true;
	diag_clear(&d);
}

/* @id: as the notes of a kernel that runs have it; malloc'ed path */
static char *write_notes(const uint8_t *id, size_t nr)
{
	const Elf64_Nhdr header = { 4, nr, NT_GNU_BUILD_ID };
	char *path = elf_file(dir, "notes");
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fwrite(&header, sizeof(header), 1, f);
	fwrite("GNU", 4, 1, f);
	fwrite(id, nr, 1, f);
	assert_int_equal(fclose(f), 0);
	return path;
}

static bool has_id(const struct debug *dbg, const uint8_t *id, size_t nr)
{
	_cleanup_free_ char *path = write_notes(id, nr);

	return running_has_id(path, dbg);
}

/* What cannot be compared is believed. */
static void test_same_build(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = need_file("gcc5O2");
	_cleanup_free_ char *none = elf_file(dir, "no-notes");
	uint8_t other[20];
	const uint8_t *id;
	size_t nr;

	id = debug_build_id(dbg, &nr);
	assert_true(id && nr == sizeof(other));
	memcpy(other, id, sizeof(other));
	other[19] ^= 1;
	assert_true(has_id(dbg, id, 20));
	assert_false(has_id(dbg, other, 20));
	assert_false(has_id(dbg, id, 16));
	assert_true(running_has_id(none, dbg));
	assert_true(running_has_id("/dev/null", dbg));
}

static void test_running(void **state)
{
	unsigned int i = 0;
	char *path;

	while ((path = debug_running_path(i++))) {
		assert_int_equal(*path, '/');
		assert_non_null(strstr(path, "vmlinux"));
		free(path);
	}
	assert_true(i > 4);
}

/* Tests run in order: this is the last. The other rows are the command's. */
static void test_rows_were_met(void **state)
{
	static const enum diag_code codes[] = {
		DIAG_DEBUG_OPEN, DIAG_DEBUG_NONE, DIAG_DEBUG_DAMAGED,
		DIAG_DEBUG_SOURCE, DIAG_DEBUG_SPLIT,
	};

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		if (!met[codes[i]])
			fail_msg("not met: %s", diag_name(codes[i]));
	if (!access("/sys/kernel/notes", R_OK))
		assert_true(met[DIAG_DEBUG_OTHER]);
}

static int run(const char *format)
{
	_cleanup_free_ char *command = NULL;

	if (asprintf(&command, format, dir) < 0)
		return -1;
	return system(command);
}

static int setup(void **state)
{
	strcpy(dir, "/tmp/ktap-debug.XXXXXX");
	return mkdtemp(dir) ? run("sh " SRC "build '%s' >&2") : -1;
}

static int teardown(void **state)
{
	return run("rm -rf '%s'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_prototypes),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_twins),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_prologues),
		cmocka_unit_test(test_cpp_names),
		cmocka_unit_test(test_rust_names),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_shadows),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_source_refused),
		cmocka_unit_test(test_other),
		cmocka_unit_test(test_same_build),
		cmocka_unit_test(test_running),
		cmocka_unit_test(test_rows_were_met),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
