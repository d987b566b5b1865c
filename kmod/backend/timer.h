/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_TIMER_H
#define KTAP_TIMER_H

#include <linux/stringify.h>

#include "core/probe.h"

#define KTAP_TOO_MANY_TICKS \
	"the armed timers would tick more than " \
	__stringify(KTAP_TIMER_TICKS_MAX) " times a second"

extern const struct ktap_backend ktap_timer_backend;

int ktap_timer_init(void);
void ktap_timer_exit(void);

#endif /* KTAP_TIMER_H */
