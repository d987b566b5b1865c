/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unwind information of a file as a table: from which offset in the file on which rule
 * applies. The rows come from user space (KTAP_IOC_USER_TABLE), the index is made here.
 */
#ifndef KTAP_USER_ROWS_H
#define KTAP_USER_ROWS_H

#include <linux/ktap.h>

#include "hit/env.h"

#define KTAP_USER_BLOCK_SHIFT	8	/* smallest block of code of the index: 256 bytes */

/**
 * struct ktap_user_rows - table of a file
 * @pcs: offsets in the file, strictly ascending
 * @rows: rule of each
 * @rules: rules
 * @index: for each block of code, counted from the first row, the first row that begins in
 *	it or after it; one more element is @nr_rows
 * @nr_rows: length of @pcs and @rows, at least 1
 * @nr_rules: length of @rules
 * @nr_blocks: length of @index - 1
 * @shift: a block has 1 << @shift bytes
 */
struct ktap_user_rows {
	const u32 *pcs;
	const u16 *rows;
	const struct ktap_user_rule *rules;
	u32 *index;
	u32 nr_rows;
	u32 nr_rules;
	u32 nr_blocks;
	u32 shift;
};

bool ktap_user_rows_ok(const struct ktap_user_rows *t);
void ktap_user_rows_shape(struct ktap_user_rows *t);
void ktap_user_rows_index(struct ktap_user_rows *t);

/**
 * ktap_user_rows_find() - the rule for an instruction
 * @t: table with its index
 * @pc: offset of the instruction in the file
 *
 * Context: any, NMI included; reads memory of the kernel only.
 * Return: the rule, or NULL: @pc is before the first row.
 */
static __always_inline const struct ktap_user_rule *
ktap_user_rows_find(const struct ktap_user_rows *t, u64 pc)
{
	u32 low = 0, high = t->nr_rows, middle;
	u64 block;

	if (pc < t->pcs[0])
		return NULL;
	block = (pc - t->pcs[0]) >> t->shift;
	if (block >= t->nr_blocks) {
		low = t->nr_rows;
	} else {
		low = t->index[block];
		high = t->index[block + 1];
	}
	/* the first row after @pc is in [low, high]; the row before it is the result */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (t->pcs[middle] <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return &t->rules[t->rows[low - 1]];
}

#endif /* KTAP_USER_ROWS_H */
