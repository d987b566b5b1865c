// SPDX-License-Identifier: GPL-2.0
/* Returns: values, what was stored at the entry, calls that never return. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uraw.h"

/* ---- what is probed ------------------------------------------------------------ */

TARGET long nested(long n);
TARGET long may_jump(long n, jmp_buf *to);
TARGET long call_back(long n, void (*fn)(void));

TARGET long nested(long n)
{
	long below = n > 1 ? nested(n - 1) : 0;

	__asm__ volatile("" : "+r" (below)); /* no loop instead of the calls */
	return below + 1;
}

/* Does not return for an odd number. */
TARGET long may_jump(long n, jmp_buf *to)
{
	if (n & 1)
		longjmp(*to, 1);
	return 10 * n;
}

TARGET long call_back(long n, void (*fn)(void))
{
	fn();
	return n + 1;
}

TARGET static long overwrite(char *s)
{
	strcpy(s, "after");
	return 5;
}

/* ---- values ---------------------------------------------------------------------- */

/* Return value, address returned to, first argument and its fault bit. */
#define RETURN_PROG PROG(REG(0, R_RET), STORE(0, 8, 0, NOBIT),		\
			 CTX(1, RETADDR), STORE(1, 8, 8, NOBIT),	\
			 ENTRY(2, 0, 8, NOBIT, 0), STORE(2, 8, 16, 1),	\
			 FAULTS(1, 24), END()),				\
	ENTRY_PROG(REG(0, R_ARG1), STORE(0, 8, 0, NOBIT), END())

static int followed(struct session *s, const void *at, uint32_t maxactive)
{
	int id = PROBE(.type = KTAP_TYPE_URETPROBE, .at = at, RETURN_PROG,
		       .maxactive = maxactive);

	if (id < 0)
		die(why());
	is(attach(s, id), 0, "returns: attached");
	return id;
}

static long entry_of(const struct hit *h)
{
	return h->payload[24] ? -1 : (long)word(h, 16);
}

static struct ktap_returns returns_of(int id)
{
	struct ktap_returns returns;
	struct ktap_counts counts;

	probe_stats(id, &counts, &returns);
	return returns;
}

static void try_value(struct session *s)
{
	struct ktap_returns returns;
	const struct hit *h;
	int id;

	id = PROBE(.type = KTAP_TYPE_URETPROBE, .at = target,
		   PROG(REG(0, R_RET), STORE(0, 8, 0, NOBIT), END()));
	is(attach(s, id), 0, "value: attached");
	target(11, 22);
	h = only_hit(s, "value");
	is(word(h, 0), 33, "value: returned");
	returns = returns_of(id);
	is(returns.entries, 1, "value: entries");
	is(returns.pending, 0, "value: none is pending");
	probe_del(id);

	id = followed(s, target, 0);
	target(44, 55);
	h = only_hit(s, "value and entry");
	is(word(h, 0), 99, "value and entry: returned");
	ok(word(h, 8) - (uintptr_t)try_value < 4096,
	   "value and entry: the address returned to");
	is(entry_of(h), 44, "value and entry: first argument");
	probe_del(id);
}

/* A string as it was at the entry and as it is at the return. */
static void try_strings(struct session *s)
{
	char *text = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct hit *h;
	int id;

	id = PROBE(.type = KTAP_TYPE_URETPROBE, .at = overwrite,
		   PROG(ENTRY(0, 0, 8, NOBIT, 0), STRING(0, 16, 4, 0),
			ENTRY_STRING(0, 0), END()),
		   ENTRY_PROG(REG(0, R_ARG1), STORE(0, 8, 0, NOBIT),
			      STRING(0, 16, 8, 0), END()));
	is(attach(s, id), 0, "strings: attached");
	strcpy(text, "before");
	overwrite(text);
	h = only_hit(s, "strings");
	is_text((const char *)h->payload + 8, "after", "strings: at the return");
	is_text((const char *)h->payload + 14, "before",
		"strings: at the entry");
	probe_del(id);
	munmap(text, 4096);
}

/* The kernel follows 64 calls of a task: the innermost of 100 are not seen. */
static void try_depth(struct session *s)
{
	int id = followed(s, nested, 0), i, bad = 0, nr;
	struct ktap_returns returns;
	const struct hit *h;

	is(nested(5), 5, "five deep");
	nr = hits(s, &h);
	is(nr, 5, "five deep: records");
	for (i = 0; i < nr; i++)
		bad += word(h + i, 0) != i + 1u || entry_of(h + i) != i + 1;
	is(bad, 0, "five deep: each with its own argument");
	is(nested(100), 100, "100 deep");
	nr = hits(s, &h);
	is(nr, 64, "100 deep: records");
	for (i = 0; i < nr; i++)
		bad += word(h + i, 0) != i + 37u || entry_of(h + i) != i + 37;
	is(bad, 0, "100 deep: each with its own argument");
	returns = returns_of(id);
	is(returns.entries, 5 + 64, "100 deep: entries");
	is(returns.too_deep, 36, "100 deep: too deep");
	is(returns.pending, 0, "100 deep: none is pending");
	probe_del(id);
}

/* ---- calls that do not return --------------------------------------------------------- */

