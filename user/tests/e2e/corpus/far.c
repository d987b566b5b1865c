// SPDX-License-Identifier: GPL-2.0
/*
 * Another unit of the program: link-time optimisation inlines it into vars.c. Of
 * what it inlines gcc then marks no line as a statement, so the entry is probed.
 */
#include <stdio.h>

#include "known.h"

static int calls = 8;

int in_far(int n, const char *word)
{
	int doubled = 2 * n; /* PROBE far at in_far: n word=word:string calls */

	HAVE(n);
	HAVE(word);
	HAVE(doubled);
	printf("far: n=%d word=\"%s\" calls=%d\n", n, word, calls);
	calls++;
	__asm__ volatile("" : "+m"(calls));
	KEEP(n);
	KEEP(word);
	return doubled;
}
