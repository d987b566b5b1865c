// SPDX-License-Identifier: GPL-2.0
/* Definitions: which language, and ktap's own: [[GROUP:]EVENT=]PLACE ARG... */
#include "spec/spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "spec/parse.h"
#include "spec/parse_place.h"

void spec_free(struct probe_spec *spec)
{
	size_t i;

	if (!spec)
		return;
	for (i = 0; i < spec->nr_args; i++) {
		free(spec->args[i].name);
		expr_free(spec->args[i].expr);
	}
	free(spec->args);
	for (i = 0; i < spec->nr_stores; i++)
		expr_free(spec->stores[i]);
	free(spec->stores);
	expr_free(spec->filter);
	params_deinit(&spec->params);
	free(spec->place.module);
	free(spec->place.file);
	free(spec->place.version);
	free(spec->place.source);
	free(spec->place.pattern);
	free(spec->place.provider);
	free(spec->place.symbol);
	free(spec->name);
	free(spec->text);
	free(spec);
}

static int no_place(const struct parse *p, size_t column)
{
	parse_fail(p, span_between(column, column), DIAG_SPEC_NO_PLACE);
	diag_hint(p->d, "NAME=PLACE is written without blanks");
	return -EINVAL;
}

/* [[GROUP:]EVENT=] of the first word; *@at becomes what follows it. */
static int parse_event(const struct parse *p, struct span *at,
		       struct probe_spec *spec)
{
	size_t end = span_end(*at), equals = parse_find(p, *at, '=');
	struct span group, event;
	int err;

	/* a pattern of a line may have one, too, and so has ns::operator= */
	if (equals == end || parse_find(p, *at, ';') < equals ||
	    memmem(p->text + at->start, equals - at->start, "::", 2))
		return 0;
	spec->name_at = span_between(at->start, equals);
	err = parse_name(p, spec->name_at, &group, &event);
	if (err)
		return err;
	spec->name = parse_dup(p, spec->name_at);
	if (!spec->name)
		return parse_no_memory(p);
	*at = span_between(equals + 1, end);
	return at->length ? 0 : no_place(p, end);
}

/* Blanks in the arguments of a template are a part of the name. */
static void parse_place_word(const struct parse *p, size_t *pos,
			     struct span *ret)
{
	struct span more, word;
	size_t behind;

	parse_word(p, pos, ret);
	word = *ret;
	behind = *pos;
	while (place_is_open(p, word) && parse_word(p, &behind, &more)) {
		word = span_between(word.start, span_end(more));
		if (place_is_open(p, word))
			continue;
		*ret = word;
		*pos = behind;
	}
}

static int own_parse(struct parse *p, struct span at,
		     struct probe_spec *spec)
{
	size_t pos = at.start;
	struct span word;
	int err;

	parse_place_word(p, &pos, &word);
	err = parse_event(p, &word, spec);
	if (!err)
		err = parse_place(p, word, &spec->place);
	return err ? err : parse_args(p, pos, spec);
}

static int parse_line(struct parse *p, struct span at,
		      struct probe_spec *spec)
{
	int err;

	if (kernel_is_line(p, at, spec->place.file))
		return kernel_parse(p, at, spec);
	err = foreign_check(p, at);
	return err ? err : own_parse(p, at, spec);
}

static size_t skip_blanks(const struct parse *p, size_t pos)
{
	while (parse_is_blank(p->text[pos]))
		pos++;
	return pos;
}

static int parse(struct parse *p, struct probe_spec *spec)
{
	size_t end = strlen(p->text), start = skip_blanks(p, 0);
	struct span at = span_between(start, end);
	int err;

	if (!at.length)
		return parse_fail(p, at, DIAG_SPEC_EMPTY);
	if (end > SPEC_TEXT_MAX)
		return parse_fail(p, span_between(SPEC_TEXT_MAX, end),
				  DIAG_SPEC_TOO_LONG, SPEC_TEXT_MAX);
	err = parse_file(p, &start, &spec->place);
	if (err)
		return err;
	p->in_file = spec->place.file;
	at = span_between(skip_blanks(p, start), end);
	return at.length ? parse_line(p, at, spec) : no_place(p, end);
}

int spec_parse_with(const char *text, const char *file,
		    const struct params *given, struct diag *d,
		    struct probe_spec **ret)
{
	struct probe_spec *spec = calloc(1, sizeof(*spec));
	struct parse p = { .text = text, .given = given, .d = d };
	int err = -ENOMEM;

	if (!spec)
		return parse_no_memory(&p);
	p.params = &spec->params;
	spec->text = strdup(text);
	if (file)
		spec->place.file = strdup(file);
	if (spec->text && (spec->place.file || !file))
		err = parse(&p, spec);
	else
		parse_no_memory(&p);
	if (err) {
		spec_free(spec);
		return err;
	}
	spec->takes_defaults = !spec->nr_args && !spec->nr_stores;
	*ret = spec;
	return 0;
}

int spec_parse_steps(const char *text, struct diag *d, struct aggregate *ret)
{
	const struct parse p = { .text = text, .d = d };

	return parse_steps(&p, span_between(0, strlen(text)), ret);
}

int spec_parse_in(const char *text, const char *file, struct diag *d,
		  struct probe_spec **ret)
{
	return spec_parse_with(text, file, NULL, d, ret);
}

int spec_parse(const char *text, struct diag *d, struct probe_spec **ret)
{
	return spec_parse_in(text, NULL, d, ret);
}
