// SPDX-License-Identifier: GPL-2.0
/* A library with versions, a function chosen at run time, and a hidden one. */
int old_answer(void);
int new_answer(void);
int plain(int x);
int chosen(int x);
int __chosen_fast(int x);

int old_answer(void)
{
	return 41;
}

int new_answer(void)
{
	return 42;
}

__asm__(".symver old_answer, answer@KTAP_1");
__asm__(".symver new_answer, answer@@KTAP_2");

int plain(int x)
{
	return x;
}

__attribute__((noinline)) int __chosen_fast(int x)
{
	return x + 1;
}

static int (*choose(void))(int)
{
	return __chosen_fast;
}

int chosen(int x) __attribute__((ifunc("choose")));
