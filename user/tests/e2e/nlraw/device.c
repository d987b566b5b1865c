// SPDX-License-Identifier: GPL-2.0
/* /dev/ktap: calls that are wrong, or come in the wrong order. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "nlraw.h"
#include "../../../../kunit/insn.h"

static const struct {
	const char *what;
	struct ktap_session_setup setup;
	int error;
} setups[] = {
	{ "unknown flag", { .flags = 1U << 2 }, EINVAL },
	{ "all flags", { .flags = ~0U }, EINVAL },
	{ "reserved", { .reserved = 1 }, EINVAL },
	{ "ring of 3 bytes", { .ring_size = 3 }, EINVAL },
	{ "ring of 1 byte", { .ring_size = 1 }, EINVAL },
	{ "ring of a page", { .ring_size = 4096 }, EINVAL },
	{ "ring of no power of two", { .ring_size = 3 << 20 }, EINVAL },
	{ "ring of 2^63", { .ring_size = 1ULL << 63 }, EINVAL },
	{ "ring of 2^64 - 1", { .ring_size = ~0ULL }, EINVAL },
	{ "ring of 2 GiB", { .ring_size = 2ULL << 30 }, EINVAL },
	{ "sub-buffer of half a page", { .subbuf_size = 2048 }, EINVAL },
	{ "sub-buffer of three pages", { .subbuf_size = 3 * 4096 }, EINVAL },
	{ "sub-buffer of 2 MiB", { .subbuf_size = 2 << 20,
				   .ring_size = 1 << 28 }, EINVAL },
	{ "sub-buffer of 2^31", { .subbuf_size = 1U << 31 }, EINVAL },
	{ "two sub-buffers", { .subbuf_size = 8192, .ring_size = 16384 },
	  EINVAL },
	{ "more than the memory", { .ring_size = 1ULL << 30 }, ENOSPC },
};

static int fresh(void)
{
	int fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("/dev/ktap");
	return fd;
}

static void try_setups(void)
{
	struct ktap_session_setup setup;
	size_t i;
	int fd;

	for (i = 0; i < sizeof(setups) / sizeof(setups[0]); i++) {
		fd = fresh();
		setup = setups[i].setup;
		is_error(xioctl(fd, KTAP_IOC_SETUP, &setup), -setups[i].error,
			 "device: setup: %s", setups[i].what);
		close(fd);
	}
}

static void try_geometry_told(void)
{
	struct ktap_session_setup setup = { .watermark = ~0U };
	int fd = fresh();

	is_error(xioctl(fd, KTAP_IOC_SETUP, &setup), 0, "device: setup: defaults");
	is(setup.ring_size, 1 << 20, "device: setup: ring");
	is(setup.subbuf_size, 64 << 10, "device: setup: sub-buffer");
	ok(setup.watermark <= setup.ring_size / 2,
	   "device: setup: a watermark that can be reached");
	ok(setup.nr_cpus >= 2 && setup.clock && setup.clock_hz && setup.session,
	   "device: setup: the rest is told");
	is_error(xioctl(fd, KTAP_IOC_SETUP, &setup), -EBUSY,
		 "device: setup: twice");
	close(fd);
}

static void try_before_setup(struct sock *s)
{
	struct ktap_session_counts counts = {};
	struct ktap_session_state state;
	int id = probe_new(s, "early", 0, 0), fd = fresh();
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char byte;

	is_error(session_attach(fd, id), -EINVAL, "device: attach before setup");
	is_error(session_detach(fd, id), -ENOENT, "device: detach before setup");
	is_error(session_detach(fd, 0), 0, "device: detach all before setup");
	is_error(xioctl(fd, KTAP_IOC_COUNTS, &counts), -ENOENT,
		 "device: counts before setup");
	is_error(xioctl(fd, KTAP_IOC_STATE, &state), 0,
		 "device: state before setup");
	is(poll(&p, 1, 0), 0, "device: poll before setup");
	ok(read(fd, &byte, 1) < 0 && write(fd, "x", 1) < 0,
	   "device: there is nothing to read or write");
	close(fd);
	probe_del(s, id);
}

static void try_calls(void)
{
	static const unsigned long cmds[] = {
		0, ~0UL, _IO(KTAP_IOC_MAGIC, 0), _IO(KTAP_IOC_MAGIC, 99),
		_IOWR(KTAP_IOC_MAGIC, 0, char[4]),
		_IOW(KTAP_IOC_MAGIC, 2, char[4095]),
		_IOR(KTAP_IOC_MAGIC, 2, struct ktap_session_attach),
		_IOW(0xb6, 2, struct ktap_session_attach),
	};
	static const unsigned long all[] = {
		KTAP_IOC_SETUP, KTAP_IOC_STATE, KTAP_IOC_ATTACH,
		KTAP_IOC_DETACH, KTAP_IOC_SCOPE, KTAP_IOC_COUNTS,
		KTAP_IOC_RATES, KTAP_IOC_MARK, KTAP_IOC_MARKS,
	};
	static char junk[4096];
	int fd = fresh();
	size_t i;

	memset(junk, 0xff, sizeof(junk));
	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		is_error(xioctl(fd, cmds[i], junk), -ENOTTY,
			 "device: call of nobody %zu", i);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		is_error(xioctl(fd, all[i], NULL), -EFAULT,
			 "device: call %zu with no argument", i);
		is_error(xioctl(fd, all[i], (void *)0xffff888000000000), -EFAULT,
			 "device: call %zu with the kernel's memory", i);
	}
	close(fd);
}

static void try_attach(struct sock *s)
{
	struct ktap_session_attach flags = { .flags = 1 };
	struct ktap_session_counts counts = { .cpu = 9999 };
	int id = probe_new(s, "attach", 0, 0), half, fd = session_open();
	const struct answer *a;

	is_error(xioctl(fd, KTAP_IOC_ATTACH, &flags), -EINVAL,
		 "device: attach with a flag");
	is_error(session_attach(fd, 0), -ENOENT, "device: attach 0");
	is_error(session_attach(fd, ~0U), -ENOENT, "device: attach 2^32 - 1");
	is_error(session_attach(fd, id), 0, "device: attach");
	is_error(session_attach(fd, id), -EEXIST, "device: attach twice");
	counts.id = id;
	is_error(xioctl(fd, KTAP_IOC_COUNTS, &counts), -EINVAL,
		 "device: counts of CPU 9999");
	counts.cpu = 1;
	is_error(xioctl(fd, KTAP_IOC_COUNTS, &counts), 0, "device: counts of CPU 1");
	is_error(session_detach(fd, id + 1), -ENOENT, "device: detach another");
	is_error(session_detach(fd, id), 0, "device: detach");
	is_error(session_detach(fd, id), 0, "device: detach twice");
	is_error(xioctl(fd, KTAP_IOC_COUNTS, &counts), 0,
		 "device: counts of what was detached");

	half = probe_new(s, "half", 0, 10);
	is_error(session_attach(fd, half), -ENODATA,
		 "device: attach what is not complete");
	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(A_STR(KTAP_A_NAME, "big"), GOOD_TYPE, GOOD_PLACE,
			  A_BIN(KTAP_A_PROG,
				PROGRAM(REG(0, 0), STORE(0, 8, 4096, NOBIT), END()),
				3 * sizeof(struct ktap_insn)), A_END));
	is_error(session_attach(fd, answer_u32(a, KTAP_A_ID)), -E2BIG,
		 "device: attach what no sub-buffer holds");
	close(fd);
	probe_forget(s);
}

static void try_scope(void)
{
	struct ktap_session_scope scope = { .pid = 1, .flags = 2 };
	int fd = session_open();

	is_error(xioctl(fd, KTAP_IOC_SCOPE, &scope), -EINVAL,
		 "device: scope with an unknown flag");
	scope.flags = KTAP_SCOPE_F_TREE;
	scope.pid = 0;
	is_error(xioctl(fd, KTAP_IOC_SCOPE, &scope), -ESRCH, "device: scope of 0");
	scope.pid = ~0U;
	is_error(xioctl(fd, KTAP_IOC_SCOPE, &scope), -ESRCH,
		 "device: scope of 2^32 - 1");
	scope.pid = 1;
	is_error(xioctl(fd, KTAP_IOC_SCOPE, &scope), 0, "device: scope of init");
	scope.pid = getpid();
	is_error(xioctl(fd, KTAP_IOC_SCOPE, &scope), 0, "device: and of another");
	close(fd);
}

static void try_rates(void)
{
	struct ktap_session_rates rates = { .max = 1ULL << 63 };
	int fd = session_open();

	is_error(xioctl(fd, KTAP_IOC_RATES, &rates), -EINVAL,
		 "device: more records than can be counted");
	rates = (struct ktap_session_rates){ ~0U, ~0U, ~0ULL >> 1 };
	is_error(xioctl(fd, KTAP_IOC_RATES, &rates), 0,
		 "device: the largest rates");
	close(fd);
}

/* What the argument of KTAP_IOC_MARK must not be. */
static void try_bad_marks(int fd)
{
	static const char text[] = "a text\0with a NUL";
	static const struct {
		const char *what;
		struct ktap_session_mark mark;
		int error;
	} rows[] = {
		{ "no text", { .text = (uintptr_t)text }, EINVAL },
		{ "256 bytes", { .text = (uintptr_t)text, .size = 256 }, EINVAL },
		{ "2^32 - 1 bytes", { .text = (uintptr_t)text, .size = ~0U }, EINVAL },
		{ "a flag", { .text = (uintptr_t)text, .size = 1, .flags = 1 }, EINVAL },
		{ "a NUL at the end", { .text = (uintptr_t)text, .size = 7 }, EINVAL },
		{ "a NUL inside", { .text = (uintptr_t)text, .size = 10 }, EINVAL },
		{ "NULL", { .size = 1 }, EFAULT },
		{ "the kernel's memory", { .text = 0xffff888000000000, .size = 8 }, EFAULT },
		{ "the end of memory", { .text = ~0ULL, .size = 8 }, EFAULT },
	};
	struct ktap_session_mark mark;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		mark = rows[i].mark;
		is_error(xioctl(fd, KTAP_IOC_MARK, &mark), -rows[i].error,
			 "device: mark: %s", rows[i].what);
	}
}

