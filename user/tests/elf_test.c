// SPDX-License-Identifier: GPL-2.0
/*
 * Places in programs and libraries that the compiler has just made, for both
 * architectures where its cross compiler is there. What is right is had from
 * nm, and from bytes that stand in the file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "object/binary.h"
#include "place/binary.h"
#include "tests/elf_files.h"

static bool met[DIAG_NR];

static const struct machine {
	const char *prefix;
	enum ktap_arch arch;
} machines[] = {
#ifdef __x86_64__
	{ "", KTAP_ARCH_X86_64 },
	{ "aarch64-linux-gnu-", KTAP_ARCH_ARM64 },
#else
	{ "", KTAP_ARCH_ARM64 },
	{ "x86_64-linux-gnu-", KTAP_ARCH_X86_64 },
#endif
};

/* struct one - a definition resolved in a file */
struct one {
	struct binary *bin;
	struct probe_spec *spec;
	struct place *places;
	size_t nr;
	struct diag d;
	int err;
};

/* @file: -x, or NULL where @text says it */
static void init(struct one *o, const char *path, const char *file,
		 const char *text, enum ktap_arch arch)
{
	*o = (struct one){};
	o->err = spec_parse_in(text, file, &o->d, &o->spec);
	if (!o->err)
		o->err = binary_open(path, &o->d, &o->bin);
	if (!o->err)
		o->err = binary_resolve(o->bin, o->spec, arch, &o->d,
					&o->places, &o->nr);
	if (o->err)
		met[o->d.code] = true;
}

static void one_init(struct one *o, const char *path, const char *text,
		     enum ktap_arch arch)
{
	init(o, path, path, text, arch);
}

static void line_init(struct one *o, const char *path, const char *line,
		      enum ktap_arch arch)
{
	init(o, path, NULL, line, arch);
}

static void one_deinit(struct one *o)
{
	places_free(o->places, o->nr);
	binary_free(o->bin);
	spec_free(o->spec);
	diag_clear(&o->d);
}

static void one_init_ok(struct one *o, const char *path, const char *text,
			enum ktap_arch arch)
{
	one_init(o, path, text, arch);
	if (o->err)
		fail_msg("%s in %s: %s", text, path, o->d.message);
	assert_true(o->nr);
}

/* The address, through nm, and the symbol shown for it. */
static void check_symbol(const char *path, enum ktap_arch arch,
			 const char *text, uint64_t address,
			 const char *symbol, uint64_t offset)
{
	struct one o;

	one_init_ok(&o, path, text, arch);
	assert_int_equal(o.nr, 1);
	assert_int_equal(o.places[0].address, address);
	assert_string_equal(o.places[0].symbol, symbol);
	assert_int_equal(o.places[0].offset, offset);
	assert_string_equal(o.places[0].path, path);
	assert_int_equal(o.places[0].is_entry, !offset);
	one_deinit(&o);
}

/* @wanted: a part of message or hint, or NULL. */
static void check_refused(const char *path, enum ktap_arch arch,
			  const char *text, enum diag_code code,
			  const char *wanted)
{
	struct one o;

	one_init(&o, path, text, arch);
	if (!o.err)
		fail_msg("%s in %s: accepted", text, path);
	if (o.d.code != code)
		fail_msg("%s in %s: %s", text, path, o.d.message);
	if (wanted && !strstr(o.d.message, wanted) &&
	    (!o.d.hint || !strstr(o.d.hint, wanted)))
		fail_msg("%s in %s: %s (%s)", text, path, o.d.message,
			 o.d.hint ? o.d.hint : "no hint");
	one_deinit(&o);
}

