// SPDX-License-Identifier: GPL-2.0
/*
 * Events as text for people, in the form of ftrace and perf script. Whatever a
 * traced program put into a name or a string, it cannot break the line or
 * steer the terminal; what a layout says was checked when it was decoded.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/fmt.h"
#include "base/scoped.h"
#include "base/shown.h"
#include "export/line.h"
#include "export/value.h"

/* ---- parts of the line ---- */

void text_hex(struct buf *out, uint64_t value)
{
	char text[FMT_MAX + 2] = "0x";

	buf_put(out, text, fmt_hex(text + 2, value) - text);
}

static void put_module(struct buf *out, const char *module)
{
	if (!module)
		return;
	buf_put(out, " [", 2);
	buf_puts(out, module);
	buf_putc(out, ']');
}

/* A ';' would end the frame in a folded stack. */
static void put_function_name(struct buf *out, const char *symbol)
{
	_cleanup_free_ char *shown = symbol_shown(symbol);
	const char *at = shown ? shown : symbol;
	size_t n;

	while (at[n = strcspn(at, ";")]) {
		buf_put(out, at, n);
		buf_putc(out, '_');
		at += n + 1;
	}
	buf_put(out, at, n);
}

static void put_symbol(struct buf *out, const char *symbol, uint64_t offset)
{
	put_function_name(out, symbol);
	buf_putc(out, '+');
	text_hex(out, offset);
}

/* @sym: the symbol of the address, or NULL */
static void put_located(struct buf *out, uint64_t address, const struct ksym *sym)
{
	if (!sym) {
		text_hex(out, address);
		return;
	}
	/* a place in a file that no symbol covers is its own name */
	if (*sym->name == '[')
		buf_puts(out, sym->name);
	else
		put_symbol(out, sym->name, address - sym->address);
	put_module(out, sym->module);
}

void text_address(struct buf *out, uint64_t address, const struct ksyms *ks)
{
	put_located(out, address, ks ? ksyms_by_address(ks, address) : NULL);
}

void text_inlined(struct buf *out, const char *name)
{
	put_function_name(out, name);
	buf_puts(out, " (inlined)");
}

void text_frame(struct buf *out, const struct ktap_stack *s, unsigned int i,
		const struct ksyms *ks)
{
	put_located(out, s->frames[i], frame_symbol(ks, s, i));
}

/* ---- values ---- */

static void put_unsigned(struct buf *out, const struct value *v,
			 const struct ksyms *ks)
{
	char text[FMT_MAX];

	(void)ks;
	buf_put(out, text, fmt_u64(text, v->number) - text);
}

static void put_signed(struct buf *out, const struct value *v,
		       const struct ksyms *ks)
{
	char text[FMT_MAX];

	(void)ks;
	buf_put(out, text, fmt_i64(text, v->number) - text);
}

static void put_hexadecimal(struct buf *out, const struct value *v,
			    const struct ksyms *ks)
{
	(void)ks;
	text_hex(out, v->number);
}

void text_char(struct buf *out, char c)
{
	buf_putc(out, '\'');
	shown_put(out, &c, 1, '\'');
	buf_putc(out, '\'');
}

static void put_character(struct buf *out, const struct value *v,
			  const struct ksyms *ks)
{
	(void)ks;
	text_char(out, v->number);
}

void text_string(struct buf *out, const char *s, size_t size, bool is_cut)
{
	buf_putc(out, '"');
	shown_put(out, s, size, '"');
	buf_putc(out, '"');
	if (is_cut)
		buf_put(out, "...", 3);
}

static void put_string(struct buf *out, const struct value *v,
		       const struct ksyms *ks)
{
	(void)ks;
	text_string(out, v->text, v->length, v->cut);
}

static void put_symbol_value(struct buf *out, const struct value *v,
			     const struct ksyms *ks)
{
	text_address(out, v->number, ks);
}

static void put_symstr(struct buf *out, const struct value *v,
		       const struct ksyms *ks)
{
	buf_putc(out, '"');
	text_address(out, v->number, ks);
	buf_putc(out, '"');
}

