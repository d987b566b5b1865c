// SPDX-License-Identifier: GPL-2.0
/*
 * Names that symbols do not have as they are shown: of C++, of Rust, and one with what
 * ends a frame in a folded stack. getpgid(2) is below all of them.
 */
#include <unistd.h>

#define KEPT __attribute__((noinline, noipa))

/* As rustc names core::ops::run<shop::Order>, in the old way and in the new one. */
extern "C" {
KEPT int legacy(int n) __asm__("_ZN4shop5order4sent17h0123456789abcdefE");
KEPT int rust(int n) __asm__("_RNvNtCs123_4shop5order4paid");
KEPT int plain(int n) __asm__("\"ends;early\"");
}

static volatile int sink;

int plain(int n)
{
	sink = getpgid(0);
	return sink + n;
}

int rust(int n)
{
	return plain(n) + 1;
}

int legacy(int n)
{
	return rust(n) + 1;
}

namespace shop
{
template <typename T> struct basket {
	KEPT int total(T n, const char *name)
	{
		return legacy(n) + *name;
	}
};
}

int main()
{
	shop::basket<long> b;

	return b.total(1, "x") == 0;
}
