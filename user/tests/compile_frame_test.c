// SPDX-License-Identifier: GPL-2.0
/*
 * Values at the entry of the function that a probe is in. The language has no
 * word for them: registers of definitions are made into them here.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "arch/arch.h"
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

/* %sp + 16 */
static struct term *make_cfa(void)
{
	struct term *cfa = term_new(TERM_BINARY, NULL);

	cfa->op = OP_ADD;
	cfa->base = term_new(TERM_STACK, NULL);
	cfa->right = term_new(TERM_IMM, NULL);
	cfa->right->value = 16;
	return cfa;
}

/* Every register, but for %r8 and %r9. */
static void to_frame(struct term *e)
{
	const struct arch_reg *reg;

	if (!e)
		return;
	to_frame(e->base);
	to_frame(e->right);
	if (e->kind != TERM_REG || !strcmp(e->text, "r8") ||
	    !strcmp(e->text, "r9"))
		return;
	reg = arch_reg(arch_find(X86), e->text);
	free(e->text);
	e->text = NULL;
	e->kind = TERM_FRAME;
	e->value = reg->index;
	e->base = make_cfa();
}

static int frame_init(struct built *b, const char *text, bool has_frame,
		      struct diag *d)
{
	size_t i;

	*b = (struct built){};
	assert_int_equal(spec_parse(text, d, &b->spec), 0);
	assert_int_equal(ksyms_resolve(ks, b->spec, d, &b->place), 0);
	assert_int_equal(bind_start(b->spec, d, &b->terms), 0);
	for (i = 0; i < b->terms->nr_args; i++)
		to_frame(b->terms->args[i].term);
	to_frame(b->terms->filter);
	b->place.has_frame = has_frame;
	return built_finish(b, ks, X86, d);
}

/* ---- running --------------------------------------------------------------- */

#define SP 0x7000ULL

static bool known;
static const struct program *running;

static bool find_frame(u64 cfa, u64 nr, u64 *ret)
{
	assert_int_equal(cfa, SP + 16);
	assert_true(nr < running->frame.nr);
	*ret = 1000ULL + running->frame.regs[nr];
	if (running->frame.regs[nr] == KTAP_X86_64_DX)
		*ret = KERNEL;
	return known;
}

static void run_frame(struct hit *h, const char *text, bool is_known)
{
	struct env_regs regs = { .r[KTAP_X86_64_SP] = SP };
	struct ktap_frame frame = { .regs = &regs };
	struct ktap_prog_place place = {};
	struct ktap_prog_info info;
	struct diag d = {};
	u32 at;

	if (frame_init(&h->b, text, true, &d))
		fail_msg("%s: %s", text, d.message);
	running = h->b.program;
	known = is_known;
	env_reset();
	env_map(KERNEL, &memory, sizeof(memory));
	env_world.frame = find_frame;
	place.nr_frame_regs = running->frame.nr;
	assert_int_equal(ktap_verify(running->insns, running->nr_insns, &place,
				     &info, &at), KTAP_REFUSE_NONE);
	h->len = ktap_fetch_run(running->insns, &info, &frame, h->payload, NULL);
}

static bool lacks_entry(const struct hit *h)
{
	const struct layout *l = h->b.program->layout;
	u64 mask = 0;

	memcpy(&mask, h->payload + l->faults_offset, l->faults_size);
	return l->has_frame && mask >> l->no_entry & 1;
}

static const char definition[] =
	"vfs_read+8 a=%di b=%si:u16 c=+16(%dx) d=%r8 e=+24(%dx):string f=%di+1 g=+40(%r9):u8";

static void test_frame_values(void **state)
{
	struct hit *h = calloc(1, sizeof(*h));

	run_frame(h, definition, true);
	assert_true(h->len > 0);
	assert_int_equal(running->frame.nr, 3);
	assert_int_equal(number(h, "a"), 1000 + KTAP_X86_64_DI);
	assert_int_equal(number(h, "b"), 1000 + KTAP_X86_64_SI);
	assert_int_equal(number(h, "c"), memory.number);
	assert_int_equal(number(h, "f"), 1001 + KTAP_X86_64_DI);
	assert_string_equal(string(h, "e"), "kernel text");
	assert_false(lacks_entry(h));
	assert_false(faulted(h, "a"));
	assert_true(built_field(&h->b, "a")->frame);
	assert_true(built_field(&h->b, "e")->frame);
	assert_false(built_field(&h->b, "d")->frame);
	assert_true(faulted(h, "g"));
	assert_false(built_field(&h->b, "g")->frame);
	assert_int_equal(env_world.no_entry, 0);
	built_deinit(&h->b);
	free(h);
}

