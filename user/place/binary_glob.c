// SPDX-License-Identifier: GPL-2.0
/* Patterns to functions of a program or library. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fmt.h"
#include "base/scoped.h"
#include "object/file.h"
#include "place/binary.h"

/* There are names that no definition can have ("main.(*T).f"). */
static bool is_writable(const struct binary_sym *sym)
{
	return spec_is_symbol(sym->name, strlen(sym->name)) &&
	       (!sym->version ||
		spec_is_version(sym->version, strlen(sym->version)));
}

/* Labels in assembler code are asked for by name, not met by a pattern; nor is what
 * stands behind the code, as "runtime.etext" does.
 */
static bool is_match(const struct binary *bin, const struct binary_sym *sym,
		     const char *pattern)
{
	return sym->kind == BINARY_CODE && !sym->is_label &&
	       is_writable(sym) && binary_is_code(bin, sym->address) &&
	       (!fnmatch(pattern, sym->name, 0) ||
		demangles_like(sym->name, pattern));
}

/* C++ has a second name for most constructors, which people write the same way. */
static bool is_twin(const struct binary_sym *syms, size_t i)
{
	_cleanup_free_ char *name = demangle(syms[i].name, true);
	size_t j;

	for (j = i; name && j && syms[j - 1].address == syms[i].address; j--) {
		_cleanup_free_ char *other = demangle(syms[j - 1].name, true);

		if (other && !strcmp(name, other))
			return true;
	}
	return false;
}

static int compare(const void *x, const void *y)
{
	const struct binary_sym *a = *(const struct binary_sym *const *)x;
	const struct binary_sym *b = *(const struct binary_sym *const *)y;
	int order = strcmp(a->name, b->name);

	if (!order)
		order = (int)b->is_default - (int)a->is_default;
	if (!order && !a->is_default)
		order = strcmp(a->version, b->version);
	/* symbols are in the order of their addresses */
	return order ? order : (a > b) - (a < b);
}

/* One name, and the same version unless it is the default. */
static bool same_name(const struct binary_sym *a, const struct binary_sym *b)
{
	return !strcmp(a->name, b->name) && a->is_default == b->is_default &&
	       (a->is_default || !strcmp(a->version, b->version));
}

/* An old version that is the same as the default is the default. */
static bool is_default_too(const struct binary_matches *m, size_t nr,
			   const struct binary_sym *sym)
{
	return nr && !sym->is_default &&
	       !strcmp(m->syms[nr - 1]->name, sym->name) &&
	       m->syms[nr - 1]->address == sym->address;
}

/* Names of one address each stay; of several addresses none. */
static void drop_ambiguous(struct binary_matches *m)
{
	size_t i, end, nr = 0;

	for (i = 0; i < m->nr; i = end) {
		bool ambiguous = false;

		for (end = i + 1; end < m->nr; end++) {
			if (!same_name(m->syms[i], m->syms[end]))
				break;
			ambiguous |= m->syms[i]->address != m->syms[end]->address;
		}
		if (ambiguous)
			m->twice += end - i;
		else if (!is_default_too(m, nr, m->syms[i]))
			m->syms[nr++] = m->syms[i];
	}
	m->nr = nr;
}

int binary_glob(struct binary *bin, const char *pattern, struct diag *d,
		struct binary_matches *ret)
{
	const struct binary_sym *syms;
	size_t nr, i;

	*ret = (struct binary_matches){};
	syms = binary_syms(bin, d, &nr);
	if (!syms)
		return -ENOMEM;
	if (!nr)
		return diag_set(d, -ENOENT, DIAG_ELF_NO_SYMBOLS, bin->path);
	ret->syms = calloc(nr + 1, sizeof(*ret->syms));
	if (!ret->syms)
		return diag_no_memory(d);
	for (i = 0; i < nr; i++)
		if (is_match(bin, &syms[i], pattern) && !is_twin(syms, i))
			ret->syms[ret->nr++] = &syms[i];
	qsort(ret->syms, ret->nr, sizeof(ret->syms[0]), compare);
	drop_ambiguous(ret);
	if (ret->nr)
		return 0;
	diag_set(d, -ENOENT, DIAG_ELF_NO_MATCH, bin->path, pattern);
	if (ret->twice)
		diag_hint(d, "left out: %zu function%s without a unique name: write an address",
			  ret->twice, fmt_s(ret->twice));
	binary_matches_deinit(ret);
	return -ENOENT;
}

void binary_matches_deinit(struct binary_matches *matches)
{
	free(matches->syms);
	*matches = (struct binary_matches){};
}
