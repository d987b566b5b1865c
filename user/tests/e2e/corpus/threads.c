// SPDX-License-Identifier: GPL-2.0
/* What each thread has its own of: in programs only, at their end. */
#include <pthread.h>
#include <stdio.h>

#include "known.h"

struct point {
	int x, y;
};

/* Behind the first one comes what its alignment leaves empty. */
static __thread int mine = 6;
__thread struct point spot __attribute__((__aligned__(64))) = { 1, 2 };
static __thread long none;

static apart int in_thread(int n)
{
	mine += n;
	spot.y -= n;
	none += n;
	HAVE(n);
	KEEP(&spot); /* or link-time optimization leaves .x out */
	printf("thread: n=%d mine=%d spot={.x = 1, .y = %d} none=%ld\n", n,
	       mine, spot.y, none);
	tick++; /* PROBE thread: n mine spot none */
	KEEP(n);
	return mine;
}

static void *another(void *arg)
{
	return in_thread(40) ? arg : NULL;
}

/* The first one ends after the second one. */
static __attribute__((__destructor__)) void in_threads(void)
{
	int sum = in_thread(7);
	pthread_t thread;

	if (pthread_create(&thread, NULL, another, &sum))
		return;
	pthread_join(thread, NULL);
	in_thread(100);
}
