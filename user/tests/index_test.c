// SPDX-License-Identifier: GPL-2.0
/*
 * Indexes of debug information: what they find is what is found without them, what is
 * damaged is not used, and nobody else's file is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "dwarf/file.h"
#include "dwarf/index/index.h"
#include "dwarf/line.h"
#include "dwarf/var.h"
#include "index_same.h"
#include "tests/elf_files.h"

/* Bytes from one that is damaged to the next; no power of two. */
#define STEP 7

static char dir[32];
static char *cache;
static bool met[DIAG_NR];

static const char *const files[] = {
	"gcc4O0", "gcc4O2", "gcc5O0", "gcc5O2", "clang4O0", "clang4O2",
	"clang5O0", "clang5O2", "names", "rust", "linked",
};

static struct debug *open_file(const char *name)
{
	return elf_file_debug(dir, name);
}

/* One that looks for no index. */
static struct debug *open_plain(const char *name)
{
	struct debug *dbg = open_file(name);

	if (dbg)
		dbg->index_searched = true;
	return dbg;
}

static void make(const char *name)
{
	_cleanup_(debug_freep) struct debug *dbg = open_plain(name);
	struct index_made made;
	struct diag d = {};

	if (index_make(dbg, NULL, NULL, &d, &made))
		fail_msg("%s: %s", name, d.message);
	assert_int_equal(access(made.path, R_OK), 0);
	assert_true(made.nr_units && made.nr_names);
	index_made_deinit(&made);
}

static void shell(const char *format, ...)
{
	_cleanup_free_ char *command = NULL;
	va_list args;

	va_start(args, format);
	assert_true(vasprintf(&command, format, args) >= 0);
	va_end(args);
	assert_int_equal(system(command), 0);
}

/* ---- the same ------------------------------------------------------------------------ */

static void test_same(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(debug_freep) struct debug *plain = open_plain(files[i]);
		_cleanup_(debug_freep) struct debug *indexed = NULL;
		bool is_large = !strcmp(files[i], "rust");
		struct index_same same;

		if (!plain)
			continue;
		make(files[i]);
		indexed = open_file(files[i]);
		if (!index_same(plain, indexed, 1, is_large ? 50 : 0, stderr,
				&same))
			fail_msg("%s: the index is not used", files[i]);
		if (same.different || !same.found || !same.files)
			fail_msg("%s: %u differ, %u were found", files[i],
				 same.different, same.found);
	}
}

/* ---- damage -------------------------------------------------------------------------- */

static void encode(const char *name, struct buf *ret)
{
	_cleanup_(debug_freep) struct debug *dbg = open_plain(name);
	struct index_made made;

	assert_non_null(dbg);
	assert_int_equal(index_encode(dbg, NULL, NULL, NULL, ret, &made), 0);
	assert_int_equal(made.size, ret->size);
}

static void test_damaged(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = open_plain("gcc5O2");
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct index *x;

	encode("gcc5O2", &b);
	x = index_open(dbg, b.data, b.size);
	assert_non_null(x);
	index_free(x);
	for (size_t i = 0; i < b.size; i++) {
		b.data[i] ^= 1 << i % 8;
		assert_null(index_open(dbg, b.data, b.size));
		b.data[i] ^= 1 << i % 8;
	}
	for (size_t i = 0; i < b.size; i += STEP)
		assert_null(index_open(dbg, b.data, i));
}

/* What changed in place keeps its build-id and every size. */
static void test_stale(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = NULL;
	_cleanup_buf_ struct buf b = BUF_INIT;

	encode("gcc5O2", &b);
	shell("cd %s && sed 's/copied/cOpied/g' gcc5O2 >edited && chmod +x edited && ! cmp -s gcc5O2 edited",
	      dir);
	dbg = open_plain("edited");
	assert_non_null(dbg);
	assert_null(index_open(dbg, b.data, b.size));
}

static void seal(struct buf *b)
{
	struct index_header *header = (struct index_header *)b->data;

	header->checksum = index_checksum(b->data, b->size);
}

/* Where it is written, and called: paths end inside of the index. */
static void ask_func(struct debug *dbg, const struct debug_func *func)
{
	struct debug_chain chain;
	struct debug_func at;
	const char *file;

	debug_func_at(dbg, func->entry, true, &at);
	debug_decl(dbg, func, &file);
	assert_true(!file || strlen(file) > 0);
	assert_int_equal(debug_chain(dbg, func, NULL, &chain), 0);
	for (size_t i = 0; i < chain.nr; i++)
		assert_true(!chain.call[i].file ||
			    strlen(chain.call[i].file) > 0);
	debug_chain_deinit(&chain);
}

