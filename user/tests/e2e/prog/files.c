// SPDX-License-Identifier: GPL-2.0
/*
 * usage: files DIRECTORY NUMBER
 *
 * Calls getpgid() from code of NUMBER files, one after the other. None exists for long. With -
 * as DIRECTORY: NUMBER times from one file, into which it writes another page before each call,
 * as a JIT compiler does.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096UL

static const unsigned char code[] = {
#if defined(__x86_64__)
	0xb8, 0x79, 0x00, 0x00, 0x00, /* mov $121, %eax: getpgid() */
	0x0f, 0x05, /* syscall */
	0xc3, /* ret */
#else
	0x68, 0x13, 0x80, 0xd2, /* mov x8, #155: getpgid() */
	0x01, 0x00, 0x00, 0xd4, /* svc #0 */
	0xc0, 0x03, 0x5f, 0xd6, /* ret */
#endif
};

static void one(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0700);
	void (*call)(int pid);
	void *at;

	if (fd < 0 || write(fd, code, sizeof(code)) != sizeof(code)) {
		perror(name);
		exit(1);
	}
	at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	memcpy(&call, &at, sizeof(call));
	call(0);
	munmap(at, PAGE);
	close(fd);
	unlink(name);
}

static int jit(int nr)
{
	int i, fd = memfd_create("jit", 0);
	size_t size = (nr + 1) * PAGE;
	void (*call)(int pid);
	char *to, *at;

	if (fd < 0 || ftruncate(fd, size)) {
		perror("jit");
		return 1;
	}
	to = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	at = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	if (to == MAP_FAILED || at == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	memcpy(to, code, sizeof(code));
	__builtin___clear_cache(at, at + sizeof(code));
	memcpy(&call, &at, sizeof(call));
	for (i = 1; i <= nr; i++) {
		to[i * PAGE] = 1;
		usleep(20000);
		call(0);
	}
	return 0;
}

int main(int argc, char **argv)
{
	char name[4096];
	int i, nr;

	if (argc != 3)
		return 2;
	nr = atoi(argv[2]);
	if (!strcmp(argv[1], "-"))
		return jit(nr);
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%s/f%d", argv[1], i);
		one(name);
	}
	return 0;
}
