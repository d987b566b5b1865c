// SPDX-License-Identifier: GPL-2.0
/*
 * Structures in registers, whole and in part. Where a line says "line: NAME", what
 * is known of its structures is what main() makes of them.
 */
#define apart __attribute__((__noinline__))

struct pair {
	long wide;
	int low;
	short high;
	char letter;
};

struct odd {
	char text[6];
	short list[3];
};

volatile long sink;

/* Two registers, and what fills less than two of them */
apart long take(struct pair pair, struct odd odd)
{
	sink = pair.low; /* line: given */
	return pair.wide + odd.list[2];
}

/* Of the copy the compiler keeps what is used, in registers. */
apart long split(long wide, int low)
{
	struct pair copy = { wide, low, (short)sink, 'c' };

	sink = copy.wide; /* line: first */
	__asm__ volatile("" : : "r"(copy.low) : "memory");
	sink += copy.low; /* line: second */
	return sink;
}

int main(void)
{
	struct pair pair = { 0x123456789abcdef, -5, 300, 'p' };
	struct odd odd = { "text", { 1, -2, 3 } };

	sink = 0;
	take(pair, odd);
	sink = 77;
	split(11, 22);
	return 0;
}
