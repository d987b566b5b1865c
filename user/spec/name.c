// SPDX-License-Identifier: GPL-2.0
/* Names: of events as given, of events and arguments as made. */
#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/scoped.h"
#include "spec/parse.h"

/* The kernel's rule: groups may have a '-', events are C identifiers. */
static bool is_group(const struct parse *p, struct span at)
{
	size_t i;

	if (!parse_ident(p, at))
		return false;
	for (i = at.start; i < span_end(at); i++)
		if (!parse_is_ident(p->text[i]) && p->text[i] != '-')
			return false;
	return true;
}

static int check_group(const struct parse *p, struct span at)
{
	if (!at.length)
		return parse_fail(p, at, DIAG_SPEC_NO_GROUP);
	if (at.length >= SPEC_NAME_MAX)
		return parse_fail(p, at, DIAG_SPEC_GROUP_TOO_LONG,
				  SPEC_NAME_MAX - 1);
	if (is_group(p, at))
		return 0;
	parse_fail_text(p, at, DIAG_SPEC_BAD_GROUP, at, 0);
	diag_hint(p->d, "use letters, digits, '_' and '-', and no digit first");
	return -EINVAL;
}

static int check_event(const struct parse *p, struct span at)
{
	if (!at.length)
		return parse_fail(p, at, DIAG_SPEC_NO_EVENT);
	if (at.length >= SPEC_NAME_MAX)
		return parse_fail(p, at, DIAG_SPEC_EVENT_TOO_LONG,
				  SPEC_NAME_MAX - 1);
	if (parse_ident(p, at) == at.length)
		return 0;
	parse_fail_text(p, at, DIAG_SPEC_BAD_EVENT, at, 0);
	diag_hint(p->d, "use letters, digits and '_', and no digit first");
	return -EINVAL;
}

int parse_name(const struct parse *p, struct span at, struct span *group,
	       struct span *event)
{
	size_t end = span_end(at);
	size_t sep = parse_find(p, at, p->kernel ? '/' : ':');
	int err;

	if (p->kernel && sep == end)
		sep = parse_find(p, at, '.');
	*group = span_between(at.start, at.start);
	*event = at;
	if (sep < end) {
		*group = span_between(at.start, sep);
		*event = span_between(sep + 1, end);
		err = check_group(p, *group);
		if (err)
			return err;
		if (p->kernel && !event->length)
			return 0;
	}
	return check_event(p, *event);
}

/* An identifier from anything: what cannot be in one becomes '_'. */
static void put_ident(struct buf *b, const char *s)
{
	for (; *s; s++)
		buf_putc(b, parse_is_ident(*s) ? *s : '_');
}

/* "shape_area" of "shape<int>::area(int)": what is in brackets is left out. */
static void put_scoped(struct buf *b, const char *s)
{
	bool gap = false;
	int depth = 0;

	for (; *s; s++) {
		depth -= strchr(")>", *s) && depth;
		if (!depth && parse_is_ident(*s)) {
			if (gap && b->size)
				buf_putc(b, '_');
			buf_putc(b, *s);
		}
		gap = depth || !parse_is_ident(*s);
		depth += *s == '(' || *s == '<';
	}
}

static void put_symbol(struct buf *b, const char *symbol)
{
	_cleanup_free_ char *name = demangle(symbol, false);

	if (name)
		symbol = name;
	if (strpbrk(symbol, ":(<~"))
		put_scoped(b, symbol);
	else
		put_ident(b, symbol);
}

static void cut(struct buf *b, size_t length)
{
	if (b->size <= length)
		return;
	b->size = length;
	b->data[length] = '\0';
}

/* What the kernel calls a probe in a program: by its file's name. */
static void put_file_default(struct buf *b, const struct place_spec *place)
{
	const char *slash = strrchr(place->file, '/');
	const char *base = slash ? slash + 1 : place->file;

	buf_printf(b, "p_%.*s_0x%llx", (int)strcspn(base, ".-_"), base,
		   (unsigned long long)place->offset);
}

