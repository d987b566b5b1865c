// SPDX-License-Identifier: GPL-2.0
/* Sessions and what is in their rings. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <errno.h>

#include "uraw.h"

#define RING_SIZE	(1 << 20)
#define CPUS_MAX	64
#define HITS_MAX	20000

struct ring {
	struct ktap_ring_consumer *cons;
	const struct ktap_ring_producer *prod;
	uint32_t tid;
	uint64_t full;
};

struct session {
	int fd;
	struct ring ring[CPUS_MAX];
};

static void *map(int fd, size_t size, int prot, off_t at)
{
	void *p = mmap(NULL, size, prot, MAP_SHARED, fd, at);

	return p == MAP_FAILED ? NULL : p;
}

struct session *session(void)
{
	struct ktap_session_setup setup = { .ring_size = RING_SIZE,
					    .flags = KTAP_SESSION_F_SELF };
	struct session *s = calloc(1, sizeof(*s));
	unsigned int cpu;

	if (!s)
		die("memory");
	s->fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);
	if (s->fd < 0 || ioctl(s->fd, KTAP_IOC_SETUP, &setup))
		die("/dev/ktap");
	for (cpu = 0; cpu < setup.nr_cpus && cpu < CPUS_MAX; cpu++) {
		struct ring *r = &s->ring[cpu];

		r->cons = map(s->fd, 4096, PROT_READ | PROT_WRITE,
			      cpu * KTAP_MMAP_STRIDE);
		r->prod = map(s->fd, 4096 + RING_SIZE, PROT_READ,
			      cpu * KTAP_MMAP_STRIDE + 4096);
	}
	return s;
}

void session_close(struct session *s)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS_MAX; cpu++)
		if (s->ring[cpu].cons) {
			munmap(s->ring[cpu].cons, 4096);
			munmap((void *)s->ring[cpu].prod, 4096 + RING_SIZE);
		}
	close(s->fd);
	free(s);
}

int attach(struct session *s, uint32_t id)
{
	struct ktap_session_attach arg = { .id = id };

	return ioctl(s->fd, KTAP_IOC_ATTACH, &arg) ? -errno : 0;
}

int detach(struct session *s, uint32_t id)
{
	struct ktap_session_attach arg = { .id = id };

	return ioctl(s->fd, KTAP_IOC_DETACH, &arg) ? -errno : 0;
}

int scope(struct session *s, pid_t pid)
{
	struct ktap_session_scope arg = { .pid = pid,
					  .flags = KTAP_SCOPE_F_TREE };

	return ioctl(s->fd, KTAP_IOC_SCOPE, &arg) ? -errno : 0;
}

struct ktap_counts counts_of(struct session *s, uint32_t id)
{
	struct ktap_session_counts arg = { .id = id, .cpu = -1 };

	if (ioctl(s->fd, KTAP_IOC_COUNTS, &arg))
		die("KTAP_IOC_COUNTS");
	return arg.counts;
}

/* ---- records ------------------------------------------------------------------ */

static struct hit found[HITS_MAX];
static unsigned int nr_found;

static void take(struct ring *r, const struct ktap_rec_head *head)
{
	struct hit *h = &found[nr_found];

	if (head->id == KTAP_REC_SUBBUF) {
		r->tid = ((const struct ktap_rec_subbuf *)head)->tid;
		r->full = ((const struct ktap_rec_subbuf *)head)->raw;
	}
	if (head->id == KTAP_REC_TIME)
		r->full = ((const struct ktap_rec_time *)head)->raw;
	if (head->id == KTAP_REC_TASK)
		r->tid = ((const struct ktap_rec_task *)head)->tid;
	if (head->id == KTAP_REC_AGAIN)
		r->tid = ((const struct ktap_rec_again *)head)->tid;
	if (head->id < KTAP_REC_FIRST_PROBE)
		return;
	if (nr_found == HITS_MAX || head->size - 8u > sizeof(h->payload))
		die("too many records, or too large ones");
	h->id = head->id;
	h->time = r->full + (int32_t)(head->time_low - (uint32_t)r->full);
	h->tid = r->tid;
	h->size = head->size - sizeof(*head);
	memcpy(h->payload, head + 1, h->size);
	h->nr = nr_found++;
}

static void drain(struct ring *r)
{
	uint64_t head = __atomic_load_n(&r->prod->head, __ATOMIC_ACQUIRE);
	const char *base = (const char *)r->prod + r->prod->data_offset;
	uint64_t tail = r->cons->tail;

	while (tail != head) {
		const struct ktap_rec_head *rec =
			(const void *)(base + tail % r->prod->size);
		uint64_t rest = r->prod->subbuf_size -
				tail % r->prod->subbuf_size;

		take(r, rec);
		tail += rec->size ? rec->size : rest;
	}
	__atomic_store_n(&r->cons->tail, tail, __ATOMIC_RELEASE);
}

/* Of one moment: as they were found. */
static int by_time(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->nr < y->nr ? -1 : 1;
}

unsigned int hits(struct session *s, const struct hit **ret)
{
	unsigned int cpu;

	nr_found = 0;
	for (cpu = 0; cpu < CPUS_MAX; cpu++)
		if (s->ring[cpu].prod)
			drain(&s->ring[cpu]);
	qsort(found, nr_found, sizeof(*found), by_time);
	*ret = found;
	return nr_found;
}

const struct hit *only_hit(struct session *s, const char *what)
{
	static const struct hit none;
	const struct hit *h;
	unsigned int nr = hits(s, &h);

	is(nr, 1, "%s: one record", what);
	return nr ? h : &none;
}

uint64_t word(const struct hit *h, unsigned int off)
{
	uint64_t v;

	memcpy(&v, h->payload + off, sizeof(v));
	return v;
}

static struct ktap_string string_of(const struct hit *h, unsigned int off)
{
	struct ktap_string s;

	memcpy(&s, h->payload + off, sizeof(s));
	return s;
}

const char *string(const struct hit *h, unsigned int off)
{
	return string_of(h, off).len ?
	       (const char *)h->payload + off + sizeof(struct ktap_string) : "";
}

unsigned int string_flags(const struct hit *h, unsigned int off)
{
	return string_of(h, off).flags;
}
