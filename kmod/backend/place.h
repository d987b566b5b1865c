/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_PLACE_H
#define KTAP_PLACE_H

#include <linux/types.h>

const char *ktap_place_forbidden(unsigned long addr);
const char *ktap_place_unfollowed(unsigned long addr);
unsigned long ktap_place_function(unsigned long addr);
u32 ktap_place_number(void);

/* Built in: the first and the last function of ktap. They are never called. */
void ktap_text_begin(void);
void ktap_text_end(void);

#endif /* KTAP_PLACE_H */
