// SPDX-License-Identifier: GPL-2.0
/*
 * One open /dev/ktap: set up, attach, count, and keep the rings of all CPUs
 * mapped. Reading a ring is ring.c's; this file gives it the memory.
 */
#include "wire/map_table.h"
#include "wire/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "wire/loaded.h"
#include "wire/ring.h"
#include "wire/session_io.h"
#include "wire/stacks.h"

#define SESSION_DEVICE "/dev/ktap"

/* struct cpu_ring - one CPU; @producer is NULL while it has no ring */
struct cpu_ring {
	struct ring ring;
	void *consumer;
	void *producer;
	size_t producer_size;
};

/**
 * struct session - one open device
 * @io: the system
 * @fd: the device
 * @page: bytes of a page
 * @setup: the module's answer
 * @generation: of the set of rings that is mapped
 * @rings: @setup.nr_cpus of them
 * @copy: overwrite mode: where sub-buffers are copied to
 * @table: table of stacks, or NULL
 * @table_size: its bytes
 * @stacks: how far it was read; without a head it is not read
 */
struct session {
	const struct session_io *io;
	int fd;
	size_t page;
	struct ktap_session_setup setup;
	uint32_t generation;
	struct cpu_ring *rings;
	void *copy;
	void *table;
	size_t table_size;
	struct stack_reader stacks;
};

DEFINE_CLEANUP(struct session, session_close)

/* ---- the system ---- */

static int system_open(const char *path)
{
	return open(path, O_RDWR | O_CLOEXEC);
}

static void system_close(int fd)
{
	close(fd);
}

static int system_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static void *system_map(int fd, uint64_t offset, size_t size, int prot)
{
	void *map = mmap(NULL, size, prot, MAP_SHARED, fd, offset);

	return map == MAP_FAILED ? NULL : map;
}

static void system_unmap(void *map, size_t size)
{
	munmap(map, size);
}

static const struct session_io session_system = {
	.open = system_open,
	.close = system_close,
	.ioctl = system_ioctl,
	.map = system_map,
	.unmap = system_unmap,
};

/* Return: 0 or a negative errno. */
static int request(struct session *s, unsigned long ioc, void *arg)
{
	return s->io->ioctl(s->fd, ioc, arg) < 0 ? -errno : 0;
}

/* ---- open ---- */

static int open_failed(int err, struct diag *d)
{
	switch (err) {
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		return not_loaded(err, d);
	case -EACCES:
		diag_set(d, err, DIAG_SESSION_NO_ACCESS);
		diag_hint(d, "run it as root, or as a member of the group that owns /dev/ktap");
		return err;
	case -EPERM:
		diag_set(d, err, DIAG_WIRE_NO_CAPABILITY);
		diag_hint(d, "run it as root");
		return err;
	default:
		return diag_set(d, err, DIAG_SESSION_OPEN, strerror(-err));
	}
}

/* Bytes, or 0 where the system does not tell. */
static unsigned long long available_memory(void)
{
	_cleanup_fclose_ FILE *f = fopen("/proc/meminfo", "re");
	unsigned long long kib;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
			return kib * 1024;
	return 0;
}

static int no_memory(const struct session_options *opt, int err, struct diag *d)
{
	char size[40] = "the default size";
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (opt->ring_size)
		snprintf(size, sizeof(size), "%llu bytes",
			 (unsigned long long)opt->ring_size);
	if (err == -ENOMEM) {
		diag_set(d, err, DIAG_SESSION_NO_MEMORY, size, cpus,
			 available_memory());
		diag_hint(d, "a smaller --buffer-size may fit");
	} else {
		diag_set(d, err, DIAG_SESSION_LIMIT, size, cpus);
		diag_hint(d, "a smaller --buffer-size may fit; 'ktap status' shows what is taken, and by whom");
	}
	return err;
}

static int geometry_refused(const struct session_options *opt, struct diag *d)
{
	diag_set(d, -EINVAL, DIAG_SESSION_GEOMETRY, (unsigned long long)opt->ring_size);
	/* geometry() of the module's session.c */
	diag_hint(d, "a ring has 4 pages (%ld bytes) at least and 1 GiB at most: --buffer-size",
		  4 * sysconf(_SC_PAGESIZE));
	return -EINVAL;
}

