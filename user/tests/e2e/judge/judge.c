// SPDX-License-Identifier: GPL-2.0
/*
 * Makes a program tell its own stacks, at any instruction: a timer interrupts it with a signal
 * at times drawn by chance, and the handler notes what backtrace() says and then calls
 * getpgid(N), which ktap probes. Linked into a static program, or loaded into any other by
 * LD_PRELOAD. JUDGE_FILE is written: lines 'N ADDRESS...', the interrupted instruction first,
 * and before and after them /proc/self/maps. A stack that backtrace() cannot read, where code
 * that throws has just switched the stack pointer, is noted as '!'. After JUDGE_STACKS stacks
 * the program ends. Earlier ones, for half a second, have no number and are not compared: ktap
 * gives the table of a file when a hit has met it. See backtrace.t.
 */
#include <execinfo.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FRAMES		128
#define FIRST		3	/* after take(), the handler and what it returns to */
#define EARLY		1500	/* until ktap has given the tables of files that it has met */

static int out = -1;
static long stacks, number, early;
static timer_t timer;
static unsigned int chance = 12345;
static sigjmp_buf away;

static char *hex(char *to, unsigned long n)
{
	int shift = 60;

	while (shift && !(n >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[n >> shift & 15];
	return to;
}

static void put(const char *text, size_t size)
{
	if (write(out, text, size) != (ssize_t)size)
		_exit(3);
}

static void put_maps(void)
{
	static char text[65536];
	int fd = open("/proc/self/maps", O_RDONLY);
	ssize_t n;

	while ((n = read(fd, text, sizeof(text))) > 0)
		put(text, n);
}

static void arm(void)
{
	struct itimerspec when = {};

	chance = chance * 1103515245 + 12345;
	when.it_value.tv_nsec = 150000 + (chance >> 8) % 400000;
	timer_settime(timer, 0, &when, NULL);
}

static void on_fault(int signal)
{
	(void)signal;
	siglongjmp(away, 1);
}

/* Return: the number of frames; 0: they cannot be read. */
static __attribute__((noinline)) int take(void **frames)
{
	signal(SIGSEGV, on_fault);
	return sigsetjmp(away, 1) ? 0 : backtrace(frames, FRAMES);
}

static void on_signal(int signal)
{
	static char line[FRAMES * 17 + 32];
	void *frames[FRAMES];
	char *to = line;
	int i, n;

	(void)signal;
	if (early < EARLY) {
		early++;
		syscall(SYS_getpgid, 0);
		arm();
		return;
	}
	n = take(frames);
	to = hex(to, ++number);
	if (!n) {
		*to++ = ' ';
		*to++ = '!';
	}
	for (i = FIRST; i < n; i++) {
		*to++ = ' ';
		to = hex(to, (unsigned long)frames[i]);
	}
	*to++ = '\n';
	put(line, to - line);
	syscall(SYS_getpgid, number);
	if (number == stacks) {
		put_maps();
		_exit(0);
	}
	arm();
}

static __attribute__((constructor)) void judge_begin(void)
{
	const char *path = getenv("JUDGE_FILE"), *limit = getenv("JUDGE_STACKS");
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF };
	void *frames[4];

	if (!path || !limit)
		return;
	stacks = atol(limit);
	out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (out < 0)
		_exit(3);
	unsetenv("JUDGE_FILE");
	backtrace(frames, 4);		/* it loads its library */
	put_maps();
	sigaction(SIGPROF, &action, NULL);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	arm();
}
