// SPDX-License-Identifier: GPL-2.0
/* A hash over the names of symbols; equal ones in the order of the file. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "place/names.h"
#include "place/symtab.h"

/**
 * struct ksym_names - all symbols by name
 * @syms: in the order of the file
 * @nr: how many
 * @next: for each the one after it in its chain, counted from 1; 0: none
 * @heads: first of each chain, likewise
 * @bits: of the number of chains
 */
struct ksym_names {
	struct ksym *syms;
	size_t nr;
	uint32_t *next;
	uint32_t *heads;
	unsigned int bits;
};

DEFINE_CLEANUP(struct ksym_names, ksym_names_free)

void ksym_names_free(struct ksym_names *names)
{
	if (!names)
		return;
	free(names->syms);
	free(names->next);
	free(names->heads);
	free(names);
}

/* FNV-1a, of which the high bits are taken. */
static size_t chain_of(const struct ksym_names *names, const char *name)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3;
	return hash * 0x9e3779b97f4a7c15 >> (64 - names->bits);
}

static int collect(struct ksym_names *names, const struct ksyms *ks)
{
	size_t pos = 0, room = 0;
	struct ksym sym;

	while (ksyms_next(ks, &pos, &sym)) {
		if (names->nr == room) {
			struct ksym *syms;

			room = room ? 2 * room : 1 << 16;
			syms = reallocarray(names->syms, room, sizeof(*syms));
			if (!syms)
				return -1;
			names->syms = syms;
		}
		names->syms[names->nr++] = sym;
	}
	return names->nr < UINT32_MAX ? 0 : -1;
}

/* From the last one on, so that each chain begins with the first. */
static int chain(struct ksym_names *names)
{
	names->bits = 10;
	while (names->nr >> names->bits)
		names->bits++;
	names->next = calloc(names->nr + 1, sizeof(*names->next));
	names->heads = calloc((size_t)1 << names->bits, sizeof(*names->heads));
	if (!names->next || !names->heads)
		return -1;
	for (size_t i = names->nr; i; i--) {
		size_t at = chain_of(names, names->syms[i - 1].name);

		names->next[i - 1] = names->heads[at];
		names->heads[at] = i;
	}
	return 0;
}

struct ksym_names *ksym_names_new(const struct ksyms *ks)
{
	_cleanup_(ksym_names_freep) struct ksym_names *names =
		calloc(1, sizeof(*names));

	if (!names || collect(names, ks) || chain(names))
		return NULL;
	return take_ptr(names);
}

const struct ksym *ksym_names_find(const struct ksym_names *names,
				   const char *name, const char *after)
{
	uint32_t i = names->heads[chain_of(names, name)];

	for (; i; i = names->next[i - 1]) {
		const struct ksym *sym = &names->syms[i - 1];

		if (sym->name > after && !strcmp(sym->name, name))
			return sym;
	}
	return NULL;
}
