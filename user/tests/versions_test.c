// SPDX-License-Identifier: GPL-2.0
/* Modules and build directories of kernels that are made here, and may be hostile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/whole.h"
#include "module/kdir.h"
#include "module/versions.h"

static char root[32];

#define CONFIG	"CONFIG_X86_64=y\nCONFIG_MODULES=y\nCONFIG_SMP=y\nCONFIG_MODULE_UNLOAD=y\n"
#define CRCS	"CONFIG_MODVERSIONS=y\n"
#define RELEASE	"#define UTS_RELEASE \"6.1.0-1\"\n"
#define SYMVERS	"0x00000001\tmodule_layout\tvmlinux\tEXPORT_SYMBOL\t\n"	\
		"0x00000002\tprintk\tvmlinux\tEXPORT_SYMBOL\t\n"		\
		"0x00000003\tprintk_more\tvmlinux\tEXPORT_SYMBOL\t\n"
#define MAGIC	"6.1.0-1 SMP mod_unload modversions "

/* ---- files ------------------------------------------------------------------------ */

static void put_file(const char *name, const void *bytes, size_t size)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(write_to(path, bytes, size), 0);
}

static void put_text(const char *name, const char *text)
{
	put_file(name, text, strlen(text));
}

static void remove_file(const char *name)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	remove(path);
}

static void put_kernel(const char *config, const char *symvers)
{
	put_text("include/config/auto.conf", config);
	put_text("include/generated/utsrelease.h", RELEASE);
	put_text("Module.symvers", symvers);
}

static int setup(void **state)
{
	char line[200];

	snprintf(root, sizeof(root), "/tmp/ktap-kdir.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	snprintf(line, sizeof(line),
		 "mkdir -p %s/include/config %s/include/generated %s/beside", root, root,
		 root);
	return system(line);
}

static int teardown(void **state)
{
	char line[100];

	snprintf(line, sizeof(line), "rm -rf %s", root);
	return system(line);
}

/* ---- modules ---------------------------------------------------------------------- */

/* struct crc - an entry of __versions */
struct crc {
	uint64_t crc;
	char name[56];
};

/**
 * struct ko - what a module has
 * @magic: vermagic; NULL: none
 * @symbols: undefined ones; one that begins with '?' is weak
 * @crcs: of __versions; NULL: it has no such section
 * @extended: of the extended sections; likewise
 * @exports: names that it exports
 */
struct ko {
	const char *magic;
	const char *symbols[4];
	const struct crc *crcs;
	size_t nr_crcs;
	const struct crc *extended;
	size_t nr_extended;
	const char *exports;
};

#define NR_SECTIONS 9

/**
 * struct making - a file that is made
 * @text: the file
 * @names: of sections and symbols
 * @sections: headers; section 1 is @names
 * @nr: how many
 */
struct making {
	struct buf text;
	struct buf names;
	Elf64_Shdr sections[NR_SECTIONS];
	size_t nr;
};

static size_t put_name(struct making *m, const char *name)
{
	size_t at = m->names.size;

	buf_put(&m->names, name, strlen(name) + 1);
	return at;
}

static Elf64_Shdr *put_section(struct making *m, const char *name, uint32_t type,
			       const void *bytes, size_t size)
{
	Elf64_Shdr *s = &m->sections[m->nr++];

	assert_true(m->nr <= NR_SECTIONS);
	*s = (Elf64_Shdr){
		.sh_name = put_name(m, name), .sh_type = type,
		.sh_offset = m->text.size, .sh_size = size, .sh_addralign = 1,
	};
	buf_put(&m->text, bytes, size);
	while (m->text.size % 8)
		buf_putc(&m->text, 0);
	return s;
}

