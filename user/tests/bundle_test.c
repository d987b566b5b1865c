// SPDX-License-Identifier: GPL-2.0
/* Bundles to bytes and back; bytes that are cut, changed, or forged with a good checksum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/array.h"
#include "base/items.h"
#include "bundle/bundle.h"
#include "bundle/format.h"
#include "schema/layout.h"

#define CHANGES 20000

static char *copy(const char *text)
{
	char *ret = strdup(text);

	assert_non_null(ret);
	return ret;
}

static void put_blob(struct bundle_point *p)
{
	const struct layout layout = {
		.definition = (char *)"vfs_read count", .fixed_size = 8,
	};

	assert_int_equal(layout_encode(&layout, &p->blob, &p->blob_size), 0);
}

/* Instructions whose immediate value can be that of a parameter are those that load it. */
static void set_op(struct ktap_insn *insns, size_t nr, unsigned int op)
{
	while (nr--)
		insns[nr].op = op;
}

static void put_insns(struct ktap_insn **insns, size_t *nr, unsigned int want)
{
	*insns = calloc(want, sizeof(**insns));
	assert_non_null(*insns);
	*nr = want;
	for (unsigned int i = 0; i < want; i++)
		(*insns)[i] = (struct ktap_insn){
			1, 2, 3, 4, 5, 6, 700 + i, 0x8000000000000000ULL + i,
		};
}

static void add_param(struct bundle *b, const char *name, enum param_kind kind,
		      unsigned int size, uint64_t value)
{
	const struct param p = {
		.name = (char *)name, .kind = kind, .size = size, .value = value,
	};

	assert_int_equal(params_add(&b->params, &p), 0);
}

/* One that has something of everything */
static struct bundle *sample(void)
{
	struct bundle *b = calloc(1, sizeof(*b));
	struct bundle_object *o;
	struct bundle_point *p;

	assert_non_null(b);
	b->arch = KTAP_ARCH_ARM64;
	b->maker = copy("1.2.3");
	o = bundle_add_object(b);
	*o = (struct bundle_object){
		.kind = BUNDLE_KERNEL, .name = copy("vmlinux"), .id = { 1, 2, 3 },
		.id_size = 20, .anchor = 0xffffffff81000000,
	};
	o = bundle_add_object(b);
	*o = (struct bundle_object){
		.kind = BUNDLE_PROGRAM, .name = copy("/bin/true"), .id = { 9 },
		.id_size = 8,
	};
	add_param(b, "min", PARAM_SIGNED, 2, (uint64_t)-5);
	add_param(b, "max", PARAM_HEX, 8, UINT64_MAX);
	assert_int_equal(bundle_add_definition(b, "vfs_read count"), 0);
	assert_int_equal(bundle_add_definition(b, "-x /bin/true main"), 0);
	p = bundle_add_point(b);
	*p = (struct bundle_point){
		.type = KTAP_TYPE_KRETPROBE, .flags = BUNDLE_F_ALL,
		.name = copy("a"), .symbol = copy("vfs_read"),
		.lookup = copy("vfs_open"), .lookup_offset = 1, .offset = 2,
		.address = 3, .frame_address = 4, .frame_offset = 5,
		.maxactive = 6, .length = 7, .access = 1,
		.frame_regs = { 1, 2 }, .nr_frame_regs = 2,
	};
	put_insns(&p->insns, &p->nr_insns, 3);
	put_insns(&p->entry_insns, &p->nr_entry_insns, 2);
	p->fixes = malloc(sizeof(*p->fixes));
	p->fixes[0] = (struct bundle_fix){ true, true, 1 };
	p->nr_fixes = 1;
	set_op(p->entry_insns, p->nr_entry_insns, KTAP_OP_IMM);
	set_op(p->insns, p->nr_insns, KTAP_OP_ALUI);
	p->patches = calloc(2, sizeof(*p->patches));
	p->patches[0] = (struct bundle_patch){ true, 0, 0 };
	p->patches[1] = (struct bundle_patch){ false, 2, 1 };
	p->nr_patches = 2;
	put_blob(p);
	p = bundle_add_point(b);
	*p = (struct bundle_point){
		.definition = 1, .object = 1, .type = KTAP_TYPE_UPROBE,
		.name = copy("main"), .file_offset = 100, .ref_offset = 200,
	};
	put_insns(&p->insns, &p->nr_insns, 1);
	put_blob(p);
	return b;
}

static uint8_t *encoded(const struct bundle *b, size_t *size)
{
	void *bytes;

	assert_int_equal(bundle_encode(b, &bytes, size), 0);
	return bytes;
}