static int setup(struct session *s, const struct session_options *opt,
		 struct diag *d)
{
	int err;

	s->setup = (struct ktap_session_setup){
		.flags = (opt->overwrite ? KTAP_SESSION_F_OVERWRITE : 0) |
			 (opt->self ? KTAP_SESSION_F_SELF : 0),
		.subbuf_size = opt->subbuf_size,
		.ring_size = opt->ring_size,
		.watermark = opt->watermark,
	};
	err = request(s, KTAP_IOC_SETUP, &s->setup);
	switch (err) {
	case 0:
		return 0;
	case -EINVAL:
		return geometry_refused(opt, d);
	case -ENOMEM:
	case -ENOSPC:
		return no_memory(opt, err, d);
	default:
		return diag_set(d, err, DIAG_SESSION_SETUP, strerror(-err));
	}
}

/* ---- rings ---- */

static void unmap_ring(struct session *s, struct cpu_ring *c)
{
	if (c->producer)
		s->io->unmap(c->producer, c->producer_size);
	if (c->consumer)
		s->io->unmap(c->consumer, s->page);
	c->producer = NULL;
	c->consumer = NULL;
}

/*
 * The producer page says how much there is to map behind it, so it is mapped
 * twice: alone, and with the data.
 */
static int map_producer(struct session *s, unsigned int cpu, struct cpu_ring *c)
{
	uint64_t offset = cpu * KTAP_MMAP_STRIDE + s->page;
	const struct ktap_ring_producer *p;

	p = s->io->map(s->fd, offset, s->page, PROT_READ);
	if (!p)
		return -errno;
	c->producer_size = p->cpu == cpu ? ring_bytes(p) : 0;
	s->io->unmap((void *)p, s->page);
	if (c->producer_size <= s->page)
		return -EBADMSG;
	c->producer = s->io->map(s->fd, offset, c->producer_size, PROT_READ);
	return c->producer ? 0 : -errno;
}

/* Every ring of a session has the same geometry; the first one settles it. */
static int adopt_ring(struct session *s, struct cpu_ring *c)
{
	const struct ktap_ring_producer *p = c->producer;

	if (!s->setup.ring_size)
		s->setup.ring_size = p->size;
	if (!s->setup.subbuf_size)
		s->setup.subbuf_size = p->subbuf_size;
	if (p->size != s->setup.ring_size ||
	    p->subbuf_size != s->setup.subbuf_size)
		return -EBADMSG;
	if ((s->setup.flags & KTAP_SESSION_F_OVERWRITE) && !s->copy) {
		s->copy = malloc(p->subbuf_size);
		if (!s->copy)
			return -ENOMEM;
	}
	ring_init(&c->ring, c->consumer, p, s->copy);
	return 0;
}

static int map_ring(struct session *s, unsigned int cpu)
{
	struct cpu_ring *c = &s->rings[cpu];
	int err;

	c->consumer = s->io->map(s->fd, cpu * KTAP_MMAP_STRIDE, s->page,
				 PROT_READ | PROT_WRITE);
	if (!c->consumer)
		return -errno;
	err = map_producer(s, cpu, c);
	if (!err)
		err = adopt_ring(s, c);
	if (err)
		unmap_ring(s, c);
	return err;
}

/* Maps the rings that are not mapped yet; a CPU may well have none. */
static int map_rings(struct session *s, struct diag *d)
{
	unsigned int cpu;
	int err;

	for (cpu = 0; cpu < s->setup.nr_cpus; cpu++) {
		if (s->rings[cpu].producer)
			continue;
		err = map_ring(s, cpu);
		if (!err || err == -ENXIO)
			continue;
		if (err == -EBADMSG)
			return diag_set(d, err, DIAG_SESSION_BAD_RING, cpu);
		return diag_set(d, err, DIAG_SESSION_MAP, cpu, strerror(-err));
	}
	return 0;
}

/* The generation is read first: a ring that comes later changes it again. */
static int follow_hotplug(struct session *s, struct diag *d)
{
	struct ktap_session_state state;
	int err = session_state(s, d, &state);

	if (err || state.generation == s->generation)
		return err;
	err = map_rings(s, d);
	if (!err)
		s->generation = state.generation;
	return err;
}

/* ---- the session ---- */