static void put_symbols(struct making *m, const struct ko *ko)
{
	Elf64_Sym symbols[1 + ARRAY_SIZE(ko->symbols)] = { 0 };
	size_t nr = 1;
	Elf64_Shdr *s;

	for (size_t i = 0; i < ARRAY_SIZE(ko->symbols) && ko->symbols[i]; i++) {
		bool weak = *ko->symbols[i] == '?';

		symbols[nr].st_name = put_name(m, ko->symbols[i] + weak);
		symbols[nr++].st_info = ELF64_ST_INFO(weak ? STB_WEAK : STB_GLOBAL, 0);
	}
	s = put_section(m, ".symtab", SHT_SYMTAB, symbols, nr * sizeof(*symbols));
	s->sh_entsize = sizeof(*symbols);
	s->sh_link = 1;
	s->sh_addralign = 8;
}

static void put_extended(struct making *m, const struct ko *ko)
{
	_cleanup_buf_ struct buf crcs = BUF_INIT;
	_cleanup_buf_ struct buf names = BUF_INIT;

	for (size_t i = 0; i < ko->nr_extended; i++) {
		uint32_t crc = ko->extended[i].crc;

		buf_put(&crcs, &crc, sizeof(crc));
		buf_put(&names, ko->extended[i].name, strlen(ko->extended[i].name) + 1);
	}
	put_section(m, "__version_ext_crcs", SHT_PROGBITS, buf_str(&crcs), crcs.size);
	put_section(m, "__version_ext_names", SHT_PROGBITS, buf_str(&names), names.size);
}

static void put_info(struct making *m, const struct ko *ko)
{
	_cleanup_buf_ struct buf info = BUF_INIT;

	buf_put(&info, "license=GPL", 12);
	if (ko->magic)
		buf_printf(&info, "vermagic=%s", ko->magic);
	buf_putc(&info, '\0');
	put_section(m, ".modinfo", SHT_PROGBITS, buf_str(&info), info.size);
}

static struct buf made(const struct ko *ko)
{
	struct making m = { .nr = 1 };
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_REL, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(head), .e_shentsize = sizeof(Elf64_Shdr),
		.e_shstrndx = 1,
	};
	Elf64_Shdr *names;

	buf_putc(&m.names, 0);
	buf_put(&m.text, &head, sizeof(head));
	names = put_section(&m, ".strtab", SHT_STRTAB, NULL, 0);
	put_symbols(&m, ko);
	put_info(&m, ko);
	if (ko->crcs)
		put_section(&m, "__versions", SHT_PROGBITS, ko->crcs,
			    ko->nr_crcs * sizeof(*ko->crcs));
	if (ko->extended)
		put_extended(&m, ko);
	if (ko->exports)
		put_section(&m, "__ksymtab_strings", SHT_PROGBITS, ko->exports,
			    strlen(ko->exports) + 1);
	names->sh_offset = m.text.size;
	names->sh_size = m.names.size;
	buf_put(&m.text, m.names.data, m.names.size);
	while (m.text.size % 8)
		buf_putc(&m.text, 0);
	head.e_shoff = m.text.size;
	head.e_shnum = m.nr;
	memcpy(m.text.data, &head, sizeof(head));
	buf_put(&m.text, m.sections, m.nr * sizeof(*m.sections));
	assert_false(m.text.failed || m.names.failed);
	buf_deinit(&m.names);
	return m.text;
}

static void put_ko(const char *name, const struct ko *ko)
{
	struct buf file = made(ko);

	put_file(name, file.data, file.size);
	buf_deinit(&file);
}

/* ---- checks ----------------------------------------------------------------------- */

/* The row of errors.def of opening the kernel; "OK" if it can be opened. */
static const char *opened(struct kdir **ret)
{
	_cleanup_diag_ struct diag d = { 0 };
	int err = kdir_open(root, &d, ret);

	assert_true(!err == (d.code == DIAG_OK));
	return diag_name(d.code);
}

/*
 * The row of errors.def, and after a blank what follows ':' or "export" in the message. The
 * module is beside/a.ko, and beside/other.ko may be another one.
 */
