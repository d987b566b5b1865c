// SPDX-License-Identifier: GPL-2.0
/*
 * Entry programs of return probes: checked and created from a request. The backend runs
 * one at the entry of a function, into memory of its own. The program at the return reads
 * the result.
 */
#include <linux/err.h>

#include "core/budget.h"
#include "core/counters.h"
#include "core/hit_cost.h"
#include "core/refused.h"
#include "frame/entry.h"
#include "hit/fetch.h"

static int check_info(const struct ktap_prog_info *info,
		      struct ktap_refused *refused)
{
	if (info->has_filter)
		return ktap_refuse(refused, -EINVAL, KTAP_A_ENTRY_PROG,
				   "an entry program cannot filter");
	if (info->record_max > KTAP_ENTRY_MAX + sizeof(struct ktap_rec_head))
		return ktap_refuse(refused, -EINVAL, KTAP_A_ENTRY_PROG,
				   "the entry program stores more than a return probe can keep");
	return 0;
}

/**
 * ktap_entry_check() - check the entry program of a return probe, if it has one
 * @args: request; its place is set to a return with that entry program
 * @refused: filled when the request is refused
 *
 * An entry program cannot filter: calls are left unfollowed only for lack of space, so
 * that every return is a hit. Filters belong in the program at the return.
 *
 * Context: process.
 * Return: 0, -EINVAL, -E2BIG or -ENOMEM.
 */
int ktap_entry_check(struct ktap_probe_args *args,
		     struct ktap_refused *refused)
{
	const struct ktap_prog_place place =
		ktap_entry_place(args->place.is_user);
	enum ktap_refusal why;
	int err;
	u32 at;

	args->place.is_return = true;
	if (!args->entry_insns)
		return 0;
	err = ktap_prog_verify(args->entry_insns, args->nr_entry_insns, &place,
			       &args->entry_info, &why, &at);
	if (err)
		return ktap_refuse(refused, err, KTAP_A_ENTRY_PROG,
				   why ? ktap_refusal_text(why) : NULL);
	err = ktap_cost_allowed(&args->entry_info, KTAP_A_ENTRY_PROG, refused);
	if (err)
		return err;
	args->place.entry = &args->entry_info;
	return check_info(&args->entry_info, refused);
}

/**
 * ktap_entry_create() - create the entry program of a checked request
 * @args: request
 * @refused: filled when the request is refused
 *
 * Context: process; may sleep.
 * Return: the program; NULL if the request has none; ERR_PTR: -ENOMEM, -ENOSPC, or the
 * error of perf if there is no counter that it reads.
 */
struct ktap_prog *ktap_entry_create(const struct ktap_probe_args *args,
				    struct ktap_refused *refused)
{
	u32 at, nr = args->nr_entry_insns;
	struct ktap_prog *prog;
	enum ktap_refusal why;
	int err;

	if (!nr)
		return NULL;
	prog = ktap_prog_create(args->entry_insns, nr, NULL, &why, &at);
	if (IS_ERR(prog)) {
		ktap_budget_explain(PTR_ERR(prog), ktap_prog_bytes(nr),
				    KTAP_A_ENTRY_PROG, refused);
		return prog;
	}
	err = ktap_counters_join(&prog->info, KTAP_A_ENTRY_PROG, refused);
	if (!err)
		return prog;
	ktap_prog_destroy(prog);
	return ERR_PTR(err);
}

/**
 * ktap_entry_size() - size of a struct ktap_entry with its payload
 * @prog: entry program, or NULL
 *
 * Context: any.
 * Return: bytes; 0 for NULL.
 */
size_t ktap_entry_size(const struct ktap_prog *prog)
{
	return prog ? sizeof(struct ktap_entry) + prog->info.room : 0;
}