/* magic() begins 4 bytes in front of the text that it holds. */
static void check_offset(const char *path, enum ktap_arch arch)
{
	uint64_t wanted = elf_file_find(path, "KTAP-MAGIC-BYTES");
	struct one o;
	char text[64];

	one_init_ok(&o, path, "magic", arch);
	assert_int_equal(o.places[0].file_offset & ~3ULL, wanted - 4);
	assert_int_equal(o.places[0].type, KTAP_TYPE_UPROBE);
	snprintf(text, sizeof(text), "0x%llx",
		 (unsigned long long)o.places[0].address + 4);
	one_deinit(&o);
	one_init_ok(&o, path, text, arch);
	assert_int_equal(o.places[0].file_offset & ~3ULL, wanted);
	assert_string_equal(o.places[0].symbol, "magic");
	assert_int_equal(o.places[0].offset, 4);
	one_deinit(&o);
}

static void check_program(const char *dir, const char *name,
			  enum ktap_arch arch)
{
	_cleanup_free_ char *path = elf_file(dir, name);
	uint64_t address = elf_file_nm(path, "", "public_function", 0);
	char inside[64];

	check_symbol(path, arch, "public_function", address,
		     "public_function", 0);
	check_symbol(path, arch, "public_function+4", address + 4,
		     "public_function", 4);
	check_symbol(path, arch, "public_function%return", address,
		     "public_function", 0);
	check_symbol(path, arch, "local_function",
		     elf_file_nm(path, "", "local_function", 0),
		     "local_function", 0);
	check_offset(path, arch);
	check_refused(path, arch, "public_function+0x1000", DIAG_ELF_PAST_END,
		      "bytes");
	check_refused(path, arch, "public_functoin", DIAG_ELF_NO_SYMBOL,
		      "public_function");
	check_refused(path, arch, "data_object", DIAG_ELF_DATA, NULL);
	check_refused(path, arch, "0x10", DIAG_ELF_NOT_CODE, NULL);
	snprintf(inside, sizeof(inside), "0x%llx%%return",
		 (unsigned long long)address + 4);
	check_refused(path, arch, inside, DIAG_ELF_RETURN_INSIDE,
		      "public_function%return");
	check_refused(path, arch, "public_function@KTAP_9",
		      DIAG_ELF_NO_VERSION, "has no versions");
}

static void check_twins(const char *path, enum ktap_arch arch)
{
	char first[32], second[32], text[32];
	unsigned long long address = elf_file_nm(path, "", "twin", 0);

	snprintf(first, sizeof(first), "0x%llx", address);
	snprintf(second, sizeof(second), "0x%llx",
		 (unsigned long long)elf_file_nm(path, "", "twin", 1));
	check_refused(path, arch, "twin", DIAG_ELF_AMBIGUOUS, first);
	check_refused(path, arch, "twin", DIAG_ELF_AMBIGUOUS, second);
	snprintf(text, sizeof(text), "0x%llx", address);
	check_symbol(path, arch, text, address, "twin", 0);
}

/* on_each_machine() - @fn with the files of each that can be made here. */
static void on_each_machine(void (*fn)(const char *dir, enum ktap_arch arch))
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		const char *dir = elf_files_make(machines[i].prefix);

		if (dir)
			fn(dir, machines[i].arch);
		else
			print_message("no %sgcc\n", machines[i].prefix);
	}
}

static void programs(const char *dir, enum ktap_arch arch)
{
	static const char *const names[] = { "nopie", "pie", "static" };
	_cleanup_free_ char *pie = elf_file(dir, "pie");
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		check_program(dir, names[i], arch);
	check_twins(pie, arch);
}

static void test_programs(void **state)
{
	on_each_machine(programs);
}

/* What is stripped has its exported symbols, and what was kept compressed. */
static void stripped(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *pie = elf_file(dir, "pie");
	_cleanup_free_ char *bare = elf_file(dir, "stripped");
	_cleanup_free_ char *mini = elf_file(dir, "mini");
	_cleanup_free_ char *cut = elf_file(dir, "minicut");
	uint64_t local = elf_file_nm(pie, "", "local_function", 0);
	char address[32];

	check_refused(bare, arch, "local_function", DIAG_ELF_NO_SYMBOLS,
		      "0xADDRESS");
	check_refused(cut, arch, "local_function", DIAG_ELF_NO_SYMBOLS, NULL);
	check_symbol(mini, arch, "local_function", local, "local_function", 0);
	check_refused(mini, arch, "twin", DIAG_ELF_NO_SYMBOL, NULL);
	snprintf(address, sizeof(address), "0x%llx", (unsigned long long)local);
	check_symbol(mini, arch, address, local, "local_function", 0);
}

