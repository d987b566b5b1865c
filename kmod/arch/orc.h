/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's ORC tables, walked by ktap: x86-64. A walk takes the frames that are simple,
 * and leaves all others to the kernel's unwinder: see orc_x86_64.c.
 */
#ifndef KTAP_ARCH_ORC_H
#define KTAP_ARCH_ORC_H

#include <linux/compiler.h>
#include <linux/ktap.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include <asm/orc_types.h>

struct ktap_trail;

#define KTAP_ORC_BLOCK	256U	/* bytes of code for each element of the look-up table */

/**
 * struct ktap_orc - tables that were checked
 * @text: begin of the code that they are for
 * @size: its bytes; the last block of the kernel's code is not in it
 * @lookup: the row of the first byte of each block, and of the byte after the last one
 * @ips: where the code of each row begins, relative to the element; sorted. There is one
 *	more that is above the code
 * @rows: how the caller is found
 * @fakes: what the kernel puts in place of return addresses; 0: none
 */
struct ktap_orc {
	unsigned long text;
	unsigned long size;
	const u32 *lookup;
	const s32 *ips;
	const struct orc_entry *rows;
	unsigned long fakes[2];
};

/**
 * struct ktap_orc_found - tables before they are checked: what the symbols say
 * @lookup: begin and end of the look-up table
 * @ips: begin and end of the table of addresses
 * @rows: begin and end of the rows
 * @image: begin and end of where tables and code may be
 */
struct ktap_orc_found {
	unsigned long lookup[2];
	unsigned long ips[2];
	unsigned long rows[2];
	unsigned long image[2];
};

/**
 * struct ktap_orc_at - how far a walk is: a frame that has been added
 * @ip: what is looked up: the next instruction, or the last byte before a return address
 * @sp: stack pointer
 * @bp: frame pointer
 * @end: end of the stack
 * @user: registers of user code, if an entry stored them at the end of the stack
 */
struct ktap_orc_at {
	unsigned long ip;
	unsigned long sp;
	unsigned long bp;
	unsigned long end;
	unsigned long user;
};

/**
 * ktap_orc_begin() - where a walk begins, if it is on the current task's stack
 * @ip: address of the first frame
 * @sp: stack pointer there
 * @bp: frame pointer there
 *
 * Context: any.
 * Return: all that a walk needs.
 */
static __always_inline struct ktap_orc_at
ktap_orc_begin(unsigned long ip, unsigned long sp, unsigned long bp)
{
	return (struct ktap_orc_at){
		.ip = ip, .sp = sp, .bp = bp,
		.end = (unsigned long)task_stack_page(current) + THREAD_SIZE,
		.user = (unsigned long)task_pt_regs(current),
	};
}

#ifdef CONFIG_UNWINDER_ORC

extern const struct ktap_orc *ktap_orc_tables;

/**
 * ktap_orc() - the kernel's tables
 *
 * Context: any.
 * Return: tables; NULL: not found yet, or there are none.
 */
static __always_inline const struct ktap_orc *ktap_orc(void)
{
	/* Q: address dependency; pairs with ktap_orc_use() */
	return READ_ONCE(ktap_orc_tables);
}

bool ktap_orc_walk(const struct ktap_orc *o, struct ktap_orc_at *at,
		   struct ktap_stack *s, u32 max);
bool ktap_orc_walk_noting(const struct ktap_orc *o, struct ktap_orc_at *at,
			  struct ktap_stack *s, u32 max, struct ktap_trail *t);
void ktap_orc_use(const struct ktap_orc *o);
int ktap_orc_check(const struct ktap_orc_found *f, struct ktap_orc *ret);

#else

static __always_inline const struct ktap_orc *ktap_orc(void)
{
	return NULL;
}

static inline bool ktap_orc_walk(const struct ktap_orc *o, struct ktap_orc_at *at,
				 struct ktap_stack *s, u32 max)
{
	return false;
}

static inline bool ktap_orc_walk_noting(const struct ktap_orc *o,
					struct ktap_orc_at *at,
					struct ktap_stack *s, u32 max,
					struct ktap_trail *t)
{
	return false;
}

#endif

#endif /* KTAP_ARCH_ORC_H */
