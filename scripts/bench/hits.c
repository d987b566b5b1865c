// SPDX-License-Identifier: GPL-2.0
/*
 * hits [-f | -m] WORKLOAD [CHUNKS [LENGTH]]: makes calls in chunks of 100, and prints what a call
 * costs: in the chunks up to the first quartile, without the least twentieth,
 * and in all of them. In a guest under -icount shift=0 a nanosecond is an
 * instruction, so the first number is the loop alone; the second has in it what
 * else the processor did meanwhile: the timer, the recorder that drains, a new
 * sub-buffer, and the windows in which ktap's guard measures: of a short loop
 * they can be more than a half. With -f nobody else runs before the end: what is
 * recorded has to fit into the buffer. With -m the calls of one chunk are marked for
 * scripts/bench/blocks.c, and nothing is printed.
 *
 *   check	a thousand instructions: they must read as that
 *   advise	posix_fadvise() on a bad descriptor
 *   open	openat2() with flags that do not exist, and a name of LENGTH bytes
 *   user	user_function()
 *   switch	as advise, in two tasks that take turns
 *
 * What is called is used by no recorder, and returns at once.
 */
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "marks.h"

#define CALLS	100
#define CHUNKS	1000

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* 100 turns of ten instructions: eight nops, the count, the branch. */
static void thousand(void)
{
	long n = CALLS * 100;

#if defined(__x86_64__)
	__asm__ volatile("1: nop; nop; nop; nop; nop; nop; nop; nop\n"
			 "dec %0; jnz 1b" : "+r"(n) : : "cc");
#elif defined(__aarch64__)
	__asm__ volatile("1: nop; nop; nop; nop; nop; nop; nop; nop\n"
			 "subs %0, %0, #1; b.ne 1b" : "+r"(n) : : "cc");
#endif
}

static void advise(void)
{
	int n = CALLS;

	while (n--)
		syscall(SYS_fadvise64, -1, 1L, 2L, 3);
}

#define LONGEST	4096

/* One page, which is written to, so that it is there before a probe looks. */
static volatile char absent[LONGEST] __attribute__((aligned(LONGEST))) =
	"/root/there/is/no/such/it";

/* With the NUL. */
static void set_length(size_t length)
{
	if (length < 1 || length > LONGEST) {
		fprintf(stderr, "hits: no name has %zu bytes\n", length);
		exit(2);
	}
	for (size_t i = 0; i < length - 1; i++)
		absent[i] = 'a';
	absent[length - 1] = 0;
}

/* The kernel refuses the flags before it looks at the name. */
static void open_absent(void)
{
	struct {
		uint64_t flags;
		uint64_t mode;
		uint64_t resolve;
	} how = { .flags = 1ULL << 40 };
	int n = CALLS;

	absent[LONGEST - 1] = 0;
	while (n--)
		syscall(SYS_openat2, -1, absent, &how, sizeof(how));
}

/* Begins as most functions do; the kernel need not single-step that on x86. */
long user_function(long a, long b);
#if defined(__x86_64__)
__asm__(".text; .globl user_function; .type user_function, @function\n"
	"user_function: push %rbp; mov %rsp, %rbp\n"
	"lea (%rdi,%rsi), %rax; pop %rbp; ret\n"
	".size user_function, . - user_function\n");
#elif defined(__aarch64__)
__asm__(".text; .globl user_function; .type user_function, @function\n"
	"user_function: stp x29, x30, [sp, -16]!; mov x29, sp\n"
	"add x0, x0, x1; ldp x29, x30, [sp], 16; ret\n"
	".size user_function, . - user_function\n");
#endif

static void user(void)
{
	long n;

	for (n = 0; n < CALLS; n++)
		user_function(n, (long)absent);
}

/* The other task does the same; each yield lets it make one call. */
static void take_turns(void)
{
	int n = CALLS / 2;

	while (n--) {
		syscall(SYS_fadvise64, -1, 1L, 2L, 3);
		sched_yield();
	}
}

static void other_task(void)
{
	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "other");
	for (;;)
		take_turns();
}

static void go_first(void)
{
	struct sched_param param = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &param)) {
		perror("sched_setscheduler");
		exit(1);
	}
}

static void lengthen(void)
{
	set_length(200);
}

static void start_other_task(void)
{
	go_first();
	other_task();
}

static const struct workload {
	const char *name;
	void (*calls)(void);
	void (*start)(void);
} workloads[] = {
	{ "check", thousand },
	{ "advise", advise },
	{ "open", open_absent },
	{ "long", open_absent, lengthen },
	{ "user", user },
	{ "switch", take_turns, start_other_task },
};

static const struct workload *find(const char *name)
{
	for (size_t i = 0; i < sizeof(workloads) / sizeof(*workloads); i++)
		if (!strcmp(workloads[i].name, name))
			return &workloads[i];
	fprintf(stderr, "hits: no workload %s\n", name);
	exit(2);
}

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double average(const uint64_t *cost, long from, long to)
{
	uint64_t sum = 0;

	for (long i = from; i < to; i++)
		sum += cost[i];
	return (double)sum / (to - from) / CALLS;
}

static uint64_t measure(const struct workload *w)
{
	uint64_t begin = now();

	w->calls();
	return now() - begin;
}

/* The first chunks touch what is touched for the first time. */
static int mark(const char *name)
{
	const struct workload *w = find(name);

	if (w->start)
		w->start();
	for (int i = 0; i < 4; i++)
		w->calls();
#if defined(__x86_64__)
	MARK(MARK_BEGIN);
	w->calls();
	MARK(MARK_END);
	return 0;
#else
	fprintf(stderr, "hits: -m is for x86-64\n");
	return 2;
#endif
}

int main(int argc, char **argv)
{
	const struct workload *w;
	uint64_t *cost;
	long chunks;

	if (argc == 3 && !strcmp(argv[1], "-m"))
		return mark(argv[2]);
	if (argc > 1 && !strcmp(argv[1], "-f")) {
		go_first();
		argv++;
		argc--;
	}
	w = find(argc > 1 ? argv[1] : "");
	chunks = argc > 2 ? atol(argv[2]) : CHUNKS;
	cost = calloc(chunks + 4, sizeof(*cost));
	if (!cost || chunks < 4)
		return 2;
	if (argc > 3)
		set_length(atol(argv[3]));
	if (w->start)
		w->start();
	measure(w);
	for (long i = 0; i < chunks; i++)
		cost[i] = measure(w);
	qsort(cost, chunks, sizeof(*cost), by_size);
	printf("%.2f %.2f\n", average(cost, chunks / 20, chunks / 4),
	       average(cost, 0, chunks));
	return 0;
}
