/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definition to fetch program and record layout. Knows the instruction set
 * and the registers of both architectures; does no I/O.
 */
#ifndef KTAP_CODEGEN_COMPILE_H
#define KTAP_CODEGEN_COMPILE_H

#include <linux/ktap.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "codegen/emit.h"
#include "codegen/frame.h"
#include "codegen/term.h"
#include "place/ksyms.h"
#include "schema/layout.h"

/**
 * struct program - what the kernel runs, and how to read what it writes
 * @insns: instructions; owned
 * @nr_insns: how many
 * @entry_insns: return probes: what runs at the entry; owned, or NULL
 * @nr_entry_insns: how many
 * @frame: what is kept at the entry of the function that the probe is in
 * @patches: instructions with values of parameters; owned
 * @nr_patches: how many
 * @layout: owned
 */
struct program {
	struct ktap_insn *insns;
	size_t nr_insns;
	struct ktap_insn *entry_insns;
	size_t nr_entry_insns;
	struct frame_regs frame;
	struct patch *patches;
	size_t nr_patches;
	struct layout *layout;
};

/**
 * compile_probe() - compile one definition for @arch
 * @terms: the definition; errors point into its text
 * @place: where it goes (copied into the layout)
 * @ks: symbols for @sym, or NULL
 * @arch: target
 * @d: on failure: what, and the column
 * @ret: on success; free with program_free()
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int compile_probe(const struct terms *terms, const struct place *place,
		  const struct ksyms *ks, enum ktap_arch arch, struct diag *d,
		  struct program **ret);

/**
 * program_free() - free a program, its instructions and its layout
 * @program: from compile_probe(); or NULL
 *
 * The definition and the place that it was compiled from stay valid.
 */
void program_free(struct program *program);
DEFINE_CLEANUP(struct program, program_free)

#endif /* KTAP_CODEGEN_COMPILE_H */
