// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks of a program without frame pointers: it writes what backtrace() says of them, as
 * offsets in its file, from the caller of leaf() on, and then calls getpgid(). See ustack.t.
 *
 * Usage: ustack MODE FILE [SECONDS]
 */
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file_offset.h"

#pragma GCC optimize("omit-frame-pointer", "no-optimize-sibling-calls")

#define API	__attribute__((noinline, noclone, externally_visible))

static FILE *to;
static volatile int once;

/* On arm64 the return from a signal handler is in the vDSO. */
static void put(unsigned long address)
{
	unsigned long vdso = getauxval(AT_SYSINFO_EHDR);

	if (vdso && address - vdso < 0x10000) {
		fputs("vdso\n", to);
		return;
	}
	file_offset(&address);
	fprintf(to, "0x%lx\n", address);
}

API void leaf(void)
{
	void *frames[64];
	int n = backtrace(frames, 64);

	for (int i = 1; i < n; i++)
		put((unsigned long)frames[i]);
	fflush(to);
	syscall(SYS_getpgid, 0);
	once = 1;
}

/* It has no frame of its own. */
static inline __attribute__((always_inline)) void between(void)
{
	leaf();
}

API void mid(int depth)
{
	/* room on the stack that differs from call to call */
	char room[16 + 16 * depth];

	memset(room, depth, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
	if (depth)
		mid(depth - 1);
	else
		between();
	__asm__ volatile("" : : "r"(room) : "memory");
}

API int compare(const void *a, const void *b)
{
	if (!once)
		mid(2);
	return *(const int *)a - *(const int *)b;
}

API void sort(void)
{
	int numbers[] = { 5, 3, 1, 4, 2 };

	qsort(numbers, 5, sizeof(*numbers), compare);
	__asm__ volatile("" : : "r"(numbers) : "memory");
}

API void handler(int number)
{
	(void)number;
	mid(1);
	once = 1;
}

API void interrupt(void)
{
	static char other[65536];
	const stack_t stack = { .ss_sp = other, .ss_size = sizeof(other) };
	const struct sigaction action = {
		.sa_handler = handler, .sa_flags = SA_ONSTACK,
	};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	kill(getpid(), SIGUSR1);
	__asm__ volatile("" : : : "memory");
}

#ifdef __x86_64__
#define UNDEFINED "ud2"
#else
#define UNDEFINED "udf #0"
#endif

void stopped(void);

/* A signal stops it at its first instruction. */
__asm__(".text\n"
	".type stopped, %function\n"
	"stopped:\n"
	".cfi_startproc\n"
	UNDEFINED "\n"
	".cfi_endproc\n"
	".size stopped, .-stopped\n");

API void give_up(int number)
{
	(void)number;
	mid(1);
	_exit(0);
}

API void illegal(void)
{
	signal(SIGILL, give_up);
	stopped();
	__asm__ volatile("" : : : "memory");
}

API __attribute__((noreturn)) void leave(void *arg)
{
	mid(3);
	pthread_exit(arg);
}

/* It ends with a call: the return address is in the next function. */
API void *second(void *arg)
{
	leave(arg);
}

API void spread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, second, NULL);
	pthread_join(thread, NULL);
}

/* Two processes that call leaf() from one place. */
API void twice(void)
{
	pid_t child = fork();

	mid(2);
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
}

/* Long enough for ktap to see the mappings. */
API void slow(const char *seconds)
{
	for (int i = atoi(seconds); i > 0; i--) {
		mid(2);
		sleep(1);
	}
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	to = fopen(argv[2], "we");
	if (!to)
		return 1;
	if (!strcmp(argv[1], "qsort"))
		sort();
	else if (!strcmp(argv[1], "signal"))
		interrupt();
	else if (!strcmp(argv[1], "illegal"))
		illegal();
	else if (!strcmp(argv[1], "thread"))
		spread();
	else if (!strcmp(argv[1], "twice"))
		twice();
	else if (!strcmp(argv[1], "slow") && argc > 3)
		slow(argv[3]);
	else
		mid(4);
	fclose(to);
	return 0;
}