/* One that was removed before it was asked for has no path any more; 0 is none. */
static void put_cgroup(struct buf *out, const struct value *v,
		       const struct ksyms *ks)
{
	const char *path = ksyms_cgroup(ks, v->number);

	if (path)
		buf_puts(out, path);
	else
		put_unsigned(out, v, ks);
}

static void put_errno(struct buf *out, const struct value *v,
		      const struct ksyms *ks)
{
	const char *name = value_errno(v);

	if (!name) {
		put_signed(out, v, ks);
		return;
	}
	buf_putc(out, '-');
	buf_puts(out, name);
}

static const char *const stack_ends[] = {
	[KTAP_STACK_COMPLETE] = NULL,
	[KTAP_STACK_DEPTH] = "more frames",
	[KTAP_STACK_FAULT] = "the caller cannot be found",
	[KTAP_STACK_NO_TABLE] = "no unwind information",
	[KTAP_STACK_JIT] = "generated code",
};

/* The frames are in lines of their own: see put_frames(). */
static void put_stack(struct buf *out, const struct value *v,
		      const struct ksyms *ks)
{
	(void)ks;
	if (!v->stack)
		buf_puts(out, "(stack lost)");
	else if (!v->stack->nr)
		buf_printf(out, "(no %s stack)",
			   v->stack->flags & KTAP_STACK_F_USER ? "user" : "kernel");
	else
		buf_printf(out, "(%u frame%s)", v->stack->nr, fmt_s(v->stack->nr));
}

static void (*const text_formats[])(struct buf *out, const struct value *v,
				    const struct ksyms *ks) = {
	[FORMAT_UNSIGNED] = put_unsigned,
	[FORMAT_SIGNED] = put_signed,
	[FORMAT_HEX] = put_hexadecimal,
	[FORMAT_CHAR] = put_character,
	[FORMAT_TEXT] = put_string,
	[FORMAT_SYMBOL] = put_symbol_value,
	[FORMAT_SYMSTR] = put_symstr,
	[FORMAT_ERRNO] = put_errno,
	[FORMAT_STACK] = put_stack,
	[FORMAT_USTACK] = put_stack,
	[FORMAT_CGROUP] = put_cgroup,
};

static void put_one(struct buf *out, const struct value *v,
		    const struct ksyms *ks)
{
	if (v->unknown)
		buf_put(out, "(unknown)", 9);
	else if (v->no_entry)
		buf_put(out, "(no entry)", 10);
	else if (v->fault)
		buf_put(out, "(fault)", 7);
	else
		text_formats[v->field->format](out, v, ks);
}

static void put_elements(struct buf *out, const struct value *v,
			 const struct ksyms *ks)
{
	unsigned int i;

	for (i = 0; i < v->field->count; i++) {
		buf_putc(out, i ? ',' : '{');
		put_one(out, &v->elements[i], ks);
	}
	buf_putc(out, '}');
}

void text_value(struct buf *out, const struct event *e, const struct value *v,
		const struct look *look)
{
	if (v->fault || (!v->elements && !v->field->type))
		put_one(out, v, look->ks);
	else if (v->elements)
		put_elements(out, v, look->ks);
	else
		typed_text(out, e->layout->types, v, look);
}

/* ---- what is the same for many lines ---- */

static void put_cpu(struct buf *out, const struct event *e)
{
	char text[FMT_MAX];

	buf_putc(out, '[');
	buf_put(out, text, fmt_padded(text, e->cpu, 3) - text);
	buf_puts(out, "] ");
}

/* As wide as names of tasks mostly are, with their numbers. */
#define WHO_WIDTH 22

/* "cat-212 [001] " */
static void text_who(struct buf *out, const struct event *e,
		     const struct look *look)
{
	char text[FMT_MAX];

	shown_puts(out, e->comm);
	buf_putc(out, '-');
	buf_put(out, text, fmt_u64(text, e->tid) - text);
	while (look->aligned && out->size < WHO_WIDTH)
		buf_putc(out, ' ');
	buf_putc(out, ' ');
	put_cpu(out, e);
}

