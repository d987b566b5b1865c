// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of unwind information, against libdw: for each row of real files, what the rule that
 * a hit would find says of the caller is what libdw says. Registers are made up; memory has a
 * value at each address.
 * needs: kmod/hit/user_rows.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "env_user.h"
#include "base/cleanup.h"
#include "dwarf/unwind.h"
#include "hit/user_rows.h"

#define SP	7
#define FP	6
#define RA	16
#define NR_REGS	17
#define ROW_MAX	8	/* bytes that a row may take */

static u64 memory_at(u64 address)
{
	return address * 0x9e3779b97f4a7c15ULL;
}

/* struct caller - what a row says of it; @known: 0: nothing, 1: it has none, 2: the rest */
struct caller {
	int known;
	u64 cfa;
	u64 ip_at;
	u64 fp;
};

/* ---- by libdw ---- */

static u64 alu(u8 op, u64 a, u64 b)
{
	switch (op) {
	case DW_OP_plus:
		return a + b;
	case DW_OP_and:
		return a & b;
	case DW_OP_shl:
		return a << b;
	default:
		assert_int_equal(op, DW_OP_ge);
		return (s64)a >= (s64)b;
	}
}

/* Return: whether all operations are known. */
static bool compute(const Dwarf_Op *ops, size_t nr, const u64 *regs, u64 cfa, u64 *ret)
{
	u64 stack[16] = { 0 };
	size_t n = 0, i;

	for (i = 0; i < nr && n < 15; i++) {
		const Dwarf_Op *op = &ops[i];
		u8 o = op->atom;

		if (o >= DW_OP_breg0 && o <= DW_OP_breg16)
			stack[n++] = regs[o - DW_OP_breg0] + op->number;
		else if (o == DW_OP_bregx && op->number < NR_REGS)
			stack[n++] = regs[op->number] + op->number2;
		else if (o == DW_OP_call_frame_cfa)
			stack[n++] = cfa;
		else if (o >= DW_OP_lit0 && o <= DW_OP_lit31)
			stack[n++] = o - DW_OP_lit0;
		else if (o == DW_OP_deref && n)
			stack[n - 1] = memory_at(stack[n - 1]);
		else if (o == DW_OP_plus_uconst && n)
			stack[n - 1] += op->number;
		else if ((o == DW_OP_plus || o == DW_OP_and || o == DW_OP_shl ||
			  o == DW_OP_ge) && n > 1)
			n--, stack[n - 1] = alu(o, stack[n - 1], stack[n]);
		else
			return false;
	}
	*ret = n ? stack[n - 1] : 0;
	return n;
}

/* Where a register is saved; 0: it is unchanged. Return: false: it is not known. */
static bool place_of(Dwarf_Frame *frame, int reg, const u64 *regs, u64 cfa, u64 *ret)
{
	Dwarf_Op room[3], *ops;
	size_t nr;

	*ret = 0;
	if (dwarf_frame_register(frame, reg, room, &ops, &nr))
		return false;
	if (!nr)
		return !ops || reg == FP;
	return compute(ops, nr, regs, cfa, ret);
}

static struct caller by_libdw(Dwarf_CFI *cfi, u64 address, const u64 *regs)
{
	_cleanup_free_ Dwarf_Frame *frame = NULL;
	struct caller c = { .known = 2 };
	Dwarf_Op room[3], *ops;
	bool is_signal;
	u64 at;
	size_t nr;

	if (dwarf_cfi_addrframe(cfi, address, &frame)) {
		frame = NULL;
		return (struct caller){ 0 };
	}
	assert_int_equal(dwarf_frame_info(frame, NULL, NULL, &is_signal), RA);
	if (is_signal)
		return (struct caller){ .known = 3 };
	if (!dwarf_frame_register(frame, RA, room, &ops, &nr) && !nr && ops == room)
		return (struct caller){ .known = 1 };
	if (dwarf_frame_cfa(frame, &ops, &nr) || !compute(ops, nr, regs, 0, &c.cfa) ||
	    !place_of(frame, RA, regs, c.cfa, &c.ip_at) ||
	    !place_of(frame, FP, regs, c.cfa, &at))
		return (struct caller){ 0 };
	c.fp = at ? memory_at(at) : regs[FP];
	return c;
}

/* ---- by the table ---- */

static struct caller by_table(const struct ktap_user_rows *t, u64 offset, const u64 *regs)
{
	const struct ktap_user_rule *r = ktap_user_rows_find(t, offset);
	struct caller c = { .known = 2 };
	u64 base;

