// SPDX-License-Identifier: GPL-2.0
/* Threads, processes, and who is in scope. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uraw.h"

#define THREADS		4
#define CALLS		1000

static void *calls(void *arg)
{
	long i, nr = (long)arg;

	for (i = 0; i < CALLS; i++)
		target(nr, i);
	return NULL;
}

static void run_threads(void)
{
	pthread_t t[THREADS];
	long i;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, calls, (void *)i))
			die("pthread_create");
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

static void call_once(void)
{
	target(getpid(), 77);
}

static void call_by_exec(void)
{
	char n[16];

	snprintf(n, sizeof(n), "%d", getpid());
	execl("/proc/self/exe", "uraw", "call", n, NULL);
}

/* Records of calls as target(@a, 77). */
static unsigned int nr_of(const struct hit *h, unsigned int nr, long a)
{
	unsigned int n = 0;

	for (; nr--; h++)
		n += word(h, 0) == (uint64_t)a && word(h, 8) == 77;
	return n;
}

static void try_threads(void)
{
	uint64_t sum = 0, want = 0, tids = 0;
	struct session *s = session();
	struct ktap_counts counts;
	const struct hit *h;
	unsigned int nr, i;
	int id;

	id = PROBE(.at = target, ARGS_PROG);
	is(attach(s, id), 0, "threads: attached");
	run_threads();
	is(detach(s, id), 0, "threads: detached");
	nr = hits(s, &h);
	is(nr, THREADS * CALLS, "threads: records");
	for (i = 0; i < nr; i++) {
		sum += word(h + i, 0) * CALLS + word(h + i, 8);
		tids += h[i].tid != (uint32_t)getpid();
	}
	for (i = 0; i < THREADS * CALLS; i++)
		want += i;
	is(sum, want, "threads: every call of every thread");
	is(tids, nr, "threads: by their numbers");
	counts = counts_of(s, id);
	is(counts.hits, THREADS * CALLS, "threads: hits");
	is(counts.recorded, counts.hits, "threads: all of them recorded");
	probe_del(id);
	session_close(s);
}

/* A process there already, its children, a program that starts. */
void try_tasks(void)
{
	struct session *s = session();
	const struct hit *h;
	pid_t forked, execd;
	unsigned int nr;
	int id;

	try_threads();
	id = PROBE(.at = target, ARGS_PROG);
	is(attach(s, id), 0, "processes: attached");
	reap(forked = child(call_once));
	reap(execd = child(call_by_exec));
	nr = hits(s, &h);
	is(nr, 2, "processes: records");
	is(nr_of(h, nr, forked), 1, "processes: of a child");
	is(nr_of(h, nr, execd), 1, "processes: of a program that starts");
	ok(nr == 2 && (h[0].tid == (uint32_t)forked || h[0].tid == (uint32_t)execd),
	   "processes: by their numbers");
	probe_del(id);
	session_close(s);
}

/* ---- scope --------------------------------------------------------------------- */

/*
 * A process that does as it is told: 'c' calls, 'f' has a child call, 'e' has
 * a child start a program that calls, 'v' the same by vfork, 't' a thread, 'b'
 * says whether it has the breakpoint.
 */
struct puppet {
	pid_t pid;
	int to;
	int from;
};

static void *thread_call(void *arg)
{
	target((long)arg, 77);
	return NULL;
}

