// SPDX-License-Identifier: GPL-2.0
/*
 * Variables whose values this program knows and says. A line with "PROBE name:
 * arguments" is probed with these ("PROBE name at PLACE: arguments" is the PLACE
 * instead); what the record shows has to be what was
 * printed as "name: ..." when the line was reached. It is built in many ways.
 */
#include <stdbool.h>
#include <stdio.h>

#include "known.h"

volatile int tick;

enum color { RED, GREEN = 5, BLUE = -3 };

struct bits {
	int low : 3;
	unsigned int high : 5;
	signed char minus : 4;
	unsigned long wide : 33;
};

struct point {
	int x, y;
};

union word {
	unsigned int whole;
	unsigned char part[4];
};

struct node {
	struct node *next;
	const char *name;
	struct point at;
	struct bits bits;
	union word word;
	enum color color;
	bool is_on;
	short list[4];
	char text[12];
	struct {
		int hidden;
	};
	long (*fn)(long n);
};

static long twice(long n)
{
	return 2 * n;
}

static struct node last = {
	.name = "last", .at = { -7, 8 }, .bits = { -2, 17, -5, 0x123456789UL },
	.word = { 0x04030201 }, .color = BLUE, .is_on = true,
	.list = { 1, -2, 3, -4 }, .text = "text", .hidden = 99, .fn = twice,
};

static struct node first = { .next = &last, .name = "first", .color = GREEN };

long global = 1234567890123;

static int counter = 41;

/* ---- numbers ------------------------------------------------------------------ */

static apart int in_numbers(int a, long b, unsigned char c, short d, bool e,
			    enum color f)
{
	int sum;

	HAVE(a);
	HAVE(b);
	HAVE(c);
	HAVE(d);
	HAVE(f);
	sum = a + d;
	HAVE(sum);
	printf("numbers: a=%d b=%ld c=%u d=%d f=BLUE sum=%d\n", a, b, c, d, sum);
	tick++; /* PROBE numbers: a b c d f sum */
	KEEP(a);
	KEEP(b);
	KEEP(c);
	KEEP(d);
	KEEP(f);
	KEEP(sum);
	return sum + e;
}

static apart int in_computed(int a, int b)
{
	int i = 2;

	HAVE(a);
	HAVE(b);
	HAVE(i);
	printf("computed: x=%d y=%d z=%d w=-4\n", a * b - 1, (a << 3) | 1,
	       a > b ? a : b);
	tick++; /* PROBE computed: x=a*b-1 y=(a<<3)|1 z=a>b?a:b w=last.list[i+1] */
	KEEP(a);
	KEEP(b);
	KEEP(i);
	return a + b + i;
}

/* ---- memory ------------------------------------------------------------------- */

static apart int in_members(struct node *p, int i)
{
	HAVE(p);
	HAVE(i);
	printf("members: name=\"first\" next=\"last\" x=-7 y=8 i=%d e=3\n", i);
	printf("bits: low=-2 high=17 minus=-5 wide=%lu\n", 0x123456789UL);
	printf("kinds: color=BLUE is_on=true whole=%d part=2 hidden=99 text=\"text\"\n",
	       0x04030201);
	tick++; /* PROBE members: name=p->name:string next=p->next->name:string x=p->next->at.x y=p->next->at.y i e=p->next->list[i] */
	tick++; /* PROBE bits: p->next->bits.low p->next->bits.high p->next->bits.minus p->next->bits.wide */
	tick++; /* PROBE kinds: p->next->color p->next->is_on p->next->word.whole part=p->next->word.part[1] p->next->hidden p->next->text */
	KEEP(p);
	KEEP(i);
	return i;
}

static apart int in_wholes(struct node *p)
{
	struct point here = { 3, -4 };

	HAVE(p);
	__asm__ volatile("" : "+m"(here));
	printf("wholes: at={.x = -7, .y = 8} list={1,-2,3,-4} here={.x = 3, .y = -4}\n");
	tick++; /* PROBE wholes: at=p->next->at list=p->next->list here */
	KEEP(p);
	__asm__ volatile("" : : "m"(here));
	return here.x;
}

static apart int in_globals(int n)
{
	static long calls = 70;

	calls += n;
	counter++;
	__asm__ volatile("" : "+m"(global));
	HAVE(n);
	printf("globals: global=%ld counter=%d calls=%ld x=-7\n", global,
	       counter, calls);
	tick++; /* PROBE globals: global counter calls x=last.at.x */
	KEEP(n);
	__asm__ volatile("" : : "m"(calls));
	return n;
}

/* ---- scopes -------------------------------------------------------------------- */

static apart int in_scopes(int n)
{
	HAVE(n);
	{
		long n = 77;

		HAVE(n);
		printf("inner: n=%ld\n", n);
		tick++; /* PROBE inner: n */
		KEEP(n);
	}
	printf("outer: n=%d\n", n);
	tick++; /* PROBE outer: n */
	KEEP(n);
	return n;
}

static inline __attribute__((__always_inline__)) int in_inlined(int a, int b)
{
	int c = a - b;

	HAVE(c);
	printf("inlined: c=%d\n", c);
	tick++; /* PROBE inlined: c */
	KEEP(c);
	return c;
}

static apart int in_caller(int n)
{
	HAVE(n);
	n = in_inlined(n, 3);
	HAVE(n);
	return in_inlined(10, n);
}

/* ---- the entry ------------------------------------------------------------------ */

/* After the calls nothing of @a is left but what the caller passed. */
static apart long in_entry(long a, const char *b)
{
	printf("entry: a=%ld b=\"%s\"\n", a, b);
	twice(tick);
	puts("at: 1");
	tick++; /* PROBE entry: a b=b:string */
	puts("at: 2");
	return tick;
}

static apart long in_deep(long n)
{
	long ret = n;

	printf("deep: n=%ld\n", n);
	if (n > 1)
		ret += in_deep(n - 1);
	tick++; /* PROBE deep: n */
	return ret + tick;
}

/* ---- other units ---------------------------------------------------------------- */

static apart int in_near(int n)
{
	HAVE(n);
	return in_far(n, "far away") + 1;
}

int main(int argc, char **argv)
{
	int sum;

	setvbuf(stdout, NULL, _IOLBF, 0);
	sum = in_numbers(-5, 1L << 40, 200, -300, argc > 0, BLUE);
	sum += in_computed(6, 7) + in_members(&first, 2) + in_wholes(&first);
	sum += in_globals(5) + in_scopes(11) + in_caller(20);
	sum += in_entry(4711, "given") + in_deep(5) + in_near(21);
	HAVE(sum);
	return !argv;
}
