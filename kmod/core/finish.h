/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_FINISH_H
#define KTAP_FINISH_H

#include <linux/irq_work.h>

/* Queued by an attachment that has made all its records; any context. */
extern struct irq_work ktap_finished;

void ktap_finish_exit(void);

#endif /* KTAP_FINISH_H */
