/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_PLACE_H
#define KTAP_PLACE_H

const char *ktap_place_forbidden(unsigned long addr);

#endif /* KTAP_PLACE_H */
