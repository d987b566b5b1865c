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

/* binary_glob() - functions that can be probed by a name that @pattern matches;
 * no match is -ENOENT. Release with binary_matches_deinit().
 */
int binary_glob(struct binary *bin, const char *pattern, struct diag *d,
		struct binary_matches *ret);
void binary_matches_deinit(struct binary_matches *matches);

#endif /* KTAP_PLACE_BINARY_H */
