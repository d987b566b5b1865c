// SPDX-License-Identifier: GPL-2.0
/*
 * Rows of unwind information, by libdw's evaluation of it. libdw answers for one address, and
 * says up to where the answer holds: so each range of code that has information is walked
 * from one answer to the next.
 */
#include "dwarf/unwind.h"

#include <assert.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/array.h"

#define WORD		8
#define PADDING		16	/* between functions: less than that is never executed */
#define PLT_OPS		9	/* operations of the expression for linkers' stubs */

/* Of an encoded pointer (DWARF, and the LSB of .eh_frame): its form, and what it counts from. */
#define ENC_FORM	0x0f
#define ENC_FROM	0x70

/* struct range - code that has unwind information; @at: its offset in the file */
struct range {
	uint64_t start;
	uint64_t end;
	uint64_t at;
	Dwarf_CFI *cfi;
};

/**
 * struct maker - a table under construction
 * @elf: the file
 * @arch: its architecture
 * @eh: information of .eh_frame, or NULL
 * @debug: information of .debug_frame, or NULL
 * @dwarf: owns @debug
 * @ranges: what has information
 * @nr_ranges: how many
 * @t: the table
 * @max_rows: most rows of @t
 * @room_rows: of @t
 * @index: rules by hash: number + 1; 0: free
 */
struct maker {
	Elf *elf;
	const struct arch *arch;
	Dwarf_CFI *eh;
	Dwarf_CFI *debug;
	Dwarf *dwarf;
	struct range *ranges;
	size_t nr_ranges;
	struct unwind_table *t;
	size_t max_rows;
	size_t room_rows;
	uint32_t *index;
};

/* ---- rules ---- */

#define INDEX_SIZE	(4 * KTAP_USER_RULES_MAX)

static uint32_t hash_of(const struct ktap_user_rule *rule)
{
	uint64_t bits;

	static_assert(sizeof(bits) == sizeof(*rule), "a rule is one word");
	memcpy(&bits, rule, sizeof(bits));
	return (bits * 0x9e3779b97f4a7c15ULL >> 32) % INDEX_SIZE;
}

/* Return: number of the rule, -ENOMEM, or -ENOSPC: there are too many. */
static int rule_number(struct maker *m, const struct ktap_user_rule *rule)
{
	struct unwind_table *t = m->t;
	struct ktap_user_rule *rules;
	uint32_t at = hash_of(rule);

	for (; m->index[at]; at = (at + 1) % INDEX_SIZE)
		if (!memcmp(&t->rules[m->index[at] - 1], rule, sizeof(*rule)))
			return m->index[at] - 1;
	if (t->nr_rules == KTAP_USER_RULES_MAX)
		return -ENOSPC;
	rules = array_grow(t->rules, t->nr_rules, sizeof(*rules));
	if (!rules)
		return -ENOMEM;
	t->rules = rules;
	rules[t->nr_rules++] = *rule;
	m->index[at] = t->nr_rules;
	return t->nr_rules - 1;
}

/* Return: whether bytes are words that fit. */
static bool to_words(int64_t bytes, __s16 *ret)
{
	*ret = bytes / WORD;
	return !(bytes % WORD) && *ret == bytes / WORD;
}

/* Return: whether an operation is a register and a displacement. */
static bool is_reg(const Dwarf_Op *op, unsigned int reg, int64_t *off)
{
	if (op->atom == DW_OP_breg0 + reg && reg < 32) {
		*off = op->number;
		return true;
	}
	*off = op->number2;
	return op->atom == DW_OP_bregx && op->number == reg;
}

/* The one expression that linkers write for stubs: rsp + 8 + ((rip & 15) >= N ? 8 : 0). */
static bool is_plt(const struct arch *arch, const Dwarf_Op *ops, size_t nr,
		   struct ktap_user_rule *rule)
{
	int64_t off;

	if (!arch->has_plt_cfi || nr != PLT_OPS ||
	    !is_reg(&ops[0], arch->dwarf_sp, &off) || off != 8 ||
	    !is_reg(&ops[1], arch->dwarf_ra, &off) || off || ops[2].atom != DW_OP_lit15 ||
	    ops[3].atom != DW_OP_and || ops[4].atom < DW_OP_lit0 ||
	    ops[4].atom > DW_OP_lit15 || ops[5].atom != DW_OP_ge ||
	    ops[6].atom != DW_OP_lit3 || ops[7].atom != DW_OP_shl ||
	    ops[8].atom != DW_OP_plus)
		return false;
	rule->kind = KTAP_USER_RULE_PLT;
	rule->cfa = ops[4].atom - DW_OP_lit0;
	return true;
}