static const char *checked(void)
{
	_cleanup_(kdir_freep) struct kdir *k = NULL;
	_cleanup_diag_ struct diag d = { 0 };
	static char text[300];
	char path[100], other[100];
	const char *const modules[] = { path, other };
	const char *tail;

	snprintf(path, sizeof(path), "%s/beside/a.ko", root);
	snprintf(other, sizeof(other), "%s/beside/other.ko", root);
	assert_string_equal(opened(&k), "OK");
	if (!versions_check(k, path, modules, ARRAY_SIZE(modules), &d))
		return d.code == DIAG_OK ? "OK" : "both";
	tail = strstr(d.message, "the symbol");
	if (!tail)
		tail = strchr(d.message, ':');
	snprintf(text, sizeof(text), "%s%s", diag_name(d.code), tail ? tail : "");
	return text;
}

static const char *checked_ko(const struct ko *ko)
{
	put_ko("beside/a.ko", ko);
	return checked();
}

static const struct crc good_crcs[] = {
	{ 1, "module_layout" }, { 2, "printk" }, { 3, "printk_more" },
};

#define GOOD { \
	.magic = MAGIC, .symbols = { "printk", "printk_more", "?weak" }, \
	.crcs = good_crcs, .nr_crcs = ARRAY_SIZE(good_crcs), \
}

static void test_fits(void **state)
{
	struct ko ko = GOOD;

	put_kernel(CONFIG CRCS, SYMVERS);
	assert_string_equal(checked_ko(&ko), "OK");
	ko.magic = "5.10.1 SMP mod_unload modversions ";
	assert_string_equal(checked_ko(&ko), "OK");
	ko.magic = "6.1.0-1 SMP mod_unload modversions RANDSTRUCT_0123";
	assert_string_equal(checked_ko(&ko), "OK");
	ko.symbols[3] = "_GLOBAL_OFFSET_TABLE_";
	assert_string_equal(checked_ko(&ko), "OK");
	ko.symbols[3] = "printk";
	assert_string_equal(checked_ko(&ko), "OK");
}

