// SPDX-License-Identifier: GPL-2.0
/* Patterns to functions. */
#include <errno.h>
#include <fnmatch.h>
#include <linux/ktap.h>
#include <stdlib.h>
#include <string.h>

#include "arch/syscall_args.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fmt.h"
#include "place/place_kinds.h"
#include "place/probeable.h"

/* A pattern of system calls means those that programs of this kernel can make. */
static const char *name_of(const struct ksym *sym, enum place_kind kind)
{
	if (kind != PLACE_SYSCALL)
		return sym->name;
	return syscall_number(sym->name) == SYSCALL_NO_NUMBER ?
	       NULL : syscall_name(sym);
}

static int append(struct ksym_matches *m, const struct ksym *sym,
		  const char *name)
{
	struct ksym_match *more;

	more = array_grow(m->match, m->nr, sizeof(*more));
	if (!more)
		return -ENOMEM;
	m->match = more;
	m->match[m->nr++] = (struct ksym_match){ .sym = *sym, .name = name };
	return 0;
}

static int collect(const struct query *q, const struct place_spec *place,
		   struct ksym_matches *ret)
{
	struct probeable areas;
	struct ksym sym;
	size_t pos = 0;

	probeable_init(&areas, q->ks);
	while (ksyms_next(q->ks, &pos, &sym)) {
		const char *name;

		if (!query_in_module(q, &sym) || !probeable_is_function(&areas, &sym))
			continue;
		name = name_of(&sym, place->kind);
		if (!name || fnmatch(place->symbol, name, 0))
			continue;
		if (probeable_is_forbidden(&areas, &sym))
			ret->forbidden++;
		else if (append(ret, &sym, name))
			return query_no_memory(q);
	}
	return 0;
}

static const char *module_of(const struct ksym *sym)
{
	return sym->module ? sym->module : "vmlinux";
}

static int compare(const void *a, const void *b)
{
	const struct ksym_match *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = strcmp(module_of(&x->sym), module_of(&y->sym));
	if (!order && x->sym.address != y->sym.address)
		order = x->sym.address < y->sym.address ? -1 : 1;
	return order;
}

/* Those of one name in one module, from @from on, that are several places. */
static size_t same_module(const struct ksym_matches *m, size_t from)
{
	size_t i = from + 1;

	while (i < m->nr && !strcmp(m->match[i].name, m->match[from].name) &&
	       !strcmp(module_of(&m->match[i].sym), module_of(&m->match[from].sym)))
		i++;
	return i - from;
}

/* Whether another module has the name too, also for what was left out. */
static bool is_elsewhere(const struct query *q, const struct ksym_match *m)
{
	struct ksym other;
	size_t pos = 0;

	/* a module that is given stays; the name of a system call needs none */
	if (q->module || m->name != m->sym.name)
		return false;
	while (ksyms_find(q->ks, m->name, &pos, &other))
		if (ksym_is_text(&other) &&
		    strcmp(module_of(&other), module_of(&m->sym)))
			return true;
	return false;
}

/* What two functions of one module are called names neither. */
static void drop_twins(const struct query *q, struct ksym_matches *m)
{
	size_t i, n, kept = 0;

	for (i = 0; i < m->nr; i += n) {
		struct ksym_match *first = &m->match[i];

		n = same_module(m, i);
		if (n > 1 && (ksyms_hidden(q->ks) ||
			      first->sym.address != first[n - 1].sym.address)) {
			m->twice += n;
			continue;
		}
		/* in several modules, each is named with its own */
		if (is_elsewhere(q, first))
			first->module = module_of(&first->sym);
		m->match[kept++] = *first;
	}
	m->nr = kept;
}

static int no_match(const struct query *q, const struct ksym_matches *m)
{
	query_fail(q, -ENOENT, DIAG_KSYMS_NO_MATCH, q->name);
	if (m->twice)
		diag_hint(q->d, "left out: %zu function%s without a unique name: write an address",
			  m->twice, fmt_s(m->twice));
	else if (m->forbidden)
		diag_hint(q->d, "left out: %zu function%s that kprobes themselves need",
			  m->forbidden, fmt_s(m->forbidden));
	else if (q->module && strcmp(q->module, "vmlinux"))
		diag_hint(q->d, "only the module '%s' was searched", q->module);
	return -ENOENT;
}

int ksyms_glob(const struct ksyms *ks, const struct probe_spec *spec,
	       struct diag *d, struct ksym_matches *ret)
{
	const struct place_spec *place = &spec->place;
	const struct query q = {
		.ks = ks,
		.name = place->symbol,
		.module = place->module,
		.source = spec->text,
		.at = place->symbol_at,
		.d = d,
	};
	int err;

	*ret = (struct ksym_matches){ 0 };
	err = collect(&q, place, ret);
	if (!err && ret->nr) {
		qsort(ret->match, ret->nr, sizeof(*ret->match), compare);
		drop_twins(&q, ret);
	}
	if (!err && !ret->nr && place->kind == PLACE_SYSCALL)
		err = query_fail(&q, -ENOENT, DIAG_KSYMS_NO_SYSCALL, q.name);
	else if (!err && !ret->nr)
		err = no_match(&q, ret);
	if (err)
		ksym_matches_deinit(ret);
	return err;
}

void ksym_matches_deinit(struct ksym_matches *matches)
{
	free(matches->match);
	*matches = (struct ksym_matches){ 0 };
}

int ksym_match_place(const struct ksyms *ks, const struct ksym_match *match,
		     const struct probe_spec *spec, struct diag *d,
		     struct place *ret)
{
	const struct query q = { .ks = ks, .d = d };

	*ret = (struct place){
		.type = spec->place.is_return ? KTAP_TYPE_KRETPROBE :
						KTAP_TYPE_KPROBE,
		.is_entry = true,
		.is_syscall = spec->place.kind == PLACE_SYSCALL,
		.address = ksyms_hidden(ks) ? 0 : match->sym.address,
	};
	return place_set_symbol(&q, &match->sym, ret);
}
