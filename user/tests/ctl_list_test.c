// SPDX-License-Identifier: GPL-2.0
/* Lists of the control client, and answers that make no sense. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "fake_genl.h"
#include "wire/ctl.h"

/* The request for a list is answered by this; INFO_GET and the rest are not. */
static void (*answer)(const struct nlattr *const *attrs);
static unsigned int times;

static void handle(uint8_t cmd, const struct nlattr *const *attrs)
{
	struct nlmsghdr *nlh;

	if (cmd == KTAP_CMD_INFO_GET) {
		nlh = fake_answer(0);
		mnl_attr_put_u32(nlh, KTAP_A_ABI, KTAP_ABI);
		fake_end(nlh);
		fake_ack();
		return;
	}
	assert_int_equal(((struct nlmsghdr *)fake.request)->nlmsg_flags,
			 NLM_F_REQUEST | NLM_F_DUMP);
	times++;
	answer(attrs);
}

static struct ctl *open_with(void (*fn)(const struct nlattr *const *attrs))
{
	struct ctl *ctl = NULL;

	fake_reset(handle);
	answer = fn;
	times = 0;
	assert_int_equal(ctl_open(NULL, &ctl), 0);
	return ctl;
}

/* ---- probes ---- */

static void put_probe(unsigned int i, uint16_t flags)
{
	struct nlmsghdr *nlh = fake_answer(NLM_F_MULTI | flags);
	char name[32];

	snprintf(name, sizeof(name), "probe_%u", i);
	mnl_attr_put_u32(nlh, KTAP_A_ID, 16 + i);
	mnl_attr_put_strz(nlh, KTAP_A_NAME, name);
	mnl_attr_put_u32(nlh, KTAP_A_TYPE, KTAP_TYPE_KPROBE);
	mnl_attr_put_u32(nlh, KTAP_A_FLAGS, KTAP_PROBE_F_TRANSIENT);
	mnl_attr_put_u8(nlh, KTAP_A_ENABLED, i % 2);
	mnl_attr_put_u32(nlh, KTAP_A_NR_SESSIONS, 2);
	mnl_attr_put_u32(nlh, KTAP_A_RECORD_MAX, 40);
	mnl_attr_put_u32(nlh, KTAP_A_BLOB_SIZE, 99);
	mnl_attr_put_u32(nlh, KTAP_A_OWNER_PID, 4321);
	mnl_attr_put_strz(nlh, KTAP_A_HOOK, "kprobe");
	if (i % 2)
		mnl_attr_put_strz(nlh, KTAP_A_FRAME_HOOK, "ftrace");
	if (i % 3) {
		mnl_attr_put_strz(nlh, KTAP_A_SYMBOL, "vfs_read");
		mnl_attr_put_u64(nlh, KTAP_A_OFFSET, 4);
	} else {
		mnl_attr_put_u64(nlh, KTAP_A_ADDR, 0xffffffff81000000 + i);
	}
	fake_end(nlh);
}

/* Forty probes, seven to a datagram. */
static void many_probes(const struct nlattr *const *attrs)
{
	unsigned int i;

	for (i = 0; i < 40; i++) {
		put_probe(i, 0);
		if (i % 7 == 6)
			fake_next_datagram();
	}
	fake_done(0, NULL);
}

static void check_probe(const struct ctl_probe *p, unsigned int i)
{
	char name[32];

	snprintf(name, sizeof(name), "probe_%u", i);
	assert_int_equal(p->id, 16 + i);
	assert_string_equal(p->name, name);
	assert_int_equal(p->type, KTAP_TYPE_KPROBE);
	assert_int_equal(p->flags, KTAP_PROBE_F_TRANSIENT);
	assert_int_equal(p->enabled, i % 2);
	assert_int_equal(p->nr_sessions, 2);
	assert_int_equal(p->record_max, 40);
	assert_int_equal(p->blob_size, 99);
	assert_int_equal(p->owner_pid, 4321);
	assert_string_equal(p->hook, "kprobe");
	if (i % 2)
		assert_string_equal(p->frame_hook, "ftrace");
	else
		assert_null(p->frame_hook);
	if (i % 3) {
		assert_string_equal(p->symbol, "vfs_read");
		assert_int_equal(p->offset, 4);
		assert_int_equal(p->address, 0);
	} else {
		assert_null(p->symbol);
		assert_int_equal(p->address, 0xffffffff81000000 + i);
	}
}

