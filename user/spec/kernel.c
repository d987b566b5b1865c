// SPDX-License-Identifier: GPL-2.0
/*
 * Lines of kprobe_events, uprobe_events and dynamic_events, with the kernel's
 * meaning:
 *
 *	p[:[GROUP/][EVENT]] PLACE [ARG...]
 *	r[MAXACTIVE][:...] PLACE [ARG...]
 *	f[MAXACTIVE][:...] FUNCTION[%return] [ARG...]
 *	t[:...] TRACEPOINT [ARG...]
 *	-:[GROUP/]EVENT or !p:[GROUP/]EVENT, which remove
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "spec/parse.h"
#include "spec/parse_place.h"

bool kernel_is_line(const struct parse *p, struct span at, bool in_file)
{
	const char *s = p->text + at.start;

	if (parse_starts(p, at, "-:") || parse_starts(p, at, "!"))
		return true;
	if (!at.length || !strchr(in_file ? "pr" : "prfte", *s))
		return false;
	do {
		s++;
	} while (parse_is_digit(*s));
	/* in a program p::f is a function of a namespace */
	if (in_file && *s == ':' && s[1] == ':')
		return false;
	return *s == ':' || parse_is_blank(*s);
}

/* ---- p, r, f, t and e ---------------------------------------------------------- */

/* What 'e' reads is recorded by a tracepoint, and that can be probed. */
static int no_event_probe(const struct parse *p, struct span head)
{
	size_t pos = span_end(head), dot;
	struct span word;

	parse_fail(p, span_between(head.start, head.start + 1),
		   DIAG_SPEC_EVENT_PROBE);
	if (!parse_word(p, &pos, &word)) {
		diag_hint(p->d, "'t NAME' probes a tracepoint");
		return -EINVAL;
	}
	dot = parse_find(p, word, '.');
	if (dot == span_end(word))
		dot = parse_find(p, word, '/');
	if (dot < span_end(word))
		word = span_between(dot + 1, span_end(word));
	diag_hint(p->d, "'t %.*s' probes the tracepoint, and its arguments are $arg1, $arg2 and so on",
		  (int)word.length, p->text + word.start);
	return -EINVAL;
}

/* The letter and the number of @head, which ends at its ':'. */
static int parse_kind(const struct parse *p, struct span head,
		      struct probe_spec *spec)
{
	struct span number;

	if (!head.length || !strchr("prfte", p->text[head.start]))
		return parse_fail_text(p, head, DIAG_SPEC_BAD_PLACE, head, 0);
	spec->letter = p->text[head.start];
	number = span_between(head.start + 1, parse_find(p, head, ':'));
	if (spec->letter == 'e')
		return no_event_probe(p, head);
	spec->place.is_return = spec->letter == 'r';
	if (!number.length)
		return 0;
	/* whether 'f' has a %return is seen later */
	if (spec->letter == 'p' || spec->letter == 't')
		return parse_fail(p, number, DIAG_SPEC_MAXACTIVE);
	return place_maxactive(p, number, &spec->place);
}

/* $retval among the arguments makes an 'f' a return probe, as in the kernel. */
static bool has_retval(const struct parse *p, size_t pos)
{
	const char *s = p->text + pos;

	while ((s = strstr(s, "$retval"))) {
		s += strlen("$retval");
		if (!parse_is_ident(*s))
			return true;
	}
	return false;
}

static int check_function(const struct parse *p, struct span head, size_t pos,
			  struct probe_spec *spec)
{
	struct place_spec *place = &spec->place;

	if (spec->letter != 'f')
		return 0;
	place->is_return |= has_retval(p, pos);
	if (place->is_return || !place->maxactive)
		return 0;
	return parse_fail(p, span_between(head.start + 1,
					  parse_find(p, head, ':')),
			  DIAG_SPEC_MAXACTIVE);
}

/* ---- names -------------------------------------------------------------------- */

/* GROUP:EVENT of the definition; @event says what stands for a missing one. */
static int set_name(const struct parse *p, struct probe_spec *spec,
		    struct span group, const char *event)
{
	struct buf b = BUF_INIT;

	if (group.length) {
		buf_put(&b, p->text + group.start, group.length);
		buf_putc(&b, ':');
	} else if (spec->kind == SPEC_PROBE) {
		buf_printf(&b, "%s:", group_default(spec));
	}
	buf_puts(&b, event);
	spec->name = buf_take(&b);
	return spec->name ? 0 : parse_no_memory(p);
}

/* The name is known when the place is: p:GROUP/ has the default event. */
static int make_name(const struct parse *p, struct probe_spec *spec,
		     struct span group, struct span event)
{
	_cleanup_free_ char *text = NULL;

	if (event.length)
		text = parse_dup(p, event);
	else if (spec->kind == SPEC_DELETE)
		text = strdup("*");
	else
		text = event_default(spec);
	return text ? set_name(p, spec, group, text) : parse_no_memory(p);
}

/* [GROUP/][EVENT] behind the ':' of @head; both empty without one. */
static int parse_head_name(const struct parse *p, struct span head,
			   struct probe_spec *spec, struct span *group,
			   struct span *event)
{
	size_t end = span_end(head), colon = parse_find(p, head, ':');

	*group = *event = span_between(end, end);
	if (colon == end) {
		if (spec->kind == SPEC_PROBE)
			return 0;
		return parse_fail(p, *event, DIAG_SPEC_NO_EVENT);
	}
	spec->name_at = span_between(colon + 1, end);
	return parse_name(p, spec->name_at, group, event);
}

/* p:vfs_read names an event, and a place would follow. */
static int no_place(const struct parse *p, struct span behind,
		    const struct probe_spec *spec)
{
	const char *name = p->text + spec->name_at.start;
	int length = (int)spec->name_at.length;

	parse_fail(p, behind, DIAG_SPEC_NO_PLACE);
	if (length)
		diag_hint(p->d,
			  "after ':' stands the event's name, and then the place: %c:%.*s %.*s",
			  spec->letter, length, name, length, name);
	return -EINVAL;
}

/* PLACE [ARG...]: a removal may leave it out. */
static int parse_rest(struct parse *p, struct span head, size_t pos,
		      struct probe_spec *spec)
{
	struct span word, behind = span_between(pos, pos);
	int err;

	if (!parse_word(p, &pos, &word)) {
		if (spec->kind == SPEC_DELETE)
			return 0;
		return no_place(p, behind, spec);
	}
	err = kernel_place(p, spec->letter, word, &spec->place);
	if (!err)
		err = check_function(p, head, pos, spec);
	p->in_file = spec->place.file;
	return err ? err : parse_args(p, pos, spec);
}

int kernel_parse(struct parse *p, struct span at, struct probe_spec *spec)
{
	struct span head, group, event;
	size_t pos = at.start;
	int err = 0;

	p->kernel = true;
	spec->kernel_syntax = true;
	parse_word(p, &pos, &head);
	if (strchr("-!", p->text[head.start]))
		spec->kind = SPEC_DELETE;
	if (p->text[head.start] == '!')
		head = span_between(head.start + 1, span_end(head));
	if (p->text[head.start] != '-')
		err = parse_kind(p, head, spec);
	if (!err)
		err = parse_head_name(p, head, spec, &group, &event);
	if (!err)
		err = parse_rest(p, head, pos, spec);
	if (!err && (group.length || event.length))
		err = make_name(p, spec, group, event);
	return err;
}
