// SPDX-License-Identifier: GPL-2.0
/*
 * Loops that speak to the module themselves, since a command takes a hundred
 * times as long: probes of all kinds that come and go, that are counted and
 * recorded, by sessions of all sizes, which end in every way; also where
 * allocations fail.
 */
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../nlraw/nlraw.h"
#include "../../../../kunit/insn.h"
#include "torture.h"

#define DEBUGFS "/sys/kernel/debug/"

/* ---- what is probed -------------------------------------------------------------- */

/*
 * Functions of ktap_torture; of a module that comes and goes; what is called
 * all the time; and what ktap itself calls, at hits and elsewhere.
 */
static const char *const symbols[] = {
	"torture_task",
	"torture_deep",
	"torture_sleep",
	"torture_softirq",
	"torture_hardirq",
	"torture_nmi",
	"ktap_target:ktap_target_args2",
	"ktap_target:ktap_target_factorial",
	"vfs_read",
	"vfs_write",
	"update_process_times",
	"do_exit",
	"schedule_timeout",
	"try_to_wake_up",
	"handle_mm_fault",
	"copy_from_kernel_nofault",
	"copy_from_user_nofault",
	"strncpy_from_user",
	"ktime_get_mono_fast_ns",
	"irq_work_queue",
	"kfree",
	"mutex_lock",
	"mutex_unlock",
	"synchronize_rcu",
	"queue_work_on",
	"genl_rcv_msg",
	"netlink_unicast",
	"vfree",
	"register_kprobe",
	"unregister_kprobes",
	"uprobe_register",
	"ftrace_set_filter_ip",
	"tracepoint_probe_register",
	"remap_vmalloc_range",
	"idr_alloc_u32",
	"mod_delayed_work_on",
	"get_user_pages_remote",
	"perf_event_create_kernel_counter",
};

#define NR_SYMBOLS (sizeof(symbols) / sizeof(symbols[0]))
/* At the entry of a function is a call that ftrace patches. */
#define INSIDE 5

static const char *const tracepoints[] = {
	"ktap_torture_event", "sched_switch", "sys_enter",
	"irq_handler_entry",  "timer_start",  "kfree",
};

#define NR_TRACEPOINTS (sizeof(tracepoints) / sizeof(tracepoints[0]))

/* The first bytes of the payload are a register; then text from memory. */
static const struct ktap_insn text_prog[] = {
	REG(0, 0), REG(1, 1),	  STORE(0, 8, 0, NOBIT),
	COMM(8),   FAULTS(8, 24), STRING(1, 24, 32, 0),
	END(),
};

static const struct ktap_insn comm_prog[] = { COMM(0), END() };

/* ---- requests ---------------------------------------------------------------------- */

static struct sock *sock;
static int self_fd = -1;

/* struct wish - a probe to make; @attr has room for all that one may have */
struct wish {
	struct attr attr[12];
	unsigned int nr;
	uint32_t type, flags, access, length, fd;
	uint64_t at;
};

static void add_attr(struct wish *w, uint16_t type, const void *data,
		     uint16_t len)
{
	w->attr[w->nr++] = (struct attr){ type, len, data };
	w->attr[w->nr] = (struct attr)A_END;
}

static void add_text(struct wish *w, uint16_t type, const char *text)
{
	add_attr(w, type, text, strlen(text) + 1);
}

static void add_prog(struct wish *w, const struct ktap_insn *prog, size_t size)
{
	add_attr(w, KTAP_A_PROG, prog, size);
}

static void wish_kernel(struct wish *w, struct chance *c)
{
	add_text(w, KTAP_A_SYMBOL, symbols[chance_below(c, NR_SYMBOLS)]);
	w->flags |= KTAP_PROBE_F_WAIT;
	if (w->type == KTAP_TYPE_KPROBE)
		switch (chance_below(c, 3)) {
		case 0:
			add_text(w, KTAP_A_HOOK, "ftrace");
			break;
		case 1:
			add_text(w, KTAP_A_HOOK, "kprobe");
			break;
		default:
			w->at = INSIDE;
			add_attr(w, KTAP_A_OFFSET, &w->at, sizeof(w->at));
		}
	switch (chance_below(c, 3)) {
	case 0:
		add_prog(w, text_prog, sizeof(text_prog));
		break;
	case 1:
		add_prog(w, stack_prog, sizeof(stack_prog));
		break;
	default:
		add_prog(w, good_prog, sizeof(good_prog));
	}
}

