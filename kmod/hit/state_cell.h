/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_STATE_CELL_H
#define KTAP_STATE_CELL_H

#include <linux/types.h>

/* Outcomes of operations; see struct ktap_state_counts. */
enum ktap_state_count {
	KTAP_STATE_STORES,
	KTAP_STATE_REPLACED,
	KTAP_STATE_UNSTORED,
	KTAP_STATE_LOADS,
	KTAP_STATE_MISSES,
	KTAP_NR_STATE_COUNTS
};

/**
 * struct ktap_state_cell - counts of a probe on a CPU
 * @n: by enum ktap_state_count
 */
struct ktap_state_cell {
	u64 n[KTAP_NR_STATE_COUNTS];
};

#endif /* KTAP_STATE_CELL_H */