static void ask(struct debug *dbg)
{
	struct debug_funcs funcs;
	struct debug_func func;
	struct debug_rows rows;
	Dwarf_CU *cu = NULL;
	struct ctype type;

	if (!debug_find(dbg, "copied", NULL, 0, NULL, &funcs)) {
		for (size_t i = 0; i < funcs.nr; i++)
			ask_func(dbg, &funcs.func[i]);
		debug_funcs_deinit(&funcs);
	}
	if (!debug_file_rows(dbg, "main.c", NULL, &rows)) {
		for (size_t i = 0; i < rows.nr; i++)
			assert_true(strlen(rows.row[i].file) > 0);
		debug_rows_deinit(&rows);
	}
	if (!dwarf_get_units(dbg->dw, cu, &cu, NULL, NULL, &func.die, NULL))
		debug_find_type(dbg, &func, DEBUG_STRUCT, "no_such", &type);
}

/* Its checksum is right: then what it says is not believed. */
static void test_forged(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = open_plain("gcc5O2");
	_cleanup_buf_ struct buf b = BUF_INIT;
	unsigned int opened = 0;

	encode("gcc5O2", &b);
	for (size_t i = sizeof(struct index_header) - 8 * INDEX_NR; i < b.size;
	     i++) {
		char was = b.data[i];

		b.data[i] = i % 3 ? was ^ 1 << i % 8 : -1;
		seal(&b);
		dbg->index = index_open(dbg, b.data, b.size);
		opened += !!dbg->index;
		ask(dbg);
		index_free(take_ptr(dbg->index));
		b.data[i] = was;
	}
	assert_true(opened > b.size / 2);
}

/* The last number of the last list does not end. */
static void test_endless(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = open_plain("gcc5O2");
	_cleanup_buf_ struct buf b = BUF_INIT;
	const struct index_header *header;
	const struct index_unit *unit;
	uint64_t *funcs;
	struct index *x;
	size_t nr, end;

	encode("gcc5O2", &b);
	header = (const struct index_header *)b.data;
	end = header->section[INDEX_FUNCS].start +
	      header->section[INDEX_FUNCS].size;
	b.data[end - 1] |= 0x80;
	seal(&b);
	end = header->section[INDEX_UNITS].start +
	      header->section[INDEX_UNITS].size;
	unit = (const struct index_unit *)(b.data + end) - 1;
	x = index_open(dbg, b.data, b.size);
	assert_non_null(x);
	assert_false(index_funcs(x, unit->die, &funcs, &nr));
	assert_null(funcs);
	index_free(x);
}

/* Of another build, of another version, of other debug information of one build */
static void test_others(void **state)
{
	_cleanup_(debug_freep) struct debug *dbg = open_plain("gcc5O2");
	_cleanup_(debug_freep) struct debug *other = open_plain("gcc5O0");
	_cleanup_(debug_freep) struct debug *parted = open_plain("linked");
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct index_header *header;

	encode("gcc5O2", &b);
	assert_null(index_open(other, b.data, b.size));
	assert_null(index_open(parted, b.data, b.size));
	header = (struct index_header *)b.data;
	header->version++;
	seal(&b);
	assert_null(index_open(dbg, b.data, b.size));
}

/* ---- the directory ------------------------------------------------------------------- */

static bool is_found(const char *name)
{
	_cleanup_(debug_freep) struct debug *dbg = open_file(name);

	return index_of(dbg);
}

/* Where the index of @name is; malloc'ed */
static char *path_of(const char *name)
{
	_cleanup_(debug_freep) struct debug *dbg = open_plain(name);
	struct index_made made;

	assert_int_equal(index_make(dbg, NULL, NULL, NULL, &made), 0);
	return made.path;
}

static void refused(const char *name, enum diag_code code, const char *text)
{
	_cleanup_(debug_freep) struct debug *dbg = open_plain(name);
	struct index_made made;
	struct diag d = {};

	assert_true(index_make(dbg, NULL, NULL, &d, &made) < 0);
	index_made_deinit(&made);
	if (d.code != code || !strstr(d.message, text))
		fail_msg("%s: %s", name, d.message);
	met[code] = true;
	diag_clear(&d);
}

