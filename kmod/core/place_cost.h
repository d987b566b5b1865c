/* SPDX-License-Identifier: GPL-2.0 */
/* Limit on the cost of everything that runs at one place. */
#ifndef KTAP_PLACE_COST_H
#define KTAP_PLACE_COST_H

#include <linux/types.h>

struct ktap_probe;

/**
 * struct ktap_share - what a probe adds to the cost of a place
 * @node: link in the table of places; unlinked while @cost is 0
 * @p: probe
 * @kind: kind of place: decides what @at and @in are
 * @at: address, offset in a file, or hash of a name
 * @in: inode of the file
 * @cost: ns
 */
struct ktap_share {
	struct hlist_node node;
	const struct ktap_probe *p;
	u32 kind;
	u64 at;
	const void *in;
	u64 cost;
};

int ktap_place_cost_update(struct ktap_probe *p);
void ktap_place_cost_drop(struct ktap_probe *p);
u64 ktap_place_cost_refused(void);

#endif /* KTAP_PLACE_COST_H */