	if (!r || r->kind == KTAP_USER_RULE_NONE || r->kind == KTAP_USER_RULE_UNKNOWN)
		return (struct caller){ 0 };
	if (r->kind == KTAP_USER_RULE_STOP)
		return (struct caller){ .known = 1 };
	if (r->kind == KTAP_USER_RULE_SIGNAL)
		return (struct caller){ .known = 3 };
	if (r->kind == KTAP_USER_RULE_PLT)
		c.cfa = regs[SP] + 8 + ((s64)(regs[RA] & 15) >= r->cfa ? 8 : 0);
	else if (r->kind == KTAP_USER_RULE_DEREF_FP)
		c.cfa = memory_at(regs[FP] + r->cfa * 8LL);
	else
		c.cfa = regs[r->kind == KTAP_USER_RULE_SP ? SP : FP] + r->cfa * 8LL;
	c.ip_at = c.cfa + r->ra * 8LL;
	base = r->kind == KTAP_USER_RULE_DEREF_FP ? regs[FP] : c.cfa;
	c.fp = r->fp || r->kind == KTAP_USER_RULE_DEREF_FP ?
		       memory_at(base + r->fp * 8LL) : regs[FP];
	return c;
}

/* ---- the comparison ---- */

static bool same(const struct caller *a, const struct caller *b)
{
	return a->known == b->known && a->cfa == b->cfa && a->ip_at == b->ip_at &&
	       a->fp == b->fp;
}

/* Return: address of a byte of the file, which is code. */
static u64 address_of(Elf *elf, u64 offset)
{
	GElf_Phdr ph;
	size_t nr, i;

	assert_int_equal(elf_getphdrnum(elf, &nr), 0);
	for (i = 0; i < nr; i++)
		if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_LOAD &&
		    ph.p_flags & PF_X && offset - ph.p_offset < ph.p_filesz)
			return offset - ph.p_offset + ph.p_vaddr;
	return 0;
}

/* struct figures - of one file */
struct figures {
	size_t rows;
	size_t other;
	size_t unknown;
	double bytes;
};

static void compare(int fd, const struct ktap_user_rows *t, struct figures *f)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);
	u32 i;

	assert_non_null(cfi);
	for (i = 0; i < t->nr_rows; i++) {
		u64 at = t->pcs[i], address = address_of(elf, at);
		u64 regs[NR_REGS] = { [SP] = 0x7ffe1000, [FP] = 0x7ffe2000 };
		struct caller want, got;

		if (!address)
			continue; /* the end of a segment */
		regs[RA] = address;
		want = by_libdw(cfi, address, regs);
		got = by_table(t, at, regs);
		f->rows++;
		f->unknown += !got.known && want.known;
		f->other += got.known && !same(&want, &got);
	}
	dwarf_cfi_end(cfi);
	elf_end(elf);
}

static struct ktap_user_rows rows_of(const struct unwind_table *t)
{
	struct ktap_user_rows r = {
		.pcs = t->pcs, .rows = t->rows, .rules = t->rules,
		.nr_rows = t->nr_rows, .nr_rules = t->nr_rules,
	};

	assert_true(ktap_user_rows_ok(&r));
	ktap_user_rows_shape(&r);
	r.index = calloc(r.nr_blocks + 1, sizeof(*r.index));
	assert_non_null(r.index);
	ktap_user_rows_index(&r);
	return r;
}

static void check_file(const char *path, bool must)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct figures f = { 0 };
	struct ktap_user_rows r;
	struct unwind_table t;

	if (fd < 0 && !must)
		return;
	assert_true(fd >= 0);
	assert_int_equal(unwind_table_make(fd, KTAP_USER_ROWS_MAX, &t), 0);
	r = rows_of(&t);
	compare(fd, &r, &f);
	/* also those for which this test's evaluation has no operation */
	f.unknown += t.nr_unknown;
	f.bytes = 6.0 * r.nr_rows + 8.0 * r.nr_rules + 4.0 * (r.nr_blocks + 1);
	print_message("%s: %u rows, %u rules, %.2f bytes a row, %zu unknown, %zu wrong\n",
		      path, r.nr_rows, r.nr_rules, f.bytes / r.nr_rows, f.unknown, f.other);
	assert_int_equal(f.other, 0);
	assert_true(f.unknown * 1000 <= f.rows);
	assert_true(f.bytes <= ROW_MAX * (double)r.nr_rows);
	free(r.index);
	unwind_table_deinit(&t);
	close(fd);
}

static void test_files(void **state)
{
	(void)state;
#ifdef __x86_64__
	check_file("/lib/x86_64-linux-gnu/libc.so.6", false);
	check_file("/usr/bin/python3", false);
	check_file("/bin/bash", true);
#endif
}

