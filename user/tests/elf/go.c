// SPDX-License-Identifier: GPL-2.0
/*
 * A program whose functions return where labels are. With NOTE it has what the
 * Go linker writes, and so passes for a program of Go.
 */

__asm__(".text\n"
	".globl go_work\n"
	".type go_work, %function\n"
	".balign 4\n"
	"go_work: nop\n"
	"go_first: ret\n"
	"nop\n"
	"go_second: ret\n"
	".size go_work, . - go_work\n"
	".globl go_many\n"
	".type go_many, %function\n"
	".balign 4\n"
	"go_many:\n"
	".rept 11\n"
	"ret\n"
	".endr\n"
	".size go_many, . - go_many\n"
	".globl go_never\n"
	".type go_never, %function\n"
	".balign 4\n"
#ifdef __x86_64__
	"go_never: jmp go_never\n"
#else
	"go_never: b go_never\n"
#endif
	".size go_never, . - go_never\n");

#ifdef NOTE
__asm__(".section .note.go.buildid, \"a\", %note\n"
	".balign 4\n"
	".long 4, 8, 4\n"
	".ascii \"Go\\0\\0\"\n"
	".ascii \"ktap/id.\"\n"
	".text\n");
#endif

int main(void)
{
	return 0;
}
