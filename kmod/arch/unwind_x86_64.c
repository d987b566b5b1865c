// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel stacks on x86-64, from the registers of the hit, or of the hook's caller, so that no
 * frame of the handler shows. A walk of ktap's own takes the frames that are simple (orc.h).
 * The kernel's unwinder takes the others. It finds the callers of functions whose return is
 * probed or traced, since 5.16; before that ktap knows what its own probes have replaced.
 */
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include <asm/unwind.h>

#include "arch/orc.h"
#include "arch/trail.h"
#include "arch/unwind.h"
#include "frame/returns.h"
#include "hit/spot.h"
#include "hit/stacks.h"

/* The unwinder says that the stack ends here. Return: false: it may be cut. */
static bool is_end(const struct unwind_state *state)
{
#ifdef CONFIG_UNWINDER_ORC
	return KTAP_ORC_END_IS_SURE || (state->regs && user_mode(state->regs)) ||
	       state->sp >= (unsigned long)task_pt_regs(current) || is_idle_task(current);
#else
	return true;
#endif
}
NOKPROBE_SYMBOL(is_end);

/* The unwinder has stopped, or has a frame without a return address. */
static enum ktap_stack_end why_ended(struct unwind_state *state)
{
	const struct pt_regs *regs;

	if (unwind_error(state))
		return KTAP_STACK_FAULT;
	if (unwind_done(state))
		return is_end(state) ? KTAP_STACK_COMPLETE : KTAP_STACK_FAULT;
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

/*
 * If @*frame is what a kretprobe of ktap's has put in place of a return address, replaces it
 * by that address, and begins again with the caller: the unwinder would end here. @regs: room.
 * Return: whether it has done so.
 */
static bool begin_again(struct unwind_state *state, struct pt_regs *regs,
			unsigned long *frame)
{
#if KTAP_KEEPS_RETURNS
	unsigned long real = ktap_return_is_fake(*frame) ?
			     ktap_return_find(state->sp - sizeof(long)) : 0;

	if (!real)
		return false;
	*regs = (struct pt_regs){
		/* the call before the return address decides */
		.ip = real - 1, .sp = state->sp, .bp = state->bp, .cs = __KERNEL_CS,
	};
	unwind_start(state, current, regs, NULL);
	*frame = real;
	return true;
#else
	return false;
#endif
}
NOKPROBE_SYMBOL(begin_again);

/*
 * Generated code has no ORC rows. The unwinder then takes bp for a frame pointer, although it
 * may be any number, goes on and reports an error. So the last certain frame is the one
 * before that.
 */
static void walk(struct unwind_state *state, struct ktap_stack *s, u32 max)
{
	struct pt_regs regs __uninitialized;
	unsigned long frame;
	bool again;

	while (!unwind_done(state) && !unwind_error(state)) {
		frame = unwind_get_return_address(state);
		if (!frame)
			break;
		if (is_interrupted(state))
			ktap_stack_interrupted(s, max);
		again = begin_again(state, &regs, &frame);
		if (!ktap_stack_add(s, max, frame))
			return;
		if (!again)
			unwind_next_frame(state);
	}
	s->end = why_ended(state);
}
NOKPROBE_SYMBOL(walk);

/* The kernel's unwinder, from the frame of these registers, which has been added. */
static void walk_from(struct pt_regs *regs, struct ktap_stack *s, u32 max)
{
	struct unwind_state state;

	/* it takes each word of the stack that looks like a return address for one */
	if (IS_ENABLED(CONFIG_UNWINDER_GUESS)) {
		s->end = KTAP_STACK_FAULT;
		return;
	}
	/* by frame pointers, the caller is missing where the function has no frame yet */
	if (!IS_ENABLED(CONFIG_UNWINDER_ORC))
		s->flags |= KTAP_STACK_F_UNSURE;
	unwind_start(&state, current, regs, NULL);
	walk(&state, s, max);
}
NOKPROBE_SYMBOL(walk_from);

/* The same, from a frame that ktap's walk reached. */
static noinline void walk_on(const struct ktap_orc_at *at, struct ktap_stack *s, u32 max)
{
	struct pt_regs regs = {
		.ip = at->ip, .sp = at->sp, .bp = at->bp,
		.cs = __KERNEL_CS,
	};

	walk_from(&regs, s, max);
}
NOKPROBE_SYMBOL(walk_on);

/*
 * ktap's walk, from a frame that has been added, if it is on the current task's stack.
 * @t: trail, or NULL. Return: whether the stack is done.
 */
static __always_inline bool walk_own(struct ktap_orc_at *at, struct ktap_stack *s,
				     u32 max, struct ktap_trail *t)
{
	const struct ktap_orc *o = ktap_orc();

	if (!o || at->sp - (at->end - THREAD_SIZE) >= THREAD_SIZE)
		return false;
	return t ? ktap_orc_walk_noting(o, at, s, max, t) : ktap_orc_walk(o, at, s, max);
}

/*
 * A trap leaves the program counter after its own byte, and ftrace after its call. Both ways
 * look up the instruction that is executed next.
 */
static __always_inline void unwind(const struct pt_regs *regs, const struct ktap_spot *spot,
				   struct ktap_stack *s, u32 max, struct ktap_trail *t)
{
	struct ktap_orc_at at = ktap_orc_begin(regs->ip, regs->sp, regs->bp);
	struct pt_regs *mine = (struct pt_regs *)regs;

