// SPDX-License-Identifier: GPL-2.0
/* Loops of the other tracers, on the functions that ktap has probes on. */
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../tell/tell.h"
#include "torture.h"

#define TRACING "/sys/kernel/tracing/"

/* ---- tracefs --------------------------------------------------------------------- */

static bool can_kprobe_events(void)
{
	return exists(TRACING "kprobe_events");
}

static bool kprobe_events(struct chance *c)
{
	static const char *const made[] = {
		"p:tort/t torture_task",
		"p:tort/t torture_hardirq",
		"p:tort/t torture_nmi",
		"r:tort/t torture_deep",
		"p:tort/t torture_deep_inside",
		"r:tort/t torture_sleep",
		"p:tort/t vfs_read",
	};
	bool good =
		write_file(TRACING "kprobe_events", made[chance_below(c, 7)]);

	if (!good)
		return false;
	good = write_file(TRACING "events/tort/t/enable", "1");
	sleep_ms(chance_below(c, 200));
	good &= write_file(TRACING "events/tort/t/enable", "0");
	return write_file(TRACING "kprobe_events", "-:tort/t") && good;
}

static bool can_uprobe_events(void)
{
	return exists(TRACING "uprobe_events");
}

static bool uprobe_events(struct chance *c)
{
	char path[256], text[320];
	bool good;
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (len < 0)
		return false;
	path[len] = 0;
	snprintf(text, sizeof(text), "%c:tortu/t %s:0x%llx",
		 chance_below(c, 2) ? 'p' : 'r', path,
		 (unsigned long long)file_offset(chance_below(c, 2) ?
						      (void *)u_torture :
						      (void *)u_deep));
	if (!write_file(TRACING "uprobe_events", text))
		return false;
	good = write_file(TRACING "events/tortu/t/enable", "1");
	sleep_ms(chance_below(c, 200));
	good &= write_file(TRACING "events/tortu/t/enable", "0");
	return write_file(TRACING "uprobe_events", "-:tortu/t") && good;
}

static bool can_function(void)
{
	return exists(TRACING "set_ftrace_filter");
}

static bool function(struct chance *c)
{
	bool graph = chance_below(c, 2) && exists(TRACING "max_graph_depth");
	bool good;

	write_file(TRACING "set_ftrace_filter", "torture_*");
	write_file(TRACING "set_ftrace_filter", "vfs_read");
	good = write_file(TRACING "current_tracer",
			  graph ? "function_graph" : "function");
	sleep_ms(chance_below(c, 200));
	return write_file(TRACING "current_tracer", "nop") && good;
}

/* ---- perf ------------------------------------------------------------------------- */

static int perf_open(struct perf_event_attr *attr, int pid, int cpu)
{
	attr->size = sizeof(*attr);
	return syscall(SYS_perf_event_open, attr, pid, cpu, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

static int perf_type(const char *name)
{
	char path[96], text[16];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type",
		 name);
	read_file(path, text, sizeof(text));
	return text[0] ? atoi(text) : -1;
}

static void perf_kprobe(struct perf_event_attr *a, struct chance *c)
{
	static const char *const names[] = {
		"torture_task",
		"torture_softirq",
		"torture_nmi",
		"torture_deep",
	};

	a->type = perf_type("kprobe");
	a->config = chance_below(c, 2); /* 1: at the return */
	a->kprobe_func = (uintptr_t)names[chance_below(c, 4)];
	a->sample_period = 1;
}

static void perf_uprobe(struct perf_event_attr *a, struct chance *c)
{
	static char path[256];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[len < 0 ? 0 : len] = 0;
	a->type = perf_type("uprobe");
	a->config = chance_below(c, 2);
	a->uprobe_path = (uintptr_t)path;
	a->probe_offset = file_offset((void *)u_torture);
	a->sample_period = 1;
}

static void perf_watch(struct perf_event_attr *a, struct chance *c)
{
	char text[32];

	(void)c;
	read_file(PARAMETERS "other_at", text, sizeof(text));
	a->type = PERF_TYPE_BREAKPOINT;
	a->bp_type = HW_BREAKPOINT_W;
	a->bp_addr = strtoull(text, NULL, 0);
	a->bp_len = HW_BREAKPOINT_LEN_8;
	a->sample_period = 1;
}

/* Interrupts on the CPU, with a look at who it is. */
static void perf_clock(struct perf_event_attr *a, struct chance *c)
{
	a->type = PERF_TYPE_SOFTWARE;
	a->config = chance_below(c, 2) ? PERF_COUNT_SW_CPU_CLOCK :
					 PERF_COUNT_SW_CONTEXT_SWITCHES;
	a->sample_period = a->config == PERF_COUNT_SW_CPU_CLOCK ? 2000000 : 1;
	a->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
}

static bool perf(struct chance *c)
{
	static void (*const kinds[])(struct perf_event_attr *a,
				     struct chance *c) = {
		perf_kprobe,
		perf_uprobe,
		perf_watch,
		perf_clock,
	};
	struct perf_event_attr attr = { .disabled = 1 };
	int fd, pages = 9;
	void *ring;

	kinds[chance_below(c, 4)](&attr, c);
	fd = perf_open(&attr, -1, 0);
	if (fd < 0)
		return false;
	ring = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	sleep_ms(chance_below(c, 200));
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (ring != MAP_FAILED)
		munmap(ring, pages * 4096);
	close(fd);
	return true;
}

const struct loop tracer_loops[] = {
	{ "kprobe_events", can_kprobe_events, NULL, kprobe_events, NULL },
	{ "uprobe_events", can_uprobe_events, NULL, uprobe_events, NULL },
	{ "function", can_function, NULL, function, NULL },
	{ "perf", NULL, NULL, perf, NULL },
	{ NULL, NULL, NULL, NULL, NULL }
};
