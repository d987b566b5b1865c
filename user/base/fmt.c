// SPDX-License-Identifier: GPL-2.0
/* Numbers to digits; integers two decimal digits a step. Pure, no allocation. */
#include "base/fmt.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned int count_digits(uint64_t value)
{
	unsigned int digits = 1;

	for (; value >= 10000; value /= 10000)
		digits += 4;
	return digits + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* Of all numbers below 100, one after the other: no row has a NUL. */
static const char pairs[10][20] = {
	"00010203040506070809",
	"10111213141516171819",
	"20212223242526272829",
	"30313233343536373839",
	"40414243444546474849",
	"50515253545556575859",
	"60616263646566676869",
	"70717273747576777879",
	"80818283848586878889",
	"90919293949596979899",
};

/* Writes @digits of @value, the last ones. */
static char *put_digits(char *at, uint64_t value, unsigned int digits)
{
	char *end = at + digits, *to = end;

	for (; to - at >= 2; value /= 100) {
		to -= 2;
		memcpy(to, (const char *)pairs + value % 100 * 2, 2);
	}
	if (to > at)
		*at = '0' + value % 10;
	return end;
}

char *fmt_padded(char *at, uint64_t value, unsigned int width)
{
	unsigned int digits = count_digits(value);

	if (width > FMT_MAX)
		width = FMT_MAX;
	return put_digits(at, value, digits > width ? digits : width);
}

char *fmt_u64(char *at, uint64_t value)
{
	if (value < 10) {
		*at = '0' + value;
		return at + 1;
	}
	return put_digits(at, value, count_digits(value));
}

char *fmt_i64(char *at, int64_t value)
{
	if (value >= 0)
		return fmt_u64(at, value);
	*at++ = '-';
	return fmt_u64(at, -(uint64_t)value);
}

char *fmt_wide(char *at, __int128 value)
{
	/* a power of ten that leaves the rest in 64 bits */
	const uint128_t ten18 = 1000000000000000000;
	uint128_t abs = value;

	if (value < 0) {
		*at++ = '-';
		abs = -abs;
	}
	if (abs < ten18)
		return fmt_u64(at, abs);
	if (abs / ten18 >= ten18) {
		at = fmt_u64(at, abs / ten18 / ten18);
		at = fmt_padded(at, abs / ten18 % ten18, 18);
	} else {
		at = fmt_u64(at, abs / ten18);
	}
	return fmt_padded(at, abs % ten18, 18);
}

char *fmt_seconds(char *at, int64_t ns, unsigned int decimals)
{
	uint64_t abs = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	uint32_t rest = abs % 1000000000;
	unsigned int i;

	if (ns < 0)
		*at++ = '-';
	at = fmt_u64(at, abs / 1000000000);
	*at++ = '.';
	for (i = decimals; i < 9; i++)
		rest /= 10;
	return put_digits(at, rest, decimals);
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
static int whole_digits(long double value)
{
	double limit = 10;
	int digits = 1;

	while (digits < 17 && fabsl(value) >= limit) {
		limit *= 10;
		digits++;
	}
	return digits < 17 ? digits : 1;
}

static bool is_read_as(const char *text, long double value, unsigned int size)
{
	if (size == sizeof(float))
		return strtof(text, NULL) == value;
	if (size == sizeof(double))
		return strtod(text, NULL) == value;
	return strtold(text, NULL) == value;
}

char *fmt_real(char *at, long double value, unsigned int size)
{
	int digits, most = LDBL_DECIMAL_DIG;

	if (size == sizeof(float))
		most = FLT_DECIMAL_DIG;
	else if (size == sizeof(double))
		most = DBL_DECIMAL_DIG;
	digits = whole_digits(value);
	/* with more than all that count, an exponent is shorter */
	if (digits > most)
		digits = 1;
	for (; digits <= most; digits++) {
		snprintf(at, FMT_REAL_MAX, "%.*Lg", digits, value);
		if (isnan(value) || is_read_as(at, value, size))
			return at;
	}
	return at;
}