static void test_stripped(void **state)
{
	on_each_machine(stripped);
}

static void check_place_without_symbol(const char *path, enum ktap_arch arch,
				       uint64_t address)
{
	char text[32];
	struct one o;

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
	one_init_ok(&o, path, text, arch);
	assert_null(o.places[0].symbol);
	assert_int_equal(o.places[0].address, address);
	assert_false(o.places[0].is_entry);
	one_deinit(&o);
}

static void addresses(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *pie = elf_file(dir, "pie");
	_cleanup_free_ char *bare = elf_file(dir, "stripped");
	_cleanup_free_ char *rwx = elf_file(dir, "rwx");
	char text[32];

	check_place_without_symbol(bare, arch,
				   elf_file_nm(pie, "", "local_function", 0));
	check_refused(rwx, arch, "twin_of_other", DIAG_ELF_WRITABLE, NULL);
	snprintf(text, sizeof(text), "0x%llx",
		 (unsigned long long)elf_file_nm(pie, "", "magic", 0) + 2);
	if (arch == KTAP_ARCH_ARM64)
		check_refused(pie, arch, text, DIAG_ELF_UNALIGNED, NULL);
}

static void test_addresses(void **state)
{
	on_each_machine(addresses);
}

static void versions(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *lib = elf_file(dir, "libktap-test.so.1");
	uint64_t old = elf_file_nm(lib, "-D", "answer@KTAP_1", 0);
	uint64_t new = elf_file_nm(lib, "-D", "answer@@KTAP_2", 0);

	assert_int_not_equal(old, new);
	check_symbol(lib, arch, "answer", new, "answer", 0);
	check_symbol(lib, arch, "answer@KTAP_1", old, "answer", 0);
	check_symbol(lib, arch, "answer@KTAP_2", new, "answer", 0);
	check_symbol(lib, arch, "answer@@KTAP_2", new, "answer", 0);
	check_symbol(lib, arch, "plain@KTAP_1",
		     elf_file_nm(lib, "-D", "plain@@KTAP_1", 0), "plain", 0);
	check_refused(lib, arch, "answer@KTAP_3", DIAG_ELF_NO_VERSION,
		      "answer@KTAP_1");
	check_refused(lib, arch, "chosen", DIAG_ELF_IFUNC, "__chosen_fast");
	check_symbol(lib, arch, "__chosen_fast",
		     elf_file_nm(lib, "", "__chosen_fast", 0),
		     "__chosen_fast", 0);
}

static void test_versions(void **state)
{
	on_each_machine(versions);
}

static void imports(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *path = elf_file(dir, "uselib");

	check_refused(path, arch, "answer", DIAG_ELF_IMPORTED,
		      "-x libktap-test.so.1 answer");
	check_refused(path, arch, "plain", DIAG_ELF_IMPORTED,
		      "libktap-test.so.1");
}

static void test_imports(void **state)
{
	on_each_machine(imports);
}

/* A file of each machine is refused on the other, by what it is. */
static void other_machine(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *path = elf_file(dir, "pie");

	if (arch == KTAP_ARCH_ARM64)
		check_refused(path, KTAP_ARCH_X86_64, "main", DIAG_ELF_ARCH,
			      "code for arm64");
	else
		check_refused(path, KTAP_ARCH_ARM64, "main", DIAG_ELF_ARCH,
			      "code for x86-64");
}

static void test_other_machine(void **state)
{
	on_each_machine(other_machine);
}

/* ---- uprobe_events ---- */

