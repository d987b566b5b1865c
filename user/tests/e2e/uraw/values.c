// SPDX-License-Identifier: GPL-2.0
/* Registers, the stack, the file that is probed, and refusals. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "uraw.h"

static int attach_new(struct session *s, int id, const char *what)
{
	if (id < 0) {
		ok(false, "%s: %s (%s)", what, strerror(-id), why());
		die(what);
	}
	is(attach(s, id), 0, "%s: attached", what);
	return id;
}

static void try_registers(void)
{
	struct session *s = session();
	int id = attach_new(s, PROBE(.at = target, ARGS_PROG), "registers");
	struct ktap_counts counts;
	const struct hit *h;

	is(target(11, 22), 33, "registers: the function still works");
	h = only_hit(s, "registers");
	is(word(h, 0), 11, "registers: first argument");
	is(word(h, 8), 22, "registers: second argument");
	is(h->tid, gettid(), "registers: the task");
	is(detach(s, id), 0, "registers: detached");
	ok(!has_breakpoint(target), "registers: the breakpoint has gone");
	target(1, 2);
	counts = counts_of(s, id);
	is(counts.hits, 1, "registers: one hit");
	is(counts.recorded, 1, "registers: recorded");
	is(attach(s, id), -EEXIST, "registers: attached before");
	session_close(s);
	s = session();
	is(attach(s, id), 0, "registers: a second session");
	target(3, 4);
	is(word(only_hit(s, "armed again"), 0), 3, "armed again: first argument");
	probe_del(id);
	target(5, 6);
	is(hits(s, &h), 0, "deleted while attached: no record");
	session_close(s);
}

/* What is on the stack is what a load from the stack pointer reads. */
static void try_stack(void)
{
	struct session *s = session();
	const struct hit *h;
	int id;

	id = attach_new(s, PROBE(.at = target,
				 PROG(STACK(0, 0), STORE(0, 8, 0, 0),
				      STACK(1, 5), STORE(1, 8, 8, 1),
				      REG(2, R_SP), LOAD(3, 2, 40, 8, USER),
				      STORE(3, 8, 16, 2), REG(4, R_PC),
				      STORE(4, 8, 24, NOBIT),
				      FAULTS(1, 32), END())), "stack");
	target(1, 2);
	h = only_hit(s, "stack");
	is(h->payload[32], 0, "stack: all words were read");
	is(word(h, 8), word(h, 16), "stack: word 5");
	is(word(h, 24), (uintptr_t)target, "stack: the program counter");
#ifdef __x86_64__
	ok(word(h, 0) - (uintptr_t)try_stack < 4096,
	   "stack: word 0 is the address returned to");
#endif
	probe_del(id);
	session_close(s);
}

/* Name and numbers of the task; the name by its address, too. */
static void try_task(void)
{
	const uint64_t pattern = 'u' | 'r' << 8 | '*' << 16;
	struct session *s = session();
	struct ktap_counts counts;
	const struct hit *h;
	int id;

	id = attach_new(s, PROBE(.at = target,
				 PROG(CTX(0, COMM), MATCH(1, 0, 3, 0),
				      DATA(pattern), FILTER(1), CTX(2, TGID),
				      STORE(2, 8, 0, NOBIT), COMM(8), END())),
		      "task");
	target(1, 2);
	prctl(PR_SET_NAME, "other");
	target(1, 2);
	prctl(PR_SET_NAME, "uraw");
	h = only_hit(s, "task");
	is(word(h, 0), getpid(), "task: process");
	is_text((const char *)h->payload + 8, "uraw", "task: name");
	counts = counts_of(s, id);
	is(counts.hits, 2, "task: hits");
	is(counts.filtered, 1, "task: filtered by name");
	probe_del(id);
	session_close(s);
}

/* The file counts who probes it; and what the listing shows. */
static void try_users(void)
{
	struct session *s = session();
	struct shown shown;
	int id, other;

	id = PROBE(.at = target, .ref = (const void *)&target_users, ARGS_PROG,
		   .path = "/some/where/uraw");
	is(target_users, 0, "users: none while it is not armed");
	attach_new(s, id, "users");
	is(target_users, 1, "users: one");
	other = PROBE(.at = target, ARGS_PROG);
	is(other, -EBUSY, "users: none asked for at the same place");
	is_text(why(), "the place is probed already, with another semaphore",
		"users: and why not");
	probe_show(id, &shown);
	is(shown.offset, file_offset(target), "users: offset shown");
	is(shown.ref, file_offset((const void *)&target_users),
	   "users: counter shown");
	is_text(shown.path, "/some/where/uraw", "users: path shown");
	is_text(shown.hook, "uprobe", "users: hook shown");
	is(detach(s, id), 0, "users: detached");
	is(target_users, 0, "users: none again");
	probe_del(id);
	session_close(s);
}

/* Both can be made while nobody has them; both cannot be armed. */
static void try_conflict(void)
{
	int a = PROBE(.at = target, ARGS_PROG), b;

	b = PROBE(.at = target, .ref = (const void *)&target_users, ARGS_PROG);
	ok(a > 0 && b > 0, "conflict: both are made");
	is(probe_enable(a, true), 0, "conflict: one is armed");
	ok(probe_enable(b, true) < 0, "conflict: the other is not");
	ok(*why(), "conflict: \"%s\"", why());
	is(probe_enable(a, false), 0, "conflict: the one is disarmed");
	is(probe_enable(b, true), 0, "conflict: the other is armed");
	probe_del(a);
	probe_del(b);
}

