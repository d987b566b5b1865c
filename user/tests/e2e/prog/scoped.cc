// SPDX-License-Identifier: GPL-2.0
/* Functions of one name: with other parameters, in other scopes, operators. */
#include <unistd.h>

volatile int sink;

#ifdef __clang__
#define KEPT __attribute__((noinline, optnone))
#else
#define KEPT __attribute__((noipa))
#endif

namespace geo {

struct point {
	int x, y;
	KEPT point(int to_x, int to_y) : x(to_x), y(to_y) { sink = x; }
	KEPT ~point() { sink = y; }
	KEPT int operator()(int by) const { return x * by; }
	KEPT point operator+(const point &more) const
	{
		return point(x + more.x, y + more.y);
	}
	KEPT bool operator<(const point &other) const { return x < other.x; }
	KEPT explicit operator int() const { return sink = x; }
	KEPT operator const char *() const { return y ? "y" : "x"; }
};

KEPT int area(int side)
{
	sink = side;
	return side * side;
}

KEPT int area(int width, const char *name)
{
	sink = *name;
	return width;
}

template <typename T, typename U = unsigned int> struct box {
	T kept;
	KEPT T take(T more) { sink = more; return kept + more; }
};

struct eye {
	KEPT int look(int at) { return sink = at; }
	KEPT int turn(int by) { return sink = by; }
	KEPT int close(int of) { return sink = of; }
};

KEPT int turn(int by)
{
	return sink = by + 1;
}

} // namespace geo

/* A plain symbol, and one that has no scopes; close() is the C library's. */
extern "C" KEPT int look(int at)
{
	return sink = at + 1;
}

KEPT int turn(int by)
{
	return sink = by + 2;
}

namespace other {
KEPT int area(int side)
{
	sink = side;
	return 2 * side;
}
}

int main(int argc, char **)
{
	geo::point a(argc, 2), b(3, 4);
	geo::box<int> box = { argc };
	geo::eye eye;

	return geo::area(argc) + geo::area(5, "word") + other::area(7) +
	       (a + b)(2) + (a < b) + box.take(11) + look(1) + turn(2) +
	       int(a) + *static_cast<const char *>(b) +
	       geo::turn(3) + eye.look(4) + eye.turn(5) + eye.close(6) +
	       close(-1);
}
