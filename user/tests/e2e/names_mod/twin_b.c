// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>

#include "twin.h"

static long names_kept = 20;

static noinline long names_twin(long in_b)
{
	names_kept += in_b;
	return names_kept;
}

long names_call_b(long n)
{
	return names_twin(n) + 1;
}
