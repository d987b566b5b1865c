// SPDX-License-Identifier: GPL-2.0
/* Many probes, many sessions, and the last id of all. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nlraw.h"

#define MANY_MAX	2000
#define SESSIONS_MAX	600
#define IDS	(65536 - KTAP_REC_FIRST_PROBE)

/* Of probes, and of sessions: neither fits into one message */
static unsigned int many, sessions;

/* ---- a dump of many ------------------------------------------------------------ */

/**
 * struct census - what a dump shows
 * @seen: how often, by id
 * @messages: of the dump
 * @other: makes changes while the dump goes on; NULL: nobody does
 * @extra: ids that @other takes away, one at a time
 */
static struct census {
	unsigned char seen[65536];
	unsigned int messages;
	unsigned int nameless;
	struct sock *other;
	int extra[100];
	unsigned int taken;
} census;

static void count(void *ctx, const struct nlattr *const *tb)
{
	struct census *c = ctx;
	uint32_t id = tb[KTAP_A_ID] ? mnl_attr_get_u32(tb[KTAP_A_ID]) : 0;

	c->messages++;
	c->nameless += !tb[KTAP_A_NAME];
	if (id < 65536)
		c->seen[id]++;
	if (!c->other || c->messages % 5 || c->taken == 100)
		return;
	probe_del(c->other, c->extra[c->taken++]);
	probe_new(c->other, "late", KTAP_PROBE_F_TRANSIENT, 0);
}

static unsigned int not_once(const int *ids)
{
	unsigned int i, bad = 0;

	for (i = 0; i < many; i++)
		bad += census.seen[ids[i]] != 1;
	return bad;
}

static void census_begin(void)
{
	memset(census.seen, 0, sizeof(census.seen));
	census.messages = 0;
	census.nameless = 0;
}

static void try_dumps(struct sock *s)
{
	static int ids[MANY_MAX];
	unsigned int i, bad = 0;

	for (i = 0; i < many; i++) {
		ids[i] = probe_new(s, "many", KTAP_PROBE_F_TRANSIENT, 0);
		bad += ids[i] < KTAP_REC_FIRST_PROBE;
	}
	is(bad, 0, "many: %u probes", many);
	is(limits(s)->nr_probes, many, "many: all are counted");

	census_begin();
	is_error(dump(s, KTAP_CMD_PROBE_GET, NULL, count, &census), 0,
		 "many: dump");
	is(census.messages, many, "many: dump: messages");
	is(not_once(ids) + census.nameless, 0, "many: dump: each once");
	census_begin();
	is_error(dump(s, KTAP_CMD_STATS_GET, NULL, count, &census), 0,
		 "many: stats");
	is(census.messages, many, "many: stats: messages");
	is(not_once(ids) + census.nameless, 0, "many: stats: each once");

	census_begin();
	census.other = sock_open();
	for (i = 0; i < 100; i++)
		census.extra[i] = probe_new(census.other, "extra",
					    KTAP_PROBE_F_TRANSIENT, 0);
	is_error(dump(s, KTAP_CMD_PROBE_GET, NULL, count, &census), 0,
		 "many: dump while others come and go");
	is(census.taken, 100, "many: they did");
	is(not_once(ids) + census.nameless, 0,
	   "many: dump while others come and go: each once");
	sock_close(census.other);
	census.other = NULL;
}

static void try_stats(struct sock *s)
{
	int id = probe_new(s, "stats", 0, 0);
	char byte;

	census_begin();
	dump(s, KTAP_CMD_STATS_GET, ATTRS(A_U32(KTAP_A_ID, id), A_END), count,
	     &census);
	is(census.messages, 1, "many: stats of one");
	is(census.seen[id], 1, "many: stats of that one");
	probe_enable(s, id, true);
	/* a hit, whatever there is to read */
	is(read(STDIN_FILENO, &byte, 0), 0, "many: a read of nothing");
	census_begin();
	dump(s, KTAP_CMD_STATS_GET,
	     ATTRS(A_U32(KTAP_A_ID, id), { KTAP_A_VERBOSE, 0, NULL }, A_END),
	     count, &census);
	ok(census.messages >= 2, "many: verbose stats of one that is enabled");
	is(census.seen[id], census.messages, "many: all of that one");
	probe_del(s, id);
	census_begin();
	is_error(dump(s, KTAP_CMD_STATS_GET,
		      ATTRS(A_U32(KTAP_A_ID, id), A_END), count, &census),
		 0, "many: stats of what is gone");
	is(census.messages, 0, "many: are none");
}

