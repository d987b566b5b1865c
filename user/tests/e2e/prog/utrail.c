// SPDX-License-Identifier: GPL-2.0
/*
 * usage: utrail callers N
 *        utrail files N FILE FILE
 *
 * Calls getpgid() in a loop, by the same instruction and with the same stack pointer, while the
 * stack is different each time. callers: N rounds of three callers. files: N rounds of
 * code that is mapped from either file, which are copies of this program, at one address.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file_offset.h"

#pragma GCC optimize("omit-frame-pointer", "no-optimize-sibling-calls")

#define API	__attribute__((noinline, noclone, externally_visible))
#define PAGE	4096UL

API void leaf(void)
{
	syscall(SYS_getpgid, 0);
}

#define CALLER(name)		\
API void name(void)		\
{				\
	leaf();			\
}

CALLER(first)
CALLER(second)
CALLER(third)

/* On its own page, and without another function. */
API __attribute__((section(".text.moved"), aligned(4096))) void moved(void)
{
#ifdef __x86_64__
	long ret;

	asm volatile("syscall" : "=a"(ret) : "0"(SYS_getpgid), "D"(0) : "rcx", "r11", "memory");
#else
	register long x0 asm("x0") = 0;
	register long x8 asm("x8") = SYS_getpgid;

	asm volatile("svc #0" : "+r"(x0) : "r"(x8) : "memory");
#endif
}

static int call_files(int rounds, char **files)
{
	unsigned long offset = (unsigned long)moved;
	int fd[2] = { open(files[0], O_RDONLY), open(files[1], O_RDONLY) };
	void *at = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd[0] < 0 || fd[1] < 0 || at == MAP_FAILED || !file_offset(&offset))
		return 1;
	/* these stay, for ktap to find the names of the files */
	for (int i = 0; i < 2; i++)
		if (mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd[i],
			 (off_t)offset) == MAP_FAILED)
			return 1;
	for (int i = 0; i < 2 * rounds; i++) {
		if (mmap(at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd[i % 2],
			 (off_t)offset) != at)
			return 1;
		((void (*)(void))at)();
	}
	sleep(1);
	return 0;
}

int main(int argc, char **argv)
{
	static void (*const callers[])(void) = { first, second, third };
	int rounds = argc > 2 ? atoi(argv[2]) : 0;

	if (argc == 3 && !strcmp(argv[1], "callers")) {
		for (int i = 0; i < 3 * rounds; i++)
			callers[i % 3]();
		return 0;
	}
	if (argc == 5 && !strcmp(argv[1], "files"))
		return call_files(rounds, argv + 3);
	return 2;
}
