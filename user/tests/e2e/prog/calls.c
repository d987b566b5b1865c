// SPDX-License-Identifier: GPL-2.0
/*
 * calls NR [THREADS [TEXT]]: each thread, on a CPU of its own, calls lseek() on
 * /dev/null NR times, with the number of the call, from 0, as the offset; or
 * with the address of a text of that many bytes. NR 0: until it is killed.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long nr;
static char *text;

static void *work(void *cpu)
{
	int fd = open("/dev/null", O_RDONLY);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((long)cpu, &set);
	if (fd < 0 || sched_setaffinity(0, sizeof(set), &set)) {
		perror("calls");
		exit(1);
	}
	for (unsigned long i = 0; !nr || i < nr; i++)
		lseek(fd, text ? (off_t)text : (off_t)i, SEEK_SET);
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc > 2 ? atol(argv[2]) : 1;
	size_t length = argc > 3 ? atol(argv[3]) : 0;
	pthread_t *ids = calloc(threads, sizeof(*ids));

	nr = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
	if (length) {
		text = malloc(length + 1);
		memset(text, 'x', length);
		text[length] = 0;
	}
	for (long i = 0; i < threads; i++) {
		if (pthread_create(&ids[i], NULL, work, (void *)i))
			return 1;
	}
	for (long i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	return 0;
}