int session_open_marker_io(const struct session_io *io, struct diag *d,
			   struct session **ret)
{
	_cleanup_(session_closep) struct session *s = calloc(1, sizeof(*s));

	if (!s)
		return diag_no_memory(d);
	s->io = io;
	s->page = sysconf(_SC_PAGESIZE);
	s->fd = io->open(SESSION_DEVICE);
	if (s->fd < 0)
		return open_failed(-errno, d);
	*ret = take_ptr(s);
	return 0;
}

int session_open_marker(struct diag *d, struct session **ret)
{
	return session_open_marker_io(&session_system, d, ret);
}

int session_open_io(const struct session_io *io,
		    const struct session_options *opt, struct diag *d,
		    struct session **ret)
{
	_cleanup_(session_closep) struct session *s = NULL;
	struct ktap_session_state state;
	int err;

	err = session_open_marker_io(io, d, &s);
	if (err)
		return err;
	err = setup(s, opt, d);
	if (err)
		return err;
	s->rings = calloc(s->setup.nr_cpus, sizeof(*s->rings));
	if (!s->rings)
		return diag_no_memory(d);
	err = session_state(s, d, &state);
	if (err)
		return err;
	s->generation = state.generation;
	err = map_rings(s, d);
	if (!err)
		*ret = take_ptr(s);
	return err;
}

int session_open(const struct session_options *opt, struct diag *d,
		 struct session **ret)
{
	return session_open_io(&session_system, opt, d, ret);
}

void session_close(struct session *s)
{
	unsigned int cpu;

	if (!s)
		return;
	for (cpu = 0; s->rings && cpu < s->setup.nr_cpus; cpu++)
		unmap_ring(s, &s->rings[cpu]);
	if (s->table)
		s->io->unmap(s->table, s->table_size);
	stack_reader_deinit(&s->stacks);
	if (s->fd >= 0)
		s->io->close(s->fd);
	free(s->rings);
	free(s->copy);
	free(s);
}

int session_fd(const struct session *s)
{
	return s->fd;
}

const struct ktap_session_setup *session_setup_info(const struct session *s)
{
	return &s->setup;
}

int session_state(struct session *s, struct diag *d,
		  struct ktap_session_state *ret)
{
	int err = request(s, KTAP_IOC_STATE, ret);

	if (err)
		diag_set(d, err, DIAG_SESSION_STATE, strerror(-err));
	return err;
}

static int attach_failed(const struct session *s, uint32_t id, int err,
			 struct diag *d)
{
	if (err == -E2BIG)
		return diag_set(d, err, DIAG_SESSION_RECORD_SIZE, id,
				s->setup.subbuf_size);
	if (err == -EDQUOT)
		return diag_set(d, err, DIAG_SESSION_COST, id);
	if (err == -EPERM)
		return diag_set(d, err, DIAG_SESSION_LOCKDOWN, id);
	if (err == -EUSERS)
		return diag_set(d, err, DIAG_SESSION_TICKS, id, KTAP_TIMER_TICKS_MAX);
	if (err == -ENXIO)
		return diag_set(d, err, DIAG_SESSION_FTRACE_OFF, id);
	if (err == -ENOSPC)
		return diag_set(d, err, DIAG_SESSION_ATTACH_MEMORY, id);
	if (err == -ESTALE)
		return diag_set(d, err, DIAG_SESSION_STALE, id);
	return diag_set(d, err, DIAG_SESSION_ATTACH, id, strerror(-err));
}

int session_attach(struct session *s, uint32_t id, struct diag *d)
{
	struct ktap_session_attach arg = { .id = id };
	int err = request(s, KTAP_IOC_ATTACH, &arg);

	return err ? attach_failed(s, id, err, d) : 0;
}

