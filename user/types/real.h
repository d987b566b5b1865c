/* SPDX-License-Identifier: GPL-2.0 */
/* Floating-point numbers of any machine, as this one has them. */
#ifndef KTAP_TYPES_REAL_H
#define KTAP_TYPES_REAL_H

#include <stdbool.h>
#include <stdint.h>

/* real_read() - @size bytes, of 16 where @is_x87 that format; false: it is none, or no
 * number of this machine is that one.
 */
bool real_read(const uint8_t *bytes, unsigned int size, bool is_x87,
	       long double *ret);

#endif /* KTAP_TYPES_REAL_H */
