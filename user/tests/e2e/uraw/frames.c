// SPDX-License-Identifier: GPL-2.0
/*
 * Values at the entry of the function that a probe is in, of this program and
 * of the kernel: found, lacking, and never those of another call.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uraw.h"

/* ---- what is probed ------------------------------------------------------------ */

/*
 * framed(n, fn): calls fn; nothing is left of its arguments then. At
 * framed_inside the CFA is the stack pointer + 16 on both architectures.
 */
void framed(long n, void (*fn)(void));
extern const char framed_inside[];

__asm__(".text\n"
	".balign 16\n"
	".globl framed, framed_inside\n"
	".type framed, %function\n"
	"framed:\n"
#ifdef __x86_64__
	"	push %rbx\n"
	"	mov %rsi, %rax\n"
	"	xor %edi, %edi\n"
	"	xor %esi, %esi\n"
	"	call *%rax\n"
	"framed_inside:\n"
	"	nop\n"
	"	pop %rbx\n"
	"	ret\n"
#else
	"	stp x29, x30, [sp, #-16]!\n"
	"	mov x9, x1\n"
	"	mov x0, #0\n"
	"	mov x1, #0\n"
	"	blr x9\n"
	"framed_inside:\n"
	"	nop\n"
	"	ldp x29, x30, [sp], #16\n"
	"	ret\n"
#endif
	".size framed, . - framed\n");

static void do_nothing(void)
{
}

/* ---- the probe ----------------------------------------------------------------- */

static const uint8_t kept[] = { R_ARG2, R_ARG1 };

/* What was kept of the first argument, its fault bit and that of the frame. */
#define FRAME_PROG(reg, add)						\
	PROG(REG(0, reg), ALUI(0, 0, ADD, add), FRAME(1, 0, 1, 0),	\
	     STORE(1, 8, 0, 1), FAULTS(1, 8), END()),			\
	.frame = kept, .nr_frame = sizeof(kept)

#define NO_ENTRY (-1L)

static long entry_of(const struct hit *h)
{
	if (!h->payload[8])
		return (long)word(h, 0);
	return h->payload[8] == 3 && !word(h, 0) ? NO_ENTRY : -2;
}

static int framed_probe(struct session *s, uint32_t max)
{
	int id = PROBE(.at = framed_inside, .entry_at = (const void *)framed,
		       FRAME_PROG(R_SP, 16), .maxactive = max);

	if (id < 0)
		die(why());
	if (s)
		is(attach(s, id), 0, "frames: attached");
	return id;
}

static long only_entry(struct session *s, const char *what)
{
	return entry_of(only_hit(s, what));
}

/* ---- values ---------------------------------------------------------------------- */

static void try_value(struct session *s)
{
	struct ktap_frames frames;
	struct ktap_counts counts;
	struct shown shown;
	int id = framed_probe(s, 0);

	framed(11, do_nothing);
	is(only_entry(s, "value"), 11, "value: at the entry");
	framed(12, do_nothing);
	is(only_entry(s, "value"), 12, "value: at the next one");
	frames = frames_of(id);
	is(frames.entries, 2, "value: entries");
	is(frames.no_entry, 0, "value: all were found");
	is(frames.dropped, 0, "value: all were kept");
	probe_stats(id, &counts, NULL);
	is(counts.hits, 2, "value: entries are no hits");
	probe_show(id, &shown);
	is_text(shown.frame_hook, "uprobe", "value: what serves the entry");
	ok(has_breakpoint((const void *)framed), "value: it has a breakpoint");
	is(detach(s, id), 0, "value: detached");
	ok(!has_breakpoint((const void *)framed), "value: the breakpoint has gone");
	probe_del(id);
}

static int depth;

static void go_deeper(void)
{
	if (depth--)
		framed(100 + depth, go_deeper);
}

