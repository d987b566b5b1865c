// SPDX-License-Identifier: GPL-2.0
/*
 * A program whose functions return where labels are. With NOTE it has what the
 * Go linker writes, and so passes for a program of Go. With VERSION it says which
 * one made it; with POINTER as Go did it before 1.18.
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
	".globl go_work.abi0\n"
	".type go_work.abi0, %function\n"
	".balign 4\n"
	"go_work.abi0: ret\n"
	".size go_work.abi0, . - go_work.abi0\n"
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
	".size go_never, . - go_never\n"
	/* what is no RET but has its bytes, and RETs that look otherwise */
	".globl go_mixed\n"
	".type go_mixed, %function\n"
	".balign 4\n"
	"go_mixed:\n"
#ifdef __x86_64__
	"mov $0xc3c3c3c3, %eax\n"
	"{evex} vaddps 0xc3(%rip), %zmm17, %zmm18\n"
	"endbr64\n"
	"go_mixed_1: repz ret\n"
	"movabs $0xc2c2c2c2c3c3c3c3, %rax\n"
	"go_mixed_2: ret $16\n"
#else
	"br x30\n"
	"blr x30\n"
	"go_mixed_1: ret x27\n"
	"movz x0, #0x3c0\n"
	"go_mixed_2: .inst 0xd65f0bff\n"
#endif
	".size go_mixed, . - go_mixed\n"
	".globl go_strange\n"
	".type go_strange, %function\n"
	".balign 4\n"
	"go_strange: ret\n"
#ifdef __x86_64__
	".byte 0x06\n"
#endif
	"ret\n"
	".size go_strange, . - go_strange\n"
	/* its last instruction lacks bytes */
	".globl go_cut\n"
	".type go_cut, %function\n"
	".balign 4\n"
	"go_cut: ret\n"
#ifdef __x86_64__
	".byte 0xe9, 0, 0\n"
#endif
	".size go_cut, . - go_cut\n"
	"ret\nret\n");

#ifdef NOTE
__asm__(".section .note.go.buildid, \"a\", %note\n"
	".balign 4\n"
	".long 4, 8, 4\n"
	".ascii \"Go\\0\\0\"\n"
	".ascii \"ktap/id.\"\n"
	".text\n");
#endif

#ifdef VERSION
__asm__(".section .go.buildinfo, \"aw\"\n"
	".balign 16\n"
	".ascii \"\\377 Go buildinf:\"\n"
#ifdef POINTER
	".byte 8, 0\n"
	".quad 1f, 0\n"
	"1: .quad 2f, 3f - 2f\n"
	"2: .ascii \"" VERSION "\"\n"
	"3:\n"
#else
	".byte 8, 2\n"
	".zero 16\n"
	".byte 2f - 1f\n"
	"1: .ascii \"" VERSION "\"\n"
	"2: .byte 0\n"
#endif
	".text\n");
#endif

int main(void)
{
	return 0;
}
