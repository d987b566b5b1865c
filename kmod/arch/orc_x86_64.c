// SPDX-License-Identifier: GPL-2.0
/*
 * A walk over the kernel's ORC tables. The kernel's unwinder takes 1000 instructions to
 * begin and 350 for each frame; this takes a quarter of that for a frame.
 *
 * It takes functions of the kernel's own code that were called, on the stack of the current
 * task, up to the registers of user code or the end of a kernel thread. All else is left to
 * the kernel's unwinder, which goes on from the last frame: registers that an exception
 * stored, code of modules, generated code, other stacks, return addresses that the kernel
 * has replaced, and rows with bases that are rare. So a stack is what that unwinder finds.
 *
 * Nothing is read but the tables, which were checked and never change, and the current
 * task's stack from the stack pointer to its end.
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/objtool.h>
#include <linux/ptrace.h>

#include "arch/orc.h"
#include "arch/trail.h"
#include "arch/unwind.h"
#include "compat.h"

#define FEW		8	/* rows, which are looked at one after the other */

/* union row - a row, and its registers and type as one number */
union row {
	struct orc_entry e;
	struct {
		s16 sp;
		s16 bp;
		u16 how;
	};
};

/* A function that was called: by what the stack of its caller is found, and its bp. */
#define CALL(sp_base, bp_base) (((union row){ .e = { \
	.sp_reg = ORC_REG_##sp_base, .bp_reg = ORC_REG_##bp_base, \
	.type = UNWIND_HINT_TYPE_CALL } }).how)

/**
 * struct walk - where a walk is
 * @ip: return address
 * @off: what is looked up, from the begin of the code
 * @sp: stack pointer
 * @bp: frame pointer
 */
struct walk {
	unsigned long ip;
	unsigned long off;
	unsigned long sp;
	unsigned long bp;
};

const struct ktap_orc *ktap_orc_tables;

/**
 * ktap_orc_use() - from now on walk over these tables
 * @o: tables that stay as they are, or NULL
 *
 * Context: process.
 */
void ktap_orc_use(const struct ktap_orc *o)
{
	/* Q: the struct before its address; pairs with ktap_orc() */
	smp_store_release(&ktap_orc_tables, o);
}

/*
 * The last row that begins at or before an address of the code. That is one of the block's,
 * or the first one of the next block, and the row after that begins above the block.
 */
static __always_inline const union row *find(const struct ktap_orc *o,
					     unsigned long off)
{
	const u32 *rows = o->lookup + off / KTAP_ORC_BLOCK;
	const s32 *at = o->ips + rows[0];
	u32 n = rows[1] - rows[0], half;
	/* both are in the image, which is smaller than 2 GiB */
	s32 rel = o->text + off - (unsigned long)at;

	for (; unlikely(n > FEW); n -= half) {
		half = n / 2;
		if (at[half] <= rel - (s32)(half * sizeof(*at))) {
			at += half;
			rel -= half * sizeof(*at);
		}
	}
	for (;; at++) {
		rel -= sizeof(*at);
		OPTIMIZER_HIDE_VAR(rel); /* GCC would compute it from @at each time */
		if (at[1] > rel)
			break;
	}
	return (const union row *)o->rows + (at - o->ips);
}

/* The stack pointer in the caller; as it is: the row has another base. */
static __always_inline unsigned long caller_sp(const struct walk *w, const union row *r)
{
	if (r->how == CALL(SP, UNDEFINED) || r->how == CALL(SP, PREV_SP))
		return w->sp + r->sp;
	if (r->how == CALL(BP, UNDEFINED) || r->how == CALL(BP, PREV_SP))
		return w->bp + r->sp;
	return w->sp;
}

/*
 * Goes to the caller. Return: false: it is not simple, and *@w is as it was.
 * Frames of a stack lie ever higher, and all that is read is above the lower stack pointer:
 * so the distance from there tells whether it may be read. A frame is in the kernel's own
 * code, and not an address that replaces another.
 */
