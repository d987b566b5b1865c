// SPDX-License-Identifier: GPL-2.0
/* Numbers to digits; integers two decimal digits a step. Pure, no allocation. */
#include "util/fmt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the digits so that they end at @end; returns where they start. */
static char *digits_before(char *end, uint64_t value)
{
	unsigned int pair;

	while (value >= 100) {
		pair = value % 100;
		value /= 100;
		*--end = '0' + pair % 10;
		*--end = '0' + pair / 10;
	}
	pair = value;
	*--end = '0' + pair % 10;
	if (pair >= 10)
		*--end = '0' + pair / 10;
	return end;
}

char *fmt_padded(char *at, uint64_t value, unsigned int width)
{
	char tmp[FMT_MAX], *end = tmp + sizeof(tmp);
	char *start = digits_before(end, value);

	if (width > FMT_MAX)
		width = FMT_MAX;
	while (end - start < (long)width)
		*--start = '0';
	memcpy(at, start, end - start);
	return at + (end - start);
}

char *fmt_u64(char *at, uint64_t value)
{
	return fmt_padded(at, value, 1);
}

char *fmt_i64(char *at, int64_t value)
{
	if (value >= 0)
		return fmt_u64(at, value);
	*at++ = '-';
	return fmt_u64(at, -(uint64_t)value);
}

char *fmt_hex(char *at, uint64_t value)
{
	unsigned int digits = value ? (67 - __builtin_clzll(value)) / 4 : 1;
	unsigned int i;

	for (i = digits; i--; value >>= 4)
		at[i] = "0123456789abcdef"[value & 0xf];
	return at + digits;
}

/* Digits before the point, where there are not too many to be written so. */
static int whole_digits(double value)
{
	double limit = 10;
	int digits = 1;

	while (digits < 17 && fabs(value) >= limit) {
		limit *= 10;
		digits++;
	}
	return digits < 17 ? digits : 1;
}

char *fmt_real(char *at, double value, bool is_float)
{
	int digits, most = is_float ? 9 : 17;

	for (digits = whole_digits(value); digits <= most; digits++) {
		snprintf(at, FMT_REAL_MAX, "%.*g", digits, value);
		if (isnan(value) || (is_float ? strtof(at, NULL) :
						strtod(at, NULL)) == value)
			return at;
	}
	snprintf(at, FMT_REAL_MAX, "%.*g", most, value);
	return at;
}
