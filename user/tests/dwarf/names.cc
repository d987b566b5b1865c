// SPDX-License-Identifier: GPL-2.0
/* Names that are inside of each other, and classes. */
volatile int sink;

namespace outer {

struct base {
	int first;
	int method(int given);
};

struct other {
	int method(int given);
};

class derived : public base {
public:
	static int counted;
	int &reference;
	int second;
	explicit derived(int &to) : reference(to), second(1) {}
	int method(int given);
};

int derived::counted;

namespace {
__attribute__((noinline)) int hidden(int given)
{
	sink = given;
	return given;
}
}

inline namespace v1 {
template <typename T> __attribute__((noinline)) T largest(T a, T b)
{
	sink = a;
	return a < b ? b : a;
}
}

__attribute__((noinline)) int base::method(int given)
{
	sink = first;
	return given;
}

__attribute__((noinline)) int other::method(int given)
{
	sink = given;
	return 2 * given;
}

__attribute__((noinline)) int derived::method(int given)
{
	sink = second;
	return given + reference;
}

} // namespace outer

int main(int argc, char **)
{
	outer::base b = { argc };
	outer::other o;
	outer::derived d(argc);

	return b.method(argc) + o.method(argc) + d.method(argc) +
	       outer::hidden(argc) + outer::largest(argc, 3);
}
