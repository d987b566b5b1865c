// SPDX-License-Identifier: GPL-2.0
/* lseek() with the offsets given: null_lseek() gets them as they are. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open("/dev/null", O_RDONLY);

	if (fd < 0) {
		perror("/dev/null");
		return 1;
	}
	for (int i = 1; i < argc; i++)
		lseek(fd, (off_t)strtoull(argv[i], NULL, 0), SEEK_SET);
	return 0;
}
