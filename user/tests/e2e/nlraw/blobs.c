// SPDX-License-Identifier: GPL-2.0
/* Metadata: its limits, its order, and a round trip of the largest one. */
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nlraw.h"

#define BLOB (1U << 20)
#define INCOMPLETE "the probe's metadata is not complete yet"

static uint8_t blob[BLOB], back[BLOB];

static struct answer *put(struct sock *s, uint32_t id, uint32_t offset,
			  uint32_t size)
{
	return request(s, KTAP_CMD_BLOB_PUT,
		       ATTRS(A_U32(KTAP_A_ID, id),
			     A_U32(KTAP_A_BLOB_OFFSET, offset),
			     A_BIN(KTAP_A_BLOB_DATA, blob + offset % BLOB, size),
			     A_END));
}

static struct answer *get(struct sock *s, uint32_t id, uint32_t offset)
{
	return request(s, KTAP_CMD_BLOB_GET,
		       ATTRS(A_U32(KTAP_A_ID, id),
			     A_U32(KTAP_A_BLOB_OFFSET, offset), A_END));
}

static uint32_t size_of(const struct answer *a)
{
	const struct nlattr *data = a->tb[KTAP_A_BLOB_DATA];

	return data ? mnl_attr_get_payload_len(data) : 0;
}

static void refused(const struct answer *a, int error, const char *text,
		    const char *what)
{
	is_error(a->error, error, "blob: %s: error", what);
	ok(!strcmp(a->text, text), "blob: %s: \"%s\"", what, text);
}

/* ---- the largest there and back --------------------------------------------- */

static void try_round_trip(struct sock *s)
{
	uint64_t total = limits(s)->blob_total;
	const struct answer *a;
	uint32_t at, size;
	int id, bad = 0;

	for (at = 0; at < BLOB; at++)
		blob[at] = at * 2654435761U >> 13;
	is(limits(s)->blob_max, BLOB, "blob: what is told to be the largest");
	id = probe_new(s, "blob", 0, BLOB);
	ok(id > 0, "blob: the largest is announced");
	is(limits(s)->blob_total, total + BLOB, "blob: it is charged");
	for (at = 0; at < BLOB; at += size) {
		/* chunks of all sizes, the largest too */
		size = at % 3 ? KTAP_BLOB_CHUNK : at % KTAP_BLOB_CHUNK + 1;
		if (size > BLOB - at)
			size = BLOB - at;
		bad |= put(s, id, at, size)->error;
	}
	is_error(bad, 0, "blob: every chunk is taken");
	for (at = 0; at < BLOB; at += size) {
		a = get(s, id, at);
		size = size_of(a);
		if (a->error || !size || size > BLOB - at)
			break;
		memcpy(back + at, mnl_attr_get_payload(a->tb[KTAP_A_BLOB_DATA]),
		       size);
	}
	ok(at == BLOB && !memcmp(blob, back, BLOB), "blob: it comes back");
	is(size_of(get(s, id, BLOB)), 0, "blob: the end is an empty answer");
	is(size_of(get(s, id, ~0U)), 0, "blob: far behind the end, too");
	is(size_of(get(s, id, BLOB - 1)), 1, "blob: its last byte");
	probe_del(s, id);
	is(limits(s)->blob_total, total, "blob: it is given back");
}

/* ---- order ------------------------------------------------------------------------- */

static void try_order(struct sock *s)
{
	int id = probe_new(s, "order", 0, 100);
	const struct answer *a;

	refused(put(s, id, 1, 10), -EINVAL,
		"chunks of metadata must come in order", "chunk ahead");
	refused(put(s, id, ~0U, 10), -EINVAL,
		"chunks of metadata must come in order", "chunk far ahead");
	is_error(put(s, id, 0, 10)->error, 0, "blob: first chunk");
	refused(put(s, id, 0, 10), -EINVAL,
		"chunks of metadata must come in order", "first chunk again");
	refused(put(s, id, 10, 91), -EINVAL,
		"more metadata than was announced", "chunk that is too large");
	is_error(put(s, id, 10, 0)->error, 0, "blob: empty chunk");
	a = request(s, KTAP_CMD_PROBE_SET,
		    ATTRS(A_U32(KTAP_A_ID, id), A_U8(KTAP_A_ENABLED, 1), A_END));
	refused(a, -ENODATA, INCOMPLETE, "enabled before it is complete");
	is(size_of(get(s, id, 0)), 10, "blob: what is there so far is told");
	is_error(put(s, id, 10, 90)->error, 0, "blob: the rest");
	is_error(probe_enable(s, id, true), 0, "blob: then it is enabled");
	refused(put(s, id, 100, 1), -EINVAL,
		"more metadata than was announced", "chunk behind the end");
	refused(request(s, KTAP_CMD_BLOB_PUT,
			ATTRS(A_U32(KTAP_A_ID, id),
			      A_BIN(KTAP_A_BLOB_DATA, blob, 1), A_END)),
		-EINVAL, "the message lacks the chunk's offset",
		"chunk without offset");
	refused(request(s, KTAP_CMD_BLOB_PUT,
			ATTRS(A_U32(KTAP_A_ID, id),
			      A_U32(KTAP_A_BLOB_OFFSET, 100), A_END)),
		-EINVAL, "the message lacks the chunk", "offset without chunk");
	refused(request(s, KTAP_CMD_BLOB_GET,
			ATTRS(A_U32(KTAP_A_ID, id), A_END)),
		-EINVAL, "the message lacks the chunk's offset",
		"get without offset");
	probe_del(s, id);
}

/* ---- limits -------------------------------------------------------------------------- */

static void set_total_max(uint64_t bytes)
{
	FILE *f = fopen("/sys/module/ktap/parameters/blob_total_max", "w");

	if (!f || fprintf(f, "%llu\n", (unsigned long long)bytes) < 0 || fclose(f))
		die("blob_total_max");
}

static struct answer *new_blob(struct sock *s, const char *name, uint32_t size)
{
	probe_new(s, name, 0, size);
	/* the answer is the socket's, and stays */
	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_STR(KTAP_A_NAME, "again"), GOOD_TYPE, GOOD_PLACE,
			     GOOD_PROG, A_U32(KTAP_A_BLOB_SIZE, size), A_END));
}

static void try_limits(struct sock *s)
{
	uint64_t max = limits(s)->blob_total_max;
	const struct answer *a;

	a = new_blob(s, "large", BLOB + 1);
	refused(a, -EFBIG, "the probe's metadata is too large", "too large");
	is(a->attr, KTAP_A_BLOB_SIZE, "blob: too large: attribute at fault");
	a = new_blob(s, "huge", ~0U);
	refused(a, -EFBIG, "the probe's metadata is too large", "2^32 - 1");
	set_total_max(2 * BLOB - 1);
	a = new_blob(s, "first", BLOB);
	refused(a, -ENOSPC,
		"the metadata of all probes would exceed the module's blob_total_max",
		"more than all may have");
	is(a->attr, KTAP_A_BLOB_SIZE,
	   "blob: more than all may have: attribute at fault");
	set_total_max(max);
	probe_forget(s);
	is(limits(s)->blob_total, 0, "blob: nothing is left");
}

void try_blobs(void)
{
	struct sock *s = sock_open();

	try_round_trip(s);
	try_order(s);
	try_limits(s);
	is(limits(s)->nr_probes, 0, "blobs: no probe is left");
	sock_close(s);
}
