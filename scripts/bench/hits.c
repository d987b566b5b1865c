// SPDX-License-Identifier: GPL-2.0
/*
 * hits N: call posix_fadvise() on a bad descriptor N times, and print the
 * nanoseconds of each call. In a guest under -icount shift=0 a nanosecond is
 * an instruction. hits -c checks exactly that with a loop of known length.
 *
 * The function behind that call is used by no recorder, and returns at once.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Ten instructions a turn: eight nops, the count, the branch. */
static void ten(long n)
{
#if defined(__x86_64__)
	__asm__ volatile("1: nop; nop; nop; nop; nop; nop; nop; nop\n"
			 "dec %0; jnz 1b" : "+r"(n) : : "cc");
#elif defined(__aarch64__)
	__asm__ volatile("1: nop; nop; nop; nop; nop; nop; nop; nop\n"
			 "subs %0, %0, #1; b.ne 1b" : "+r"(n) : : "cc");
#endif
}

static void calls(long n)
{
	while (n--)
		syscall(SYS_fadvise64, -1, 1L, 2L, 3);
}

int main(int argc, char **argv)
{
	int check = argc > 1 && !strcmp(argv[1], "-c");
	long n = check ? 1000000 : argc > 1 ? atol(argv[1]) : 20000;
	uint64_t t;

	calls(10);
	t = now();
	if (check)
		ten(n);
	else
		calls(n);
	printf("%.2f\n", (double)(now() - t) / n);
	return 0;
}
