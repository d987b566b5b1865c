// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>

#include "twin.h"

static long names_kept = 10;

static noinline long names_twin(long in_a)
{
	names_kept += in_a;
	return names_kept;
}

long names_call_a(long n)
{
	return names_twin(n) + 1;
}