static bool set_cfa(const struct arch *arch, Dwarf_Frame *frame,
		    struct ktap_user_rule *rule)
{
	Dwarf_Op *ops;
	int64_t off;
	size_t nr;

	if (dwarf_frame_cfa(frame, &ops, &nr) || !nr)
		return false;
	if (nr == 1 && is_reg(ops, arch->dwarf_sp, &off))
		rule->kind = KTAP_USER_RULE_SP;
	else if (nr == 1 && is_reg(ops, arch->dwarf_fp, &off))
		rule->kind = KTAP_USER_RULE_FP;
	else if (nr == 2 && is_reg(ops, arch->dwarf_fp, &off) && ops[1].atom == DW_OP_deref)
		rule->kind = KTAP_USER_RULE_DEREF_FP;
	else
		return is_plt(arch, ops, nr, rule);
	return to_words(off, &rule->cfa);
}

enum saved { UNDEFINED, UNCHANGED, AT_CFA, AT_FP, IN_EXPRESSION };

/* Where the caller's value of a register is, and how far from there. */
static enum saved where_saved(const struct arch *arch, Dwarf_Frame *frame,
			      unsigned int reg, int64_t *off)
{
	Dwarf_Op room[3], *ops;
	size_t nr;

	if (dwarf_frame_register(frame, reg, room, &ops, &nr))
		return IN_EXPRESSION;
	if (!nr)
		return ops == room ? UNDEFINED : UNCHANGED;
	*off = nr == 2 ? (int64_t)ops[1].number : 0;
	if (ops[0].atom == DW_OP_call_frame_cfa &&
	    (nr == 1 || (nr == 2 && ops[1].atom == DW_OP_plus_uconst)))
		return AT_CFA;
	/* an expression gets the CFA on its stack first */
	if (nr == 2 && ops[0].atom == DW_OP_call_frame_cfa &&
	    is_reg(&ops[1], arch->dwarf_fp, off))
		return AT_FP;
	return IN_EXPRESSION;
}

static bool set_ra(const struct arch *arch, Dwarf_Frame *frame, unsigned int ra,
		   struct ktap_user_rule *rule)
{
	int64_t off;

	switch (where_saved(arch, frame, ra, &off)) {
	case UNDEFINED:
		*rule = (struct ktap_user_rule){ .kind = KTAP_USER_RULE_STOP };
		return true;
	case UNCHANGED:
		rule->ra = 0;
		return arch->link != ARCH_ON_STACK;
	case AT_CFA:
		return off && to_words(off, &rule->ra);
	default:
		return false;
	}
}

static bool set_fp(const struct arch *arch, Dwarf_Frame *frame,
		   struct ktap_user_rule *rule)
{
	bool deref = rule->kind == KTAP_USER_RULE_DEREF_FP;
	int64_t off;

	switch (where_saved(arch, frame, arch->dwarf_fp, &off)) {
	case UNDEFINED:
	case UNCHANGED:
		return !deref;
	case AT_CFA:
		return !deref && off && to_words(off, &rule->fp);
	case AT_FP:
		return deref && to_words(off, &rule->fp);
	default:
		return false;
	}
}

static struct ktap_user_rule rule_of(const struct arch *arch, Dwarf_Frame *frame,
				     unsigned int ra, bool is_signal)
{
	static const struct ktap_user_rule unknown = { .kind = KTAP_USER_RULE_UNKNOWN };
	struct ktap_user_rule rule = { 0 };

	if (is_signal)
		return (struct ktap_user_rule){ .kind = KTAP_USER_RULE_SIGNAL };
	if (ra != arch->dwarf_ra || !set_cfa(arch, frame, &rule) || !set_ra(arch, frame, ra, &rule))
		return unknown;
	if (rule.kind != KTAP_USER_RULE_STOP && !set_fp(arch, frame, &rule))
		return unknown;
	return rule;
}

/* ---- rows ---- */