/* The innermost call is hit first. */
static void try_recursion(struct session *s)
{
	int id = framed_probe(s, 0), i, bad = 0, nr;
	const struct hit *h;

	depth = 5;
	go_deeper();
	nr = hits(s, &h);
	is(nr, 5, "recursion: records");
	for (i = 0; i < nr; i++)
		bad += entry_of(h + i) != 100 + i;
	is(bad, 0, "recursion: each with its own argument");
	depth = 100;
	go_deeper();
	nr = hits(s, &h);
	is(nr, 100, "deep: records");
	for (i = 0; i < nr; i++)
		bad += entry_of(h + i) != (i < 8 ? 100 + i : NO_ENTRY);
	is(bad, 0, "deep: the last eight are known");
	is(frames_of(id).no_entry, 92, "deep: the others are counted");
	probe_del(id);
}

static jmp_buf out;

static void jump_out(void)
{
	longjmp(out, 1);
}

static void try_longjmp(struct session *s)
{
	int id = framed_probe(s, 0);
	volatile long i;

	for (i = 0; i < 50; i++)
		if (!setjmp(out))
			framed(i, jump_out);
	framed(77, do_nothing);
	is(only_entry(s, "longjmp"), 77, "longjmp: only what goes on is known");
	probe_del(id);
}

/* ---- what is not known -------------------------------------------------------------- */

static void try_fork(struct session *s)
{
	pid_t parent = getpid();
	int id = framed_probe(s, 0), nr, i;
	const struct hit *h;

	framed(5, fork_here);
	if (getpid() != parent)
		_exit(0);
	nr = hits(s, &h);
	is(nr, 2, "fork: records");
	for (i = 0; i < nr; i++)
		is(entry_of(h + i), h[i].tid == (uint32_t)parent ? 5 : NO_ENTRY,
		   "fork: entry, of the parent only");
	is(frames_of(id).no_entry, 1, "fork: counted");
	probe_del(id);
}

static struct session *inner;
static int inner_id;

static void attach_here(void)
{
	inner = session();
	is(attach(inner, inner_id), 0, "late: attached");
}

/* In the same frame as before, and entered while nobody looked. */
static void try_late(void)
{
	inner_id = framed_probe(NULL, 0);
	inner = session();
	is(attach(inner, inner_id), 0, "late: attached before");
	framed(1, do_nothing);
	is(only_entry(inner, "late: before"), 1, "late: the call before");
	session_close(inner);
	framed(2, attach_here);
	is(only_entry(inner, "late"), NO_ENTRY, "late: nothing stale is shown");
	framed(3, do_nothing);
	is(only_entry(inner, "late: after"), 3, "late: the call after");
	probe_del(inner_id);
	session_close(inner);
}

/* The same for who comes into scope while the probe is armed for others. */
static void into_scope(void)
{
	is(scope(inner, getpid()), 0, "scope: this process is in it");
}

static void wait_for_signal(void)
{
	pause();
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	if (waitpid(pid, NULL, 0) != pid)
		die("waitpid");
}

static void try_frame_scope(void)
{
	pid_t other = child(wait_for_signal);
	struct session *first = session();

	inner_id = framed_probe(first, 0);
	framed(1, do_nothing);
	is(only_entry(first, "scope: before"), 1, "scope: the call before");
	inner = session();
	is(scope(inner, other), 0, "scope: another process");
	is(attach(inner, inner_id), 0, "scope: attached for that one");
	session_close(first);
	framed(2, do_nothing);
	framed(3, into_scope);
	is(only_entry(inner, "scope"), NO_ENTRY, "scope: nothing stale is shown");
	framed(4, do_nothing);
	is(only_entry(inner, "scope: after"), 4, "scope: the call after");
	probe_del(inner_id);
	session_close(inner);
	end_child(other);
}

/* ---- many ------------------------------------------------------------------------------ */

#define THREADS 24
#define ROUNDS 200

static void yield(void)
{
	sched_yield();
}

static void *caller(void *arg)
{
	long tag = (long)gettid() << 32, i;

	(void)arg;
	for (i = 0; i < ROUNDS; i++)
		framed(tag | i, i % 4 ? do_nothing : yield);
	return NULL;
}