static void put_kernel_default(struct buf *b, const struct probe_spec *spec)
{
	_cleanup_buf_ struct buf name = BUF_INIT;
	const struct place_spec *place = &spec->place;
	char letter = place->is_return ? 'r' : 'p';

	if (place->kind == PLACE_FILE_OFFSET) {
		put_file_default(&name, place);
	} else if (place->kind == PLACE_ADDRESS) {
		buf_printf(&name, "%c_0x%llx", letter,
			   (unsigned long long)place->address);
	} else if (spec->letter == 't') {
		buf_printf(&name, "%s%s", parse_is_digit(place->symbol[0]) ? "_" : "",
			   place->symbol);
	} else if (spec->letter == 'f') {
		buf_printf(&name, "%s__%s", place->symbol,
			   place->is_return ? "exit" : "entry");
	} else {
		buf_printf(&name, "%c_", letter);
		if (place->module)
			buf_printf(&name, "%s:", place->module);
		buf_printf(&name, "%s_%llu", place->symbol,
			   (unsigned long long)place->offset);
	}
	put_ident(b, buf_str(&name));
	b->failed |= name.failed;
}

/* "read_write" of "fs/read_write.c" */
static void put_base_name(struct buf *b, const char *path)
{
	_cleanup_buf_ struct buf name = BUF_INIT;
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	if (parse_is_digit(*base))
		buf_putc(b, '_');
	buf_printf(&name, "%.*s", (int)strcspn(base, "."), base);
	put_ident(b, buf_str(&name));
	b->failed |= name.failed;
}

static void put_own_default(struct buf *b, const struct place_spec *place)
{
	const char *start = "";

	if (place->kind == PLACE_SYSCALL)
		start = "sys_";
	else if (place->kind == PLACE_WATCH)
		start = "mem_";
	else if (place->kind == PLACE_TIMER)
		start = "timer_";
	else if (place->kind == PLACE_ADDRESS)
		start = "probe_";
	buf_puts(b, start);
	if (place->kind == PLACE_SOURCE)
		put_base_name(b, place->source);
	else if (place->symbol)
		put_symbol(b, place->symbol);
	else
		buf_printf(b, "0x%llx", (unsigned long long)place->address);
	if (place->line_at.length && !place->pattern &&
	    place->line_last < INT_MAX) {
		cut(b, SPEC_NAME_MAX - sizeof("_L2147483647"));
		buf_printf(b, "_L%u", place->line);
	}
	if (place->is_return) {
		cut(b, SPEC_NAME_MAX - sizeof("__return"));
		buf_puts(b, "__return");
	}
}

char *event_default(const struct probe_spec *spec)
{
	struct buf b = BUF_INIT;

	if (spec->kernel_syntax)
		put_kernel_default(&b, spec);
	else
		put_own_default(&b, &spec->place);
	cut(&b, SPEC_NAME_MAX - 1);
	return buf_take(&b);
}

const char *group_default(const struct probe_spec *spec)
{
	if (spec->place.file)
		return "uprobes";
	if (spec->letter == 't')
		return "tracepoints";
	return spec->letter == 'f' ? "fprobes" : "kprobes";
}

char *spec_default_name(const struct probe_spec *spec)
{
	_cleanup_free_ char *event = NULL;
	struct buf b = BUF_INIT;

	if (spec->name)
		return strdup(spec->name);
	event = event_default(spec);
	if (!event)
		return NULL;
	if (spec->kernel_syntax)
		buf_printf(&b, "%s:", group_default(spec));
	buf_puts(&b, event);
	return buf_take(&b);
}

/* ---- arguments ---- */

const struct arg_spec *spec_find_arg(const struct probe_spec *spec,
				     const char *name)
{
	size_t i;

	for (i = 0; i < spec->nr_args; i++)
		if (spec->args[i].name && !strcmp(spec->args[i].name, name))
			return &spec->args[i];
	return NULL;
}

bool name_is_reserved(const char *name)
{
	static const char *const reserved[] = {
		"common_type", "common_flags", "common_preempt_count",
		"common_pid", "common_tgid", "__probe_ip", "__probe_ret_ip",
		"__probe_func",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reserved); i++)
		if (!strcmp(name, reserved[i]))
			return true;
	return false;
}

/* An identifier that is free and short enough to be a name. */
static bool is_name(const char *s)
{
	size_t i;

	if ((s[0] >= '0' && s[0] <= '9') || name_is_reserved(s))
		return false;
	for (i = 0; s[i]; i++)
		if (!parse_is_ident(s[i]))
			return false;
	return i && i <= SPEC_ARG_MAX;
}

/* What an element, a target, an address and an entry value are called after. */
static bool has_name_of_base(const struct expr *e)
{
	return e->kind == EXPR_ENTRY || e->kind == EXPR_INDEX ||
	       (e->kind == EXPR_UNARY &&
		(e->op == OP_TARGET || e->op == OP_ADDRESS));
}

/* The name of an event, as an identifier. */
static void put_event(struct buf *b, const char *name)
{
	for (; *name; name++)
		buf_putc(b, *name == '-' ? '_' : *name);
}