/* ---- sessions ---------------------------------------------------------------------- */

/**
 * struct order - numbers of sessions in a dump
 * @last: the last one
 * @nr: how many there were
 * @back: how often one was smaller than the one before
 */
struct order {
	uint64_t last;
	unsigned int nr;
	unsigned int back;
};

static void follow(void *ctx, const struct nlattr *const *tb)
{
	struct order *o = ctx;
	uint64_t number;

	if (!tb[KTAP_A_SESSION])
		return;
	number = mnl_attr_get_u64(tb[KTAP_A_SESSION]);
	o->nr += number > o->last;
	o->back += number < o->last;
	o->last = number;
}

static void try_long_dumps(struct sock *s, int id)
{
	struct order all = { 0 }, cells = { 0 };
	char byte;

	is_error(dump(s, KTAP_CMD_SESSION_GET, NULL, follow, &all), 0,
		 "many: sessions: dump");
	is(all.nr, sessions, "many: sessions: each is there");
	is(all.back, 0, "many: sessions: in order");
	/* a hit for each of them, and for "enable", which has no session */
	is_error(probe_enable(s, id, true), 0, "many: sessions: enable");
	is(read(STDIN_FILENO, &byte, 0), 0, "many: sessions: a read of nothing");
	is_error(dump(s, KTAP_CMD_STATS_GET,
		      ATTRS(A_U32(KTAP_A_ID, id), { KTAP_A_VERBOSE, 0, NULL }, A_END),
		      follow, &cells), 0, "many: counts by session: dump");
	is(cells.nr, sessions, "many: counts by session: each session is there");
	is(cells.back, 0, "many: counts by session: in order");
	is_error(probe_enable(s, id, false), 0, "many: sessions: disable");
}

static void try_sessions(struct sock *s)
{
	int id = probe_new(s, "popular", 0, 0), fds[SESSIONS_MAX], bad = 0;
	const struct answer *a;
	unsigned int i;

	for (i = 0; i < sessions; i++) {
		fds[i] = session_open();
		bad |= session_attach(fds[i], id);
	}
	is_error(bad, 0, "many: %u sessions of one probe", sessions);
	a = request(s, KTAP_CMD_PROBE_GET, ATTRS(A_U32(KTAP_A_ID, id), A_END));
	is(answer_u32(a, KTAP_A_NR_SESSIONS), sessions, "many: all are told");
	is_error(session_attach(fds[0], id), -EEXIST, "many: a session takes it once");
	try_long_dumps(s, id);
	for (i = 0; i < sessions; i += 2)
		close(fds[i]);
	is_error(probe_del(s, id), 0, "many: it goes under half of them");
	for (i = 1; i < sessions; i += 2)
		close(fds[i]);
	is(limits(s)->ring_total, 0, "many: no ring is left");
}

void try_many(void)
{
	struct sock *s = sock_open(), *asker = sock_open();

	many = fewer(MANY_MAX);
	sessions = fewer(SESSIONS_MAX);
	try_dumps(s);
	sock_close(s);
	while (limits(asker)->nr_probes)
		usleep(10000);
	try_stats(asker);
	try_sessions(asker);
	sock_close(asker);
}

/* ---- all ids there are ---------------------------------------------------------- */

#define PLACES	512

/*
 * Functions, by address: each can have many probes, but all on one, or a look
 * for each by name, would take the kernel minutes.
 */
static unsigned int find_places(unsigned long *places)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned int nr = 0;
	char line[512];

	if (!f)
		die("/proc/kallsyms");
	while (nr < PLACES && fgets(line, sizeof(line), f))
		if (strstr(line, " T __x64_sys_"))
			places[nr++] = strtoul(line, NULL, 16);
	fclose(f);
	return nr;
}

