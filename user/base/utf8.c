// SPDX-License-Identifier: GPL-2.0
/*
 * UTF-8: which bytes are a character, and which characters are safe to show.
 * Independent of the locale: the same bytes give the same output anywhere.
 */
#include "base/utf8.h"

#include <endian.h>
#include <string.h>

/* Smallest code point that needs as many bytes as the index says. */
static const uint32_t utf8_first[] = { 0, 0, 0x80, 0x800, 0x10000 };

static size_t sequence_length(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	if (lead < 0xe0)
		return 2;
	return lead < 0xf0 ? 3 : 4;
}

size_t utf8_get(const char *s, size_t size, uint32_t *ret)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t len = sequence_length(u[0]);
	uint32_t c;
	size_t i;

	if (!len || len > size)
		return 0;
	if (len == 1) {
		*ret = u[0];
		return 1;
	}
	c = u[0] & (0x7f >> len);
	for (i = 1; i < len; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (u[i] & 0x3f);
	}
	if (c < utf8_first[len] || c > 0x10ffff || (c & ~0x7ffu) == 0xd800)
		return 0;
	*ret = c;
	return len;
}

#define EACH(byte)	(0x0101010101010101ULL * (byte))

/* The high bit of each byte that is @byte; right up to the lowest such one. */
static uint64_t bytes_equal(uint64_t word, unsigned char byte)
{
	word ^= EACH(byte);
	return (word - EACH(1)) & ~word;
}

/* The same for those that do not belong into a run. */
static uint64_t bytes_special(uint64_t word)
{
	return (word | (word - EACH(' ')) | bytes_equal(word, 127) |
		bytes_equal(word, '"') | bytes_equal(word, '\\')) &
	       EACH(0x80);
}

size_t utf8_run(const char *s, size_t size)
{
	uint64_t word, special;
	size_t at = 0;

	for (; size - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, s + at, sizeof(word));
		special = bytes_special(le64toh(word));
		if (special)
			return at + __builtin_ctzll(special) / 8;
	}
	while (at < size && !(bytes_special((unsigned char)s[at]) & 0x80))
		at++;
	return at;
}

struct utf8_range {
	uint32_t first;
	uint32_t last;
};

/*
 * Controls, line separators, marks that turn or hide the text around them,
 * and what is no character at all.
 */
static const struct utf8_range utf8_unprintable[] = {
	{ 0x0000, 0x001f },
	{ 0x007f, 0x009f },
	{ 0x00ad, 0x00ad },
	{ 0x061c, 0x061c },
	{ 0x180e, 0x180e },
	{ 0x200b, 0x200f },
	{ 0x2028, 0x202e },
	{ 0x2060, 0x206f },
	{ 0xd800, 0xf8ff },
	{ 0xfdd0, 0xfdef },
	{ 0xfeff, 0xfeff },
	{ 0xfff0, 0xfffb },
	{ 0xe0000, 0x10ffff },
};

bool utf8_printable(uint32_t c)
{
	size_t i;

	for (i = 0; i < sizeof(utf8_unprintable) / sizeof(*utf8_unprintable); i++)
		if (c >= utf8_unprintable[i].first && c <= utf8_unprintable[i].last)
			return false;
	return (c & 0xfffe) != 0xfffe;
}

bool utf8_is_plain(const char *s, size_t size)
{
	size_t at, length;
	uint32_t c;

	for (at = 0; at < size; at += length) {
		length = utf8_get(s + at, size - at, &c);
		if (!length || !utf8_printable(c))
			return false;
	}
	return true;
}

size_t utf8_length(const char *s)
{
	size_t left = strlen(s), nr = 0, n;
	uint32_t c;

	for (; left; nr++, s += n, left -= n) {
		n = utf8_get(s, left, &c);
		n = n ? n : 1;
	}
	return nr;
}
