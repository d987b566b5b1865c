// SPDX-License-Identifier: GPL-2.0
/*
 * A reader that scribbles over its tail while records come: it loses records,
 * which are counted, and nothing else happens.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nlraw.h"

#define PAGE	4096UL
#define RING	16384UL

static uint64_t random_word(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return *seed ^ *seed >> 29;
}

/* Hits on one CPU, until killed. */
static pid_t start_hits(int cpu)
{
	cpu_set_t set;
	pid_t pid = fork();
	char byte;

	if (pid)
		return pid;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (;;)
		if (read(-1, &byte, 1) == 0 || read(0, &byte, 0) == 1)
			break;
	_exit(0);
}

static void scribble(volatile struct ktap_ring_consumer *cons,
		     volatile const struct ktap_ring_producer *prod)
{
	time_t end = time(NULL) + 3;
	uint64_t seed = 1, r;

	while (time(NULL) < end) {
		r = random_word(&seed);
		switch (r >> 62) {
		case 0:
			cons->tail = random_word(&seed);
			break;
		case 1:
			cons->tail = prod->head + (int16_t)r;
			break;
		case 2:
			cons->tail = prod->reserve;
			break;
		default:
			cons->tail = prod->head - RING;
		}
	}
}

static void try_on_cpu(struct sock *s, int cpu)
{
	uint64_t at = cpu * KTAP_MMAP_STRIDE;
	int id = probe_new(s, "tails", 0, 0), fd = session_open();
	struct ktap_session_counts counts = { .id = id, .cpu = cpu };
	volatile struct ktap_ring_consumer *cons;
	volatile struct ktap_ring_producer *prod;
	struct ktap_counts *c = &counts.counts;
	pid_t pid;

	cons = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
	prod = mmap(NULL, PAGE + RING, PROT_READ, MAP_SHARED, fd, at + PAGE);
	if (cons == MAP_FAILED || prod == MAP_FAILED)
		die("mmap");
	pid = start_hits(cpu);
	is_error(session_attach(fd, id), 0, "tails: attach, CPU %d", cpu);
	scribble(cons, prod);
	is_error(session_detach(fd, 0), 0, "tails: detach, CPU %d", cpu);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	is_error(xioctl(fd, KTAP_IOC_COUNTS, &counts), 0,
		 "tails: counts, CPU %d", cpu);
	ok(c->hits > 1000 && c->recorded && c->lost_full,
	   "tails: CPU %d: %llu hits, %llu recorded, %llu lost", cpu,
	   (unsigned long long)c->hits, (unsigned long long)c->recorded,
	   (unsigned long long)c->lost_full);
	is(c->hits, c->recorded + c->lost_full, "tails: they add up, CPU %d", cpu);
	is(prod->head, prod->reserve, "tails: all is published, CPU %d", cpu);
	ok(prod->size == RING && prod->magic == KTAP_RING_MAGIC,
	   "tails: the ring is what it was, CPU %d", cpu);
	close(fd);
	munmap((void *)cons, PAGE);
	munmap((void *)prod, PAGE + RING);
	probe_del(s, id);
}

void try_tails(void)
{
	struct sock *s = sock_open();

	try_on_cpu(s, 0);
	try_on_cpu(s, 1);
	sock_close(s);
}
