// SPDX-License-Identifier: GPL-2.0
/* One name to one symbol, or why that cannot be. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/suggest.h"
#include "place/query.h"

#define VMLINUX "vmlinux"
#define CANDIDATES_MAX 5

void query_deinit(struct query *q)
{
	free(q->found);
}

static const char *module_of(const struct ksym *sym)
{
	return sym->module ? sym->module : VMLINUX;
}

bool query_in_module(const struct query *q, const struct ksym *sym)
{
	return !q->module || ksym_same_module(module_of(sym), q->module);
}

int query_fail(const struct query *q, int err, enum diag_code code, ...)
{
	va_list ap;

	va_start(ap, code);
	diag_vset(q->d, err, code, ap);
	va_end(ap);
	diag_at(q->d, q->source, q->at.start, q->at.length);
	return err;
}

int query_no_memory(const struct query *q)
{
	return diag_no_memory(q->d);
}

/* ---- what was not found ---- */

/* A function that the compiler changed is called NAME.isra.0 and the like. */
static bool is_variant(const struct query *q, const char *name)
{
	size_t length = strlen(q->name);

	return !strncmp(name, q->name, length) && name[length] == '.';
}

static void suggest_symbol(const struct query *q)
{
	struct suggest s;
	struct ksym sym;
	size_t pos = 0;

	suggest_init(&s, q->name, strlen(q->name));
	while (ksyms_next(q->ks, &pos, &sym)) {
		if (!query_in_module(q, &sym) || (q->code && !ksym_is_text(&sym)) ||
		    ksym_is_shadow(&sym))
			continue;
		if (is_variant(q, sym.name))
			suggest_put(&s, sym.name, 0);
		else
			suggest_try(&s, sym.name);
	}
	suggest_hint(&s, "", q->d);
}

/* Whether @q->module is there; suggests one that is, if not. */
static bool find_module(const struct query *q, struct suggest *s)
{
	struct ksym sym;
	size_t pos = 0;

	suggest_init(s, q->module, strlen(q->module));
	while (ksyms_next(q->ks, &pos, &sym)) {
		if (query_in_module(q, &sym))
			return true;
		suggest_try(s, module_of(&sym));
	}
	return false;
}

/*
 * A module may come later. But where the symbol is there already, and its
 * module is called almost so, that module is meant.
 */
static int no_module(struct query *q, const struct suggest *s)
{
	if (q->absent_ok && !(q->others && s->nr)) {
		q->absent = true;
		return 0;
	}
	q->at = q->module_at;
	query_fail(q, -ENOENT, DIAG_KSYMS_NO_MODULE, q->module);
	suggest_hint(s, "", q->d);
	diag_hint(q->d, "only what is loaded has an address");
	return -ENOENT;
}

static int not_in_module(struct query *q)
{
	struct suggest s;

	if (!find_module(q, &s))
		return no_module(q, &s);
	query_fail(q, -ENOENT, DIAG_KSYMS_NOT_IN_MODULE, q->name, q->module);
	if (q->others)
		diag_hint(q->d, "did you mean '%s:%s'?", module_of(&q->other),
			  q->name);
	else
		suggest_symbol(q);
	return -ENOENT;
}

/* Without CONFIG_KALLSYMS_ALL the table has functions only. */
static bool has_data(const struct ksyms *ks)
{
	struct ksym sym;
	size_t pos = 0;

	while (ksyms_next(ks, &pos, &sym))
		if (!sym.module && strchr("bBdDrR", sym.type))
			return true;
	return false;
}

/* "r1a111 vfs_read": a line of the kernel has a number behind its letter, and no more. */
static void hint_number(struct query *q)
{
	const char *rest = q->source + q->at.start + q->at.length;
	size_t digits = strspn(q->name + 1, "0123456789");

	if (*q->name != 'r' || !digits || *rest != ' ')
		return;
	diag_hint(q->d, "did you mean '%.*s%s', with so many instances?",
		  (int)digits + 1, q->name, rest);
}

/*
 * Each tracepoint has a function __traceiter_NAME, which the kernel lists without
 * CONFIG_KALLSYMS_ALL, too.
 */
