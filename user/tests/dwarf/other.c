// SPDX-License-Identifier: GPL-2.0
/* A twin of main.c's, and code in two parts. */
extern volatile int sink;

__attribute__((noinline, cold)) static void fail(int given)
{
	sink = given;
}

__attribute__((noinline)) static int twin(int given)
{
	sink = given + 1;
	return given * 5;
}

__attribute__((noinline)) int parted(int given)
{
	int kept = given * 7;

	if (__builtin_expect(given == 12345, 0)) {
		fail(kept);
		sink = kept - 1;
		fail(kept + sink);
	}
	return kept + sink;
}

int other(int given)
{
	return twin(given) + parted(given);
}
