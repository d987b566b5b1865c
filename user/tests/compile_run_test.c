// SPDX-License-Identifier: GPL-2.0
/*
 * What the module's own verifier and interpreter make of compiled programs.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "tests/ran.h"

static int setup(void **state)
{
	ks = built_symbols();
	return 0;
}

static int teardown(void **state)
{
	ksyms_free(ks);
	return 0;
}

static void test_run_numbers(void **state)
{
	struct hit *h = calloc(1, sizeof(*h));

	run(h,
	    "vfs_read a=%si b=%si:u16 c=+16(%di):u32 d=+0(+8(%di)):s8 e=$stack2 f=$arg7:u8 g=$comm i=\\-3");
	assert_int_equal(number(h, "a"), 0x8899aabbccddeeff);
	assert_int_equal(number(h, "b"), 0xeeff);
	assert_int_equal(number(h, "c"), 0x76543210);
	assert_int_equal(number(h, "d"), 0x10);
	assert_int_equal(number(h, "e"), 12);
	assert_int_equal(number(h, "f"), 11);
	assert_string_equal((char *)h->payload + built_field(&h->b, "g")->offset,
			    "worker");
	assert_int_equal(number(h, "i"), -3);
	assert_false(faulted(h, "c"));
	assert_false(faulted(h, "e"));
	built_deinit(&h->b);
	free(h);
}

static void test_run_faults(void **state)
{
	struct hit *h = calloc(1, sizeof(*h));

	run(h,
	    "vfs_read a=+0(+40(%di)) b=+16(%di) c=$stack9 d=+0(+0(+40(%di))):u8 e=+0(+40(%di)):string f=+24(%di):string");
	assert_true(faulted(h, "a"));
	assert_int_equal(number(h, "a"), 0);
	assert_false(faulted(h, "b"));
	assert_int_equal(number(h, "b"), 0xfedcba9876543210);
	assert_true(faulted(h, "c"));
	assert_true(faulted(h, "d"));
	assert_int_equal(slot(h, built_field(&h->b, "e")).flags,
			 KTAP_STRING_F_FAULT);
	assert_int_equal(slot(h, built_field(&h->b, "e")).len, 0);
	assert_string_equal(string(h, "f"), "kernel text");
	built_deinit(&h->b);
	free(h);
}

static void test_run_strings(void **state)
{
	struct hit *h = calloc(1, sizeof(*h));

	run(h,
	    "vfs_read n=%si:u8 k=+24(%di):string u=+0(+0(%di)):ustring v=+u5(+0(%di)):string cut=+24(%di):string(7) m=+16(%di):u16");
	assert_string_equal(string(h, "k"), "kernel text");
	assert_string_equal(string(h, "u"), "user text");
	assert_string_equal(string(h, "v"), "text");
	assert_string_equal(string(h, "cut"), "kernel");
	assert_int_equal(slot(h, built_field(&h->b, "cut")).flags,
			 KTAP_STRING_F_CUT);
	assert_int_equal(slot(h, built_field(&h->b, "k")).flags, 0);
	assert_int_equal(number(h, "n"), 0xff);
	assert_int_equal(number(h, "m"), 0x3210);
	assert_int_equal(h->len, ALIGN(h->b.program->layout->fixed_size + 12 +
				       10 + 5 + 7, 8));
	built_deinit(&h->b);
	free(h);
}

/* ---- any definition ---------------------------------------------------------- */

