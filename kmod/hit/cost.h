/* SPDX-License-Identifier: GPL-2.0 */
/* Worst-case cost of a fetch program at a hit. */
#ifndef KTAP_COST_H
#define KTAP_COST_H

#include "hit/verify.h"

/* Kinds of cost, each with the extack string for programs in which it dominates. */
#define KTAP_COSTS(C)							\
	C(INSNS, "a hit would take longer than hit_cost_max, mostly by instructions") \
	C(READS, "a hit would take longer than hit_cost_max, mostly by reads that may fault") \
	C(BYTES, "a hit would take longer than hit_cost_max, mostly by bytes that are copied") \
	C(STACKS, "a hit would take longer than hit_cost_max, mostly by frames of stacks") \
	C(MATCHES, "a hit would take longer than hit_cost_max, mostly by patterns that are matched")

enum ktap_cost_kind {
#define C(name, text) KTAP_COST_##name,
	KTAP_COSTS(C)
#undef C
	KTAP_NR_COSTS
};

/*
 * Prices, for a slow current machine; estimates, not guarantees. Unless noted otherwise
 * measured in user space on a processor of 2023 (an EPYC in a virtual machine) and about
 * doubled.
 */
#define KTAP_PRICE_INSN		5	/* ns; a switch, often mispredicted */
#define KTAP_PRICE_DIVISION	25	/* ns; of 64 bits, before 2019 */
#define KTAP_PRICE_CLOCK	1000	/* ns; a clock source behind a bus: acpi_pm */
#define KTAP_PRICE_READ		20	/* ns; a read of resident memory */
#define KTAP_PRICE_FAULT	600	/* ns; exception and fixup: 620 measured */
#define KTAP_PRICE_BYTE		250	/* ps; copied or cleared, uncached: 25 to 70 */
#define KTAP_PRICE_STEP		2000	/* ps; of a match, 64 states: 1200 to 2000 */
#define KTAP_PRICE_FRAME	200	/* ns; searches all slots of a set */
#define KTAP_STACKS_TRIES	64	/* rows of the index of stacks that a hit looks at */
#define KTAP_PRICE_UNWIND_START	5200	/* ns; its start: up to 256 reads of code on arm64 */
#define KTAP_PRICE_UNWIND	200	/* ns; a frame of a stack: 420 instructions measured */
#define KTAP_PRICE_UNWIND_USER	400	/* ns; a frame: 160 if all is cached */
#define KTAP_PRICE_STATE	1600	/* ns; eight searches of a set, of 200 each */
#define KTAP_PRICE_COUNTER	2000	/* ns; a read of one traps in a virtual machine */
#define KTAP_PRICE_HIT		100	/* ns; everything but the program */
#define KTAP_PRICE_ATTACH	100	/* ns; ring space and clock */

/* Storing a frame at a function's entry: concurrent writers may retry. */
#define KTAP_COST_CALL		(2 * KTAP_PRICE_FRAME)

/**
 * struct ktap_way - most expensive path to an instruction
 * @spent: ns, by enum ktap_cost_kind
 * @read: for each slot, the read that its value depends on and that is charged as a fault
 *	on all paths to here, as instruction number + 1; 0: none
 * @open: there is a path
 */
struct ktap_way {
	u32 spent[KTAP_NR_COSTS];
	u16 read[KTAP_NR_SLOTS];
	bool open;
};

void ktap_cost_sum(const struct ktap_insn *insns, u32 nr,
		   const struct ktap_prog_place *place,
		   struct ktap_prog_info *info, struct ktap_way *ways);
const char *ktap_cost_text(const struct ktap_prog_info *info);

#endif /* KTAP_COST_H */
