/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_MODULES_H
#define KTAP_MODULES_H

int ktap_modules_init(void);
void ktap_modules_exit(void);
unsigned long ktap_modules_epoch(void);

#endif /* KTAP_MODULES_H */
