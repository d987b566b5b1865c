// SPDX-License-Identifier: GPL-2.0
/*
 * Definitions to lines of kprobe_events and uprobe_events. There a value is one
 * register, one word, one number, or what dereferences of those lead to: what
 * needs more is refused, because a line that reads something else would lie.
 */
#include "codegen/kernel_line.h"

#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "place/symtab.h"

/* The kernel's MAX_ARRAY_LEN. */
#define ARRAY_MAX 64

/**
 * struct line - a line being written
 * @terms: definition
 * @place: where it goes
 * @arch: whose code that is
 * @of: the kernel
 * @arg: the argument
 * @d: where errors go
 * @b: the line
 */
struct line {
	const struct terms *terms;
	const struct place *place;
	const struct arch *arch;
	const struct kernel_of *of;
	const struct term_arg *arg;
	struct diag *d;
	struct buf *b;
};

static int fail(struct line *l, const char *why)
{
	diag_set(l->d, -EINVAL, DIAG_KERNEL_NO_ARG, l->arg->name, why);
	diag_at(l->d, l->terms->text, l->arg->at.start, l->arg->at.length);
	return -EINVAL;
}

/* ---- symbols ------------------------------------------------------------------------ */

static bool is_unique(const struct ksyms *ks, const char *name)
{
	struct ksym sym;
	size_t pos = 0, nr = 0;

	while (ksyms_find(ks, name, &pos, &sym))
		nr++;
	return nr == 1;
}

/* In the file of a module: where it is in memory is not known. */
static bool is_in_file(const struct line *l, uint64_t address)
{
	return l->of->offline && l->place->module && (int64_t)address >= 0;
}

/* Of the module that the place is in, or of vmlinux, whose addresses mean nothing
 * in the file of a module.
 */
static bool is_near(const struct line *l, const struct ksym *sym,
		    uint64_t address)
{
	const char *module = l->place->module;

	if (!sym->module)
		return !is_in_file(l, address);
	return module && !strcmp(sym->module, module);
}

/* The last symbol that begins at @address or before, and whose name means nothing
 * else.
 */
static bool symbol_at(const struct line *l, uint64_t address, struct ksym *ret)
{
	const struct ksyms *ks = l->of->ks;
	struct ksym sym;
	size_t pos = 0;

	ret->address = 0;
	while (ksyms_next(ks, &pos, &sym))
		if (is_near(l, &sym, address) && sym.address <= address &&
		    sym.address > ret->address)
			*ret = sym;
	for (pos = 0; ret->address && ksyms_next(ks, &pos, &sym);) {
		if (sym.address != ret->address || !is_unique(ks, sym.name) ||
		    !is_near(l, &sym, address))
			continue;
		*ret = sym;
		return true;
	}
	return false;
}

/* Without the kernel's symbols it cannot be seen whether it has that name, too: it
 * would be meant then.
 */
static bool has_kernel(const struct ksyms *ks)
{
	struct ksym sym;
	size_t pos = 0;

	while (ksyms_next(ks, &pos, &sym))
		if (!sym.module)
			return true;
	return false;
}

/* What is read at a fixed address. */
static int put_fixed(struct line *l, uint64_t address)
{
	const struct ksyms *ks = l->of->ks;
	struct ksym sym;

	if (is_in_file(l, address) && !has_kernel(ks))
		return fail(l, "only with -k VMLINUX can ktap see whether the kernel has that name, too");
	if (ks && !l->place->path && !ksyms_hidden(ks) &&
	    symbol_at(l, address, &sym)) {
		buf_printf(l->b, "@%s+%llu", sym.name,
			   (unsigned long long)(address - sym.address));
		return 0;
	}
	if (is_in_file(l, address))
		return fail(l, "other functions have its name, and a line there cannot say which one is meant");
	buf_printf(l->b, "@0x%llx", (unsigned long long)address);
	return 0;
}

