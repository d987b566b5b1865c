// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel stacks on arm64, by hand: the kernel's unwinder begins at its caller, and does not
 * find the caller of a function that has not made its frame.
 *
 * A function makes a frame record, {x29 of its caller, return address}, and x29 points to it.
 * Between the entry and that, and after it was taken back, and in a function that calls no
 * other, the return address is in x30. Where code was stopped, the instructions that may follow
 * show which: see frame_state(). An exception stores the registers of the interrupted code,
 * with a frame record in them, so the walk continues from these registers.
 *
 * The task's stack is there. All else is read by nofault copies.
 */
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include <asm/memory.h>

#include "arch/symbol.h"
#include "arch/trail.h"
#include "arch/unwind.h"
#include "compat.h"
#include "frame/returns.h"
#include "hit/spot.h"
#include "hit/stacks.h"

#define AHEAD		256	/* instructions that frame_state() reads, */
#define AHEAD_ON_A_WAY	128	/* ... on each way that the code may take, */
#define WAYS		8	/* ... of as many ways at most */
#define SWITCHES	4	/* stacks that a walk may go through */

/* struct record - frame record */
struct record {
	unsigned long fp;
	unsigned long lr;
};

/**
 * struct walk - a stack being unwound
 * @s: result
 * @max: frames at most
 * @fp: frame record that is next
 * @sp: stack pointer of the registers that the walk goes on from
 * @switches: stacks that were left
 * @t: trail that is noted, or NULL
 */
struct walk {
	struct ktap_stack *s;
	u32 max;
	unsigned long fp;
	unsigned long sp;
	u32 switches;
	struct ktap_trail *t;
};

/* Whole words of the task's stack. */
static __always_inline bool get_here(void *to, unsigned long at, size_t size)
{
	unsigned long *word = to;
	size_t i;

	if (at - (unsigned long)task_stack_page(current) > THREAD_SIZE - size || at & 7)
		return false;
	for (i = 0; i < size / sizeof(*word); i++)
		word[i] = ktap_stack_word(at + i * sizeof(*word));
	return true;
}

static __always_inline bool get(void *to, unsigned long at, size_t size)
{
	return at >= PAGE_OFFSET && !(at & 3) &&
	       !copy_from_kernel_nofault(to, (void *)at, size);
}

/* Where functions return to that the function graph tracer follows; 0: there is no tracer. */
static unsigned long graph_return;

void ktap_arch_unwind_prepare(void)
{
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) && !READ_ONCE(graph_return))
		WRITE_ONCE(graph_return, ktap_symbol_address("return_to_handler"));
}

/* ---- is there a frame? -------------------------------------------------------- */

enum frame_state { UNKNOWN, IN_RECORD, IN_LR };

#define MOV_X9_LR	0xaa1e03e9	/* before a call of ftrace */
#define NOP		0xd503201f

static bool is_push(u32 insn)
{
	/* stp x29, x30, [sp, #n] or [sp, #-n]! */
	return (insn & 0xffc07fff) == 0xa9007bfd || (insn & 0xffc07fff) == 0xa9807bfd;
}
NOKPROBE_SYMBOL(is_push);

static bool is_pop(u32 insn)
{
	/* ldp x29, x30, [sp, #n] or [sp], #n */
	return (insn & 0xffc07fff) == 0xa9407bfd || (insn & 0xffc07fff) == 0xa8c07bfd;
}
NOKPROBE_SYMBOL(is_pop);

static bool sets_fp(u32 insn)
{
	/* add x29, sp, #n; mov x29, sp is the same with 0 */
	return (insn & 0xffc003ff) == 0x910003fd;
}
NOKPROBE_SYMBOL(sets_fp);

static bool is_return(u32 insn)
{
	/* ret, retaa, retab */
	return (insn & 0xfffffc1f) == 0xd65f0000 || (insn & 0xfffffbff) == 0xd65f0bff;
}
NOKPROBE_SYMBOL(is_return);

/* What one instruction shows about the state before it. */
static enum frame_state told_by(u32 insn)
{
	if (is_push(insn) || sets_fp(insn) || is_return(insn))
		return IN_LR;
	if (is_pop(insn) || (insn & 0xfc000000) == 0x94000000 || /* bl */
	    (insn & 0xfffff800) == 0xd63f0000 || /* blr */
	    (insn & 0xfffff800) == 0xd73f0800) /* blraa, blrab */
		return IN_RECORD;
	return UNKNOWN;
}
NOKPROBE_SYMBOL(told_by);

static bool is_jump(u32 insn)
{
	return (insn & 0xfc000000) == 0x14000000;
}
NOKPROBE_SYMBOL(is_jump);

