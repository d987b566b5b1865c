// SPDX-License-Identifier: GPL-2.0
/* Making a decoder and telling it probes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/cleanup.h"
#include "decode/decode.h"
#include "event_log.h"
#include "one_batch.h"
#include "ring_builder.h"

static const struct machine small = {
	.nr_cpus = 1, .clock = KTAP_CLOCK_TSC, .clock_hz = 1000000000,
	.subbuf_size = 256,
};

static void test_create_errors(void **state)
{
	static const struct { unsigned int cpus; uint32_t subbuf; } bad[] = {
		{ 0, 256 }, { 1, 0 }, { 1, 32 }, { 1, 100 }, { 1, 1U << 31 },
	};
	struct decoder *dec = NULL;
	struct machine m = small;
	struct diag d = {};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		m.nr_cpus = bad[i].cpus;
		m.subbuf_size = bad[i].subbuf;
		assert_int_equal(decoder_create(&m, &d, &dec), -EINVAL);
		assert_int_equal(d.code, DIAG_DECODE_GEOMETRY);
		assert_null(dec);
		diag_clear(&d);
	}
	decoder_destroy(NULL);
}

static void test_probe_errors(void **state)
{
	_cleanup_free_ void *blob = NULL;
	static const uint32_t bad[] = { 0, 15, 65536, UINT32_MAX };
	struct decoder *dec = NULL;
	struct diag d = {};
	size_t i, size;

	assert_int_equal(decoder_create(&small, &d, &dec), 0);
	blob = log_blob(&log_layout_u64, &size);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(decoder_probe(dec, bad[i], "x", blob, size, &d),
				 -EBADMSG);
		assert_int_equal(d.code, DIAG_DECODE_PROBE_ID);
		diag_clear(&d);
	}
	assert_int_equal(decoder_probe(dec, 65535, "x", blob, size, &d), 0);
	assert_int_equal(decoder_probe(dec, 65535, "x", "junk", 4, &d), -EBADMSG);
	assert_int_equal(d.code, DIAG_LAYOUT_DAMAGED);
	diag_clear(&d);
	decoder_destroy(dec);
}

/* The last one told of an id counts. */
static void test_probe_again(void **state)
{
	_cleanup_free_ void *blob = NULL;
	struct decoder *dec = NULL;
	struct event_log log = {};
	struct ring_builder rb;
	uint64_t n = 3;
	size_t size;

	assert_int_equal(decoder_create(&small, NULL, &dec), 0);
	blob = log_blob(&log_layout_u64, &size);
	assert_int_equal(decoder_probe(dec, 16, "once", blob, size, NULL), 0);
	assert_int_equal(decoder_probe(dec, 16, "again", blob, size, NULL), 0);
	rb_init(&rb, 256);
	rb_event(&rb, 16, 1, &n, sizeof(n));
	assert_int_equal(one_batch(dec, 0, 0, rb.bytes, rb.head, event_log_add,
				   &log, NULL), 0);
	assert_string_equal(buf_str(&log.text), "0 1 cat/212/200 again n=3\n");
	buf_deinit(&log.text);
	rb_deinit(&rb);
	decoder_destroy(dec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create_errors),
		cmocka_unit_test(test_probe_errors),
		cmocka_unit_test(test_probe_again),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
