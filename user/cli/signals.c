// SPDX-License-Identifier: GPL-2.0
/*
 * Signals that end a recording. The state is static because a handler can
 * reach nothing else.
 */
#include "base/array.h"
#include "base/clock.h"
#include "cli/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

/*
 * timeout(1) signals its child, and then the child's group, at once: two
 * signals, but one wish.
 */
#define SAME_WISH_NS 300000000LL

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

static atomic_int seen;
static atomic_int forward_to;
static uint64_t first_ns;
static int wake_fd = -1;
static void (*at_exit)(void);

static void leave(int sig)
{
	if (at_exit)
		at_exit();
	_exit(128 + sig);
}

static void handle(int sig, siginfo_t *info, void *context)
{
	uint64_t one = 1;
	int saved = errno;

	(void)context;
	/* A terminal tells the command itself: it is in the same group. */
	if (forward_to > 0 && info->si_code != SI_KERNEL)
		kill(forward_to, sig);
	if (!seen) {
		seen = sig;
		first_ns = now_ns();
		if (write(wake_fd, &one, sizeof(one)) < 0)
			leave(sig);
	} else if (sig == SIGINT && now_ns() - first_ns > SAME_WISH_NS) {
		leave(sig);
	}
	errno = saved;
}

int signals_open(void)
{
	struct sigaction act = { .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigaction old;

	wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake_fd < 0)
		return -errno;
	act.sa_sigaction = handle;
	sigfillset(&act.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		/* nohup stays in force */
		if (signals[i] == SIGHUP && !sigaction(SIGHUP, NULL, &old) &&
		    old.sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i], &act, NULL);
	}
	return wake_fd;
}

void signals_forward(pid_t pid)
{
	forward_to = pid;
}

int signals_seen(void)
{
	return seen;
}

void signals_at_exit(void (*fn)(void))
{
	at_exit = fn;
}

void signals_reset(void)
{
	/* exec() undoes handlers by itself, what is ignored stays ignored */
	signal(SIGPIPE, SIG_DFL);
}
