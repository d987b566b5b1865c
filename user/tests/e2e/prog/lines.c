// SPDX-License-Identifier: GPL-2.0
/*
 * Lines and variables that a test knows: where it looks for one, a comment says
 * which, so that nothing here has a number of its own.
 */
#include <stdio.h>

struct pair {
	int a;
	const char *const b;
};

int counter = 3;
static volatile int hidden;

static inline __attribute__((always_inline)) int inlined(int x, int y)
{
	if (x > y)		/* line: test */
		hidden = x;	/* line: then */
	return x - y;		/* line: less */
}

__attribute__((noinline)) int work(struct pair *p, char name[16], int n,
				   int (*fn)(const char *))
{
	int i, sum = 0;		/* line: sum */

	for (i = 0; i < n; i++) {
		sum += inlined(i, p->a);	/* line: call */
		/* line: comment */
		if (sum > 1000)
			fn(name);	/* line: fn */
	}
	return sum;		/* line: return */
}

__attribute__((noinline)) int outer(int n)
{
	struct pair pair = { n, "pair" };
	char name[16] = "name";

	return work(&pair, name, n + inlined(n, counter), puts); /* line: outer */
}

int main(int argc, char **argv)
{
	(void)argv;
	return outer(argc) == 12345;
}