/* ---- operands ----------------------------------------------------------------------- */

/* $argN is where the caller put it; older kernels know only that. */
static int put_arg_nr(struct line *l, const struct term *e)
{
	const struct arch *arch = l->arch;
	uint64_t nr = (uint64_t)e->value - 1;

	if (type_is_return(l->place->type) && l->place->path)
		return fail(l, "its value is kept from the entry");
	if (type_is_return(l->place->type))
		buf_printf(l->b, "$arg%llu", (unsigned long long)nr + 1);
	else if (l->place->is_syscall)
		buf_printf(l->b, "+%u(%%%s)", arch->syscall_args[nr],
			   arch_reg_name(l->arch, arch->args[0]));
	else if (nr < arch->nr_args)
		buf_printf(l->b, "%%%s", arch_reg_name(l->arch, arch->args[nr]));
	else
		buf_printf(l->b, "$stack%llu",
			   (unsigned long long)nr - arch->nr_args +
				   arch->stack_args);
	return 0;
}

static int put_text(struct line *l, const struct term *e)
{
	if (strpbrk(e->text, " \t\n\""))
		return fail(l, "a string there has neither blanks nor quotes");
	buf_printf(l->b, "\\\"%s\"", e->text);
	return 0;
}

static int put_symbol(struct line *l, const struct term *e)
{
	if (e->text)
		buf_printf(l->b, "@%s%+lld", e->text, (long long)e->value);
	else
		buf_printf(l->b, "@0x%llx", (unsigned long long)e->value);
	return 0;
}

static int put_leaf(struct line *l, const struct term *e)
{
	switch (e->kind) {
	case TERM_REG:
		buf_printf(l->b, "%%%s", e->text);
		return 0;
	case TERM_IMM:
		buf_printf(l->b, "\\%lld", (long long)e->value);
		return 0;
	case TERM_STACK:
		buf_puts(l->b, "$stack");
		return 0;
	case TERM_STACK_WORD:
		buf_printf(l->b, "$stack%lld", (long long)e->value);
		return 0;
	case TERM_RETVAL:
		if (l->place->at_ret)
			buf_printf(l->b, "%%%s",
				   arch_reg_name(l->arch, l->arch->retval));
		else
			buf_puts(l->b, "$retval");
		return 0;
	case TERM_COMM:
		buf_puts(l->b, "$comm");
		return 0;
	case TERM_ARG:
		return put_arg_nr(l, e);
	case TERM_TEXT:
		return put_text(l, e);
	case TERM_SYMBOL:
		return put_symbol(l, e);
	default:
		return -ENOENT;
	}
}

static const char *const reasons[] = {
	[TERM_ELAPSED] = "only ktap counts the time",
	[TERM_ENTRY] = "its value is kept from the entry",
	[TERM_CALLER] = "only ktap has it: there it is $stack0 or %lr, shown as a symbol",
	[TERM_KSTACK] = "only ktap takes stacks",
	[TERM_USTACK] = "only ktap takes stacks",
	[TERM_COUNTER] = "only ktap reads counters",
	[TERM_STATE] = "only ktap stores values for other probes",
	[TERM_PARAM] = "a line there has no parameters",
	[TERM_MARK] = "it is an argument of a USDT probe",
	[TERM_CTX] = "only ktap knows who runs, and where",
	[TERM_FILE] = "it depends on where the program was loaded",
	[TERM_CAST] = "a value there has no other type than the one it is shown as",
	[TERM_UNARY] = "it is computed",
	[TERM_BINARY] = "it is computed",
	[TERM_COND] = "it depends on a condition",
	[TERM_FRAME] = "it was in a register at the entry of the function",
	[TERM_PIECES] = "it is in several places",
	[TERM_UNKNOWN] = "it has no value at that point",
};

static bool is_offset(const struct term *e)
{
	return e->kind == TERM_BINARY && e->op == OP_ADD &&
	       e->right->kind == TERM_IMM;
}

/* Constants that are added go into the dereference. */
static const struct term *strip(const struct term *e, uint64_t *offset)
{
	while (is_offset(e)) {
		*offset += (uint64_t)e->right->value;
		e = e->base;
	}
	return e;
}

static int put_operand(struct line *l, const struct term *e);

static int put_deref(struct line *l, const struct term *e)
{
	uint64_t offset = (uint64_t)e->value;
	const struct term *base = strip(e->base, &offset);
	bool is_negative = (int64_t)offset < 0;
	int err;

	if (base->kind == TERM_FILE) {
		buf_printf(l->b, "@+0x%llx", (unsigned long long)offset);
		return 0;
	}
	if (base->kind == TERM_IMM && !e->user)
		return put_fixed(l, offset + (uint64_t)base->value);
	if (base->kind == TERM_CTX && base->value == KTAP_CTX_PERCPU)
		return fail(l, "each CPU has its own");
	buf_printf(l->b, "%c%s%llu(", is_negative ? '-' : '+',
		   e->user && !l->place->path ? "u" : "",
		   (unsigned long long)(is_negative ? -offset : offset));
	err = put_operand(l, base);
	buf_putc(l->b, ')');
	return err;
}

static int put_operand(struct line *l, const struct term *e)
{
	int err;

	if (e->kind == TERM_DEREF)
		return put_deref(l, e);
	err = put_leaf(l, e);
	if (err != -ENOENT)
		return err;
	if (is_offset(e))
		return fail(l, "it is an address, not what is there");
	return fail(l, reasons[e->kind]);
}

/* ---- types -------------------------------------------------------------------------- */

/* A limit is none of the kernel's: what is longer would be read. */
static int put_string(struct line *l, const struct show *type)
{
	if (type->size)
		return fail(l, "strings have no limit there");
	buf_puts(l->b, type->kind == SHOW_STRING ? ":string" : ":ustring");
	return 0;
}

static int put_bits(struct line *l, const struct show *type)
{
	if (type->kind == SHOW_SIGNED_BITS)
		return fail(l, "bit-fields have no sign there");
	buf_printf(l->b, ":b%u@%u/%u", type->bit_width, type->bit_offset,
		   type->size * 8);
	return 0;
}

static int put_kind(struct line *l, const struct show *type)
{
	static const char *const names[] = {
		[SHOW_CHAR] = "char", [SHOW_SYMBOL] = "symbol",
		[SHOW_SYMSTR] = "symstr", [SHOW_DENTRY] = "%pd",
		[SHOW_FILE] = "%pD", [SHOW_UNSIGNED] = "u",
		[SHOW_SIGNED] = "s", [SHOW_HEX] = "x",
	};

	if (show_is_string(type->kind))
		return put_string(l, type);
	if (type->kind == SHOW_BITS || type->kind == SHOW_SIGNED_BITS)
		return put_bits(l, type);
	if (type->kind == SHOW_ERRNO)
		return fail(l, "names of errors are not known there");
	buf_printf(l->b, ":%s", names[type->kind]);
	if (type->kind == SHOW_UNSIGNED || type->kind == SHOW_SIGNED ||
	    type->kind == SHOW_HEX)
		buf_printf(l->b, "%u", type->size * 8);
	return 0;
}

static int put_type(struct line *l, const struct show *type)
{
	int err;

	if (type->kind == SHOW_DEFAULT)
		return 0;
	if (type->kind == SHOW_STRUCT)
		return fail(l, "it is shown in full: name a member");
	err = put_kind(l, type);
	if (err || !type->count)
		return err;
	if (type->count > ARRAY_MAX)
		return fail(l, "an array there has at most 64 elements");
	buf_printf(l->b, "[%u]", type->count);
	return 0;
}

/* ---- the line ----------------------------------------------------------------------- */