static enum how how_of(const struct value *v)
{
	if (v->field->type || v->elements)
		return HOW_VALUE;
	switch (v->field->format) {
	case FORMAT_UNSIGNED:
		return HOW_UNSIGNED;
	case FORMAT_SIGNED:
		return HOW_SIGNED;
	case FORMAT_HEX:
		return HOW_HEX;
	default:
		return HOW_VALUE;
	}
}

/* In a stripped program "prog:0x1139", as its disassembly has it. */
void place_text(struct buf *out, const struct layout *l)
{
	const char *slash = l->path ? strrchr(l->path, '/') : NULL;

	if (!l->symbol && l->path)
		buf_printf(out, "%s:", slash ? slash + 1 : l->path);
	if (!l->symbol && !l->path && !l->address)
		buf_puts(out, "timer");
	else if (!l->symbol)
		text_hex(out, l->address);
	else if (l->is_return && !l->offset)
		put_function_name(out, l->symbol);
	else
		put_symbol(out, l->symbol, l->offset);
	put_module(out, l->module);
}

/*
 * "(vfs_read+0x12)", "(nf_hook+0x0 [nf_tables])", "(0xffff...)", "(timer)", and of a
 * return "(ksys_read+0x60 <- vfs_read)". Symbols of C++ and Rust are shown as they were
 * written; in JSON they stay what they are.
 */
static void put_place(struct face *f, const struct layout *l)
{
	struct buf *out = &f->text;

	buf_putc(out, '(');
	face_part(f, HOW_VALUE);
	if (l->is_return)
		buf_put(out, " <- ", 4);
	place_text(out, l);
	buf_putc(out, ')');
	face_part(f, HOW_VALUE);
}

static void text_face(struct face *f, const struct event *e,
		      const struct look *look)
{
	size_t i;

	buf_put(&f->text, ": ", 2);
	shown_puts(&f->text, e->name);
	buf_put(&f->text, ": ", 2);
	put_place(f, e->layout);
	for (i = 0; i < e->nr_values; i++) {
		buf_putc(&f->text, ' ');
		buf_puts(&f->text, e->values[i].field->name);
		buf_putc(&f->text, '=');
		face_part(f, how_of(&e->values[i]));
		f->has_stacks |= value_is_stack(&e->values[i]);
	}
}

/* ---- lines ---- */

#define TEXT_DECIMALS	6
#define TEXT_TIME_MAX	(LINE_DATE_MAX + FMT_MAX + 2)

/* Times of day are those of who looks. */
static char *put_time(char *at, const struct line *l)
{
	size_t length;

	if (!l->date)
		return fmt_seconds(at, l->ns, TEXT_DECIMALS);
	length = strlen(l->date);
	memcpy(at, l->date, length);
	at += length;
	*at++ = '.';
	return fmt_padded(at, l->ns % 1000000000 / 1000, TEXT_DECIMALS);
}

static const struct format format_text;

static void put_inlined(struct buf *out, const struct ktap_stack *s, unsigned int i,
			const struct ksyms *ks)
{
	const char *const *name = NULL;
	size_t nr = frame_inlined(ks, s, i, &name);

	for (size_t k = 0; k < nr; k++) {
		buf_putc(out, '\t');
		text_inlined(out, name[k]);
		buf_putc(out, '\n');
	}
}

static void put_frames(struct buf *out, const struct ktap_stack *s,
		       const struct ksyms *ks)
{
	/* the reason for its end says nothing then */
	if (!s->nr)
		return;
	for (unsigned int i = 0; i < s->nr; i++) {
		put_inlined(out, s, i, ks);
		buf_putc(out, '\t');
		text_frame(out, s, i, ks);
		if (i == 1 && (s->flags & KTAP_STACK_F_UNSURE))
			buf_puts(out, " (a frame may be missing before it)");
		buf_putc(out, '\n');
	}
	if (s->flags & KTAP_STACK_F_BY_FP)
		buf_puts(out, "\t(callers are found by frame pointers: one may be missing or wrong)\n");
	if (s->end < __KTAP_STACK_ENDS && stack_ends[s->end])
		buf_printf(out, "\t(%s)\n", stack_ends[s->end]);
}

