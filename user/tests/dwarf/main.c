// SPDX-License-Identifier: GPL-2.0
/* What debug_test looks for: types, scopes, copies, and a twin of other.c's. */
#include <stdbool.h>

typedef struct {
	int whole;
	union {
		char first;
		long second;
	};
} nameless_t;

enum small { SMALL_LOW = -3, SMALL_HIGH = 70000 };
enum large { LARGE = 0x123456789abcll };

struct incomplete;

struct bits {
	unsigned int a : 3;
	unsigned int b : 29;
	int s : 5;
	bool ready : 1;
	unsigned long wide : 40;
};

struct types {
	nameless_t nameless;
	enum small small;
	enum large large;
	struct incomplete *incomplete;
	nameless_t *pointer;
	struct types *self;
	const volatile short numbers[3][5];
	char text[16];
	struct bits bits;
	int (*function)(int given);
	double real;
	__int128 wide;
	union {
		int inside;
		unsigned char bytes[4];
	};
	struct {
		int deep;
	} named;
	unsigned long tail[];
};

struct types global;
extern int declared;
int declared = 4;
volatile int sink;

__attribute__((noinline)) static int twin(int given)
{
	sink = given;
	return given * 3;
}

static inline __attribute__((always_inline)) int copied(int given)
{
	sink += given;
	return given + sink;
}

__attribute__((noinline)) int scopes(int name, struct types *t)
{
	int sum = name;

	if (name > 3) {
		long name = t->small;

		sink = name;
		{
			char name = t->text[0];

			sink = name; /* the innermost */
			sum += name;
		}
		sum += name;
	}
	{
		extern int declared;

		sum += declared;
	}
	return sum;
}

int other(int given);

__attribute__((noinline)) int user(int given)
{
	int first = copied(given);

	return copied(first + 1) + twin(first);
}

int main(int argc, char **argv)
{
	return scopes(argc, &global) + user(argc) + other(argc);
}
