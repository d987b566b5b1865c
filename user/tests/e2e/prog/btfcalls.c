// SPDX-License-Identifier: GPL-2.0
/*
 * System calls whose functions in the kernel get known arguments. What only the
 * kernel knows, the number of the inode, is printed.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAME "/tmp/known-name"
#define PAGE 4096

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/* 10 bytes, read from the fifth one on */
static int read_file(int fd)
{
	char buf[5000];

	if (write(fd, "0123456789", 10) != 10 || lseek(fd, 5, SEEK_SET) != 5)
		return fail(NAME);
	if (read(fd, buf, 4097) != 5 || pread(fd, buf, 3, 7) != 3)
		return fail("read");
	/* 3 bytes more than there are, with an offset that is no end */
	if (pread(fd, buf, 100, 4000) != 0 || read(-1, buf, 1) != -1)
		return fail("pread");
	return fdatasync(fd) ? fail("fdatasync") : 0;
}

static int open_again(void)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS,
	};

	if (syscall(SYS_openat2, AT_FDCWD, NAME, &how, sizeof(how)) < 0)
		return fail("openat2");
	return 0;
}

static int map_file(int fd)
{
	if (mmap(NULL, 12345, PROT_READ, MAP_PRIVATE, fd, 3 * PAGE) ==
	    MAP_FAILED)
		return fail("mmap");
	return 0;
}

static int bind_port(void)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET, .sin_port = htons(41234),
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, (struct sockaddr *)&at, sizeof(at)))
		return fail("bind");
	return 0;
}

int main(void)
{
	int fd = open(NAME, O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return fail(NAME);
	printf("ino=%lu\n", (unsigned long)st.st_ino);
	fflush(stdout);
	return read_file(fd) || open_again() || map_file(fd) || bind_port();
}