static void hint_tracepoint(struct query *q)
{
	const char *name, iter[] = "__traceiter_";
	struct ksym sym;
	size_t pos = 0;

	while (ksyms_next(q->ks, &pos, &sym)) {
		if (strncmp(sym.name, iter, strlen(iter)))
			continue;
		name = sym.name + strlen(iter);
		if (!strcmp(name, q->name)) {
			diag_hint(q->d, "it is a tracepoint: write 'tracepoint:%s'", name);
			return;
		}
	}
}

static int not_found(struct query *q)
{
	if (q->others && query_in_module(q, &q->other)) {
		query_fail(q, -ENOENT, DIAG_KSYMS_DATA, q->name);
		diag_hint(q->d, "as an argument, @%s reads it", q->name);
		return -ENOENT;
	}
	if (q->module)
		return not_in_module(q);
	if (!q->code && !has_data(q->ks)) {
		query_fail(q, -ENOENT, DIAG_KSYMS_NO_DATA, q->name);
		diag_hint(q->d, "it is built without CONFIG_KALLSYMS_ALL: write the address");
		return -ENOENT;
	}
	query_fail(q, -ENOENT, DIAG_KSYMS_NO_SYMBOL, q->name);
	hint_number(q);
	if (q->code)
		hint_tracepoint(q);
	suggest_symbol(q);
	return -ENOENT;
}

/* ---- what was found too often ---- */

static bool only_one_there(const struct query *q, const struct ksym *sym)
{
	size_t i, nr = 0;

	for (i = 0; i < q->nr; i++)
		nr += !strcmp(module_of(&q->found[i]), module_of(sym));
	return nr == 1;
}

/* How to say which one is meant. */
static void put_candidate(struct buf *b, const struct query *q,
			  const struct ksym *sym)
{
	bool address = !ksyms_hidden(q->ks);
	bool module = q->code && only_one_there(q, sym);

	if (!module && !address)
		return;
	if (b->size)
		buf_puts(b, ", ");
	if (module)
		buf_printf(b, "%s:%s", module_of(sym), q->name);
	if (module && address)
		buf_printf(b, " (0x%llx)", (unsigned long long)sym->address);
	else if (address)
		buf_printf(b, "0x%llx (%s)", (unsigned long long)sym->address,
			   module_of(sym));
}

static int ambiguous(const struct query *q)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t i;

	query_fail(q, -EINVAL, DIAG_KSYMS_AMBIGUOUS, q->name, q->nr);
	for (i = 0; i < q->nr && i < CANDIDATES_MAX; i++)
		put_candidate(&b, q, &q->found[i]);
	if (i < q->nr && b.size)
		buf_printf(&b, " and %zu more", q->nr - i);
	if (b.size)
		diag_hint(q->d, "write which one: %s", buf_str(&b));
	else
		diag_hint(q->d,
			  "their addresses, which would tell them apart, are hidden: %s",
			  addresses_hidden_by());
	return -EINVAL;
}

/* ---- looking up ---- */

/* Two lines for one address are one place; hidden addresses do not tell. */
static bool known(const struct query *q, const struct ksym *sym)
{
	size_t i;

	if (ksyms_hidden(q->ks))
		return false;
	for (i = 0; i < q->nr; i++)
		if (q->found[i].address == sym->address)
			return true;
	return false;
}

static int keep(struct query *q, const struct ksym *sym)
{
	struct ksym *found;

	if (known(q, sym))
		return 0;
	found = array_grow(q->found, q->nr, sizeof(*found));
	if (!found)
		return query_no_memory(q);
	q->found = found;
	q->found[q->nr++] = *sym;
	return 0;
}

/* Exactly one symbol is found, or the error is set. */
int query_run(struct query *q)
{
	struct ksym sym;
	size_t pos = 0;

	while (ksyms_find(q->ks, q->name, &pos, &sym)) {
		if (!query_in_module(q, &sym) || (q->code && !ksym_is_text(&sym))) {
			if (!q->others++ || query_in_module(q, &sym))
				q->other = sym;
			continue;
		}
		if (keep(q, &sym))
			return -ENOMEM;
	}
	if (q->nr > 1)
		return ambiguous(q);
	return q->nr ? 0 : not_found(q);
}
