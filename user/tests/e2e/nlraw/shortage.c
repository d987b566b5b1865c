// SPDX-License-Identifier: GPL-2.0
/*
 * Every allocation of every request fails once: the request is refused, or
 * did all of its work, and nothing is left of what was refused. Needs a kernel
 * that can make allocations fail (CONFIG_FAULT_INJECTION).
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nlraw.h"

#define ATTEMPTS_MAX 1000

static struct sock *asker;
static int probe, session;

static void set_knob(const char *name, const char *value)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, 1) != 1)
		die(path);
	close(fd);
}

/* The file is open all the time: opening it would be an allocation, too. */
static int fail_fd;

static void fail_nth(int n)
{
	char text[16];
	int size = snprintf(text, sizeof(text), "%d", n);

	if (pwrite(fail_fd, text, size, 0) != size)
		die("fail-nth");
}

/* How many more there would have to be; 0: one failed. */
static int fail_left(void)
{
	char text[16] = "";

	if (pread(fail_fd, text, sizeof(text) - 1, 0) <= 0)
		die("fail-nth");
	fail_nth(0);
	return atoi(text);
}

/* ---- what is tried -------------------------------------------------------------- */

/*
 * At the entry of a function a kprobe is ftrace's, which warns when it cannot
 * allocate what it needs to let go of it: what is armed here is behind it.
 */
#define INSIDE	5

static struct answer *new_at(uint64_t offset, const char *name,
			     uint32_t blob_size)
{
	return request(asker, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_BIN(KTAP_A_NAME, name, strlen(name) + 1),
			     GOOD_TYPE, GOOD_PLACE, GOOD_PROG,
			     A_U64(KTAP_A_OFFSET, offset),
			     A_U32(KTAP_A_BLOB_SIZE, blob_size), A_END));
}

static void delete(const char *name)
{
	request(asker, KTAP_CMD_PROBE_DEL,
		ATTRS(A_BIN(KTAP_A_NAME, name, strlen(name) + 1), A_END));
}

static int do_new(void)
{
	return new_at(INSIDE, "shortage", 8192)->error;
}

static void undo_new(void)
{
	delete("shortage");
}

/* The second kprobe in a place makes the kernel put them in a list. */
static void before_second(void)
{
	if (new_at(0, "first", 0)->error)
		die("first");
}

static int do_second(void)
{
	return new_at(0, "shortage", 0)->error;
}

static void undo_second(void)
{
	delete("shortage");
	delete("first");
}

static int do_enable(void)
{
	return probe_enable(asker, probe, true);
}

static void undo_enable(void)
{
	probe_enable(asker, probe, false);
}

static int do_disable(void)
{
	return probe_enable(asker, probe, false);
}

static int do_open(void)
{
	session = open("/dev/ktap", O_RDWR | O_CLOEXEC);
	return session < 0 ? -errno : 0;
}

static void undo_open(void)
{
	if (session >= 0)
		close(session);
	session = -1;
}

static int do_setup(void)
{
	struct ktap_session_setup setup = { .ring_size = 16384,
					    .subbuf_size = 4096 };

	return xioctl(session, KTAP_IOC_SETUP, &setup);
}

static void before_setup(void)
{
	if (do_open())
		die("/dev/ktap");
}

static void before_attach(void)
{
	session = session_open();
}

static int do_attach(void)
{
	return session_attach(session, probe);
}

static int do_detach(void)
{
	return session_detach(session, probe);
}

static void before_detach(void)
{
	before_attach();
	if (do_attach())
		die("attach");
}

static int do_scope(void)
{
	struct ktap_session_scope scope = { .pid = getpid() };

	return xioctl(session, KTAP_IOC_SCOPE, &scope);
}

static int do_dump(void)
{
	return dump(asker, KTAP_CMD_STATS_GET, NULL, NULL, NULL);
}

static int do_dump_all(void)
{
	return dump(asker, KTAP_CMD_STATS_GET,
		    ATTRS(A_BIN(KTAP_A_VERBOSE, NULL, 0), A_END), NULL, NULL);
}

static int do_dump_probes(void)
{
	return dump(asker, KTAP_CMD_PROBE_GET, NULL, NULL, NULL);
}

static int do_dump_sessions(void)
{
	return dump(asker, KTAP_CMD_SESSION_GET, NULL, NULL, NULL);
}

static int do_info(void)
{
	return request(asker, KTAP_CMD_INFO_GET, NULL)->error;
}

static int do_get(void)
{
	return request(asker, KTAP_CMD_PROBE_GET,
		       ATTRS(A_U32(KTAP_A_ID, probe), A_END))->error;
}

static int do_chunk(void)
{
	return request(asker, KTAP_CMD_BLOB_GET,
		       ATTRS(A_U32(KTAP_A_ID, probe),
			     A_U32(KTAP_A_BLOB_OFFSET, 0), A_END))->error;
}

/* The first attachment of a session that takes stacks makes their table. */
static int stacks;

