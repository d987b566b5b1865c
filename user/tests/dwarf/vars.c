// SPDX-License-Identifier: GPL-2.0
/* Functions whose variables debug_vars_test.c asks for. */
int global;

/* in C this is a name like any other */
__attribute__((noinline)) int counts(int n)
{
	int this = n * 2;

	global += this;
	return this + global;
}

void _start(void)
{
	global = counts(1);
	for (;;)
		;
}
