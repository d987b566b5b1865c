// SPDX-License-Identifier: GPL-2.0
/* Operands: which instruction gives them, on this architecture, at this place. */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/suggest.h"
#include "codegen/entry.h"
#include "codegen/lower.h"

/* What one instruction without operands gives: a number of @bits bits. */
static int simple(struct lower *l, const struct term *e, struct ktap_insn insn,
		  unsigned int bits, bool can_fail, struct node **ret)
{
	return lower_done(l, node_leaf(e->at, insn, bits, can_fail), ret);
}

static bool at_tracepoint(const struct lower *l)
{
	return l->place->type == KTAP_TYPE_TRACEPOINT;
}

/* The instruction that reads or writes a watched word is anywhere. */
static bool is_elsewhere(const struct place *place)
{
	return place->type == KTAP_TYPE_WATCHPOINT &&
	       place->watch_access != KTAP_ACCESS_EXEC;
}

bool lower_at_entry(const struct lower *l)
{
	return l->place->symbol && !l->place->offset && !at_tracepoint(l) &&
	       !is_elsewhere(l->place);
}

static int no_regs(struct lower *l, const struct term *e)
{
	lower_fail(l, e, DIAG_COMPILE_NO_REGS);
	diag_hint(l->d, "its arguments are $arg1, $arg2 and so on");
	return -EINVAL;
}

static int reg_value(struct lower *l, const struct term *e, unsigned int index,
		     struct node **ret)
{
	if (at_tracepoint(l))
		return no_regs(l, e);
	return simple(l, e, (struct ktap_insn){ .op = KTAP_OP_REG, .imm = index },
		      64, false, ret);
}

static void hint_reg(struct lower *l, const char *name)
{
	const struct arch *arch = l->arch;
	struct suggest s;
	size_t i;

	suggest_init(&s, name, strlen(name));
	for (i = 0; i < arch->nr_regs; i++)
		suggest_try(&s, arch->regs[i].name);
	for (i = 0; i < arch->nr_aliases; i++)
		if (!strcmp(arch->aliases[i].theirs, name))
			suggest_put(&s, arch->aliases[i].ours, 0);
	suggest_hint(&s, "%", l->d);
}

static int lower_reg(struct lower *l, const struct term *e, struct node **ret)
{
	const struct arch_reg *reg = arch_reg(l->arch, e->text);

	if (reg)
		return reg_value(l, e, reg->index, ret);
	lower_fail(l, e, DIAG_COMPILE_NO_REG, l->arch->name, e->text);
	hint_reg(l, e->text);
	return -EINVAL;
}

static int lower_imm(struct lower *l, const struct term *e, struct node **ret)
{
	return lower_done(l, node_const(e->at, (uint64_t)e->value,
					e->is_unsigned), ret);
}

static int lower_param(struct lower *l, const struct term *e, struct node **ret)
{
	unsigned int index = (unsigned int)e->value;

	return lower_done(l, node_param(e->at, &l->terms->params->param[index],
					index), ret);
}

static int lower_stack(struct lower *l, const struct term *e, struct node **ret)
{
	return reg_value(l, e, l->arch->sp, ret);
}

static int stack_word(struct lower *l, const struct term *e, uint64_t nr,
		      struct node **ret)
{
	if (at_tracepoint(l))
		return no_regs(l, e);
	return simple(l, e, (struct ktap_insn){ .op = KTAP_OP_STACK, .imm = nr },
		      64, true, ret);
}

static int lower_stack_word(struct lower *l, const struct term *e,
			    struct node **ret)
{
	return stack_word(l, e, (uint64_t)e->value, ret);
}

/*
 * The function of a system call has one argument: the caller's registers.
 */
static int syscall_arg(struct lower *l, const struct term *e, uint64_t nr,
		       struct node **ret)
{
	struct node *regs;
	int err;

	if (nr >= ARCH_SYSCALL_ARGS)
		return lower_fail(l, e, DIAG_COMPILE_SYSCALL_ARG,
				  ARCH_SYSCALL_ARGS);
	err = reg_value(l, e, l->arch->args[0], &regs);
	if (err)
		return err;
	return lower_done(l, node_load(e->at, regs,
				       l->arch->syscall_args[nr], false), ret);
}