static void test_probes(void **state)
{
	struct ctl *ctl = open_with(many_probes);
	struct ctl_probes probes;
	unsigned int i;

	assert_int_equal(ctl_probes_get(ctl, NULL, &probes), 0);
	assert_int_equal(probes.nr, 40);
	for (i = 0; i < 40; i++)
		check_probe(&probes.probes[i], i);
	ctl_probes_deinit(&probes);
	ctl_close(ctl);
}

static void no_rows(const struct nlattr *const *attrs)
{
	fake_done(0, NULL);
}

static void test_empty(void **state)
{
	struct ctl *ctl = open_with(no_rows);
	struct ctl_sessions sessions;
	struct ctl_stats_list stats;
	struct ctl_probes probes;

	assert_int_equal(ctl_probes_get(ctl, NULL, &probes), 0);
	assert_int_equal(ctl_stats_get(ctl, false, NULL, &stats), 0);
	assert_int_equal(ctl_sessions_get(ctl, NULL, &sessions), 0);
	assert_int_equal(probes.nr + stats.nr + sessions.nr, 0);
	ctl_probes_deinit(&probes);
	ctl_stats_deinit(&stats);
	ctl_sessions_deinit(&sessions);
	ctl_close(ctl);
}

/* ---- accounting and sessions ---- */

static void stats_rows(const struct nlattr *const *attrs)
{
	struct { struct ktap_counts c; uint64_t more; } counts = {
		{ .hits = 10, .recorded = 7, .lost_no_ring = 3 }, 5,
	};
	struct ktap_frames frames = { .entries = 9, .dropped = 2, .no_entry = 4 };
	struct nlmsghdr *nlh = fake_answer(NLM_F_MULTI);

	assert_non_null(attrs[KTAP_A_VERBOSE]);
	mnl_attr_put_u32(nlh, KTAP_A_ID, 16);
	mnl_attr_put_strz(nlh, KTAP_A_NAME, "n");
	mnl_attr_put(nlh, KTAP_A_COUNTS, sizeof(counts), &counts);
	mnl_attr_put(nlh, KTAP_A_FRAMES, sizeof(frames), &frames);
	mnl_attr_put_u64(nlh, KTAP_A_MISSED, 1ULL << 40);
	mnl_attr_put_u32(nlh, KTAP_A_NR_SESSIONS, 1);
	fake_end(nlh);
	nlh = fake_answer(NLM_F_MULTI);
	mnl_attr_put_u32(nlh, KTAP_A_ID, 16);
	mnl_attr_put_u64(nlh, KTAP_A_SESSION, 1ULL << 33);
	mnl_attr_put_u32(nlh, KTAP_A_CPU, 3);
	mnl_attr_put(nlh, KTAP_A_COUNTS, 16, &counts);
	fake_end(nlh);
	fake_done(0, NULL);
}

/* Counts of a module that knows more, and of one that knows less. */
static void test_stats(void **state)
{
	struct ctl *ctl = open_with(stats_rows);
	struct ctl_stats_list list;

	assert_int_equal(ctl_stats_get(ctl, true, NULL, &list), 0);
	assert_int_equal(list.nr, 2);
	assert_true(list.rows[0].is_total);
	assert_string_equal(list.rows[0].name, "n");
	assert_int_equal(list.rows[0].counts.recorded, 7);
	assert_int_equal(list.rows[0].counts.lost_no_ring, 3);
	assert_int_equal(list.rows[0].missed, 1ULL << 40);
	assert_int_equal(list.rows[0].nr_sessions, 1);
	assert_true(list.rows[0].has_frames);
	assert_int_equal(list.rows[0].frames.dropped, 2);
	assert_int_equal(list.rows[0].frames.no_entry, 4);
	assert_false(list.rows[1].has_frames);
	assert_false(list.rows[1].is_total);
	assert_null(list.rows[1].name);
	assert_int_equal(list.rows[1].session, 1ULL << 33);
	assert_int_equal(list.rows[1].cpu, 3);
	assert_int_equal(list.rows[1].counts.hits, 10);
	assert_int_equal(list.rows[1].counts.recorded, 0);
	ctl_stats_deinit(&list);
	ctl_close(ctl);
}

static void session_rows(const struct nlattr *const *attrs)
{
	struct nlmsghdr *nlh = fake_answer(NLM_F_MULTI);

	mnl_attr_put_u64(nlh, KTAP_A_SESSION, 9);
	mnl_attr_put_u32(nlh, KTAP_A_OWNER_PID, 77);
	mnl_attr_put_strz(nlh, KTAP_A_OWNER_COMM, "ktap");
	mnl_attr_put_u32(nlh, KTAP_A_NR_PROBES, 4);
	mnl_attr_put_u64(nlh, KTAP_A_RING_BYTES, 8 << 20);
	fake_end(nlh);
	nlh = fake_answer(NLM_F_MULTI);
	mnl_attr_put_u64(nlh, KTAP_A_SESSION, 10);
	mnl_attr_put_strz(nlh, KTAP_A_OWNER_COMM, "a_module_that_h");
	mnl_attr_put_strz(nlh, KTAP_A_PROBE_MODULE, "a_module_that_has_a_long_name");
	mnl_attr_put_u32(nlh, KTAP_A_MODULE_STATE, KTAP_MODULE_IDLE);
	fake_end(nlh);
	fake_done(0, NULL);
}