/* Where a conditional branch at @pc leads, or 0. */
static unsigned long branch_to(unsigned long pc, u32 insn)
{
	/* b.cond and bc.cond, cbz and cbnz */
	if ((insn & 0xff000000) == 0x54000000 || (insn & 0x7e000000) == 0x34000000)
		return pc + ((long)((u64)insn << 40) >> 45) * 4;
	/* tbz, tbnz */
	if ((insn & 0x7e000000) == 0x36000000)
		return pc + ((long)((u64)insn << 45) >> 50) * 4;
	return 0;
}
NOKPROBE_SYMBOL(branch_to);

/* Breakpoints, undefined instructions, jumps by a register, and exception returns. */
static bool is_opaque(u32 insn)
{
	return (insn & 0xffe0001f) == 0xd4200000 || !(insn & 0xffff0000) ||
	       (insn & 0xfffff800) == 0xd61f0000 ||
	       (insn & 0xfffff800) == 0xd71f0800 || insn == 0xd69f03e0;
}
NOKPROBE_SYMBOL(is_opaque);

static bool after_mov_x9(unsigned long pc)
{
	u32 insn;

	return get(&insn, pc - 4, 4) && insn == MOV_X9_LR;
}
NOKPROBE_SYMBOL(after_mov_x9);

/**
 * struct ahead - code that may be executed next
 * @left: instructions that may still be read
 * @nr: number of ways
 * @way: where they begin
 */
struct ahead {
	u32 left;
	u32 nr;
	unsigned long way[WAYS];
};

static void add_way(struct ahead *a, unsigned long to)
{
	u32 i;

	for (i = 0; i < a->nr; i++)
		if (a->way[i] == to)
			return;
	if (to && a->nr < WAYS)
		a->way[a->nr++] = to;
}
NOKPROBE_SYMBOL(add_way);

/*
 * What the way from @pc shows on which no conditional branch is taken. Those of a loop lead out
 * of it. @insn: the instruction at @pc; 0: as in memory.
 */
static enum frame_state shown_by(struct ahead *a, unsigned long pc, u32 insn)
{
	unsigned long from = pc, to;
	enum frame_state told;
	u32 n;

	for (n = 0; n < AHEAD_ON_A_WAY && a->left; n++, a->left--) {
		if (!insn && !get(&insn, pc, 4))
			return UNKNOWN;
		told = told_by(insn);
		if (told || is_opaque(insn))
			return told;
		add_way(a, branch_to(pc, insn));
		to = pc + 4 * (insn == MOV_X9_LR ? 2 : 1);
		if (is_jump(insn)) {
			to = pc + ((long)((u64)insn << 38) >> 36);
			if (to - from <= pc - from)
				return UNKNOWN;
			from = to;
		}
		pc = to;
		insn = 0;
	}
	return UNKNOWN;
}
NOKPROBE_SYMBOL(shown_by);

/*
 * Where the return address is when the instruction at @pc is executed next. Whatever way
 * the code takes from here, a frame is made before the next call, and taken back before the
 * return. So the first of those decides, and one way is enough. @insn: as for shown_by()
 */
static enum frame_state frame_state(unsigned long pc, u32 insn)
{
	struct ahead a = { .left = AHEAD };
	enum frame_state told;
	u32 i;

	if (after_mov_x9(pc))
		return IN_LR; /* the call of ftrace, or the nop in its place */
	told = shown_by(&a, pc, insn);
	for (i = 0; !told && i < a.nr; i++)
		told = shown_by(&a, a.way[i], 0);
	return told;
}
NOKPROBE_SYMBOL(frame_state);

/* ---- walking ------------------------------------------------------------------ */

/*
 * Code may use x29 as it likes, and reads of other memory may have effects (a device's
 * registers). So a record is read only on the stack that was in use, or the task's.
 */
static bool get_record(const struct walk *w, unsigned long fp, struct record *r)
{
	unsigned long sp = w->sp;

	/* such stacks are aligned, and others may lie beside them */
	if (IS_ENABLED(CONFIG_VMAP_STACK))
		sp = ALIGN_DOWN(sp, THREAD_SIZE);
	return get_here(r, fp, sizeof(*r)) ||
	       (!(fp & 7) && fp - sp <= THREAD_SIZE - sizeof(*r) && get(r, fp, sizeof(*r)));
}
NOKPROBE_SYMBOL(get_record);

static bool end(struct walk *w, enum ktap_stack_end why)
{
	w->s->end = why;
	return false;
}
NOKPROBE_SYMBOL(end);

/*
 * What @lr has replaced, if it is a return probe's; 0: it is not known. A trail with it would
 * mislead: the next call with these records may return to another address. Before 5.16 the
 * trampoline makes no record, so a walk through its code would leave out where it returns to.
 */