int lower_at_ret(struct lower *l, const struct term *e)
{
	lower_quote(l, e, DIAG_COMPILE_AT_RET);
	diag_hint(l->d, "a probe of its own at the entry shows what is there");
	return -EINVAL;
}

/* Elsewhere than at the entry the registers hold something else. */
static int lower_arg_nr(struct lower *l, const struct term *e,
			struct node **ret)
{
	uint64_t nr = (uint64_t)e->value - 1;

	if (at_tracepoint(l) && nr < KTAP_NR_ARGS)
		return simple(l, e, (struct ktap_insn){ .op = KTAP_OP_ARG,
							.imm = nr },
			      64, false, ret);
	if (at_tracepoint(l))
		return lower_fail(l, e, DIAG_COMPILE_TOO_MANY_ARGS,
				  KTAP_NR_ARGS);
	if (l->is_return)
		return lower_entry(l, e, ret);
	if (l->place->at_ret)
		return lower_at_ret(l, e);
	if (!lower_at_entry(l)) {
		lower_fail(l, e, DIAG_COMPILE_NOT_ENTRY, (long long)e->value);
		diag_hint(l->d, "inside of a function name the register, as in %%%s",
			  l->arch->regs[0].name);
		return -EINVAL;
	}
	if (l->place->is_syscall)
		return syscall_arg(l, e, nr, ret);
	if (nr < l->arch->nr_args)
		return reg_value(l, e, l->arch->args[nr], ret);
	return stack_word(l, e, nr - l->arch->nr_args + l->arch->stack_args,
			  ret);
}

/* Bits of enum ktap_ctx, where they are not 64. */
static const unsigned int ctx_bits[__KTAP_CTX_MAX] = {
	[KTAP_CTX_CPU] = 32,
	[KTAP_CTX_TGID] = 32,
	[KTAP_CTX_TID] = 32,
	[KTAP_CTX_PPID] = 32,
	[KTAP_CTX_UID] = 32,
};

static int lower_ctx(struct lower *l, const struct term *e, struct node **ret)
{
	unsigned int bits = ctx_bits[e->value];

	return simple(l, e, (struct ktap_insn){
		.op = KTAP_OP_CTX, .imm = (uint64_t)e->value,
	}, bits ? bits : 64, false, ret);
}

/* The probed instruction is at a known offset of its file. */
static int lower_file(struct lower *l, const struct term *e, struct node **ret)
{
	struct node *pc = NULL;
	int err;

	if (l->is_return)
		return lower_entry(l, e, ret);
	err = reg_value(l, e, l->arch->pc, &pc);
	if (err)
		return err;
	return lower_done(l, node_binary(e->at, OP_SUB, pc,
					 node_const(e->at,
						    l->place->file_offset,
						    true)), ret);
}

/* Go's stack has the arguments and then the results behind one word. */
static int no_retval(struct lower *l, const struct term *e)
{
	lower_fail(l, e, DIAG_COMPILE_NO_RETVAL, l->place->no_retval);
	diag_hint(l->d, "there the arguments begin at $stack1, and the results follow them");
	return -EINVAL;
}

static int lower_retval(struct lower *l, const struct term *e,
			struct node **ret)
{
	if (!l->is_return && !l->place->at_ret)
		return lower_fail(l, e, DIAG_COMPILE_RETVAL, "$retval");
	if (l->place->no_retval)
		return no_retval(l, e);
	return reg_value(l, e, l->arch->retval, ret);
}

/* struct no_stack - kinds of probes without $kstack */
struct no_stack {
	const char *where;
	const char *why;
};

static const struct no_stack *no_kstack(const struct place *place)
{
	static const struct no_stack program = {
		"in a program", "there it is the kernel's entry for the probe and nothing else",
	}, syscall = {
		"at a system call", "it is the kernel's entry and nothing else",
	};

	if (place->type == KTAP_TYPE_UPROBE || place->type == KTAP_TYPE_URETPROBE)
		return &program;
	return place->is_syscall ? &syscall : NULL;
}

int lower_take_stack(struct lower *l, const struct term *e, struct node **ret)
{
	bool user = e->kind == TERM_USTACK;
	const struct no_stack *no = user ? NULL : no_kstack(l->place);

	if (no)
		return lower_fail(l, e, DIAG_COMPILE_NO_KSTACK, no->where,
				  no->why);
	return simple(l, e, (struct ktap_insn){
		.op = user ? KTAP_OP_USTACK : KTAP_OP_KSTACK, .imm = (uint64_t)e->value,
	}, 64, false, ret);
}

