// SPDX-License-Identifier: GPL-2.0
/* mem:...: what a watchpoint is on, and how many bytes of it. */
#include <errno.h>
#include <linux/ktap.h>
#include <string.h>

#include "place/place_kinds.h"

#define LENGTH_MAX 8

/*
 * The room that a symbol has: up to the next one. Where two stand at one
 * address, they are the same.
 */
static uint64_t room_of(const struct ksyms *ks, const struct ksym *sym)
{
	uint64_t end = UINT64_MAX;
	struct ksym other;
	size_t pos = 0;

	while (ksyms_next(ks, &pos, &other))
		if (other.address > sym->address && other.address < end)
			end = other.address;
	return end - sym->address;
}

/* Most bytes of a word that begin at @address and lie in @room. */
static unsigned int natural_length(uint64_t address, uint64_t room)
{
	unsigned int length = LENGTH_MAX;

	while (length > 1 && (address % length || length > room))
		length /= 2;
	return length;
}

static bool symbol_address(const struct ksyms *ks, const char *name,
			   uint64_t *ret)
{
	struct ksym sym;
	size_t pos = 0;

	if (!ksyms_find(ks, name, &pos, &sym))
		return false;
	*ret = sym.address;
	return true;
}

/* The symbol of a per-CPU variable is that of no CPU's. */
static bool is_percpu(const struct ksyms *ks, const struct ksym *sym)
{
	uint64_t start, end;

	return !sym->module &&
	       symbol_address(ks, "__per_cpu_start", &start) &&
	       symbol_address(ks, "__per_cpu_end", &end) &&
	       sym->address >= start && sym->address < end;
}

static int check_symbol(struct query *q, const struct ksym *sym)
{
	if (ksyms_hidden(q->ks)) {
		query_fail(q, -EINVAL, DIAG_KSYMS_HIDDEN, q->name);
		addresses_hint(q->d);
		return -EINVAL;
	}
	if (!is_percpu(q->ks, sym))
		return 0;
	query_fail(q, -EINVAL, DIAG_KSYMS_PERCPU, q->name);
	diag_hint(q->d, "watch the address that it has on one of them: mem:0xADDRESS");
	return -EINVAL;
}

static int watch_symbol(struct query *q, const struct place_spec *place,
			struct place *ret, uint64_t *room)
{
	const struct ksym *sym;
	int err = query_run(q);

	if (err)
		return err;
	sym = &q->found[0];
	err = check_symbol(q, sym);
	if (err)
		return err;
	*room = room_of(q->ks, sym);
	if (place->offset >= *room) {
		q->at = place->offset_at;
		return query_fail(q, -EINVAL, DIAG_KSYMS_PAST_END, q->name,
				  (unsigned long long)place->offset,
				  (unsigned long long)*room);
	}
	*room -= place->offset;
	ret->offset = place->offset;
	ret->address = sym->address + place->offset;
	return place_set_symbol(q, sym, ret);
}

int resolve_watch(struct query *q, const struct place_spec *place,
		  struct place *ret)
{
	uint64_t room = LENGTH_MAX;
	int err = 0;

	ret->type = KTAP_TYPE_WATCHPOINT;
	ret->address = place->address;
	if (place->symbol)
		err = watch_symbol(q, place, ret, &room);
	if (err)
		return err;
	ret->watch_access = place->watch_access;
	if (!ret->watch_access)
		ret->watch_access = KTAP_ACCESS_READ | KTAP_ACCESS_WRITE;
	ret->watch_length = place->watch_length;
	/* an instruction is where it begins */
	if (!ret->watch_length && ret->watch_access == KTAP_ACCESS_EXEC)
		ret->watch_length = 1;
	else if (!ret->watch_length)
		ret->watch_length = natural_length(ret->address, room);
	return 0;
}
