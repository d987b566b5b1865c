/* SPDX-License-Identifier: GPL-2.0 */
/* Places of definitions in programs and shared libraries. */
#ifndef KTAP_PLACE_BINARY_H
#define KTAP_PLACE_BINARY_H

#include <linux/ktap.h>
#include <stddef.h>

#include "base/diag.h"
#include "object/binary.h"
#include "place/ksyms.h"
#include "spec/spec.h"

/**
 * binary_resolve() - find the places of a definition
 * @bin: file
 * @spec: the definition; errors point into its text
 * @arch: the machine that is to be probed
 * @d: on failure: missing (with suggestions), imported, ambiguous (with the
 *	candidates), chosen at run time, data, past the end, another machine's
 * @ret: on success: a place for each location of a mark, else one; release
 *	with places_free()
 * @nr: how many
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM.
 */
int binary_resolve(struct binary *bin, const struct probe_spec *spec,
		   enum ktap_arch arch, struct diag *d, struct place **ret,
		   size_t *nr);

/**
 * places_free() - release the places that binary_resolve() returned
 * @places: the array; NULL where @nr is 0
 * @nr: how many places it has
 *
 * The strings that the places own and the array itself are freed. Memory that a place
 * only refers to (@offsets) stays.
 */
void places_free(struct place *places, size_t nr);

/**
 * struct binary_matches - functions that a pattern matched
 * @syms: by name
 * @nr: how many
 * @twice: functions that are not in @syms, because another has their name
 */
struct binary_matches {
	const struct binary_sym **syms;
	size_t nr;
	size_t twice;
};

/**
 * binary_glob() - find the functions that can be probed by a name that a pattern matches
 * @bin: file; the symbols that are returned are part of it
 * @pattern: as for fnmatch(); a symbol matches with its own name, or with its demangled
 *	name without parameters
 * @d: on failure
 * @ret: filled; release with binary_matches_deinit(); empty after a failure
 *
 * Labels, data, imported functions and functions that are chosen at run time match no
 * pattern. Names that a definition cannot have match none. Where several addresses have
 * one name and version, @ret->twice counts these functions, and @ret->syms has none of
 * them.
 *
 * Return: 0; -ENOENT: no function matches, or the file has no symbols; -ENOMEM.
 */
int binary_glob(struct binary *bin, const char *pattern, struct diag *d,
		struct binary_matches *ret);

/**
 * binary_matches_deinit() - release what binary_glob() returned
 * @matches: matches, or all zero; empty afterwards
 *
 * Only the array is freed: the symbols in it belong to the file.
 */
void binary_matches_deinit(struct binary_matches *matches);

#endif /* KTAP_PLACE_BINARY_H */
