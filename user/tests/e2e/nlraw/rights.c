// SPDX-License-Identifier: GPL-2.0
/*
 * Senders without rights: every command and every dump is refused, whoever
 * opened the socket. Each attempt is a process of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nlraw.h"

#define TEXT "CAP_PERFMON or CAP_SYS_ADMIN is needed"

/* ---- refusals ------------------------------------------------------------------ */

static void refused(const struct answer *a, const char *who, const char *what)
{
	ok(a->error == -EPERM && !strcmp(a->text, TEXT), "rights: %s: %s", who,
	   what);
	if (a->error != -EPERM)
		printf("#   got %d \"%s\"\n", a->error, a->text);
}

static void refused_dump(struct sock *s, uint8_t cmd, const char *who,
			 const char *what)
{
	is_error(dump(s, cmd, NULL, NULL, NULL), -EPERM, "rights: %s: %s", who,
		 what);
}

static void all_refused(struct sock *s, const char *who)
{
	const struct attr *probe = ATTRS(A_STR(KTAP_A_NAME, "theirs"),
					 A_U8(KTAP_A_ENABLED, 1),
					 A_U32(KTAP_A_BLOB_OFFSET, 0),
					 A_BIN(KTAP_A_BLOB_DATA, "x", 1), A_END);

	refused(request(s, KTAP_CMD_INFO_GET, NULL), who, "info");
	refused(request(s, KTAP_CMD_PROBE_NEW,
			ATTRS(A_STR(KTAP_A_NAME, "mine"), GOOD_TYPE, GOOD_PLACE,
			      GOOD_PROG, A_END)), who, "new");
	refused(request(s, KTAP_CMD_PROBE_NEW, NULL), who, "new, and nothing in it");
	refused(request(s, KTAP_CMD_PROBE_DEL, probe), who, "del");
	refused(request(s, KTAP_CMD_PROBE_SET, probe), who, "set");
	refused(request(s, KTAP_CMD_PROBE_GET, probe), who, "get");
	refused(request(s, KTAP_CMD_BLOB_PUT, probe), who, "put a chunk");
	refused(request(s, KTAP_CMD_BLOB_GET, probe), who, "get a chunk");
	refused_dump(s, KTAP_CMD_PROBE_GET, who, "dump of probes");
	refused_dump(s, KTAP_CMD_STATS_GET, who, "dump of stats");
	refused_dump(s, KTAP_CMD_SESSION_GET, who, "dump of sessions");
}

static void with_none(void)
{
	set_caps(0);
	all_refused(sock_open(), "no capability");
	is(open("/dev/ktap", O_RDWR), -1, "rights: no capability: the device");
	is(errno, EPERM, "rights: no capability: the device: error");
}

static void with_others(void)
{
	set_caps(~(CAP(CAP_PERFMON) | CAP(CAP_SYS_ADMIN)) &
		 (CAP(CAP_LAST_CAP + 1) - 1));
	all_refused(sock_open(), "all other capabilities");
	is(open("/dev/ktap", O_RDWR), -1, "rights: all others: the device");
}

static void with_a_socket_from_before(void)
{
	struct sock *s = sock_open();

	set_caps(0);
	all_refused(s, "a socket from better times");
}

/*
 * A privileged process that writes to what it was given: a socket of somebody
 * without rights, who chose the bytes.
 */
static void with_a_socket_of_somebody(void)
{
	struct sock *s;

	set_caps(0);
	s = sock_open();
	set_caps(CAP(CAP_PERFMON) | CAP(CAP_SYS_ADMIN));
	sock_plain(s);
	all_refused(s, "a socket of somebody without");
}

/* ---- permissions ------------------------------------------------------------------- */

static void one_is_enough(uint64_t caps, const char *name)
{
	const struct answer *a;
	struct sock *s;
	int id, fd;

	set_caps(caps);
	s = sock_open();
	id = probe_new(s, "enough", 0, 0);
	ok(id > 0, "rights: %s: new", name);
	is_error(dump(s, KTAP_CMD_PROBE_GET, NULL, NULL, NULL), 0,
		 "rights: %s: dump", name);
	fd = open("/dev/ktap", O_RDWR);
	ok(fd >= 0, "rights: %s: the device", name);
	a = request(s, KTAP_CMD_PROBE_GET, ATTRS(A_U32(KTAP_A_ID, id), A_END));
	ok(!a->error && !a->tb[KTAP_A_ADDR], "rights: %s: no address is shown",
	   name);
	is_error(probe_del(s, id), 0, "rights: %s: del", name);
}

static void with_perfmon(void)
{
	one_is_enough(CAP(CAP_PERFMON), "CAP_PERFMON");
}

/* The kernel asks for more before it watches its memory. */
static void watch_with_perfmon(void)
{
	const struct ktap_insn prog[] = { { .op = KTAP_OP_END } };
	const struct answer *a;

	set_caps(CAP(CAP_PERFMON));
	a = request(sock_open(), KTAP_CMD_PROBE_NEW,
		    ATTRS(A_STR(KTAP_A_NAME, "watch"),
			  A_U32(KTAP_A_TYPE, KTAP_TYPE_WATCHPOINT),
			  A_BIN(KTAP_A_PROG, prog, sizeof(prog)),
			  A_U64(KTAP_A_ADDR, 0xffffffff81000000),
			  A_U32(KTAP_A_LENGTH, 8), A_U32(KTAP_A_ACCESS, 2),
			  A_END));
	is_error(a->error, -EPERM, "rights: CAP_PERFMON: watch");
	ok(!strcmp(a->text, "the kernel requires CAP_SYS_ADMIN for a hardware breakpoint on its memory"),
	   "rights: CAP_PERFMON: watch: \"%s\"", a->text);
}