static void before_stacks(void)
{
	stacks = answer_u32(request(asker, KTAP_CMD_PROBE_NEW,
				    ATTRS(A_STR(KTAP_A_NAME, "stacks"), GOOD_TYPE, GOOD_PLACE,
					  A_BIN(KTAP_A_PROG, stack_prog, sizeof(stack_prog)),
					  A_U64(KTAP_A_OFFSET, INSIDE), A_END)),
			    KTAP_A_ID);
	if (!stacks)
		die("stacks");
	before_attach();
}

static int do_stacks(void)
{
	return session_attach(session, stacks);
}

static void undo_stacks(void)
{
	undo_open();
	delete("stacks");
}

/*
 * A session that closes has a list of its attachments, if there is memory for one. Few of
 * them, as many as FEW in the module's session.c, need none.
 */
#define CROWD	70

static int crowd[CROWD];

static void before_crowd(void)
{
	before_attach();
	for (int i = 0; i < CROWD; i++) {
		crowd[i] = answer_u32(request(asker, KTAP_CMD_PROBE_NEW,
					      ATTRS(A_STR(KTAP_A_NAME, "crowd"), GOOD_TYPE,
						    GOOD_PLACE, GOOD_PROG,
						    A_U64(KTAP_A_OFFSET, INSIDE),
						    A_U32(KTAP_A_FLAGS,
							  KTAP_PROBE_F_TRANSIENT), A_END)),
				      KTAP_A_ID);
		if (!crowd[i] || session_attach(session, crowd[i]))
			die("crowd");
	}
}

static int do_close(void)
{
	undo_open();
	return 0;
}

static void undo_crowd(void)
{
	for (int i = 0; i < CROWD; i++)
		probe_del(asker, crowd[i]);
}

static int do_enable_list(void)
{
	return request(asker, KTAP_CMD_PROBE_SET,
		       ATTRS(A_BIN(KTAP_A_IDS, &probe, sizeof(probe)),
			     A_U8(KTAP_A_ENABLED, 1), A_END))->error;
}

static int do_del(void)
{
	return request(asker, KTAP_CMD_PROBE_DEL,
		       ATTRS(A_STR(KTAP_A_NAME, "shortage"), A_END))->error;
}

static void before_del(void)
{
	if (do_new())
		die("new");
}

static void nothing(void)
{
}

static const struct {
	const char *what;
	void (*before)(void);
	int (*run)(void);
	void (*after)(void);
	bool cannot_fail;
	int step; /* one of this many allocations fails; 0: each */
} cases[] = {
	{ "new", nothing, do_new, undo_new },
	{ "second new", before_second, do_second, undo_second },
	{ "enable", nothing, do_enable, undo_enable },
	{ "disable", undo_new, do_disable, nothing },
	{ "open", nothing, do_open, undo_open },
	{ "setup", before_setup, do_setup, undo_open },
	{ "attach", before_attach, do_attach, undo_open },
	{ "detach", before_detach, do_detach, undo_open, .cannot_fail = true },
	{ "scope", before_attach, do_scope, undo_open },
	{ "enable, of a list", nothing, do_enable_list, undo_enable },
	{ "dump", nothing, do_dump, nothing },
	{ "dump, each session", before_attach, do_dump_all, undo_open },
	{ "dump of probes", nothing, do_dump_probes, nothing },
	{ "dump of sessions", before_attach, do_dump_sessions, undo_open },
	{ "information", nothing, do_info, nothing },
	{ "one probe", nothing, do_get, nothing },
	{ "a chunk", nothing, do_chunk, nothing },
	{ "attach, with stacks", before_stacks, do_stacks, undo_stacks, .step = 83 },
	{ "close, of many", before_crowd, do_close, undo_crowd, .cannot_fail = true },
	{ "delete", before_del, do_del, undo_new },
};

/* ---- each allocation in turn ------------------------------------------------------ */

static bool allowed(int error)
{
	return !error || error == -ENOMEM || error == -ENOBUFS;
}

/*
 * The module frees what many probes had some time after they are deleted. It may also free
 * what earlier ones had.
 */
static bool comes_back_to(const struct ktap_limits *was)
{
	struct ktap_limits now;

	for (int i = 0; i < 500; i++) {
		now = *limits(asker);
		if (now.nr_probes == was->nr_probes && now.ring_total == was->ring_total &&
		    now.blob_total == was->blob_total &&
		    now.memory_total <= was->memory_total)
			return true;
		usleep(10000);
	}
	printf("# probes %u, rings %llu, blobs %llu, memory %llu more\n",
	       now.nr_probes - was->nr_probes,
	       (unsigned long long)(now.ring_total - was->ring_total),
	       (unsigned long long)(now.blob_total - was->blob_total),
	       (unsigned long long)(now.memory_total - was->memory_total));
	return false;
}