/* Code after the last row has no rule, rather than that row's. */
static void test_too_many_rows(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct unwind_table whole, cut;

	(void)state;
	assert_int_equal(unwind_table_make(fd, KTAP_USER_ROWS_MAX, &whole), 0);
	for (size_t max = 1; max <= 100; max += 9) {
		assert_int_equal(unwind_table_make(fd, max, &cut), 0);
		assert_true(whole.nr_rows > max);
		assert_int_equal(cut.nr_rows, max);
		assert_int_equal(cut.rules[cut.rows[max - 1]].kind, KTAP_USER_RULE_NONE);
		assert_memory_equal(cut.pcs, whole.pcs, max * sizeof(*cut.pcs));
		assert_memory_equal(cut.rows, whole.rows, (max - 1) * sizeof(*cut.rows));
		unwind_table_deinit(&cut);
	}
	unwind_table_deinit(&whole);
	close(fd);
}

/* ---- what is no such file ---- */

static void test_other_files(void **state)
{
	struct unwind_table t;
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_int_equal(unwind_table_make(fd, KTAP_USER_ROWS_MAX, &t), -EINVAL);
	unwind_table_deinit(&t);
	close(fd);
	assert_int_equal(unwind_table_make(-1, KTAP_USER_ROWS_MAX, &t), -EINVAL);
	unwind_table_deinit(&t);
}

/* ---- tables as the module takes them ---- */

static void test_checks(void **state)
{
	struct ktap_user_rule rules[2] = {
		{ .kind = KTAP_USER_RULE_SP, .cfa = 1, .ra = -1 },
		{ .kind = KTAP_USER_RULE_STOP },
	};
	u32 pcs[3] = { 0x1000, 0x1001, 0x5000 };
	u16 rows[3] = { 0, 1, 0 };
	struct ktap_user_rows t = {
		.pcs = pcs, .rows = rows, .rules = rules, .nr_rows = 3, .nr_rules = 2,
	};

	(void)state;
	assert_true(ktap_user_rows_ok(&t));
	pcs[1] = 0x1000;
	assert_false(ktap_user_rows_ok(&t));
	pcs[1] = 0x6000;
	assert_false(ktap_user_rows_ok(&t));
	pcs[1] = 0x1001;
	rows[2] = 2;
	assert_false(ktap_user_rows_ok(&t));
	rows[2] = 0;
	rules[1].kind = __KTAP_USER_RULES;
	assert_false(ktap_user_rows_ok(&t));
	rules[1].kind = KTAP_USER_RULE_STOP;
	rules[1].reserved = 1;
	assert_false(ktap_user_rows_ok(&t));
	rules[1].reserved = 0;
	t.nr_rows = 0;
	assert_false(ktap_user_rows_ok(&t));
	t.nr_rows = KTAP_USER_ROWS_MAX + 1;
	assert_false(ktap_user_rows_ok(&t));
	t.nr_rows = 3;
	t.nr_rules = 0;
	assert_false(ktap_user_rows_ok(&t));
	t.nr_rules = KTAP_USER_RULES_MAX + 1;
	assert_false(ktap_user_rows_ok(&t));
}

/* Rows as far apart as they can be: the index stays small, and finds each. */
static void test_index(void **state)
{
	static u32 pcs[1000], index[4096];
	static u16 rows[1000];
	static struct ktap_user_rule rules[1000];
	struct ktap_user_rows t = {
		.pcs = pcs, .rows = rows, .rules = rules, .index = index,
		.nr_rows = 1000, .nr_rules = 1000,
	};
	u32 i, wide;

	(void)state;
	for (wide = 0; wide < 2; wide++) {
		for (i = 0; i < 1000; i++) {
			pcs[i] = wide ? i * 4294967U : 5 + i * 3;
			rows[i] = i;
		}
		assert_true(ktap_user_rows_ok(&t));
		ktap_user_rows_shape(&t);
		assert_in_range(t.nr_blocks, 1, 250);
		ktap_user_rows_index(&t);
		for (i = 0; i < 1000; i++) {
			assert_ptr_equal(ktap_user_rows_find(&t, pcs[i]), &rules[i]);
			assert_ptr_equal(ktap_user_rows_find(&t, pcs[i] + 2), &rules[i]);
		}
		assert_ptr_equal(ktap_user_rows_find(&t, ~0ULL >> 1), &rules[999]);
	}
	pcs[0] = 1;
	assert_null(ktap_user_rows_find(&t, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_too_many_rows),
		cmocka_unit_test(test_other_files),
		cmocka_unit_test(test_checks),
		cmocka_unit_test(test_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
