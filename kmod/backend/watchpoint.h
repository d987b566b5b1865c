/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_WATCHPOINT_H
#define KTAP_WATCHPOINT_H

#include "arch/arch.h"
#include "core/probe.h"

#ifndef CONFIG_HAVE_HW_BREAKPOINT
#define KTAP_LACKS_WATCHPOINTS \
	"this kernel has no hardware breakpoints: CONFIG_HAVE_HW_BREAKPOINT"
#elif !defined(KTAP_ARCH_WATCHES)
#define KTAP_LACKS_WATCHPOINTS \
	"the kernel steps over a watched access for perf's own handler only: with a module's handler the access would repeat for ever"
#else
#define KTAP_LACKS_WATCHPOINTS	NULL
#define KTAP_HAVE_WATCHPOINTS	1
#endif

#ifdef KTAP_HAVE_WATCHPOINTS
extern const struct ktap_backend ktap_watchpoint_backend;

int ktap_watchpoint_init(void);
void ktap_watchpoint_exit(void);
#else
static inline int ktap_watchpoint_init(void)
{
	return 0;
}

static inline void ktap_watchpoint_exit(void)
{
}
#endif

#endif /* KTAP_WATCHPOINT_H */