static int grow_rows(struct maker *m)
{
	size_t room = m->room_rows ? 2 * m->room_rows : 4096;
	struct unwind_table *t = m->t;
	uint32_t *pcs = reallocarray(t->pcs, room, sizeof(*pcs));
	uint16_t *rows;

	if (!pcs)
		return -ENOMEM;
	t->pcs = pcs;
	rows = reallocarray(t->rows, room, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	t->rows = rows;
	m->room_rows = room;
	return 0;
}

/* Neighbours with one rule are one row. */
static int add_row(struct maker *m, uint64_t at, const struct ktap_user_rule *rule)
{
	struct unwind_table *t = m->t;
	int nr = rule_number(m, rule);

	if (nr < 0)
		return nr;
	if (at > UINT32_MAX || t->nr_rows == m->max_rows)
		return -ENOSPC;
	if (t->nr_rows && t->rows[t->nr_rows - 1] == nr)
		return 0;
	if (t->nr_rows == m->room_rows && grow_rows(m))
		return -ENOMEM;
	t->pcs[t->nr_rows] = at;
	t->rows[t->nr_rows++] = nr;
	t->nr_unknown += rule->kind == KTAP_USER_RULE_UNKNOWN;
	return 0;
}

/* Return: address after the row at @pc. */
static int add_answer(struct maker *m, const struct range *r, uint64_t pc, uint64_t *ret)
{
	struct ktap_user_rule rule = { .kind = KTAP_USER_RULE_UNKNOWN };
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr start, end = 0;
	bool is_signal;
	int ra, err;

	if (dwarf_cfi_addrframe(r->cfi, pc, &frame))
		frame = NULL;
	if (frame) {
		ra = dwarf_frame_info(frame, &start, &end, &is_signal);
		if (ra >= 0)
			rule = rule_of(m->arch, frame, ra, is_signal);
	}
	err = add_row(m, r->at + (pc - r->start), &rule);
	free(frame);
	*ret = end > pc && end < r->end ? end : r->end;
	return err;
}

static int add_range(struct maker *m, const struct range *r)
{
	uint64_t pc = r->start;
	int err = 0;

	while (!err && pc < r->end)
		err = add_answer(m, r, pc, &pc);
	return err;
}

static int add_ranges(struct maker *m)
{
	static const struct ktap_user_rule none = { .kind = KTAP_USER_RULE_NONE };
	struct unwind_table *t = m->t;
	uint64_t end = 0;
	int nr = m->nr_ranges ? rule_number(m, &none) : 0, err = nr < 0 ? nr : 0;

	for (size_t i = 0; !err && i < m->nr_ranges; i++) {
		const struct range *r = &m->ranges[i];

		/* another section has the same, or the file is damaged */
		if (r->at < end)
			continue;
		if (end && r->at - end >= PADDING)
			err = add_row(m, end, &none);
		if (!err)
			err = add_range(m, r);
		end = r->at + (r->end - r->start);
	}
	if (!err && end)
		err = add_row(m, end, &none);
	if (err != -ENOSPC)
		return err;
	/* what does not fit is code without a table, and the last row holds for all of it */
	if (t->nr_rows)
		t->rows[t->nr_rows - 1] = nr;
	return 0;
}

/* ---- ranges ---- */

/* Return: whether all of a range is in one segment of code; then its offset in the file. */
static bool offset_of(Elf *elf, uint64_t start, uint64_t end, uint64_t *ret)
{
	GElf_Phdr ph;
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD ||
		    !(ph.p_flags & PF_X) || start < ph.p_vaddr ||
		    end - ph.p_vaddr > ph.p_filesz)
			continue;
		*ret = start - ph.p_vaddr + ph.p_offset;
		return true;
	}
	return false;
}

static int put_range(struct maker *m, Dwarf_CFI *cfi, uint64_t start, uint64_t size)
{
	struct range r = { .start = start, .end = start + size, .cfi = cfi };
	struct range *ranges;

	if (!size || r.end < start || !offset_of(m->elf, start, r.end, &r.at))
		return 0;
	ranges = array_grow(m->ranges, m->nr_ranges, sizeof(*ranges));
	if (!ranges)
		return -ENOMEM;
	m->ranges = ranges;
	ranges[m->nr_ranges++] = r;
	return 0;
}

/* struct section - one that has unwind information */
struct section {
	const unsigned char *ident;
	Elf_Data *data;
	uint64_t address;
	bool is_eh;
	Dwarf_CFI *cfi;
};

/* Bytes of an encoded pointer; 0: another form. */
static unsigned int form_size(unsigned int encoding)
{
	switch (encoding & ENC_FORM) {
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2:
		return 2;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		return 4;
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return 8;
	default:
		return 0;
	}
}

static uint64_t extended(uint64_t value, unsigned int size, bool is_signed)
{
	unsigned int shift = 64 - 8 * size;

	value <<= shift;
	return is_signed ? (uint64_t)((int64_t)value >> shift) : value >> shift;
}

/* How pointers of an FDE are encoded, by its CIE. Return: false: it is not known. */
static bool encoding_of(const struct section *s, Dwarf_Off cie, unsigned int *ret)
{
	const uint8_t *data;
	Dwarf_CFI_Entry e;
	Dwarf_Off next;

	*ret = DW_EH_PE_absptr;
	if (!s->is_eh)
		return true;
	if (dwarf_next_cfi(s->ident, s->data, true, cie, &next, &e) ||
	    !dwarf_cfi_cie_p(&e))
		return false;
	if (*e.cie.augmentation != 'z')
		return !*e.cie.augmentation;
	data = e.cie.augmentation_data;
	for (const char *a = e.cie.augmentation + 1; *a; a++) {
		if (*a == 'R') {
			*ret = *data;
			return true;
		}
		if (*a == 'L')
			data++;
		else if (*a == 'P')
			data += 1 + form_size(*data);
		else if (*a != 'S' && *a != 'B')
			return false;
	}
	return true;
}

