/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sweeps up after the overload guard (hit/guard.h).
 */
#ifndef KTAP_OVERLOAD_H
#define KTAP_OVERLOAD_H

void ktap_overload_stop(void);
void ktap_overload_exit(void);

#endif /* KTAP_OVERLOAD_H */
