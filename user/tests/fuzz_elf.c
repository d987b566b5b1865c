// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as a program or library. Whatever is read from it must
 * be inside of the file, in order, and text; each symbol and each mark must be
 * found again or refused with a message.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/binary.h"
#include "place/binary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* More are not asked for by name, for the fuzzer's patience. */
#define ASKED_MAX 16

static void require(int ok)
{
	if (!ok)
		abort();
}

static void check_place(const struct binary *bin, const struct place *place,
			size_t size)
{
	require(place->path && place->file_offset < size);
	require(!place->symbol || *place->symbol);
	require(binary_arch(bin) != KTAP_ARCH_ARM64 || !(place->address & 3));
	require(place->ref_offset < size);
}

static void ask(struct binary *bin, const char *text, size_t size)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	struct place *places = NULL;
	struct diag d = {};
	size_t nr = 0, i;

	if (spec_parse_in(text, binary_path(bin), NULL, &spec))
		return;
	if (spec->kind != SPEC_PROBE || spec->place.glob || !spec->place.file)
		return;
	if (binary_resolve(bin, spec, binary_arch(bin), &d, &places, &nr))
		require(d.code != DIAG_OK && d.message);
	else
		require(nr);
	for (i = 0; i < nr; i++)
		check_place(bin, &places[i], size);
	places_free(places, nr);
	diag_clear(&d);
}

static void check_syms(struct binary *bin, size_t size)
{
	const struct binary_sym *syms;
	char text[600];
	size_t nr, i;

	syms = binary_syms(bin, NULL, &nr);
	require(!!syms);
	for (i = 0; i < nr; i++) {
		require(syms[i].name[0]);
		require(!i || syms[i - 1].address <= syms[i].address);
		if (syms[i].kind == BINARY_CODE)
			require(binary_sym_end(bin, &syms[i]) >= syms[i].address);
		if (i >= ASKED_MAX)
			continue;
		snprintf(text, sizeof(text), "%s%s%s", syms[i].name,
			 syms[i].version ? "@" : "",
			 syms[i].version ? syms[i].version : "");
		ask(bin, text, size);
		snprintf(text, sizeof(text), "0x%llx",
			 (unsigned long long)syms[i].address + i);
		ask(bin, text, size);
		snprintf(text, sizeof(text), "0x%llx%%return",
			 (unsigned long long)syms[i].address);
		ask(bin, text, size);
	}
}

static void check_marks(struct binary *bin, size_t size)
{
	const struct binary_mark *marks;
	char text[600];
	size_t nr, i;

	marks = binary_marks(bin, NULL, &nr);
	require(!!marks);
	for (i = 0; i < nr && i < ASKED_MAX; i++) {
		_cleanup_(sdt_args_freep) struct sdt_args *args =
			binary_mark_args(bin, &marks[i]);

		require(!!args);
		snprintf(text, sizeof(text), "sdt:%s:%s", marks[i].provider,
			 marks[i].name);
		ask(bin, text, size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a copy, so that a read past its end is seen */
	_cleanup_free_ uint8_t *copy = malloc(size ? size : 1);
	struct binary *bin = NULL;
	struct diag d = {};

	memcpy(copy, data, size);
	if (binary_image("/fuzz", copy, size, &d, &bin)) {
		require(d.code != DIAG_OK && d.message);
	} else {
		check_syms(bin, size);
		check_marks(bin, size);
		ask(bin, "main", size);
		ask(bin, "0x1000", size);
		ask(bin, "sdt:a:b", size);
	}
	binary_free(bin);
	diag_clear(&d);
	return 0;
}
