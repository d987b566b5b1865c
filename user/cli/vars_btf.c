// SPDX-License-Identifier: GPL-2.0
/* Parameters of a function of the kernel, where BTF is all that tells of it. */
#include "cli/vars_btf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/syscall_args.h"
#include "base/cleanup.h"
#include "bind/bind.h"
#include "bind/where.h"
#include "cli/members.h"
#include "cli/params.h"
#include "cli/print.h"
#include "cli/table.h"

/**
 * struct listing - the parameters of one place, as they are shown
 * @def: the place
 * @table: as text; NULL: as JSON
 * @nr: how many there were
 * @failed: no memory
 */
struct listing {
	const struct definition *def;
	struct table *table;
	size_t nr;
	bool failed;
};

/* "$arg1", or at a return what that was at the entry */
static void put_where(struct buf *out, const struct definition *def,
		      unsigned int number)
{
	bool is_return = place_is_return(&def->place);

	if (number)
		buf_printf(out, is_return ? "$entry($arg%u)" : "$arg%u", number);
	else
		buf_puts(out, "it is not passed as one number");
}

static enum where_kind kind_of(const struct definition *def,
			       unsigned int number)
{
	if (!number)
		return WHERE_NOWHERE;
	return number <= arch_find(def->arch)->nr_args ? WHERE_REGISTER :
							 WHERE_MEMORY;
}

static void text_param(struct table *t, const char *type, const char *name,
		       const char *where, bool nowhere)
{
	_cleanup_buf_ struct buf decl = BUF_INIT;

	params_put_one(&decl, type, name);
	table_cell(t, "%s", "param");
	table_cell(t, "%s", buf_str(&decl));
	table_cell(t, "%s%s", nowhere ? "nowhere: " : "", where);
}

/* As "ktap vars" shows one that debug information knows, as far as that is known. */
static void json_param(const struct place *place, const char *type,
		       const char *name, const char *where,
		       enum where_kind kind)
{
	struct json_line line;
	struct json *j = &line.json;

	json_line_begin(&line);
	member_str(j, "symbol", place->symbol);
	member_u64(j, "offset", place->offset);
	member_hex(j, "address", place->address);
	json_key(j, "chain");
	json_array(j);
	json_array_end(j);
	member_str(j, "kind", "param");
	member_str(j, "name", name);
	member_str(j, "type", type);
	member_str(j, "where", where_kind_text(kind));
	member_str(j, kind == WHERE_NOWHERE ? "reason" : "expression", where);
	json_line_end(&line);
}

static void show_one(struct listing *l, const char *name, const char *type,
		     unsigned int number)
{
	enum where_kind kind = kind_of(l->def, number);
	_cleanup_buf_ struct buf where = BUF_INIT;

	l->nr++;
	put_where(&where, l->def, number);
	if (!type || where.failed)
		l->failed = true;
	else if (l->table)
		text_param(l->table, type, name, buf_str(&where),
			   kind == WHERE_NOWHERE);
	else
		json_param(&l->def->place, type, name, buf_str(&where), kind);
}

static void show_param(void *ctx, const char *name, const struct ctype *t,
		       unsigned int number)
{
	_cleanup_free_ char *type = ctype_text(t);

	show_one(ctx, name, type, number);
}

static const char *const heads[] = { "KIND", "VARIABLE", "WHERE" };

static int finish(const struct listing *l, struct diag *d)
{
	const struct place *place = &l->def->place;

	if (l->failed)
		return diag_no_memory(d);
	if (!l->table)
		return 0;
	/* a tracepoint has no address, and some may not see those of functions */
	if (!place->address)
		print_line("%s", place->symbol);
	else
		print_line("%s+0x%" PRIx64 " at 0x%" PRIx64, place->symbol,
			   place->offset, place->address);
	if (l->nr)
		return table_print(l->table, stdout) ? diag_no_memory(d) : 0;
	puts("no variables");
	return 0;
}

int vars_btf_show(struct kbtf *kb, const struct definition *def, bool json,
		  struct diag *d)
{
	struct listing l = { .def = def };
	struct table table;
	int err;

	table_init(&table, "lll", heads);
	if (!json)
		l.table = &table;
	err = vars_params(&def->place, def->arch, kb, def->traced, show_param,
			  &l, d);
	if (!err)
		err = finish(&l, d);
	table_deinit(&table);
	return err;
}

bool vars_syscall_known(const struct definition *def)
{
	return def->place.is_syscall && syscall_args(def->place.symbol);
}

int vars_syscall_show(const struct definition *def, bool json, struct diag *d)
{
	const char *at = syscall_args(def->place.symbol);
	struct listing l = { .def = def };
	struct syscall_arg arg;
	struct table table;
	int err;

	table_init(&table, "lll", heads);
	if (!json)
		l.table = &table;
	for (unsigned int nr = 1; syscall_next_arg(&at, &arg); nr++) {
		_cleanup_free_ char *name = strndup(arg.name, arg.name_length);
		_cleanup_free_ char *type = strndup(arg.type, arg.type_length);

		if (name)
			show_one(&l, name, type, nr);
		else
			l.failed = true;
	}
	err = finish(&l, d);
	table_deinit(&table);
	return err;
}
