// SPDX-License-Identifier: GPL-2.0
/*
 * usage: clocks N
 *
 * Asks the kernel N times what time it is, by a system call: what the vdso does
 * instead depends on the clock source. Then reads /dev/zero N times.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long i, n = argc > 1 ? atol(argv[1]) : 0;
	int fd = open("/dev/zero", O_RDONLY);
	struct timespec now;
	char byte;

	for (i = 0; i < n; i++)
		if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now))
			return 1;
	for (i = 0; i < n; i++)
		if (read(fd, &byte, 1) != 1)
			return 1;
	return 0;
}
