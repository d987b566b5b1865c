// SPDX-License-Identifier: GPL-2.0
#include "cli/graphed.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "cli/members.h"
#include "cli/print.h"
#include "export/value.h"

/* ---- text ---- */

static double us(uint64_t ns)
{
	return (double)ns / 1e3;
}

static void text_calls(struct graphed_look *look, const struct event *e, const char *caller,
		       const struct nest_calls *calls, struct graphed_gaps gaps)
{
	const struct nest_call *outer = &calls->call[0];

	if (!look->headed)
		print_line("%12s %12s  %s", "TOTAL", "SELF", "FUNCTION");
	look->headed = true;
	print_line("%s-%u [%03u] %" PRIu64 ".%06" PRIu64 ": called from %s", e->comm, e->tid, e->cpu,
		   outer->start / 1000000000, outer->start / 1000 % 1000000, caller);
	for (size_t i = 0; i < calls->nr; i++) {
		const struct nest_call *c = &calls->call[i];

		print_line("%9.3f us %9.3f us  %*s%s", us(c->end - c->start), us(c->self),
			   (int)(2 * c->level), "", look->names[c->function]);
	}
	if (calls->left_out)
		print_line("(up to %" PRIu64 " calls are missing: too many were made in one call)",
			   calls->left_out);
	if (gaps.again)
		print_line("(calls are missing: %s was called again inside, or its entry was missed)",
			   look->names[outer->function]);
	if (gaps.lost)
		print_line("(calls may be missing: hits were lost)");
}

/* ---- JSON ---- */

static void json_call(struct json *j, const struct graphed_look *look, const struct nest_call *c)
{
	json_object(j);
	member_str(j, "function", look->names[c->function]);
	member_u64(j, "level", c->level + 1);
	json_key(j, "start");
	json_ns(j, c->start);
	member_u64(j, "total_ns", c->end - c->start);
	member_u64(j, "self_ns", c->self);
	json_object_end(j);
}

static void json_calls(const struct graphed_look *look, const struct event *e, const char *caller,
		       const struct nest_calls *calls, struct graphed_gaps gaps)
{
	struct json_line line;
	struct json *j = &line.json;

	json_line_begin(&line);
	json_key(j, "time");
	json_ns(j, calls->call[0].start);
	member_u64(j, "cpu", e->cpu);
	member_str(j, "comm", e->comm);
	member_u64(j, "tid", e->tid);
	member_u64(j, "pid", e->tgid);
	member_str(j, "caller", caller);
	if (calls->left_out)
		member_u64(j, "missing", calls->left_out);
	if (gaps.again)
		member_bool(j, "incomplete", true);
	if (gaps.lost)
		member_bool(j, "lost", true);
	json_key(j, "calls");
	json_array(j);
	for (size_t i = 0; i < calls->nr; i++)
		json_call(j, look, &calls->call[i]);
	json_array_end(j);
	json_line_end(&line);
}

void graphed_show(struct graphed_look *look, const struct event *event,
		  const struct nest_calls *calls, struct graphed_gaps gaps)
{
	_cleanup_buf_ struct buf caller = BUF_INIT;

	text_address(&caller, event->return_address, look->ks);
	if (look->json)
		json_calls(look, event, buf_str(&caller), calls, gaps);
	else
		text_calls(look, event, buf_str(&caller), calls, gaps);
}
