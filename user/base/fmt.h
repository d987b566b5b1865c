/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers to digits. Integers are for the places that format millions of them:
 * each writes at @at, without a NUL, and returns where it stopped.
 */
#ifndef KTAP_BASE_FMT_H
#define KTAP_BASE_FMT_H

#include <stdbool.h>
#include <stdint.h>

#define FMT_MAX		20	/* bytes that any of them writes at most */

char *fmt_u64(char *at, uint64_t value);
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

/* fmt_hex() - without a prefix, without leading zeros. */
char *fmt_hex(char *at, uint64_t value);

/* fmt_padded() - zeros in front where there are less than @width digits. */
char *fmt_padded(char *at, uint64_t value, unsigned int width);

/* fmt_seconds() - @ns with up to nine @decimals, cut and not rounded; at most
 * FMT_MAX + 2 bytes.
 */
char *fmt_seconds(char *at, int64_t ns, unsigned int decimals);

#define FMT_REAL_MAX	64

/* fmt_real() - the shortest digits that are @value again when they are read, as
 * one of @size bytes; into @at, which has FMT_REAL_MAX bytes, with a NUL. It
 * returns @at.
 */
char *fmt_real(char *at, long double value, unsigned int size);

#endif /* KTAP_BASE_FMT_H */
