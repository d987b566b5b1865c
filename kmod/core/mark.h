/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_MARK_H
#define KTAP_MARK_H

#include <linux/ktap.h>
#include <linux/kernel.h>

/* Room for any text, as ktap_ring_mark() wants it */
#define KTAP_MARK_ROOM	round_up(KTAP_MARK_MAX, 8)

void ktap_mark(const char *text, u32 size, struct ktap_marks *ret);

#endif /* KTAP_MARK_H */
