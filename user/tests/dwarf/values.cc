// SPDX-License-Identifier: GPL-2.0
/* Values that are more than C has words for, as debug_values_test says them. */
struct far {
	int far_one = 1;
};

struct near : virtual far {
	int near_one = 2;
};

struct whole {
	int first;
	long double real;
	__float128 quad;
};

struct endless {
	int count;
	int tail[];
};

extern "C" {
near inherits;
whole reals = { 1, 3.14159265358979323851L, -1.5 };
long double few[] = { 0.1L, -0.0L, 1e4932L, __builtin_infl() };
double simple = 0.1;
float narrow = 0.1f;
endless open = { 2, { 7, 8 } };
_Complex double pair = 1.5;
}

int main()
{
	return inherits.near_one + reals.first + few[0] + simple + narrow +
	       open.count + (__real__ pair > 0);
}
