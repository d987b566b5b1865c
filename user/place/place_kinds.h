/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the room: places of kinds that have a file of their own. */
#ifndef KTAP_PLACE_PLACE_KINDS_H
#define KTAP_PLACE_PLACE_KINDS_H

#include "place/query.h"

/* place_set_symbol() - symbol and module of @ret, copied. -ENOMEM. */
int place_set_symbol(const struct query *q, const struct ksym *sym,
		     struct place *ret);

/* syscall_name() - NAME of the entry function of a system call, or NULL. */
const char *syscall_name(const struct ksym *sym);

int resolve_syscall(struct query *q, const struct place_spec *place,
		    struct place *ret);
int resolve_watch(struct query *q, const struct place_spec *place,
		  struct place *ret);

#endif /* KTAP_PLACE_PLACE_KINDS_H */
