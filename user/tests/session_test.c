// SPDX-License-Identifier: GPL-2.0
/* Sessions against a module that lives in this file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "fake_session.h"

static const struct session_options plain;

static struct session *open_session(const struct session_options *opt)
{
	struct session *s = NULL;
	struct diag d = {};

	assert_int_equal(session_open_io(&fake_io, opt, &d, &s), 0);
	assert_int_equal(d.code, DIAG_OK);
	return s;
}

static void close_session(struct session *s)
{
	session_close(s);
	assert_int_equal(module.maps, 0);
	assert_int_equal(module.opens, 0);
}

/* struct seen - batches per CPU */
struct seen {
	unsigned int batches[FAKE_CPUS];
	uint64_t bytes[FAKE_CPUS];
	const void *last;
	int answer;
};

static int see(void *ctx, unsigned int cpu, uint64_t position, const void *data,
	       size_t size)
{
	struct seen *seen = ctx;

	assert_int_equal(position, seen->bytes[cpu]);
	assert_memory_equal(data, module.rb[cpu].bytes + position, size);
	seen->last = data;
	if (seen->answer)
		return seen->answer;
	seen->batches[cpu]++;
	seen->bytes[cpu] += size;
	return 0;
}

static void test_setup(void **state)
{
	static const struct session_options opt = {
		.ring_size = FAKE_RING, .subbuf_size = FAKE_SUBBUF,
		.watermark = 512, .overwrite = true, .self = true,
	};
	struct session *s = open_session(&opt);

	assert_int_equal(module.setup.flags, KTAP_SESSION_F_OVERWRITE | KTAP_SESSION_F_SELF);
	assert_int_equal(module.setup.ring_size, FAKE_RING);
	assert_int_equal(module.setup.subbuf_size, FAKE_SUBBUF);
	assert_int_equal(module.setup.watermark, 512);
	assert_int_equal(session_setup_info(s)->clock_hz, 3000000000);
	assert_int_equal(session_setup_info(s)->session, 9);
	assert_int_equal(session_fd(s), FAKE_FD);
	close_session(s);
	session_close(NULL);
}

/* Where the caller leaves the geometry to the module, the rings tell it. */
static void test_default_geometry(void **state)
{
	struct session *s = open_session(&plain);

	assert_int_equal(module.setup.flags, 0);
	assert_int_equal(session_setup_info(s)->ring_size, FAKE_RING);
	assert_int_equal(session_setup_info(s)->subbuf_size, FAKE_SUBBUF);
	close_session(s);
}

static void test_read(void **state)
{
	struct session *s = open_session(&plain);
	struct seen seen = {};
	struct diag d = {};

	assert_int_equal(session_read(s, see, &seen, &d), 0);
	fake_events(0, 10);
	fake_events(2, 400);
	assert_int_equal(session_read(s, see, &seen, &d),
			 module.rb[0].head + module.rb[2].head);
	assert_int_equal(seen.batches[0], 1);
	assert_int_equal(seen.batches[2], 2);
	assert_int_equal(((struct ktap_ring_consumer *)module.ring[2])->tail,
			 module.rb[2].head);
	/* in place */
	assert_true((unsigned char *)seen.last > module.ring[2] &&
		    (unsigned char *)seen.last < module.ring[2] + FAKE_RING);
	seen.answer = -EPIPE;
	fake_events(2, 1);
	assert_int_equal(session_read(s, see, &seen, &d), -EPIPE);
	assert_int_equal(d.code, DIAG_OK);
	close_session(s);
}

static void test_read_overwrite(void **state)
{
	static const struct session_options opt = { .overwrite = true };
	struct session *s = open_session(&opt);
	struct seen seen = {};

	fake_events(2, 400);
	assert_int_equal(session_read(s, see, &seen, NULL), module.rb[2].head);
	/* a copy */
	assert_true((unsigned char *)seen.last < module.ring[2] ||
		    (unsigned char *)seen.last > module.ring[2] + 3 * FAKE_RING);
	close_session(s);
}

static void test_hotplug(void **state)
{
	struct session *s = open_session(&plain);
	struct seen seen = {};

	fake_events(1, 5);
	assert_int_equal(session_read(s, see, &seen, NULL), 0);
	module.cpus |= 2;
	module.generation++;
	assert_int_equal(session_read(s, see, &seen, NULL), module.rb[1].head);
	assert_int_equal(seen.batches[1], 1);
	close_session(s);
}

static void test_requests(void **state)
{
	static const uint32_t many[] = { 21, 22, 23 };
	struct session *s = open_session(&plain);
	struct ktap_session_state now;
	struct ktap_counts counts;

	assert_int_equal(session_attach(s, 17, NULL), 0);
	assert_int_equal(module.attach.id, 17);
	module.attach_most = 2;
	assert_int_equal(session_attach_some(s, many, 3, NULL, NULL), 2);
	assert_int_equal(module.attach.id, 21);
	assert_int_equal(session_attach_some(s, many + 2, 1, NULL, NULL), 1);
	/* a module that does not know the call */
	module.fail = KTAP_IOC_ATTACH_MANY;
	module.fail_errno = ENOTTY;
	assert_int_equal(session_attach_some(s, many + 1, 2, NULL, NULL), 1);
	assert_int_equal(module.attach.id, 22);
	module.fail = 0;
	assert_int_equal(session_detach(s, 18, NULL), 0);
	assert_int_equal(module.attach.id, 18);
	assert_int_equal(session_scope(s, 4321, true, NULL), 0);
	assert_int_equal(module.scope.pid, 4321);
	assert_int_equal(module.scope.flags, KTAP_SCOPE_F_TREE);
	assert_int_equal(session_scope(s, 1, false, NULL), 0);
	assert_int_equal(module.scope.flags, 0);
	assert_int_equal(session_counts(s, 17, -1, NULL, &counts), 0);
	assert_int_equal(counts.hits, 117);
	assert_int_equal(session_state(s, NULL, &now), 0);
	assert_int_equal(now.real, 1000);
	assert_int_equal(now.nr_attached, 2);
	close_session(s);
}

static void test_marks(void **state)
{
	struct session *s = NULL;
	struct ktap_marks marks;

	assert_int_equal(session_open_marker_io(&fake_io, NULL, &s), 0);
	assert_int_equal(session_mark(s, "phase 2 of 3", 7, NULL, &marks), 0);
	assert_string_equal(module.mark, "phase 2");
	assert_int_equal(marks.recorded, 1);
	assert_int_equal(marks.lost_full, 2);
	assert_int_equal(marks.lost_no_ring, 3);
	assert_int_equal(module.maps, 0);
	session_close(s);
	assert_int_equal(module.opens, 0);
	s = open_session(&plain);
	assert_int_equal(session_marks(s, NULL, &marks), 0);
	assert_int_equal(marks.recorded, 7);
	/* a module that has no marks lost none */
	module.fail = KTAP_IOC_MARKS;
	module.fail_errno = ENOTTY;
	assert_int_equal(session_marks(s, NULL, &marks), 0);
	assert_int_equal(marks.recorded + marks.lost_full + marks.lost_no_ring, 0);
	close_session(s);
}

#define fake_test(f) cmocka_unit_test_setup_teardown(f, fake_start, fake_stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		fake_test(test_setup),
		fake_test(test_default_geometry),
		fake_test(test_read),
		fake_test(test_read_overwrite),
		fake_test(test_hotplug),
		fake_test(test_requests),
		fake_test(test_marks),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
