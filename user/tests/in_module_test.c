// SPDX-License-Identifier: GPL-2.0
/* -m NAME: which definitions are of that module. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/array.h"
#include "define/debug.h"

/* What @text has as its module with -m @name; an error is "refused". */
static void check(const char *name, const char *text, const char *want)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	struct definer df = {};
	struct diag d = {};
	int err;

	assert_int_equal(definer_name_module(&df, name, NULL), 0);
	assert_int_equal(spec_parse(text, NULL, &spec), 0);
	err = define_in_module(&df, spec, &d);
	assert_int_equal(err, d.code ? -EINVAL : 0);
	assert_int_equal(d.code, strcmp(want, "refused") ? DIAG_OK : DIAG_DEBUG_IN_MODULE);
	if (!err)
		assert_string_equal(spec->place.module ? spec->place.module : "", want);
	diag_clear(&d);
	definer_deinit(&df);
}

static void test_in_module(void **state)
{
	check("loop", "main", "loop");
	check("loop", "loop:main", "loop");
	check("loop", "xfs:main", "refused");
	check("loop", "loop_2:main", "refused");
	check("loop", "sys:read", "");
	/* '-' and '_' are one, wherever they stand */
	check("snd-hda", "main", "snd_hda");
	check("snd-hda", "snd-hda:main", "snd-hda");
	check("snd-hda", "snd_hda:main", "snd_hda");
	check("snd_hda", "snd-hda:main", "snd-hda");
	check("snd-hda", "mem:snd-hda:main:w", "snd-hda");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_module),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
