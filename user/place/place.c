// SPDX-License-Identifier: GPL-2.0
/* Places and @symbols of a definition to addresses, or why that cannot be. */
#include <errno.h>
#include <linux/ktap.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "place/place_kinds.h"

int place_set_symbol(const struct query *q, const struct ksym *sym,
		     struct place *ret)
{
	ret->symbol = strdup(sym->name);
	if (sym->module)
		ret->module = strdup(sym->module);
	if (ret->symbol && (ret->module || !sym->module))
		return 0;
	place_deinit(ret);
	return query_no_memory(q);
}

void place_deinit(struct place *place)
{
	free(place->symbol);
	free(place->module);
	free(place->path);
	sdt_args_free(place->sdt_args);
	free(place->no_retval);
	*place = (struct place){};
}

static int check_end(struct query *q, const struct place_spec *spec,
		     const struct ksym *sym)
{
	uint64_t end;

	if (!spec->offset || ksyms_hidden(q->ks))
		return 0;
	if (ksyms_text_end(q->ks, sym->address, &end))
		return query_no_memory(q);
	if (spec->offset < end - sym->address)
		return 0;
	q->at = spec->offset_at;
	return query_fail(q, -EINVAL, DIAG_KSYMS_PAST_END, q->name,
		    (unsigned long long)spec->offset,
		    (unsigned long long)(end - sym->address));
}

static int resolve_symbol(struct query *q, const struct place_spec *spec,
			  struct place *ret)
{
	int err = query_run(q);

	/* the module is not there yet: the kernel finds the symbol when it comes */
	if (!err && q->absent) {
		ret->module_absent = true;
		ret->offset = spec->offset;
		ret->symbol = strdup(spec->symbol);
		ret->module = strdup(spec->module);
		return ret->symbol && ret->module ? 0 : query_no_memory(q);
	}
	if (!err)
		err = check_end(q, spec, &q->found[0]);
	if (!err)
		err = place_set_symbol(q, &q->found[0], ret);
	if (err)
		return err;
	ret->offset = spec->offset;
	if (!ksyms_hidden(q->ks))
		ret->address = q->found[0].address + spec->offset;
	return 0;
}

/* Whether a function elsewhere in its module has the name of @sym. */
static bool shares_name(const struct ksyms *ks, const struct ksym *sym)
{
	const char *module = sym->module ? sym->module : "";
	struct ksym other;
	size_t pos = 0;

	while (ksyms_find(ks, sym->name, &pos, &other))
		if (ksym_is_text(&other) && other.address != sym->address &&
		    !strcmp(other.module ? other.module : "", module))
			return true;
	return false;
}

/* Without addresses nothing is known about one: the kernel will tell. */
static int resolve_address(struct query *q, uint64_t address,
			   struct place *ret)
{
	const struct ksym *sym = ksyms_by_address(q->ks, address);

	if (!sym && !ksyms_hidden(q->ks))
		return query_fail(q, -ENOENT, DIAG_KSYMS_NO_FUNCTION,
			    (unsigned long long)address);
	if (sym && place_set_symbol(q, sym, ret))
		return -ENOMEM;
	ret->address = address;
	ret->offset = sym ? address - sym->address : 0;
	ret->shares_name = sym && shares_name(q->ks, sym);
	return 0;
}

static void set_code(const struct place_spec *place, struct place *ret)
{
	ret->type = place->is_return ? KTAP_TYPE_KRETPROBE : KTAP_TYPE_KPROBE;
	ret->is_entry = ret->symbol && !ret->offset;
}

static int resolve_function(struct query *q, const struct place_spec *place,
			    struct place *ret)
{
	int err;

	q->absent_ok = true;
	err = resolve_symbol(q, place, ret);
	set_code(place, ret);
	return err;
}

static int resolve_instruction(struct query *q, const struct place_spec *place,
			       struct place *ret)
{
	int err = resolve_address(q, place->address, ret);

	set_code(place, ret);
	if (err || !place->is_return || ret->is_entry || ksyms_hidden(q->ks))
		return err;
	q->at = place->at;
	return query_fail(q, -EINVAL, DIAG_KSYMS_NOT_ENTRY,
			  (unsigned long long)place->address, ret->symbol,
			  (unsigned long long)ret->offset);
}

/* Whether there is such a tracepoint is for the kernel to say. */
static int resolve_tracepoint(struct query *q, const struct place_spec *place,
			      struct place *ret)
{
	(void)place;
	ret->type = KTAP_TYPE_TRACEPOINT;
	ret->symbol = strdup(q->name);
	return ret->symbol ? 0 : query_no_memory(q);
}

/* It is nowhere in the code: it has no symbol and no address. */
static int resolve_timer(struct query *q, const struct place_spec *place,
			 struct place *ret)
{
	(void)q;
	ret->type = KTAP_TYPE_TIMER;
	ret->period = place->period;
	ret->each_cpu = place->each_cpu;
	return 0;
}

static int (*const resolvers[])(struct query *q,
				const struct place_spec *place,
				struct place *ret) = {
	[PLACE_SYMBOL] = resolve_function,
	[PLACE_ADDRESS] = resolve_instruction,
	[PLACE_TRACEPOINT] = resolve_tracepoint,
	[PLACE_SYSCALL] = resolve_syscall,
	[PLACE_WATCH] = resolve_watch,
	[PLACE_TIMER] = resolve_timer,
};

int ksyms_resolve(const struct ksyms *ks, const struct probe_spec *spec,
		  struct diag *d, struct place *ret)
{
	const struct place_spec *place = &spec->place;
	struct query q = {
		.ks = ks,
		.name = place->symbol,
		.module = place->module,
		.code = place->kind != PLACE_WATCH,
		.source = spec->text,
		/* the kernel points at the place, also when it has a module */
		.at = spec->kernel_syntax ? place->at : place->symbol_at,
		.d = d,
	};
	int err;

	*ret = (struct place){};
	if (place->module) {
		q.module_at.length = strlen(place->module);
		q.module_at.start = place->symbol_at.start - 1 -
				    q.module_at.length;
	}
	err = resolvers[place->kind](&q, place, ret);
	query_deinit(&q);
	if (err)
		place_deinit(ret);
	return err;
}

int ksyms_data_address(const struct ksyms *ks, const char *text,
		       struct span at, const char *name, struct diag *d,
		       uint64_t *ret)
{
	struct query q = {
		.ks = ks,
		.name = name,
		.source = text,
		.at = at,
		.d = d,
	};
	int err = query_run(&q);

	if (!err && ksyms_hidden(ks)) {
		err = query_fail(&q, -EINVAL, DIAG_KSYMS_HIDDEN, name);
		addresses_hint(d);
	}
	if (!err)
		*ret = q.found[0].address;
	query_deinit(&q);
	return err;
}
