/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_HIT_H
#define KTAP_HIT_H

#include <linux/list.h>
#include <linux/types.h>

#include "hit/guard.h"
#include "hit/program.h"
#include "hit/ring.h"
#include "hit/spot.h"

struct ktap_attach;
struct ktap_calls;
struct ktap_entry;
struct ktap_frame;
struct pt_regs;

/**
 * enum ktap_route - fast paths from a hit to a record, for one session
 * @KTAP_ROUTE_RATED: simple program, session with rates
 * @KTAP_ROUTE_GATED: program with a gate; its body has another route
 * @KTAP_ROUTE_NAME: stores registers and the task's comm
 * @KTAP_ROUTE_STRINGS: stores registers and strings
 * @KTAP_ROUTE_KSTACK: stores one kernel stack, and maybe registers
 * @KTAP_ROUTE_STEPS: runs steps, see hit/walk.h
 * @KTAP_ROUTE_STORES: stores registers, after a gate
 * @KTAP_ROUTE_STACKS: stores the kernel or user stack or both, and maybe registers and the comm
 * @KTAP_ROUTE_PROGRAM: interprets the program
 */
enum ktap_route {
	KTAP_ROUTE_RATED = -1, /* its sign distinguishes it from the next two */
	KTAP_ROUTE_GATED,
	KTAP_ROUTE_NAME,
	KTAP_ROUTE_STRINGS,
	KTAP_ROUTE_KSTACK,
	KTAP_ROUTE_STEPS,
	KTAP_ROUTE_STORES,
	KTAP_ROUTE_STACKS,
	KTAP_ROUTE_PROGRAM,
};

/**
 * struct ktap_site - the part of a probe that hits read
 * @only: the attachment, if there is one only, without rates, and either the program is
 *	simple or a plan serves each hit (RCU)
 * @alone: the attachment, if there is one only and @route applies: the program is not
 *	simple, or the attachment has rates, but not both (RCU)
 * @want: its largest record; if all have one size, each record
 * @stores: simple and plain programs: all stores after the gate
 * @id: id in records
 * @attached: attachments (RCU)
 * @prog: program; NULL if it is simple
 * @route: route of a hit for @alone; depends on the program only
 * @body: route after the gate
 * @spot: its place, for the unwinder
 * @calls: calls of the function that contains it, or NULL
 * @keeps: not NULL: the site is the companion that stores calls
 * @traps: its hook may use a trap: see ktap_is_own()
 * @tripped: a hit tripped the overload guard: the probe does nothing any more
 * @share: share of a CPU in the window that tripped the guard, in percent
 * @cost: see hit/guard.h
 */
struct ktap_site {
	const struct ktap_attach *only;
	const struct ktap_attach *alone;
	struct ktap_ring_want want;
	struct ktap_stores stores;
	struct list_head attached;
	u32 id;
	const struct ktap_prog *prog;
	enum ktap_route route;
	enum ktap_route body;
	struct ktap_spot spot;
	struct ktap_calls *calls;
	struct ktap_calls *keeps;
	bool traps;
	bool tripped;
	u32 share;
	struct ktap_cost __percpu *cost;
};

void ktap_site_init(struct ktap_site *site, u32 id,
		    const struct ktap_prog *prog);
void ktap_site_changed(struct ktap_site *site);

/* Entry points of hits; see hit.c. */
void ktap_hit(const struct ktap_site *site, const struct pt_regs *regs);
void ktap_hit_any(const struct ktap_site *site, const struct pt_regs *regs);
void ktap_hit_other(const struct ktap_site *site, const struct pt_regs *regs);
void ktap_hit_not_entered(const struct ktap_site *site);
void ktap_hit_elapsed(const struct ktap_site *site, const struct pt_regs *regs,
		      const struct ktap_attach *a, const struct ktap_entry *entry);
void ktap_hit_again(const struct ktap_site *site, const struct pt_regs *regs,
		    struct ktap_ring *ring);
void ktap_hit_frame(const struct ktap_site *site,
		    const struct ktap_frame *frame);
void ktap_hit_user_regs(const struct ktap_site *site,
			const struct pt_regs *regs);
bool ktap_hit_user_quick(const struct ktap_site *site,
			 const struct pt_regs *regs);
void ktap_hit_user(const struct ktap_site *site,
		   const struct ktap_frame *hook);

/* Entries of functions, which are not counted as hits. */
void ktap_hit_entry(const struct ktap_site *site, const struct ktap_prog *prog,
		    const struct pt_regs *regs, struct ktap_entry *entry);
void ktap_hit_entry_busy(const struct ktap_site *site, const struct ktap_prog *prog,
			 const struct pt_regs *regs, struct ktap_entry *entry);
void ktap_hit_call(struct ktap_calls *calls, const struct pt_regs *regs);
bool ktap_hit_wanted(const struct ktap_site *site);

#endif /* KTAP_HIT_H */
