/* SPDX-License-Identifier: GPL-2.0 */
/* CRC-32 as in IEEE 802.3, zlib and the kernel's <linux/crc32.h>. */
#ifndef KTAP_BASE_CRC32_H
#define KTAP_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/**
 * crc32_of() - CRC-32 of bytes
 * @data: bytes
 * @size: how many
 *
 * ktap-target is linked without zlib, so this is not zlib's crc32().
 *
 * Return: the checksum: 0xcbf43926 for "123456789".
 */
uint32_t crc32_of(const void *data, size_t size);

#endif /* KTAP_BASE_CRC32_H */
