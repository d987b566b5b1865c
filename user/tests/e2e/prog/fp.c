// SPDX-License-Identifier: GPL-2.0
/* Functions that have frame pointers and, by how it is compiled, no unwind information. */
#define API __attribute__((noinline, noclone, externally_visible))

static volatile int calls;

API void inner(void)
{
	calls++;
}

API void middle(void)
{
	inner();
	calls++;
}

API void outer(void)
{
	middle();
	calls++;
}

int main(void)
{
	outer();
	return !calls;
}