static void check_byte(const char *path, enum ktap_arch arch)
{
	unsigned long long magic = elf_file_find(path, "KTAP-MAGIC-BYTES");
	char text[256];
	struct one o;

	snprintf(text, sizeof(text), "p %s:0x%llx(0x10)", path, magic);
	line_init(&o, path, text, arch);
	assert_int_equal(o.err, 0);
	assert_int_equal(o.places[0].file_offset, magic);
	assert_int_equal(o.places[0].ref_offset, 0x10);
	assert_string_equal(o.places[0].symbol, "magic");
	one_deinit(&o);
	snprintf(text, sizeof(text), "p %s:0x3", path);
	line_init(&o, path, text, arch);
	assert_int_equal(o.err, -EINVAL);
	assert_int_equal(o.d.code, DIAG_ELF_NOT_CODE_OFFSET);
	assert_int_equal(o.d.column, 2);
	one_deinit(&o);
}

static void bytes(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *pie = elf_file(dir, "pie");
	_cleanup_free_ char *nopie = elf_file(dir, "nopie");

	check_byte(pie, arch);
	check_byte(nopie, arch);
}

static void test_uprobe_events(void **state)
{
	on_each_machine(bytes);
}

/* ---- marks ---- */

static void check_semaphore(const char *path, enum ktap_arch arch)
{
	uint64_t address = elf_file_nm(path, "", "prog_counted_semaphore", 0);
	uint64_t beside = elf_file_nm(path, "", "beside_semaphore", 0);
	struct one o, code;

	one_init_ok(&o, path, "sdt:prog:counted", arch);
	assert_int_equal(o.nr, 1);
	assert_string_equal(o.places[0].symbol, "public_function");
	assert_false(o.places[0].is_entry);
	assert_int_equal(o.places[0].ref_offset - address,
			 elf_file_find(path, "KTAP-SEMAPHORE") - beside);
	one_init_ok(&code, path, "public_function", arch);
	assert_true(o.places[0].address > code.places[0].address);
	assert_int_equal(o.places[0].address - code.places[0].address,
			 o.places[0].file_offset - code.places[0].file_offset);
	one_deinit(&code);
	one_deinit(&o);
}

static void check_marks(const char *path, enum ktap_arch arch)
{
	struct one o;

	one_init_ok(&o, path, "sdt:prog:twice", arch);
	assert_int_equal(o.nr, 2);
	assert_int_not_equal(o.places[0].file_offset, o.places[1].file_offset);
	assert_int_equal(o.places[0].ref_offset, 0);
	assert_int_equal(o.places[0].sdt_args->nr, 1);
	assert_int_equal(o.places[0].sdt_args->arg[0].size, 4);
	assert_true(o.places[0].sdt_args->arg[0].is_signed);
	one_deinit(&o);
	one_init_ok(&o, path, "sdt:prog:plain", arch);
	assert_int_equal(o.places[0].sdt_args->nr, 0);
	one_deinit(&o);
	check_refused(path, arch, "sdt:prog:twise", DIAG_ELF_NO_MARK,
		      "sdt:prog:twice");
	check_refused(path, arch, "sdt:porg:twice", DIAG_ELF_NO_MARK,
		      "sdt:prog:twice");
}

/* An operand that names a symbol: as far from the mark as it is. */
static void check_symbol_operand(const char *path)
{
	long long data = elf_file_nm(path, "", "data_object", 0);
	const struct sdt_arg *arg;
	struct one o;

	one_init_ok(&o, path, "sdt:prog:memory", KTAP_ARCH_X86_64);
	assert_int_equal(o.places[0].sdt_args->nr, 1);
	arg = &o.places[0].sdt_args->arg[0];
	assert_int_equal(arg->kind, SDT_MEMORY);
	assert_string_equal(arg->reg, "ip");
	assert_int_equal(arg->number, data - (long long)o.places[0].address);
	one_deinit(&o);
}