static void wish_user(struct wish *w, struct chance *c)
{
	w->fd = self_fd;
	w->at = file_offset(chance_below(c, 2) ? (void *)u_torture :
					      (void *)u_deep);
	add_attr(w, KTAP_A_FD, &w->fd, sizeof(w->fd));
	add_attr(w, KTAP_A_OFFSET, &w->at, sizeof(w->at));
	add_prog(w, good_prog, sizeof(good_prog));
}

static void wish_tracepoint(struct wish *w, struct chance *c)
{
	add_text(w, KTAP_A_SYMBOL, tracepoints[chance_below(c, NR_TRACEPOINTS)]);
	add_prog(w, comm_prog, sizeof(comm_prog));
}

static void wish_timer(struct wish *w, struct chance *c)
{
	w->at = 16000000ULL << chance_below(c, 5);
	add_attr(w, KTAP_A_PERIOD, &w->at, sizeof(w->at));
	if (chance_below(c, 2))
		add_attr(w, KTAP_A_EACH_CPU, NULL, 0);
	add_prog(w, stack_prog, sizeof(stack_prog));
}

static void wish_watch(struct wish *w, struct chance *c)
{
	char text[32];

	(void)c;
	read_file(PARAMETERS "other_at", text, sizeof(text));
	w->at = strtoull(text, NULL, 0);
	w->length = 8;
	w->access = KTAP_ACCESS_WRITE;
	add_attr(w, KTAP_A_ADDR, &w->at, sizeof(w->at));
	add_attr(w, KTAP_A_LENGTH, &w->length, sizeof(w->length));
	add_attr(w, KTAP_A_ACCESS, &w->access, sizeof(w->access));
	add_prog(w, comm_prog, sizeof(comm_prog));
}

/* make() - a probe of any kind. Return: its id, or a negative errno. */
static int make(struct chance *c, const char *name, uint32_t flags)
{
	static const uint32_t types[] = {
		KTAP_TYPE_KPROBE,     KTAP_TYPE_KPROBE,	   KTAP_TYPE_KRETPROBE,
		KTAP_TYPE_UPROBE,     KTAP_TYPE_URETPROBE, KTAP_TYPE_TRACEPOINT,
		KTAP_TYPE_WATCHPOINT, KTAP_TYPE_TIMER,
	};
	struct wish w = { .flags = flags, .type = types[chance_below(c, 8)] };
	struct answer *a;

	add_text(&w, KTAP_A_NAME, name);
	add_attr(&w, KTAP_A_TYPE, &w.type, sizeof(w.type));
	switch (w.type) {
	case KTAP_TYPE_UPROBE:
	case KTAP_TYPE_URETPROBE:
		wish_user(&w, c);
		break;
	case KTAP_TYPE_TRACEPOINT:
		wish_tracepoint(&w, c);
		break;
	case KTAP_TYPE_WATCHPOINT:
		wish_watch(&w, c);
		break;
	case KTAP_TYPE_TIMER:
		wish_timer(&w, c);
		break;
	default:
		wish_kernel(&w, c);
	}
	add_attr(&w, KTAP_A_FLAGS, &w.flags, sizeof(w.flags));
	a = request(sock, KTAP_CMD_PROBE_NEW, w.attr);
	return a->error ? a->error : (int)answer_u32(a, KTAP_A_ID);
}

static void begin(struct chance *c)
{
	(void)c;
	/* where it was run from: start() needs no path then */
	if (self_fd < 0)
		self_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	sock = sock_open();
}

/* ---- probes come and go ------------------------------------------------------------ */

#define NR_OWN 6

static int own[NR_OWN];

/* One more, or one less; counted or not meanwhile. */
static bool come_or_go(struct chance *c)
{
	unsigned int i = chance_below(c, NR_OWN);
	char name[32];
	int error;

	if (own[i] > 0) {
		if (chance_below(c, 2))
			probe_enable(sock, own[i], chance_below(c, 2));
		error = probe_del(sock, own[i]);
		own[i] = 0;
		return !error;
	}
	snprintf(name, sizeof(name), "churn%u", i);
	own[i] = make(c, name, chance_below(c, 2) ? KTAP_PROBE_F_TRANSIENT : 0);
	return own[i] > 0 && !probe_enable(sock, own[i], true);
}

static void end_churn(void)
{
	int i;

	for (i = 0; i < NR_OWN; i++)
		if (own[i] > 0)
			probe_del(sock, own[i]);
}

