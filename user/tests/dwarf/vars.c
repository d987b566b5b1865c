// SPDX-License-Identifier: GPL-2.0
/* Functions whose variables debug_vars_test.c asks for. */
int global;

/* in C this is a name like any other */
int counts(int n)
{
	int this = n * 2;

	global += this;
	return this + global;
}

/* Optimised, the pointer is nowhere, and what it points at is in two registers. */
struct couple { int a, b; };

static int inner(const struct couple *p)
{
	int sum = p->a;

	__asm__ volatile("nop" : "+r"(sum));
	return sum + p->b;
}

int outer(int x, int y)
{
	struct couple c = { x, y };

	return inner(&c) + x;
}

/* The symbol of this name is data of another file; the function is only inlined. */
int data __asm__("named_twice") = 1;

static inline __attribute__((always_inline)) int named_twice(int n)
{
	__asm__ volatile("nop" : "+r"(n));
	return n;
}

int has_inlined(int n)
{
	return named_twice(n) + data;
}

/*
 * ---- where parameters travel: compiled with -O2, such a function shows where its
 * last one is
 */

struct one { double a; };
struct pair { float a, b, c, d; };
struct mixed { double a; long b; };
struct near { float a; int b; };
struct large { double a, b, c; };
struct five { float a, b, c, d, e; };
struct uneven { float a; double b; };
struct array { double a[2]; };
union either { double a; float b; };
struct bits { double a; int b : 3; };
struct real { long double a; };

int one(struct one p, int n) { return n; }
int pair(struct pair p, int n) { return n; }
int mixed(int m, struct mixed p, int n) { return n; }
int near(struct near p, int n) { return n; }
int large(struct large p, int n) { return n; }
int five(struct five p, int n) { return n; }
int uneven(struct uneven p, int n) { return n; }
int array(struct array p, int n) { return n; }
int either(union either p, int n) { return n; }
int bits(struct bits p, int n) { return n; }
int real(struct real p, int n) { return n; }
int first(long double p, int n) { return n; }

/* The last ones are on the stack. */
int behind(int a, int b, int c, int d, int e, int f, int g, int h, int i,
	   long double p, int n)
{
	return n;
}

int many(double a, double b, double c, double d, double e, double f, double g,
	 double h, double i, struct one p, int j, int k, int l, int m, int o,
	 int q, int r, int s, int n)
{
	return n;
}

/* Of the third one as many registers are left as it takes. */
int few(struct pair a, double b, struct array c, struct pair d, double e,
	long double f, int g, int h, int i, int j, int k, int l, int m, int o,
	int n)
{
	return n;
}

int vector(int m, int p __attribute__((vector_size(16))), int n) { return n; }
int complex(int m, _Complex double p, int n) { return n; }

struct large give_large(struct large *p, int n) { return *p; }
struct uneven give_uneven(struct uneven *p, int n) { return *p; }
struct real give_real(struct real *p, int n) { return *p; }

void _start(void)
{
	global = counts(1);
	for (;;)
		;
}