static char act(char what)
{
	pthread_t t;
	char n[16];
	pid_t pid;

	switch (what) {
	case 'c':
		call_once();
		break;
	case 'f':
		waitpid(child(call_once), NULL, 0);
		break;
	case 'e':
		waitpid(child(call_by_exec), NULL, 0);
		break;
	case 'v':
		snprintf(n, sizeof(n), "%d", getpid());
		pid = vfork();
		if (!pid) {
			execl("/proc/self/exe", "uraw", "call", n, NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
		break;
	case 't':
		if (pthread_create(&t, NULL, thread_call,
				   (void *)(long)getpid()))
			die("pthread_create");
		pthread_join(t, NULL);
		break;
	case 'b':
		return has_breakpoint(target) ? 'y' : 'n';
	}
	return 'd';
}

static struct puppet puppet(void)
{
	int to[2], from[2];
	struct puppet p;
	char c;

	if (pipe(to) || pipe(from))
		die("pipe");
	p = (struct puppet){ .pid = fork(), .to = to[1], .from = from[0] };
	if (p.pid < 0)
		die("fork");
	if (p.pid) {
		close(to[0]);
		close(from[1]);
		return p;
	}
	close(to[1]);
	close(from[0]);
	while (read(to[0], &c, 1) == 1) {
		c = act(c);
		if (write(from[1], &c, 1) != 1)
			break;
	}
	_exit(0);
}

static char tell(struct puppet *p, char what)
{
	char c = 0;

	if (write(p->to, &what, 1) != 1 || read(p->from, &c, 1) != 1)
		die("puppet");
	return c;
}

static void puppet_end(struct puppet *p)
{
	close(p->to);
	close(p->from);
	reap(p->pid);
}

static bool has(struct puppet *p)
{
	return tell(p, 'b') == 'y';
}

static unsigned int all_ways(struct session *s, struct puppet *p,
			     const struct hit **h)
{
	const char *way;

	for (way = "cfetvc"; *way; way++)
		tell(p, *way);
	return hits(s, h);
}

#define NR_WAYS 6

static void try_attach_in_scope(struct puppet *in, struct puppet *out)
{
	struct session *s = session();
	const struct hit *h;
	int id;

	id = PROBE(.at = target, ARGS_PROG);
	is(scope(s, in->pid), 0, "scope: one process");
	is(attach(s, id), 0, "scope: attached");
	ok(has(in), "scope: it has the breakpoint");
	ok(!has(out), "scope: others do not");
	ok(!has_breakpoint(target), "scope: nor does the reader");
	is(all_ways(s, out, &h), 0, "scope: nothing of others");
	is(all_ways(s, in, &h), NR_WAYS, "scope: all of what it does");
	is(counts_of(s, id).limited, 0, "scope: no hit had to be refused");

	is(scope(s, out->pid), 0, "scope: another process as well");
	ok(has(out), "scope: that has the breakpoint");
	is(all_ways(s, out, &h), NR_WAYS, "scope: all of what that does");
	is(all_ways(s, in, &h), NR_WAYS, "scope: and the first one still");
	session_close(s);
	ok(!has(in) && !has(out), "scope: the breakpoints have gone");
	probe_del(id);
}

/* Two sessions want different processes of one probe. */
static void try_two_sessions(struct puppet *one, struct puppet *two)
{
	struct session *a = session(), *b = session(), *c = session();
	const struct hit *h;
	int id;

	id = PROBE(.at = target, ARGS_PROG);
	scope(a, one->pid);
	scope(b, two->pid);
	is(attach(a, id), 0, "two sessions: one attached");
	ok(has(one) && !has(two), "two sessions: who has the breakpoint");
	is(attach(b, id), 0, "two sessions: the other attached");
	ok(has(one) && has(two), "two sessions: now both have it");
	is(all_ways(a, one, &h), NR_WAYS, "two sessions: the one's");
	is(hits(b, &h), 0, "two sessions: not to the other");
	is(all_ways(b, two, &h), NR_WAYS, "two sessions: the other's");
	is(hits(a, &h), 0, "two sessions: not to the one");
	target(1, 2);
	is(attach(c, id), 0, "two sessions: a third wants everybody");
	ok(has_breakpoint(target), "two sessions: everybody has it");
	target(1, 2);
	is(hits(c, &h), 1, "two sessions: and is seen");
	session_close(c);
	target(1, 2);
	ok(!has_breakpoint(target),
	   "two sessions: without the third, hits that nobody wants end");
	is(detach(b, id), 0, "two sessions: the other leaves");
	tell(two, 'c');
	ok(!has(two) && has(one), "two sessions: who has it then");
	is(all_ways(a, one, &h), NR_WAYS, "two sessions: the one's are still seen");
	session_close(b);
	session_close(a);
	probe_del(id);
}

/* A session that gets its scope late keeps what it had. */
static void try_late_scope(struct puppet *in, struct puppet *out)
{
	struct session *s = session();
	const struct hit *h;
	int id;

	id = PROBE(.at = target, ARGS_PROG);
	is(attach(s, id), 0, "late scope: attached for everybody");
	is(all_ways(s, out, &h), NR_WAYS, "late scope: all of others");
	is(scope(s, in->pid), 0, "late scope: one process");
	is(all_ways(s, out, &h), 0, "late scope: nothing of others");
	is(all_ways(s, in, &h), NR_WAYS, "late scope: all of what it does");
	probe_del(id);
	session_close(s);
}

/*
 * While processes are being forked all the time, and call a while after, the
 * probe is attached to: whoever calls later than that is seen, whatever it was
 * doing meanwhile.
 */
static struct storm {
	unsigned int begun;	/* calls that begin */
	unsigned int ended;	/* and have ended */
} *storm;

static void fork_storm(void)
{
	unsigned int i;

	for (i = 0;; i++) {
		pid_t pid = fork();

		if (!pid) {
			usleep(i % 8 * 500);
			__atomic_add_fetch(&storm->begun, 1, __ATOMIC_SEQ_CST);
			target(1000, 77);
			__atomic_add_fetch(&storm->ended, 1, __ATOMIC_SEQ_CST);
			_exit(0);
		}
		if (pid < 0 || i % 4 == 3)
			while (waitpid(-1, NULL, 0) > 0)
				;
	}
}

static void try_storm(void)
{
	unsigned int round, missed = 0, all = 0;
	pid_t pid;
	int id;

	storm = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (storm == MAP_FAILED)
		die("mmap");
	pid = child(fork_storm);
	id = PROBE(.at = target, ARGS_PROG);
	for (round = 0; round < 20; round++) {
		struct session *s = session();
		unsigned int begun, ended;
		const struct hit *h;

		scope(s, pid);
		attach(s, id);
		begun = __atomic_load_n(&storm->begun, __ATOMIC_SEQ_CST);
		usleep(50000);
		ended = __atomic_load_n(&storm->ended, __ATOMIC_SEQ_CST);
		detach(s, id);
		missed += hits(s, &h) + begun < ended;
		all += ended - begun;
		session_close(s);
	}
	ok(all, "fork storm: there were calls");
	printf("#   %u calls\n", all);
	is(missed, 0, "fork storm: none was missed");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	probe_del(id);
}

void try_scope(void)
{
	struct puppet a = puppet(), b = puppet();

	try_attach_in_scope(&a, &b);
	try_two_sessions(&a, &b);
	try_late_scope(&a, &b);
	try_storm();
	puppet_end(&b); /* which has the pipes to a as well */
	puppet_end(&a);
}