/* The names of all events go there. */
static void listen_without(void)
{
	struct sock *s = sock_open();

	set_caps(CAP(CAP_PERFMON) | CAP(CAP_NET_ADMIN));
	is_error(sock_listen(s), -EPERM,
		 "rights: the group is not for CAP_PERFMON and CAP_NET_ADMIN");
	set_caps(CAP(CAP_SYS_ADMIN) | CAP(CAP_NET_ADMIN));
	is_error(sock_listen(s), 0, "rights: the group is for administrators");
}

static void with_sys_admin(void)
{
	one_is_enough(CAP(CAP_SYS_ADMIN), "CAP_SYS_ADMIN");
}

static uint64_t symbol_address(const char *name)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[256], end[64];
	uint64_t at = 0;

	snprintf(end, sizeof(end), " T %s\n", name);
	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, end))
			at = strtoull(line, NULL, 16);
	if (f)
		fclose(f);
	return at;
}

/* An address that was given is shown to those who may see addresses. */
static void with_syslog(void)
{
	struct sock *s = sock_open();
	uint64_t at = symbol_address("vfs_read");
	const struct answer *a;

	ok(at, "rights: the address of vfs_read is known");
	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(A_STR(KTAP_A_NAME, "at"), GOOD_TYPE, GOOD_PROG,
			  A_U64(KTAP_A_ADDR, at), A_END));
	is_error(a->error, 0, "rights: CAP_SYSLOG: new at an address");
	a = request(s, KTAP_CMD_PROBE_GET, ATTRS(A_STR(KTAP_A_NAME, "at"), A_END));
	ok(a->tb[KTAP_A_ADDR], "rights: CAP_SYSLOG: the address is shown");
	set_caps(CAP(CAP_PERFMON));
	a = request(s, KTAP_CMD_PROBE_GET, ATTRS(A_STR(KTAP_A_NAME, "at"), A_END));
	ok(!a->error && !a->tb[KTAP_A_ADDR],
	   "rights: without CAP_SYSLOG the same is not");
	request(s, KTAP_CMD_PROBE_DEL, ATTRS(A_STR(KTAP_A_NAME, "at"), A_END));
}

struct shown {
	unsigned int nr;
	unsigned int with_address;
};

static void count_shown(void *ctx, const struct nlattr *const *tb)
{
	struct shown *shown = ctx;

	shown->nr++;
	shown->with_address += !!tb[KTAP_A_ADDR];
}

/* Return: whether addresses are told, by all that could tell them. */
static bool tells(struct sock *s, uint32_t id)
{
	const struct answer *a = request(s, KTAP_CMD_PROBE_GET,
					 ATTRS(A_U32(KTAP_A_ID, id), A_END));
	bool got = a->tb[KTAP_A_ADDR], anchor, said;
	struct shown shown = {};

	is_error(a->error, 0, "addresses: get");
	a = request(s, KTAP_CMD_INFO_GET, NULL);
	is_error(a->error, 0, "addresses: info");
	anchor = a->tb[KTAP_A_ANCHOR];
	said = answer_u32(a, KTAP_A_ADDRESSES) == KTAP_ADDRESSES_SHOWN;
	is_error(dump(s, KTAP_CMD_PROBE_GET, NULL, count_shown, &shown), 0,
		 "addresses: dump");
	ok(shown.nr && (shown.with_address > 0) == got && anchor == got &&
	   said == got, "addresses: get, dump and info agree");
	return got;
}

/*
 * Bytes that somebody without CAP_SYSLOG has a privileged process write, and
 * reads the answer of: his socket tells him nothing.
 */
static void addresses_for_the_opener(void)
{
	uint64_t few = CAP(CAP_PERFMON), all = few | CAP(CAP_SYSLOG);
	struct sock *mine = sock_open(), *theirs;
	const struct answer *a;
	int id;

	a = request(mine, KTAP_CMD_PROBE_NEW,
		    ATTRS(A_STR(KTAP_A_NAME, "told"), GOOD_TYPE, GOOD_PROG,
			  A_U64(KTAP_A_ADDR, symbol_address("vfs_read")), A_END));
	id = answer_u32(a, KTAP_A_ID);
	ok(id > 0, "addresses: a probe at an address");
	set_caps(few);
	theirs = sock_open();
	sock_plain(theirs);
	ok(!tells(theirs, id), "addresses: hidden without CAP_SYSLOG");
	ok(!tells(mine, id), "addresses: hidden on a socket from better times");
	set_caps(all);
	ok(tells(mine, id), "addresses: told with it");
	ok(!tells(theirs, id),
	   "addresses: hidden on a socket of somebody without it");
	is_error(probe_del(mine, id), 0, "addresses: the probe goes");
}

void try_rights(void)
{
	struct sock *s = sock_open();
	int theirs = probe_new(s, "theirs", 0, 0);

	in_a_child("rights", with_none);
	in_a_child("rights", with_others);
	in_a_child("rights", with_a_socket_from_before);
	in_a_child("rights", with_a_socket_of_somebody);
	in_a_child("rights", with_perfmon);
	in_a_child("rights", watch_with_perfmon);
	in_a_child("rights", listen_without);
	in_a_child("rights", with_sys_admin);
	in_a_child("rights", with_syslog);
	in_a_child("rights", addresses_for_the_opener);
	is_error(probe_del(s, theirs), 0, "rights: nobody touched it");
	is(limits(s)->nr_probes, 0, "rights: no probe is left");
	sock_close(s);
}
