// SPDX-License-Identifier: GPL-2.0
/* Mappings of the rings: what may be mapped how. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nlraw.h"

#define PAGE	4096UL
#define RING	16384UL		/* of session_open() */
#define ALL	(PAGE + RING)	/* the producer's page and the data */

static void *map(int fd, size_t size, int prot, int flags, uint64_t at)
{
	return mmap(NULL, size, prot, flags, fd, at);
}

static void refused(void *p, int error, const char *what)
{
	is_error(p == MAP_FAILED ? -errno : 0, -error, "maps: %s", what);
	if (p != MAP_FAILED)
		munmap(p, PAGE);
}

static void try_refused(int fd)
{
	static const uint64_t cpu1 = KTAP_MMAP_STRIDE;

	refused(map(fd, ALL, PROT_READ | PROT_WRITE, MAP_SHARED, PAGE), EPERM,
		"producer, writable");
	refused(map(fd, PAGE, PROT_WRITE, MAP_SHARED, PAGE), EPERM,
		"producer's page, writable");
	refused(map(fd, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 2 * PAGE),
		EPERM, "data, writable");
	refused(map(fd, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
		    cpu1 + PAGE + RING), EPERM, "last page, writable");
	refused(map(fd, PAGE, PROT_READ, MAP_PRIVATE, 0), EINVAL,
		"consumer, private");
	refused(map(fd, ALL, PROT_READ | PROT_WRITE, MAP_PRIVATE, PAGE), EINVAL,
		"producer, private");
	refused(map(fd, ALL, PROT_READ | PROT_EXEC, MAP_SHARED, PAGE), EINVAL,
		"producer, executable");
	refused(map(fd, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0),
		EINVAL, "consumer and producer at once");
	refused(map(fd, ALL + PAGE, PROT_READ, MAP_SHARED, PAGE), EINVAL,
		"one page too many");
	refused(map(fd, PAGE, PROT_READ, MAP_SHARED, PAGE + ALL), EINVAL,
		"the page behind the last");
	refused(map(fd, 1UL << 40, PROT_READ, MAP_SHARED, PAGE), EINVAL,
		"far too many pages");
	refused(map(fd, PAGE, PROT_READ, MAP_SHARED, KTAP_MMAP_STRIDE - PAGE),
		EINVAL, "the last page of a stride");
	refused(map(fd, PAGE, PROT_READ, MAP_SHARED, 9999 * KTAP_MMAP_STRIDE),
		ENXIO, "CPU 9999");
	refused(map(fd, PAGE, PROT_READ, MAP_SHARED, ~0UL << 33), ENXIO,
		"a CPU beyond counting");
}

static void does_not_grow(void *p, size_t size, const char *what)
{
	void *moved = mremap(p, size, 2 * size, MREMAP_MAYMOVE);

	ok(moved == MAP_FAILED, "maps: %s does not grow", what);
	if (moved == MAP_FAILED)
		munmap(p, size);
	else
		munmap(moved, 2 * size);
}

/* What is mapped stays what it is. */
static void try_changed(int fd)
{
	uint8_t *prod = map(fd, ALL, PROT_READ, MAP_SHARED, PAGE);
	uint8_t *cons = map(fd, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0);

	ok(prod != MAP_FAILED && cons != MAP_FAILED, "maps: the right way");
	is_error(mprotect(prod, ALL, PROT_READ | PROT_WRITE) ? -errno : 0,
		 -EACCES, "maps: producer made writable");
	is_error(mprotect(prod, ALL, PROT_READ | PROT_EXEC) ? -errno : 0,
		 -EACCES, "maps: producer made executable");
	is_error(mprotect(cons, PAGE, PROT_READ | PROT_EXEC) ? -errno : 0,
		 -EACCES, "maps: consumer made executable");
	does_not_grow(prod, ALL, "producer");
	does_not_grow(cons, PAGE, "consumer");
}

/* A descriptor that cannot write maps what is only read. */
static void try_read_only(void)
{
	struct ktap_session_setup setup = { .ring_size = RING,
					    .subbuf_size = PAGE };
	int fd = open("/dev/ktap", O_RDONLY | O_CLOEXEC);
	void *p;

	if (fd < 0 || xioctl(fd, KTAP_IOC_SETUP, &setup))
		die("/dev/ktap");
	p = map(fd, ALL, PROT_READ, MAP_SHARED, PAGE);
	ok(p != MAP_FAILED, "maps: producer of a read-only descriptor");
	if (p != MAP_FAILED)
		munmap(p, ALL);
	refused(map(fd, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0), EACCES,
		"consumer of a read-only descriptor, writable");
	close(fd);
}

/* The file is closed; who still maps it still may. */
static void try_after_close(struct sock *s)
{
	int fd = session_open(), status;
	struct ktap_ring_consumer *cons = map(fd, PAGE, PROT_READ | PROT_WRITE,
					      MAP_SHARED, 0);
	struct ktap_ring_producer *prod = map(fd, ALL, PROT_READ, MAP_SHARED,
					      PAGE);
	pid_t pid;

	close(fd);
	cons->tail = 8;
	is(prod->magic, KTAP_RING_MAGIC, "maps: they outlive the descriptor");
	is(prod->size, RING, "maps: and say what they are");
	pid = fork();
	if (!pid) {
		cons->tail = 16;
		_exit(prod->magic != KTAP_RING_MAGIC);
	}
	waitpid(pid, &status, 0);
	is(status, 0, "maps: a child has them too");
	is(cons->tail, 16, "maps: the same ones");
	munmap(cons, PAGE);
	munmap(prod, ALL);
	is(limits(s)->ring_total, 0, "maps: with the last the rings go");
}

void try_maps(void)
{
	int fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);
	struct sock *s = sock_open();

	refused(map(fd, PAGE, PROT_READ, MAP_SHARED, 0), ENXIO, "before setup");
	close(fd);
	fd = session_open();
	try_refused(fd);
	try_changed(fd);
	close(fd);
	try_read_only();
	try_after_close(s);
	is(limits(s)->ring_total, 0, "maps: no ring is left");
	sock_close(s);
}