static void test_sessions(void **state)
{
	struct ctl *ctl = open_with(session_rows);
	struct ctl_sessions list;

	assert_int_equal(ctl_sessions_get(ctl, NULL, &list), 0);
	assert_int_equal(list.nr, 2);
	assert_null(list.sessions[0].module);
	assert_string_equal(list.sessions[1].module, "a_module_that_has_a_long_name");
	assert_int_equal(list.sessions[1].state, KTAP_MODULE_IDLE);
	assert_int_equal(list.sessions[0].session, 9);
	assert_int_equal(list.sessions[0].pid, 77);
	assert_string_equal(list.sessions[0].comm, "ktap");
	assert_int_equal(list.sessions[0].nr_probes, 4);
	assert_int_equal(list.sessions[0].ring_bytes, 8 << 20);
	ctl_sessions_deinit(&list);
	ctl_close(ctl);
}

/* ---- lists that change ---- */

static void torn_twice(const struct nlattr *const *attrs)
{
	put_probe(0, 0);
	put_probe(times, times <= 2 ? NLM_F_DUMP_INTR : 0);
	fake_next_datagram();
	put_probe(2, 0);
	fake_done(0, NULL);
}

static void always_torn(const struct nlattr *const *attrs)
{
	put_probe(0, NLM_F_DUMP_INTR);
	fake_done(0, NULL);
}

static void test_torn(void **state)
{
	struct ctl *ctl = open_with(torn_twice);
	struct ctl_probes probes;
	struct diag d = {};

	assert_int_equal(ctl_probes_get(ctl, NULL, &probes), 0);
	assert_int_equal(times, 3);
	assert_int_equal(probes.nr, 3);
	check_probe(&probes.probes[1], 3);
	ctl_probes_deinit(&probes);
	ctl_close(ctl);

	ctl = open_with(always_torn);
	assert_int_equal(ctl_probes_get(ctl, &d, &probes), -EAGAIN);
	assert_int_equal(d.code, DIAG_CTL_UNSETTLED);
	assert_int_equal(probes.nr, 0);
	assert_true(times > 2);
	diag_clear(&d);
	ctl_close(ctl);
}

/* ---- refusals ---- */

static void refused_at_start(const struct nlattr *const *attrs)
{
	fake_refuse(-EPERM, "not for you", 0, 0, true);
}

static void refused_at_end(const struct nlattr *const *attrs)
{
	put_probe(0, 0);
	fake_done(-EPERM, "not for you");
}

static void failed_at_end(const struct nlattr *const *attrs)
{
	put_probe(0, 0);
	fake_done(-EPERM, NULL);
}

static void list_fails(void (*fn)(const struct nlattr *const *attrs), int err,
		       enum diag_code code, const char *text)
{
	struct ctl *ctl = open_with(fn);
	struct ctl_probes probes;
	struct diag d = {};

	assert_int_equal(ctl_probes_get(ctl, &d, &probes), err);
	assert_int_equal(probes.nr, 0);
	assert_null(probes.probes);
	assert_int_equal(d.code, code);
	assert_non_null(strstr(d.message, text));
	diag_clear(&d);
	ctl_close(ctl);
}

static void test_refused(void **state)
{
	list_fails(refused_at_start, -EPERM, DIAG_CTL_REFUSED, "not for you");
	list_fails(refused_at_end, -EPERM, DIAG_CTL_REFUSED, "not for you");
	list_fails(failed_at_end, -EPERM, DIAG_CTL_FAILED, "not permitted");
}

/* ---- answers that make no sense ---- */

/* A probe that lacks @without, or has @type with one byte. */
static void put_bad(unsigned int without, unsigned int type)
{
	struct nlmsghdr *nlh = fake_answer(NLM_F_MULTI);

	if (type)
		mnl_attr_put_u8(nlh, type, 1);
	if (without != KTAP_A_ID && type != KTAP_A_ID)
		mnl_attr_put_u32(nlh, KTAP_A_ID, 1);
	if (without != KTAP_A_NAME && type != KTAP_A_NAME)
		mnl_attr_put_strz(nlh, KTAP_A_NAME, "n");
	fake_end(nlh);
	fake_done(0, NULL);
}

