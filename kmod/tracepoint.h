/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_TRACEPOINT_H
#define KTAP_TRACEPOINT_H

#include "probe.h"

#ifdef CONFIG_TRACEPOINTS
extern const struct ktap_backend ktap_tracepoint_backend;

int ktap_tracepoint_init(void);
void ktap_tracepoint_exit(void);
#else
static inline int ktap_tracepoint_init(void)
{
	return 0;
}

static inline void ktap_tracepoint_exit(void)
{
}
#endif

#endif /* KTAP_TRACEPOINT_H */