/*
 * More at once than there is room for, whoever runs where: some are not known,
 * and none is another's.
 */
static void try_threads(struct session *s, uint32_t max)
{
	int id = framed_probe(s, max), bad = 0, lacks = 0, nr;
	struct ktap_frames frames;
	pthread_t t[THREADS];
	const struct hit *h;
	int i;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, caller, NULL))
			die("pthread_create");
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	nr = hits(s, &h);
	is(nr, THREADS * ROUNDS, "threads: records");
	for (i = 0; i < nr; i++) {
		lacks += entry_of(h + i) == NO_ENTRY;
		bad += entry_of(h + i) != NO_ENTRY &&
		       entry_of(h + i) >> 32 != h[i].tid;
	}
	frames = frames_of(id);
	is(bad, 0, "threads: none has another's");
	is(frames.entries, THREADS * ROUNDS, "threads: entries");
	is(frames.no_entry, lacks, "threads: what is not known is counted");
	if (!max)
		is(lacks, 0, "threads: there is room for all");
	probe_del(id);
}

/* ---- refusals -------------------------------------------------------------------- */

#define REFUSED(what, text, ...)					\
	do {								\
		ok(PROBE(__VA_ARGS__) < 0, "%s: refused", what);	\
		is_text(why(), text, what);				\
	} while (0)

static void try_refused(void)
{
	REFUSED("at the entry",
		"the place is the entry itself, where no frame has been stored yet",
		.at = (const void *)framed, .entry_at = (const void *)framed,
		FRAME_PROG(R_SP, 16));
	REFUSED("entry that is no instruction to probe",
		"the kernel cannot probe the instruction there",
		.at = framed_inside, .entry_at = target_trap,
		FRAME_PROG(R_SP, 16));
	REFUSED("value of no register", "no such register of the frame is stored",
		.at = framed_inside, .entry_at = (const void *)framed,
		PROG(REG(0, R_SP), FRAME(1, 0, 2, NOBIT), END()),
		.frame = kept, .nr_frame = sizeof(kept));
}

void try_frames(void)
{
	struct session *s = session();

	try_value(s);
	try_recursion(s);
	try_longjmp(s);
	try_fork(s);
	try_late();
	try_frame_scope();
	try_threads(s, 0);
	try_threads(s, 1);
	try_refused();
	session_close(s);
}

/* ---- the kernel ------------------------------------------------------------------ */

#ifdef __x86_64__
#define R_CFA	KTAP_X86_64_AX
#else
#define R_CFA	(KTAP_ARM64_X0 + 9)
#endif

static void call_kernel(const char *group)
{
	int fd = open("/sys/module/ktap_target/parameters/call", O_WRONLY);

	if (fd < 0 || write(fd, group, strlen(group)) != (ssize_t)strlen(group))
		die("ktap_target");
	close(fd);
}

static int kernel_probe(void)
{
	uint64_t begin = kernel_symbol("ktap_target_framed");
	int id = PROBE(.type = KTAP_TYPE_KPROBE,
		       .symbol = "ktap_target:ktap_target_framed",
		       .offset = kernel_symbol("ktap_target_framed_inside") - begin,
		       FRAME_PROG(R_CFA, 0), .stays = true);

	if (id < 0)
		die(why());
	return id;
}

static void try_kernel_values(struct session *s, int id)
{
	static const long want[] = { 7, 14, 13, 12, 11 };
	const struct hit *h;
	unsigned int nr, i;
	int bad = 0;

	call_kernel("framed");
	nr = hits(s, &h);
	is(nr, 5, "kernel: records");
	for (i = 0; i < nr && i < 5; i++)
		bad += entry_of(h + i) != want[i];
	is(bad, 0, "kernel: each with its own argument");
	is(frames_of(id).no_entry, 0, "kernel: all were found");
}

static void *sleep_inside(void *arg)
{
	(void)arg;
	call_kernel("framed_asleep");
	return NULL;
}

