/* SPDX-License-Identifier: GPL-2.0 */
/* Work that hits leave behind. */
#ifndef KTAP_SWEEP_H
#define KTAP_SWEEP_H

#include <linux/irq_work.h>

/* Queued by a hit that left work behind; any context. */
extern struct irq_work ktap_sweep_soon;

void ktap_sweep_stop(void);
void ktap_sweep_exit(void);

#endif /* KTAP_SWEEP_H */
