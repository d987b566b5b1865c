// SPDX-License-Identifier: GPL-2.0
/* Stub of core/budget.c for programs: a test sets the available bytes. */
#include "core/budget.h"
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