/*
 * The name that an expression suggests, if any: of members the last one.
 * "reg=reg" would be %reg.
 */
static void put_own_name(struct buf *b, const struct expr *e)
{
	while (has_name_of_base(e))
		e = e->base;
	if (e->kind == EXPR_NAME && strrchr(e->text, ':')) {
		if (is_name(strrchr(e->text, ':') + 1))
			buf_puts(b, strrchr(e->text, ':') + 1);
		return;
	}
	if (e->text && !strcmp(e->text, "reg"))
		return;
	if (e->kind == EXPR_COMM || e->kind == EXPR_RETVAL ||
	    e->kind == EXPR_ELAPSED || e->kind == EXPR_CALLER ||
	    e->kind == EXPR_CTX)
		buf_puts(b, var_name(e));
	else if (e->kind == EXPR_STATE)
		buf_puts(b, e->value ? "take" : "load");
	else if (e->kind == EXPR_KSTACK)
		buf_puts(b, "kstack");
	else if (e->kind == EXPR_USTACK)
		buf_puts(b, "ustack");
	else if (e->kind == EXPR_COUNTER)
		put_event(b, e->text);
	else if (e->kind == EXPR_ARG)
		buf_printf(b, "arg%lld", (long long)e->value);
	else if ((e->kind == EXPR_REG || e->kind == EXPR_NAME ||
		  e->kind == EXPR_MEMBER || e->kind == EXPR_PARAM) &&
		 is_name(e->text))
		buf_puts(b, e->text);
}

/* @base, or where another argument has that name, one like it, for the argument at
 * @index; malloc'ed, NULL: no memory.
 */
static char *free_name(const struct probe_spec *spec, size_t index,
		       const char *base)
{
	struct buf b = BUF_INIT;
	char suffix[24];
	size_t nr;

	buf_puts(&b, base);
	for (nr = index + 1; spec_find_arg(spec, buf_str(&b)); nr++) {
		snprintf(suffix, sizeof(suffix), "_%zu", nr);
		buf_clear(&b);
		buf_puts(&b, base);
		cut(&b, SPEC_ARG_MAX - strlen(suffix));
		buf_puts(&b, suffix);
		if (b.failed)
			break;
	}
	return buf_take(&b);
}

static bool has_arg(const struct probe_spec *spec, enum expr_kind kind)
{
	for (size_t i = 0; i < spec->nr_args; i++)
		if (spec->args[i].expr->kind == kind)
			return true;
	return false;
}

struct arg_spec *spec_add_arg(struct probe_spec *spec, const char *name,
			      enum expr_kind kind, struct diag *d)
{
	struct arg_spec *args, *arg;
	struct expr *e;

	args = array_grow(spec->args, spec->nr_args, sizeof(*args));
	if (!args) {
		diag_no_memory(d);
		return NULL;
	}
	spec->args = args;
	arg = &args[spec->nr_args];
	e = expr_new(kind, d);
	if (!e)
		return NULL;
	e->at = spec->place.at;
	*arg = (struct arg_spec){
		.name = free_name(spec, spec->nr_args, name),
		.at = spec->place.at, .expr = e,
	};
	if (!arg->name) {
		expr_free(e);
		diag_no_memory(d);
		return NULL;
	}
	spec->nr_args++;
	return arg;
}

int spec_add_stack(struct probe_spec *spec, enum expr_kind kind, struct diag *d)
{
	struct arg_spec *arg;

	if (has_arg(spec, kind))
		return 0;
	arg = spec_add_arg(spec, kind == EXPR_KSTACK ? "kstack" : "ustack", kind, d);
	if (!arg)
		return -ENOMEM;
	arg->expr->value = SPEC_STACK_FRAMES;
	return 0;
}

/* Names from expressions, or also @numbers for those that suggest none. */
static int name_args(const struct parse *p, struct probe_spec *spec,
		     bool numbers)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < spec->nr_args; i++) {
		if (spec->args[i].name)
			continue;
		buf_clear(&b);
		put_own_name(&b, spec->args[i].expr);
		if (!b.size && !numbers)
			continue;
		if (!b.size)
			buf_printf(&b, "arg%zu", i + 1);
		spec->args[i].name = free_name(spec, i, buf_str(&b));
		if (!spec->args[i].name)
			return parse_no_memory(p);
	}
	return 0;
}

/* Given names come before those of expressions, and these before numbers. */
int names_make(const struct parse *p, struct probe_spec *spec)
{
	int err = name_args(p, spec, false);

	return err ? err : name_args(p, spec, true);
}
