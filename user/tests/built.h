/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions taken through parser, resolver and compiler, over a small
 * kernel that is made up here.
 */
#ifndef KTAP_TESTS_BUILT_H
#define KTAP_TESTS_BUILT_H

#include "bind/bind.h"
#include "codegen/compile.h"

struct built {
	struct probe_spec *spec;
	struct terms *terms;
	struct place place;
	struct program *program;
};

/* built_load() - symbols from text in the format of /proc/kallsyms. */
int built_load(const char *text, struct diag *d, struct ksyms **ret);

/* built_symbols() - symbols: vfs_read at an address that ends in 100, ... */
struct ksyms *built_symbols(void);

/* built_init() - 0 or the error of the stage that failed; deinit either way. */
int built_init(struct built *b, const struct ksyms *ks, const char *text,
	       enum ktap_arch arch, struct diag *d);
void built_deinit(struct built *b);

/* built_finish() - from @b's terms to its program. */
int built_finish(struct built *b, const struct ksyms *ks, enum ktap_arch arch,
		 struct diag *d);

/* built_compile() - from a tree without names of variables to a program. */
int built_compile(const struct probe_spec *spec, const struct place *place,
		  const struct ksyms *ks, enum ktap_arch arch, struct diag *d,
		  struct program **ret);

/* built_field() - the field called @name; fails the test when there is none. */
const struct field *built_field(const struct built *b, const char *name);

#endif /* KTAP_TESTS_BUILT_H */