/* The same ones, again and again. */
static void begin_toggle(struct chance *c)
{
	char name[32];
	int i, tries;

	begin(c);
	for (i = 0; i < NR_OWN; i++) {
		snprintf(name, sizeof(name), "toggle%d", i);
		for (tries = 0; tries < 20 && own[i] <= 0; tries++)
			own[i] = make(c, name, 0);
	}
}

static bool toggle(struct chance *c)
{
	unsigned int i = chance_below(c, NR_OWN);

	return own[i] > 0 && !probe_enable(sock, own[i], chance_below(c, 2));
}

/* ---- sessions ------------------------------------------------------------------------ */

#define NR_IN_SESSION 4

struct view {
	int fd;
	struct ktap_session_setup setup;
	int id[NR_IN_SESSION];
};

/* Keys are whatever the program stores; few slots are soon full. */
static bool attach_to_map(int fd, uint32_t id, struct chance *c)
{
	struct ktap_session_map map = {
		.nr_slots = 1U << chance_below(c, 8),
		.key_size = 64,
		.nr_values = 1,
		.values = { { .kind = KTAP_MAP_SUM + chance_below(c, 3),
			      .size = 8, .fault = KTAP_NO_FAULT } },
	};
	struct ktap_session_attach_many arg = {
		.ids = (uintptr_t)&id, .nr = 1, .flags = KTAP_ATTACH_F_MAP,
	};

	if (xioctl(fd, KTAP_IOC_MAP, &map))
		return false;
	arg.map = map.map;
	return !xioctl(fd, KTAP_IOC_ATTACH_MANY, &arg);
}

static bool open_view(struct view *v, struct chance *c)
{
	char name[32];
	int i;

	v->fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);
	if (v->fd < 0)
		return false;
	v->setup = (struct ktap_session_setup){
		.subbuf_size = 4096U << chance_below(c, 2),
		.ring_size = 32768U << chance_below(c, 4),
		.flags = KTAP_SESSION_F_SELF * chance_below(c, 2) |
			 KTAP_SESSION_F_OVERWRITE * chance_below(c, 2),
	};
	if (xioctl(v->fd, KTAP_IOC_SETUP, &v->setup)) {
		close(v->fd);
		return false;
	}
	for (i = 0; i < NR_IN_SESSION; i++) {
		snprintf(name, sizeof(name), "view%d-%d", getpid(), i);
		v->id[i] = make(c, name, KTAP_PROBE_F_TRANSIENT);
		if (v->id[i] > 0 && !(i % 2 && attach_to_map(v->fd, v->id[i], c)))
			session_attach(v->fd, v->id[i]);
	}
	return true;
}

/*
 * Reads as a careless reader does: whatever the pages have is looked at, and the
 * tail goes where it should, or anywhere.
 */
static unsigned long look_at_ring(struct view *v, unsigned int cpu,
				  struct chance *c)
{
	size_t size = 2 * 4096 + v->setup.ring_size, i;
	volatile struct ktap_ring_consumer *consumer;
	volatile struct ktap_ring_producer *producer;
	unsigned long sum = 0;
	volatile char *map;

	consumer = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, v->fd,
			cpu * KTAP_MMAP_STRIDE);
	if (consumer == MAP_FAILED)
		return 0;
	map = mmap(NULL, size - 4096, PROT_READ, MAP_SHARED, v->fd,
		   cpu * KTAP_MMAP_STRIDE + 4096);
	if (map != MAP_FAILED) {
		producer = (void *)map;
		for (i = 4096; i < size - 4096; i += 512)
			sum += map[i];
		consumer->tail = chance_below(c, 4) ? producer->head :
						      chance_next(c);
		munmap((void *)map, size - 4096);
	}
	munmap((void *)consumer, 4096);
	return sum;
}

static void watch_view(struct view *v, struct chance *c)
{
	struct pollfd p = { .fd = v->fd, .events = POLLIN };
	struct ktap_session_state state;
	unsigned int i, nr = 1 + chance_below(c, 5);

	for (i = 0; i < nr; i++) {
		poll(&p, 1, chance_below(c, 50));
		xioctl(v->fd, KTAP_IOC_STATE, &state);
		look_at_ring(v, chance_below(c, 4), c);
	}
}

