/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols by name, for those who look up many: an index over all of them costs
 * as much as a few searches through the text.
 */
#ifndef KTAP_PLACE_NAMES_H
#define KTAP_PLACE_NAMES_H

#include "place/ksyms.h"

struct ksym_names;

/* ksym_names_new() - of all symbols of @ks. NULL: no memory. */
struct ksym_names *ksym_names_new(const struct ksyms *ks);
void ksym_names_free(struct ksym_names *names);

/* ksym_names_find() - the first symbol called @name whose name lies behind
 * @after in the text; or NULL.
 */
const struct ksym *ksym_names_find(const struct ksym_names *names,
				   const char *name, const char *after);

#endif /* KTAP_PLACE_NAMES_H */
