// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of many shapes without end, for stacks at any instruction: frames of fixed and of
 * variable size, aligned ones, pointers to functions, recursion, library functions that call
 * back, system calls, one of which faults in the kernel. Built without frame pointers. See
 * gdb.t and backtrace.t.
 *
 * Usage: walks [SECONDS]
 *        walks vdso		write the vDSO to stdout
 */
#include <alloca.h>
#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#define API	__attribute__((noinline, noclone, externally_visible))

static volatile unsigned long sink;

API unsigned long small(unsigned long x)
{
	return x * 3 + sink;
}

API unsigned long many(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
		       unsigned long e, unsigned long f, unsigned long g, unsigned long h)
{
	unsigned long x = small(a ^ h) + small(b + g);

	return x + small(c - f) + small(d * e) + a + b;
}

API unsigned long variable(unsigned long n)
{
	char *room = alloca(16 + n % 200);

	memset(room, n, 16 + n % 200);
	sink += room[n % 16];
	return many(n, 1, 2, 3, 4, 5, 6, 7);
}

API unsigned long aligned(unsigned long n)
{
	unsigned long room[8] __attribute__((aligned(64)));

	for (int i = 0; i < 8; i++)
		room[i] = small(n + i);
	__asm__ volatile("" : : "r"(room) : "memory");
	return variable(room[n & 7]);
}

API unsigned long recursive(unsigned long n, unsigned long depth)
{
	return depth ? recursive(n + 1, depth - 1) + small(depth) : aligned(n);
}

static unsigned long (*const by_pointer[])(unsigned long) = { small, variable, aligned };

API int compare(const void *a, const void *b)
{
	unsigned long x = *(const int *)a, y = *(const int *)b;

	sink += by_pointer[x % 3](y);
	return (x > y) - (x < y);
}

API void sort(unsigned long n)
{
	int numbers[12];

	for (int i = 0; i < 12; i++)
		numbers[i] = (n * (i + 7)) % 101;
	qsort(numbers, 12, sizeof(*numbers), compare);
	sink += numbers[3];
}

API void print(unsigned long n)
{
	char text[64];

	snprintf(text, sizeof(text), "%lu %s %g", n, "words", n / 3.0);
	sink += strlen(text) + strtoul(text, NULL, 10);
}

API void call_kernel(void)
{
	sink += getppid();
	sink += access("/nowhere", R_OK);
	sink += access((const char *)(1 + sink % 2), R_OK);
}

API void round_of(unsigned long n)
{
	sort(n);
	print(n);
	sink += recursive(n, n % 9);
	call_kernel();
}

/* The table of sections is the last thing in it. */
static int write_vdso(void)
{
	const Elf64_Ehdr *vdso = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);

	if (!vdso)
		return 1;
	fwrite(vdso, 1, vdso->e_shoff + vdso->e_shnum * vdso->e_shentsize, stdout);
	return fflush(stdout) ? 1 : 0;
}

int main(int argc, char **argv)
{
	time_t end = argc > 1 ? time(NULL) + atoi(argv[1]) : 0;

	if (argc > 1 && !strcmp(argv[1], "vdso"))
		return write_vdso();
	for (unsigned long n = 0; !end || time(NULL) < end; n++)
		round_of(n);
	return 0;
}
