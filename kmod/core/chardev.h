/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_CHARDEV_H
#define KTAP_CHARDEV_H

int ktap_chardev_init(void);
void ktap_chardev_exit(void);

#endif /* KTAP_CHARDEV_H */
