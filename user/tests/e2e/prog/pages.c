// SPDX-License-Identifier: GPL-2.0
/*
 * usage: pages NR
 *
 * Calls lseek() on /dev/null with the offset 0, touches NR new pages, and calls it with the
 * offset 1; then sleeps NR times for a moment, and calls it with the offset 2. Prints by how
 * much its page faults and its voluntary context switches grew (getrusage()). It is alone on
 * the last CPU as far as a real-time priority can see to that.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define PAGE 4096UL

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void alone(void)
{
	struct sched_param param = { .sched_priority = 50 };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
	if (sched_setaffinity(0, sizeof(set), &set) ||
	    sched_setscheduler(0, SCHED_FIFO, &param))
		fail("pages: scheduler");
}

int main(int argc, char **argv)
{
	unsigned long i, nr = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
	int fd = open("/dev/null", O_RDONLY);
	struct rusage at[3];
	volatile char *room;

	if (fd < 0)
		fail("/dev/null");
	alone();
	room = mmap(NULL, nr * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		fail("pages: mmap");
	madvise((void *)room, nr * PAGE, MADV_NOHUGEPAGE);
	/* what runs from here on causes no faults of its own */
	usleep(1);
	for (i = 0; i < 3; i++) {
		getrusage(RUSAGE_SELF, &at[i]);
		lseek(fd, 7, SEEK_SET);
	}
	getrusage(RUSAGE_SELF, &at[0]);
	lseek(fd, 0, SEEK_SET);
	for (i = 0; i < nr; i++)
		room[i * PAGE] = 1;
	lseek(fd, 1, SEEK_SET);
	getrusage(RUSAGE_SELF, &at[1]);
	for (i = 0; i < nr; i++)
		usleep(1);
	lseek(fd, 2, SEEK_SET);
	getrusage(RUSAGE_SELF, &at[2]);
	printf("%ld %ld\n", at[1].ru_minflt - at[0].ru_minflt,
	       at[2].ru_nvcsw - at[1].ru_nvcsw);
	return 0;
}