/* Also what the filter reads counts, and what is stored. */
static int note_counter(struct lower *l, const struct term *e)
{
	uint64_t event = (uint64_t)e->value;
	unsigned int i;

	for (i = 0; i < l->nr_counters; i++)
		if (l->counters[i] == event)
			return 0;
	if (i == ARRAY_SIZE(l->counters)) {
		lower_fail(l, e, DIAG_COMPILE_COUNTERS, KTAP_NR_COUNTERS);
		diag_hint(l->d, "read the others in another definition at the same place");
		return -EINVAL;
	}
	l->counters[l->nr_counters++] = event;
	return 0;
}

static int lower_counter(struct lower *l, const struct term *e,
			 struct node **ret)
{
	int err = note_counter(l, e);

	if (err)
		return err;
	return simple(l, e, (struct ktap_insn){
		.op = KTAP_OP_COUNTER, .imm = (uint64_t)e->value,
	}, 64, true, ret);
}

unsigned int lower_key_flags(const struct term *e)
{
	return e->is_task || term_is_task(e->base) ? KTAP_INSN_F_TASK : 0;
}

static int lower_state(struct lower *l, const struct term *e, struct node **ret)
{
	unsigned int flags = lower_key_flags(e);
	struct node *key = NULL;
	int err;

	if (l->no_state)
		return lower_quote(l, e, DIAG_COMPILE_STATE_ENTRY);
	if (e->value && !l->peek)
		flags |= KTAP_INSN_F_TAKE;
	err = lower_value(l, e->base, &key);
	return err ? err : lower_done(l, node_state(e->at, key, flags), ret);
}

/* What C knows of variables is replaced before; see vars_expand(). */
static int lower_variable(struct lower *l, const struct term *e,
			  struct node **ret)
{
	return lower_quote(l, e, DIAG_COMPILE_VARIABLE);
}

static int lower_name(struct lower *l, const struct term *e, struct node **ret)
{
	lower_fail(l, e, DIAG_COMPILE_VARIABLE, (int)strlen(e->text), e->text);
	if (arch_reg(l->arch, e->text))
		diag_hint(l->d, "did you mean '%%%s'?", e->text);
	else
		diag_hint(l->d, "at a function's entry its arguments are $arg1, $arg2 and so on");
	return -EINVAL;
}

static int lower_stack_value(struct lower *l, const struct term *e,
			     struct node **ret)
{
	(void)ret;
	return lower_quote(l, e, DIAG_COMPILE_STACK_VALUE);
}

static int lower_text(struct lower *l, const struct term *e, struct node **ret)
{
	return lower_quote(l, e, DIAG_COMPILE_TEXT_VALUE);
}

static int (*const rows[])(struct lower *l, const struct term *e,
			   struct node **ret) = {
	[TERM_REG] = lower_reg,
	[TERM_IMM] = lower_imm,
	[TERM_PARAM] = lower_param,
	[TERM_TEXT] = lower_text,
	[TERM_STACK] = lower_stack,
	[TERM_STACK_WORD] = lower_stack_word,
	[TERM_ARG] = lower_arg_nr,
	[TERM_RETVAL] = lower_retval,
	[TERM_ELAPSED] = lower_elapsed,
	[TERM_CALLER] = lower_caller,
	[TERM_STATE] = lower_state,
	[TERM_COUNTER] = lower_counter,
	[TERM_KSTACK] = lower_stack_value,
	[TERM_USTACK] = lower_stack_value,
	[TERM_ENTRY] = lower_entry,
	[TERM_FRAME] = lower_frame,
	[TERM_CTX] = lower_ctx,
	[TERM_COMM] = lower_text,
	[TERM_FILE] = lower_file,
	[TERM_NAME] = lower_name,
	[TERM_UNKNOWN] = lower_variable,
	[TERM_LIST] = lower_variable,
	[TERM_MEMBER] = lower_variable,
	[TERM_INDEX] = lower_variable,
};

int lower_operand(struct lower *l, const struct term *e, struct node **ret)
{
	return rows[e->kind](l, e, ret);
}
