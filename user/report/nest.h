/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of one function, each with the calls that were made until it returned. Calls arrive
 * when they return: those inside others arrive first.
 */
#ifndef KTAP_REPORT_NEST_H
#define KTAP_REPORT_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct nest_call - one call
 * @start: time of the entry, in ns
 * @end: time of the return. Where it is before @start, because the task changed to a CPU
 *	whose clock is behind, it is taken for @start
 * @function: number of the function; the caller's
 * @level: 0: the outermost one, 1: inside that, and so on
 * @self: ns of the call outside of the calls of level @level + 1; 0 if their overlaps leave
 *	nothing
 */
struct nest_call {
	uint64_t start;
	uint64_t end;
	unsigned int function;
	unsigned int level;
	uint64_t self;
};

struct nests;

/**
 * nests_new() - make a collection of calls
 *
 * Return: release with nests_free(); NULL: no memory.
 */
struct nests *nests_new(void);

/**
 * nests_free() - release calls
 * @n: calls, or NULL
 */
void nests_free(struct nests *n);

/**
 * nests_add() - keep a call until the one around it returns
 * @n: calls
 * @task: who made it: calls of one task are one inside the other, or one after the other
 * @call: call; @level and @self are not used
 *
 * At most NESTS_MAX calls of all tasks wait. The next one takes the place of all of them,
 * which are counted.
 *
 * Return: 0 or -ENOMEM.
 */
int nests_add(struct nests *n, uint64_t task, const struct nest_call *call);

#define NESTS_MAX (1U << 20)

/**
 * struct nest_calls - a call, and those inside it
 * @call: in the order of their starts, the outermost one first; valid until the next call
 *	of nests_take()
 * @nr: how many
 * @left_out: at most this number of calls is missing, because they were not kept
 */
struct nest_calls {
	const struct nest_call *call;
	size_t nr;
	uint64_t left_out;
};

/**
 * nests_take() - get the calls inside one, when it returned
 * @n: calls
 * @task: who made it
 * @call: call
 * @keep: the function may call itself: @call and all calls so far may be inside another
 *	call. False: calls that ended before the previous @call of the task began are removed,
 *	unless the previous @call is inside this one
 * @ret: the calls, with their levels
 *
 * The time that this takes grows with the number of the calls inside.
 *
 * Return: 0 or -ENOMEM.
 */
int nests_take(struct nests *n, uint64_t task, const struct nest_call *call, bool keep,
	       struct nest_calls *ret);

#endif /* KTAP_REPORT_NEST_H */
