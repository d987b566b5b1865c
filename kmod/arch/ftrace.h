/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the ftrace hook provides on each architecture:
 *
 *   KTAP_FTRACE_REGS	registers with the values that a kprobe there would see, as
 *			bits of enum ktap_reg_*
 *   KTAP_FTRACE_SITES	possible offsets from a function's address to the instruction
 *			that ftrace patches
 *   KTAP_FTRACE_REGS_LATE	those of them that take extra work
 *   ktap_ftrace_regs()	a struct pt_regs with all the other ones
 *   ktap_ftrace_all_regs()	a struct pt_regs with these too, valid until
 *			ktap_ftrace_regs_done()
 */
#ifndef KTAP_ARCH_FTRACE_H
#define KTAP_ARCH_FTRACE_H

#include <linux/bits.h>
#include <linux/ftrace.h>
#include <linux/ktap.h>
#include <linux/ptrace.h>

#include "compat.h"

#if defined(CONFIG_X86_64)

#define KTAP_FTRACE_REGS						\
	(BIT_ULL(KTAP_X86_64_DI) | BIT_ULL(KTAP_X86_64_SI) |		\
	 BIT_ULL(KTAP_X86_64_DX) | BIT_ULL(KTAP_X86_64_CX) |		\
	 BIT_ULL(KTAP_X86_64_R8) | BIT_ULL(KTAP_X86_64_R9) |		\
	 BIT_ULL(KTAP_X86_64_AX) | BIT_ULL(KTAP_X86_64_BP) |		\
	 BIT_ULL(KTAP_X86_64_SP) | BIT_ULL(KTAP_X86_64_IP))

/* After ENDBR64, or at the function's address. */
#define KTAP_FTRACE_SITES	{ 4, 0 }

#define KTAP_FTRACE_REGS_LATE	BIT_ULL(KTAP_X86_64_IP)

/* struct ktap_ftrace_room - @ip: saved instruction pointer */
struct ktap_ftrace_room {
	unsigned long ip;
};

/* Only a part of struct pt_regs is valid. */
static __always_inline struct pt_regs *
ktap_ftrace_regs(struct ftrace_regs *fregs, struct ktap_ftrace_room *room)
{
	return ktap_ftrace_pt_regs(fregs);
}

/* Sets ip past the int3 that a breakpoint would have hit, as kprobes do here. */
static __always_inline struct pt_regs *
ktap_ftrace_all_regs(struct ftrace_regs *fregs, unsigned long ip,
		     struct ktap_ftrace_room *room)
{
	struct pt_regs *regs = ktap_ftrace_regs(fregs, room);

	room->ip = regs->ip;
	regs->ip = ip + 1;
	return regs;
}

static __always_inline void
ktap_ftrace_regs_done(struct ftrace_regs *fregs,
		      const struct ktap_ftrace_room *room)
{
	ktap_ftrace_pt_regs(fregs)->ip = room->ip;
}

#elif defined(CONFIG_ARM64)

/*
 * x9 holds the return address when the hook is called, and pc differs from the pc of a
 * breakpoint by one or two instructions.
 */
#define KTAP_FTRACE_REGS						\
	(GENMASK_ULL(8, 0) | BIT_ULL(29) | BIT_ULL(KTAP_ARM64_X30) |	\
	 BIT_ULL(KTAP_ARM64_SP))

/* The second of two instructions, and the second after BTI. */
#define KTAP_FTRACE_SITES	{ 4, 8 }

#define KTAP_FTRACE_REGS_LATE	0

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
struct ktap_ftrace_room {
	struct pt_regs regs;
};

/* Only the registers in KTAP_FTRACE_REGS are valid. */
static __always_inline struct pt_regs *
ktap_ftrace_regs(struct ftrace_regs *fregs, struct ktap_ftrace_room *room)
{
	struct pt_regs *regs = &room->regs;
	unsigned int i;

	for (i = 0; i <= 8; i++)
		regs->regs[i] = ktap_ftrace_saved(fregs)->regs[i];
	regs->regs[29] = ktap_ftrace_saved(fregs)->fp;
	regs->regs[30] = ktap_ftrace_saved(fregs)->lr;
	regs->sp = ktap_ftrace_saved(fregs)->sp;
	return regs;
}
#else
struct ktap_ftrace_room {
};

static __always_inline struct pt_regs *
ktap_ftrace_regs(struct ftrace_regs *fregs, struct ktap_ftrace_room *room)
{
	return ktap_ftrace_pt_regs(fregs);
}
#endif

static __always_inline struct pt_regs *
ktap_ftrace_all_regs(struct ftrace_regs *fregs, unsigned long ip,
		     struct ktap_ftrace_room *room)
{
	return ktap_ftrace_regs(fregs, room);
}

static __always_inline void
ktap_ftrace_regs_done(struct ftrace_regs *fregs,
		      const struct ktap_ftrace_room *room)
{
}

#endif
#endif /* KTAP_ARCH_FTRACE_H */
