// SPDX-License-Identifier: GPL-2.0
/*
 * A program whose symbols are of every kind. What a symbol stands for can be
 * seen in the file: magic() holds bytes that stand nowhere else in it.
 */
#include <stdio.h>

#include "../sdt.h"

int twin_of_other(int x);
int magic(void);
int public_function(int x);
int data_object = 42;

SDT_SEMAPHORE(prog, counted);
__attribute__((__section__(".probes"))) char beside_semaphore[] = "KTAP-SEMAPHORE";

/* Returns at once; what follows is never reached. */
__asm__(".text\n"
	".globl magic\n"
	".type magic, %function\n"
	"magic:	ret\n"
	".balign 4\n"
	".ascii \"KTAP-MAGIC-BYTES\"\n"
	".size magic, . - magic\n");

static __attribute__((noinline, noclone)) int twin(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

static __attribute__((noinline, noclone)) int local_function(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 2;
}

__attribute__((noinline, noclone)) int public_function(int x)
{
	SDT_MARK(prog, counted, prog_counted_semaphore, "-4@%0", "r"(x));
	return twin(x) + local_function(x);
}

static int (*volatile by_pointer)(int) = public_function;

int main(int argc, char **argv)
{
	int x = by_pointer(argc) + twin_of_other(argc);

	(void)argv;
	SDT_MARK(prog, twice, SDT_NO_SEMAPHORE, "-4@%0", "r"(x));
	SDT_MARK(prog, twice, SDT_NO_SEMAPHORE, "-4@%0", "r"(argc));
	SDT_MARK(prog, plain, SDT_NO_SEMAPHORE, "", "r"(0));
#ifdef __x86_64__
	SDT_MARK(prog, memory, SDT_NO_SEMAPHORE, "4@data_object(%%rip)", "r"(0));
#else
	SDT_MARK(prog, memory, SDT_NO_SEMAPHORE, "8@[sp, 16]", "r"(0));
#endif
	printf("%d %d\n", x, magic());
	return 0;
}