/* Set size and checksum in the head to match the following bytes. */
static void mend(uint8_t *bytes, size_t size)
{
	struct buf b = BUF_INIT;

	items_number(&b, size, 8);
	items_number(&b, bundle_sum(bytes + HEAD_BYTES, size - HEAD_BYTES), 8);
	memcpy(bytes + HEAD_SIZE, b.data, b.size);
	buf_deinit(&b);
}

static struct bundle *decoded(const uint8_t *bytes, size_t size)
{
	struct bundle *b = NULL;
	struct diag d = {};

	if (bundle_decode("b", bytes, size, &d, &b))
		fail_msg("%s", d.message);
	return b;
}

/* What is read and written again has the same bytes, and means the same. */
static void test_round(void **state)
{
	struct bundle *b = sample(), *back;
	const struct bundle_point *p, *q;
	uint8_t *bytes, *again;
	size_t size, size_again;

	bytes = encoded(b, &size);
	back = decoded(bytes, size);
	again = encoded(back, &size_again);
	assert_int_equal(size, size_again);
	assert_memory_equal(bytes, again, size);
	assert_int_equal(back->arch, KTAP_ARCH_ARM64);
	assert_int_equal(back->nr_points, 2);
	p = &b->points[0];
	q = &back->points[0];
	assert_string_equal(p->lookup, q->lookup);
	assert_memory_equal(p->insns, q->insns, 3 * sizeof(*p->insns));
	assert_int_equal(q->flags, BUNDLE_F_ALL);
	assert_true(q->fixes[0].in_entry && q->fixes[0].is_negative);
	assert_int_equal(back->objects[0].id[2], 3);
	assert_int_equal(back->points[1].ref_offset, 200);
	assert_int_equal(back->params.nr, 2);
	assert_string_equal(back->params.param[0].name, "min");
	assert_int_equal(back->params.param[0].kind, PARAM_SIGNED);
	assert_int_equal(back->params.param[0].size, 2);
	assert_int_equal(back->params.param[0].value, (uint64_t)-5);
	assert_int_equal(q->nr_patches, 2);
	assert_true(q->patches[0].in_entry && !q->patches[1].in_entry);
	assert_int_equal(q->patches[1].insn, 2);
	assert_int_equal(q->patches[1].param, 1);
	bundle_free(back);
	bundle_free(b);
	free(again);
	free(bytes);
}

static void refused(const struct bundle *b, const char *why)
{
	struct bundle *back = NULL;
	struct diag d = {};
	uint8_t *bytes;
	size_t size;

	bytes = encoded(b, &size);
	assert_int_equal(bundle_decode("b", bytes, size, &d, &back), -EINVAL);
	assert_non_null(strstr(d.message, why));
	diag_clear(&d);
	free(bytes);
}

static void test_bad(void **state)
{
	struct bundle *b = sample();

	b->arch = 3;
	refused(b, "for an unknown architecture");
	b->arch = KTAP_ARCH_X86_64;
	b->points[0].fixes[0].insn = 2;
	refused(b, "out of range");
	b->points[0].fixes[0].insn = 0;
	b->points[0].definition = 2;
	refused(b, "out of range");
	b->points[0].definition = 0;
	b->points[0].object = 1;
	refused(b, "of another kind");
	b->points[0].object = 2;
	refused(b, "out of range");
	b->points[0].object = 0;
	b->points[0].type = KTAP_TYPE_MAX + 1;
	refused(b, "out of range");
	b->points[0].type = KTAP_TYPE_KPROBE;
	b->points[0].flags = BUNDLE_F_ALL + 1;
	refused(b, "out of range");
	b->points[0].flags = 0;
	b->objects[0].anchor = 0;
	refused(b, "no anchor");
	b->objects[0].anchor = 1;
	b->objects[0].id_size = 0;
	refused(b, "not complete");
	b->objects[0].id_size = 1;
	b->maker[0] = '\033';
	refused(b, "not plain");
	b->maker[0] = '1';
	((uint8_t *)b->points[0].blob)[0]++;
	refused(b, "a layout is damaged");
	((uint8_t *)b->points[0].blob)[0]--;
	bundle_free(b);
}

