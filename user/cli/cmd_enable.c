// SPDX-License-Identifier: GPL-2.0
/* ktap enable: events count without a session. */
#include "cli/cmd.h"
#include "cli/events.h"

static const struct option_row rows[] = {
	{ 'v', "verbose", NULL, "print the name of each event" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-v] NAME|GLOB...",
	.about = "Arms events without a session. 'ktap stat' shows how many hits they had.",
	.rows = rows,
};

static int enable(struct ctl *ctl, const uint32_t *ids, size_t nr,
		  struct diag *d)
{
	return ctl_probes_enable(ctl, ids, nr, true, d);
}

int cmd_enable(int argc, char **argv)
{
	return events_command(&usage, argc, argv, enable);
}
