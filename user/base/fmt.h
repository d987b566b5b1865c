/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers to digits. Integers are for the places that format millions of them:
 * each writes at @at, without a NUL, and returns where it stopped.
 */
#ifndef KTAP_BASE_FMT_H
#define KTAP_BASE_FMT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * fmt_s() - the ending of a noun that stands behind a number
 * @nr: the number
 *
 * Return: "s", or "" if @nr is 1.
 */
static inline const char *fmt_s(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

#define FMT_MAX		20	/* bytes that any of them writes at most */

/**
 * fmt_u64() - write an unsigned integer in decimal
 * @at: where to; FMT_MAX bytes, without a NUL
 * @value: the integer
 *
 * Return: where it stopped.
 */
char *fmt_u64(char *at, uint64_t value);

/**
 * fmt_i64() - write a signed integer in decimal
 * @at: where to; FMT_MAX bytes, without a NUL
 * @value: the integer
 *
 * Return: where it stopped.
 */
char *fmt_i64(char *at, int64_t value);

/* The compiler's, without a name in C. */
typedef unsigned __int128 uint128_t;

#define FMT_WIDE_MAX	40	/* digits and sign of 128 bits */

/**
 * fmt_wide() - write an integer of 128 bits in decimal
 * @at: where to; FMT_WIDE_MAX bytes, without a NUL
 * @value: the integer
 *
 * Return: where it stopped.
 */
char *fmt_wide(char *at, __int128 value);

/**
 * fmt_hex() - write an integer in hexadecimal, in lower case
 * @at: where to; FMT_MAX bytes, without a NUL
 * @value: the integer
 *
 * It writes neither a prefix nor leading zeros.
 *
 * Return: where it stopped.
 */
char *fmt_hex(char *at, uint64_t value);

/**
 * fmt_padded() - write an unsigned integer in decimal with leading zeros
 * @at: where to; FMT_MAX bytes, without a NUL
 * @value: the integer
 * @width: least number of digits; more than FMT_MAX counts as FMT_MAX
 *
 * Return: where it stopped.
 */
char *fmt_padded(char *at, uint64_t value, unsigned int width);

/**
 * fmt_seconds() - write a time in seconds with decimals
 * @at: where to; at most FMT_MAX + 2 bytes, without a NUL
 * @ns: the time in nanoseconds; may be negative
 * @decimals: digits after the point, at most 9; the point is written also for 0
 *
 * The decimals are cut and not rounded.
 *
 * Return: where it stopped.
 */
char *fmt_seconds(char *at, int64_t ns, unsigned int decimals);

#define FMT_REAL_MAX	64

/**
 * fmt_real() - write the shortest digits from which the same real number is read
 * @at: where to; FMT_REAL_MAX bytes, with a NUL
 * @value: the number; "nan" and "inf" are written as printf() writes them
 * @size: bytes of the type that the digits are read as: those of float, of double, else
 *	long double
 *
 * A number with up to 16 digits before the point, or 9 of a float, is written without an
 * exponent, unless it is closer to 0 than 0.0001. The function tries numbers of digits in
 * turn, so it is much slower than the functions for integers.
 *
 * Return: @at.
 */
char *fmt_real(char *at, long double value, unsigned int size);

#endif /* KTAP_BASE_FMT_H */
