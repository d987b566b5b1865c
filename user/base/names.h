/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of names, which they own. */
#ifndef KTAP_BASE_NAMES_H
#define KTAP_BASE_NAMES_H

#include <stddef.h>

/**
 * struct names - a list; all zeros when empty
 * @name: each; never NULL
 * @nr: how many
 */
struct names {
	char **name;
	size_t nr;
};

/**
 * names_put() - append a copy of a name
 * @n: list; release it with names_deinit()
 * @name: name; not NULL
 *
 * Return: 0; -ENOMEM: the names are unchanged.
 */
int names_put(struct names *n, const char *name);

/**
 * names_sort() - sort by strcmp() and remove duplicates
 * @n: list; the removed strings are freed
 */
void names_sort(struct names *n);

/**
 * names_deinit() - free the names
 * @n: list; afterwards it is empty and may be used again
 */
void names_deinit(struct names *n);

#endif /* KTAP_BASE_NAMES_H */
