// SPDX-License-Identifier: GPL-2.0
/* The verbs of ktap. */
#include "cli/verbs.h"

#include <stddef.h>

#include "cli/cmd.h"

const char *const program_name = "ktap";

const struct verb verbs[] = {
	{ "add", cmd_add, "define an event" },
	{ "del", cmd_del, "delete events" },
	{ "list", cmd_list, "list the events that are defined", true },
	{ "enable", cmd_enable, "count the hits of events without a session" },
	{ "disable", cmd_disable, "stop counting the hits of events without a session" },
	{ "load", cmd_load, "define the events that a file lists" },
	{ "funcs", cmd_funcs, "list what can be probed", true },
	{ "line", cmd_line, "show source code and the lines that can be probed", true },
	{ "vars", cmd_vars, "show the variables that are available at a place", true },
	{ "index", cmd_index, "build an index that speeds up lookups in debug information" },
	{ "trace", cmd_trace, "print hits as they occur" },
	{ "record", cmd_record, "write hits to a file" },
	{ "run", cmd_run, "print the hits of a bundle or a probe module" },
	{ "script", cmd_script, "print the hits of a recording", true },
	{ "report", cmd_report, "summarize the hits of a recording", true },
	{ "bundle", cmd_bundle, "compile definitions for other machines" },
	{ "module", cmd_module, "make a kernel module that has probes" },
	{ "count", cmd_count, "count hits by key" },
	{ "sum", cmd_sum, "add up values by key" },
	{ "hist", cmd_hist, "make histograms of values by key" },
	{ "stats", cmd_stats, "find average, minimum and maximum of values by key" },
	{ "top", cmd_top, "show hits by key as they occur" },
	{ "graph", cmd_graph, "show what a function calls, and how long each call takes" },
	{ "mark", cmd_mark, "write a line of text into the sessions that record" },
	{ "stat", cmd_stat, "count hits, or show the counts of events" },
	{ "status", cmd_status, "show what the kernel and the module support" },
	{ NULL }
};
