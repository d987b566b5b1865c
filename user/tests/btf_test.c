// SPDX-License-Identifier: GPL-2.0
/* BTF from files, as a kernel and its modules have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "base/array.h"
#include "tests/btf_made.h"
#include "types/btf_types.h"

static bool met[DIAG_NR];
static char *dir;

static char *path_of(const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", dir, name) > 0);
	return path;
}

static void write_file(const char *name, const void *data, size_t size)
{
	_cleanup_free_ char *path = path_of(name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static void write_btf(const char *name, const struct btf *btf)
{
	const void *data;
	uint32_t size;

	data = btf__raw_data(btf, &size);
	assert_non_null(data);
	write_file(name, data, size);
}

/* long mod_read(struct file *file, int mine); and a vfs_read of its own */
static void add_module(struct btf *btf)
{
	int number = btf__find_by_name_kind(btf, "int", BTF_KIND_INT);
	int file = btf__find_by_name_kind(btf, "file", BTF_KIND_STRUCT);
	int ptr = btf__add_ptr(btf, file);
	int proto = btf__add_func_proto(btf, number);

	assert_true(number > 0 && file > 0 && ptr > 0 && proto > 0);
	assert_int_equal(btf__add_func_param(btf, "file", ptr), 0);
	assert_int_equal(btf__add_func_param(btf, "mine", number), 0);
	assert_true(btf__add_func(btf, "mod_read", BTF_FUNC_STATIC, proto) > 0);
	assert_true(btf__add_func(btf, "vfs_read", BTF_FUNC_STATIC, proto) > 0);
}

static int setup(void **state)
{
	struct btf *vmlinux = btf_made(), *module;

	dir = mkdtemp(strdup("/tmp/btf.XXXXXX"));
	assert_non_null(dir);
	module = btf__new_empty_split(vmlinux);
	assert_non_null(module);
	add_module(module);
	write_btf("vmlinux", vmlinux);
	write_btf("my_mod", module);
	write_file("damaged", "no BTF at all, whatever else it is", 34);
	btf__free(module);
	btf__free(vmlinux);
	return 0;
}

static int teardown(void **state)
{
	static const char *const names[] = { "vmlinux", "my_mod", "damaged" };
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *path = path_of(names[i]);

		unlink(path);
	}
	err = rmdir(dir);
	free(dir);
	return err;
}

static void find(struct kbtf *kb, const char *module, const char *name,
		 struct kbtf_func *ret)
{
	struct diag d = {};

	if (kbtf_find(kb, module, name, &d, ret))
		fail_msg("%s: %s", name, d.message);
}

static void test_functions(void **state)
{
	_cleanup_(kbtf_freep) struct kbtf *kb = kbtf_new(dir);
	struct kbtf_func f;
	struct ctype t;

	/* once before they are sorted, and twice after */
	for (int i = 0; i < 3; i++) {
		find(kb, NULL, "vfs_read", &f);
		assert_int_equal(f.nr_params, 4);
		assert_string_equal(kbtf_param(&f, 2, &t), "count");
		assert_true(t.kind == CTYPE_INT && t.size == 8 && !t.is_signed);
		assert_true(f.returns.kind == CTYPE_INT && f.returns.is_signed);
		find(kb, "my-mod", "vfs_read", &f);
		assert_int_equal(f.nr_params, 2);
		find(kb, "my-mod", "mod_read", &f);
		assert_string_equal(kbtf_param(&f, 1, &t), "mine");
		find(kb, NULL, "none", &f);
		assert_true(!f.nr_params && f.returns.kind == CTYPE_VOID);
		find(kb, NULL, "by_value", &f);
		assert_int_equal(f.nr_params, 7);
	}
}

/* What a module has of the kernel's types is in the kernel's table. */
static void test_types_of_the_kernel(void **state)
{
	_cleanup_(kbtf_freep) struct kbtf *kb = kbtf_new(dir);
	_cleanup_free_ char *text = NULL;
	struct ctype_member m;
	struct kbtf_func f;
	struct ctype t;

	find(kb, "my_mod", "mod_read", &f);
	kbtf_param(&f, 0, &t);
	text = ctype_text(&t);
	assert_string_equal(text, "struct file *");
	t = ctype_target(&t);
	assert_true(ctype_find(&t, "f_pos", &m));
	assert_int_equal(m.offset, 128);
	assert_false(ctype_find(&t, "f_po", &m));
}