static unsigned long real_return(struct walk *w, unsigned long lr, unsigned long fp)
{
	if (!KTAP_KEEPS_RETURNS)
		return ktap_followed_return(lr, fp);
	if (ktap_return_is_within(lr))
		return 0;
	if (likely(!ktap_return_is_fake(lr)))
		return lr;
	w->t = NULL;
	return ktap_return_find(fp);
}
NOKPROBE_SYMBOL(real_return);

/*
 * Adds a return address. @fp: x29 of the function that it belongs to. What the function graph
 * tracer has replaced is not known, and before 5.16 what return probes of others have replaced.
 */
static bool add(struct walk *w, unsigned long lr, unsigned long fp)
{
	/* without what pointer authentication has put into its upper bits */
	lr |= GENMASK_ULL(63, VA_BITS_MIN - 1);
	if (unlikely(lr == READ_ONCE(graph_return)))
		return end(w, KTAP_STACK_FAULT);
	lr = real_return(w, lr, fp);
	return likely(lr) ? ktap_stack_add(w->s, w->max, lr) : end(w, KTAP_STACK_FAULT);
}
NOKPROBE_SYMBOL(add);

/* Where code was stopped. Return: whether the walk continues at w->fp. */
static bool start(struct walk *w, const struct pt_regs *regs, unsigned long pc,
		  enum frame_state state)
{
	struct record r;

	w->fp = regs->regs[29];
	w->sp = regs->sp;
	ktap_stack_interrupted(w->s, w->max);
	if (!ktap_stack_add(w->s, w->max, pc))
		return false;
	if (KTAP_KEEPS_RETURNS && (ktap_return_is_fake(pc) || ktap_return_is_within(pc)))
		return end(w, KTAP_STACK_FAULT);
	if (state == UNKNOWN) {
		/* before the first call both are equal */
		if (get_record(w, w->fp, &r) && r.lr != regs->regs[30])
			w->s->flags |= KTAP_STACK_F_UNSURE;
		return true;
	}
	return state == IN_RECORD || add(w, regs->regs[30], w->fp);
}
NOKPROBE_SYMBOL(start);

static bool start_at(struct walk *w, const struct pt_regs *regs)
{
	return start(w, regs, regs->pc, frame_state(regs->pc, 0));
}
NOKPROBE_SYMBOL(start_at);

/* The registers that an exception stored around the record at @fp, or false. */
static __always_inline bool stored_regs(unsigned long fp, struct pt_regs *regs)
{
	unsigned long at = fp - offsetof(struct pt_regs, stackframe);
	unsigned long from = at + offsetof(struct pt_regs, sp);

	return (get_here(&regs->sp, from, 8) || get(&regs->sp, from, 8)) &&
	       unlikely(regs->sp == at + sizeof(*regs)) && get(regs, at, sizeof(*regs));
}

/* Frames of one stack lie ever higher. A stack that was left is not entered again. */
static bool move_to(struct walk *w, unsigned long fp)
{
	if (!((fp ^ w->fp) & ~(THREAD_SIZE - 1)) ? fp <= w->fp :
						  ++w->switches > SWITCHES)
		return end(w, KTAP_STACK_FAULT);
	w->fp = fp;
	return true;
}
NOKPROBE_SYMBOL(move_to);

/* The walk continues at the record of the next function, if there is one. */
static bool go_up(struct walk *w, unsigned long fp)
{
	return fp ? move_to(w, fp) : end(w, KTAP_STACK_COMPLETE);
}
NOKPROBE_SYMBOL(go_up);

/* The walk goes on from the registers that an exception stored around the record at w->fp. */
static bool start_again(struct walk *w, const struct pt_regs *regs)
{
	unsigned long from = w->fp, fp;

	if (!start_at(w, regs))
		return false;
	fp = w->fp;
	w->fp = from;
	return move_to(w, fp);
}
NOKPROBE_SYMBOL(start_again);

/* ---- trails ------------------------------------------------------------------- */

/*
 * A record of zeros may look as if it were an exception's: such a trail would lead nowhere. Of a
 * record without a return address the next record decides what it is, also where the stack is
 * full: such a trail might mislead.
 */
static void note(struct walk *w, unsigned long fp, unsigned long lr)
{
	unsigned long stack = (unsigned long)task_stack_page(current);
	struct ktap_trail *t = w->t;

	if (!t)
		return;
	if (unlikely(t->nr == KTAP_TRAIL_FRAMES || !ktap_trail_holds(stack, fp) ||
		     ktap_record_in_regs(fp) || (!lr && !t->zeros))) {
		w->t = NULL;
		return;
	}
	t->off[t->nr] = fp - stack;
	t->lrs[t->nr++] = lr;
}
NOKPROBE_SYMBOL(note);