static void try_longjmp(struct session *s)
{
	int id = followed(s, may_jump, 0), bad = 0;
	struct ktap_returns returns;
	const struct hit *h;
	volatile long i;
	jmp_buf to;
	int nr, n;

	for (i = 0; i < 200; i++)
		if (!setjmp(to))
			may_jump(i, &to);
	nr = hits(s, &h);
	is(nr, 100, "longjmp: records");
	for (n = 0; n < nr; n++)
		bad += word(h + n, 0) != 20u * n || entry_of(h + n) != 2 * n;
	is(bad, 0, "longjmp: each with its own argument");
	returns = returns_of(id);
	is(returns.entries, 200, "longjmp: entries");
	is(returns.pending, 100, "longjmp: what never returned");
	is(returns.no_instance, 0, "longjmp: all of them were followed");
	probe_del(id);
}

/* The child returns from a call of its parent's: a value, but no entry. */
static void try_fork(struct session *s)
{
	int id = followed(s, call_back, 0), nr, i;
	pid_t parent = getpid();
	const struct hit *h;

	call_back(7, fork_here);
	if (getpid() != parent)
		_exit(0);
	nr = hits(s, &h);
	is(nr, 2, "fork: records");
	for (i = 0; i < nr; i++) {
		is(word(h + i, 0), 8, "fork: value");
		is(entry_of(h + i), h[i].tid == (uint32_t)parent ? 7 : -1,
		   "fork: entry, of the parent only");
	}
	probe_del(id);
}

static void end_thread(void)
{
	pthread_exit(NULL);
}

static void *thread(void *arg)
{
	call_back((long)arg, end_thread);
	return NULL;
}

/* Threads that end in the middle; there is room for four calls at once. */
static void try_exit(struct session *s)
{
	int id = followed(s, call_back, 4);
	struct ktap_returns returns;
	const struct hit *h;
	pthread_t t;
	long i;

	for (i = 0; i < 20; i++) {
		if (pthread_create(&t, NULL, thread, (void *)i))
			die("pthread_create");
		pthread_join(t, NULL);
		usleep(1000); /* until the kernel is done with it as well */
	}
	is(hits(s, &h), 0, "exit: nothing returned");
	returns = returns_of(id);
	is(returns.pending, 20, "exit: pending for ever");
	is(returns.no_instance, 0, "exit: they make room");
	probe_del(id);
}

static pthread_barrier_t inside;

static void wait_inside(void)
{
	pthread_barrier_wait(&inside);
	pthread_barrier_wait(&inside);
}

static void *thread_inside(void *arg)
{
	call_back((long)arg, wait_inside);
	return NULL;
}

/* Six at once where there is room for four: two lack what was stored. */
static void try_room(struct session *s)
{
	int id = followed(s, call_back, 4), nr, i, known = 0;
	struct ktap_returns returns;
	const struct hit *h;
	pthread_t t[6];
	long n;

	pthread_barrier_init(&inside, NULL, 7);
	for (n = 0; n < 6; n++)
		if (pthread_create(&t[n], NULL, thread_inside, (void *)n))
			die("pthread_create");
	pthread_barrier_wait(&inside);
	returns = returns_of(id);
	is(returns.pending, 6, "room: all are pending");
	is(returns.no_instance, 2, "room: two too many");
	pthread_barrier_wait(&inside);
	for (n = 0; n < 6; n++)
		pthread_join(t[n], NULL);
	nr = hits(s, &h);
	is(nr, 6, "room: all returned");
	for (i = 0; i < nr; i++)
		if (entry_of(h + i) >= 0)
			known += (long)word(h + i, 0) == entry_of(h + i) + 1;
	is(known, 4, "room: four with what was stored, and theirs");
	is(returns_of(id).pending, 0, "room: none is pending");
	probe_del(id);
	pthread_barrier_destroy(&inside);
}

/* ---- probes that go ------------------------------------------------------------------ */

static int doomed;

static void end_nothing(void)
{
}

static void delete_doomed(void)
{
	probe_del(doomed);
}

static struct session *rearmed;

static void rearm(void)
{
	detach(rearmed, doomed);
	session_close(rearmed);
	rearmed = session();
	is(attach(rearmed, doomed), 0, "armed again: attached");
}

static void try_deleted(struct session *s)
{
	const struct hit *h;

	doomed = followed(s, call_back, 0);
	is(call_back(1, delete_doomed), 2, "deleted inside: it returns");
	is(hits(s, &h), 0, "deleted inside: unseen");

	rearmed = session();
	doomed = followed(rearmed, call_back, 0);
	is(call_back(1, rearm), 2, "armed again inside: it returns");
	if (hits(rearmed, &h))
		is(entry_of(h), -1, "armed again inside: nothing stale is shown");
	call_back(3, end_nothing);
	is(entry_of(only_hit(rearmed, "armed again")), 3, "armed again: the next one");
	probe_del(doomed);
	session_close(rearmed);
}

void try_returns(void)
{
	struct session *s = session();

	try_value(s);
	try_strings(s);
	try_depth(s);
	try_longjmp(s);
	try_fork(s);
	try_exit(s);
	try_room(s);
	try_deleted(s);
	session_close(s);
}

static void wait_for_end(void)
{
	char c;

	puts("pending");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
}

/* Counts, so that no session holds the module. */
void never_back(void)
{
	int id = PROBE(.type = KTAP_TYPE_URETPROBE, .at = call_back,
		       RETURN_PROG, .stays = true);

	if (id < 0 || probe_enable(id, true))
		die(why());
	if (call_back(1, wait_for_end) != 2)
		die("the call");
	puts("back");
	exit(0);
}