/* A module that does not know this call yet takes them one by one. */
ssize_t session_attach_some(struct session *s, const uint32_t *ids, size_t nr,
			    const struct ktap_session_map *map, struct diag *d)
{
	struct ktap_session_attach_many arg = {
		.ids = (uintptr_t)ids,
		.nr = nr < KTAP_ATTACH_MAX ? nr : KTAP_ATTACH_MAX,
		.flags = map ? KTAP_ATTACH_F_MAP : 0,
		.map = map ? map->map : 0,
	};
	int err = request(s, KTAP_IOC_ATTACH_MANY, &arg);

	if (err == -ENOTTY && !map) {
		err = session_attach(s, ids[0], d);
		return err ? err : 1;
	}
	/* arming fails for all of them: in the end the error is about the first one */
	while (err && arg.nr > 1) {
		arg.nr /= 2;
		err = request(s, KTAP_IOC_ATTACH_MANY, &arg);
	}
	if (!err && (!arg.done || arg.done > arg.nr))
		err = -EBADMSG;
	if (err)
		return attach_failed(s, ids[0], err, d);
	return arg.done;
}

/* ---- marks ---- */

int session_mark(struct session *s, const char *text, size_t size,
		 struct diag *d, struct ktap_marks *ret)
{
	struct ktap_session_mark arg = {
		.text = (uintptr_t)text,
		.size = size,
	};
	int err = request(s, KTAP_IOC_MARK, &arg);

	if (err == -ENOTTY)
		return diag_set(d, err, DIAG_SESSION_NO_MARKS);
	if (err)
		return diag_set(d, err, DIAG_SESSION_MARK, strerror(-err));
	*ret = arg.marks;
	return 0;
}

int session_marks(struct session *s, struct diag *d, struct ktap_marks *ret)
{
	int err;

	*ret = (struct ktap_marks){ 0 };
	err = request(s, KTAP_IOC_MARKS, ret);
	if (!err || err == -ENOTTY)
		return 0;
	return diag_set(d, err, DIAG_SESSION_MARKS, strerror(-err));
}

/* ---- maps ---- */

int session_map(struct session *s, struct ktap_session_map *shape,
		struct diag *d)
{
	int err = request(s, KTAP_IOC_MAP, shape);

	switch (err) {
	case 0:
		return 0;
	case -ENOTTY:
		return diag_set(d, err, DIAG_SESSION_NO_MAPS);
	case -ENOMEM:
	case -ENOSPC:
		diag_set(d, err, DIAG_SESSION_MAP_MEMORY, shape->nr_slots);
		diag_hint(d, "fewer --rows may fit; 'ktap status' shows what is taken");
		return err;
	case -EMFILE:
		return diag_set(d, err, DIAG_SESSION_MAP_LIMIT, KTAP_NR_MAPS);
	default:
		return diag_set(d, err, DIAG_SESSION_MAP_REFUSED, strerror(-err));
	}
}

static bool head_is_good(const struct ktap_map_head *h, unsigned int cpu,
			 const struct ktap_session_map *shape)
{
	return h->magic == KTAP_MAP_MAGIC && h->cpu == cpu &&
	       h->nr_slots == shape->nr_slots &&
	       h->key_off >= sizeof(struct ktap_map_slot) &&
	       h->slot_size == h->key_off + shape->key_size &&
	       h->slots_off + ((uint64_t)h->nr_slots + 1) * h->slot_size <=
		       shape->bytes;
}

/* A CPU that never was online has no table. */
static int read_cpu(struct session *s, unsigned int cpu,
		    const struct ktap_session_map *shape, map_row_fn fn,
		    void *ctx, struct diag *d)
{
	uint64_t nr = (uint64_t)shape->map * s->setup.nr_cpus + cpu;
	struct ktap_map_head *h;
	int err;

	h = s->io->map(s->fd, KTAP_MMAP_MAPS + nr * KTAP_MMAP_STRIDE,
		       shape->bytes, PROT_READ);
	if (!h && errno == ENXIO)
		return 0;
	if (!h)
		return diag_set(d, -errno, DIAG_SESSION_MAP_TABLE, cpu,
				strerror(errno));
	if (head_is_good(h, cpu, shape))
		err = map_table_each(h, fn, ctx);
	else
		err = diag_set(d, -EPROTO, DIAG_SESSION_BAD_TABLE, cpu);
	s->io->unmap(h, shape->bytes);
	return err;
}

int session_map_read(struct session *s, const struct ktap_session_map *shape,
		     map_row_fn fn, void *ctx, struct diag *d)
{
	int err = 0;

	for (unsigned int cpu = 0; !err && cpu < s->setup.nr_cpus; cpu++)
		err = read_cpu(s, cpu, shape, fn, ctx, d);
	return err;
}

