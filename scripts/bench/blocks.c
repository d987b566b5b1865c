// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin for QEMU's TCG (version 1 of its interface, 7.2): which instructions of the
 * kernel does the guest execute while scripts/bench/hits.c makes its calls with -m?
 *
 *   -plugin blocks.so,out=FILE
 *
 * Each time that the program says 'end', FILE gets a row for each block of instructions
 * that was executed since 'begin': address, instructions in it, and how often it was
 * executed. A line with 'end' follows.
 *
 * Owns: how executed instructions are counted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "marks.h"
#include "plugin.h"

int qemu_plugin_version = 1;

/* The kernel is in the upper half of the address space. */
#define KERNEL_BEGIN	(1ULL << 63)

/**
 * struct block - instructions that are executed one after the other
 * @next: the one that was translated before
 * @addr: of the first instruction
 * @insns: how many
 * @count: how often they were executed since 'begin'
 */
struct block {
	struct block *next;
	uint64_t addr;
	uint64_t insns;
	uint64_t count;
};

static struct block *blocks;
static bool counts;
static FILE *out;

static void fail(const char *what)
{
	fprintf(stderr, "blocks: %s\n", what);
	exit(1);
}

static void execute(unsigned int cpu, void *block)
{
	(void)cpu;
	((struct block *)block)->count += counts;
}

static void begin(unsigned int cpu, void *unused)
{
	(void)cpu;
	(void)unused;
	for (struct block *b = blocks; b; b = b->next)
		b->count = 0;
	counts = true;
}

static void write_counts(unsigned int cpu, void *unused)
{
	(void)cpu;
	(void)unused;
	counts = false;
	for (struct block *b = blocks; b; b = b->next)
		if (b->count)
			fprintf(out, "%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\n", b->addr,
				b->insns, b->count);
	fputs("end\n", out);
	fflush(out);
}

static void look_for_marks(struct qemu_plugin_insn *insn)
{
	const void *data = qemu_plugin_insn_data(insn);
	size_t size = qemu_plugin_insn_size(insn);

	if (mark_is(data, size, MARK_BEGIN))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, begin,
						       QEMU_PLUGIN_CB_NO_REGS, NULL);
	else if (mark_is(data, size, MARK_END))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, write_counts,
						       QEMU_PLUGIN_CB_NO_REGS, NULL);
}

/* A block is never freed: QEMU does not say when it forgets one. */
static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);
	struct block *b;

	(void)id;
	if (qemu_plugin_tb_vaddr(tb) < KERNEL_BEGIN) {
		for (i = 0; i < n; i++)
			look_for_marks(qemu_plugin_tb_get_insn(tb, i));
		return;
	}
	b = calloc(1, sizeof(*b));
	if (!b)
		fail("no memory");
	b->addr = qemu_plugin_tb_vaddr(tb);
	b->insns = n;
	b->next = blocks;
	blocks = b;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, execute, QEMU_PLUGIN_CB_NO_REGS, b);
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
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
