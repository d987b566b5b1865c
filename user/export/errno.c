// SPDX-License-Identifier: GPL-2.0
/* Names of errors: those of the C library, and the kernel's own. */
#include <string.h>

#include "export/line.h"

#define ERRNO_MAX 4095

const char *value_errno(const struct value *v)
{
	static const char *const kernel[] = {
		"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND",
		"ENOIOCTLCMD", "ERESTART_RESTARTBLOCK", "EPROBE_DEFER",
		"EOPENSTALE", "ENOPARAM",
	};
	int64_t number = (int64_t)v->number;

	if (number >= 0 || number < -ERRNO_MAX)
		return NULL;
	if (number <= -512 && number > -520)
		return kernel[-number - 512];
	return strerrorname_np((int)-number);
}
