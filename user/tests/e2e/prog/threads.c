// SPDX-License-Identifier: GPL-2.0
/* What each thread has, and where it says that it is: bytes from the thread pointer. */
#include <stdio.h>

static __thread int own = 5;
__thread long wide __attribute__((__aligned__(64))) = 7;
__thread char zero;

__attribute__((__noipa__)) static long probed(int n)
{
	return own + wide + zero + n;
}

int main(void)
{
	char *thread = __builtin_thread_pointer();

	printf("own %+ld($thread) wide %+ld($thread) zero %+ld($thread)\n",
	       (char *)&own - thread,
	       (char *)&wide - thread, (char *)&zero - thread);
	return probed(1) == 0;
}