static __always_inline bool step(const struct ktap_orc *o, struct walk *w,
				 const union row *r, unsigned long end)
{
	unsigned long sp = caller_sp(w, r), room = end - w->sp, ip, off;

	if (unlikely(sp - w->sp > room || sp - w->sp < sizeof(long)))
		return false;
	ip = ktap_stack_word(sp - sizeof(long));
	off = ip - 1 - o->text;
	if (unlikely(!ktap_orc_takes(o, ip)))
		return false;
	if (r->how == CALL(SP, PREV_SP) || r->how == CALL(BP, PREV_SP)) {
		if (unlikely(sp + r->bp - w->sp > room - sizeof(long)))
			return false;
		w->bp = ktap_stack_word(sp + r->bp);
	}
	w->sp = sp;
	w->ip = ip;
	w->off = off;
	return true;
}

/* The row is of an outermost frame: of a kernel thread, or of an entry from user code. */
static __always_inline bool is_outermost(const struct ktap_orc_at *at,
					 const struct walk *w, const union row *r)
{
	if (ktap_orc_is_end(&r->e))
		return KTAP_ORC_END_IS_SURE || w->sp >= at->user || is_idle_task(current);
	return r->e.type == UNWIND_HINT_TYPE_REGS && r->e.sp_reg == ORC_REG_SP &&
	       w->sp + r->sp == at->user &&
	       user_mode((struct pt_regs *)at->user);
}

/**
 * struct notes - a trail in the making
 * @t: trail; NULL: none can be made
 * @sp: stack pointer at its begin
 * @stack: begin of the stack
 * @bp_off: place from @sp where bp was read
 * @bp_saved: it was read there; else the registers of the hit have it
 * @turned: the frame by bp is behind: places are from @stack
 */
struct notes {
	struct ktap_trail *t;
	unsigned long sp;
	unsigned long stack;
	u16 bp_off;
	bool bp_saved;
	bool turned;
};

static __always_inline struct notes note_begin(const struct ktap_orc_at *at,
					       struct ktap_trail *t)
{
	if (t) {
		t->pivot = KTAP_PIVOT_NONE;
		t->nr_low = U16_MAX;
		t->room = 0;
	}
	return (struct notes){ .t = t, .sp = at->sp, .stack = at->end - THREAD_SIZE };
}

/*
 * The step to return address @nr, by row @r, has left a frame by bp, which was @bp. Return:
 * whether it is the first one.
 */
static __always_inline bool note_turn(struct notes *n, const struct walk *w,
				      const union row *r, unsigned long bp, u32 nr)
{
	unsigned long high = w->sp - sizeof(long);

	if (n->turned)
		return false;
	/* the lowest word that the step has read */
	if (r->how == CALL(BP, PREV_SP) && r->bp < -(int)sizeof(long))
		high = w->sp + r->bp;
	n->t->pivot = n->bp_saved ? KTAP_PIVOT_WORD : KTAP_PIVOT_BP;
	n->t->pivot_off = n->bp_off;
	n->t->pivot_to = bp - n->stack;
	n->t->high = high - n->stack;
	n->t->nr_low = nr;
	n->turned = true;
	return true;
}

/* The step, by row @r, has left a frame by the stack pointer. Return: whether it is simple. */
static __always_inline bool note_low(struct notes *n, const struct walk *w,
				     const union row *r)
{
	n->t->room = w->sp - n->sp;
	if (r->how != CALL(SP, PREV_SP))
		return true;
	n->bp_off = w->sp + r->bp - n->sp;
	n->bp_saved = true;
	return r->bp <= -(int)sizeof(long); /* else @room does not have it */
}

/* The step to return address @nr was by row @r, from a frame whose bp was @bp. */
static __always_inline void note_step(struct notes *n, const struct walk *w,
				      const union row *r, unsigned long bp, u32 nr)
{
	bool simple = true;

	if (!n->t)
		return;
	if (r->how == CALL(BP, UNDEFINED) || r->how == CALL(BP, PREV_SP))
		simple = note_turn(n, w, r, bp, nr);
	else if (!n->turned)
		simple = note_low(n, w, r);
	n->t->off[nr] = w->sp - sizeof(long) - (n->turned ? n->stack : n->sp);
	if (unlikely(!simple))
		n->t = NULL;
}

