// SPDX-License-Identifier: GPL-2.0
/* Names that several probes have, and requests about several probes. */
#include <errno.h>

#include "nlraw.h"

static uint32_t by_name(struct sock *s, const char *name, size_t size)
{
	struct answer *a = request(s, KTAP_CMD_PROBE_GET,
				   ATTRS({ KTAP_A_NAME, size, name }, A_END));

	return a->error ? 0 : answer_u32(a, KTAP_A_ID);
}

static void try_shared(struct sock *s)
{
	int one, two, own;

	one = probe_new(s, "points", KTAP_PROBE_F_SHARED, 0);
	two = probe_new(s, "points", KTAP_PROBE_F_SHARED, 0);
	ok(one > 0 && two > 0 && one != two, "shared: two of one name");
	is_error(probe_new(s, "points", 0, 0), -EEXIST,
		 "shared: not with one that does not share");
	own = probe_new(s, "own", 0, 0);
	is_error(probe_new(s, "own", KTAP_PROBE_F_SHARED, 0), -EEXIST,
		 "shared: nor where the first does not");
	is(by_name(s, "points", 7), one, "shared: the name finds the first");
	probe_del(s, one);
	is(by_name(s, "points", 7), two, "shared: then the second");
	probe_del(s, two);
	is(by_name(s, "points", 7), 0, "shared: then none");
	probe_del(s, own);
}

static int del_list(struct sock *s, const uint32_t *ids, size_t size)
{
	return request(s, KTAP_CMD_PROBE_DEL,
		       ATTRS(A_BIN(KTAP_A_IDS, ids, size), A_END))->error;
}

static void try_lists(struct sock *s)
{
	static uint32_t many[KTAP_IDS_MAX + 1];
	uint32_t ids[4];
	int i;

	for (i = 0; i < 3; i++)
		ids[i] = probe_new(s, "list", KTAP_PROBE_F_TRANSIENT, 0);
	ids[3] = ids[2] + 1;
	is_error(del_list(s, ids, 4 * sizeof(ids[0])), -ENOENT,
		 "list: one that is not there");
	ids[3] = ids[0];
	is_error(del_list(s, ids, 4 * sizeof(ids[0])), -EINVAL,
		 "list: one that is there twice");
	is_error(del_list(s, ids, 7), -EINVAL, "list: half a number");
	is_error(del_list(s, many, sizeof(many)), -ERANGE, "list: too many");
	is_error(del_list(s, ids, 0), 0, "list: of none");
	is(limits(s)->nr_probes, 3, "list: all are still there");
	is_error(del_list(s, ids, 3 * sizeof(ids[0])), 0, "list: all three");
	is(limits(s)->nr_probes, 0, "list: they are gone");
}

void try_groups(void)
{
	struct sock *s = sock_open();

	try_shared(s);
	try_lists(s);
	sock_close(s);
}
