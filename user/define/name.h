/* SPDX-License-Identifier: GPL-2.0 */
/* Names of events that definitions meet. */
#ifndef KTAP_DEFINE_NAME_H
#define KTAP_DEFINE_NAME_H

#include "define/define.h"

/* names_load() - the names that the kernel has now are taken. */
int names_load(struct definer *df, struct diag *d);
void names_free(struct definer *df);

/* name_choose() - from here on def->spec->name is the event's name, whoever
 * chose it.
 */
int name_choose(struct definer *df, struct definition *def, struct diag *d);

/* name_take() - the event has what @def records, which is compiled. @check: it
 * may be another's event, which must record the same. -EEXIST.
 */
int name_take(struct definer *df, const struct definition *def, bool check,
	      struct diag *d);

/* names_drop() - what @pattern names is free. Return: how many names. */
size_t names_drop(struct definer *df, const char *pattern);

/* name_is_given() - by the user; or by the rules of a kernel line. */
static inline bool name_is_given(const struct probe_spec *spec)
{
	return spec->name_at.length || spec->kernel_syntax;
}

#endif /* KTAP_DEFINE_NAME_H */
