// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: an index with bytes changed whose checksum is right. Each four bytes of
 * the input are one change: three for where, one for what is there instead; what is
 * left over cuts it off. Whatever it says, names, lines, addresses and types are looked
 * for in a small program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "dwarf/file.h"
#include "dwarf/index/index.h"
#include "dwarf/line.h"
#include "dwarf/var.h"
#include "fuzz.h"

/* The program, and its index as it should be */
static struct debug *dbg;
static struct buf whole;

static void forget(void)
{
	debug_free(dbg);
	buf_deinit(&whole);
}

/* Made once. */
static bool make(void)
{
	static const char command[] =
		"gcc -g -O2 -nostdlib -static -Wl,-e,main -Wl,--build-id -o %s user/tests/dwarf/main.c user/tests/dwarf/other.c 2>/dev/null";
	char path[] = "/tmp/ktap-fuzz.XXXXXX", text[300];
	struct index_made made;
	int fd = mkstemp(path);
	bool done;

	if (fd < 0)
		return false;
	close(fd);
	snprintf(text, sizeof(text), command, path);
	atexit(forget);
	done = !system(text) && !debug_open(path, NULL, &dbg) &&
	       !index_encode(dbg, NULL, NULL, NULL, &whole, &made);
	unlink(path);
	if (done)
		dbg->index_searched = true;
	return done;
}

/* Paths end inside of the index. */
static size_t ask_func(const struct debug_func *func)
{
	struct debug_chain chain;
	struct debug_func found;
	size_t length = 0;
	const char *file;

	debug_func_at(dbg, func->entry, true, &found);
	debug_decl(dbg, func, &file);
	if (file)
		length = strlen(file);
	if (debug_chain(dbg, func, NULL, &chain))
		return length;
	for (size_t i = 0; i < chain.nr; i++)
		if (chain.call[i].file)
			length += strlen(chain.call[i].file);
	debug_chain_deinit(&chain);
	return length;
}

static void ask_funcs(const char *name)
{
	struct debug_funcs funcs;

	if (debug_find(dbg, name, NULL, 0, NULL, &funcs))
		return;
	for (size_t i = 0; i < funcs.nr; i++)
		ask_func(&funcs.func[i]);
	debug_funcs_deinit(&funcs);
}

static void ask_type(const char *name)
{
	struct debug_func any = {};
	struct ctype type;
	Dwarf_CU *cu = NULL;

	if (!dwarf_get_units(dbg->dw, cu, &cu, NULL, NULL, &any.die, NULL))
		debug_find_type(dbg, &any, DEBUG_TYPEDEF, name, &type);
}

static size_t ask_file(const char *file)
{
	struct debug_rows rows;
	size_t length = 0;

	if (debug_file_rows(dbg, file, NULL, &rows))
		return 0;
	for (size_t i = 0; i < rows.nr; i++)
		length += strlen(rows.row[i].file);
	debug_rows_deinit(&rows);
	return length;
}

static void ask_all(void)
{
	static const char *const names[] = {
		"main", "user", "scopes", "copied", "twin", "other", "a::main",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ask_funcs(names[i]);
	ask_type("none");
	ask_file("main.c");
	ask_file("other.h");
	debug_func_at(dbg, 1, true, &(struct debug_func){});
}

const char *fuzz_index(const uint8_t *data, size_t size)
{
	_cleanup_free_ uint8_t *copy = NULL;
	size_t left;

	if (!dbg && !make())
		return "there is no program to index";
	left = whole.size;
	copy = malloc(left);
	if (!copy)
		abort();
	memcpy(copy, whole.data, left);
	for (; size >= 4; data += 4, size -= 4)
		copy[(data[0] | data[1] << 8 | data[2] << 16) % left] = data[3];
	if (size == 3)
		left = left * data[0] / 256;
	if (left >= sizeof(struct index_header)) {
		struct index_header *header = (struct index_header *)copy;

		header->size = left;
		header->checksum = index_checksum(copy, left);
	}
	dbg->index = index_open(dbg, copy, left);
	ask_all();
	index_free(take_ptr(dbg->index));
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (fuzz_index(data, size))
		abort();
	return 0;
}
