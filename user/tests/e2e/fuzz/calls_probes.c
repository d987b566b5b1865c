// SPDX-License-Identifier: GPL-2.0
/* The probes of calls.c: each has hits that use what sessions share. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../../../kunit/insn.h"
#include "calls.h"

/**
 * struct recipe - a probe
 * @type: KTAP_TYPE_*
 * @symbol: of the kernel, or NULL: hit_me() of this program
 * @prog: program
 * @nr: its instructions
 */
struct recipe {
	uint32_t type;
	const char *symbol;
	const struct ktap_insn *prog;
	size_t nr;
};

static const struct ktap_insn arg_prog[] = { REG(0, KTAP_X86_64_DI), STORE(0, 8, 0, NOBIT), END() };

/* Two stacks in a record: of the kernel and of the user. */
static const struct ktap_insn both_prog[] = {
	KSTACK(0, KTAP_STACK_FRAMES_MAX), USTACK(1, KTAP_STACK_FRAMES_MAX),
	STORE(0, 8, 0, NOBIT), STORE(1, 8, 8, NOBIT), END(),
};

static const struct ktap_insn user_prog[] = { USTACK(0, 3), STORE(0, 8, 0, NOBIT), END() };

/* Few keys, which all contexts store and take. */
static const struct ktap_insn put_prog[] = {
	CTX(0, TIME), ALUI(1, 0, AND, 15), PUT(1, 0, 0), END(),
};

static const struct ktap_insn take_prog[] = {
	CTX(0, TIME), ALUI(1, 0, AND, 15), GET(2, 1, 0, TAKE), STORE(2, 8, 0, 0), FAULTS(8, 8), END(),
};

#define RECIPE(type, symbol, prog) { KTAP_TYPE_##type, symbol, prog, sizeof(prog) / sizeof(prog[0]) }

static const struct recipe recipes[NR_PROBES] = {
	RECIPE(UPROBE, NULL, arg_prog),
	RECIPE(UPROBE, NULL, arg_prog),
	RECIPE(TIMER, NULL, stack_prog),
	RECIPE(KPROBE, "vfs_read", good_prog),
	RECIPE(KPROBE, "vfs_read", both_prog),
	RECIPE(KPROBE, "vfs_write", user_prog),
	RECIPE(KRETPROBE, "vfs_read", both_prog),
	RECIPE(UPROBE, NULL, user_prog),
	RECIPE(URETPROBE, NULL, user_prog),
	RECIPE(TRACEPOINT, "sched_switch", both_prog),
	RECIPE(TIMER, NULL, both_prog),
	RECIPE(KPROBE, "vfs_read", put_prog),
	RECIPE(TIMER, NULL, take_prog),
	RECIPE(KRETPROBE, "vfs_write", take_prog),
};

static uint32_t make(struct sock *s, const struct recipe *r, const char *name)
{
	int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const struct attr attrs[] = {
		A_BIN(KTAP_A_NAME, name, strlen(name) + 1), A_U32(KTAP_A_TYPE, r->type),
		A_BIN(KTAP_A_PROG, r->prog, r->nr * sizeof(*r->prog)),
		{ 0 }, { 0 }, A_END,
	};
	struct attr all[6];
	const uint64_t at = file_offset(hit_me), period = 20000000;
	const struct answer *a;

	memcpy(all, attrs, sizeof(all));
	if (r->type == KTAP_TYPE_TIMER) {
		all[3] = (struct attr)A_BIN(KTAP_A_PERIOD, &period, sizeof(period));
		all[4] = (struct attr)A_BIN(KTAP_A_EACH_CPU, "", 0);
	} else if (r->symbol) {
		all[3] = (struct attr)A_BIN(KTAP_A_SYMBOL, r->symbol, strlen(r->symbol) + 1);
	} else {
		all[3] = (struct attr)A_BIN(KTAP_A_FD, &self, 4);
		all[4] = (struct attr)A_BIN(KTAP_A_OFFSET, &at, sizeof(at));
	}
	a = request(s, KTAP_CMD_PROBE_NEW, all);
	close(self);
	if (a->error)
		die(name);
	return answer_u32(a, KTAP_A_ID);
}

void make_probes(struct sock *s, uint32_t *ids)
{
	char name[16];
	unsigned int i;

	for (i = 0; i < NR_PROBES; i++) {
		snprintf(name, sizeof(name), i ? "other%u" : "good", i);
		ids[i] = make(s, recipes + i, name);
	}
}