static void marks(const char *dir, enum ktap_arch arch)
{
	static const char *const names[] = { "nopie", "pie", "static" };
	_cleanup_free_ char *lib = elf_file(dir, "libktap-test.so.1");
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *path = elf_file(dir, names[i]);

		check_semaphore(path, arch);
		check_marks(path, arch);
		if (arch == KTAP_ARCH_X86_64)
			check_symbol_operand(path);
	}
	check_refused(lib, arch, "sdt:prog:twice", DIAG_ELF_NO_MARKS, NULL);
}

static void test_marks(void **state)
{
	on_each_machine(marks);
}

static char *write_file(const char *dir, const char *name, const void *data,
			size_t size)
{
	char *path = elf_file(dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), size);
	close(fd);
	return path;
}

/* ---- programs whose stacks move ---- */

/* The return of @entry cannot be probed, and @wanted is said; its entry can. */
static void check_go(const char *path, enum ktap_arch arch, const char *entry,
		     enum diag_code code, const char *wanted)
{
	char text[64];
	struct one o;

	snprintf(text, sizeof(text), "%s%%return", entry);
	check_refused(path, arch, text, code, wanted);
	one_init_ok(&o, path, entry, arch);
	assert_int_equal(o.places[0].type, KTAP_TYPE_UPROBE);
	assert_false(o.places[0].at_ret);
	one_deinit(&o);
}

/* The return of @entry is seen at the labels @a and @b, as nm has them. */
static void check_rets(const char *path, enum ktap_arch arch, const char *entry,
		       const char *a, const char *b)
{
	unsigned long long at[] = {
		elf_file_nm(path, "", a, 0), elf_file_nm(path, "", b, 0),
	};
	char text[64];
	struct one o;

	snprintf(text, sizeof(text), "%s%%return", entry);
	one_init_ok(&o, path, text, arch);
	assert_int_equal(o.nr, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(o.places[i].address, at[i]);
		assert_int_equal(o.places[i].type, KTAP_TYPE_UPROBE);
		assert_true(o.places[i].at_ret);
		assert_true(place_is_return(&o.places[i]));
	}
	one_deinit(&o);
}

static void go_sections(const char *dir, enum ktap_arch arch)
{
	static const char *const names[] = {
		"gonote", "go.gopclntab", "go.data.rel.ro.gopclntab",
		"go.go.buildinfo", "go.note.go.buildid",
	};
	_cleanup_free_ char *nogo = elf_file(dir, "nogo");
	struct one o;
	size_t i;

	one_init_ok(&o, nogo, "go_work%return", arch);
	assert_int_equal(o.places[0].type, KTAP_TYPE_URETPROBE);
	one_deinit(&o);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *path = elf_file(dir, names[i]);

		check_rets(path, arch, "go_work", "go_first", "go_second");
	}
}

static void test_go_sections(void **state)
{
	on_each_machine(go_sections);
}

static void go_rets(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *path = elf_file(dir, "gonote");
	char text[64];
	struct one o;

	check_rets(path, arch, "go_work", "go_first", "go_second");
	snprintf(text, sizeof(text), "0x%llx",
		 (unsigned long long)elf_file_nm(path, "", "go_work", 0));
	check_rets(path, arch, text, "go_first", "go_second");
	check_rets(path, arch, "go_mixed", "go_mixed_1", "go_mixed_2");
	one_init_ok(&o, path, "go_many%return", arch);
	assert_int_equal(o.nr, 11);
	assert_int_equal(o.places[0].offset, 0);
	assert_false(o.places[0].is_entry);
	one_deinit(&o);
}

static void test_go_rets(void **state)
{
	on_each_machine(go_rets);
}

static void go_no_rets(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *path = elf_file(dir, "gonote");
	char inside[64];

	check_go(path, arch, "go_never", DIAG_ELF_GO_NO_RET, "'go_never' has none");
	snprintf(inside, sizeof(inside), "0x%llx",
		 (unsigned long long)elf_file_nm(path, "", "go_second", 0));
	check_go(path, arch, inside, DIAG_ELF_RETURN_INSIDE,
		 "write go_work%return");
	if (arch == KTAP_ARCH_ARM64)
		return;
	check_go(path, arch, "go_strange", DIAG_ELF_GO_DECODE, "go_strange+0x1 ");
	check_go(path, arch, "go_cut", DIAG_ELF_GO_DECODE, "go_cut+0x1 ");
}

