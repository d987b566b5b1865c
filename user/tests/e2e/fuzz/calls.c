// SPDX-License-Identifier: GPL-2.0
/*
 * System calls on sessions in any order, with arguments that are mostly good, on
 * descriptors that processes share, and pages of the consumer that are written
 * all the time; beside a session that does nothing wrong, of which every record
 * has to be there.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

#define NR_SESSIONS	6
#define NR_MAPS		8
#define PAGE		4096UL
#define PATIENCE_MS	2

/*
 * struct view - what a process has mapped; @consumer: a page that is the reader's to write
 */
struct view {
	uint8_t *at;
	size_t size;
	bool writable, consumer;
};

static uint32_t probes[NR_PROBES];
static int sessions[NR_SESSIONS];
static struct view views[NR_MAPS];

/*
 * struct tally - shared: calls that processes made, those that succeeded, and what became
 * writable that only the kernel writes
 */
static struct tally {
	unsigned long calls, good, bad;
} *tallies;

/* Of this process */
static unsigned long bad;

/* ---- arguments ----------------------------------------------------------------------- */

static uint32_t some_probe(struct chance *c)
{
	return chance_of(c, 10) ? chance_odd(c) :
				  probes[chance_below(c, NR_PROBES)];
}

int *some_session(struct chance *c)
{
	return sessions + chance_below(c, NR_SESSIONS);
}

/* Instead of an argument: nothing, what cannot be read, the kernel's. */
void *some_pointer(struct chance *c, void *good)
{
	static void *const bad[] = {
		NULL, (void *)1, (void *)-1, (void *)0xffff888000000000,
	};

	return chance_of(c, 97) ? good : bad[chance_below(c, 4)];
}

uint64_t some_number(struct chance *c, uint64_t good)
{
	return chance_of(c, 90) ? good : chance_odd(c);
}

/* ---- calls ----------------------------------------------------------------------------- */

static int do_open(struct chance *c)
{
	int *fd = some_session(c);
	struct ktap_session_setup setup = {
		.flags = some_number(c, chance_below(c, 4)),
		.subbuf_size = some_number(c, 4096U << chance_below(c, 2)),
		.ring_size = some_number(c, 32768U << chance_below(c, 3)),
		.watermark = some_number(c, chance_below(c, 8192)),
		.reserved = some_number(c, 0),
	};

	if (*fd >= 0)
		close(*fd);
	*fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);
	if (*fd < 0 || chance_of(c, 3))
		return *fd;
	return ioctl(*fd, KTAP_IOC_SETUP, some_pointer(c, &setup));
}

static int do_one(struct chance *c)
{
	struct ktap_session_attach arg = {
		.id = chance_of(c, 10) ? 0 : some_probe(c),
		.flags = some_number(c, 0),
	};

	return ioctl(*some_session(c),
		     chance_of(c, 60) ? KTAP_IOC_ATTACH : KTAP_IOC_DETACH,
		     some_pointer(c, &arg));
}

static int do_many(struct chance *c)
{
	uint32_t ids[32], i;
	struct ktap_session_attach_many arg = {
		.ids = (uintptr_t)some_pointer(c, ids),
		.nr = some_number(c, chance_below(c, 32)),
		.done = chance_odd(c),
		.flags = some_number(c, chance_below(c, 2)),
	};

	arg.map = some_number(c, arg.flags ? chance_below(c, 4) : 0);
	for (i = 0; i < 32; i++)
		ids[i] = some_probe(c);
	return ioctl(*some_session(c),
		     chance_of(c, 60) ? KTAP_IOC_ATTACH_MANY :
					KTAP_IOC_DETACH_MANY,
		     some_pointer(c, &arg));
}

/* A map whose request is mostly good; what probes build fits into half of them. */
static int do_table(struct chance *c)
{
	struct ktap_session_map arg = {
		.nr_slots = some_number(c, 1U << chance_below(c, 6)),
		.key_size = some_number(c, 8 * chance_below(c, 129)),
		.nr_values = some_number(c, chance_below(c, 4)),
		.faults_off = chance_of(c, 90) ? 0 : chance_odd(c),
		.faults_size = chance_of(c, 70) ? 0 : 1,
	};
	unsigned int i;

	for (i = 0; i < KTAP_NR_MAP_VALUES; i++)
		arg.values[i] = (struct ktap_map_value){
			.kind = some_number(c, chance_below(c, 4)),
			.size = 1U << chance_below(c, 4),
			.flags = chance_below(c, 2),
			.fault = KTAP_NO_FAULT,
			.off = chance_below(c, 16),
		};
	return ioctl(*some_session(c), KTAP_IOC_MAP, some_pointer(c, &arg));
}

