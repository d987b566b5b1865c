/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Static marks (USDT) for test programs, as sys/sdt.h makes them but with the
 * notes' form written out here, from its specification:
 * https://sourceware.org/systemtap/wiki/UserSpaceProbeImplementation
 *
 *	SDT_SEMAPHORE(prov, name);	in one file, where the mark has one
 *	SDT_MARK(prov, name, prov_name_semaphore, "-4@%0 8@%1", "nor" (a), ...)
 */
#ifndef KTAP_TESTS_SDT_H
#define KTAP_TESTS_SDT_H

#define SDT_SEMAPHORE(provider, name)					\
	volatile unsigned short provider##_##name##_semaphore		\
	__attribute__((__section__(".probes"), __used__))

#define SDT_NO_SEMAPHORE 0

#define SDT_TEXT_(x) #x
#define SDT_TEXT(x) SDT_TEXT_(x)

/* @args: what the note says of the operands, which follow. */
#define SDT_MARK(provider, name, semaphore, args, ...)			\
	__asm__ volatile(						\
		"990:	nop\n"						\
		".pushsection .note.stapsdt,\"\",\"note\"\n"		\
		"	.balign 4\n"					\
		"	.4byte 992f-991f, 994f-993f, 3\n"		\
		"991:	.asciz \"stapsdt\"\n"				\
		"992:	.balign 4\n"					\
		"993:	.8byte 990b\n"					\
		"	.8byte _.stapsdt.base\n"			\
		"	.8byte " SDT_TEXT(semaphore) "\n"		\
		"	.asciz \"" SDT_TEXT(provider) "\"\n"		\
		"	.asciz \"" SDT_TEXT(name) "\"\n"		\
		"	.asciz \"" args "\"\n"				\
		"994:	.balign 4\n"					\
		".popsection\n"						\
		".ifndef _.stapsdt.base\n"				\
		".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
		"	.weak _.stapsdt.base\n"				\
		"	.hidden _.stapsdt.base\n"			\
		"_.stapsdt.base: .space 1\n"				\
		"	.size _.stapsdt.base, 1\n"			\
		".popsection\n"						\
		".endif\n"						\
		: : __VA_ARGS__)

#endif /* KTAP_TESTS_SDT_H */
