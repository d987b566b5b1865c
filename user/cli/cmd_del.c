// SPDX-License-Identifier: GPL-2.0
/* ktap del: remove events, also from the sessions that have them. */
#include "cli/cmd.h"
#include "cli/events.h"

static const struct option_row rows[] = {
	{ 'v', "verbose", NULL, "print the name of each event" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[-v] NAME|GLOB...",
	.about = "Deletes events. If a word matches no event, nothing is deleted.",
	.rows = rows,
};

int cmd_del(int argc, char **argv)
{
	return events_command(&usage, argc, argv, ctl_probes_del);
}
