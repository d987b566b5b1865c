// SPDX-License-Identifier: GPL-2.0
/* Floating-point numbers of any machine: sign, exponent and fraction are taken apart. */
#include "types/real.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define EXPONENT_MAX	0x7fff
#define EXPONENT_BIAS	16383

/**
 * struct parts - a number of 16 bytes
 * @digits: binary ones, the one before the point too
 * @point: how many of them are behind it
 * @exponent: as it is written
 * @is_negative: its sign
 */
struct parts {
	unsigned __int128 digits;
	unsigned int point;
	unsigned int exponent;
	bool is_negative;
};

/* Those that no processor makes since the 387 are none. */
static bool split_x87(const uint8_t *bytes, struct parts *p)
{
	uint64_t digits;
	uint16_t head;
	bool is_normal;

	memcpy(&digits, bytes, sizeof(digits));
	memcpy(&head, bytes + sizeof(digits), sizeof(head));
	p->digits = digits;
	p->point = 63;
	p->exponent = head & EXPONENT_MAX;
	p->is_negative = head >> 15;
	is_normal = digits >> 63;
	return is_normal == !!p->exponent;
}

static void split_quad(const uint8_t *bytes, struct parts *p)
{
	uint64_t low, high;

	memcpy(&low, bytes, sizeof(low));
	memcpy(&high, bytes + sizeof(low), sizeof(high));
	p->point = 112;
	p->exponent = high >> 48 & EXPONENT_MAX;
	p->is_negative = high >> 63;
	high &= (1ULL << 48) - 1;
	if (p->exponent)
		high |= 1ULL << 48;
	p->digits = (unsigned __int128)high << 64 | low;
}

static bool join(struct parts *p, long double *ret)
{
	int power = (int)(p->exponent ? p->exponent : 1) - EXPONENT_BIAS -
		    (int)p->point;
	unsigned __int128 behind = p->digits &
				   (((unsigned __int128)1 << p->point) - 1);

	if (p->exponent == EXPONENT_MAX) {
		*ret = behind ? NAN : INFINITY;
	} else {
		for (; p->digits && !(p->digits & 1); power++)
			p->digits >>= 1;
		if (LDBL_MANT_DIG < 128 && p->digits >> LDBL_MANT_DIG)
			return false;
		*ret = ldexpl((long double)p->digits, power);
		if (p->digits && (isinf(*ret) || *ret == 0))
			return false;
	}
	*ret = copysignl(*ret, p->is_negative ? -1 : 1);
	return true;
}

bool real_read(const uint8_t *bytes, unsigned int size, bool is_x87,
	       long double *ret)
{
	struct parts p = {};
	double number;
	float single;

	if (size == sizeof(single)) {
		memcpy(&single, bytes, sizeof(single));
		*ret = single;
		return true;
	}
	if (size == sizeof(number)) {
		memcpy(&number, bytes, sizeof(number));
		*ret = number;
		return true;
	}
	if (size != 16)
		return false;
	if (!is_x87)
		split_quad(bytes, &p);
	else if (!split_x87(bytes, &p))
		return false;
	return join(&p, ret);
}
