/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overload guard: disarms probes that take too much of a CPU.
 */
#ifndef KTAP_GUARD_H
#define KTAP_GUARD_H

void ktap_guard_kick(void);
void ktap_guard_exit(void);

#endif /* KTAP_GUARD_H */