static void try_counting(void)
{
	int id = PROBE(.at = target, ARGS_PROG), i;
	struct ktap_counts counts;

	is(probe_enable(id, true), 0, "counting: enabled");
	for (i = 0; i < 100; i++)
		target(i, i);
	is(probe_enable(id, false), 0, "counting: disabled");
	target(1, 2);
	probe_stats(id, &counts, NULL);
	is(counts.hits, 100, "counting: hits");
	is(counts.counted, 100, "counting: counted");
	probe_del(id);
}

void try_values(void)
{
	ok(features() & KTAP_FEATURE_UPROBE, "the module says that it has them");
	try_registers();
	try_stack();
	try_task();
	try_users();
	try_conflict();
	try_counting();
}

/* ---- refusals ------------------------------------------------------------------ */

static void refused_with(int got, int error, const char *text, const char *what)
{
	is(got, -error, "%s: refused", what);
	is_text(why(), text, what);
}

void try_refusals(void)
{
	int ends[2], proc = open("/proc/version", O_RDONLY | O_CLOEXEC);

	if (pipe(ends) || proc < 0)
		die("files");
	refused_with(PROBE(.fd = NO_FD, .at = target, ARGS_PROG), EINVAL,
		     "the message lacks the file's descriptor", "no descriptor");
	refused_with(PROBE(.no_offset = true, ARGS_PROG), EINVAL,
		     "the message lacks the offset in the file", "no offset");
	refused_with(PROBE(.fd = 999, ARGS_PROG), EBADF,
		     "the sender has no such file open", "no file");
	refused_with(PROBE(.fd = ends[0], ARGS_PROG), EINVAL,
		     "the descriptor does not refer to a regular file", "pipe");
	refused_with(PROBE(.fd = proc, ARGS_PROG), EOPNOTSUPP,
		     "files of this file system cannot be probed", "/proc");
	refused_with(PROBE(.offset = 1ULL << 40, ARGS_PROG), EINVAL,
		     "the file ends before that offset", "behind the end");
	refused_with(PROBE(.offset = ~0ULL << 2, ARGS_PROG), EINVAL,
		     "the file ends before that offset", "negative offset");
	refused_with(PROBE(.at = target, .ref_offset = 0x1001, ARGS_PROG), EINVAL,
		     "the offset of a semaphore must be even", "odd counter");
	refused_with(PROBE(.at = target, .ref_offset = 1ULL << 40, ARGS_PROG),
		     EINVAL, "the file ends before the semaphore",
		     "counter behind the end");
	refused_with(PROBE(.at = target_trap, ARGS_PROG), EOPNOTSUPP,
		     "the kernel cannot probe the instruction there", "breakpoint");
#ifdef __aarch64__
	refused_with(PROBE(.at = (const char *)(uintptr_t)target + 2, ARGS_PROG),
		     EINVAL, "no instruction begins at this offset: instructions of this machine are aligned",
		     "middle of an instruction");
#endif
	close(ends[0]);
	close(ends[1]);
	close(proc);
	ok(!has_breakpoint(target), "refusals: nothing is left behind");
}

/* A kernel without uprobes. */
void try_absent(void)
{
	const char *text = "this kernel has no uprobes: CONFIG_UPROBES (selected by CONFIG_UPROBE_EVENTS)";

	ok(!(features() & KTAP_FEATURE_UPROBE), "absent: the module says so");
	refused_with(PROBE(.at = target, ARGS_PROG), EOPNOTSUPP, text, "absent");
	refused_with(PROBE(.type = KTAP_TYPE_URETPROBE, .at = target, ARGS_PROG),
		     EOPNOTSUPP, text, "absent: return");
}

/* ---- many ---------------------------------------------------------------------- */

#ifdef __x86_64__
#define NOP_SIZE 1
#else
#define NOP_SIZE 4
#endif
#define NR_NOPS	64

/* Many places of one file, and two probes at each. */
void try_many(void)
{
	struct session *s = session();
	int id[2 * NR_NOPS], i, bad = 0;
	const struct hit *h;
	unsigned int nr;

	for (i = 0; i < 2 * NR_NOPS; i++) {
		id[i] = PROBE(.at = target_nops + i % NR_NOPS * NOP_SIZE,
			      PROG(REG(0, R_PC), STORE(0, 8, 0, NOBIT), END()));
		bad += id[i] < 0 || attach(s, id[i]);
	}
	is(bad, 0, "many: all are attached");
	call_nops();
	nr = hits(s, &h);
	is(nr, 2 * NR_NOPS, "many: records");
	for (i = 0; i < (int)nr; i++)
		bad += word(h + i, 0) !=
		       (uintptr_t)target_nops + i / 2 * NOP_SIZE;
	is(bad, 0, "many: each in its place, in order");
	for (i = 0; i < 2 * NR_NOPS; i += 2)
		probe_del(id[i]);
	call_nops();
	is(hits(s, &h), NR_NOPS, "many: half of them deleted");
	session_close(s);
	bad = 0;
	for (i = 0; i < NR_NOPS; i++)
		bad += has_breakpoint(target_nops + i * NOP_SIZE);
	is(bad, 0, "many: no breakpoint is left");
	for (i = 1; i < 2 * NR_NOPS; i += 2)
		probe_del(id[i]);
}