static void test_go_no_rets(void **state)
{
	on_each_machine(go_no_rets);
}

/* @wanted: why what it returns is in no register; NULL: it is */
static void check_results(const char *dir, enum ktap_arch arch, const char *name,
			  const char *text, const char *wanted)
{
	_cleanup_free_ char *path = elf_file(dir, name);
	struct one o;

	one_init_ok(&o, path, text, arch);
	if (!wanted && o.places[0].no_retval)
		fail_msg("%s: %s", name, o.places[0].no_retval);
	if (wanted && (!o.places[0].no_retval ||
		       !strstr(o.places[0].no_retval, wanted)))
		fail_msg("%s: %s", name, o.places[0].no_retval);
	one_deinit(&o);
}

static void go_results(const char *dir, enum ktap_arch arch)
{
	static const char work[] = "go_work%return";
	static const char unknown[] = "does not say which version";

	check_results(dir, arch, "gonote", work, unknown);
	check_results(dir, arch, "go.go.buildinfo", work, unknown);
	check_results(dir, arch, "go16", work, "what go1.16.15 made returns on");
	check_results(dir, arch, "go17", work,
		      arch == KTAP_ARCH_ARM64 ? "what go1.17 made" : NULL);
	check_results(dir, arch, "go18", work, NULL);
	check_results(dir, arch, "go18", "go_work.abi0%return",
		      "as assembler code wants it");
	check_results(dir, arch, "godevel", work, NULL);
	check_results(dir, arch, "gooff", work, "X:noregabi made");
	check_results(dir, arch, "gotip", work, "what devel +1c0035c made");
}

static void test_go_results(void **state)
{
	on_each_machine(go_results);
}

/* A copy of the file without section headers; libelf then sees none. */
static char *without_sections(const char *dir, const char *path)
{
	_cleanup_fclose_ FILE *f = fopen(path, "r");
	char bytes[100000];
	Elf64_Ehdr header;
	size_t size;

	assert_non_null(f);
	size = fread(bytes, 1, sizeof(bytes), f);
	assert_true(size > sizeof(header) && size < sizeof(bytes));
	memcpy(&header, bytes, sizeof(header));
	header.e_shoff = 0;
	header.e_shnum = 0;
	header.e_shstrndx = 0;
	memcpy(bytes, &header, sizeof(header));
	return write_file(dir, "nosections", bytes, size);
}

/* No symbol says where the function ends. */
static void go_stripped(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *path = elf_file(dir, "gonote");
	_cleanup_free_ char *stripped = elf_file(dir, "gostripped");
	_cleanup_free_ char *bare = without_sections(dir, stripped);
	unsigned long long work = elf_file_nm(path, "", "go_work", 0);
	char wanted[128], entry[32];

	snprintf(entry, sizeof(entry), "0x%llx", work);
	snprintf(wanted, sizeof(wanted),
		 "the first ones of 'objdump -d --start-address=0x%llx /", work);
	check_go(stripped, arch, entry, DIAG_ELF_GO_RETURN, wanted);
	check_go(bare, arch, entry, DIAG_ELF_GO_RETURN, wanted);
}

static void test_go_stripped(void **state)
{
	on_each_machine(go_stripped);
}

/* ---- notes that something has changed ---- */

/* A copy of @path where 8 bytes, @back in front of the mark's names, are
 * another number; the old one goes to @old.
 */
static char *patch_note(const char *dir, const char *path, size_t back,
			uint64_t delta, uint64_t *old)
{
	_cleanup_fclose_ FILE *f = fopen(path, "r");
	static const char names[] = "prog\0counted";
	char bytes[100000], *at;
	uint64_t value;
	size_t size;

	assert_non_null(f);
	size = fread(bytes, 1, sizeof(bytes), f);
	assert_true(size && size < sizeof(bytes));
	at = memmem(bytes, size, names, sizeof(names));
	assert_non_null(at);
	memcpy(old, at - back, sizeof(*old));
	value = *old + delta;
	memcpy(at - back, &value, sizeof(value));
	return write_file(dir, "patched", bytes, size);
}

