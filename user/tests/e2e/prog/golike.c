// SPDX-License-Identifier: GPL-2.0
/*
 * Passes for a program of Go by the note that its linker writes, and by what it says
 * made it. Prints where a function is, where it returns, where it ends, where its
 * last caller goes on, and what it returned.
 */
#include <stdio.h>

long go_call(long x);
extern const char go_work[], go_first[], go_second[], go_end[], go_called[];

__asm__(".section .note.go.buildid, \"a\", %note\n"
	".balign 4\n"
	".long 4, 8, 4\n"
	".ascii \"Go\\0\\0\"\n"
	".ascii \"ktap/id.\"\n"
	".section .go.buildinfo, \"aw\"\n"
	".balign 16\n"
	".ascii \"\\377 Go buildinf:\"\n"
	".byte 8, 2\n"
	".zero 16\n"
	".byte 6\n"
	".ascii \"go1.19\"\n"
	".byte 0\n"
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
	".size go_work, . - go_work\n"
	".globl go_wait\n"
	".type go_wait, %function\n"
	".balign 4\n"
#ifdef __x86_64__
	"go_wait: jmp go_wait\n"
#else
	"go_wait: b go_wait\n"
#endif
	".size go_wait, . - go_wait\n"
	".globl go_old.abi0\n"
	".type go_old.abi0, %function\n"
	".balign 4\n"
	"go_old.abi0: ret\n"
	".size go_old.abi0, . - go_old.abi0\n"
	/* what is called a function, and stands where no code is */
	".data\n"
	".globl go_behind\n"
	".type go_behind, %function\n"
	"go_behind: .quad 0\n"
	".size go_behind, . - go_behind\n"
	".text\n"
	/* calls go_work */
	".globl go_call, go_called\n"
	".type go_call, %function\n"
	".balign 4\n"
	"go_call:\n"
#ifdef __x86_64__
	"	call go_work\n"
	"go_called: ret\n"
#else
	"	stp x29, x30, [sp, #-16]!\n"
	"	bl go_work\n"
	"go_called: ldp x29, x30, [sp], #16\n"
	"	ret\n"
#endif
	".size go_call, . - go_call\n");

int main(void)
{
	printf("%p %p %p %p %p\n", go_work, go_first, go_second, go_end,
	       go_called);
	printf("%ld\n", go_call(41));
	printf("%ld\n", go_call(-8));
	return 0;
}
