// SPDX-License-Identifier: GPL-2.0
/* What a session answers when the module, or the system, says no. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/cleanup.h"
#include "fake_session.h"

static const struct session_options plain;

static struct session *open_session(void)
{
	struct session *s = NULL;

	assert_int_equal(session_open_io(&fake_io, &plain, NULL, &s), 0);
	return s;
}

static int see(void *ctx, unsigned int cpu, uint64_t position, const void *data,
	       size_t size)
{
	fail_msg("a batch of %zu bytes on CPU %u", size, cpu);
	return 0;
}

static void test_open_errors(void **state)
{
	static const struct {
		int open_errno;
		enum diag_code code;
		const char *hint;
	} rows[] = {
		{ ENOENT, DIAG_WIRE_NOT_LOADED, "modprobe ktap" },
		{ ENXIO, DIAG_WIRE_NOT_LOADED, "modprobe ktap" },
		{ ENODEV, DIAG_WIRE_NOT_LOADED, "modprobe ktap" },
		{ EACCES, DIAG_SESSION_NO_ACCESS, "root" },
		{ EPERM, DIAG_WIRE_NO_CAPABILITY, "root" },
		{ EMFILE, DIAG_SESSION_OPEN, NULL },
	};
	struct session *s = NULL;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diag d = {};

		module.open_errno = rows[i].open_errno;
		assert_int_equal(session_open_io(&fake_io, &plain, &d, &s),
				 -rows[i].open_errno);
		assert_null(s);
		assert_int_equal(d.code, rows[i].code);
		if (rows[i].hint)
			assert_non_null(strstr(d.hint, rows[i].hint));
		diag_clear(&d);
	}
}

static void open_fails(int err, enum diag_code code, const char *text)
{
	static const struct session_options opt = {
		.ring_size = 12345, .subbuf_size = 6789,
	};
	struct session *s = NULL;
	struct diag d = {};

	assert_int_equal(session_open_io(&fake_io, module.fail ? &opt : &plain, &d, &s), err);
	assert_null(s);
	assert_int_equal(d.code, code);
	assert_non_null(strstr(d.message, text));
	assert_int_equal(module.maps, 0);
	assert_int_equal(module.opens, 0);
	diag_clear(&d);
}

static void test_setup_errors(void **state)
{
	module.fail = KTAP_IOC_SETUP;
	module.fail_errno = EINVAL;
	open_fails(-EINVAL, DIAG_SESSION_GEOMETRY, "rings of 12345 bytes");
	module.fail_errno = ENOMEM;
	open_fails(-ENOMEM, DIAG_SESSION_NO_MEMORY, "rings of 12345 bytes on");
	module.fail_errno = ENOSPC;
	open_fails(-ENOSPC, DIAG_SESSION_LIMIT, "rings of 12345 bytes on");
	module.fail_errno = EBUSY;
	open_fails(-EBUSY, DIAG_SESSION_SETUP, "busy");
	module.fail = KTAP_IOC_STATE;
	open_fails(-EBUSY, DIAG_SESSION_STATE, "busy");
}

static void bad_magic(struct ktap_ring_producer *p)
{
	p->magic++;
}

static void bad_cpu(struct ktap_ring_producer *p)
{
	p->cpu++;
}

static void other_size(struct ktap_ring_producer *p)
{
	p->size /= 2;
	p->subbuf_size /= 2;
}

static void test_map_errors(void **state)
{
	static void (*const forge[])(struct ktap_ring_producer *p) = {
		bad_magic, bad_cpu, other_size,
	};
	struct ktap_ring_producer good = *fake_producer(2);
	size_t i;

	module.map_errno = ENOMEM;
	open_fails(-ENOMEM, DIAG_SESSION_MAP, "CPU 0");
	module.map_errno = 0;
	for (i = 0; i < sizeof(forge) / sizeof(*forge); i++) {
		forge[i](fake_producer(2));
		open_fails(-EBADMSG, DIAG_SESSION_BAD_RING, "CPU 2");
		*fake_producer(2) = good;
	}
}

static void test_bad_positions(void **state)
{
	struct session *s = open_session();
	struct diag d = {};

	fake_producer(2)->head = FAKE_RING + 8;
	assert_int_equal(session_read(s, see, NULL, &d), -EPROTO);
	assert_int_equal(d.code, DIAG_SESSION_BAD_RING);
	assert_non_null(strstr(d.message, "CPU 2"));
	diag_clear(&d);
	session_close(s);
}

static void expect(struct diag *d, enum diag_code code, const char *text)
{
	assert_int_equal(d->code, code);
	assert_non_null(strstr(d->message, text));
	diag_clear(d);
}

static void test_request_errors(void **state)
{
	static const uint32_t many[] = { 21, 22 };
	struct session *s = open_session();
	const struct ktap_session_rates rates = { .max = ~0ULL };
	struct ktap_session_state now;
	struct ktap_counts counts;
	struct ktap_session_map shape = { 0 };
	struct ktap_marks marks;
	struct diag d = {};

	module.fail_errno = EINVAL;
	module.fail = KTAP_IOC_RATES;
	assert_int_equal(session_rates(s, &rates, &d), -EINVAL);
	expect(&d, DIAG_SESSION_RATES, "rates of the session: Invalid");
	module.fail_errno = ENOENT;
	module.fail = KTAP_IOC_ATTACH;
	assert_int_equal(session_attach(s, 17, &d), -ENOENT);
	expect(&d, DIAG_SESSION_ATTACH, "probe 17: No such");
	module.fail_errno = EPERM;
	assert_int_equal(session_attach(s, 17, &d), -EPERM);
	expect(&d, DIAG_SESSION_LOCKDOWN, "probe 17: kernel lockdown");
	module.fail_errno = ENOENT;
	module.fail = KTAP_IOC_ATTACH_MANY;
	assert_int_equal(session_attach_some(s, many, 2, NULL, &d), -ENOENT);
	expect(&d, DIAG_SESSION_ATTACH, "probe 21: No such");
	module.fail_errno = ENXIO;
	assert_int_equal(session_attach_some(s, many, 2, NULL, &d), -ENXIO);
	expect(&d, DIAG_SESSION_FTRACE_OFF, "probe 21: ftrace is turned off");
	module.fail_errno = ENOENT;
	module.fail = 0;
	module.attach_most = 0;
	assert_int_equal(session_attach_some(s, many, 2, NULL, &d), -EBADMSG);
	expect(&d, DIAG_SESSION_ATTACH, "probe 21: Bad message");
	module.fail = KTAP_IOC_DETACH;
	assert_int_equal(session_detach(s, 17, &d), -ENOENT);
	expect(&d, DIAG_SESSION_DETACH, "probe 17: No such");
	module.fail = KTAP_IOC_COUNTS;
	assert_int_equal(session_counts(s, 17, -1, &d, &counts), -ENOENT);
	expect(&d, DIAG_SESSION_COUNTS, "probe 17: No such");
	module.fail = KTAP_IOC_STATE;
	assert_int_equal(session_state(s, &d, &now), -ENOENT);
	expect(&d, DIAG_SESSION_STATE, "No such");
	module.fail = KTAP_IOC_MARK;
	assert_int_equal(session_mark(s, "text", 4, &d, &marks), -ENOENT);
	expect(&d, DIAG_SESSION_MARK, "refuses the mark: No such");
	module.fail_errno = ENOTTY;
	assert_int_equal(session_mark(s, "text", 4, &d, &marks), -ENOTTY);
	expect(&d, DIAG_SESSION_NO_MARKS, "update the module");
	module.fail_errno = ENOENT;
	module.fail = KTAP_IOC_MARKS;
	assert_int_equal(session_marks(s, &d, &marks), -ENOENT);
	expect(&d, DIAG_SESSION_MARKS, "marks of the session: No such");
	module.fail = KTAP_IOC_SCOPE;
	assert_int_equal(session_scope(s, 55, true, &d), -ENOENT);
	expect(&d, DIAG_SESSION_SCOPE, "process 55: No such");
	module.fail_errno = ESRCH;
	assert_int_equal(session_scope(s, 55, true, &d), -ESRCH);
	expect(&d, DIAG_SESSION_NO_PROCESS, "no process 55");
	module.fail_errno = E2BIG;
	module.fail = KTAP_IOC_ATTACH;
	assert_int_equal(session_attach(s, 17, &d), -E2BIG);
	expect(&d, DIAG_SESSION_RECORD_SIZE, "probe 17 may be too large for sub-buffers of 4096");
	module.fail_errno = ENOSPC;
	assert_int_equal(session_attach(s, 17, &d), -ENOSPC);
	expect(&d, DIAG_SESSION_ATTACH_MEMORY, "exceed the module's memory_max");
	module.fail_errno = ESTALE;
	assert_int_equal(session_attach(s, 17, &d), -ESTALE);
	expect(&d, DIAG_SESSION_STALE, "its file was changed, or");
	module.fail_errno = EMFILE;
	module.fail = KTAP_IOC_MAP;
	assert_int_equal(session_map(s, &shape, &d), -EMFILE);
	expect(&d, DIAG_SESSION_MAP_LIMIT, "1024 points of events");
	session_close(s);
}

/* A table that makes no sense is not read, also when the caller asks for it. */
static void test_bad_stacks(void **state)
{
	static union {
		struct ktap_stacks_head head;
		char bytes[4096];
	} page;
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct ktap_stacks_head *h = &page.head;
	struct session *s = open_session();
	struct diag d = {};

	assert_int_equal(session_stacks_begin(s, &d), -ENXIO);
	expect(&d, DIAG_SESSION_STACKS, "No such");
	*h = (struct ktap_stacks_head){
		.magic = KTAP_STACKS_MAGIC, .stacks_end = sizeof(page),
		.order_off = 4,
	};
	module.stacks = h;
	assert_int_equal(session_stacks_begin(s, &d), -EPROTO);
	expect(&d, DIAG_SESSION_STACKS, "Protocol error");
	assert_int_equal(session_stacks_lost(s), 0);
	assert_int_equal(session_stacks(s, &b), 0);
	h->order_off = sizeof(*h);
	h->lost = 3;
	assert_int_equal(session_stacks_begin(s, &d), 0);
	assert_int_equal(session_stacks_lost(s), 3);
	session_close(s);
	assert_int_equal(module.maps, 0);
}

#define fake_test(f) cmocka_unit_test_setup_teardown(f, fake_start, fake_stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		fake_test(test_open_errors),
		fake_test(test_setup_errors),
		fake_test(test_map_errors),
		fake_test(test_bad_positions),
		fake_test(test_request_errors),
		fake_test(test_bad_stacks),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
