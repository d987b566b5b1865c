# SPDX-License-Identifier: GPL-2.0
#
# Variables whose locations no compiler writes when it is asked to: each is called
# after what is tried. For x86-64; DWARF 5.

	.set CONVERT, 0xa8
	.set STACK_VALUE, 0x9f

	.cfi_sections .debug_frame
	.text
	.globl f, g
.Ltext:
f:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	mov %rsp, %rbp
	.cfi_def_cfa_register 6
	nop
	nop
	pop %rbp
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.Lf_end:
g:	nop
	ret
.Lg_end:
.Ltext_end:

	.section .debug_abbrev, "", @progbits
.Labbrev:
	.macro attrs abbrev, tag, children, list:vararg
	.uleb128 \abbrev, \tag
	.byte \children
	.uleb128 \list
	.byte 0, 0
	.endm
	# unit: name low_pc high_pc addr_base
	attrs 1, 0x11, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0x73, 0x17
	# subprogram: name low_pc high_pc frame_base
	attrs 2, 0x2e, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0x40, 0x18
	# variable: name location
	attrs 3, 0x34, 0, 0x03, 0x08, 0x02, 0x18
	# base type: name byte_size encoding
	attrs 4, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b
	# variable: name location (a list)
	attrs 5, 0x34, 0, 0x03, 0x08, 0x02, 0x17
	# subprogram without a frame: name low_pc high_pc
	attrs 6, 0x2e, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07
	# variable: name const_value as a block, as a text
	attrs 7, 0x34, 0, 0x03, 0x08, 0x1c, 0x0a
	attrs 8, 0x34, 0, 0x03, 0x08, 0x1c, 0x08
	# variable: name alone
	attrs 9, 0x34, 0, 0x03, 0x08
	# block without code
	.byte 10, 0x0b, 1, 0, 0
	.byte 0

	.section .debug_info, "", @progbits
.Lcu:
	.long .Lcu_end - .Lcu_start
.Lcu_start:
	.value 5
	.byte 1, 8
	.long .Labbrev
	.uleb128 1
	.asciz "ops.c"
	.quad .Ltext
	.quad .Ltext_end - .Ltext
	.long .Laddr

	.macro type name, size, encoding
	.uleb128 4
	.asciz "\name"
	.byte \size, \encoding
	.endm
.Ls8:	type "s8", 1, 5
.Lu16:	type "u16", 2, 7
.Ls32:	type "s32", 4, 5
.Lf32:	type "f32", 4, 4

	.set s8, .Ls8 - .Lcu
	.set u16, .Lu16 - .Lcu
	.set s32, .Ls32 - .Lcu
	.set f32, .Lf32 - .Lcu

	.macro var name, ops:vararg
	.uleb128 3
	.asciz "\name"
	.uleb128 2f - 1f
1:	.byte \ops
2:
	.endm

	.uleb128 2
	.asciz "f"
	.quad f
	.quad .Lf_end - f
	.uleb128 1
	.byte 0x9c

	# breg5 is %rdi, breg4 %rsi, breg8 %r8
	var convert_signed, 0x74, 0, CONVERT, s8, CONVERT, s32, STACK_VALUE
	var convert_unsigned, 0x74, 0, CONVERT, u16, CONVERT, 0, STACK_VALUE
	var convert_float, 0x74, 0, CONVERT, f32, STACK_VALUE
	var reinterpret, 0x74, 0, 0xa9, u16, CONVERT, s8, STACK_VALUE
	var regval_type, 0xa5, 4, s8, CONVERT, s32, STACK_VALUE
	var const_type, 0xa4, s8, 1, 0xfe, CONVERT, s32, STACK_VALUE
	var const_type_long, 0xa4, s8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, STACK_VALUE
	var deref_type, 0x75, 16, 0xa6, 1, s8, CONVERT, s32, STACK_VALUE
	var shr_signed, 0xa4, s8, 1, 0xf0, 0xa4, s8, 1, 1, 0x25, STACK_VALUE
	var shra_unsigned, 0xa4, u16, 2, 0, 0x80, 0xa4, u16, 2, 1, 0, 0x26, STACK_VALUE
	var wraps, 0xa4, s8, 1, 0x7f, 0xa4, s8, 1, 1, 0x22, STACK_VALUE
	var lt_signed, 0xa4, s8, 1, 0xf0, 0xa4, s8, 1, 1, 0x2d, STACK_VALUE
	var lt_unsigned, 0xa4, u16, 2, 0xf0, 0xff, 0xa4, u16, 2, 1, 0, 0x2d, STACK_VALUE
	var frame, 0x91, 0x70
	var cfa, 0x9c
	var addrx, 0xa1, 0
	var left_out, 0x03, 0, 0, 0, 0, 0, 0, 0, 0
	var constx, 0xa2, 1, STACK_VALUE
	var implicit_value, 0x9e, 2, 0x34, 0x12
	var implicit_long, 0x9e, 12, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0
	var entry_value, 0xa3, 1, 0x55, STACK_VALUE
	var entry_value_x, 0xa3, 2, 0x90, 4, STACK_VALUE
	var entry_value_sum, 0xa3, 2, 0x75, 0, STACK_VALUE
	var entry_value_double, 0xa3, 3, 0xa5, 17, f32, STACK_VALUE
	var entry_value_none, 0xa3, 0, STACK_VALUE
	.uleb128 3
	.asciz "pointer"
	.uleb128 6
	.byte 0xa0
	.long .Ltarget - .Lcu
	.sleb128 8
.Ltarget:
	var target, 0x55
	.uleb128 3
	.asciz "pointer_piece"
	.uleb128 11
	.byte 0x55, 0x93, 8, 0xa0
	.long .Ltarget - .Lcu
	.sleb128 0
	.byte 0x93, 8
	.uleb128 5
	.asciz "list"
	.long .Llist
	.uleb128 7
	.asciz "block"
	.byte 3, 1, 2, 3
	.uleb128 8
	.asciz "text"
	.asciz "words"
	.uleb128 9
	.asciz "absent"
	.uleb128 10
	var twin, 0x55
	var single, 0x55
	.byte 0
	.uleb128 10
	var twin, 0x54
	.byte 0
	.byte 0

	.uleb128 6
	.asciz "g"
	.quad g
	.quad .Lg_end - g
	var no_frame, 0x91, 0
	var no_cfi, 0x9c
	.byte 0
	.byte 0
.Lcu_end:

	.section .debug_addr, "", @progbits
	.long .Laddr_end - .Laddr + 4
	.value 5
	.byte 8, 0
.Laddr:
	.quad 0x1234, 0x5678
.Laddr_end:

	.section .debug_loclists, "", @progbits
	.long .Llists_end - .Llists
.Llists:
	.value 5
	.byte 8, 0
	.long 0
.Llist:
	.byte 7
	.quad f
	.quad f + 4
	.uleb128 1
	.byte 0x55
	.byte 0
.Llists_end:
