// SPDX-License-Identifier: GPL-2.0
/* What hits may cost: of one program, and of all at one place. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nlraw.h"
#include "../../../../kunit/insn.h"

#define TOO_DEAR "a hit would take longer than hit_cost_max, mostly by "
#define TOO_MANY "together with the other probes at its place, a hit would take longer than hit_cost_max"

#define LIMIT 100000

static struct ktap_insn insns[KTAP_PROG_MAX];

static void set_max(uint64_t ns)
{
	FILE *f = fopen("/sys/module/ktap/parameters/hit_cost_max", "w");

	if (!f || fprintf(f, "%llu\n", (unsigned long long)ns) < 0 || fclose(f))
		die("hit_cost_max");
}

/* REG, @nr times @insn, END. Return: instructions. */
static size_t fill(size_t nr, struct ktap_insn insn)
{
	size_t at = 0, i;

	insns[at++] = (struct ktap_insn)REG(0, 0);
	for (i = 0; i < nr; i++)
		insns[at++] = insn;
	insns[at++] = (struct ktap_insn)END();
	return at;
}

/* @nr globs, a * and 253 letters each. */
static size_t fill_matches(size_t nr)
{
	size_t at = 0, i, k;

	insns[at++] = (struct ktap_insn)REG(0, 0);
	for (i = 0; i < nr; i++) {
		insns[at++] = (struct ktap_insn)MATCH(1, 0, 254, 0);
		insns[at++] = (struct ktap_insn)DATA(0x616161616161612aULL);
		for (k = 1; k < 32; k++)
			insns[at++] = (struct ktap_insn)
				DATA(0x6161616161616161ULL);
	}
	insns[at++] = (struct ktap_insn)END();
	return at;
}

static struct answer *new_at(struct sock *s, const char *symbol, size_t nr)
{
	char room[64];

	snprintf(room, sizeof(room), "%s", symbol);
	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_STR(KTAP_A_NAME, "dear"), GOOD_TYPE,
			     A_U32(KTAP_A_FLAGS, KTAP_PROBE_F_SHARED),
			     A_BIN(KTAP_A_SYMBOL, room, strlen(room) + 1),
			     A_BIN(KTAP_A_PROG, insns, nr * sizeof(*insns)),
			     A_END));
}

static void refused(struct sock *s, size_t nr, const char *by,
		    const char *what)
{
	const struct answer *a = new_at(s, "_raw_spin_unlock_irqrestore", nr);
	char text[128];

	snprintf(text, sizeof(text), TOO_DEAR "%s", by);
	is_error(a->error, -E2BIG, "cost: %s: error", what);
	is(a->attr, KTAP_A_PROG, "cost: %s: attribute at fault", what);
	is_text(a->text, text, what);
	ok(a->cookie > LIMIT, "cost: %s: %llu ns", what,
	   (unsigned long long)a->cookie);
	printf("# cost of %s: %llu ns\n", what, (unsigned long long)a->cookie);
}

static void try_refused(struct sock *s)
{
	is(limits(s)->hit_cost_max, LIMIT, "cost: the limit is told");
	refused(s, fill(956, (struct ktap_insn)
			BYTES(0, KTAP_BYTES_MAX, 0, NOBIT, 0)),
		"bytes that are copied", "956 times 16384 bytes");
	refused(s, fill_matches(28), "patterns that are matched", "28 globs");
	refused(s, fill_matches(12), "patterns that are matched", "12 globs");
	refused(s, fill(300, (struct ktap_insn)LOAD(1, 0, 0, 8, 0)),
		"reads that may fault", "300 reads");
	refused(s, fill(300, (struct ktap_insn)CTX(1, TIME)), "instructions",
		"300 looks at a clock");
	refused(s, fill(4, (struct ktap_insn)KSTACK(1, KTAP_STACK_FRAMES_MAX)),
		"frames of stacks", "4 stacks");
	is(limits(s)->nr_probes, 0, "cost: no probe is left");
}

/* An entry program has a limit of its own, and an attribute. */
static void try_entry(struct sock *s)
{
	size_t nr = fill(300, (struct ktap_insn)LOAD(1, 0, 0, 8, 0));
	const struct answer *a;

	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(A_STR(KTAP_A_NAME, "entry"), GOOD_PLACE, GOOD_PROG,
			  A_U32(KTAP_A_TYPE, KTAP_TYPE_KRETPROBE),
			  A_BIN(KTAP_A_ENTRY_PROG, insns, nr * sizeof(*insns)),
			  A_END));
	is_error(a->error, -E2BIG, "cost: entry program: error");
	is(a->attr, KTAP_A_ENTRY_PROG, "cost: entry program: attribute");
	ok(a->cookie > LIMIT, "cost: entry program: cost");
}