static int do_scope(struct chance *c)
{
	struct ktap_session_scope arg = {
		.pid = some_number(c, chance_of(c, 50) ? getpid() : getppid()),
		.flags = some_number(c, chance_below(c, 2)),
	};

	return ioctl(*some_session(c), KTAP_IOC_SCOPE, some_pointer(c, &arg));
}

static int do_rates(struct chance *c)
{
	struct ktap_session_rates arg = {
		.every = some_number(c, chance_below(c, 3)),
		.per_second = some_number(c, chance_below(c, 2) * 100),
		.max = some_number(c, chance_below(c, 2) * 100),
	};

	return ioctl(*some_session(c), KTAP_IOC_RATES, some_pointer(c, &arg));
}

/* Into all sessions, the good one too. */
static int do_mark(struct chance *c)
{
	static const char text[KTAP_MARK_MAX + 1] =
		"words, more than most marks have, and NULs";
	struct ktap_session_mark arg = {
		.text = (uintptr_t)some_pointer(c, (void *)text),
		.size = some_number(c, chance_below(c, 40)),
		.flags = some_number(c, 0),
	};
	struct ktap_marks marks;

	if (chance_of(c, 30))
		return ioctl(*some_session(c), KTAP_IOC_MARKS,
			     some_pointer(c, &marks));
	return ioctl(*some_session(c), KTAP_IOC_MARK, some_pointer(c, &arg));
}

static int do_ask(struct chance *c)
{
	struct ktap_session_counts counts = {
		.id = some_probe(c), .cpu = some_number(c, chance_below(c, 3)) - 1,
	};
	struct ktap_session_state state;

	if (chance_of(c, 50))
		return ioctl(*some_session(c), KTAP_IOC_STATE,
			     some_pointer(c, &state));
	return ioctl(*some_session(c), KTAP_IOC_COUNTS, some_pointer(c, &counts));
}

/* A call of no meaning, or with the size of another one. */
static int do_nonsense(struct chance *c)
{
	uint8_t junk[256];
	unsigned int i;

	for (i = 0; i < sizeof(junk); i++)
		junk[i] = chance_next(c);
	return ioctl(*some_session(c),
		     _IOC(chance_below(c, 4), chance_of(c, 90) ? KTAP_IOC_MAGIC : 0xb6,
			  chance_below(c, 16), chance_below(c, 64)),
		     some_pointer(c, junk));
}

static int do_poll(struct chance *c)
{
	struct pollfd p = { .fd = *some_session(c), .events = chance_next(c) };

	return poll(&p, 1, chance_below(c, PATIENCE_MS));
}

/* ---- mappings -------------------------------------------------------------------------- */

/* Where there is something: of a ring, a map, or stacks. */
static uint64_t some_place(struct chance *c, bool consumer)
{
	uint64_t cpu = some_number(c, chance_below(c, 3)) * KTAP_MMAP_STRIDE;

	if (consumer)
		return cpu;
	switch (chance_below(c, 4)) {
	case 0:
		return KTAP_MMAP_MAPS + cpu + 2 * chance_below(c, 3) * KTAP_MMAP_STRIDE;
	case 1:
		return KTAP_MMAP_STACKS + (chance_of(c, 90) ? 0 : cpu);
	default:
		return cpu + PAGE;
	}
}

