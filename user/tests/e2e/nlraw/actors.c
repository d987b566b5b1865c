// SPDX-License-Identifier: GPL-2.0
/* Processes with some of root's rights. */
#include <linux/capability.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nlraw.h"

void set_caps(uint64_t caps)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		die("capget");
	data[0].effective = caps;
	data[1].effective = caps >> 32;
	if (syscall(SYS_capset, &head, data))
		die("capset");
}

void in_a_child(const char *topic, void (*attempt)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		attempt();
		fflush(stdout);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		die("fork");
	is(status, 0, "%s: the attempt came to its end", topic);
}