static uint64_t cost_of(struct sock *s, uint32_t id)
{
	const struct answer *a;
	uint64_t cost;

	a = request(s, KTAP_CMD_PROBE_GET, ATTRS(A_U32(KTAP_A_ID, id), A_END));
	if (!a->tb[KTAP_A_COST])
		return 0;
	memcpy(&cost, (const char *)a->tb[KTAP_A_COST] + 4, sizeof(cost));
	return cost;
}

static uint32_t accepted(struct sock *s, size_t nr, const char *what)
{
	const struct answer *a = new_at(s, "vfs_read", nr);

	is_error(a->error, 0, "cost: %s", what);
	return a->error ? 0 : answer_u32(a, KTAP_A_ID);
}

/* 128 arguments, each behind three pointers. */
static size_t fill_arguments(void)
{
	size_t at = 0, i;

	for (i = 0; i < 128; i++) {
		insns[at++] = (struct ktap_insn)REG(0, 0);
		insns[at++] = (struct ktap_insn)LOAD(0, 0, 0, 8, 0);
		insns[at++] = (struct ktap_insn)LOAD(0, 0, 0, 8, 0);
		insns[at++] = (struct ktap_insn)LOAD(0, 0, 0, 8, 0);
		insns[at++] = (struct ktap_insn)STORE(0, 8, 8 * i, 0);
	}
	insns[at++] = (struct ktap_insn)FAULTS(8, 8 * i);
	insns[at++] = (struct ktap_insn)END();
	return at;
}

static size_t fill_record(void)
{
	static const struct ktap_insn four[] = {
		REG(0, 0),
		BYTES(0, 16384, 0, NOBIT, 0), BYTES(0, 16384, 16384, NOBIT, 0),
		BYTES(0, 16384, 32768, NOBIT, 0),
		BYTES(0, 16368, 49152, NOBIT, 0), END()
	};

	memcpy(insns, four, sizeof(four));
	return sizeof(four) / sizeof(*four);
}

static void try_legal(struct sock *s)
{
	accepted(s, fill_arguments(), "128 arguments behind three pointers");
	accepted(s, fill_record(), "a record of 64 KiB");
	accepted(s, fill(1, (struct ktap_insn)STRING(0, 16384, 0, 0)),
		 "a string of 16384 bytes");
	accepted(s, fill(1, (struct ktap_insn)BYTES(0, 4096, 0, NOBIT, 0)),
		 "a structure of 4 KiB");
	accepted(s, fill(958, (struct ktap_insn)ALUI(0, 0, DIVS, 7)),
		 "958 divisions");
	probe_forget(s);
}

/* The parameter holds from the next request on, to the nanosecond. */
static void try_parameter(struct sock *s)
{
	size_t nr = fill(20, (struct ktap_insn)LOAD(1, 0, 0, 8, 0));
	uint32_t id = accepted(s, nr, "20 reads");
	uint64_t cost = cost_of(s, id);

	ok(cost > 5000 && cost < 50000, "cost: 20 reads: %llu ns are told",
	   (unsigned long long)cost);
	set_max(cost - 1);
	is(limits(s)->hit_cost_max, cost - 1, "cost: the new limit is told");
	is_error(new_at(s, "vfs_read", nr)->error, -E2BIG,
		 "cost: above the new limit");
	is_error(probe_enable(s, id, true), -EDQUOT,
		 "cost: what was defined before is not armed either");
	set_max(cost);
	accepted(s, nr, "as much as the new limit");
	is_error(probe_enable(s, id, true), 0, "cost: and it is armed");
	set_max(1);
	is_error(probe_enable(s, id, false), 0, "cost: it can always be disarmed");
	set_max(LIMIT);
	probe_forget(s);
}

/* ---- places ---------------------------------------------------------------------- */

static struct answer *enable(struct sock *s, uint32_t id)
{
	return request(s, KTAP_CMD_PROBE_SET,
		       ATTRS(A_U32(KTAP_A_ID, id), A_U8(KTAP_A_ENABLED, 1),
			     A_END));
}

/* Three at one place, and the limit has room for two. */
static void try_place(struct sock *s)
{
	size_t nr = fill(50, (struct ktap_insn)LOAD(1, 0, 0, 8, 0));
	uint32_t ids[3], elsewhere, i;
	const struct answer *a;
	uint64_t cost;

	for (i = 0; i < 3; i++)
		ids[i] = accepted(s, nr, "50 reads");
	cost = cost_of(s, ids[0]);
	a = new_at(s, "vfs_write", nr);
	elsewhere = answer_u32(a, KTAP_A_ID);
	set_max(2 * cost);
	is_error(enable(s, ids[0])->error, 0, "place: the first");
	is_error(enable(s, ids[1])->error, 0, "place: the second");
	a = enable(s, ids[2]);
	is_error(a->error, -EDQUOT, "place: the third");
	is_text(a->text, TOO_MANY, "place: the third: text");
	is(a->cookie, 3 * cost, "place: the third: ns of them all");
	is_error(enable(s, elsewhere)->error, 0, "place: elsewhere");
	is_error(probe_enable(s, ids[0], false), 0, "place: one goes");
	is_error(enable(s, ids[2])->error, 0, "place: the third comes");
	is_error(enable(s, ids[0])->error, -EDQUOT, "place: the first cannot");
	probe_del(s, ids[1]);
	is_error(enable(s, ids[0])->error, 0, "place: when one is deleted it can");
	set_max(LIMIT);
	probe_forget(s);
}