static unsigned int bad_without, bad_type;

static void bad_probe(const struct nlattr *const *attrs)
{
	put_bad(bad_without, bad_type);
}

static void test_bad_attributes(void **state)
{
	static const unsigned int types[] = {
		KTAP_A_ID, KTAP_A_NAME, KTAP_A_TYPE, KTAP_A_FLAGS, KTAP_A_ADDR,
		KTAP_A_OFFSET, KTAP_A_NR_SESSIONS, KTAP_A_RECORD_MAX,
		KTAP_A_BLOB_SIZE, KTAP_A_OWNER_PID, KTAP_A_SYMBOL, KTAP_A_HOOK,
	};
	size_t i;

	bad_type = 0;
	for (i = 0; i < 2; i++) {
		bad_without = types[i];
		list_fails(bad_probe, -EBADMSG, DIAG_CTL_BAD_ANSWER, "invalid answer");
	}
	bad_without = 0;
	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		bad_type = types[i];
		list_fails(bad_probe, -EBADMSG, DIAG_CTL_BAD_ANSWER, "invalid answer");
	}
}

static void no_genl_header(const struct nlattr *const *attrs)
{
	const struct nlmsghdr *req = (struct nlmsghdr *)fake.request;

	fake_end(fake_message(FAKE_FAMILY, NLM_F_MULTI, req->nlmsg_seq, 0));
	fake_done(0, NULL);
}

static void short_error(const struct nlattr *const *attrs)
{
	const struct nlmsghdr *req = (struct nlmsghdr *)fake.request;

	fake_end(fake_message(NLMSG_ERROR, 0, req->nlmsg_seq, 4));
	fake_next_datagram();
}

static void garbage(const struct nlattr *const *attrs)
{
	memset(fake.queue[fake.tail].bytes, 0xff, 64);
	fake.queue[fake.tail].size = 64;
	fake_next_datagram();
}

static void three_bytes(const struct nlattr *const *attrs)
{
	fake.queue[fake.tail].size = 3;
	fake_next_datagram();
}

/* An error that says its request is longer than the message. */
static void lying_error(const struct nlattr *const *attrs)
{
	struct fake_datagram *dg = &fake.queue[fake.tail];
	struct nlmsghdr *nlh = (struct nlmsghdr *)dg->bytes;
	struct nlmsgerr *e;

	fake_refuse(-EINVAL, "text", 0, 0, false);
	e = mnl_nlmsg_get_payload(nlh);
	e->msg.nlmsg_len = 1 << 30;
}

static void test_bad_messages(void **state)
{
	list_fails(no_genl_header, -EBADMSG, DIAG_CTL_BAD_ANSWER, "invalid answer");
	list_fails(short_error, -EBADMSG, DIAG_CTL_BAD_ANSWER, "invalid answer");
	list_fails(garbage, -EBADMSG, DIAG_CTL_BAD_ANSWER, "invalid answer");
	list_fails(three_bytes, -EBADMSG, DIAG_CTL_BAD_ANSWER, "invalid answer");
	list_fails(lying_error, -EINVAL, DIAG_CTL_FAILED, "Invalid argument");
}

/* ---- the socket ---- */

static void receive_fails(const struct nlattr *const *attrs)
{
	put_probe(0, 0);
	fake_receive_error(ENOBUFS);
}

/* A signal in between, and an answer to a request of before. */
static void disturbed(const struct nlattr *const *attrs)
{
	const struct nlmsghdr *req = (struct nlmsghdr *)fake.request;

	fake_receive_error(EINTR);
	fake_end(fake_message(NLMSG_ERROR, 0, req->nlmsg_seq - 1,
			      sizeof(struct nlmsgerr)));
	fake_end(fake_message(NLMSG_NOOP, 0, req->nlmsg_seq, 0));
	put_probe(0, 0);
	fake_done(0, NULL);
}

static void test_socket(void **state)
{
	struct ctl *ctl = open_with(disturbed);
	struct ctl_probes probes;

	assert_int_equal(ctl_probes_get(ctl, NULL, &probes), 0);
	assert_int_equal(probes.nr, 1);
	ctl_probes_deinit(&probes);
	ctl_close(ctl);
	list_fails(receive_fails, -ENOBUFS, DIAG_CTL_SOCKET, "No buffer space");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_probes),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_stats),
		cmocka_unit_test(test_sessions),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_bad_attributes),
		cmocka_unit_test(test_bad_messages),
		cmocka_unit_test(test_socket),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
