// SPDX-License-Identifier: GPL-2.0
/*
 * Opens names that are hard to read: across the border of two pages, cut off
 * by an unmapped page, at no address at all, and a long one.
 */
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

int main(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *two, *one, longer[600];

	two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	one = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (two == MAP_FAILED || one == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	munmap(one + page, page);

	memcpy(two + page - 5, "/nope/across", sizeof("/nope/across"));
	open_at(two + page - 5);

	memcpy(one + page - 4, "/cut", 4);
	open_at(one + page - 4);

	memcpy(one + page - 6, "/fits", sizeof("/fits"));
	open_at(one + page - 6);

	open_at(NULL);
	open_at((const char *)8);

	memset(longer, 'y', sizeof(longer) - 1);
	longer[0] = '/';
	longer[sizeof(longer) - 1] = '\0';
	open_at(longer);
	return 0;
}
