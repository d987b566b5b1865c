// SPDX-License-Identifier: GPL-2.0
/*
 * System calls by number: which the kernel's own tracepoints of all calls serve, and which
 * a hook on the function of the call.
 *
 * The tracepoints are two hooks for all calls, which takes no time; but while they are in
 * use every task goes the slow way into the kernel and out, for each of its calls. A hook
 * on a function takes a while, and costs nobody else. So patterns that match many calls
 * have the tracepoints, and what is named has its function.
 */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/syscall_args.h"
#include "define/debug.h"

/* So many calls are not many. */
#define FEW 16

/* The registers that are made up for programs there. */
static bool reads_only(const struct ktap_insn *insns, size_t nr, uint64_t regs)
{
	for (size_t i = 0; i < nr; i++) {
		if (insns[i].op == KTAP_OP_STACK)
			return false;
		if (insns[i].op == KTAP_OP_REG &&
		    (insns[i].imm > 63 || !(regs & 1ULL << insns[i].imm)))
			return false;
	}
	return true;
}

static bool has_all(const struct definition *point)
{
	const struct arch *arch = arch_find(point->arch);
	const struct program *p = point->program;
	uint64_t enter = 1ULL << arch->args[0];
	uint64_t leave = 1ULL << arch->retval | 1ULL << arch->pc;

	if (!type_is_return(point->place.type))
		return reads_only(p->insns, p->nr_insns, enter);
	return reads_only(p->insns, p->nr_insns, leave) &&
	       reads_only(p->entry_insns, p->nr_entry_insns, enter);
}

/* What is counted at the end has to come there, and no filter may want the beginning. */
static bool can_time(const struct definition *point)
{
	const char *sys = strstr(point->place.symbol, "_sys_");

	return point->by_number && !point->spec->filter &&
	       !point->program->nr_entry_insns &&
	       (type_is_return(point->place.type) ||
		reads_only(point->program->insns, point->program->nr_insns, 0)) &&
	       strcmp(sys, "_sys_exit") && strcmp(sys, "_sys_exit_group") &&
	       strcmp(sys, "_sys_rt_sigreturn");
}

static void mark(const struct definer *df, struct definition *point)
{
	int number = point->place.is_syscall ?
		     syscall_number(point->place.symbol) : SYSCALL_NOT_KNOWN;

	point->by_number = number >= 0 && has_all(point);
	point->number = point->by_number ? number : 0;
	point->timed = df->times && can_time(point);
}

static bool is_wanted(const struct definer *df, const struct definition *def)
{
	size_t nr = 0;

	if (df->hook)
		return !strcmp(df->hook, "syscall");
	if (!def->glob)
		return false;
	for (; def && def->place.is_syscall; def = def->next)
		nr++;
	return nr > FEW;
}

/* Asked for by option, all or none. */
static int check_forced(const struct definer *df, const struct definition *def,
			struct diag *d)
{
	const struct definition *point = def;

	while (df->hook && point && point->by_number)
		point = point->next;
	if (!df->hook || !point)
		return 0;
	diag_set(d, -EOPNOTSUPP, DIAG_HOOK_SYSCALL);
	diag_at(d, def->spec->text, def->spec->place.at.start,
		def->spec->place.at.length);
	diag_hint(d, "they have the arguments, values and times of system calls, and no registers");
	return -EOPNOTSUPP;
}

int define_by_number(struct definer *df, struct definition *def, struct diag *d)
{
	int err;

	if (!df->ctl || !is_wanted(df, def))
		return 0;
	err = define_ask(df, d);
	if (err)
		return err;
	if (df->info.features & KTAP_FEATURE_SYSCALL)
		for (struct definition *point = def; point; point = point->next)
			mark(df, point);
	return check_forced(df, def, d);
}
