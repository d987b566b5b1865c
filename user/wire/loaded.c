// SPDX-License-Identifier: GPL-2.0
/* What keeps the module out. */
#include "wire/loaded.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define LOCKDOWN "/sys/kernel/security/lockdown"
#define ENFORCED "/sys/module/module/parameters/sig_enforce"

/* "none [integrity] confidentiality": the brackets mark what is in force. */
bool lockdown_mode(char *ret, size_t size)
{
	_cleanup_fclose_ FILE *f = fopen(LOCKDOWN, "re");
	char line[128], *from, *to;

	if (!f || !fgets(line, sizeof(line), f))
		return false;
	from = strchr(line, '[');
	to = from ? strchr(from, ']') : NULL;
	if (!to)
		return false;
	*to = '\0';
	snprintf(ret, size, "%s", from + 1);
	return true;
}

bool locked_down(char *mode, size_t size)
{
	return lockdown_mode(mode, size) && strcmp(mode, "none");
}

bool signatures_enforced(void)
{
	_cleanup_fclose_ FILE *f = fopen(ENFORCED, "re");

	return f && fgetc(f) == 'Y';
}

int not_loaded(int err, struct diag *d)
{
	char mode[32];

	diag_set(d, err, DIAG_WIRE_NOT_LOADED);
	if (locked_down(mode, sizeof(mode)))
		diag_hint(d, "kernel lockdown (%s) refuses unsigned modules: modprobe ktap needs a ktap.ko that is signed with a key that this kernel trusts",
			  mode);
	else if (signatures_enforced())
		diag_hint(d, "this kernel refuses unsigned modules: modprobe ktap needs a ktap.ko that is signed with a key that this kernel trusts");
	else
		diag_hint(d, "modprobe ktap");
	return err;
}