static void note_begin(struct walk *w, const struct pt_regs *regs, struct ktap_trail *t)
{
	w->t = t;
	t->lr = regs->regs[30];
	t->nr = 0;
	t->zeros = false;
}
NOKPROBE_SYMBOL(note_begin);

static void note_end(const struct walk *w)
{
	const struct ktap_stack *s = w->s;

	if (!w->t || (s->end != KTAP_STACK_COMPLETE && s->end != KTAP_STACK_DEPTH))
		return;
	w->t->last = s->end == KTAP_STACK_COMPLETE ? ~0ULL : 0;
	w->t->whole = true;
}
NOKPROBE_SYMBOL(note_end);

/* ---- the walk ----------------------------------------------------------------- */

/* Is a record of zeros an exception's? */
static bool is_of_regs(unsigned long fp)
{
	u64 type;

	return KTAP_RECORD_OF_REGS && (get_here(&type, fp + 16, sizeof(type)) ||
				       get(&type, fp + 16, sizeof(type))) &&
	       type == KTAP_RECORD_OF_REGS;
}
NOKPROBE_SYMBOL(is_of_regs);

/* A record of zeros is the outermost; since 6.13 it may also be an exception's. */
static bool at_end(struct walk *w, struct pt_regs *regs)
{
	if (w->t)
		w->t->zeros = true;
	note(w, w->fp, 0);
	if (!is_of_regs(w->fp))
		return end(w, KTAP_STACK_COMPLETE);
	if (get(regs, w->fp - offsetof(struct pt_regs, stackframe),
		sizeof(*regs)) && user_mode(regs))
		return end(w, KTAP_STACK_COMPLETE);
	w->t = NULL;
	if (!stored_regs(w->fp, regs))
		return end(w, KTAP_STACK_FAULT);
	return start_again(w, regs);
}
NOKPROBE_SYMBOL(at_end);

/* The frame at w->fp. Return: whether the walk continues. */
static bool next(struct walk *w, struct pt_regs *regs)
{
	unsigned long fp = w->fp;
	struct record r;

	if (!get_record(w, fp, &r))
		return end(w, fp ? KTAP_STACK_FAULT : KTAP_STACK_COMPLETE);
	if (!r.fp && !r.lr)
		return at_end(w, regs);
	if (stored_regs(fp, regs)) {
		w->t = NULL;
		if (regs->pc == r.lr && regs->regs[29] == r.fp)
			return start_again(w, regs);
	}
	note(w, fp, r.lr);
	return add(w, r.lr, r.fp) && go_up(w, r.fp);
}
NOKPROBE_SYMBOL(next);

void ktap_arch_unwind_noting(const struct pt_regs *regs, const struct ktap_spot *spot,
			     struct ktap_stack *s, u32 max, struct ktap_trail *t)
{
	struct walk w = { .s = s, .max = max };
	struct pt_regs stored __uninitialized;
	bool more;

	if (t)
		note_begin(&w, regs, t);
	if (spot && spot->ip)
		more = start(&w, regs, spot->ip,
			     spot->is_entry ? IN_LR :
					      frame_state(spot->ip, spot->insn));
	else if (user_mode(regs))
		more = end(&w, KTAP_STACK_COMPLETE);
	else
		more = start_at(&w, regs);
	while (more)
		more = next(&w, &stored);
	note_end(&w);
}
NOKPROBE_SYMBOL(ktap_arch_unwind_noting);

void ktap_arch_unwind(const struct pt_regs *regs, const struct ktap_spot *spot,
		      struct ktap_stack *s, u32 max)
{
	ktap_arch_unwind_noting(regs, spot, s, max, NULL);
}
NOKPROBE_SYMBOL(ktap_arch_unwind);

/* The first record is the hook's own, so it is no exception's, and can be read. */
void ktap_arch_unwind_caller(const struct ktap_caller *c, struct ktap_stack *s,
			     u32 max)
{
	const struct record *r = (const struct record *)c->fp;
	struct walk w = { .s = s, .max = max, .fp = c->fp, .sp = c->fp };
	struct pt_regs stored __uninitialized;
	bool more;

	more = (!ktap_caller_shows(c) || add(&w, r->lr, r->fp)) && go_up(&w, r->fp);
	while (more)
		more = next(&w, &stored);
}
NOKPROBE_SYMBOL(ktap_arch_unwind_caller);

enum ktap_unwinder ktap_arch_unwinder(void)
{
	return KTAP_UNWINDER_RECORDS;
}