static void test_trusted(void **state)
{
	_cleanup_free_ char *path = path_of("gcc5O2");
	struct stat st;

	assert_true(is_found("gcc5O2"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	setenv("KTAP_INDEX", "off", 1);
	assert_false(is_found("gcc5O2"));
	unsetenv("KTAP_INDEX");

	shell("chmod 620 %s", path);
	assert_false(is_found("gcc5O2"));
	shell("chmod 600 %s && mv %s %s.away && ln -s %s.away %s", path, path,
	      path, path, path);
	assert_false(is_found("gcc5O2"));
	make("gcc5O2");
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_true(is_found("gcc5O2"));
	shell("rm %s.away", path);
}

static void test_directory(void **state)
{
	make("gcc5O2");
	shell("chmod 770 %s/ktap", cache);
	assert_false(is_found("gcc5O2"));
	refused("gcc5O2", DIAG_DEBUG_INDEX_OTHERS, cache);
	shell("chmod 700 %s/ktap && mv %s/ktap %s/away && ln -s away %s/ktap",
	      cache, cache, cache, cache);
	assert_false(is_found("gcc5O2"));
	refused("gcc5O2", DIAG_DEBUG_INDEX_WRITE, cache);
	shell("rm %s/ktap && touch %s/ktap", cache, cache);
	refused("gcc5O2", DIAG_DEBUG_INDEX_WRITE, "Not a directory");
	shell("rm %s/ktap && mv %s/away %s/ktap", cache, cache, cache);
	assert_true(is_found("gcc5O2"));
}

/* What is not absolute does not count; and $HOME is there, too. */
static void test_places(void **state)
{
	_cleanup_free_ char *home = elf_file(dir, "home"), *path = NULL;

	setenv("XDG_CACHE_HOME", "cache", 1);
	setenv("HOME", home, 1);
	shell("mkdir -m 700 %s", home);
	assert_false(is_found("gcc5O2"));
	path = path_of("gcc5O2");
	assert_memory_equal(path, home, strlen(home));
	assert_non_null(strstr(path, "/.cache/ktap/index/"));
	assert_true(is_found("gcc5O2"));
	unsetenv("HOME");
	assert_false(is_found("gcc5O2"));
	refused("gcc5O2", DIAG_DEBUG_INDEX_WRITE, "No such file");
	setenv("XDG_CACHE_HOME", cache, 1);
}

static void test_refused(void **state)
{
	const char *here = getenv("PWD");

	shell("cd %s && objcopy --remove-section=.note.gnu.build-id gcc5O2 noid",
	      dir);
	refused("noid", DIAG_DEBUG_INDEX_NOT, "build-id");
	shell("gcc -g -c -o %s/object.o %s/user/tests/dwarf/other.c", dir, here);
	refused("object.o", DIAG_DEBUG_INDEX_NOT, "not fixed");
	shell("cd %s && gcc -g -gsplit-dwarf -no-pie -o split %s/user/tests/dwarf/main.c %s/user/tests/dwarf/other.c",
	      dir, here, here);
	refused("split", DIAG_DEBUG_INDEX_NOT, "split");
}

/* ---- at once ------------------------------------------------------------------------- */

#define MAKERS 4

static void make_often(void)
{
	_cleanup_(debug_freep) struct debug *dbg = open_plain("gcc5O0");
	struct index_made made;
	int bad = 0;

	for (int i = 0; i < 20; i++) {
		bad |= index_make(dbg, NULL, NULL, NULL, &made);
		index_made_deinit(&made);
	}
	_exit(!!bad);
}

/* A reader never meets one that is not whole; nothing is left over. */
static void test_at_once(void **state)
{
	_cleanup_free_ char *path = path_of("gcc5O0");
	int status, bad = 0;

	for (int i = 0; i < MAKERS; i++)
		if (!fork())
			make_often();
	for (int i = 0; i < 50; i++)
		bad |= !is_found("gcc5O0");
	for (int i = 0; i < MAKERS; i++) {
		wait(&status);
		bad |= status;
	}
	assert_int_equal(bad, 0);
	shell("test -z \"$(ls -A %s/ktap/index | grep '^[.]')\"", cache);
}

static void test_rows_were_met(void **state)
{
	assert_true(met[DIAG_DEBUG_INDEX_NOT]);
	assert_true(met[DIAG_DEBUG_INDEX_WRITE]);
	assert_true(met[DIAG_DEBUG_INDEX_OTHERS]);
}

static int setup(void **state)
{
	_cleanup_free_ char *command = NULL;

	strcpy(dir, "/tmp/ktap-index.XXXXXX");
	if (!mkdtemp(dir) ||
	    asprintf(&command, "sh user/tests/dwarf/build '%s' >&2", dir) < 0)
		return -1;
	cache = elf_file(dir, "cache");
	setenv("XDG_CACHE_HOME", cache, 1);
	unsetenv("KTAP_INDEX");
	return system(command);
}

static int teardown(void **state)
{
	_cleanup_free_ char *command = NULL;

	free(cache);
	if (asprintf(&command, "rm -rf '%s'", dir) < 0)
		return -1;
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_stale),
		cmocka_unit_test(test_forged),
		cmocka_unit_test(test_endless),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_trusted),
		cmocka_unit_test(test_directory),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_rows_were_met),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
