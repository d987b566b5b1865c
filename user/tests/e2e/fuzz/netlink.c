// SPDX-License-Identifier: GPL-2.0
/*
 * Messages from several processes, each with several sockets, and how far they
 * come. A message that is refused by the family's policy, or by what looks at
 * it before that, has not reached a handler.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzzer.h"

#define NR_SOCKS	3
#define NR_TEXTS	400
#define ANSWER_SECONDS	60
/* Of the answers to all that goes out together, which nobody reads meanwhile. */
#define ANSWER_ROOM	(4 << 20)

/* What the kernel's own code says before a handler is asked. */
static const char *const of_policy[] = {
	"",
	"Attribute failed policy validation",
	"Unknown attribute type",
	"Unsupported attribute",
	"NLA_F_NESTED is missing",
	"NLA_F_NESTED not expected",
	"ambiguous or reserved bits set in nlmsg_flags",
	"binary attribute size out of range",
	"bytes leftover after parsing attributes",
	"genlmsghdr.reserved field is not 0",
	"integer out of range",
	"invalid attribute length",
	"reserved bit set",
	NULL
};

/**
 * struct tally - what came back to a process
 * @messages: that it sent
 * @reached: a handler
 * @good: did what they say
 * @silent: no answer came
 * @texts: of refusals
 */
struct tally {
	unsigned long messages, reached, good, silent;
	struct {
		char text[256];
		unsigned long nr;
	} texts[NR_TEXTS];
};

static struct tally *tallies;

static bool has_reached(const struct answer *a)
{
	const char *const *text = of_policy;

	if (!a->error)
		return true;
	while (*text && strcmp(a->text, *text))
		text++;
	return !*text;
}

static void note_text(struct tally *t, const struct answer *a,
		      unsigned long nr)
{
	char text[sizeof(t->texts[0].text)];
	unsigned int i;

	if (a->text[0])
		snprintf(text, sizeof(text), "%s", a->text);
	else
		snprintf(text, sizeof(text), "%s, unexplained",
			 a->error ? strerrorname_np(-a->error) : "success");
	for (i = 0; i < NR_TEXTS && t->texts[i].nr; i++)
		if (!strcmp(t->texts[i].text, text))
			break;
	if (i == NR_TEXTS)
		return;
	strcpy(t->texts[i].text, text);
	t->texts[i].nr += nr;
}

static void judge(struct tally *t, const struct answer *a)
{
	t->messages++;
	t->good += !a->error;
	t->reached += has_reached(a);
	t->silent += a->error == -EAGAIN && !a->text[0];
	note_text(t, a, 1);
}

/* A probe has come: what was in its slot goes, or they would be too many. */
static void keep(struct world *w, struct sock *s, const struct message *m,
		 uint32_t id)
{
	if (!id || m->slot < 0)
		return;
	if (w->ids[m->slot])
		probe_del(s, w->ids[m->slot]);
	w->ids[m->slot] = id;
}

static struct sock *quiet_sock(void)
{
	struct sock *s = sock_open();

	sock_quiet(s, ANSWER_SECONDS);
	sock_room(s, ANSWER_ROOM);
	return s;
}

/* struct batch - messages that go out together, and what came of them */
struct batch {
	struct tally *tally;
	struct message messages[QUEUE_MAX];
	uint32_t ids[QUEUE_MAX];
	unsigned int nr;
};

static void take_answer(void *ctx, unsigned int nr, const struct answer *a)
{
	struct batch *b = ctx;

	judge(b->tally, a);
	b->ids[nr] = !a->error && a->tb[KTAP_A_ID] ? answer_u32(a, KTAP_A_ID) : 0;
}

/* Half of them alone. One that does not fit any more is not sent. */
static void send_some(struct batch *b, struct sock *s, struct chance *c,
		      struct world *w)
{
	unsigned int most = chance_below(c, 2) ? 1 + chance_below(c, QUEUE_MAX) : 1;
	unsigned int i;

	for (b->nr = 0; b->nr < most; b->nr++) {
		message_make(b->messages + b->nr, c, w);
		if (!queue_raw(s, &b->messages[b->nr].raw))
			break;
	}
	queue_send(s, take_answer, b);
	for (i = 0; i < b->nr; i++)
		keep(w, s, b->messages + i, b->ids[i]);
}

static void send_all(const struct order *o, unsigned int nr)
{
	static struct batch b;
	struct sock *socks[NR_SOCKS];
	struct world w;
	struct chance c;
	char name[32];
	unsigned int i;

	snprintf(name, sizeof(name), "messages %u", nr);
	c = chance_seed(o->seed, name);
	world_open(&w, nr);
	for (i = 0; i < NR_SOCKS; i++)
		socks[i] = quiet_sock();
	b.tally = tallies + nr;
	/* once at least, however slow the machine is */
	while (!b.tally->messages || go_on(o, b.tally->messages)) {
		struct sock **s = socks + chance_below(&c, NR_SOCKS);

		send_some(&b, *s, &c, &w);
		if (chance_below(&c, 200))
			continue;
		sock_close(*s);
		*s = quiet_sock();
	}
	for (i = 0; i < NR_SOCKS; i++)
		sock_close(socks[i]);
}

/* ---- the sum ------------------------------------------------------------------------ */

static void add_up(struct tally *sum, const struct tally *t)
{
	struct answer a = {};
	unsigned int i;

	sum->messages += t->messages;
	sum->reached += t->reached;
	sum->good += t->good;
	sum->silent += t->silent;
	for (i = 0; i < NR_TEXTS && t->texts[i].nr; i++) {
		snprintf(a.text, sizeof(a.text), "%s", t->texts[i].text);
		note_text(sum, &a, t->texts[i].nr);
	}
}

static unsigned long percent(unsigned long part, unsigned long of)
{
	return of ? part * 100 / of : 0;
}

static void print(const struct order *o, const struct tally *t)
{
	unsigned int i;

	for (i = 0; i < NR_TEXTS && t->texts[i].nr; i++)
		printf("#%9lu %s\n", t->texts[i].nr, t->texts[i].text);
	printf("# netlink: seed %llu, %u processes: %lu messages, %lu %% reached a handler, %lu %% were good, %u answers\n",
	       (unsigned long long)o->seed, o->processes, t->messages,
	       percent(t->reached, t->messages), percent(t->good, t->messages),
	       i);
}

void fuzz_netlink(const struct order *o)
{
	struct sock *s = sock_open();
	uint64_t memory = memory_now(s);
	static struct tally sum;
	unsigned int i;
	int hits;

	tallies = mmap(NULL, o->processes * sizeof(*tallies),
		       PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (tallies == MAP_FAILED)
		die("memory");
	hits = start_hits();
	in_processes(o, "netlink", send_all);
	stop_hits(hits);
	for (i = 0; i < o->processes; i++)
		add_up(&sum, tallies + i);
	print(o, &sum);
	ok(sum.messages && percent(sum.reached, sum.messages) >= 20,
	   "netlink: a fifth of the messages reached a handler");
	ok(sum.good * 50 >= sum.messages, "netlink: some did what they say");
	is(sum.silent, 0, "netlink: every message has its answer");
	is_clean(s, memory, "netlink");
	sock_close(s);
}
