// SPDX-License-Identifier: GPL-2.0
/* Variables that C++ finds by rules of its own, for cxx.t. */
#define KEPT __attribute__((noinline))

int shared = 1;
int hidden = 2;
volatile int sink;

namespace geo {

int shared = 3;

struct base {
	int inherited = 4;
};

struct point : base {
	static int counted;
	int x = 5;
	int hidden = 6;
	int &bound;

	explicit point(int &to) : bound(to) {}
	KEPT int sum(int by);
};

int point::counted = 7;

int point::sum(int by)
{
	sink = by;
	return x + hidden + inherited + counted + shared + bound;
}

}

KEPT int refer(int &plain, const geo::point &p, int &&moved)
{
	sink = plain;
	return plain + p.x + moved;
}

int main(int argc, char **)
{
	geo::point p(argc);

	return refer(argc, p, 3) + p.sum(argc) + shared + hidden;
}
