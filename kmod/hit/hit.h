/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_HIT_H
#define KTAP_HIT_H

#include <linux/list.h>
#include <linux/types.h>

#include "hit/guard.h"
#include "hit/program.h"
#include "hit/ring.h"

struct ktap_attach;
struct ktap_calls;
struct ktap_entry;
struct ktap_frame;
struct pt_regs;

/**
 * enum ktap_route - how a hit becomes a record for one session
 * @KTAP_ROUTE_RATED: a simple program, of a session with rates
 * @KTAP_ROUTE_GATED: a program with a gate; behind that its body has another route
 * @KTAP_ROUTE_NAME: stores of registers and of the task's name
 * @KTAP_ROUTE_STRINGS: stores of registers, and strings
 * @KTAP_ROUTE_STEPS: hit/walk.h
 * @KTAP_ROUTE_STORES: stores of registers behind a gate
 * @KTAP_ROUTE_PROGRAM: interpreted
 */
enum ktap_route {
	KTAP_ROUTE_RATED = -1, /* one look at the sign tells it from the next two */
	KTAP_ROUTE_GATED,
	KTAP_ROUTE_NAME,
	KTAP_ROUTE_STRINGS,
	KTAP_ROUTE_STEPS,
	KTAP_ROUTE_STORES,
	KTAP_ROUTE_PROGRAM,
};

/**
 * struct ktap_site - what the hits of a probe read
 * @only: its attachment where there is one, without rates, and the program is
 *	simple (RCU)
 * @alone: the same where @route is wanted: the program is not simple, or the
 *	attachment has rates; not both
 * @want: its largest record, which is each one where all have one size
 * @stores: simple and plain programs: all that follows the gate
 * @id: of its records
 * @attached: its attachments (RCU)
 * @prog: other programs; NULL for simple ones
 * @route: of a hit for @alone; depends on the program only
 * @body: the route of what passes the gate
 * @calls: of the function it is in, or NULL
 * @keeps: not NULL: this is the entry of such a function, where calls are kept
 * @traps: its hook may come by a trap: see ktap_is_own()
 * @tripped: it took too much of a CPU and does nothing any more; set by a hit
 * @share: of a CPU, in the window that tripped it, in percent
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

/* Every hit enters by one of these; see hit.c. */
void ktap_hit(const struct ktap_site *site, const struct pt_regs *regs);
void ktap_hit_any(const struct ktap_site *site, const struct pt_regs *regs);
void ktap_hit_other(const struct ktap_site *site, const struct pt_regs *regs);
void ktap_hit_again(const struct ktap_site *site, const struct pt_regs *regs,
		    struct ktap_ring *ring);
void ktap_hit_frame(const struct ktap_site *site,
		    const struct ktap_frame *frame);
void ktap_hit_user_regs(const struct ktap_site *site,
			const struct pt_regs *regs);
void ktap_hit_user(const struct ktap_site *site,
		   const struct ktap_frame *hook);

/* Calls that are no hits: of functions whose entry is kept for later. */
void ktap_hit_entry(const struct ktap_site *site, const struct ktap_prog *prog,
		    const struct pt_regs *regs, struct ktap_entry *entry);
void ktap_hit_call(struct ktap_calls *calls, const struct pt_regs *regs);
bool ktap_hit_wanted(const struct ktap_site *site);

#endif /* KTAP_HIT_H */
