// SPDX-License-Identifier: GPL-2.0
/*
 * The program that bundles are made for: its function is called with known values, and
 * has a local variable. usage: parcel [N]
 */
#include <stdio.h>
#include <stdlib.h>

struct parcel {
	const char *label;
	int weight;
};

static int lifted = 7;

__attribute__((__noinline__)) int parcel_lift(const struct parcel *c, int times)
{
	int total = lifted;

	for (int i = 0; i < times; i++)
		total += c->weight;
	lifted = total;
	return total;
}

int main(int argc, char **argv)
{
	const struct parcel c = { "apples", argc > 1 ? atoi(argv[1]) : 5 };

	return printf("%d\n", parcel_lift(&c, 3)) < 0;
}
