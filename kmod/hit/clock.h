/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_CLOCK_H
#define KTAP_CLOCK_H

#include <linux/ktap.h>
#include <linux/types.h>

void ktap_clock_init(void);
enum ktap_clock ktap_clock_kind(void);
u64 ktap_clock_hz(void);
void ktap_clock_now(u64 *raw, u64 *mono, u64 *real);

#endif /* KTAP_CLOCK_H */
