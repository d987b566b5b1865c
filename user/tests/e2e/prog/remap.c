// SPDX-License-Identifier: GPL-2.0
/*
 * usage: remap SECONDS
 *
 * Three threads map, unmap and protect pieces of the same memory, so the tree of the
 * process's mappings changes all the time.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define NR_THREADS	3
#define NR_PAGES	4096U
#define MOST		64U
#define PAGE		4096UL
#define CHANGES		200

static char *room;
static time_t until;

static void change(unsigned int *seed)
{
	char *at = room + rand_r(seed) % (NR_PAGES - MOST) * PAGE;
	size_t size = (1 + rand_r(seed) % MOST) * PAGE;

	switch (rand_r(seed) % 3) {
	case 0:
		munmap(at, size);
		break;
	case 1:
		mmap(at, size, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		break;
	default:
		mprotect(at, size, rand_r(seed) % 2 ? PROT_READ : PROT_NONE);
	}
}

static void *work(void *arg)
{
	unsigned int i, seed = *(unsigned int *)arg;

	while (time(NULL) < until)
		for (i = 0; i < CHANGES; i++)
			change(&seed);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned int i, seeds[NR_THREADS];
	pthread_t threads[NR_THREADS];

	if (argc != 2)
		return 2;
	until = time(NULL) + atoi(argv[1]);
	room = mmap(NULL, NR_PAGES * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED) {
		perror("remap");
		return 1;
	}
	for (i = 0; i < NR_THREADS; i++) {
		seeds[i] = i;
		if (pthread_create(&threads[i], NULL, work, &seeds[i]))
			return 1;
	}
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
