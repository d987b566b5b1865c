// SPDX-License-Identifier: GPL-2.0
/*
 * System calls by number:
 *	all	each that does no harm, with arguments that it refuses
 *	foreign	by the numbers of other programs: 32-bit ones, x32
 *	wait N	N threads that wait in the same call at once
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LAST 480

/* They do not come back, come back twice, or hang up. */
static const int harmful[] = {
	SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_clone, SYS_vhangup,
	SYS_rt_sigsuspend, SYS_close_range, SYS_personality, SYS_syslog,
#ifdef SYS_fork
	SYS_fork, SYS_vfork, SYS_pause,
#endif
#ifdef __x86_64__
	335, 336, /* uretprobe() and uprobe() are for trampolines: SIGILL */
#endif
};

static int is_harmful(int nr)
{
	for (size_t i = 0; i < sizeof(harmful) / sizeof(harmful[0]); i++)
		if (harmful[i] == nr)
			return 1;
	return 0;
}

static int call_all(void)
{
	for (int nr = 0; nr <= LAST; nr++)
		if (!is_harmful(nr))
			syscall(nr, -1L, -1L, -1L, -1L, -1L, -1L);
	return 0;
}

#ifdef __x86_64__
/* 20 is getpid() of 32-bit programs and writev() of others; 13 of x32 is nothing. */
static int call_foreign(void)
{
	long pid = 20;

	asm volatile("int $0x80" : "+a" (pid) : : "memory", "r8", "r9", "r10",
		     "r11");
	syscall(0x40000000 | 13, -1L, -1L, -1L, -1L);
	syscall(0x40000000 | SYS_getppid);
	return pid > 0 && pid != getpid();
}
#else
static int call_foreign(void)
{
	return 0;
}
#endif

static void *wait_here(void *arg)
{
	char c;

	return read(*(int *)arg, &c, 1) < 0 ? arg : NULL;
}

/* They wait until the other end of the pipe is closed. */
static int call_at_once(int nr)
{
	pthread_t thread[1000];
	int ends[2], i;

	if (nr > 1000 || pipe(ends))
		return 1;
	for (i = 0; i < nr; i++)
		if (pthread_create(&thread[i], NULL, wait_here, &ends[0]))
			return 1;
	usleep(300000);
	close(ends[1]);
	for (i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "all"))
		return call_all();
	if (argc == 2 && !strcmp(argv[1], "foreign"))
		return call_foreign();
	if (argc == 3 && !strcmp(argv[1], "wait"))
		return call_at_once(atoi(argv[2]));
	fputs("usage: manycalls all|foreign|wait N\n", stderr);
	return 2;
}
