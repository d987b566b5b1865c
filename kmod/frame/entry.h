/* SPDX-License-Identifier: GPL-2.0 */
/* Entry programs: what a return probe stores of a call until it returns. */
#ifndef KTAP_ENTRY_H
#define KTAP_ENTRY_H

#include "core/probe.h"

int ktap_entry_check(struct ktap_probe_args *args,
		     struct ktap_refused *refused);
struct ktap_prog *ktap_entry_create(const struct ktap_probe_args *args,
				    struct ktap_refused *refused);
size_t ktap_entry_size(const struct ktap_prog *prog);

#endif /* KTAP_ENTRY_H */