/* What moved all sections by 4 bytes has not moved what notes say. */
static void moved(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *pie = elf_file(dir, "pie"), *patched = NULL;
	struct one o, plain;
	uint64_t old;

	patched = patch_note(dir, pie, 16, 4, &old);
	one_init_ok(&plain, pie, "sdt:prog:counted", arch);
	one_init_ok(&o, patched, "sdt:prog:counted", arch);
	assert_int_equal(o.places[0].address, plain.places[0].address - 4);
	assert_int_equal(o.places[0].ref_offset,
			 plain.places[0].ref_offset - 4);
	one_deinit(&o);
	one_deinit(&plain);
}

static void test_moved(void **state)
{
	on_each_machine(moved);
}

static void lost_semaphore(const char *dir, enum ktap_arch arch)
{
	_cleanup_free_ char *pie = elf_file(dir, "pie"), *patched = NULL;
	uint64_t old;

	patched = patch_note(dir, pie, 8, 0xdead0000, &old);
	assert_int_equal(old, elf_file_nm(pie, "", "prog_counted_semaphore", 0));
	check_refused(patched, arch, "sdt:prog:counted", DIAG_ELF_SEMAPHORE,
		      NULL);
}

static void test_lost_semaphore(void **state)
{
	on_each_machine(lost_semaphore);
}

/* ---- files that are none ---- */

static void check_open(const char *path, enum diag_code code,
		       const char *wanted)
{
	struct binary *bin = NULL;
	struct diag d = {};

	assert_true(binary_open(path, &d, &bin) < 0);
	if (d.code != code)
		fail_msg("%s: %s", path, d.message);
	if (wanted && !strstr(d.message, wanted))
		assert_non_null(d.hint && strstr(d.hint, wanted) ? d.hint :
				NULL);
	met[code] = true;
	diag_clear(&d);
}

/* An ELF header and nothing else. */
static void check_header(const char *dir, unsigned char class,
			 unsigned short machine, enum diag_code code)
{
	unsigned char header[64] = { 0x7f, 'E', 'L', 'F', class, 1, 1 };
	_cleanup_free_ char *path = NULL;

	header[16] = 3; /* ET_DYN */
	memcpy(header + 18, &machine, sizeof(machine));
	header[20] = 1;
	path = write_file(dir, "header", header, sizeof(header));
	check_open(path, code, NULL);
}

static void test_no_program(void **state)
{
	const char *dir = elf_files_make("");
	_cleanup_free_ char *object = NULL, *script = NULL, *text = NULL;
	_cleanup_free_ char *pie = NULL, *fifo = NULL, *cut = NULL;
	char head[100];
	FILE *f;

	assert_non_null(dir);
	object = elf_file(dir, "object.o");
	script = write_file(dir, "script", "#! /bin/sh -e\n", 14);
	text = write_file(dir, "text", "text\n", 5);
	check_open(dir, DIAG_ELF_NOT_REGULAR, NULL);
	check_open("/nonexistent/file", DIAG_ELF_OPEN, "No such file");
	check_open(script, DIAG_ELF_FORMAT, "/bin/sh");
	check_open(text, DIAG_ELF_FORMAT, NULL);
	check_open(object, DIAG_ELF_KIND, "object file");
	fifo = elf_file(dir, "fifo");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	check_open(fifo, DIAG_ELF_NOT_REGULAR, NULL);
	check_header(dir, 2, 21, DIAG_ELF_MACHINE);	/* PowerPC */
	check_header(dir, 1, 3, DIAG_ELF_MACHINE);	/* i386 */
	pie = elf_file(dir, "pie");
	f = fopen(pie, "r");
	assert_int_equal(fread(head, 1, sizeof(head), f), sizeof(head));
	fclose(f);
	cut = write_file(dir, "cut", head, sizeof(head));
	check_open(cut, DIAG_ELF_DAMAGED, NULL);
}

