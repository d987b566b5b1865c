// SPDX-License-Identifier: GPL-2.0
/* The verbs of ktap-target, and the verbs of ktap that it refuses. */
#include "cli/verbs.h"

#include <errno.h>

#include "cli/cmd.h"
#include "cli/say.h"
#include "target/refuse.h"

const char *const program_name = "ktap-target";

int refuse_hint(struct diag *d)
{
	diag_hint(d, "compile it with 'ktap bundle' on a machine that has the debug information, and use the bundle here");
	return -EINVAL;
}

static int refuse_verb(int argc, char **argv)
{
	struct diag d = {};

	diag_set(&d, -EINVAL, DIAG_TARGET_NO_VERB, argv[0]);
	diag_hint(&d, "run 'ktap %s' on a machine that has them", argv[0]);
	return say_failure(&d, NULL);
}

/* Commands that the target does not need: a recording can be read anywhere. */
static int leave_out(int argc, char **argv)
{
	struct diag d = {};

	diag_set(&d, -EINVAL, DIAG_TARGET_LEFT_OUT, argv[0]);
	diag_hint(&d, "run 'ktap %s' on another machine, with a copy of the recording", argv[0]);
	return say_failure(&d, NULL);
}

const struct verb verbs[] = {
	{ "add", cmd_add, "define an event" },
	{ "del", cmd_del, "delete events" },
	{ "list", cmd_list, "list the events that are defined", true },
	{ "enable", cmd_enable, "count the hits of events without a session" },
	{ "disable", cmd_disable, "stop counting the hits of events without a session" },
	{ "load", cmd_load, "define the events that a file lists" },
	{ "trace", cmd_trace, "print hits as they occur" },
	{ "record", cmd_record, "write hits to a file" },
	{ "run", cmd_run, "print the hits of a bundle or a probe module" },
	{ "script", cmd_script, "print the hits of a recording", true },
	{ "count", cmd_count, "count hits by key" },
	{ "sum", cmd_sum, "add up values by key" },
	{ "hist", cmd_hist, "make histograms of values by key" },
	{ "stats", cmd_stats, "find average, minimum and maximum of values by key" },
	{ "top", cmd_top, "show hits by key as they occur" },
	{ "mark", cmd_mark, "write a line of text into the sessions that record" },
	{ "stat", cmd_stat, "count hits, or show the counts of events" },
	{ "status", cmd_status, "show what the kernel and the module support" },
	{ "bundle", refuse_verb },
	{ "funcs", refuse_verb },
	{ "graph", refuse_verb },
	{ "index", refuse_verb },
	{ "line", refuse_verb },
	{ "module", refuse_verb },
	{ "report", leave_out },
	{ "vars", refuse_verb },
	{ NULL }
};