static void refused(const char *where, const char *module, const char *name,
		    int err, enum diag_code code)
{
	_cleanup_(kbtf_freep) struct kbtf *kb = kbtf_new(where);
	struct diag d = {};
	struct kbtf_func f;

	assert_int_equal(kbtf_find(kb, module, name, &d, &f), err);
	assert_string_equal(diag_name(d.code), diag_name(code));
	met[d.code] = true;
	diag_clear(&d);
}

static void test_refusals(void **state)
{
	refused("/nowhere", NULL, "vfs_read", -ENOENT, DIAG_BTF_NONE);
	refused("/nowhere", "my_mod", "vfs_read", -ENOENT, DIAG_BTF_NONE);
	refused(dir, "no_mod", "vfs_read", -ENOENT, DIAG_BTF_NO_MODULE);
	refused(dir, "damaged", "vfs_read", -EINVAL, DIAG_BTF_READ);
	refused(dir, NULL, "mod_read", -ENOENT, DIAG_BTF_NO_FUNCTION);
	refused(dir, "my_mod", "none", -ENOENT, DIAG_BTF_NO_FUNCTION);
	refused(dir, NULL, "twin", -EINVAL, DIAG_BTF_SEVERAL);
}

/* What was read before comes from no directory, and modules are not looked for. */
static void test_no_directory(void **state)
{
	_cleanup_(kbtf_freep) struct kbtf *none = kbtf_none();
	_cleanup_(kbtf_freep) struct kbtf *kb = kbtf_of(btf_made());
	_cleanup_free_ char *path = path_of("my_mod");
	struct diag d = {};
	struct kbtf_func f;

	assert_int_equal(kbtf_find(none, NULL, "vfs_read", &d, &f), -ENOENT);
	assert_int_equal(d.code, DIAG_BTF_NONE);
	diag_clear(&d);
	find(kb, NULL, "vfs_read", &f);
	assert_int_equal(kbtf_find(kb, path + 1, "mod_read", &d, &f), -ENOENT);
	assert_int_equal(d.code, DIAG_BTF_NO_MODULE);
	diag_clear(&d);
}

/* struct { char c; TYPE m[NR]; } of @size bytes, with m at the bit @at */
static bool is_aligned(struct btf *b, int type, unsigned int nr,
		       unsigned int at, unsigned int size)
{
	int number = btf__find_by_name_kind(b, "int", BTF_KIND_INT);
	int many = btf__add_array(b, number, type, nr);
	int id = btf__add_struct(b, NULL, size);
	struct ctype t;

	assert_true(number > 0 && many > 0 && id > 0);
	assert_int_equal(btf__add_field(b, "m", many, at, 0), 0);
	t = ctype_of(b, id);
	return ctype_is_aligned(&t);
}

static void test_alignment_of_arrays(void **state)
{
	struct btf *b = btf_made();
	int number = btf__find_by_name_kind(b, "int", BTF_KIND_INT);
	int three = btf__add_struct(b, NULL, 6);

	assert_true(number > 0 && three > 0);
	assert_int_equal(btf__add_field(b, "n", number, 0, 0), 0);
	assert_true(is_aligned(b, number, 2, 32, 12));
	assert_false(is_aligned(b, number, 2, 8, 9));
	assert_true(is_aligned(b, number, 0, 32, 4));
	/* the first element is aligned, and the second one is not */
	assert_true(is_aligned(b, three, 1, 0, 6));
	assert_false(is_aligned(b, three, 2, 0, 12));
	btf__free(b);
}

/* Tests run in order: this is the last. */
static void test_every_row_was_met(void **state)
{
	static const enum diag_code codes[] = {
#define DIAG(name, status, text) DIAG_##name,
#include "types/errors.def"
#undef DIAG
	};

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		if (!met[codes[i]])
			fail_msg("no test meets %s", diag_name(codes[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_types_of_the_kernel),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_no_directory),
		cmocka_unit_test(test_alignment_of_arrays),
		cmocka_unit_test(test_every_row_was_met),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
