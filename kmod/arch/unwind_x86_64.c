// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel stacks on x86-64, by the kernel's unwinder. It begins at the registers of the hit,
 * or of the hook's caller, so that no frame of the handler shows. It finds the callers of
 * functions whose return is probed or traced, since 5.16.
 */
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include <asm/unwind.h>

#include "arch/unwind.h"
#include "hit/spot.h"
#include "hit/stacks.h"

/* The unwinder has stopped, or has a frame without a return address. */
static enum ktap_stack_end why_ended(struct unwind_state *state)
{
	const struct pt_regs *regs;

	if (unwind_error(state))
		return KTAP_STACK_FAULT;
	if (unwind_done(state))
		return KTAP_STACK_COMPLETE;
	/* the registers with which user code entered the kernel */
	regs = unwind_get_entry_regs(state, NULL);
	return regs && user_mode((struct pt_regs *)regs) ? KTAP_STACK_COMPLETE :
							   KTAP_STACK_FAULT;
}
NOKPROBE_SYMBOL(why_ended);

/* The unwinder went to registers that an interrupt or an exception stored. */
static bool is_interrupted(const struct unwind_state *state)
{
#ifdef CONFIG_UNWINDER_ORC
	return state->signal;
#elif defined(CONFIG_UNWINDER_FRAME_POINTER)
	return state->regs;
#else
	return false;
#endif
}
NOKPROBE_SYMBOL(is_interrupted);

static void walk(struct unwind_state *state, struct ktap_stack *s, u32 max)
{
	unsigned long frame;

	for (; !unwind_done(state); unwind_next_frame(state)) {
		frame = unwind_get_return_address(state);
		if (!frame)
			break;
		if (is_interrupted(state))
			ktap_stack_interrupted(s, max);
		if (!ktap_stack_add(s, max, frame))
			return;
	}
	s->end = why_ended(state);
}
NOKPROBE_SYMBOL(walk);

/*
 * A trap leaves the program counter after its own byte, and ftrace after its call. The
 * unwinder looks up the instruction that is executed next.
 */
void ktap_arch_unwind(const struct pt_regs *regs, const struct ktap_spot *spot,
		      struct ktap_stack *s, u32 max)
{
	struct pt_regs *mine = (struct pt_regs *)regs;
	unsigned long ip = regs->ip;
	struct unwind_state state;

	if (user_mode(mine)) {
		s->end = KTAP_STACK_COMPLETE; /* a timer met user code */
		return;
	}
	/* only hooks have a spot; their registers are a copy, and are restored */
	if (spot && spot->ip)
		mine->ip = spot->ip;
	/* by frame pointers, the caller is missing where the function has no frame yet */
	if (!IS_ENABLED(CONFIG_UNWINDER_ORC))
		s->flags |= KTAP_STACK_F_UNSURE;
	ktap_stack_add(s, max, mine->ip);
	unwind_start(&state, current, mine, NULL);
	if (spot && spot->ip)
		mine->ip = ip;
	walk(&state, s, max);
}
NOKPROBE_SYMBOL(ktap_arch_unwind);

/*
 * The registers that the caller has after the return. The hook has a frame pointer, so the
 * caller's is the word that it points to. The unwinder needs no other register: only
 * functions that align their stack keep its begin in one, and end the stack here.
 */
void ktap_arch_unwind_caller(const struct ktap_caller *c, struct ktap_stack *s,
			     u32 max)
{
	const unsigned long *fp = (const unsigned long *)c->fp;
	struct pt_regs regs = {
		.ip = c->ip, .sp = (unsigned long)(fp + 2), .bp = fp[0],
		.cs = __KERNEL_CS,
	};
	struct unwind_state state;

	if (!IS_ENABLED(CONFIG_UNWINDER_ORC))
		s->flags |= KTAP_STACK_F_UNSURE;
	if (ktap_caller_shows(c))
		ktap_stack_add(s, max, c->ip);
	unwind_start(&state, current, &regs, NULL);
	walk(&state, s, max);
}
NOKPROBE_SYMBOL(ktap_arch_unwind_caller);
