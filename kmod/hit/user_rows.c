// SPDX-License-Identifier: GPL-2.0
/* Checks tables of unwind information, and makes their index. */
#include "hit/user_rows.h"

static bool rule_ok(const struct ktap_user_rule *r)
{
	return r->kind < __KTAP_USER_RULES && !r->reserved;
}

/**
 * ktap_user_rows_ok() - decide whether a table may be used
 * @t: table without an index
 *
 * What a table says is not trusted: a rule may lead anywhere in user memory. Only what
 * ktap_user_rows_find() relies on is checked.
 *
 * Context: any; pure.
 * Return: whether it may be used.
 */
bool ktap_user_rows_ok(const struct ktap_user_rows *t)
{
	u32 i;

	if (!t->nr_rows || t->nr_rows > KTAP_USER_ROWS_MAX || !t->nr_rules ||
	    t->nr_rules > KTAP_USER_RULES_MAX)
		return false;
	for (i = 0; i < t->nr_rules; i++)
		if (!rule_ok(&t->rules[i]))
			return false;
	for (i = 0; i < t->nr_rows; i++)
		if (t->rows[i] >= t->nr_rules ||
		    (i && t->pcs[i] <= t->pcs[i - 1]))
			return false;
	return true;
}

/**
 * ktap_user_rows_shape() - choose the size of the index
 * @t: table that was checked; @shift and @nr_blocks are set
 *
 * The index has at most one byte for each row, and at most 256 of them.
 *
 * Context: any; pure.
 */
void ktap_user_rows_shape(struct ktap_user_rows *t)
{
	u64 bytes = (u64)t->pcs[t->nr_rows - 1] - t->pcs[0];
	u32 room = t->nr_rows > 256 ? t->nr_rows / sizeof(u32) : 64;

	t->shift = KTAP_USER_BLOCK_SHIFT;
	while ((bytes >> t->shift) + 2 > room)
		t->shift++;
	t->nr_blocks = (bytes >> t->shift) + 1;
}

/**
 * ktap_user_rows_index() - make the index
 * @t: table with a shape; @index has space for @nr_blocks + 1 elements
 *
 * Context: any; pure.
 */
void ktap_user_rows_index(struct ktap_user_rows *t)
{
	u32 block, row = 0;

	for (block = 0; block < t->nr_blocks; block++) {
		while (row < t->nr_rows &&
		       (t->pcs[row] - t->pcs[0]) >> t->shift < block)
			row++;
		t->index[block] = row;
	}
	t->index[t->nr_blocks] = t->nr_rows;
}
