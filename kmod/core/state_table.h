/* SPDX-License-Identifier: GPL-2.0 */
/* Tables for state between probes, and who shares them. */
#ifndef KTAP_STATE_TABLE_H
#define KTAP_STATE_TABLE_H

#include <linux/ktap.h>
#include <linux/percpu.h>

#include "core/refused.h"
#include "hit/state.h"
#include "hit/verify.h"

int ktap_state_join(struct ktap_prog_info *info, const void *owner,
		    const char *name, struct ktap_refused *refused);
void ktap_state_orphan(struct ktap_prog_info *info);
void ktap_state_leave(struct ktap_prog_info *info);
void ktap_state_counts(const struct ktap_prog_info *info,
		       struct ktap_state_counts *ret);

#endif /* KTAP_STATE_TABLE_H */