static int put_fde(struct maker *m, const struct section *s, const Dwarf_FDE *fde)
{
	uint64_t start = 0, length = 0, from = 0;
	unsigned int encoding, size;

	if (!encoding_of(s, fde->CIE_pointer, &encoding))
		return 0;
	size = form_size(encoding);
	if (!size || fde->end - fde->start < 2 * (ptrdiff_t)size)
		return 0;
	if ((encoding & ENC_FROM) == DW_EH_PE_pcrel)
		from = s->address + (fde->start - (const uint8_t *)s->data->d_buf);
	else if ((encoding & ENC_FROM) != DW_EH_PE_absptr)
		return 0;
	memcpy(&start, fde->start, size);
	memcpy(&length, fde->start + size, size);
	start = extended(start, size, encoding & DW_EH_PE_signed) + from;
	return put_range(m, s->cfi, start, length);
}

static int put_section(struct maker *m, const struct section *s)
{
	Dwarf_Off at = 0, next = 0;
	int err = 0, end;

	while (!err) {
		Dwarf_CFI_Entry e;

		end = dwarf_next_cfi(s->ident, s->data, s->is_eh, at, &next, &e);
		if (end > 0 || next <= at)
			break;
		if (!end && !dwarf_cfi_cie_p(&e))
			err = put_fde(m, s, &e.fde);
		at = next;
	}
	return err;
}

static int put_sections(struct maker *m)
{
	Elf_Scn *scn = NULL;
	size_t names;
	int err = 0;

	if (elf_getshdrstrndx(m->elf, &names))
		return 0;
	while (!err && (scn = elf_nextscn(m->elf, scn))) {
		struct section s = {
			.ident = (const unsigned char *)elf_getident(m->elf, NULL),
		};
		const char *name;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS ||
		    (sh.sh_flags & SHF_COMPRESSED))
			continue;
		name = elf_strptr(m->elf, names, sh.sh_name);
		s.is_eh = name && !strcmp(name, ".eh_frame");
		if (s.is_eh)
			s.cfi = m->eh;
		else if (name && !strcmp(name, ".debug_frame"))
			s.cfi = m->debug;
		s.address = sh.sh_addr;
		s.data = s.cfi ? elf_rawdata(scn, NULL) : NULL;
		if (s.data && s.data->d_buf)
			err = put_section(m, &s);
	}
	return err;
}

static int compare(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	/* the first of two is used */
	return x->end == y->end ? 0 : x->end > y->end ? -1 : 1;
}

/* ---- the file ---- */

static const struct arch *arch_of(Elf *elf)
{
	GElf_Ehdr eh;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &eh))
		return NULL;
	return arch_of_elf(eh.e_ident, eh.e_machine);
}

static int make(struct maker *m)
{
	int err;

	m->arch = arch_of(m->elf);
	if (!m->arch)
		return -EINVAL;
	m->index = calloc(INDEX_SIZE, sizeof(*m->index));
	if (!m->index)
		return -ENOMEM;
	m->eh = dwarf_getcfi_elf(m->elf);
	m->dwarf = dwarf_begin_elf(m->elf, DWARF_C_READ, NULL);
	m->debug = m->dwarf ? dwarf_getcfi(m->dwarf) : NULL;
	err = put_sections(m);
	if (err)
		return err;
	if (m->nr_ranges)
		qsort(m->ranges, m->nr_ranges, sizeof(*m->ranges), compare);
	return add_ranges(m);
}

int unwind_table_make(int fd, size_t max_rows, struct unwind_table *ret)
{
	struct maker m = { .t = ret, .max_rows = max_rows };
	int err;

	*ret = (struct unwind_table){ 0 };
	elf_version(EV_CURRENT);
	m.elf = elf_begin(fd, ELF_C_READ, NULL);
	err = m.elf ? make(&m) : -EINVAL;
	if (m.eh)
		dwarf_cfi_end(m.eh);
	if (m.dwarf)
		dwarf_end(m.dwarf);
	if (m.elf)
		elf_end(m.elf);
	free(m.ranges);
	free(m.index);
	return err;
}

void unwind_table_deinit(struct unwind_table *t)
{
	free(t->pcs);
	free(t->rows);
	free(t->rules);
	*t = (struct unwind_table){ 0 };
}
