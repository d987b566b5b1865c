// SPDX-License-Identifier: GPL-2.0
/* Sections of ELF files, which may be hostile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>
#include <elf.h>

#include "base/elf_section.h"

/* struct file - the smallest one that has what is looked for */
struct file {
	Elf64_Ehdr head;
	Elf64_Shdr sections[3];
	char names[32];
	char content[8];
};

static const char names[] = "\0.names\0.wanted\0.want";

static struct file made(void)
{
	struct file f = {
		.head = {
			.e_shoff = offsetof(struct file, sections),
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = 3,
			.e_shstrndx = 1,
		},
		.sections[1] = {
			.sh_name = 1, .sh_type = SHT_STRTAB,
			.sh_offset = offsetof(struct file, names),
			.sh_size = sizeof(names),
		},
		.sections[2] = {
			.sh_name = 8, .sh_type = SHT_PROGBITS,
			.sh_offset = offsetof(struct file, content),
			.sh_size = 8,
		},
	};

	memcpy(f.head.e_ident, ELFMAG, SELFMAG);
	f.head.e_ident[EI_CLASS] = ELFCLASS64;
	f.head.e_ident[EI_DATA] = ELFDATA2LSB;
	memcpy(f.names, names, sizeof(names));
	return f;
}

static bool finds(const struct file *f, size_t size, const char *name,
		  struct elf_section *ret)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	bool found;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, f, size), size);
	found = elf_section_find(fd, name, ret);
	close(fd);
	return found;
}

static bool finds_wanted(const struct file *f)
{
	struct elf_section s;

	return finds(f, sizeof(*f), ".wanted", &s);
}

static void test_found(void **state)
{
	struct file f = made();
	struct elf_section s;

	assert_true(finds(&f, sizeof(f), ".wanted", &s));
	assert_int_equal(s.offset, offsetof(struct file, content));
	assert_int_equal(s.size, 8);
	assert_true(finds(&f, sizeof(f), ".names", &s));
	assert_false(finds(&f, sizeof(f), ".want", &s));
	assert_false(finds(&f, sizeof(f), ".wanted2", &s));
	assert_true(finds(&f, sizeof(f), "", &s));
	assert_false(finds(&f, sizeof(f),
			   "0123456789012345678901234567890123456789012345678901234567890123",
			   &s));
}

static void test_cut(void **state)
{
	struct file f = made();
	struct elf_section s;

	for (size_t size = 0; size < offsetof(struct file, names) + 16; size++)
		assert_false(finds(&f, size, ".wanted", &s));
}

static void test_hostile(void **state)
{
	struct file f = made();

	f.sections[1].sh_size = 15;
	assert_false(finds_wanted(&f));
	f = made();
	f.sections[1].sh_offset = UINT64_MAX - 4;
	assert_false(finds_wanted(&f));
	f = made();
	f.sections[2].sh_name = UINT32_MAX;
	assert_false(finds_wanted(&f));
	f = made();
	f.sections[2].sh_type = SHT_NOBITS;
	assert_false(finds_wanted(&f));
	f = made();
	f.head.e_shoff = UINT64_MAX - sizeof(Elf64_Shdr);
	assert_false(finds_wanted(&f));
	f = made();
	f.head.e_shstrndx = 3;
	assert_false(finds_wanted(&f));
	f = made();
	f.head.e_shnum = UINT16_MAX;
	assert_true(finds_wanted(&f));
	f.sections[2].sh_name = 1;
	assert_false(finds_wanted(&f));
	f = made();
	f.head.e_shentsize = sizeof(Elf64_Shdr) - 1;
	assert_false(finds_wanted(&f));
	f = made();
	f.head.e_ident[EI_CLASS] = ELFCLASS32;
	assert_false(finds_wanted(&f));
	f = made();
	f.head.e_ident[EI_DATA] = ELFDATA2MSB;
	assert_false(finds_wanted(&f));
	f = made();
	f.head.e_ident[0] = 0;
	assert_false(finds_wanted(&f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
