// SPDX-License-Identifier: GPL-2.0
/* Calls that are no calls: main() has all of the code but that of outer(). */
#define always static inline __attribute__((__always_inline__))

volatile int sink;

always void inner(int given)
{
	sink = given;
}

always void middle(int given)
{
	inner(given + 1);	/* call: inner */
}

__attribute__((__noinline__)) void outer(int given)
{
	middle(2 * given);	/* call: middle */
	sink++;
}

int main(int argc, char **argv)
{
	(void)argv;
	outer(argc);
	inner(argc);		/* call: again */
	return 0;
}