static void try_case(size_t i)
{
	unsigned int n, refused = 0, wrong = 0;
	struct ktap_limits was;
	unsigned int step = cases[i].step ?: 1;
	int error, left;

	was = *limits(asker);
	for (n = 1; n < ATTEMPTS_MAX * step; n += step) {
		cases[i].before();
		fail_nth(n);
		error = cases[i].run();
		left = fail_left();
		if (!allowed(error)) {
			wrong++;
			printf("#   allocation %u: errno %d\n", n, -error);
		}
		refused += error < 0;
		cases[i].after();
		if (left)
			break;
	}
	ok(!wrong && n < ATTEMPTS_MAX * step,
	   "shortage: %s: %u allocations failed in turn, %u refused it",
	   cases[i].what, n - 1, refused);
	/* what takes away may take longer, and must not fail */
	ok(cases[i].cannot_fail == !refused, "shortage: %s: %u were refused",
	   cases[i].what, refused);
	ok(comes_back_to(&was), "shortage: %s: nothing is left of it", cases[i].what);
	/* and it still works */
	cases[i].before();
	is_error(cases[i].run(), 0, "shortage: %s: works again", cases[i].what);
	cases[i].after();
}

static void set_knobs(void)
{
	set_knob("failslab/ignore-gfp-wait", "N");
	set_knob("failslab/verbose", "0");
	set_knob("fail_page_alloc/ignore-gfp-wait", "N");
	set_knob("fail_page_alloc/ignore-gfp-highmem", "N");
	set_knob("fail_page_alloc/min-order", "0");
	set_knob("fail_page_alloc/verbose", "0");
	fail_fd = open("/proc/thread-self/fail-nth", O_RDWR);
	if (fail_fd < 0)
		die("fail-nth");
}

void try_shortage(void)
{
	size_t i;

	set_knobs();
	asker = sock_open();
	probe = answer_u32(new_at(INSIDE, "enabled", 0), KTAP_A_ID);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		try_case(i);
	is_error(probe_del(asker, probe), 0, "shortage: the other probe is there");
	is(limits(asker)->nr_probes, 0, "shortage: no probe is left");
	is(limits(asker)->ring_total, 0, "shortage: no ring is left");
	sock_close(asker);
	close(fail_fd);
}

/* ---- and each one of the module's init -------------------------------------------- */

#define TRACEFS		"/sys/kernel/tracing/"
#define FAIL_NEVER	1000000	/* more than a load allocates */

static void trace_loads(void)
{
	int fd = open(TRACEFS "events/module/module_load/enable", O_WRONLY);

	if (fd < 0 || write(fd, "1", 1) != 1)
		die("module_load");
	close(fd);
}

/*
 * The kernel reports a module just before it calls the module's init. Return:
 * whether it has since the last call.
 */
static bool init_began(void)
{
	int fd = open(TRACEFS "trace", O_RDONLY);
	static char text[65536];
	ssize_t size;

	size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (size < 0)
		die(TRACEFS "trace");
	close(fd);
	text[size] = 0;
	close(open(TRACEFS "trace", O_WRONLY | O_TRUNC)); /* forgets all */
	return strstr(text, "module_load: ktap");
}

static bool is_loaded(void)
{
	return access("/sys/module/ktap", F_OK) == 0;
}

/* With allocation @n failing. Return: 0, or the errno with which it did not come. */
static int load(int module, int n, int *left)
{
	int error;

	fail_nth(n);
	error = syscall(SYS_finit_module, module, "", 0) ? errno : 0;
	*left = fail_left();
	return error;
}

static void unload(void)
{
	if (syscall(SYS_delete_module, "ktap", O_NONBLOCK))
		die("delete_module");
}

/*
 * KTAP_KO names the module, which is not loaded. The last allocations of a load
 * are those of its init; those of the kernel's own before that are not failed,
 * as some make it warn (jump_label_module_notify()). Which of them refuse the
 * load differs from run to run, so a brief try ends at some that did.
 */
void try_coming(void)
{
	int module, left, error, n, tried = 0, refused = 0, half = 0;
	int enough = is_brief() ? 4 : INT_MAX;
	const char *path = getenv("KTAP_KO");

	module = open(path ?: "", O_RDONLY | O_CLOEXEC);
	if (module < 0)
		die("KTAP_KO");
	set_knobs();
	trace_loads();
	is(load(module, FAIL_NEVER, &left), 0, "shortage: the module comes");
	unload();
	init_began();
	for (n = FAIL_NEVER - left; n > 0 && refused < enough; n--) {
		error = load(module, n, &left);
		half += is_loaded() != !error;
		if (!error)
			unload();
		if (!init_began())
			break;
		tried++;
		refused += error == ENOMEM;
	}
	ok(refused >= 4,
	   "shortage: of %d allocations that failed around init, %d refused it",
	   tried, refused);
	is(half, 0, "shortage: the module is there, or it is not");
	is(load(module, 0, &left), 0, "shortage: the module comes after all that");
	unload();
	close(fail_fd);
	close(module);
}