static void test_bad_params(void **state)
{
	struct bundle *b = sample();
	struct bundle_patch *patches = b->points[0].patches;
	struct param *param = b->params.param;

	patches[0].insn = 2;
	refused(b, "out of range");
	patches[0].insn = 0xffff;
	refused(b, "out of range");
	patches[0].insn = 0;
	patches[1].insn = 3;
	refused(b, "out of range");
	patches[1].insn = 2;
	patches[1].param = 2;
	refused(b, "out of range");
	patches[1].param = UINT32_MAX;
	refused(b, "out of range");
	patches[1].param = 1;
	b->points[0].insns[2].op = KTAP_OP_LOAD;
	refused(b, "an instruction cannot have a parameter");
	b->points[0].insns[2].op = KTAP_OP_ALUI;
	param[1].kind = PARAM_NO_TYPE;
	refused(b, "a parameter has no type");
	param[1].kind = PARAM_KIND_NR;
	refused(b, "a parameter has no type");
	param[1].kind = PARAM_HEX;
	param[1].size = 3;
	refused(b, "a parameter has no type");
	param[1].size = 8;
	param[0].value = 0x8000;
	refused(b, "the default of a parameter is out of range");
	param[0].value = 0;
	memcpy(param[1].name, "min", 4);
	refused(b, "two have one name");
	memcpy(param[1].name, "m-x", 4);
	refused(b, "a parameter has no name");
	memcpy(param[1].name, "max", 4);
	/* the entry program has no instruction: a patch of it is outside */
	b->points[0].nr_entry_insns = 0;
	b->points[0].nr_fixes = 0;
	refused(b, "out of range");
	b->points[0].nr_entry_insns = 2;
	bundle_free(b);
}

/* The value goes to all instructions that have the parameter, and to no other one. */
static void test_set_param(void **state)
{
	struct bundle *b = sample();
	struct bundle_point *p = &b->points[0];
	uint64_t other = p->insns[2].imm, next = p->entry_insns[1].imm;

	b->params.param[0].value = 9;
	bundle_set_param(b, 0);
	assert_int_equal(p->entry_insns[0].imm, 9);
	assert_int_equal(p->entry_insns[1].imm, next);
	assert_int_equal(p->insns[2].imm, other);
	bundle_set_param(b, 1);
	assert_int_equal(p->insns[2].imm, UINT64_MAX);
	bundle_free(b);
}

/* The version says whether there are parameters: older tools refuse only such bundles. */
static void test_version(void **state)
{
	struct bundle *b = sample();
	uint8_t *bytes;
	size_t size;

	bytes = encoded(b, &size);
	assert_int_equal(bytes[HEAD_VERSION], BUNDLE_VERSION);
	free(bytes);
	params_deinit(&b->params);
	b->points[0].nr_patches = 0;
	bytes = encoded(b, &size);
	assert_int_equal(bytes[HEAD_VERSION], 1);
	bundle_free(decoded(bytes, size));
	free(bytes);
	bundle_free(b);
}

static void test_cut(void **state)
{
	struct bundle *b = sample(), *back = NULL;
	uint8_t *bytes, *part;
	size_t size;

	bytes = encoded(b, &size);
	for (size_t cut = 0; cut < size; cut++) {
		/* allocated at its size, so that the sanitizer reports a read past the end */
		part = malloc(cut + 1);
		memcpy(part, bytes, cut);
		assert_int_equal(bundle_decode("b", part, cut, NULL, &back),
				 -EINVAL);
		if (cut > HEAD_BYTES) {
			mend(part, cut);
			if (!bundle_decode("b", part, cut, NULL, &back))
				bundle_free(back);
		}
		free(part);
	}
	bundle_free(b);
	free(bytes);
}

/* Bytes are changed and the checksum is mended: refused, or taken and written again. */
static void test_changed(void **state)
{
	struct bundle *b = sample(), *back = NULL;
	unsigned int taken = 0, seed = 1;
	uint8_t *bytes, *forged;
	size_t size;
	void *again;

	bytes = encoded(b, &size);
	forged = malloc(size);
	for (unsigned int i = 0; i < CHANGES; i++) {
		size_t again_size;

		memcpy(forged, bytes, size);
		for (int j = 0; j < 1 + rand_r(&seed) % 4; j++)
			forged[HEAD_BYTES + rand_r(&seed) % (size - HEAD_BYTES)] =
				rand_r(&seed);
		mend(forged, size);
		if (bundle_decode("b", forged, size, NULL, &back))
			continue;
		taken++;
		assert_int_equal(bundle_encode(back, &again, &again_size), 0);
		free(again);
		bundle_free(back);
	}
	print_message("# %u of %u changed bundles were taken\n", taken, CHANGES);
	assert_true(taken);
	bundle_free(b);
	free(forged);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_bad_params),
		cmocka_unit_test(test_set_param),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_changed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
