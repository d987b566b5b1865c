// SPDX-License-Identifier: GPL-2.0
/*
 * spin SECONDS [CPU]: says where its loop is, "BEGIN END" in hexadecimal, and spins there
 * until SECONDS of its own CPU time have passed, and with CPU on that one.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

/* The linker names where a section begins and ends. */
extern char __start_spinning[], __stop_spinning[];

static volatile sig_atomic_t over;

static void on_alarm(int sig)
{
	(void)sig;
	over = 1;
}

static __attribute__((noinline, section("spinning"))) void spin(void)
{
	while (!over)
		;
}

int main(int argc, char **argv)
{
	struct itimerval at = {
		.it_value.tv_sec = argc > 1 ? atoi(argv[1]) : 1,
	};
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(argc > 2 ? atoi(argv[2]) : 0, &set);
	if (argc > 2 && sched_setaffinity(0, sizeof(set), &set))
		return 1;
	printf("%lx %lx\n", (unsigned long)__start_spinning,
	       (unsigned long)__stop_spinning);
	fflush(stdout);
	signal(SIGPROF, on_alarm);
	if (setitimer(ITIMER_PROF, &at, NULL))
		return 1;
	spin();
	return 0;
}
