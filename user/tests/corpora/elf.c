// SPDX-License-Identifier: GPL-2.0
/* A small library with a function, a version and marks, as a start for fuzz_elf. */
#include "../sdt.h"

SDT_SEMAPHORE(seed, counted);

int counter;

int first(int a)
{
	SDT_MARK(seed, plain, SDT_NO_SEMAPHORE, "-4@%0", "nor"(a));
	return a + counter;
}

int second(int a)
{
	SDT_MARK(seed, counted, seed_counted_semaphore, "-4@%0 8@%1", "nor"(a), "nor"(&counter));
	return first(a) * 3;
}
