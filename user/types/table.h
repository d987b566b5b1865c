/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Type tables: BTF with what the values of one probe need and nothing else. It
 * is cut at pointers: what is behind one is a forward by its name, a number, a
 * function without its parameters, or nothing. A type refers only to types
 * before it, so that nothing in a table goes around in circles.
 */
#ifndef KTAP_TYPES_TABLE_H
#define KTAP_TYPES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;

/* Types inside of types; no more are copied, and no more are taken. */
#define TYPETAB_HEIGHT_MAX	40
/* Bytes of a name; what has a longer one has none. */
#define TYPETAB_NAME_MAX	511

/**
 * struct typetab - a table being made
 * @btf: it; owned by whoever made it; NULL: nothing was added
 * @source: where the last type came from
 * @copies: of its types, by their number; owned
 */
struct typetab {
	struct btf *btf;
	const struct btf *source;
	struct typetab_copy *copies;
};

/**
 * typetab_deinit() - release what typetab_add() needs to find its copies again
 * @t: table
 *
 * @t->btf is not released: it stays valid, and belongs to the caller.
 */
void typetab_deinit(struct typetab *t);

/**
 * typetab_add() - copy a type, and all that it consists of
 * @t: table; what is there already is not copied again
 * @source: where it is described
 * @id: under which number
 * @ret: its number in the table; 0: it is nothing that can be described
 *
 * Return: 0 or -ENOMEM.
 */
int typetab_add(struct typetab *t, const struct btf *source, uint32_t id,
		uint32_t *ret);

/**
 * typetab_read() - a table from bytes that may be damaged or hostile
 * @data: bytes
 * @size: how many
 * @no_memory: what is returned when there is none
 * @ret: on success; freed with btf__free()
 *
 * Return: NULL, or why it is refused.
 */
const char *typetab_read(const void *data, size_t size, const char *no_memory,
			 struct btf **ret);

#endif /* KTAP_TYPES_TABLE_H */
