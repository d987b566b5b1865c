// SPDX-License-Identifier: GPL-2.0
/* The checksums of ktap.data. */
#include "base/crc32.h"
#include "record/format.h"
#include "record/xxh3.h"

uint32_t file_sum(uint32_t version, const void *data, size_t size)
{
	return version >= KTAP_DATA_CRC32 ? crc32_of(data, size) :
					    (uint32_t)XXH3_64bits(data, size);
}

uint32_t file_section_sum(uint32_t version, const struct ktap_data_section *s)
{
	struct ktap_data_section copy = *s;

	copy.head_sum = 0;
	return file_sum(version, &copy, sizeof(copy));
}