/* Each session more costs a record of its own, and not the program. */
static void try_sessions(struct sock *s)
{
	uint32_t id = accepted(s, fill(50, (struct ktap_insn)
				       LOAD(1, 0, 0, 8, 0)), "50 reads");
	uint64_t cost = cost_of(s, id);
	int one = session_open(), two = session_open();
	int three = session_open(), four = session_open();

	set_max(cost);
	is_error(session_attach(one, id), 0, "sessions: one");
	is_error(session_attach(two, id), -EDQUOT, "sessions: two");
	set_max(cost + 1000);
	is_error(session_attach(two, id), 0, "sessions: two have room");
	set_max(cost);
	close(one);
	is_error(session_detach(two, id), 0, "sessions: both are gone");
	is_error(session_attach(three, id), 0, "sessions: another one");
	is_error(session_attach(four, id), -EDQUOT, "sessions: and no more");
	close(two);
	close(three);
	close(four);
	set_max(LIMIT);
	probe_forget(s);
}

/*
 * An entry program runs where a probe at the entry does, and the program at the
 * return elsewhere.
 */
static void try_returns_at(struct sock *s)
{
	size_t nr = fill(50, (struct ktap_insn)LOAD(1, 0, 0, 8, 0));
	uint32_t entry = accepted(s, nr, "50 reads"), plain, both;
	uint64_t cost = cost_of(s, entry);

	plain = answer_u32(request(s, KTAP_CMD_PROBE_NEW,
				   ATTRS(A_STR(KTAP_A_NAME, "plain"), GOOD_PLACE,
					 A_U32(KTAP_A_TYPE, KTAP_TYPE_KRETPROBE),
					 A_BIN(KTAP_A_PROG, insns,
					       nr * sizeof(*insns)), A_END)),
			   KTAP_A_ID);
	both = answer_u32(request(s, KTAP_CMD_PROBE_NEW,
				  ATTRS(A_STR(KTAP_A_NAME, "both"), GOOD_PLACE,
					A_U32(KTAP_A_TYPE, KTAP_TYPE_KRETPROBE),
					GOOD_PROG,
					A_BIN(KTAP_A_ENTRY_PROG, insns,
					      nr * sizeof(*insns)), A_END)),
			  KTAP_A_ID);
	set_max(cost + cost / 2);
	is_error(enable(s, entry)->error, 0, "returns: the entry");
	is_error(enable(s, plain)->error, 0, "returns: the return is elsewhere");
	is_error(enable(s, both)->error, -EDQUOT,
		 "returns: an entry program is at the entry");
	set_max(2 * cost);
	is_error(enable(s, both)->error, 0, "returns: with room for both");
	set_max(LIMIT);
	probe_forget(s);
}

static uint32_t new_point(struct sock *s, const struct ktap_insn *prog,
			  size_t size)
{
	const struct answer *a;

	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(A_STR(KTAP_A_NAME, "point"),
			  A_U32(KTAP_A_FLAGS, KTAP_PROBE_F_SHARED),
			  A_U32(KTAP_A_TYPE, KTAP_TYPE_TRACEPOINT),
			  A_STR(KTAP_A_SYMBOL, "sched_switch"),
			  A_BIN(KTAP_A_PROG, prog, size), A_END));
	return answer_u32(a, KTAP_A_ID);
}

/* Those at a tracepoint, by its name. */
static void try_tracepoints(struct sock *s)
{
	struct ktap_insn args[52] = { ARG(0, 0) };
	uint32_t ids[2], i;
	uint64_t cost;

	for (i = 1; i < 51; i++)
		args[i] = (struct ktap_insn)LOAD(1, 0, 0, 8, 0);
	args[51] = (struct ktap_insn)END();
	for (i = 0; i < 2; i++)
		ids[i] = new_point(s, args, sizeof(args));
	cost = cost_of(s, ids[0]);
	set_max(cost);
	is_error(enable(s, ids[0])->error, 0, "tracepoints: one");
	is_error(enable(s, ids[1])->error, -EDQUOT, "tracepoints: two");
	set_max(LIMIT);
	is_error(enable(s, ids[1])->error, 0, "tracepoints: with room for two");
	probe_forget(s);
}

void try_costs(void)
{
	struct sock *s = sock_open();

	try_refused(s);
	try_entry(s);
	try_legal(s);
	try_parameter(s);
	try_place(s);
	try_sessions(s);
	try_returns_at(s);
	try_tracepoints(s);
	is(limits(s)->nr_probes, 0, "costs: no probe is left");
	sock_close(s);
}
