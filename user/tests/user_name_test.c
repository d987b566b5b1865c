// SPDX-License-Identifier: GPL-2.0
/* Names of frames: hostile ones cannot end a line, and places keep their brackets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "define/user_name.h"

static void test_plain(void **state)
{
	static const struct {
		const char *from;
		const char *to;
	} rows[] = {
		{ "", "" },
		{ "main", "main" },
		{ "operator<", "operator<" },
		{ "a;b\n\tfake+0x0 [x]\033[31m", "a_b__fake+0x0__x___31m" },
		{ "caf\303\251", "caf__" },
		{ "\302\233\177 ~", "____~" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf to = BUF_INIT;

		user_name_plain(&to, rows[i].from);
		assert_string_equal(buf_str(&to), rows[i].to);
		buf_deinit(&to);
	}
}

static void test_names(void **state)
{
	const struct binary_sym sym = { .name = "f;\n", .address = 0x1000 };
	const uint64_t frame = (uint64_t)3 << KTAP_USER_FILE_SHIFT | 0x1234;
	struct user_name n = { .text = BUF_INIT };
	const struct ksym *ks;

	(void)state;
	assert_int_equal(user_frame_file(frame), 3);
	assert_int_equal(user_frame_offset(frame), 0x1234);
	ks = user_name_symbol(&n, frame, 0x34, &sym, "libc.so.6");
	assert_string_equal(ks->name, "f__");
	assert_string_equal(ks->module, "libc.so.6");
	assert_int_equal(ks->address, frame - 0x34);
	ks = user_name_place(&n, frame, "libc.so.6");
	assert_string_equal(ks->name, "[libc.so.6+0x1234]");
	assert_null(ks->module);
	ks = user_name_place(&n, frame, NULL);
	assert_string_equal(ks->name, "[unknown file+0x1234]");
	buf_deinit(&n.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_names),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