static void test_vermagic(void **state)
{
	static const struct {
		const char *config;
		const char *magic;
		const char *result;
	} rows[] = {
		{ CONFIG, "6.1.0-1 SMP mod_unload ", "OK" },
		{ CONFIG, "6.1.0-1 SMP mod_unload", "OK" },
		{ CONFIG, "6.1.0-2 SMP mod_unload ", "VERSIONS_MAGIC" },
		{ CONFIG, "6.1.0 SMP mod_unload ", "VERSIONS_MAGIC" },
		{ CONFIG, "6.1.0-1 mod_unload ", "VERSIONS_MAGIC" },
		{ CONFIG, "6.1.0-1 SMP ", "VERSIONS_MAGIC" },
		{ CONFIG, "6.1.0-1 SMP preempt mod_unload ", "VERSIONS_MAGIC" },
		{ CONFIG, "6.1.0-1 SMP mod_unload aarch64", "VERSIONS_MAGIC" },
		{ CONFIG, "6.1.0-1", "VERSIONS_MAGIC" },
		{ CONFIG, "", "VERSIONS_MAGIC" },
		{ CONFIG, "6.1.0-1 SMP mod_unload modversions ", "VERSIONS_MAGIC" },
		{ CONFIG "CONFIG_PREEMPT=y\n", "6.1.0-1 SMP preempt mod_unload ", "OK" },
		{ CONFIG "CONFIG_PREEMPT_BUILD=y\n", "6.1.0-1 SMP preempt mod_unload ", "OK" },
		{ CONFIG "CONFIG_PREEMPT_BUILD=y\n", "6.1.0-1 SMP mod_unload ", "VERSIONS_MAGIC" },
		{ CONFIG "CONFIG_PREEMPT_RT=y\n", "6.1.0-1 SMP preempt_rt mod_unload ", "OK" },
		{ CONFIG "CONFIG_PREEMPT_RT=y\n", "6.1.0-1 SMP preempt mod_unload ", "VERSIONS_MAGIC" },
		{ CONFIG "CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_RT=y\n",
		  "6.1.0-1 SMP preempt mod_unload ", "OK" },
		{ CONFIG "CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_RT=y\n",
		  "6.1.0-1 SMP preempt_rt mod_unload ", "OK" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ko ko = { .magic = rows[i].magic, .symbols = { "printk" } };

		put_kernel(rows[i].config, SYMVERS);
		assert_int_equal(strncmp(checked_ko(&ko), rows[i].result,
					 strlen(rows[i].result)), 0);
	}
}

static void test_symbols(void **state)
{
	struct ko ko = { .magic = "6.1.0-1 SMP mod_unload ",
			 .symbols = { "print", "printk", "printk_mores", "zz" } };
	struct ko other = { .magic = "x", .exports = "zz" };

	put_kernel(CONFIG, SYMVERS);
	assert_string_equal(checked_ko(&ko),
			    "VERSIONS_SYMBOLthe symbol 'print', and 2 others");
	put_ko("beside/other.ko", &other);
	assert_string_equal(checked(), "VERSIONS_SYMBOLthe symbol 'print', and 1 other");
	put_text("beside/Module.symvers", "0x0\tprint\tx/other\tEXPORT_SYMBOL_GPL\t\n");
	assert_string_equal(checked(), "VERSIONS_SYMBOLthe symbol 'printk_mores'");
	other.exports = "printk_mores";
	put_ko("beside/ktap.ko", &other);
	assert_string_equal(checked(), "OK");
	put_text("beside/Module.symvers", "0x0\tprint\n");
	assert_int_equal(strncmp(checked(), "KDIR_SYMVERS", 12), 0);
	remove_file("beside/Module.symvers");
	remove_file("beside/other.ko");
	remove_file("beside/ktap.ko");
	assert_string_equal(checked(), "VERSIONS_SYMBOLthe symbol 'print', and 2 others");
}

static void test_crcs(void **state)
{
	static const struct crc other[] = {
		{ 2, "module_layout" }, { 2, "printk" }, { 0x100000003, "printk_more" },
		{ 9, "not_needed" },
	};
	struct ko ko = GOOD;

	put_kernel(CONFIG CRCS, SYMVERS);
	ko.crcs = other;
	ko.nr_crcs = ARRAY_SIZE(other);
	assert_string_equal(checked_ko(&ko),
			    "VERSIONS_CRC: 'module_layout' has the CRC 0x00000001 there and 0x00000002 here, and 1 other");
	/* nothing of it counts where the kernel has no CRCs, but then vermagic differs */
	ko.crcs = good_crcs + 1;
	ko.nr_crcs = 2;
	assert_string_equal(checked_ko(&ko),
			    "VERSIONS_NO_CRC: the module has no CRC of 'module_layout'");
	ko.nr_crcs = 0;
	ko.crcs = NULL;
	assert_string_equal(checked_ko(&ko),
			    "VERSIONS_NO_CRC: the module has no CRC of 'printk', and 1 other");
	/* the symbols have no CRC here and none there */
	put_kernel(CONFIG CRCS, "0x0\tprintk\tvmlinux\tEXPORT_SYMBOL\t\n"
		   "0x0\tprintk_more\tvmlinux\tEXPORT_SYMBOL\t\n");
	assert_string_equal(checked_ko(&ko), "OK");
	/* such a kernel has this symbol */
	ko.crcs = good_crcs;
	ko.nr_crcs = 1;
	assert_string_equal(checked_ko(&ko),
			    "VERSIONS_SYMBOLthe symbol 'module_layout'");
	/* those of a module beside it are compared, too */
	put_kernel(CONFIG CRCS, "0x00000001\tmodule_layout\tvmlinux\tEXPORT_SYMBOL\t\n");
	put_text("beside/Module.symvers", "0x00000002\tprintk\tx\tEXPORT_SYMBOL\t\n"
		 "0x00000004\tprintk_more\tx\tEXPORT_SYMBOL\t\n");
	ko.nr_crcs = 3;
	assert_string_equal(checked_ko(&ko),
			    "VERSIONS_CRC: 'printk_more' has the CRC 0x00000004 there and 0x00000003 here");
	remove_file("beside/Module.symvers");
}

static void test_extended(void **state)
{
	static const struct crc other[] = { { 1, "module_layout" }, { 7, "printk" } };
	struct ko ko = GOOD;

	put_kernel(CONFIG CRCS, SYMVERS);
	ko.extended = good_crcs;
	ko.nr_extended = ARRAY_SIZE(good_crcs);
	assert_string_equal(checked_ko(&ko), "OK");
	ko.crcs = NULL;
	assert_string_equal(checked_ko(&ko), "OK");
	ko.magic = "6.2 SMP mod_unload modversions ";
	assert_int_equal(strncmp(checked_ko(&ko), "VERSIONS_MAGIC", 14), 0);
	ko = (struct ko)GOOD;
	/* these count alone, and one that is missing is no fault */
	ko.extended = other;
	ko.nr_extended = ARRAY_SIZE(other);
	assert_string_equal(checked_ko(&ko),
			    "VERSIONS_CRC: 'printk' has the CRC 0x00000002 there and 0x00000007 here");
}

static void test_damaged_modules(void **state)
{
	static const struct {
		size_t at;
		char byte;
	} rows[] = {
		{ EI_CLASS, ELFCLASS32 }, { EI_DATA, ELFDATA2MSB }, { 0, 'x' },
		{ offsetof(Elf64_Ehdr, e_type), ET_EXEC },
		{ offsetof(Elf64_Ehdr, e_machine), EM_S390 },
	};
	struct ko ko = GOOD;
	struct buf file;

	put_kernel(CONFIG CRCS, SYMVERS);
	ko.magic = NULL;
	assert_string_equal(checked_ko(&ko), "MODULE_NOT_ONE: it has no vermagic");
	ko.magic = MAGIC;
	file = made(&ko);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char was = file.data[rows[i].at];

		file.data[rows[i].at] = rows[i].byte;
		put_file("beside/a.ko", file.data, file.size);
		assert_string_equal(checked(), "MODULE_NOT_ONE: it is no kernel module");
		file.data[rows[i].at] = was;
	}
	for (size_t size = 0; size < file.size; size++) {
		put_file("beside/a.ko", file.data, size);
		assert_string_not_equal(checked(), "OK");
	}
	put_file("beside/a.ko", file.data, file.size);
	assert_string_equal(checked(), "OK");
	buf_deinit(&file);
}

