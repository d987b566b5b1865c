/* SPDX-License-Identifier: GPL-2.0 */
/* ktap.data: include/uapi/linux/ktap_data.h, and its checksums. Private to record/. */
#ifndef KTAP_RECORD_FORMAT_H
#define KTAP_RECORD_FORMAT_H

#include <linux/ktap.h>
#include <linux/ktap_data.h>
#include <stddef.h>
#include <stdint.h>

#define FILE_HEAD_MAX	4096

_Static_assert(sizeof(struct ktap_data_head) == 24, "file format");
_Static_assert(sizeof(struct ktap_data_section) == 32, "file format");
_Static_assert(sizeof(struct ktap_data_machine) == 208, "file format");
_Static_assert(sizeof(struct ktap_data_totals) == 16, "file format");
_Static_assert(sizeof(struct ktap_marks) == 24, "file format");
_Static_assert(sizeof(struct ktap_data_file) == 48, "file format");
_Static_assert(sizeof(struct ktap_data_code) == 24, "file format");

/**
 * file_sum() - a checksum of ktap.data
 * @version: of the file, KTAP_DATA_*
 * @data: bytes
 * @size: how many
 *
 * Return: the checksum that this version has.
 */
uint32_t file_sum(uint32_t version, const void *data, size_t size);

/**
 * file_section_sum() - what the member head_sum should be
 * @version: of the file
 * @s: the section
 *
 * Return: its checksum.
 */
uint32_t file_section_sum(uint32_t version, const struct ktap_data_section *s);

/**
 * file_padding() - count the zeros after a payload or a name
 * @size: its bytes
 *
 * Return: bytes up to the next multiple of 8, from 0 to 7.
 */
static inline unsigned int file_padding(uint64_t size)
{
	return -size & 7;
}

#endif /* KTAP_RECORD_FORMAT_H */
