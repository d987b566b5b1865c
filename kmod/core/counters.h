/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of perf's events, and which programs use them. */
#ifndef KTAP_COUNTERS_H
#define KTAP_COUNTERS_H

#include <linux/types.h>

#include "core/refused.h"
#include "hit/verify.h"

#ifdef CONFIG_PERF_EVENTS
int ktap_counters_init(void);
void ktap_counters_exit(void);
#else
static inline int ktap_counters_init(void)
{
	return 0;
}

static inline void ktap_counters_exit(void)
{
}
#endif

int ktap_counters_join(struct ktap_prog_info *info, int attr,
		       struct ktap_refused *refused);
void ktap_counters_leave(struct ktap_prog_info *info);

#endif /* KTAP_COUNTERS_H */