/* A call in the same function at another instruction is the same frame. */
static void put_function(struct buf *out, const struct ktap_stack *s, unsigned int i,
			 const struct ksyms *ks)
{
	const struct ksym *sym = frame_symbol(ks, s, i);

	if (!sym) {
		text_hex(out, s->frames[i]);
		return;
	}
	put_function_name(out, sym->name);
	put_module(out, sym->module);
}

/* Below the function that has the code, the outermost one first. */
static void fold_inlined(struct buf *out, const struct ktap_stack *s, unsigned int i,
			 const struct ksyms *ks)
{
	const char *const *name = NULL;
	size_t nr = frame_inlined(ks, s, i, &name);

	while (nr--) {
		buf_putc(out, ';');
		text_inlined(out, name[nr]);
	}
}

void value_folded(struct buf *out, const struct event *e, const struct value *v,
		  const struct ksyms *ks)
{
	const struct ktap_stack *s = value_is_stack(v) ? v->stack : NULL;

	/* what a timer interrupts in a program: no frames follow those of the program */
	if (s && !s->nr && !(s->flags & KTAP_STACK_F_USER))
		return;
	if (!s || !s->nr) {
		value_text(out, e, v, &(struct value_look){ .ks = ks });
		return;
	}
	if (s->end < __KTAP_STACK_ENDS && stack_ends[s->end])
		buf_printf(out, "(%s);", stack_ends[s->end]);
	for (unsigned int i = s->nr; i-- > 0;) {
		put_function(out, s, i, ks);
		fold_inlined(out, s, i, ks);
		if (i)
			buf_putc(out, ';');
	}
}

void stacks_text(struct buf *out, const struct event *e, const struct ksyms *ks)
{
	for (size_t i = 0; i < e->nr_values; i++)
		if (value_is_stack(&e->values[i]) && e->values[i].stack)
			put_frames(out, e->values[i].stack, ks);
}

static void text_hit(struct buf *out, const struct event *e,
		     const struct line *l)
{
	char *at = buf_room(out, l->who->size + TEXT_TIME_MAX + l->face->room + 1);

	if (!at)
		return;
	memcpy(at, l->who->data, l->who->size);
	at = put_time(at + l->who->size, l);
	at = line_face(out, at, e, l, &format_text);
	if (!at)
		return;
	*at++ = '\n';
	buf_end(out, at);
	if (l->face->has_stacks)
		stacks_text(out, e, l->look->ks);
}

/* ftrace's words, without a task: it is the ring that lost them. */
static void text_lost(struct buf *out, const struct event *e,
		      const struct line *l)
{
	char text[TEXT_TIME_MAX];

	put_cpu(out, e);
	buf_put(out, text, put_time(text, l) - text);
	buf_puts(out, ": [LOST ");
	buf_put(out, text, fmt_u64(text, e->lost) - text);
	buf_puts(out, " EVENTS]\n");
}

/* Without a place, which the line of a hit has. */
static void text_mark(struct buf *out, const struct event *e,
		      const struct line *l)
{
	char text[TEXT_TIME_MAX];

	buf_put(out, l->who->data, l->who->size);
	buf_put(out, text, put_time(text, l) - text);
	buf_puts(out, ": mark: ");
	shown_put(out, e->mark, e->mark_size, 0);
	buf_putc(out, '\n');
}

static const struct format format_text = {
	.who = text_who,
	.face = text_face,
	.hit = text_hit,
	.lost = text_lost,
	.mark = text_mark,
	.returned = text_address,
	.value = text_value,
};

static int text_begin(struct exporting *x)
{
	return lines_begin(x, &format_text);
}

const struct exporter exporter_text = {
	.name = "text",
	.options = EXPORTER_TIME | EXPORTER_SYMBOLS | EXPORTER_DEPTH |
		   EXPORTER_PRETTY | EXPORTER_ALIGNED,
	.state_size = sizeof(struct lines),
	.begin = text_begin,
	.event = lines_event,
	.end = lines_end,
};
