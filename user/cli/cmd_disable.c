// SPDX-License-Identifier: GPL-2.0
/* ktap disable: the end of 'ktap enable'. Sessions are not touched. */
#include "cli/cmd.h"
#include "cli/events.h"

static const struct option_row rows[] = {
	{ 'v', "verbose", NULL, "print the name of each event" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-v] NAME|GLOB...",
	.about = "Stops the counting of 'ktap enable'. Sessions are not affected.",
	.rows = rows,
};

static int disable(struct ctl *ctl, const uint32_t *ids, size_t nr,
		   struct diag *d)
{
	return ctl_probes_enable(ctl, ids, nr, false, d);
}

int cmd_disable(int argc, char **argv)
{
	return events_command(&usage, argc, argv, disable);
}
