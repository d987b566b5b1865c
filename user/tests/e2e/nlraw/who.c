// SPDX-License-Identifier: GPL-2.0
/*
 * Who may do what: every actor tries every deed, and "# who: ACTOR: DEED: ..."
 * lines say what came of it: yes, no, in part; or - where nobody is to ask.
 * netlink.t compares them with the table in Documentation/reliability.rst. Of an
 * actor whom the kernel cannot have it is told "# nobody: ACTOR". Each actor is a
 * process of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nlraw.h"

/**
 * struct actor - who tries
 * @s: their socket; NULL: there is no such family where they are
 * @session: that they were given, or -1
 * @probe: that root has made
 */
struct actor {
	const char *name;
	struct sock *s;
	int session;
	int probe;
};

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

static void say(const struct actor *who, const char *deed, const char *outcome)
{
	printf("# who: %s: %s: %s\n", who->name, deed, outcome);
}

static const struct attr *of_probe(const struct actor *who)
{
	static uint32_t id;
	static const struct attr attrs[] = {
		{ KTAP_A_ID, sizeof(id), &id }, A_END,
	};

	id = who->probe;
	return attrs;
}

static uint64_t watched;

/* ---- deeds ---------------------------------------------------------------------- */

static void look(struct actor *who, const char *deed)
{
	static const uint8_t dumps[] = {
		KTAP_CMD_PROBE_GET, KTAP_CMD_STATS_GET, KTAP_CMD_SESSION_GET,
	};
	unsigned int i, got = 0;

	for (i = 0; i < sizeof(dumps); i++)
		got += !dump(who->s, dumps[i], NULL, NULL, NULL);
	got += !request(who->s, KTAP_CMD_INFO_GET, NULL)->error;
	got += !request(who->s, KTAP_CMD_PROBE_GET, of_probe(who))->error;
	say(who, deed, !got ? "no" : got == 5 ? "yes" : "in part");
}

static void define(struct actor *who, const char *deed)
{
	int id = probe_new(who->s, "mine", 0, 0);

	if (id > 0 && probe_del(who->s, id))
		say(who, deed, "yes, and cannot delete it");
	else
		say(who, deed, yes_no(id > 0));
}

static void count(struct actor *who, const char *deed)
{
	bool on = !probe_enable(who->s, who->probe, true);
	bool off = !probe_enable(who->s, who->probe, false);

	say(who, deed, on == off ? yes_no(on) : "in part");
}

static void see_addresses(struct actor *who, const char *deed)
{
	const struct answer *a;
	bool of_probes;

	a = request(who->s, KTAP_CMD_PROBE_GET, of_probe(who));
	of_probes = !a->error && a->tb[KTAP_A_ADDR];
	a = request(who->s, KTAP_CMD_INFO_GET, NULL);
	if (of_probes == (!a->error && a->tb[KTAP_A_ANCHOR]))
		say(who, deed, yes_no(of_probes));
	else
		say(who, deed, "in part");
}

static void watch(struct actor *who, const char *deed)
{
	const struct ktap_insn prog[] = { { .op = KTAP_OP_END } };
	const struct answer *a;

	a = request(who->s, KTAP_CMD_PROBE_NEW,
		    ATTRS(A_STR(KTAP_A_NAME, "watch"),
			  A_U32(KTAP_A_TYPE, KTAP_TYPE_WATCHPOINT),
			  A_BIN(KTAP_A_PROG, prog, sizeof(prog)),
			  A_U64(KTAP_A_ADDR, watched),
			  A_U32(KTAP_A_LENGTH, 8), A_U32(KTAP_A_ACCESS, 2),
			  A_END));
	if (!a->error)
		probe_del(who->s, answer_u32(a, KTAP_A_ID));
	say(who, deed, yes_no(!a->error));
}

static void listen_in(struct actor *who, const char *deed)
{
	say(who, deed, yes_no(!sock_listen(who->s)));
}

static bool can_record(int fd, int probe)
{
	void *ring;

	if (session_attach(fd, probe))
		return false;
	ring = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if (ring != MAP_FAILED)
		munmap(ring, 4096);
	return !session_detach(fd, probe) && ring != MAP_FAILED;
}

