// SPDX-License-Identifier: GPL-2.0
/*
 * $argN at a USDT probe is what a definition would be that somebody wrote
 * from the mark's note.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "tests/built.h"

static const char note[] = "-4@%edi 2@-8(%rsp,%rax,2) -8@$-7 4@%xmm0 8@4096 4@8(,%rbx,4)";

/* struct pair - a definition at the mark, and the same without the note */
struct pair {
	const char *at_mark;
	const char *written;
};

static const struct pair pairs[] = {
	{ "$arg1", "(s32)%di:s32" },
	{ "x=$arg2 y=$arg3", "x=(u16)(-u8(%sp + %ax * 2)):u16 y=(s64)(\\-7):s64" },
	{ "$arg1:x64", "(s32)%di:x64" },
	{ "$arg5 $arg6:u32",
	  "arg5=(u64)@0x1000:u64 arg6=(u32)(+u8(%bx * 4)):u32" },
	{ "$arg1+1", "(s32)%di+1" },
	{ "s=+0($arg1):string", "s=+0((s32)%di):string" },
	{ "$arg1 if $arg1 < 0 && $arg2 > 3",
	  "(s32)%di:s32 if (s32)%di < 0 && (u16)(-u8(%sp + %ax * 2)) > 3" },
};

static struct program *compile(const char *args, bool at_mark)
{
	_cleanup_(sdt_args_freep) struct sdt_args *sdt_args =
		at_mark ? sdt_parse(note, KTAP_ARCH_X86_64, NULL, NULL) : NULL;
	const struct place place = {
		.type = KTAP_TYPE_UPROBE,
		.sdt_args = sdt_args,
	};
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	struct program *program = NULL;
	struct diag d = {};
	char text[256];

	snprintf(text, sizeof(text), "-x /p sdt:a:b %s", args);
	if (spec_parse(text, &d, &spec) ||
	    built_compile(spec, &place, NULL, KTAP_ARCH_X86_64, &d, &program))
		fail_msg("%s: %s", text, d.message);
	return program;
}

static void check_pair(const struct pair *pair)
{
	struct program *a = compile(pair->at_mark, true);
	struct program *b = compile(pair->written, false);
	size_t i;

	if (a->nr_insns != b->nr_insns ||
	    memcmp(a->insns, b->insns, a->nr_insns * sizeof(*a->insns)))
		fail_msg("%s: another program than %s", pair->at_mark,
			 pair->written);
	assert_int_equal(a->layout->nr_fields, b->layout->nr_fields);
	for (i = 0; i < a->layout->nr_fields; i++) {
		const struct field *f = &a->layout->fields[i];
		const struct field *g = &b->layout->fields[i];

		assert_int_equal(f->kind, g->kind);
		assert_int_equal(f->format, g->format);
		assert_int_equal(f->size, g->size);
	}
	program_free(a);
	program_free(b);
}

static void test_pairs(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pairs); i++)
		check_pair(&pairs[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