	if (user_mode(mine)) {
		s->end = KTAP_STACK_COMPLETE; /* a timer met user code */
		return;
	}
	if (spot && spot->ip)
		at.ip = spot->ip;
	ktap_stack_add(s, max, at.ip);
	if (walk_own(&at, s, max, t))
		return;
	if (at.sp != regs->sp) {
		walk_on(&at, s, max);
		return;
	}
	/* only hooks have a spot; their registers are a copy, and are restored */
	swap(mine->ip, at.ip);
	walk_from(mine, s, max);
	swap(mine->ip, at.ip);
}

void ktap_arch_unwind(const struct pt_regs *regs, const struct ktap_spot *spot,
		      struct ktap_stack *s, u32 max)
{
	unwind(regs, spot, s, max, NULL);
}
NOKPROBE_SYMBOL(ktap_arch_unwind);

void ktap_arch_unwind_noting(const struct pt_regs *regs, const struct ktap_spot *spot,
			     struct ktap_stack *s, u32 max, struct ktap_trail *t)
{
	unwind(regs, spot, s, max, t);
}
NOKPROBE_SYMBOL(ktap_arch_unwind_noting);

/*
 * The registers that the caller has after the return. The hook has a frame pointer, so the
 * caller's is the word that it points to. The unwinder needs no other register: only
 * functions that align their stack keep its begin in one, and end the stack here.
 */
void ktap_arch_unwind_caller(const struct ktap_caller *c, struct ktap_stack *s,
			     u32 max)
{
	const unsigned long *fp = (const unsigned long *)c->fp;
	struct ktap_orc_at at = ktap_orc_begin(c->ip, (unsigned long)(fp + 2), fp[0]);

	if (ktap_caller_shows(c))
		ktap_stack_add(s, max, c->ip);
	if (!walk_own(&at, s, max, NULL))
		walk_on(&at, s, max);
}
NOKPROBE_SYMBOL(ktap_arch_unwind_caller);

enum ktap_unwinder ktap_arch_unwinder(void)
{
	if (ktap_orc())
		return KTAP_UNWINDER_ORC;
	if (IS_ENABLED(CONFIG_UNWINDER_ORC))
		return KTAP_UNWINDER_KERNEL_ORC;
	return IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER) ? KTAP_UNWINDER_KERNEL_FP :
							   KTAP_UNWINDER_NONE;
}
