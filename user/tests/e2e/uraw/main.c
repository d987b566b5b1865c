// SPDX-License-Identifier: GPL-2.0
/* uraw: a table of attempts, and what is probed. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uraw.h"

static const struct attempt attempts[] = {
	{ "values", try_values },
	{ "memory", try_memory },
	{ "refusals", try_refusals },
	{ "tasks", try_tasks },
	{ "scope", try_scope },
	{ "many", try_many },
	{ "returns", try_returns },
	{ "frames", try_frames },
	{ "kframes", try_kernel_frames },
	{ "leave", leave_frame },
	{ "absent", try_absent },
	{ "never", never_back },
	{}
};

/* ---- processes ----------------------------------------------------------------- */

pid_t child(void (*fn)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		fn();
		_exit(0);
	}
	return pid;
}

void reap(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	is(status, 0, "process %d ended well", pid);
}

void fork_here(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid)
		reap(pid);
}

/* ---- what is probed -------------------------------------------------------------- */

TARGET long target(long a, long b)
{
	return a + b;
}

TARGET long target_string(const char *s)
{
	__asm__ volatile("" : : "r" (s) : "memory");
	return 0;
}

volatile unsigned short target_users __attribute__((section(".data"))) = 0;

/* 64 instructions that do nothing, a return, and a breakpoint behind it. */
__asm__(".text\n"
	".balign 16\n"
	".globl target_nops\n"
	"target_nops:\n"
	".rept 64\n"
	"	nop\n"
	".endr\n"
	".globl target_ret\n"
	"target_ret:\n"
	"	ret\n"
	".globl target_trap\n"
	"target_trap:\n"
#ifdef __x86_64__
	"	int3\n"
#else
	"	brk 0x5\n"
#endif
	".balign 16\n");

void call_nops(void)
{
	((void (*)(void))(uintptr_t)target_nops)();
}

/* uraw call N: calls the target; uraw ATTEMPT... */
int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "call")) {
		target(atol(argv[2]), 77);
		return 0;
	}
	return tell_main(argc, argv, attempts);
}
