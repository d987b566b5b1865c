// SPDX-License-Identifier: GPL-2.0
/* What goes when a socket or a session does, and what must not. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>
#include <unistd.h>

#include "nlraw.h"

/* Closing a socket may be finished by someone else: ask until it is. */
static bool gone_soon(struct sock *s, uint32_t id)
{
	int tries;

	for (tries = 0; tries < 500; tries++) {
		if (!probe_exists(s, id))
			return true;
		usleep(10000);
	}
	return false;
}

static int counts(int fd, uint32_t id, struct ktap_counts *ret)
{
	struct ktap_session_counts arg = { .id = id, .cpu = -1 };
	int err = xioctl(fd, KTAP_IOC_COUNTS, &arg);

	*ret = arg.counts;
	return err;
}

static void try_socket_closes(struct sock *s)
{
	struct sock *own = sock_open(), *same = sock_open();
	int transient = probe_new(own, "transient", KTAP_PROBE_F_TRANSIENT, 0);
	int incomplete = probe_new(own, "incomplete", 0, 10);
	int lasting = probe_new(own, "lasting", 0, 0);
	int others = probe_new(same, "others", KTAP_PROBE_F_TRANSIENT, 0);

	ok(transient > 0 && incomplete > 0 && lasting > 0 && others > 0,
	   "lifetime: four probes of two sockets");
	sock_close(own);
	ok(gone_soon(s, transient), "lifetime: a transient one goes with its socket");
	ok(gone_soon(s, incomplete), "lifetime: so does an incomplete one");
	ok(probe_exists(s, lasting), "lifetime: a complete one stays");
	ok(probe_exists(s, others), "lifetime: so does another socket's");
	sock_close(same);
	ok(gone_soon(s, others), "lifetime: until that closes");
	probe_del(s, lasting);
}

/* A session goes on to know the counts of a probe that is deleted. */
static void try_deleted_under_session(struct sock *s)
{
	struct sock *own = sock_open();
	int id = probe_new(own, "transient", KTAP_PROBE_F_TRANSIENT, 0);
	int fd = session_open();
	struct ktap_counts c = {};
	char byte;
	int i;

	is_error(session_attach(fd, id), 0, "lifetime: a session attaches it");
	for (i = 0; i < 10; i++)
		if (read(0, &byte, 0) < 0)
			break;
	sock_close(own);
	ok(gone_soon(s, id), "lifetime: it goes under the session");
	is_error(counts(fd, id, &c), 0, "lifetime: the session knows its counts");
	ok(c.hits && c.hits == c.recorded + c.lost_full,
	   "lifetime: which add up");
	is_error(session_detach(fd, id), 0, "lifetime: detach of what is gone");
	is_error(session_detach(fd, 0), 0, "lifetime: detach of all");
	is_error(session_attach(fd, id), -ENOENT,
		 "lifetime: what is gone cannot be attached again");
	close(fd);
}

static void keep_session(void *ctx, const struct nlattr *const *tb)
{
	uint64_t *numbers = ctx;

	if (tb[KTAP_A_SESSION] && tb[KTAP_A_OWNER_PID] &&
	    mnl_attr_get_u32(tb[KTAP_A_OWNER_PID]) == (uint32_t)getpid() &&
	    numbers[0] < 8)
		numbers[++numbers[0]] = mnl_attr_get_u64(tb[KTAP_A_SESSION]);
}

static void try_session_numbers(struct sock *s)
{
	uint64_t first[9] = {}, second[9] = {};
	int a = session_open(), b = session_open();

	is_error(dump(s, KTAP_CMD_SESSION_GET, NULL, keep_session, first), 0,
		 "lifetime: dump of sessions");
	is(first[0], 2, "lifetime: two sessions of ours");
	close(a);
	close(b);
	a = session_open();
	dump(s, KTAP_CMD_SESSION_GET, NULL, keep_session, second);
	is(second[0], 1, "lifetime: two closed, one opened");
	ok(second[1] > first[1] && second[1] > first[2],
	   "lifetime: whose number is a new one");
	close(a);
	memset(second, 0, sizeof(second));
	dump(s, KTAP_CMD_SESSION_GET, NULL, keep_session, second);
	is(second[0], 0, "lifetime: none is left");
}

/* For rmmod: probes of every state, and nobody left who made them. */
void try_armed(void)
{
	struct sock *s = sock_open();
	int one = probe_new(s, "armed:one", 0, 0);

	is_error(probe_enable(s, one, true), 0, "armed: one");
	is_error(probe_enable(s, probe_new(s, "armed:two", 0, 0), true), 0,
		 "armed: another in the same place");
	ok(probe_new(s, "disarmed", 0, 0) > 0, "armed: one that is not");
	sock_close(s);
	s = sock_open();
	is(limits(s)->nr_probes, 3, "armed: three are left");
	sock_close(s);
}

void try_lifetimes(void)
{
	struct sock *s = sock_open();

	try_socket_closes(s);
	try_deleted_under_session(s);
	try_session_numbers(s);
	is(limits(s)->nr_probes, 0, "lifetimes: no probe is left");
	is(limits(s)->ring_total, 0, "lifetimes: no ring is left");
	sock_close(s);
}
