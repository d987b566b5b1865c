// SPDX-License-Identifier: GPL-2.0
/* Which code no kprobe may be in, where the kernel tells (debugfs). */
#include "place/blacklist.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"

#define BLACKLIST "/sys/kernel/debug/kprobes/blacklist"

bool blacklist_has(const char *path, uint64_t address)
{
	_cleanup_fclose_ FILE *f = fopen(path ? path : BLACKLIST, "re");
	uint64_t start, end;
	char line[1024];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "0x%" SCNx64 "-0x%" SCNx64, &start,
			   &end) == 2 && address >= start && address < end)
			return true;
	return false;
}
