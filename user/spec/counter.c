// SPDX-License-Identifier: GPL-2.0
/* $perf(EVENT): events of perf, by the names that 'perf list' has for them. */
#include <errno.h>
#include <linux/ktap.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/array.h"
#include "base/suggest.h"
#include "spec/parse.h"

#define HARDWARE(id) KTAP_COUNTER(PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id)
#define SOFTWARE(id) KTAP_COUNTER(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id)

static const struct event {
	const char *name;
	uint64_t number;
} events[] = {
	{ "cycles", HARDWARE(CPU_CYCLES) },
	{ "cpu-cycles", HARDWARE(CPU_CYCLES) },
	{ "instructions", HARDWARE(INSTRUCTIONS) },
	{ "cache-references", HARDWARE(CACHE_REFERENCES) },
	{ "cache-misses", HARDWARE(CACHE_MISSES) },
	{ "branches", HARDWARE(BRANCH_INSTRUCTIONS) },
	{ "branch-instructions", HARDWARE(BRANCH_INSTRUCTIONS) },
	{ "branch-misses", HARDWARE(BRANCH_MISSES) },
	{ "bus-cycles", HARDWARE(BUS_CYCLES) },
	{ "ref-cycles", HARDWARE(REF_CPU_CYCLES) },
	{ "stalled-cycles-frontend", HARDWARE(STALLED_CYCLES_FRONTEND) },
	{ "stalled-cycles-backend", HARDWARE(STALLED_CYCLES_BACKEND) },
	{ "page-faults", SOFTWARE(PAGE_FAULTS) },
	{ "faults", SOFTWARE(PAGE_FAULTS) },
	{ "minor-faults", SOFTWARE(PAGE_FAULTS_MIN) },
	{ "major-faults", SOFTWARE(PAGE_FAULTS_MAJ) },
	{ "context-switches", SOFTWARE(CONTEXT_SWITCHES) },
	{ "cs", SOFTWARE(CONTEXT_SWITCHES) },
	{ "cpu-migrations", SOFTWARE(CPU_MIGRATIONS) },
	{ "migrations", SOFTWARE(CPU_MIGRATIONS) },
	{ "cpu-clock", SOFTWARE(CPU_CLOCK) },
	{ "task-clock", SOFTWARE(TASK_CLOCK) },
	{ "alignment-faults", SOFTWARE(ALIGNMENT_FAULTS) },
	{ "emulation-faults", SOFTWARE(EMULATION_FAULTS) },
};

static int bad_event(const struct parse *p, struct span at, struct span name)
{
	struct suggest s;
	size_t i;

	parse_fail_text(p, at, DIAG_SPEC_NO_COUNTER, name, 0);
	suggest_init(&s, p->text + name.start, name.length);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		suggest_try(&s, events[i].name);
	suggest_hint(&s, "", p->d);
	/* it keeps a hint that it has */
	diag_hint(p->d, "there are cycles, instructions, cache-misses, branch-misses, page-faults, context-switches and others, see ktap-probes(7)");
	return -EINVAL;
}

int parse_counter(const struct parse *p, struct span at, struct expr *e)
{
	size_t open = span_end(e->at), end = span_end(at), close, i;
	struct span name;

	e->kind = EXPR_COUNTER;
	if (open == end || p->text[open] != '(')
		return bad_event(p, e->at, span_between(open, open));
	close = parse_find(p, span_between(open, end), ')');
	if (close == end)
		return parse_fail(p, span_between(end, end), DIAG_SPEC_NO_CLOSE);
	name = span_between(open + 1, close);
	e->at = span_between(at.start, close + 1);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		if (!parse_is(p, name, events[i].name))
			continue;
		e->value = (int64_t)events[i].number;
		e->text = parse_dup(p, name);
		return e->text ? 0 : parse_no_memory(p);
	}
	return bad_event(p, e->at, name);
}
