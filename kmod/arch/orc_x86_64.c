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

/* A word of the stack. Compilers' checks would take the words between variables for bugs. */
static __always_inline unsigned long word(unsigned long at)
{
	return READ_ONCE_NOCHECK(*(const unsigned long *)at);
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
	ip = word(sp - sizeof(long));
	off = ip - 1 - o->text;
	if (unlikely(off >= o->size || ip == o->fakes[0] || ip == o->fakes[1]))
		return false;
	if (r->how == CALL(SP, PREV_SP) || r->how == CALL(BP, PREV_SP)) {
		if (unlikely(sp + r->bp - w->sp > room - sizeof(long)))
			return false;
		w->bp = word(sp + r->bp);
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
		return true;
	return r->e.type == UNWIND_HINT_TYPE_REGS && r->e.sp_reg == ORC_REG_SP &&
	       w->sp + r->sp == at->user &&
	       user_mode((struct pt_regs *)at->user);
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
	struct walk w = { .off = at->ip - o->text, .sp = at->sp, .bp = at->bp };
	const union row *r;
	u32 nr = s->nr;

	if (unlikely(w.off >= o->size))
		return false;
	for (;;) {
		r = find(o, w.off);
		if (unlikely(!step(o, &w, r, at->end)))
			break;
		if (nr == max) {
			s->end = KTAP_STACK_DEPTH;
			goto done;
		}
		s->frames[nr++] = w.ip;
	}
	if (is_outermost(at, &w, r)) {
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
NOKPROBE_SYMBOL(ktap_orc_walk);