static unsigned int random_next(unsigned int *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

static const char *pick(unsigned int *seed, const char *const *list, size_t nr)
{
	return list[random_next(seed) % nr];
}

#define PICK(seed, list) pick(seed, list, ARRAY_SIZE(list))

/* A definition that is right, of any shape. */
static void make_definition(struct buf *b, unsigned int *seed)
{
	static const char *const places[] = {
		"vfs_read", "g:e=vfs_read", "p vfs_read", "p:a/b vfs_write",
		"0xffffffff81000100",
	};
	static const char *const memory_operands[] = {
		"+8(%di)", "-8(+u16(%si))", "@counter", "@0x1000",
		"+0(+0(+0(%bx)))", "\\4096",
	};
	static const char *const operands[] = {
		"%di", "%ax", "$stack", "$stack5", "$arg1", "$arg9", "\\-1",
	};
	static const char *const types[] = {
		"", ":u8", ":s16", ":x32", ":u64", ":char", ":b3@5/16",
		":sb7@0/8", ":symbol", ":symstr", ":errno",
	};
	static const char *const strings[] = {
		":string(16)", ":ustring(3)", ":string(1)", ":string(100)",
	};
	static const char *const arrays[] = {
		":u8[3]", ":x32[5]", ":s64[1]", ":b4@1/16[7]", ":char[16]",
		":string(8)[3]", ":ustring(5)[1]", ":symbol[2]",
	};
	unsigned int nr = random_next(seed) % 20;

	buf_puts(b, PICK(seed, places));
	while (nr--) {
		buf_putc(b, ' ');
		switch (random_next(seed) % 5) {
		case 0:
			buf_puts(b, PICK(seed, memory_operands));
			buf_puts(b, PICK(seed, strings));
			break;
		case 1:
			buf_puts(b, PICK(seed, memory_operands));
			buf_puts(b, PICK(seed, types));
			break;
		case 2:
			/* the last is an address, and lies nowhere itself */
			buf_puts(b, pick(seed, memory_operands,
					 ARRAY_SIZE(memory_operands) - 1));
			buf_puts(b, PICK(seed, arrays));
			break;
		case 3:
			buf_puts(b, "$comm");
			break;
		default:
			buf_puts(b, PICK(seed, operands));
			buf_puts(b, PICK(seed, types));
			break;
		}
	}
}

/* Every byte belongs to one field at most, and all that is stored is there. */
static void check_layout(const struct layout *layout)
{
	u8 used[2048] = {};
	unsigned int k;
	size_t i;

	assert_true(layout->fixed_size <= sizeof(used));
	for (i = 0; i < layout->nr_fields; i++) {
		const struct field *f = &layout->fields[i];
		unsigned int align = f->size < 8 ? f->size : 8;

		assert_int_equal(f->offset % align, 0);
		for (k = f->offset; k < f->offset + field_bytes(f); k++)
			assert_int_equal(used[k]++, 0);
	}
	for (k = 0; k < layout->faults_size; k++)
		assert_int_equal(used[layout->faults_offset + k]++, 0);
	for (k = layout->fixed_size; k < sizeof(used); k++)
		assert_int_equal(used[k], 0);
}

static void assert_same_text(const char *a, const char *b)
{
	assert_true(!a == !b);
	if (a)
		assert_string_equal(a, b);
}

static void assert_same(const struct program *a, const struct program *b)
{
	const struct layout *x = a->layout, *y = b->layout;
	size_t i;

	assert_int_equal(a->nr_insns, b->nr_insns);
	assert_memory_equal(a->insns, b->insns,
			    a->nr_insns * sizeof(a->insns[0]));
	assert_same_text(x->definition, y->definition);
	assert_same_text(x->symbol, y->symbol);
	assert_int_equal(x->nr_fields, y->nr_fields);
	for (i = 0; i < x->nr_fields; i++) {
		assert_string_equal(x->fields[i].name, y->fields[i].name);
		assert_int_equal(x->fields[i].offset, y->fields[i].offset);
		assert_int_equal(x->fields[i].format, y->fields[i].format);
		assert_int_equal(x->fields[i].fault, y->fields[i].fault);
	}
}

static void test_any_definition(void **state)
{
	unsigned int seed = 42, i;

	for (i = 0; i < 1000; i++) {
		struct buf text = BUF_INIT;
		struct ktap_prog_info info;
		struct built b, again;
		u32 at;

		make_definition(&text, &seed);
		build(&b, text.data, X86);
		assert_int_equal(ktap_verify(b.program->insns,
					     b.program->nr_insns, NULL, &info, &at),
				 KTAP_REFUSE_NONE);
		check_fixed_size(b.program->layout, &info);
		check_layout(b.program->layout);
		/* what list --definitions shows makes the same probe */
		build(&again, b.program->layout->definition, X86);
		assert_same(b.program, again.program);
		built_deinit(&again);
		built_deinit(&b);
		buf_deinit(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_numbers),
		cmocka_unit_test(test_run_faults),
		cmocka_unit_test(test_run_strings),
		cmocka_unit_test(test_any_definition),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