static int do_map(struct chance *c)
{
	struct view *v = views + chance_below(c, NR_MAPS);
	bool consumer = chance_of(c, 50);
	uint64_t at = some_place(c, consumer);
	int prot = consumer || chance_of(c, 5) ? PROT_READ | PROT_WRITE : PROT_READ;

	if (v->at)
		munmap(v->at, v->size);
	v->consumer = consumer;
	v->size = consumer || at >= KTAP_MMAP_MAPS ? PAGE : PAGE + (32768UL << chance_below(c, 3));
	if (chance_of(c, 5))
		v->size = PAGE * (1 + chance_below(c, 40));
	v->writable = prot & PROT_WRITE;
	v->at = mmap(NULL, v->size, prot,
		     chance_of(c, 97) ? MAP_SHARED : MAP_PRIVATE,
		     *some_session(c), at);
	if (v->at != MAP_FAILED) {
		bad += v->writable && !consumer;
		return 0;
	}
	v->at = NULL;
	return -1;
}

/* The tail goes anywhere, or where a reader would put it. What is there is read. */
static int scribble(struct chance *c)
{
	struct view *v = views + chance_below(c, NR_MAPS);
	volatile uint64_t *word;
	unsigned int i;

	if (!v->at)
		return -1;
	word = (void *)(v->at + chance_below(c, v->size / 8) * 8);
	if (!v->writable)
		return *word & 1;
	for (i = 0; i < 20; i++)
		*(volatile uint64_t *)v->at =
			chance_of(c, 50) ? chance_odd(c) :
					   *(volatile uint64_t *)v->at +
						   (int64_t)chance_below(c, 65536) - 32768;
	return 0;
}

/* After some madvise() the pages are gone: that is who asked for it. */
static sigjmp_buf no_page;

static void on_fault(int signal)
{
	siglongjmp(no_page, signal);
}

static int do_scribble(struct chance *c)
{
	return sigsetjmp(no_page, 1) ? -1 : scribble(c);
}

/* What the reader may only read stays so. */
static int make_writable(const struct view *v)
{
	int ret = mprotect(v->at, v->size, PROT_READ | PROT_WRITE);

	bad += !ret && !v->consumer;
	return ret;
}

static int do_move(struct chance *c)
{
	struct view *v = views + chance_below(c, NR_MAPS);
	size_t size = PAGE * (1 + chance_below(c, 20));
	void *at;

	if (!v->at)
		return -1;
	switch (chance_below(c, 4)) {
	case 0:
		return make_writable(v);
	case 1:
		return madvise(v->at, v->size, chance_below(c, 26));
	case 2:
		at = mremap(v->at, v->size, size, MREMAP_MAYMOVE);
		if (at == MAP_FAILED)
			return -1;
		v->at = at;
		v->size = size;
		return 0;
	default:
		munmap(v->at, v->size);
		v->at = NULL;
		return 0;
	}
}

/* A child has all that we have, and goes. */
static int do_fork(struct chance *c)
{
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (!pid) {
		do_scribble(c);
		close(*some_session(c));
		_exit(0);
	}
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

/* ---- all of them ----------------------------------------------------------------------- */

static const struct {
	int (*call)(struct chance *c);
	unsigned int weight;
} calls[] = {
	{ do_open, 5 },	    { do_one, 10 },	 { do_many, 5 },  { do_scope, 4 },
	{ do_table, 5 },    { do_user_table, 4 }, { do_user_files, 3 },
	{ do_rates, 4 },    { do_ask, 9 },	 { do_poll, 7 },  { do_map, 13 },
	{ do_scribble, 20 }, { do_move, 3 },	 { do_nonsense, 4 },
	{ do_fork, 1 },	    { do_mark, 3 },
};

static int one_call(struct chance *c)
{
	unsigned int at = chance_below(c, 100), i = 0;

	while (at >= calls[i].weight)
		at -= calls[i++].weight;
	return calls[i].call(c);
}

static void misbehave(const struct order *o, unsigned int nr)
{
	struct tally *t = tallies + nr;
	struct chance c;
	char name[32];

	signal(SIGBUS, on_fault);
	signal(SIGSEGV, on_fault);
	snprintf(name, sizeof(name), "calls %u", nr);
	c = chance_seed(o->seed, name);
	while (go_on(o, t->calls)) {
		t->good += one_call(&c) >= 0;
		t->calls++;
		t->bad = bad;
	}
}

/* ---- the session that does nothing wrong ------------------------------------------------- */

/* struct good - a reader: it looks at every record, as they come */
struct good {
	int fd;
	volatile struct ktap_ring_consumer *cons;
	volatile const struct ktap_ring_producer *prod;
	uint64_t seen, bad;
	uint32_t id;
	uint64_t last;
};

#define GOOD_RING	(256UL << 10)

static void open_good(struct good *g, uint32_t id)
{
	struct ktap_session_setup setup = {
		.ring_size = GOOD_RING, .subbuf_size = 16384,
		.flags = KTAP_SESSION_F_SELF,
	};
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	g->id = id;
	g->fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);
	if (g->fd < 0 || xioctl(g->fd, KTAP_IOC_SETUP, &setup) ||
	    session_attach(g->fd, id))
		die("a good session");
	g->cons = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, g->fd, 0);
	g->prod = mmap(NULL, PAGE + GOOD_RING, PROT_READ, MAP_SHARED, g->fd,
		       PAGE);
	if (g->cons == MAP_FAILED || g->prod == MAP_FAILED)
		die("mmap");
}