static int no_place(struct line *l, const char *what)
{
	struct span at = l->of->place_at;

	diag_set(l->d, -EINVAL, DIAG_KERNEL_NO_PLACE, what);
	diag_at(l->d, l->terms->text, at.start, at.length);
	return -EINVAL;
}

static void put_start(struct line *l, char letter)
{
	const char *name = l->of->name, *colon = strchr(name, ':');

	buf_putc(l->b, letter);
	if (l->of->maxactive)
		buf_printf(l->b, "%u", l->of->maxactive);
	if (colon)
		buf_printf(l->b, ":%.*s/%s ", (int)(colon - name), name,
			   colon + 1);
	else
		buf_printf(l->b, ":%s/%s ",
			   l->place->path ? "uprobes" : "kprobes", name);
}

static int put_program(struct line *l, char letter)
{
	const struct place *place = l->place;

	if (strpbrk(place->path, " \t"))
		return no_place(l, "a file with a blank in its name");
	put_start(l, letter);
	buf_printf(l->b, "%s:0x%llx", place->path,
		   (unsigned long long)place->file_offset);
	if (place->ref_offset)
		buf_printf(l->b, "(0x%llx)",
			   (unsigned long long)place->ref_offset);
	return 0;
}

/* A name of several functions says less than the address. */
static int put_kernel(struct line *l, char letter)
{
	const struct place *place = l->place;
	bool has_name = place->symbol && !place->shares_name;

	if (!has_name && is_in_file(l, place->address))
		return no_place(l, "a function of a module that is not there, whose name others have");
	put_start(l, letter);
	if (!has_name)
		buf_printf(l->b, "0x%llx", (unsigned long long)place->address);
	else
		buf_printf(l->b, "%s%s%s+%llu", place->module ? place->module : "",
			   place->module ? ":" : "", place->symbol,
			   (unsigned long long)place->offset);
	return 0;
}

static int put_place(struct line *l)
{
	switch (l->place->type) {
	case KTAP_TYPE_KPROBE:
		return put_kernel(l, 'p');
	case KTAP_TYPE_KRETPROBE:
		return put_kernel(l, 'r');
	case KTAP_TYPE_UPROBE:
		return put_program(l, 'p');
	case KTAP_TYPE_URETPROBE:
		return put_program(l, 'r');
	case KTAP_TYPE_TRACEPOINT:
		return no_place(l, "a tracepoint");
	case KTAP_TYPE_TIMER:
		return no_place(l, "a timer");
	default:
		return no_place(l, "a watchpoint");
	}
}

static int put_args(struct line *l)
{
	int err = 0;

	for (size_t i = 0; !err && i < l->terms->nr_args; i++) {
		l->arg = &l->terms->args[i];
		buf_printf(l->b, " %s=", l->arg->name);
		err = put_operand(l, l->arg->term);
		if (!err)
			err = put_type(l, &l->arg->type);
	}
	return err;
}

int kernel_line(const struct terms *terms, const struct place *place,
		enum ktap_arch arch, const struct kernel_of *of, struct diag *d,
		struct buf *b)
{
	struct line l = {
		.terms = terms, .place = place, .arch = arch_find(arch),
		.of = of, .d = d, .b = b,
	};
	int err;

	if (!l.arch)
		return diag_set(d, -EINVAL, DIAG_COMPILE_NO_ARCH);
	if (terms->filter) {
		diag_set(d, -EINVAL, DIAG_KERNEL_NO_FILTER);
		diag_at(d, terms->text, terms->filter->at.start,
			terms->filter->at.length);
		return -EINVAL;
	}
	if (terms->nr_stores) {
		diag_set(d, -EINVAL, DIAG_KERNEL_NO_STORE);
		diag_at(d, terms->text, terms->stores[0]->at.start,
			terms->stores[0]->at.length);
		return -EINVAL;
	}
	err = put_place(&l);
	if (!err)
		err = put_args(&l);
	if (!err && b->failed)
		err = diag_no_memory(d);
	return err;
}
