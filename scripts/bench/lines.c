// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin for QEMU's TCG (version 1 of its interface, 7.2): which lines of memory
 * do the guest's processors share in the code of modules, ftrace's trampolines
 * included, while scripts/bench/cpus.c makes its calls?
 *
 *   -plugin lines.so,out=FILE
 *
 * For each time that the program says 'begin' and 'end' a row is written to FILE:
 * processors that ran such code, instructions of it that were executed, lines that
 * one of them wrote and another touched, and how often such a line may have moved
 * from one to another. In which order they came to it does not matter, so that all of
 * them may share one thread of the host. What was shared follows, behind a #: the
 * line, and for each processor touches, writes among them, and the last instruction.
 *
 * Owns: what it is to share a line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marks.h"
#include "plugin.h"

int qemu_plugin_version = 1;

/* ---- lines ---- */

/* Where x86-64 has its modules, and what ftrace and kprobes make. */
#define MODULES_BEGIN	0xffffffffc0000000
#define MODULES_END	0xffffffffff000000

#define CPUS_MAX	8
#define LINE		64
#define SLOTS		(1 << 16)

/**
 * struct line - who touched it
 * @number: of the memory's, and 1; 0: a free slot
 * @addr: where it was touched last
 * @touches: by each processor
 * @writes: those of them that were
 * @insn: of the last touch
 */
struct line {
	uint64_t number;
	uint64_t addr;
	uint64_t touches[CPUS_MAX];
	uint64_t writes[CPUS_MAX];
	uint64_t insn[CPUS_MAX];
};

static struct line lines[SLOTS];
static size_t nr_lines;
static uint64_t instructions[CPUS_MAX];

/*
 * The instruction of modules that each processor is at; 0: it is elsewhere. QEMU
 * 7.2 forgets to withdraw the callback of a jump that leaves a page, and so gives
 * it what the processor reads and writes on an interrupt, and back from it.
 */
static uint64_t now_at[CPUS_MAX];

static bool counts;
static FILE *out;

static void fail(const char *what)
{
	fprintf(stderr, "lines: %s\n", what);
	exit(1);
}

static struct line *find_line(uint64_t number)
{
	size_t i = number * 0x9e3779b97f4a7c15 >> 48;

	for (; lines[i].number; i = (i + 1) % SLOTS)
		if (lines[i].number == number + 1)
			return &lines[i];
	if (++nr_lines == SLOTS)
		fail("too many lines of memory");
	lines[i].number = number + 1;
	return &lines[i];
}

/* The same memory may be mapped in several places. */
static uint64_t line_number(qemu_plugin_meminfo_t info, uint64_t addr)
{
	const struct qemu_plugin_hwaddr *at =
		qemu_plugin_get_hwaddr(info, addr);

	return (at ? qemu_plugin_hwaddr_phys_addr(at) : addr) / LINE;
}

static void touch(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t addr,
		  void *insn)
{
	struct line *line;

	if (!counts || (uintptr_t)insn != now_at[cpu])
		return;
	line = find_line(line_number(info, addr));
	line->addr = addr;
	line->touches[cpu]++;
	line->writes[cpu] += qemu_plugin_mem_is_store(info);
	line->insn[cpu] = (uintptr_t)insn;
}

static void execute(unsigned int cpu, void *insn)
{
	if (cpu >= CPUS_MAX)
		fail("too many processors");
	now_at[cpu] = (uintptr_t)insn;
	if (counts)
		instructions[cpu]++;
}

static void leave(unsigned int cpu, void *unused)
{
	(void)unused;
	if (cpu < CPUS_MAX)
		now_at[cpu] = 0;
}

static uint64_t sum(const uint64_t *each)
{
	uint64_t ret = 0;

	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		ret += each[cpu];
	return ret;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * A touch moves a line at most once: because another processor wrote to it since
 * this one's last touch, or because this one writes, and another touched it.
 */
static uint64_t moves(const struct line *line)
{
	uint64_t touches = sum(line->touches), writes = sum(line->writes);
	uint64_t most = 0;

	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		most += least(line->touches[cpu],
			      writes - line->writes[cpu] +
				      least(line->writes[cpu],
					    touches - line->touches[cpu]));
	return most;
}

static void begin(unsigned int cpu, void *unused)
{
	(void)cpu;
	(void)unused;
	memset(lines, 0, sizeof(lines));
	nr_lines = 0;
	memset(instructions, 0, sizeof(instructions));
	counts = true;
}

static void show(const struct line *line)
{
	fprintf(out, "# line %#" PRIx64 " at %#" PRIx64 ":",
		(line->number - 1) * LINE, line->addr);
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (line->touches[cpu])
			fprintf(out, " cpu%d %" PRIu64 "/%" PRIu64 " %#" PRIx64,
				cpu, line->touches[cpu], line->writes[cpu],
				line->insn[cpu]);
	fprintf(out, "\n");
}

static void end(unsigned int cpu, void *unused)
{
	uint64_t shared = 0, moved = 0;
	int ran = 0;

	(void)cpu;
	(void)unused;
	counts = false;
	for (int i = 0; i < CPUS_MAX; i++)
		ran += !!instructions[i];
	for (size_t i = 0; i < SLOTS; i++) {
		shared += !!moves(&lines[i]);
		moved += moves(&lines[i]);
	}
	fprintf(out, "%d\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", ran,
		sum(instructions), shared, moved);
	for (size_t i = 0; i < SLOTS; i++)
		if (moves(&lines[i]))
			show(&lines[i]);
	fflush(out);
}

/* ---- code ---- */

static void on_exec(struct qemu_plugin_insn *insn, udata_cb cb, void *data)
{
	qemu_plugin_register_vcpu_insn_exec_cb(insn, cb, QEMU_PLUGIN_CB_NO_REGS,
					       data);
}

static void watch(struct qemu_plugin_insn *insn)
{
	void *at = (void *)(uintptr_t)qemu_plugin_insn_vaddr(insn);

	on_exec(insn, execute, at);
	qemu_plugin_register_vcpu_mem_cb(insn, touch, QEMU_PLUGIN_CB_NO_REGS,
					 QEMU_PLUGIN_MEM_RW, at);
}

static void look_for_marks(struct qemu_plugin_insn *insn)
{
	const void *data = qemu_plugin_insn_data(insn);
	size_t size = qemu_plugin_insn_size(insn);

	if (mark_is(data, size, MARK_BEGIN))
		on_exec(insn, begin, NULL);
	else if (mark_is(data, size, MARK_END))
		on_exec(insn, end, NULL);
}

/* A block of instructions is all of one area. */
static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	uint64_t at = qemu_plugin_tb_vaddr(tb);
	bool of_modules = at >= MODULES_BEGIN && at < MODULES_END;
	size_t i, n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (i = 0; i < n; i++) {
		if (of_modules)
			watch(qemu_plugin_tb_get_insn(tb, i));
		else
			look_for_marks(qemu_plugin_tb_get_insn(tb, i));
	}
	if (!of_modules)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, leave,
						     QEMU_PLUGIN_CB_NO_REGS,
						     NULL);
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc,
			char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4))
		fail("out=FILE is needed");
	out = fopen(argv[0] + 4, "w");
	if (!out)
		fail("cannot write the file");
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
