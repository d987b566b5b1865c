// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that the verifier refuses, through the socket: each reason reaches
 * the sender as text.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nlraw.h"
#include "../../../../kunit/bad_programs.h"

static const char * const texts[] = {
#define R(name, text) [KTAP_REFUSE_##name] = text,
	KTAP_REFUSALS(R)
#undef R
};

static struct answer *new_with(struct sock *s, const struct ktap_insn *insns,
			       size_t nr)
{
	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_STR(KTAP_A_NAME, "program"), GOOD_TYPE,
			     GOOD_PLACE,
			     A_BIN(KTAP_A_PROG, insns, nr * sizeof(*insns)),
			     A_END));
}

static void try_bad_programs(struct sock *s)
{
	const struct bad_program *b = bad_programs;

	for (; b < bad_programs + ARRAY_SIZE(bad_programs); b++) {
		const struct answer *a;

		/* the policy has that one: see messages.c */
		if (b->why == KTAP_REFUSE_TOO_LONG)
			continue;
		a = new_with(s, b->insns, b->nr);
		ok(a->error == -EINVAL && a->attr == KTAP_A_PROG &&
		   !strcmp(a->text, texts[b->why]),
		   "program: %s: \"%s\"", b->name, texts[b->why]);
		if (a->error != -EINVAL || strcmp(a->text, texts[b->why]))
			printf("#   got %d, attribute %d, \"%s\"\n", a->error,
			       a->attr, a->text);
	}
}

/* The longest and the largest that are allowed; they also run. */
static void try_longest_program(struct sock *s)
{
	static struct ktap_insn insns[KTAP_PROG_MAX];
	const struct answer *a;
	size_t i;

	for (i = 0; i < KTAP_PROG_MAX - 1; i++)
		insns[i] = (struct ktap_insn)STACK(i % 8, i);
	insns[i] = (struct ktap_insn)END();
	a = new_with(s, insns, KTAP_PROG_MAX);
	is_error(a->error, 0, "program: as long as can be");
	if (a->error)
		return;
	is_error(probe_enable(s, answer_u32(a, KTAP_A_ID), true), 0,
		 "program: as long as can be, enabled");
	probe_forget(s);
}

static void try_largest_record(struct sock *s)
{
	const struct answer *a;
	uint32_t id;

	a = new_with(s, PROGRAM(REG(0, 0), STORE(0, 8, KTAP_RECORD_MAX - 16, NOBIT),
				END()), 3);
	is_error(a->error, 0, "program: record as large as can be");
	id = answer_u32(a, KTAP_A_ID);
	a = request(s, KTAP_CMD_PROBE_GET, ATTRS(A_U32(KTAP_A_ID, id), A_END));
	is(answer_u32(a, KTAP_A_RECORD_MAX), KTAP_RECORD_MAX,
	   "program: the size of its records is told");
	probe_forget(s);
}

void try_programs(void)
{
	struct sock *s = sock_open();

	try_bad_programs(s);
	try_longest_program(s);
	try_largest_record(s);
	is(limits(s)->nr_probes, 0, "programs: no probe is left");
	sock_close(s);
}
