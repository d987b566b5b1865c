/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols by name, for those who look up many: an index over all of them costs
 * as much as a few searches through the text.
 */
#ifndef KTAP_PLACE_NAMES_H
#define KTAP_PLACE_NAMES_H

#include "place/ksyms.h"

struct ksym_names;

/**
 * ksym_names_new() - make an index by name of all symbols
 * @ks: symbols; the index refers to their strings, and is invalid without them
 *
 * Return: release with ksym_names_free(); NULL: no memory, or 2^32 - 1 symbols or more.
 */
struct ksym_names *ksym_names_new(const struct ksyms *ks);

/**
 * ksym_names_free() - release an index
 * @names: index, or NULL
 *
 * What ksym_names_find() returned becomes invalid; the strings of these symbols stay
 * valid.
 */
void ksym_names_free(struct ksym_names *names);

/**
 * ksym_names_find() - find the first symbol of a name from a position on
 * @names: index
 * @name: all of the name
 * @after: a position in the text of the symbols; the symbol's name begins after this
 *	byte. With the name of the symbol that was found last the next one is found.
 *
 * Return: the first one in the order of the file, valid until ksym_names_free(); NULL:
 *	there is none.
 */
const struct ksym *ksym_names_find(const struct ksym_names *names,
				   const char *name, const char *after);

#endif /* KTAP_PLACE_NAMES_H */