/* Whatever they are, the answer is one of those that there are. */
static void test_random_modules(void **state)
{
	struct ko ko = { .magic = MAGIC, .symbols = { "printk", "mine", "other" },
			 .crcs = good_crcs, .nr_crcs = 2, .extended = good_crcs,
			 .nr_extended = 2, .exports = "mine" };
	struct buf file = made(&ko);
	unsigned int seed = 1;

	put_kernel(CONFIG CRCS, SYMVERS);
	for (int i = 0; i < 3000; i++) {
		size_t at = (size_t)rand_r(&seed) % file.size;
		char was;

		/* headers of sections are what libelf follows */
		if (i % 2)
			at = file.size - 1 - (size_t)rand_r(&seed) % (NR_SECTIONS * 64);
		was = file.data[at];
		file.data[at] = rand_r(&seed);
		put_file("beside/a.ko", file.data, file.size);
		put_file("beside/other.ko", file.data, file.size);
		assert_string_not_equal(checked(), "both");
		if (i % 3)
			file.data[at] = was;
		if (i % 30 == 29) {
			buf_deinit(&file);
			file = made(&ko);
		}
	}
	buf_deinit(&file);
	remove_file("beside/other.ko");
}

static void test_kernels(void **state)
{
	static const char *const symvers[] = {
		"", "x", "\n", "\t\t\t\n", "0x1\n", "0x1\tprintk\n", "0x1\t\tvmlinux\tx\t\n",
		"1z\tprintk\tvmlinux\tx\t\n", "0x100000000\tprintk\tvmlinux\tx\t\n",
		"-1\tprintk\tvmlinux\tx\t\n", SYMVERS "0x1\tprintk\tvmlinux\tx\t",
		SYMVERS "\n", "\177ELF\t\t",
	};
	static const char *const releases[] = {
		"", "#define UTS_RELEASE \"\"\n", "#define UTS_RELEASE \"6.1",
		"#define UTS_RELEASE \"6 1\"\n", "#define UTS_RELEASE \"6\0331\"\n",
		"#define UTS_RELEASE \"0123456789012345678901234567890123456789012345678901234567890123456789\"\n",
	};
	struct kdir *k;
	char *huge;

	for (size_t i = 0; i < ARRAY_SIZE(symvers); i++) {
		put_kernel(CONFIG, symvers[i]);
		assert_string_equal(opened(&k), "KDIR_SYMVERS");
	}
	put_file("Module.symvers", "0x1\tpri\0ntk\tvmlinux\tx\t\n", 24);
	assert_string_equal(opened(&k), "KDIR_SYMVERS");
	huge = malloc(1 << 20);
	assert_non_null(huge);
	memset(huge, 'x', 1 << 20);
	put_file("Module.symvers", huge, 1 << 20);
	free(huge);
	assert_string_equal(opened(&k), "KDIR_SYMVERS");
	for (size_t i = 0; i < ARRAY_SIZE(releases); i++) {
		put_kernel(CONFIG, SYMVERS);
		put_text("include/generated/utsrelease.h", releases[i]);
		assert_string_equal(opened(&k), "KDIR_RELEASE");
	}
	put_kernel("CONFIG_MODULES=y\n", SYMVERS);
	assert_string_equal(opened(&k), "KDIR_CONFIG");
	put_kernel("CONFIG_ARM64=y\n", SYMVERS);
	assert_string_equal(opened(&k), "KDIR_CONFIG");
	put_kernel("CONFIG_ARM64=y\nCONFIG_MODULES=m\n#CONFIG_MODULES=y\n", SYMVERS);
	assert_string_equal(opened(&k), "KDIR_CONFIG");
	put_kernel(CONFIG, SYMVERS);
	remove_file("Module.symvers");
	assert_string_equal(opened(&k), "KDIR_READ");
}

