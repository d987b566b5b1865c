// SPDX-License-Identifier: GPL-2.0
/* Return probes that are refused, and what their instances may take. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nlraw.h"
#include "../../../../kunit/insn.h"

#define RETURN_TYPE A_U32(KTAP_A_TYPE, KTAP_TYPE_KRETPROBE)
#define NAME A_STR(KTAP_A_NAME, "return")
#define ENTRY_PROG(insns) A_BIN(KTAP_A_ENTRY_PROG, insns, sizeof(insns))
#define FORBIDDEN "the kernel forbids a return probe here: not a function's entry, blacklisted, or not code"
#define TOO_MANY "the calls that all probes store would exceed the module's return_total_max"

static const struct ktap_insn filters[] = {
	REG(0, 0), FILTER(0), STORE(0, 8, 0, NOBIT), END()
};

static const struct ktap_insn stacks[] = {
	KSTACK(0, 1), STORE(0, 8, 0, NOBIT), END()
};

static const struct ktap_insn ustacks[] = {
	USTACK(0, 1), STORE(0, 8, 0, NOBIT), END()
};

static const struct ktap_insn stores[] = {
	REG(0, 0), PUT(0, 0, 0), END()
};

static const struct ktap_insn endless[] = { REG(0, 0) };

static const struct ktap_insn fits[] = {
	REG(0, 0), STORE(0, 8, KTAP_ENTRY_MAX - 8, NOBIT), END()
};

static const struct ktap_insn large[] = {
	REG(0, 0), STORE(0, 8, KTAP_ENTRY_MAX, NOBIT), END()
};

static const struct {
	const char *what;
	struct attr attrs[3];
	int error;
	int attr;
	const char *text;
} wrongs[] = {
	{ "not at an entry", { GOOD_PLACE, A_U64(KTAP_A_OFFSET, 64), A_END },
	  EINVAL, KTAP_A_SYMBOL, FORBIDDEN },
	{ "no function", { A_STR(KTAP_A_SYMBOL, "no_such_symbol"), A_END },
	  ENOENT, KTAP_A_SYMBOL,
	  "no such symbol in this kernel, or its memory has been freed" },
	{ "half an instruction at the entry",
	  { GOOD_PLACE, A_BIN(KTAP_A_ENTRY_PROG, fits, 15), A_END },
	  EINVAL, KTAP_A_ENTRY_PROG,
	  "the entry program is not a whole number of instructions" },
	{ "endless program at the entry",
	  { GOOD_PLACE, ENTRY_PROG(endless), A_END },
	  EINVAL, KTAP_A_ENTRY_PROG, "program does not finish with END" },
	{ "stack at the entry", { GOOD_PLACE, ENTRY_PROG(stacks), A_END },
	  EINVAL, KTAP_A_ENTRY_PROG,
	  "this kind of program has no kernel stack" },
	{ "user stack at the entry", { GOOD_PLACE, ENTRY_PROG(ustacks), A_END },
	  EINVAL, KTAP_A_ENTRY_PROG,
	  "an entry program cannot take a user stack" },
	{ "state at the entry", { GOOD_PLACE, ENTRY_PROG(stores), A_END },
	  EINVAL, KTAP_A_ENTRY_PROG,
	  "this kind of program cannot store or load state" },
	{ "filter at the entry", { GOOD_PLACE, ENTRY_PROG(filters), A_END },
	  EINVAL, KTAP_A_ENTRY_PROG, "an entry program cannot filter" },
	{ "too much at the entry", { GOOD_PLACE, ENTRY_PROG(large), A_END },
	  EINVAL, KTAP_A_ENTRY_PROG,
	  "the entry program stores more than a return probe can keep" },
	{ "more calls than can be followed",
	  { GOOD_PLACE, A_U32(KTAP_A_MAXACTIVE, KTAP_MAXACTIVE_MAX + 1), A_END },
	  ERANGE, KTAP_A_MAXACTIVE, "integer out of range" },
};

static void try_wrongs(struct sock *s)
{
	const struct answer *a;
	size_t i;

	for (i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		a = request(s, KTAP_CMD_PROBE_NEW,
			    ATTRS(NAME, RETURN_TYPE, GOOD_PROG,
				  wrongs[i].attrs[0], wrongs[i].attrs[1],
				  wrongs[i].attrs[2]));
		is_error(a->error, -wrongs[i].error, "return: %s: error",
			 wrongs[i].what);
		is(a->attr, wrongs[i].attr, "return: %s: attribute at fault",
		   wrongs[i].what);
		ok(!strcmp(a->text, wrongs[i].text), "return: %s: \"%s\"",
		   wrongs[i].what, a->text);
	}
	is(limits(s)->return_total, 0, "return: nothing is kept for those");
}

void set_return_total_max(uint64_t bytes)
{
	FILE *f = fopen("/sys/module/ktap/parameters/return_total_max", "w");

	if (!f || fprintf(f, "%llu\n", (unsigned long long)bytes) < 0 || fclose(f))
		die("return_total_max");
}

static struct answer *new_return(struct sock *s, const char *name,
				 uint32_t maxactive)
{
	char room[16];

	snprintf(room, sizeof(room), "%s", name);
	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_BIN(KTAP_A_NAME, room, strlen(room) + 1),
			     RETURN_TYPE, GOOD_PLACE, GOOD_PROG,
			     ENTRY_PROG(fits),
			     A_U32(KTAP_A_MAXACTIVE, maxactive), A_END));
}

/* Each instance has what the entry program may store at most, and more. */
static void try_total(struct sock *s)
{
	const struct answer *a;
	uint64_t bytes;

	a = new_return(s, "first", 100);
	is_error(a->error, 0, "return: the largest entry program");
	bytes = limits(s)->return_total;
	ok(bytes >= 100 * KTAP_ENTRY_MAX && bytes < 1000 * KTAP_ENTRY_MAX,
	   "return: 100 instances take %llu bytes", (unsigned long long)bytes);
	set_return_total_max(2 * bytes - 1);
	a = new_return(s, "second", 100);
	is_error(a->error, -ENOSPC, "return: more than all may have: error");
	is(a->attr, KTAP_A_MAXACTIVE,
	   "return: more than all may have: attribute at fault");
	ok(!strcmp(a->text, TOO_MANY), "return: more than all may have: \"%s\"",
	   a->text);
	is(a->cookie, bytes, "return: more than all may have: bytes asked for");
	set_return_total_max(2 * bytes);
	is_error(new_return(s, "second", 100)->error, 0,
		 "return: as much as all may have");
	set_return_total_max(0);
	probe_forget(s);
	is(limits(s)->return_total, 0, "return: nothing is left");
}

static void try_default(struct sock *s)
{
	const struct answer *a = new_return(s, "default", 0);
	uint32_t id = answer_u32(a, KTAP_A_ID), maxactive;

	a = request(s, KTAP_CMD_PROBE_GET, ATTRS(A_U32(KTAP_A_ID, id), A_END));
	maxactive = answer_u32(a, KTAP_A_MAXACTIVE);
	ok(maxactive >= 64 && maxactive <= 1024,
	   "return: %u calls are followed by default", maxactive);
	is_error(probe_enable(s, id, true), 0, "return: armed");
	probe_forget(s);
}

void try_returns(void)
{
	struct sock *s = sock_open();

	try_wrongs(s);
	try_total(s);
	try_default(s);
	sock_close(s);
}
