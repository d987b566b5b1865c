// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: unwind information with bytes changed. Each four bytes of the input are one
 * change of a small program: three for where, most of them in its unwind information, and one
 * for the new byte; three bytes more cut it off. The table that comes out is one that
 * the module takes, and each place in the file has a rule of the table or none.
 * needs: kmod/hit/user_rows.c
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "dwarf/unwind.h"
#include "env_user.h"
#include "fuzz.h"
#include "hit/user_rows.h"

#define CHANGES_MAX 16

/* The program, and where its unwind information is */
static struct {
	uint8_t *data;
	size_t size;
	size_t start[3];
	size_t end[3];
	size_t nr;
} base;

static void require(int ok)
{
	if (!ok)
		abort();
}

static void base_free(void)
{
	free(base.data);
}

static void base_find(void)
{
	const Elf64_Ehdr *header = (const void *)base.data;
	const Elf64_Shdr *sh = (const void *)(base.data + header->e_shoff);
	const char *names = (const char *)base.data + sh[header->e_shstrndx].sh_offset;

	for (size_t i = 0; i < header->e_shnum; i++) {
		if (strcmp(names + sh[i].sh_name, ".eh_frame") &&
		    strcmp(names + sh[i].sh_name, ".debug_frame"))
			continue;
		require(base.nr < 2);
		base.start[base.nr] = sh[i].sh_offset;
		base.end[base.nr++] = sh[i].sh_offset + sh[i].sh_size;
	}
	/* the headers are not the least of it */
	base.start[base.nr] = 0;
	base.end[base.nr++] = sizeof(*header) + header->e_phnum * header->e_phentsize;
}

/* Both sections: each file of the program has its information in another. Made once. */
static void base_make(void)
{
	static const char command[] =
		"cd user/tests/dwarf && o=%s && f='-g -O2 -fPIC' && gcc $f -c -o $o.o main.c 2>/dev/null && gcc $f -fno-asynchronous-unwind-tables -shared -nostdlib -Wl,--build-id=none -Wl,--unresolved-symbols=ignore-all -o $o $o.o other.c 2>/dev/null && rm $o.o";
	char path[] = "/tmp/ktap-fuzz.XXXXXX", text[sizeof(command) + 64];
	int fd = mkstemp(path);
	struct buf b = BUF_INIT;
	char chunk[4096];
	ssize_t n;

	require(fd >= 0);
	close(fd);
	snprintf(text, sizeof(text), command, path);
	require(!system(text));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_put(&b, chunk, n);
	close(fd);
	unlink(path);
	base.size = b.size;
	base.data = (uint8_t *)buf_take(&b);
	atexit(base_free);
	require(base.data && base.size);
	base_find();
	require(base.nr >= 2);
}

/* What the module would do with it: see fill() of kmod/core/user_files.c. */
static void check_table(const struct unwind_table *t, size_t size)
{
	struct ktap_user_rows rows = {
		.pcs = t->pcs, .rows = t->rows, .rules = t->rules,
		.nr_rows = t->nr_rows, .nr_rules = t->nr_rules,
	};
	_cleanup_free_ u32 *index = NULL;
	uint64_t at;

	if (!t->nr_rows)
		return;
	require(ktap_user_rows_ok(&rows));
	ktap_user_rows_shape(&rows);
	index = calloc(rows.nr_blocks + 1, sizeof(*index));
	require(!!index);
	rows.index = index;
	ktap_user_rows_index(&rows);
	for (at = 0; at < size + 64; at += 7) {
		const struct ktap_user_rule *r = ktap_user_rows_find(&rows, at);

		require(!r || (r >= t->rules && r < t->rules + t->nr_rules));
	}
}

/* libelf keeps what it was reading when damaged headers made it give up. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libelf.so\nleak:libdw.so\n";
}

/* Return: where a change is. */
static size_t place_of(const uint8_t *change)
{
	size_t at = change[0] | change[1] << 8 | (change[2] & 0x1f) << 16;
	size_t part = change[2] >> 5;

	if (part >= 2 * base.nr)
		return at % base.size;
	part %= base.nr;
	return base.start[part] + at % (base.end[part] - base.start[part]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ uint8_t *copy = NULL;
	int fd = memfd_create("fuzz", MFD_CLOEXEC), err;
	struct unwind_table t;
	size_t left;

	if (!base.data)
		base_make();
	left = base.size;
	copy = malloc(base.size);
	require(copy && fd >= 0);
	memcpy(copy, base.data, base.size);
	for (int i = 0; i < CHANGES_MAX && size >= 4; i++, size -= 4) {
		copy[place_of(data)] = data[3];
		data += 4;
	}
	if (size == 3)
		left = base.size * data[0] / 256;
	require(write(fd, copy, left) == (ssize_t)left);
	err = unwind_table_make(fd, KTAP_USER_ROWS_MAX, &t);
	require(!err || err == -EINVAL || err == -ENOMEM);
	if (!err)
		check_table(&t, left);
	unwind_table_deinit(&t);
	close(fd);
	return 0;
}
