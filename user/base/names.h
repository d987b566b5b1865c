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

/* names_put() - a copy of @name comes last. Return: 0 or -ENOMEM. */
int names_put(struct names *n, const char *name);

/* names_sort() - by strcmp(); of those that are the same one stays. */
void names_sort(struct names *n);

/* names_deinit() - back to empty. */
void names_deinit(struct names *n);

#endif /* KTAP_BASE_NAMES_H */
