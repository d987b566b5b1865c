/* SPDX-License-Identifier: GPL-2.0 */
/* Kernel lockdown: probes read kernel memory, which "confidentiality" forbids. */
#ifndef KTAP_LOCKDOWN_H
#define KTAP_LOCKDOWN_H

int ktap_lockdown(void);
void ktap_lockdown_kick(void);
void ktap_lockdown_look(void);
void ktap_lockdown_exit(void);

#endif /* KTAP_LOCKDOWN_H */