/* A long name fits, and is not cut. */
static void test_long_names(void **state)
{
	struct ko ko = { .magic = "6.1.0-1 SMP mod_unload " };
	_cleanup_buf_ struct buf text = BUF_INIT;
	char name[5001];

	memset(name, 'n', 5000);
	name[5000] = '\0';
	ko.symbols[0] = name;
	buf_printf(&text, "0x1\t%s\tvmlinux\tEXPORT_SYMBOL\t\n", name);
	put_kernel(CONFIG, buf_str(&text));
	assert_string_equal(checked_ko(&ko), "OK");
	name[4999] = '\0';
	assert_int_equal(strncmp(checked_ko(&ko), "VERSIONS_SYMBOL", 15), 0);
}

static void test_release(void **state)
{
	_cleanup_(kdir_freep) struct kdir *k = NULL;
	_cleanup_(kdir_freep) struct kdir *other = NULL;

	put_kernel(CONFIG, SYMVERS);
	put_text("include/config/kernel.release", "6.1.7\n");
	assert_string_equal(opened(&k), "OK");
	assert_string_equal(k->release, "6.1.0-1");
	remove_file("include/generated/utsrelease.h");
	assert_string_equal(opened(&other), "OK");
	assert_string_equal(other->release, "6.1.7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_vermagic),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_crcs),
		cmocka_unit_test(test_extended),
		cmocka_unit_test(test_damaged_modules),
		cmocka_unit_test(test_random_modules),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_release),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