static __always_inline void note_frame(struct notes *n, const struct walk *w, u32 nr)
{
	if (!n->t)
		return;
	if (likely(nr < KTAP_TRAIL_FRAMES))
		n->t->ips[nr] = w->ip;
	else
		n->t = NULL;
}

static __always_inline void note_end(const struct notes *n, u32 nr, bool user, bool beyond)
{
	if (!n->t)
		return;
	n->t->nr = nr;
	n->t->user = user;
	n->t->beyond = beyond;
	n->t->whole = true;
	/* where the stack pointer is decides, too: see is_outermost() */
	if (!beyond && (user || !KTAP_ORC_END_IS_SURE) && !n->turned) {
		n->t->pivot = KTAP_PIVOT_SP;
		n->t->pivot_to = n->sp - n->stack;
	}
}

/* See ktap_orc_walk_noting(); @t may be NULL. */
static __always_inline bool walk_simple(const struct ktap_orc *o, struct ktap_orc_at *at,
					struct ktap_stack *s, u32 max, struct ktap_trail *t)
{
	struct walk w = { .off = at->ip - o->text, .sp = at->sp, .bp = at->bp };
	struct notes n = note_begin(at, t);
	const union row *r;
	unsigned long bp;
	u32 nr = s->nr;

	if (unlikely(w.off >= o->size))
		return false;
	for (;;) {
		r = find(o, w.off);
		bp = w.bp;
		if (unlikely(!step(o, &w, r, at->end)))
			break;
		note_step(&n, &w, r, bp, nr - s->nr);
		if (nr == max) {
			note_end(&n, nr - s->nr, false, true);
			s->end = KTAP_STACK_DEPTH;
			goto done;
		}
		note_frame(&n, &w, nr - s->nr);
		s->frames[nr++] = w.ip;
	}
	if (is_outermost(at, &w, r)) {
		if (!KTAP_ORC_END_IS_SURE && ktap_orc_is_end(&r->e) && w.sp < at->user)
			n.t = NULL; /* another task than the idle one goes on */
		note_end(&n, nr - s->nr, !ktap_orc_is_end(&r->e), false);
		s->end = KTAP_STACK_COMPLETE;
		goto done;
	}
	s->nr = nr;
	at->ip = o->text + w.off;
	at->sp = w.sp;
	at->bp = w.bp;
	return false;

done:
	s->nr = nr;
	return true;
}

/**
 * ktap_orc_walk() - add the frames that are simple
 * @o: tables
 * @at: the last frame that was added; changed
 * @s: stack
 * @max: frames at most
 *
 * Context: any, NMI included. The stack from @at->sp to @at->end can be read.
 * Return: true: the stack is complete, or full; false: *@at is for the kernel's unwinder.
 */
bool ktap_orc_walk(const struct ktap_orc *o, struct ktap_orc_at *at,
		   struct ktap_stack *s, u32 max)
{
	return walk_simple(o, at, s, max, NULL);
}
NOKPROBE_SYMBOL(ktap_orc_walk);

/**
 * ktap_orc_walk_noting() - the same, and note the trail
 * @o: tables
 * @at: the first frame of the stack; changed
 * @s: stack
 * @max: frames at most
 * @t: filled, except for its place and id; @whole: it is a trail
 *
 * Context: any, NMI included. The stack from @at->sp to @at->end can be read.
 * Return: as ktap_orc_walk().
 */
bool ktap_orc_walk_noting(const struct ktap_orc *o, struct ktap_orc_at *at,
			  struct ktap_stack *s, u32 max, struct ktap_trail *t)
{
	return walk_simple(o, at, s, max, t);
}
NOKPROBE_SYMBOL(ktap_orc_walk_noting);
