/* SPDX-License-Identifier: GPL-2.0 */
/* Floating-point numbers of any machine, as this one has them. */
#ifndef KTAP_TYPES_REAL_H
#define KTAP_TYPES_REAL_H

#include <stdbool.h>
#include <stdint.h>

/**
 * real_read() - read a floating-point number of another machine
 * @bytes: the number, in the byte order of this machine, at any alignment
 * @size: bytes: 4 or 8 for those of IEEE 754, or 16
 * @is_x87: of 16 bytes: the format of the x87, whose last 6 bytes are ignored; else binary128
 *	of IEEE 754
 * @ret: the number
 *
 * Return: true; false: @size is another one, the bytes are an encoding that the 387 and its
 *	successors do not make, or no long double of this machine is that number.
 */
bool real_read(const uint8_t *bytes, unsigned int size, bool is_x87,
	       long double *ret);

#endif /* KTAP_TYPES_REAL_H */