/* The payload is the first argument: calls count up. */
static void read_good(struct good *g)
{
	const uint8_t *data = (const uint8_t *)g->prod + g->prod->data_offset;
	uint64_t head = __atomic_load_n(&g->prod->head, __ATOMIC_ACQUIRE);
	uint64_t tail = g->cons->tail;

	while (tail < head) {
		const struct ktap_rec_head *r =
			(const void *)(data + tail % GOOD_RING);

		if (r->id == g->id) {
			uint64_t value = *(const uint64_t *)(r + 1);

			g->seen++;
			g->bad += value != g->last + 1;
			g->last = value;
		}
		tail += r->size ? r->size : 16384 - tail % 16384;
	}
	__atomic_store_n(&g->cons->tail, tail, __ATOMIC_RELEASE);
}

static void behave(const struct order *o, uint32_t id)
{
	struct ktap_session_counts counts = { .cpu = -1 };
	const struct ktap_counts *n = &counts.counts;
	struct good g = { .fd = -1 };
	unsigned long done;
	int i;

	open_good(&g, id);
	counts.id = id;
	for (done = 0; go_on(o, done / 100); done += 100) {
		for (i = 0; i < 100; i++)
			hit_me(done + i + 1);
		read_good(&g);
		usleep(5000);
	}
	is_error(session_detach(g.fd, 0), 0, "calls: the good one detaches");
	read_good(&g);
	is_error(xioctl(g.fd, KTAP_IOC_COUNTS, &counts), 0,
		 "calls: the good one asks for its counts");
	ok(g.seen && g.seen == done && n->hits == done && n->recorded == done &&
	   !g.bad, "calls: every record of the good session is there: %lu calls, %llu hits, %llu records, %llu in a wrong place",
	   done, (unsigned long long)n->hits, (unsigned long long)g.seen,
	   (unsigned long long)g.bad);
}

/* ---- a run --------------------------------------------------------------------------------- */

void fuzz_calls(const struct order *o)
{
	struct sock *s = sock_open();
	uint64_t memory = memory_now(s);
	unsigned long sum = 0, good = 0, writable = 0;
	unsigned int i;
	int hits, pid, status = -1;

	tallies = mmap(NULL, o->processes * sizeof(*tallies),
		       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tallies == MAP_FAILED)
		die("memory");
	make_probes(s, probes);
	for (i = 0; i < NR_SESSIONS; i++)
		sessions[i] = session_open();
	fflush(stdout);
	pid = fork();
	if (!pid) {
		go_on(o, 0);
		behave(o, probes[0]);
		fflush(stdout);
		_exit(0);
	}
	hits = start_reads();
	in_processes(o, "calls", misbehave);
	stop_hits(hits);
	waitpid(pid, &status, 0);
	is(status, 0, "calls: the good session came to its end");
	for (i = 0; i < o->processes; i++) {
		sum += tallies[i].calls;
		good += tallies[i].good;
		writable += tallies[i].bad;
	}
	printf("# calls: seed %llu, %u processes: %lu calls, %lu were good\n",
	       (unsigned long long)o->seed, o->processes, sum, good);
	is(writable, 0, "calls: only the reader's page can be written");
	ok(sum && good * 3 > sum, "calls: a third of them did what they say");
	for (i = 0; i < NR_SESSIONS; i++)
		close(sessions[i]);
	is_clean(s, memory, "calls");
	sock_close(s);
}
