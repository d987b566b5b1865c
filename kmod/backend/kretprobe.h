/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_KRETPROBE_H
#define KTAP_KRETPROBE_H

#include "core/probe.h"

extern const struct ktap_backend ktap_kretprobe_backend;

#endif /* KTAP_KRETPROBE_H */
