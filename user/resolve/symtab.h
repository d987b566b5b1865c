/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the room: walking over the symbols, in the order of the file.
 */
#ifndef KTAP_RESOLVE_SYMTAB_H
#define KTAP_RESOLVE_SYMTAB_H

#include "resolve/ksyms.h"

/* ksym_is_text() - a function, or a label in code. */
bool ksym_is_text(const struct ksym *sym);

/* ksym_is_shadow() - the padding or the type hash in front of a function. */
bool ksym_is_shadow(const struct ksym *sym);

/* ksyms_next() - the next symbol; start with *@pos at 0. */
bool ksyms_next(const struct ksyms *ks, size_t *pos, struct ksym *ret);

/* ksyms_find() - the next symbol called @name; start with *@pos at 0. */
bool ksyms_find(const struct ksyms *ks, const char *name, size_t *pos,
		struct ksym *ret);

/* ksyms_text_end() - where the code at @address ends: at the next symbol of
 * code; UINT64_MAX: there is none. -ENOMEM.
 */
int ksyms_text_end(const struct ksyms *ks, uint64_t address, uint64_t *ret);

#endif /* KTAP_RESOLVE_SYMTAB_H */