/* What cannot be deleted, for want of memory, is left in @v->id for another call. */
static void close_view(struct view *v, struct chance *c)
{
	int i;

	for (i = 0; i < NR_IN_SESSION; i++) {
		if (v->id[i] <= 0)
			continue;
		if (chance_below(c, 2))
			session_detach(v->fd, v->id[i]);
		if (chance_below(c, 2) && !probe_del(sock, v->id[i]))
			v->id[i] = 0;
	}
	if (v->fd >= 0)
		close(v->fd);
	v->fd = -1;
	for (i = 0; i < NR_IN_SESSION; i++)
		if (v->id[i] > 0 && !probe_del(sock, v->id[i]))
			v->id[i] = 0;
}

static bool session(struct chance *c)
{
	struct view v;

	if (!open_view(&v, c))
		return false;
	watch_view(&v, c);
	close_view(&v, c);
	return true;
}

/* A session's process is killed, with its socket, wherever it is. */
static bool killed(struct chance *c)
{
	struct view v;
	pid_t pid = fork();

	if (pid < 0)
		return false;
	if (!pid) {
		begin(c);
		while (open_view(&v, c)) {
			watch_view(&v, c);
			close_view(&v, c);
		}
		_exit(0);
	}
	sleep_ms(50 + chance_below(c, 400));
	kill(pid, SIGKILL);
	return waitpid(pid, NULL, 0) == pid;
}

/* ---- looking ----------------------------------------------------------------------------- */

static void count_one(void *ctx, const struct nlattr *const *tb)
{
	(void)tb;
	++*(unsigned int *)ctx;
}

static bool look(struct chance *c)
{
	unsigned int nr = 0;

	switch (chance_below(c, 4)) {
	case 0:
		return !dump(sock, KTAP_CMD_PROBE_GET, NULL, count_one, &nr);
	case 1:
		return !dump(sock, KTAP_CMD_STATS_GET, NULL, count_one, &nr);
	case 2:
		return !dump(sock, KTAP_CMD_STATS_GET,
			     ATTRS({ KTAP_A_VERBOSE, 0, NULL }, A_END),
			     count_one, &nr);
	default:
		return !dump(sock, KTAP_CMD_SESSION_GET, NULL, count_one, &nr);
	}
}

/* ---- where allocations fail ------------------------------------------------------------- */

static bool can_fail(void)
{
	return exists(DEBUGFS "failslab") && exists("/proc/self/make-it-fail");
}

/* Only this process and its children. */
static void begin_fails(struct chance *c)
{
	static const char *const knobs[][2] = {
		{ "ignore-gfp-wait", "N" }, { "task-filter", "Y" },
		{ "probability", "4" },	    { "times", "-1" },
		{ "verbose", "0" },
	};
	char path[128];
	size_t i;

	begin(c);
	for (i = 0; i < sizeof(knobs) / sizeof(knobs[0]); i++) {
		snprintf(path, sizeof(path), DEBUGFS "failslab/%s", knobs[i][0]);
		write_file(path, knobs[i][1]);
		snprintf(path, sizeof(path), DEBUGFS "fail_page_alloc/%s",
			 knobs[i][0]);
		write_file(path, knobs[i][1]);
	}
	write_file(DEBUGFS "fail_page_alloc/ignore-gfp-highmem", "N");
	write_file(DEBUGFS "fail_page_alloc/min-order", "0");
}

static void fail_me(bool on)
{
	write_file("/proc/self/make-it-fail", on ? "1" : "0");
}

static bool fails(struct chance *c)
{
	struct view v = { .fd = -1 };
	bool opened;

	fail_me(true);
	opened = open_view(&v, c);
	if (opened)
		watch_view(&v, c);
	/* to disarm a kprobe takes memory, too */
	if (opened && chance_below(c, 2))
		close_view(&v, c);
	fail_me(false);
	if (opened)
		close_view(&v, c);
	/* to be refused is what it is for */
	return true;
}

static void end_fails(void)
{
	write_file(DEBUGFS "failslab/probability", "0");
	write_file(DEBUGFS "fail_page_alloc/probability", "0");
}

const struct loop probe_loops[] = {
	{ "churn", NULL, begin, come_or_go, end_churn },
	{ "toggle", NULL, begin_toggle, toggle, end_churn },
	{ "session", NULL, begin, session, NULL },
	{ "killed", NULL, NULL, killed, NULL },
	{ "look", NULL, begin, look, NULL },
	{ "fails", can_fail, begin_fails, fails, end_fails },
	{ NULL, NULL, NULL, NULL, NULL }
};