static void test_frame_not_found(void **state)
{
	struct hit *h = calloc(1, sizeof(*h));

	run_frame(h, definition, false);
	assert_true(h->len > 0);
	assert_true(lacks_entry(h));
	assert_true(faulted(h, "a"));
	assert_int_equal(number(h, "a"), 0);
	assert_true(faulted(h, "b"));
	assert_true(faulted(h, "c"));
	assert_true(faulted(h, "f"));
	assert_int_equal(slot(h, built_field(&h->b, "e")).flags,
			 KTAP_STRING_F_FAULT);
	assert_int_equal(env_world.no_entry, 1);
	built_deinit(&h->b);
	free(h);
}

/* A filter cannot be true without it, and says nothing in the record. */
static void test_frame_in_a_filter(void **state)
{
	struct hit *h = calloc(1, sizeof(*h));

	run_frame(h, "vfs_read+8 a=%r8 if %di == 1014", true);
	assert_true(h->len > 0);
	assert_false(h->b.program->layout->has_frame);
	built_deinit(&h->b);
	run_frame(h, "vfs_read+8 a=%r8 if %di == 1014", false);
	assert_int_equal(h->len, KTAP_FETCH_FILTERED);
	assert_int_equal(env_world.no_entry, 1);
	built_deinit(&h->b);
	free(h);
}

/* ---- where there is none --------------------------------------------------- */

static void test_frame_at_the_entry(void **state)
{
	struct diag d = {};
	struct built b;

	assert_int_equal(frame_init(&b, "vfs_read a=%di", false, &d), 0);
	assert_int_equal(b.program->frame.nr, 0);
	assert_int_equal(b.program->insns[0].op, KTAP_OP_REG);
	assert_int_equal(b.program->insns[0].imm, KTAP_X86_64_DI);
	built_deinit(&b);
}

static void test_frame_that_is_not_known(void **state)
{
	struct diag d = {};
	struct built b;

	assert_int_equal(frame_init(&b, "vfs_read+8 a=%r8 b=%di", false, &d),
			 -EINVAL);
	assert_int_equal(d.code, DIAG_COMPILE_NO_FRAME);
	built_deinit(&b);
	diag_clear(&d);
	assert_int_equal(frame_init(&b, "vfs_read%return b=%di", true, &d),
			 -EINVAL);
	assert_int_equal(d.code, DIAG_COMPILE_NO_FRAME);
	built_deinit(&b);
	diag_clear(&d);
}

#define SIXTEEN \
	"vfs_read+8 %di %si %dx %cx %bx %ax %bp %ip %cs %ss %r10 %r11 %r12 %r13 %r14 %r15"

static void test_frame_with_too_many_registers(void **state)
{
	struct diag d = {};
	struct built b;

	assert_int_equal(frame_init(&b, SIXTEEN, true, &d), 0);
	assert_int_equal(b.program->frame.nr, KTAP_NR_FRAME_REGS);
	built_deinit(&b);
	assert_int_equal(frame_init(&b, SIXTEEN " %flags", true, &d), -EINVAL);
	assert_int_equal(d.code, DIAG_COMPILE_FRAME_REGS);
	built_deinit(&b);
	diag_clear(&d);
}

/* The bit of the frame is one of the 64 too. */
static void test_frame_with_all_fault_bits(void **state)
{
	char text[4096] = "vfs_read+8 %di";
	struct diag d = {};
	struct built b;
	int i;

	for (i = 0; i < KTAP_NR_FAULTS - 2; i++)
		strcat(text, " +8(%r8):u8");
	assert_int_equal(frame_init(&b, text, true, &d), 0);
	built_deinit(&b);
	strcat(text, " +8(%r8):u8");
	assert_int_equal(frame_init(&b, text, true, &d), -EINVAL);
	assert_int_equal(d.code, DIAG_COMPILE_TOO_MANY_READS);
	built_deinit(&b);
	diag_clear(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frame_values),
		cmocka_unit_test(test_frame_not_found),
		cmocka_unit_test(test_frame_in_a_filter),
		cmocka_unit_test(test_frame_at_the_entry),
		cmocka_unit_test(test_frame_that_is_not_known),
		cmocka_unit_test(test_frame_with_too_many_registers),
		cmocka_unit_test(test_frame_with_all_fault_bits),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
