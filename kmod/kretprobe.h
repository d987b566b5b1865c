/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_KRETPROBE_H
#define KTAP_KRETPROBE_H

#include "probe.h"

extern const struct ktap_backend ktap_kretprobe_backend;

u64 ktap_kretprobe_total(void);
u64 ktap_kretprobe_total_max(void);

#endif /* KTAP_KRETPROBE_H */
