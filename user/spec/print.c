// SPDX-License-Identifier: GPL-2.0
/* A definition as text: the canonical form, which parses back to the same. */
#include <limits.h>
#include <linux/ktap.h>
#include <string.h>

#include "base/buf.h"
#include "spec/parse.h"

/* Such a function is written NAME+0: the bare name starts a kernel line. */
static bool is_kernel_letter(const char *symbol)
{
	return strchr("prfte", symbol[0]) &&
	       symbol[1 + strspn(symbol + 1, "0123456789")] == '\0';
}

static void put_symbol(struct buf *b, const struct place_spec *place)
{
	if (place->module)
		buf_printf(b, "%s:", place->module);
	buf_puts(b, place->symbol);
	if (place->version)
		buf_printf(b, "@%s", place->version);
	if (place->offset || (!place->module && !place->source && !place->version &&
			      is_kernel_letter(place->symbol)))
		buf_printf(b, "+%llu", (unsigned long long)place->offset);
	if (place->source)
		buf_printf(b, "@%s", place->source);
}

static void put_watch(struct buf *b, const struct place_spec *place)
{
	buf_puts(b, "mem:");
	if (place->symbol)
		put_symbol(b, place);
	else
		buf_printf(b, "0x%llx", (unsigned long long)place->address);
	if (place->watch_length)
		buf_printf(b, "/%u", place->watch_length);
	if (place->watch_access)
		buf_printf(b, ":%s%s%s",
			   place->watch_access & KTAP_ACCESS_READ ? "r" : "",
			   place->watch_access & KTAP_ACCESS_WRITE ? "w" : "",
			   place->watch_access & KTAP_ACCESS_EXEC ? "x" : "");
}

static void put_line(struct buf *b, const struct place_spec *place)
{
	if (place->pattern)
		buf_printf(b, ";%s", place->pattern);
	else if (place->line_at.length && place->line_last == INT_MAX)
		buf_puts(b, ":*");
	else if (place->line_at.length)
		buf_printf(b, ":%u", place->line);
	if (place->line_at.length && !place->pattern &&
	    place->line_last > place->line && place->line_last < INT_MAX)
		buf_printf(b, "-%u", place->line_last);
}

static void put_place(struct buf *b, const struct place_spec *place)
{
	switch (place->kind) {
	case PLACE_ADDRESS:
		buf_printf(b, "0x%llx", (unsigned long long)place->address);
		break;
	case PLACE_SDT:
		buf_printf(b, "sdt:%s:%s", place->provider, place->symbol);
		break;
	case PLACE_TRACEPOINT:
		buf_printf(b, "tracepoint:%s%s%s",
			   place->provider ? place->provider : "",
			   place->provider ? ":" : "", place->symbol);
		break;
	case PLACE_SYSCALL:
		buf_printf(b, "sys:%s", place->symbol);
		break;
	case PLACE_WATCH:
		put_watch(b, place);
		break;
	case PLACE_TIMER:
		buf_printf(b, "timer:%s", place->symbol);
		break;
	case PLACE_SOURCE:
		buf_printf(b, "%s%s%s", place->module ? place->module : "",
			   place->module ? ":" : "", place->source);
		break;
	default:
		put_symbol(b, place);
		break;
	}
	put_line(b, place);
	if (place->is_return)
		buf_puts(b, "%return");
	if (place->maxactive)
		buf_printf(b, "(%u)", place->maxactive);
}

/* -x PATH came from outside of the text. */
static bool from_option(const struct probe_spec *spec)
{
	return spec->place.file && !spec->place.file_at.length;
}

/* As typed, but on one line, and without blanks around it. */
static char *kernel_line(const struct probe_spec *spec)
{
	const char *s = spec->text, *end = s + strlen(s);
	struct buf b = BUF_INIT;

	while (parse_is_blank(*s))
		s++;
	while (end > s && parse_is_blank(end[-1]))
		end--;
	if (from_option(spec))
		file_put(&b, spec->place.file);
	for (; s < end; s++)
		buf_putc(&b, parse_is_blank(*s) ? ' ' : *s);
	return buf_take(&b);
}

/* Arguments and filter. */
static void put_tail(struct buf *b, const struct probe_spec *spec,
		     const struct params *params)
{
	print_args(b, spec, params);
	if (spec->filter) {
		buf_puts(b, " if ");
		print_filter(b, spec->filter, params);
	}
}

static char *write_spec(const struct probe_spec *spec, const struct params *params)
{
	struct buf b = BUF_INIT;

	if (spec->kernel_syntax)
		return kernel_line(spec);
	if (spec->place.file)
		file_put(&b, spec->place.file);
	if (spec->name)
		buf_printf(&b, "%s=", spec->name);
	put_place(&b, &spec->place);
	put_tail(&b, spec, params);
	return buf_take(&b);
}

char *spec_canonical(const struct probe_spec *spec)
{
	return write_spec(spec, &spec->params);
}

char *spec_portable(const struct probe_spec *spec)
{
	return write_spec(spec, NULL);
}
