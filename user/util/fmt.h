/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Integers to digits, for the places that format millions of them. Each
 * writes at @at, without a NUL, and returns where it stopped.
 */
#ifndef KTAP_UTIL_FMT_H
#define KTAP_UTIL_FMT_H

#include <stdint.h>

#define FMT_MAX		20	/* bytes that any of them writes at most */

char *fmt_u64(char *at, uint64_t value);
char *fmt_i64(char *at, int64_t value);

/* fmt_hex() - without a prefix, without leading zeros. */
char *fmt_hex(char *at, uint64_t value);

/* fmt_padded() - zeros in front where there are less than @width digits. */
char *fmt_padded(char *at, uint64_t value, unsigned int width);

#endif /* KTAP_UTIL_FMT_H */
