// SPDX-License-Identifier: GPL-2.0
/* A second file with a function called twin(). */
int twin_of_other(int x);

static __attribute__((noinline, noclone)) int twin(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 3;
}

int twin_of_other(int x)
{
	return twin(x) + 1;
}
