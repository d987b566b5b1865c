// SPDX-License-Identifier: GPL-2.0
/*
 * usage: utarget [FILE [SECONDS]]
 *
 * Calls functions with known arguments, and says so: a line is "NAME VALUES"
 * with the values in the form that ktap shows. FILE is read through a mapping
 * that nobody has touched. With SECONDS it does all that again and again.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../sdt.h"

#define NR_THREADS 4
#define NR_CALLS 25

#define NOINLINE __attribute__((noinline, noclone, used))

/* What the compiler writes for an operand of that size. */
#ifdef __x86_64__
#define LONG "%q"
#define INT "%k"
#define BYTE "%b"
#define NUMBER "$"
#define GLOBAL "global_counter(%%rip)"
#else
#define LONG "%x"
#define INT "%w"
#define BYTE "%w"
#define NUMBER ""
#define GLOBAL "[%x1]"
#endif

SDT_SEMAPHORE(utarget, guarded);

struct pair {
	int first;
	long second;
	char name[12];
};

volatile int global_counter = 7000;

/* What a compiler would make of a result that is never used is none of ours. */
static void keep(long value)
{
	__asm__ volatile("" : : "r"(value) : "memory");
}

NOINLINE long u_args(int a, unsigned long b, short c, unsigned char d, long e)
{
	printf("%s a=%d b=%lu c=%d d=%u e=%ld\n", __func__, a, b, c, d, e);
	return -a;
}

NOINLINE int u_string(const char *s, int n)
{
	printf("%s s=\"%s\" n=%d\n", __func__, s, n);
	return strlen(s);
}

NOINLINE int u_pair(const struct pair *p)
{
	printf("%s first=%d second=%ld name=\"%s\"\n", __func__, p->first,
	       p->second, p->name);
	return p->first;
}

/* The last page of a file that is mapped: nothing of it is in memory here. */
NOINLINE int u_mapped(const char *s)
{
	keep((long)s);
	return 0;
}

NOINLINE long u_factorial(long n)
{
	long result = n < 2 ? 1 : n * u_factorial(n - 1);

	printf("%s r=%ld\n", __func__, result);
	return result;
}

NOINLINE int u_thread(long thread, int call)
{
	keep(thread);
	return call * 2;
}

NOINLINE void u_marks(int value, const char *text, unsigned char small)
{
	struct pair p = { .first = value * 2, .second = -value };

	keep((long)&p);
	SDT_MARK(utarget, values, SDT_NO_SEMAPHORE,
		 "-4@" INT "0 8@" LONG "1 1@" BYTE "2 -4@%3 -8@%4 -4@" NUMBER "-5",
		 "r"(value), "r"(text), "r"(small), "m"(p.first), "m"(p.second));
	printf("values arg1=%d arg2=%s arg3=%u arg4=%d arg5=%ld arg6=-5\n",
	       value, text, small, p.first, p.second);
	if (utarget_guarded_semaphore) {
		SDT_MARK(utarget, guarded, utarget_guarded_semaphore,
			 "-4@" INT "0 -4@" GLOBAL, "r"(value),
			 "r"(&global_counter));
		printf("guarded arg1=%d arg2=%d\n", value, global_counter);
	}
	printf("semaphore %u\n", utarget_guarded_semaphore);
}

NOINLINE void u_second_place(int value)
{
	SDT_MARK(utarget, places, SDT_NO_SEMAPHORE, "-4@" INT "0", "r"(value));
	printf("places arg1=%d\n", value);
}

NOINLINE void u_first_place(int value)
{
	volatile int on_stack = value;

	SDT_MARK(utarget, places, SDT_NO_SEMAPHORE, "-4@%0", "m"(on_stack));
	printf("places arg1=%d\n", value);
}

static void *thread(void *number)
{
	int i;

	for (i = 0; i < NR_CALLS; i++)
		u_thread((long)number, i);
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[NR_THREADS];
	long i;

	for (i = 0; i < NR_THREADS; i++)
		if (pthread_create(&threads[i], NULL, thread, (void *)i))
			exit(1);
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void read_mapped(const char *file)
{
	int fd = open(file, O_RDONLY);
	struct stat st;
	char *map;

	if (fd < 0 || fstat(fd, &st)) {
		perror(file);
		exit(1);
	}
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	/* no fault-around: only what is asked for comes in */
	madvise(map, st.st_size, MADV_RANDOM);
	u_mapped(map + (st.st_size - 1) / 4096 * 4096);
	munmap(map, st.st_size);
	close(fd);
}

static void all(const char *file)
{
	static const struct pair pair = { 41, -42, "a pair" };

	u_args(-3, 0xfedcba9876543210, -300, 200, 1234567890123);
	u_args(2147483647, 0, 32767, 0, -1);
	u_string("hello", 1);
	u_string("", -2);
	u_pair(&pair);
	u_factorial(6);
	u_marks(17, "mark", 250);
	u_marks(-18, "again", 3);
	u_first_place(51);
	u_second_place(52);
	run_threads();
	if (file)
		read_mapped(file);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 2 ? atoi(argv[2]) : 0);

	do
		all(argc > 1 ? argv[1] : NULL);
	while (time(NULL) < end);
	return 0;
}
