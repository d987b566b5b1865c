// SPDX-License-Identifier: GPL-2.0
/*
 * Loops of commands, as users and their scripts give them: the tool, killed
 * now and then; modules that come and go.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "torture.h"

static bool tool(struct chance *c)
{
	static const char *const commands[][9] = {
		{ "ktap", "list", "-v" },
		{ "ktap", "stat", "-v", "--json" },
		{ "ktap", "status" },
		{ "ktap", "trace", "-a", "--timeout", "0.3",
		  "torture_task $comm" },
		{ "ktap", "trace", "-a", "--timeout", "0.3",
		  "vfs_read%return $retval" },
		{ "ktap", "trace", "-a", "-g", "--timeout", "0.3", "vfs_read" },
		{ "ktap", "count", "-a", "--timeout", "0.3", "--rows=16",
		  "torture_hardirq by $kstack" },
		{ "ktap", "hist", "-a", "--timeout", "0.3",
		  "vfs_read%return $elapsed by $comm" },
		{ "ktap", "count", "-a", "--timeout", "0.3",
		  "timer:199hz by $kstack $cpu" },
		{ "ktap", "hist", "-a", "--timeout", "0.3",
		  "torture_task store($task,$now)",
		  "torture_task%return ($now-$take($task)) by $comm" },
		{ "ktap", "count", "-a", "--timeout", "0.3",
		  "torture_nmi store($cpu,$now)", "torture_hardirq store($cpu,%di)",
		  "torture_softirq by $take($cpu)" },
		{ "ktap", "count", "-a", "--timeout", "0.3", "--rows=64",
		  "timer:997hz by $ustack" },
		{ "ktap", "trace", "-a", "-g", "--timeout", "0.3", "torture_sleep" },
		{ "ktap", "mark", "-q", "a tool was here" },
		{ "ktap", "record", "-q", "--overwrite", "-o", "/tmp/tool.data",
		  "torture_hardirq $kstack" },
	};
	const char *const *argv = commands[chance_below(c, sizeof(commands) / sizeof(*commands))];
	/* recording does not end by itself */
	bool kill = !strcmp(argv[1], "record") || !chance_below(c, 3);
	int status;

	if (!kill)
		return run(argv);
	status = await(start(argv), 200 + chance_below(c, 1500));
	return WIFSIGNALED(status) || WIFEXITED(status);
}

/* The recorder's session keeps it. */
static bool rmmod(struct chance *c)
{
	sleep_ms(20 + chance_below(c, 100));
	if (!syscall(SYS_delete_module, "ktap", O_NONBLOCK)) {
		printf("not ok - the module went while a session was open\n");
		return false;
	}
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EBUSY;
}

/* A module with probes on it. */
static bool modules(struct chance *c)
{
	const char *const path = "/sys/module/ktap_target/parameters/call";

	if (!exists(path) && !RUN("modprobe", "ktap_target", "onload=args"))
		return false;
	write_file(path, chance_below(c, 2) ? "args 3" : "returns 3");
	return !syscall(SYS_delete_module, "ktap_target", O_NONBLOCK);
}

const struct loop tool_loops[] = { { "tool", NULL, NULL, tool, NULL },
				   { "rmmod", NULL, NULL, rmmod, NULL },
				   { "modules", NULL, NULL, modules, NULL },
				   { NULL, NULL, NULL, NULL, NULL } };
