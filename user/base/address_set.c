// SPDX-License-Identifier: GPL-2.0
#include "base/address_set.h"

#include <errno.h>
#include <stdlib.h>

static uint64_t *find(uint64_t *table, size_t room, uint64_t address)
{
	size_t i = address * 0x9e3779b97f4a7c15ULL >> 32;

	for (;; i++)
		if (!table[i & (room - 1)] || table[i & (room - 1)] == address)
			return &table[i & (room - 1)];
}

static int grow(struct address_set *s)
{
	size_t room = s->room ? 2 * s->room : 256;
	uint64_t *table = calloc(room, sizeof(*table));

	if (!table)
		return -ENOMEM;
	for (size_t i = 0; i < s->room; i++)
		if (s->table[i])
			*find(table, room, s->table[i]) = s->table[i];
	free(s->table);
	s->table = table;
	s->room = room;
	return 0;
}

int address_set_add(struct address_set *s, uint64_t address)
{
	uint64_t *place;

	if (2 * s->nr >= s->room && grow(s))
		return -ENOMEM;
	place = find(s->table, s->room, address);
	if (*place)
		return 0;
	*place = address;
	s->nr++;
	return 1;
}

void address_set_deinit(struct address_set *s)
{
	free(s->table);
	*s = (struct address_set){ 0 };
}
