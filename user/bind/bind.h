/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of parameters, and what C says about them, to fetch arguments: after it
 * "file->f_pos" is +96($arg1) with the type s64. What becomes of names in a
 * filter that are those of arguments is for the compiler.
 */
#ifndef KTAP_BIND_BIND_H
#define KTAP_BIND_BIND_H

#include <linux/ktap.h>

#include "base/diag.h"
#include "bind/loc/loc.h"
#include "codegen/term.h"
#include "place/ksyms.h"
#include "spec/spec.h"
#include "types/btf.h"

/**
 * bind_start() - terms as the tree of the parser has them, with names
 * @spec: the tree, which has to outlive the terms
 * @d: on failure
 * @ret: on success; free with terms_free()
 *
 * Return: 0, -ENOMEM.
 */
int bind_start(const struct probe_spec *spec, struct diag *d,
	       struct terms **ret);

/**
 * bind_marks() - replace $argN at a USDT probe by what its note says
 * @terms: terms, after vars_expand()
 * @place: where they are evaluated; any but a USDT probe is left alone
 * @d: on failure: what, and the column
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int bind_marks(struct terms *terms, const struct place *place, struct diag *d);

/**
 * vars_expand() - replace the names in a definition
 * @terms: its terms; those that were expanded stay as they are
 * @place: where it goes
 * @arch: target
 * @kb: where names and types are looked up, if there are any
 * @site: debug information, which comes before @kb: of the place, or of the function
 *	__traceiter_NAME, which has the parameters of the tracepoint; or NULL
 * @d: on failure: what, and the column
 *
 * Return: 0, -EINVAL, -ENOMEM, or what reading BTF met.
 */
int vars_expand(struct terms *terms, const struct place *place,
		enum ktap_arch arch, struct kbtf *kb, const struct site *site,
		struct diag *d);

/**
 * vars_wanted() - check whether vars_expand() would look up names or types
 * @terms: definition
 * @place: where it goes
 *
 * Where that is so, vars_expand() needs BTF or debug information.
 *
 * Return: true if it would; false: @terms has nothing to look up, or was expanded.
 */
bool vars_wanted(const struct terms *terms, const struct place *place);

/**
 * vars_return_wanted() - check whether debug information would give $retval a type
 * @terms: definition, for which vars_wanted() is false
 * @place: where it goes
 *
 * Return: true for the return of a program's function, in ktap's own words; without debug
 *	information $retval is a number there.
 */
bool vars_return_wanted(const struct terms *terms, const struct place *place);

/**
 * vars_places_wanted() - check whether vars_check_places() has something to check
 * @terms: definition, from before vars_expand()
 * @place: where it goes
 *
 * It checks $argN at a function of the kernel, and $retval at the return of a function of a
 * program.
 *
 * Return: true if the definition has one of them; false: it has none, or was expanded.
 */
bool vars_places_wanted(const struct terms *terms,
			const struct place *place);

/**
 * vars_check_places() - whether there is something where $argN and $retval look
 * @terms: the definition, from before vars_expand()
 * @place: where it goes
 * @arch: target
 * @kb: where the function is looked up, if it is of the kernel
 * @site: debug information, which comes before @kb: of the place, or of the function
 *	__traceiter_NAME, which has the parameters of the tracepoint; or NULL
 * @d: on failure: what, and the column
 * @known: the function is; else nothing can be said
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int vars_check_places(const struct terms *terms, const struct place *place,
		      enum ktap_arch arch, struct kbtf *kb,
		      const struct site *site, struct diag *d, bool *known);

/* A parameter: @number is the N of the $argN that it is; 0: it is not one number. */
typedef void vars_param_fn(void *ctx, const char *name, const struct ctype *t,
			   unsigned int number);

/**
 * vars_params() - the parameters of the function that a probe is at, from BTF
 * @place: where it goes
 * @arch: target
 * @kb: where the function is looked up
 * @traced: at a tracepoint: debug information, which comes before @kb; or NULL
 * @fn: called for each
 * @ctx: for @fn
 * @d: on failure: what, without a column
 *
 * Return: 0, -ENOENT: the place is neither a function's entry nor its return, or BTF
 * does not know it; -EINVAL, -ENOMEM, or what reading BTF met.
 */
int vars_params(const struct place *place, enum ktap_arch arch,
		struct kbtf *kb, const struct site *traced, vars_param_fn *fn,
		void *ctx, struct diag *d);

#endif /* KTAP_BIND_BIND_H */
