// SPDX-License-Identifier: GPL-2.0
/* Variables of which something cannot be had; optimised. */
struct pair {
	long a, b;
};

struct large {
	long n[8];
};

#define apart __attribute__((noinline, noclone))

volatile int sink;
__thread int own = 4;

apart long two(struct pair both)
{
	sink++;
	return both.a * sink + both.b;
}

apart long large(struct large all)
{
	sink++;
	return all.n[3] + sink;
}

apart long none(void)
{
	sink++;
	return 5;
}

static inline __attribute__((always_inline)) long inner(struct pair *where)
{
	sink++; /* line: inner */
	return where->a * sink;
}

apart long outer(long n)
{
	struct pair hidden = { n, 2 };

	return inner(&hidden);
}

apart int threads(int n)
{
	sink += n;
	return own + n;
}

int main(int argc, char **argv)
{
	struct pair p = { argc, 3 };
	struct large l = { { argc } };

	return two(p) + large(l) + none() + outer(argc) + threads(argc) + !argv;
}
