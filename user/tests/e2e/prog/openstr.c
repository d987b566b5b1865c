// SPDX-License-Identifier: GPL-2.0
/*
 * Opens names that are hard to read: across the border of two pages, cut off
 * by an unmapped page, in the last bytes of user space, at no address at all,
 * and a long one.
 */
#include <alloca.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void open_at(const char *name)
{
	/* not openat(): its declaration promises a name that is not null */
	syscall(SYS_openat, AT_FDCWD, name, O_RDONLY, 0);
}

/*
 * The last page that can be mapped: where that is depends on the processor, and
 * the kernel may keep one more for itself. Where addresses are not random, the
 * top of the stack has been there: the caller's frame must be below it, and
 * nothing above that can be returned to.
 */
static char *last_page(long page)
{
	static const int bits[] = { 56, 52, 48, 47 };
	size_t i;

	for (i = 0; i < 2 * sizeof(bits) / sizeof(*bits); i++) {
		void *at = (void *)((1UL << bits[i / 2]) - page * (1 + i % 2));

		if (mmap(at, page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE | MAP_FIXED,
			 -1, 0) == at)
			return at;
	}
	perror("mmap of the last page");
	_exit(1);
}

static __attribute__((noinline)) void open_names(long page)
{
	char *two, *one, *last, longer[600];

	two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	one = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (two == MAP_FAILED || one == MAP_FAILED) {
		perror("mmap");
		_exit(1);
	}
	munmap(one + page, page);

	memcpy(two + page - 5, "/nope/across", sizeof("/nope/across"));
	open_at(two + page - 5);

	memcpy(one + page - 4, "/cut", 4);
	open_at(one + page - 4);

	memcpy(one + page - 6, "/fits", sizeof("/fits"));
	open_at(one + page - 6);

	memcpy(one + page - 16, "/cut/at/a/border", 16);
	open_at(one + page - 16);

	last = last_page(page);
	memcpy(last + page - 5, "/end", sizeof("/end"));
	open_at(last + page - 5);

	open_at(NULL);
	open_at((const char *)8);

	memset(longer, 'y', sizeof(longer) - 1);
	longer[0] = '/';
	longer[sizeof(longer) - 1] = '\0';
	open_at(longer);
	_exit(0);
}

int main(void)
{
	long page = sysconf(_SC_PAGESIZE);
	/* frames from here on are below the last page */
	volatile char *room = alloca(2 * page);

	room[0] = 0;
	open_names(page);
}