/* ---- stacks ---- */

/* The head says how much there is to map. */
static int map_stacks(struct session *s)
{
	const struct ktap_stacks_head *h;

	h = s->io->map(s->fd, KTAP_MMAP_STACKS, s->page, PROT_READ);
	if (!h)
		return -errno;
	s->table_size = h->magic == KTAP_STACKS_MAGIC ? h->stacks_end : 0;
	s->io->unmap((void *)h, s->page);
	if (s->table_size < s->page)
		return -EPROTO;
	s->table = s->io->map(s->fd, KTAP_MMAP_STACKS, s->table_size, PROT_READ);
	return s->table ? 0 : -errno;
}

int session_stacks_begin(struct session *s, struct diag *d)
{
	int err = s->table ? 0 : map_stacks(s);

	if (!err)
		err = stack_reader_init(&s->stacks, s->table, s->table_size);
	if (err == -ENOMEM)
		return diag_no_memory(d);
	return err ? diag_set(d, err, DIAG_SESSION_STACKS, strerror(-err)) : 0;
}

int session_stacks(struct session *s, struct buf *to)
{
	return s->stacks.head ? stack_reader_next(&s->stacks, to) : 0;
}

uint64_t session_stacks_lost(const struct session *s)
{
	return s->stacks.head ? stack_reader_lost(&s->stacks) : 0;
}

/* ---- user stacks ---- */

int session_user_table(struct session *s, struct ktap_session_table *arg)
{
	return request(s, KTAP_IOC_USER_TABLE, arg);
}

int session_user_files(struct session *s, struct ktap_user_file *files, uint32_t room,
		       uint32_t from, struct ktap_session_files *ret)
{
	*ret = (struct ktap_session_files){
		.files = (uintptr_t)files, .room = room, .from = from,
	};
	return request(s, KTAP_IOC_USER_FILES, ret);
}

int session_detach(struct session *s, uint32_t id, struct diag *d)
{
	struct ktap_session_attach arg = { .id = id };
	int err = request(s, KTAP_IOC_DETACH, &arg);

	if (err)
		diag_set(d, err, DIAG_SESSION_DETACH, id, strerror(-err));
	return err;
}

int session_scope(struct session *s, pid_t pid, bool tree, struct diag *d)
{
	struct ktap_session_scope arg = {
		.pid = pid,
		.flags = tree ? KTAP_SCOPE_F_TREE : 0,
	};
	int err = request(s, KTAP_IOC_SCOPE, &arg);

	if (err == -ESRCH)
		return diag_set(d, err, DIAG_SESSION_NO_PROCESS, pid);
	if (err)
		diag_set(d, err, DIAG_SESSION_SCOPE, pid, strerror(-err));
	return err;
}

int session_rates(struct session *s, const struct ktap_session_rates *rates,
		  struct diag *d)
{
	struct ktap_session_rates arg = *rates;
	int err = request(s, KTAP_IOC_RATES, &arg);

	if (err)
		diag_set(d, err, DIAG_SESSION_RATES, strerror(-err));
	return err;
}

int session_counts(struct session *s, uint32_t id, int cpu, struct diag *d,
		   struct ktap_counts *ret)
{
	struct ktap_session_counts arg = { .id = id, .cpu = cpu };
	int err = request(s, KTAP_IOC_COUNTS, &arg);

	if (err == -ENOTTY)
		err = request(s, KTAP_IOC_COUNTS_OLD, &arg);
	if (err)
		return diag_set(d, err, DIAG_SESSION_COUNTS, id, strerror(-err));
	*ret = arg.counts;
	return 0;
}

ssize_t session_read(struct session *s, session_batch_fn fn, void *ctx,
		     struct diag *d)
{
	ssize_t total = 0, bytes;
	unsigned int cpu;
	int err = follow_hotplug(s, d);

	if (err)
		return err;
	for (cpu = 0; cpu < s->setup.nr_cpus; cpu++) {
		if (!s->rings[cpu].producer)
			continue;
		bytes = ring_read(&s->rings[cpu].ring, fn, ctx);
		if (bytes == -EPROTO)
			diag_set(d, bytes, DIAG_SESSION_BAD_RING, cpu);
		if (bytes < 0)
			return bytes;
		total += bytes;
	}
	return total;
}