static void record(struct actor *who)
{
	int fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);

	say(who, "open", yes_no(fd >= 0));
	if (fd >= 0) {
		close(fd);
		fd = session_open();
	} else {
		fd = who->session;
	}
	say(who, "record", yes_no(fd >= 0 && can_record(fd, who->probe)));
}

static void try_all(struct actor *who)
{
	static const struct {
		const char *deed;
		void (*try)(struct actor *who, const char *deed);
	} asked[] = {
		{ "list", look },
		{ "define", define },
		{ "enable", count },
		{ "addresses", see_addresses },
		{ "watch", watch },
		{ "listen", listen_in },
	};
	unsigned int i;

	for (i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		if (who->s)
			asked[i].try(who, asked[i].deed);
		else
			say(who, asked[i].deed, "-");
	record(who);
}

/* ---- actors ---------------------------------------------------------------------- */

#define ALL	(CAP(CAP_LAST_CAP + 1) - 1)

static int probe;

static void with(const char *name, uint64_t caps)
{
	struct actor who = { .name = name, .session = -1, .probe = probe };

	set_caps(caps);
	who.s = sock_open();
	try_all(&who);
}

static void root(void)
{
	with("root", ALL);
}

static void nobody(void)
{
	with("no capability", 0);
}

static void net_admin(void)
{
	with("CAP_NET_ADMIN", CAP(CAP_NET_ADMIN));
}

static void perfmon(void)
{
	with("CAP_PERFMON", CAP(CAP_PERFMON));
}

static void syslog_only(void)
{
	with("CAP_SYSLOG", CAP(CAP_SYSLOG));
}

static void sys_admin(void)
{
	with("CAP_SYS_ADMIN", CAP(CAP_SYS_ADMIN));
}

/* All capabilities, but over what belongs to the namespace only. */
static void root_of_a_user_namespace(void)
{
	struct actor who = { .name = "root of a user namespace",
			     .session = -1, .probe = probe };

	if (unshare(CLONE_NEWUSER)) {
		if (errno != EINVAL)
			die("unshare: user namespace");
		printf("# nobody: %s\n", who.name);
		return;
	}
	who.s = sock_open();
	try_all(&who);
}

static void root_of_a_net_namespace(void)
{
	struct actor who = { .name = "root in a network namespace",
			     .session = -1, .probe = probe };

	if (unshare(CLONE_NEWNET))
		die("unshare: network namespace");
	who.s = sock_find();
	try_all(&who);
}

/* Opened by root: the session is a right of its own, the socket is not. */
static void given_what_root_opened(void)
{
	struct actor who = { .name = "no capability, root's socket and session",
			     .s = sock_open(), .session = session_open(),
			     .probe = probe };

	set_caps(0);
	try_all(&who);
}

/* Who chose the bytes had no rights, and reads the answer. */
static void for_somebody(void)
{
	struct actor who = { .name = "root, somebody's socket",
			     .session = -1, .probe = probe };

	set_caps(0);
	who.s = sock_open();
	set_caps(ALL);
	sock_plain(who.s);
	try_all(&who);
}

void try_who(void)
{
	static void (*const actors[])(void) = {
		root, nobody, net_admin, perfmon, syslog_only, sys_admin,
		root_of_a_user_namespace, root_of_a_net_namespace,
		given_what_root_opened, for_somebody,
	};
	struct sock *s = sock_open();
	const struct answer *a;
	unsigned int i;

	watched = kernel_symbol("jiffies_64");
	/* addresses are shown of a place that was given by its own */
	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(A_STR(KTAP_A_NAME, "roots"), GOOD_TYPE, GOOD_PROG,
			  A_U64(KTAP_A_ADDR, kernel_symbol("vfs_read")),
			  A_END));
	probe = answer_u32(a, KTAP_A_ID);
	ok(probe > 0, "who: root's probe");
	for (i = 0; i < sizeof(actors) / sizeof(actors[0]); i++)
		in_a_child("who", actors[i]);
	ok(probe_exists(s, probe), "who: root's probe is still there");
	is_error(probe_del(s, probe), 0, "who: and goes");
	is(limits(s)->nr_probes, 0, "who: nothing else is left");
	sock_close(s);
}