/* ---- names of files ---- */

static void test_find(void **state)
{
	enum ktap_arch arch = machines[0].arch;
	_cleanup_free_ char *sh = NULL, *libc = NULL, *path = NULL;
	struct binary *bin = NULL;
	struct diag d = {};
	char *none = NULL;

	assert_int_equal(binary_find("sh", arch, NULL, &sh), 0);
	assert_int_equal(sh[0], '/');
	assert_int_equal(access(sh, X_OK), 0);
	assert_int_equal(binary_find("libc.so.6", arch, NULL, &libc), 0);
	assert_int_equal(binary_open(libc, NULL, &bin), 0);
	assert_int_equal(binary_arch(bin), arch);
	assert_true(binary_fd(bin) >= 0);
	binary_free(bin);
	assert_int_equal(binary_find("./x", arch, NULL, &path), 0);
	assert_int_equal(path[0], '/');
	assert_string_equal(strrchr(path, '/'), "/x");
	assert_null(strstr(path, "/./"));
	assert_int_equal(binary_find("no-such-thing", arch, &d, &none), -ENOENT);
	met[d.code] = true;
	diag_clear(&d);
	assert_int_equal(binary_find("no.so.1", arch, NULL, &none), -ENOENT);
	assert_int_equal(binary_find("", arch, NULL, &none), -ENOENT);
}

/* Old directories of PATH and those that are not there do not disturb. */
static void test_find_in_path(void **state)
{
	const char *dir = elf_files_make("");
	_cleanup_free_ char *old = strdup(getenv("PATH")), *found = NULL;
	char path[256];

	snprintf(path, sizeof(path), "/nonexistent:%s::", dir);
	setenv("PATH", path, 1);
	assert_int_equal(binary_find("uselib", machines[0].arch, NULL, &found),
			 0);
	setenv("PATH", old, 1);
	assert_non_null(strstr(found, "/uselib"));
}

/* ---- every text was met ---- */

static void test_texts(void **state)
{
	static const enum diag_code codes[] = {
		DIAG_ELF_NOT_FOUND, DIAG_ELF_OPEN, DIAG_ELF_NOT_REGULAR,
		DIAG_ELF_FORMAT, DIAG_ELF_DAMAGED, DIAG_ELF_KIND,
		DIAG_ELF_MACHINE, DIAG_ELF_ARCH, DIAG_ELF_NO_SYMBOLS,
		DIAG_ELF_NO_SYMBOL, DIAG_ELF_NO_VERSION, DIAG_ELF_AMBIGUOUS,
		DIAG_ELF_DATA, DIAG_ELF_IMPORTED, DIAG_ELF_IFUNC,
		DIAG_ELF_PAST_END, DIAG_ELF_NOT_CODE, DIAG_ELF_NOT_CODE_OFFSET,
		DIAG_ELF_WRITABLE, DIAG_ELF_RETURN_INSIDE, DIAG_ELF_NO_MARKS,
		DIAG_ELF_NO_MARK, DIAG_ELF_SEMAPHORE, DIAG_ELF_GO_RETURN,
		DIAG_ELF_GO_NO_RET, DIAG_ELF_GO_DECODE,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(codes); i++)
		if (!met[codes[i]])
			fail_msg("not met: %s", diag_name(codes[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_stripped),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_imports),
		cmocka_unit_test(test_other_machine),
		cmocka_unit_test(test_uprobe_events),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_go_sections),
		cmocka_unit_test(test_go_rets),
		cmocka_unit_test(test_go_no_rets),
		cmocka_unit_test(test_go_results),
		cmocka_unit_test(test_go_stripped),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_lost_semaphore),
		cmocka_unit_test(test_no_program),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_find_in_path),
		cmocka_unit_test(test_texts),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
