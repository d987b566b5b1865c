// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32, polynomial 0x04c11db7 with reflected bits. Eight bytes a step: table[k] has the
 * checksum of a byte that k zero bytes follow.
 */
#include "base/crc32.h"

#include <endian.h>
#include <pthread.h>
#include <string.h>

#define POLYNOMIAL	0xedb88320U
#define STEP		8

static uint32_t table[STEP][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static uint32_t of_byte(uint32_t crc)
{
	for (int bit = 0; bit < 8; bit++)
		crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
	return crc;
}

static void make_table(void)
{
	for (unsigned int i = 0; i < 256; i++)
		table[0][i] = of_byte(i);
	for (int k = 1; k < STEP; k++)
		for (unsigned int i = 0; i < 256; i++)
			table[k][i] = table[k - 1][i] >> 8 ^
				      table[0][table[k - 1][i] & 0xff];
}

static uint32_t of_step(uint32_t crc, const unsigned char *at)
{
	uint64_t word;
	uint32_t ret = 0;

	memcpy(&word, at, sizeof(word));
	word = le64toh(word) ^ crc;
	for (int k = 0; k < STEP; k++)
		ret ^= table[STEP - 1 - k][word >> 8 * k & 0xff];
	return ret;
}

uint32_t crc32_of(const void *data, size_t size)
{
	const unsigned char *at = data;
	uint32_t crc = ~0U;

	pthread_once(&made, make_table);
	for (; size >= STEP; size -= STEP, at += STEP)
		crc = of_step(crc, at);
	for (; size; size--, at++)
		crc = crc >> 8 ^ table[0][(crc ^ *at) & 0xff];
	return ~crc;
}