static pthread_t sleeper(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, sleep_inside, NULL))
		die("pthread_create");
	usleep(200000);
	return t;
}

/* Armed while a call sleeps; and again, with one of before in its frame. */
static void try_kernel_late(int id)
{
	struct session *s = session();
	pthread_t t = sleeper();

	is(attach(s, id), 0, "kernel, late: attached");
	pthread_join(t, NULL);
	is(only_entry(s, "kernel, late"), NO_ENTRY, "kernel, late: not known");
	is(frames_of(id).no_entry, 1, "kernel, late: counted");
	call_kernel("framed_asleep");
	is(only_entry(s, "kernel, asleep"), 9, "kernel, asleep: known");
	session_close(s);
}

static pthread_barrier_t between;

static void *sleep_twice(void *arg)
{
	call_kernel("framed_asleep");
	pthread_barrier_wait(&between);
	pthread_barrier_wait(&between);
	return sleep_inside(arg);
}

/* One task, twice in the same frame: only the first entry was seen. */
static void try_kernel_stale(int id)
{
	struct session *s = session();
	pthread_t t;

	pthread_barrier_init(&between, NULL, 2);
	is(attach(s, id), 0, "kernel, stale: attached");
	if (pthread_create(&t, NULL, sleep_twice, NULL))
		die("pthread_create");
	pthread_barrier_wait(&between);
	is(only_entry(s, "kernel, stale"), 9, "kernel, stale: the first call");
	session_close(s);
	pthread_barrier_wait(&between);
	usleep(200000);
	s = session();
	is(attach(s, id), 0, "kernel, stale: attached again");
	pthread_join(t, NULL);
	is(only_entry(s, "kernel, stale"), NO_ENTRY,
	   "kernel, stale: the second one is not known");
	pthread_barrier_destroy(&between);
	session_close(s);
}

/* Sleepers on both CPUs and more than there are CPUs, each with its call. */
static void try_kernel_many(struct session *s)
{
	pthread_t t[12];
	const struct hit *h;
	unsigned int nr, i;
	int bad = 0;

	for (i = 0; i < 12; i++)
		if (pthread_create(&t[i], NULL, sleep_inside, NULL))
			die("pthread_create");
	for (i = 0; i < 12; i++)
		pthread_join(t[i], NULL);
	nr = hits(s, &h);
	is(nr, 12, "kernel, many: records");
	for (i = 0; i < nr; i++)
		bad += entry_of(h + i) != 9;
	is(bad, 0, "kernel, many: each is known");
}

/* The module goes and comes back elsewhere. */
static void try_kernel_module(struct session *s, int id)
{
	struct shown shown;

	if (system("rmmod ktap_target"))
		die("rmmod");
	probe_show(id, &shown);
	ok(shown.waiting, "kernel, module: the probe waits");
	if (system("modprobe ktap_target"))
		die("modprobe");
	probe_show(id, &shown);
	ok(!shown.waiting, "kernel, module: it is back");
	try_kernel_values(s, id);
}

/* One that stays and counts, for the tool to show. */
void leave_frame(void)
{
	int id = kernel_probe();

	is(probe_enable(id, true), 0, "kernel, left: enabled");
	call_kernel("framed");
}

void try_kernel_frames(void)
{
	struct session *s;
	struct shown shown;
	int id = kernel_probe();
	uint64_t has_ftrace = features() & KTAP_FEATURE_FTRACE;

	probe_show(id, &shown);
	is_text(shown.frame_hook, has_ftrace ? "ftrace" : "kprobe",
		"kernel: what serves the entry");
	is_text(shown.hook, "kprobe", "kernel: what serves the probe");
	try_kernel_late(id);
	try_kernel_stale(id);
	probe_del(id);
	id = kernel_probe();
	s = session();
	is(attach(s, id), 0, "kernel: attached");
	try_kernel_values(s, id);
	try_kernel_many(s);
	try_kernel_module(s, id);
	probe_del(id);
	session_close(s);
}
