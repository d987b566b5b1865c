// SPDX-License-Identifier: GPL-2.0
/* A program that imports. */
int answer(void);
int plain(int x);

int main(void)
{
	return answer() + plain(0) != 42;
}
