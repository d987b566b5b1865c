// SPDX-License-Identifier: GPL-2.0
/*
 * Values of many types, for typed_gdb_test.c: gdb and ktap show the same bytes.
 * Every global variable is compared. A structure that has an anonymous one has a
 * named member beside it. What begins with "flex" is a flexible array.
 */
#include <stdbool.h>
#include <stddef.h>

enum plain { P_ZERO, P_ONE, P_TWO, P_THREE, P_FOUR };
enum negative { N_LOW = -5, N_MINUS = -1, N_ZERO, N_HIGH = 0x7fffffff };
enum flags { F_A = 1, F_B = 2, F_C = 4, F_D = 0x100 };
enum tiny { T_A, T_B = 200 } __attribute__((packed));

typedef unsigned char byte;
typedef enum flags flags_t;
typedef int (*handler_t)(int, const char *);

int handle(int n, const char *s)
{
	return n + !s;
}

struct numbers {
	char c;
	signed char sc;
	unsigned char uc;
	short s;
	unsigned short us;
	int i;
	unsigned int u;
	long l;
	unsigned long ul;
	long long ll;
	bool yes, no;
} numbers = {
	'x', -100, 200, -30000, 60000, -2000000000, 4000000000U,
	-9000000000000000000L, 18000000000000000000UL, -1, true, false,
};

struct letters {
	char a, b, c, d, e, f;
} letters = {
	0, '\n', '\'', '\\', '\377', '\033',
};

struct bits {
	int s1 : 1;
	int s3 : 3;
	unsigned int u5 : 5;
	int s23 : 23;
	unsigned int u31 : 31;
	int s32 : 32;
	unsigned long long u33 : 33;
	long long s31 : 31;
	long long s64 : 64;
	unsigned long long u63 : 63;
	bool b : 1;
	unsigned char c2 : 2;
	signed char c6 : 6;
	unsigned short h9 : 9;
	short h7 : 7;
	int : 0;
	unsigned int last : 4;
} bits = {
	-1, -4, 21, -4000000, 0x7ffffffe, -2147483647, 0x1fffffffeULL, -1073741824,
	-9000000000000000000LL, 0x7ffffffffffffffeULL, true, 2, -31, 500, -64, 9,
};

struct packed_bits {
	unsigned char before;
	long long wide : 61;
	unsigned int over : 30;
	int sign : 7;
	unsigned long long end : 62;
} __attribute__((packed)) packed_bits = {
	7, -1152921504606846970LL, 0x3ffffffe, -63, 0x3ffffffffffffffdULL,
};

struct enum_bits {
	enum plain p : 3;
	enum flags f : 11;
	enum plain q : 8;
} enum_bits = { P_FOUR, F_A | F_D, P_TWO };

struct enums {
	enum plain one, unknown;
	enum negative low, minus, high;
	enum flags none, single, both, more;
	flags_t typed;
	enum tiny tiny[2];
} enums = {
	P_ONE, (enum plain)77, N_LOW, N_MINUS, N_HIGH, 0, F_C, F_A | F_C,
	F_B | F_D | 0x40, F_D, { T_B, T_A },
};

struct anonymous {
	int first;
	union {
		int as_int;
		float as_float;
		struct {
			unsigned short half[2];
		} halves;
	};
	struct {
		int in_struct;
		struct {
			int in_both;
		};
		union {
			char c[4];
			int n;
		};
	};
	int last;
} anonymous = {
	1, { .as_float = 1.5f }, { 2, { 3 }, { .c = "abc" } }, 4,
};

union all {
	int i;
	unsigned char bytes[8];
	double d;
	struct { short a, b; } s;
} all = { .d = -2.25 };

/* gcc 12 swaps the dimensions of arrays in BTF (bug 114186): here none matter */
struct arrays {
	int one[3];
	short two[3][3];
	long three[2][1][2];
	struct { int x, y; } points[2];
	enum plain kinds[3];
	bool flags[2];
	unsigned int flex_none[0];
	float reals[2];
} arrays = {
	{ 1, -2, 3 }, { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }, { { { 7, 8 } }, { { 9, 10 } } },
	{ { 1, 2 }, { 3, 4 } }, { P_TWO, P_ZERO, P_FOUR }, { true, false }, {},
	{ 0.5f, -1.0f },
};

struct texts {
	char normal[16];
	char full[4];
	char none[3];
	char odd[12];
	unsigned char letters[6];
	signed char more[4];
	const char fixed[4];
	struct { char text[4]; } lines[2];
} texts = {
	"hello", { 'f', 'u', 'l', 'l' }, "", "a\"\\\n\t\001z\377", "bytes", "abc",
	"xyz", { { "one" }, { "two" } },
};

struct pointers {
	int *p;
	const char *text;
	void *nothing;
	struct numbers *behind;
	int (*call)(int n, const char *s);
	handler_t handler;
	handler_t table[2];
	void **twice;
} pointers = {
	(int *)0x1234, (const char *)0x10, NULL, (void *)0xffff888000000000UL,
	handle, handle, { handle, NULL }, (void **)0x8,
};

struct reals {
	float f[6];
	double d[7];
} reals = {
	{ 0.1f, 1e30f, -1.17549435e-38f, 16777216.0f, 3.0f, -0.0f },
	{ 0.1, 1e300, 5e-324, -123456789.125, 100.0, 1e22, __builtin_inf() },
};

struct flexible {
	int nr;
	struct { short a; } flex_items[];
} flexible = { 3 };

struct deep {
	struct { struct { struct { struct { int bottom; } d; } c; } b; } a;
	volatile const int qualified;
	byte number;
} deep = { { { { { 5 } } } }, 6, 200 };

struct odd_packed {
	char c;
	int i;
	short s;
	double d;
	void *p;
} __attribute__((packed)) odd_packed = { 'a', -1, 2, 3.5, (void *)1 };

int main(void)
{
	return handle(0, "");
}
