// SPDX-License-Identifier: GPL-2.0
/*
 * blocker NR FIFO: NR threads read from an event counter, and so are inside of
 * the read until the file FIFO has a writer; then each gets its event, and the
 * program ends with the number of those that did not as its status.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int events;

static void *reader(void *arg)
{
	uint64_t nr = 0;

	(void)arg;
	return (void *)(intptr_t)(read(events, &nr, sizeof(nr)) == sizeof(nr) &&
				  nr == 1);
}

int main(int argc, char **argv)
{
	int nr = argc > 2 ? atoi(argv[1]) : 0, bad = nr, i;
	uint64_t all = nr;
	pthread_t *threads = calloc(nr + 1, sizeof(*threads));
	void *good;

	events = eventfd(0, EFD_SEMAPHORE);
	if (!nr || !threads || events < 0)
		return 255;
	for (i = 0; i < nr; i++)
		if (pthread_create(&threads[i], NULL, reader, NULL))
			return 255;
	/* until somebody opens the other end */
	if (open(argv[2], O_RDONLY) < 0)
		return 255;
	if (write(events, &all, sizeof(all)) != sizeof(all))
		return 255;
	for (i = 0; i < nr; i++) {
		pthread_join(threads[i], &good);
		bad -= !!good;
	}
	return bad;
}
