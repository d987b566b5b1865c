// SPDX-License-Identifier: GPL-2.0
/*
 * Stubs for programs: of core/budget.c, where a test sets the available bytes, and of
 * core/counters.c.
 */
#include "core/budget.h"
#include "core/counters.h"
#include "pure.h"

struct made_budget made_budget;

int ktap_budget_take(enum ktap_mem kind, u64 bytes, int attr,
		     struct ktap_refused *refused)
{
	if (bytes > made_budget.left)
		return ktap_refuse_amount(refused, -ENOSPC, attr, bytes, NULL);
	made_budget.left -= bytes;
	made_budget.used += bytes;
	return 0;
}

void ktap_budget_give(enum ktap_mem kind, u64 bytes)
{
	made_budget.left += bytes;
	made_budget.used -= bytes;
}

u64 ktap_mem_size(size_t size)
{
	return size;
}

/* Nothing joins counters here. */
void ktap_counters_leave(struct ktap_prog_info *info)
{
	WARN_ON(info->nr_counters && info->counters[0].counter);
}