static const struct answer *new_at(struct sock *s, unsigned long place)
{
	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_STR(KTAP_A_NAME, "full"), GOOD_TYPE, GOOD_PROG,
			     A_U64(KTAP_A_ADDR, place),
			     A_U32(KTAP_A_FLAGS, KTAP_PROBE_F_TRANSIENT),
			     A_END));
}

void try_all_ids(void)
{
	struct sock *s = sock_open(), *asker = sock_open();
	int held = probe_new(asker, "held", 0, 0), fd = session_open();
	unsigned long places[PLACES];
	unsigned int nr = find_places(places), made = 0, reused = 0, i;
	const struct answer *a = NULL;

	ok(nr > 100, "ids: %u functions to probe", nr);
	is(limits(s)->probes_max, IDS, "ids: what is told to be the most");
	is_error(session_attach(fd, held), 0, "ids: a session attaches one");
	is_error(probe_del(asker, held), 0, "ids: which is deleted");
	for (i = 0; i < 2 * IDS && nr; i++) {
		a = new_at(s, places[i % nr]);
		if (a->error == -ENOSPC)
			break;
		made += !a->error;
		reused += !a->error && answer_u32(a, KTAP_A_ID) == (uint32_t)held;
	}
	is(made, IDS - 1, "ids: all others are given");
	is(reused, 0, "ids: not the one that the session knows");
	is_error(a ? a->error : 0, -ENOSPC, "ids: one too many: error");
	ok(a && !strcmp(a->text, "too many probes"), "ids: one too many: text");
	close(fd);
	a = new_at(asker, places[0]);
	is_error(a->error, 0, "ids: the session goes, so there is one");
	is(answer_u32(a, KTAP_A_ID), held, "ids: it is that one");
	sock_close(s);
	for (i = 0; i < 12000 && limits(asker)->nr_probes > 1; i++)
		usleep(10000);
	is(limits(asker)->nr_probes, 1, "ids: they go with their socket");
	sock_close(asker);
}

/* ---- many at one place ---------------------------------------------------------- */

#define CROWD	16000

static uint64_t ms_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ULL + t.tv_nsec / 1000000;
}

static const struct answer *new_kprobe(struct sock *s, unsigned long place)
{
	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_STR(KTAP_A_NAME, "crowd"), GOOD_TYPE, GOOD_PROG,
			     A_U64(KTAP_A_ADDR, place),
			     A_STR(KTAP_A_HOOK, "kprobe"),
			     A_U32(KTAP_A_FLAGS, KTAP_PROBE_F_TRANSIENT),
			     A_END));
}

/* Makes @nr probes at @place, closes their socket, and waits. Return: ms until they are gone. */
static uint64_t crowd_goes(struct sock *asker, unsigned long place, unsigned int nr)
{
	struct sock *s = sock_open();
	unsigned int i, bad = 0;
	uint64_t begin;

	for (i = 0; i < nr; i++) {
		const struct answer *a = new_kprobe(s, place);

		/* the ids of the attempt before are free after a while */
		for (int t = 0; !i && a->error == -ENOSPC && t < 3000; t++) {
			usleep(10000);
			a = new_kprobe(s, place);
		}
		bad += a->error != 0;
	}
	is(bad, 0, "crowd: %u kprobes at one place", nr);
	begin = ms_now();
	sock_close(s);
	while (limits(asker)->nr_probes)
		usleep(1000);
	/* is made when the others have been taken off */
	is_error(probe_del(asker, probe_new(asker, "later", 0, 0)), 0,
		 "crowd: somebody else's");
	return ms_now() - begin;
}

/*
 * To look for each one in a list of those at its place would take minutes where there are
 * very many, with a mutex held that modules wait for: sixteen times as long for four times
 * as many.
 */
void try_crowd(void)
{
	struct sock *asker = sock_open();
	unsigned long places[PLACES];
	uint64_t few, all;

	ok(find_places(places) > 0, "crowd: a place");
	few = crowd_goes(asker, places[0], CROWD / 4);
	all = crowd_goes(asker, places[0], CROWD);
	printf("# crowd: a quarter was gone in %llu ms, all in %llu ms\n",
	       (unsigned long long)few, (unsigned long long)all);
	ok(all < 8 * few + 100, "crowd: the time to go grows with their number, not its square");
	sock_close(asker);
}