static uint64_t marks_of(int fd)
{
	struct ktap_marks marks = {};

	is_error(xioctl(fd, KTAP_IOC_MARKS, &marks), 0, "device: marks");
	is(marks.lost_full + marks.lost_no_ring, 0, "device: none is lost");
	return marks.recorded;
}

static void try_marks(struct sock *s)
{
	int id = probe_new(s, "mark", 0, 0), bare = fresh(), fd = session_open();
	struct ktap_session_mark mark = {
		.text = (uintptr_t)"text", .size = 4,
		.marks = { 1, 2, 3 }, /* what is here does not matter */
	};

	try_bad_marks(bare);
	is_error(xioctl(bare, KTAP_IOC_MARK, &mark), 0, "device: a mark of a bare file");
	is(mark.marks.recorded + mark.marks.lost_full + mark.marks.lost_no_ring, 0,
	   "device: nobody records");
	is_error(session_attach(fd, id), 0, "device: attach for marks");
	try_bad_marks(fd);
	is(marks_of(fd), 0, "device: refused marks are nowhere");
	is_error(xioctl(bare, KTAP_IOC_MARK, &mark), 0, "device: a mark");
	is(mark.marks.recorded, 1, "device: one session has it");
	is_error(xioctl(fd, KTAP_IOC_MARK, &mark), 0, "device: a mark of who records");
	is(marks_of(fd), 2, "device: both are counted");
	is(marks_of(bare), 0, "device: a file without rings has none");
	is_error(session_detach(fd, 0), 0, "device: detach after marks");
	is_error(xioctl(bare, KTAP_IOC_MARK, &mark), 0, "device: a mark after that");
	is(mark.marks.recorded, 0, "device: detached rings are final");
	is(marks_of(fd), 2, "device: so is their number");
	close(bare);
	close(fd);
	probe_del(s, id);
}

void try_device(void)
{
	struct sock *s = sock_open();

	try_setups();
	try_geometry_told();
	try_before_setup(s);
	try_calls();
	try_attach(s);
	try_scope();
	try_rates();
	try_marks(s);
	is(limits(s)->nr_probes, 0, "device: no probe is left");
	is(limits(s)->ring_total, 0, "device: no ring is left");
	sock_close(s);
}
