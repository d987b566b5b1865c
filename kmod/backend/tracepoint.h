/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_TRACEPOINT_H
#define KTAP_TRACEPOINT_H

#include "core/probe.h"

/*
 * One function serves tracepoints of all prototypes. The kernel calls it through a
 * pointer (__traceiter_NAME() in linux/tracepoint.h) if a tracepoint has several probe
 * functions, and always without static calls (arm64). With kCFI such a call compares a
 * hash of the prototype that is stored before the function. A function has one hash, so
 * the call would be an oops. CONFIG_CFI_CLANG was renamed to CONFIG_CFI in 6.18.
 */
#ifndef CONFIG_TRACEPOINTS
#define KTAP_LACKS_TRACEPOINTS \
	"this kernel has no tracepoints: CONFIG_TRACEPOINTS"
#elif defined(CONFIG_CFI_CLANG) || defined(CONFIG_CFI)
#define KTAP_LACKS_TRACEPOINTS \
	"this kernel checks prototypes at indirect calls, and ktap has one function for all tracepoints: CONFIG_CFI"
#else
#define KTAP_LACKS_TRACEPOINTS	NULL
#define KTAP_HAVE_TRACEPOINTS	1
#endif

#ifdef KTAP_HAVE_TRACEPOINTS
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
