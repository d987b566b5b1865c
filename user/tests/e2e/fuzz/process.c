// SPDX-License-Identifier: GPL-2.0
/* Processes of a run, what they are hit by, and what may be left of them. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzzer.h"

static time_t began;

bool go_on(const struct order *o, unsigned long done)
{
	if (!began)
		began = time(NULL);
	return o->count ? done < o->count : time(NULL) - began < o->seconds;
}

void in_processes(const struct order *o, const char *topic,
		  void (*body)(const struct order *o, unsigned int nr))
{
	pid_t pids[64];
	unsigned int i;
	int status;

	began = time(NULL);
	fflush(stdout);
	for (i = 0; i < o->processes && i < 64; i++) {
		pids[i] = fork();
		if (pids[i] < 0)
			die("fork");
		if (pids[i])
			continue;
		body(o, i);
		fflush(stdout);
		_exit(0);
	}
	while (i--) {
		if (waitpid(pids[i], &status, 0) < 0)
			die("waitpid");
		is(status, 0, "%s: process %u came to its end", topic, i);
	}
}

/* ---- hits ------------------------------------------------------------------------ */

__attribute__((noipa)) long hit_me(long n)
{
	return n;
}

static int start_calls(long (*call)(long n))
{
	char byte;
	pid_t pid;
	int fd;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fd = open("/dev/zero", O_RDWR | O_CLOEXEC);
	for (;;) {
		if (call)
			call(1);
		if (read(fd, &byte, 1) != 1 || write(fd, &byte, 1) != 1)
			_exit(1);
		usleep(20000);
	}
}

int start_hits(void)
{
	return start_calls(hit_me);
}

int start_reads(void)
{
	return start_calls(NULL);
}

void stop_hits(int pid)
{
	int status = 0;

	kill(pid, SIGKILL);
	ok(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	   WTERMSIG(status) == SIGKILL, "what was hit lived until the end");
}

/* ---- what is left ------------------------------------------------------------------ */

uint64_t memory_now(struct sock *s)
{
	return limits(s)->memory_total;
}

/* The table of what ftrace serves does not shrink. */
#define MEMORY_KEPT 16384

static bool comes_to(struct sock *s, uint64_t (*now)(struct sock *s),
		     uint64_t most)
{
	int tries;

	for (tries = 0; tries < 300; tries++) {
		if (now(s) <= most)
			return true;
		usleep(100000);
	}
	return false;
}

static uint64_t probes_now(struct sock *s)
{
	return limits(s)->nr_probes;
}

void is_clean(struct sock *s, uint64_t memory, const char *topic)
{
	bool back;

	sock_quiet(s, 60);
	probe_forget(s);
	ok(comes_to(s, probes_now, 0), "%s: no probe is left", topic);
	back = comes_to(s, memory_now, memory + MEMORY_KEPT);
	ok(back, "%s: the memory is given back: %llu bytes were in use, %llu are", topic,
	   (unsigned long long)memory, (unsigned long long)memory_now(s));
}

/* ---- what messages may name ---------------------------------------------------------- */

void world_open(struct world *w, unsigned int nr)
{
	int pipes[2] = { -1, -1 };

	memset(w, 0, sizeof(*w));
	w->nr = nr;
	if (pipe2(pipes, O_CLOEXEC))
		die("pipe");
	w->fds[0] = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	w->fds[1] = open("/dev/null", O_RDWR | O_CLOEXEC);
	w->fds[2] = pipes[0];
	w->fds[3] = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	w->fds[4] = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	w->fds[5] = open("/dev/ktap", O_RDWR | O_CLOEXEC);
	w->fds[6] = memfd_create("fuzz", MFD_CLOEXEC);
	w->fds[7] = open("/proc/self/exe", O_PATH | O_CLOEXEC);
	w->fds[8] = -1;
	w->offset = file_offset(hit_me);
	w->addresses[0] = kernel_symbol("vfs_read");
	w->addresses[1] = kernel_symbol("vfs_write");
	w->addresses[2] = kernel_symbol("jiffies");
	w->addresses[3] = kernel_symbol("init_task");
	w->addresses[4] = kernel_symbol("register_kprobe");
	w->addresses[5] = (uintptr_t)hit_me;
	w->addresses[6] = 0xffff800000000000;
	w->addresses[7] = kernel_symbol("_text");
}
