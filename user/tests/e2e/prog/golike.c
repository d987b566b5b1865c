// SPDX-License-Identifier: GPL-2.0
/*
 * Passes for a program of Go by the note that its linker writes. Prints where a
 * function is, where it returns, where it ends, and what it returned.
 */
#include <stdio.h>

long go_work(long x);
extern const char go_first[], go_second[], go_end[];

__asm__(".section .note.go.buildid, \"a\", %note\n"
	".balign 4\n"
	".long 4, 8, 4\n"
	".ascii \"Go\\0\\0\"\n"
	".ascii \"ktap/id.\"\n"
	".text\n"
	".globl go_work, go_first, go_second, go_end\n"
	".type go_work, %function\n"
	".balign 4\n"
	"go_work:\n"
#ifdef __x86_64__
	"	lea 1(%rdi), %rax\n"
	"	test %rdi, %rdi\n"
	"	js 1f\n"
	"go_first: ret\n"
	"1:	neg %rax\n"
#else
	"	cmp x0, #0\n"
	"	add x0, x0, #1\n"
	"	b.lt 1f\n"
	"go_first: ret\n"
	"1:	neg x0, x0\n"
#endif
	"go_second: ret\n"
	"go_end:\n"
	".size go_work, . - go_work\n");

int main(void)
{
	printf("%p %p %p %p\n", (void *)go_work, go_first, go_second, go_end);
	printf("%ld\n", go_work(41));
	printf("%ld\n", go_work(-8));
	return 0;
}
