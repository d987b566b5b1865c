/* SPDX-License-Identifier: GPL-2.0 */
/* One event, one line: what exporters share that write lines. Private to export/. */
#ifndef KTAP_EXPORT_LINE_H
#define KTAP_EXPORT_LINE_H

#include "base/buf.h"
#include "decode/decode.h"
#include "export/exporter.h"
#include "export/value.h"
#include "place/stack.h"
#include "types/walk.h"

struct json;

/**
 * struct look - how values are shown
 * @ks: names addresses, or NULL
 * @depth: structures inside of structures that are shown
 * @pretty: text: their members have lines of their own
 * @ints_text: JSON: integers of 64 bits are texts
 * @aligned: text: times are below each other, for a terminal
 */
struct look {
	const struct ksyms *ks;
	unsigned int depth;
	bool pretty;
	bool ints_text;
	bool aligned;
};

/**
 * enum how - how a value gets into a line
 * @HOW_VALUE: by the format's own function
 * @HOW_UNSIGNED: as fmt_u64() says
 * @HOW_SIGNED: fmt_i64()
 * @HOW_HEX: fmt_hex(), behind a "0x"
 * @HOW_HEX_TEXT: the same in quotes
 */
enum how {
	HOW_VALUE,
	HOW_UNSIGNED,
	HOW_SIGNED,
	HOW_HEX,
	HOW_HEX_TEXT,
};

/**
 * struct face_part - text that is the same in all lines of a shape
 * @end: in struct face's text, where it is behind that of the part before
 * @how: the value that follows
 */
struct face_part {
	size_t end;
	enum how how;
};

/* Parts of a face, and what comes behind them in a line. */
enum {
	FACE_BEFORE,	/* of a return: where it returned to */
	FACE_AFTER,	/* nothing */
	FACE_VALUES,	/* one for each value: the value */
};

/**
 * struct face - the lines of one shape, without what changes from hit to hit
 * @text: of all parts
 * @parts: see above
 * @nr_parts: how many
 * @room: bytes of @text, and of numbers for all values
 * @has_stacks: text: a value is a stack
 */
struct face {
	struct buf text;
	struct face_part *parts;
	size_t nr_parts;
	size_t room;
	bool has_stacks;
};

/**
 * face_part() - end a part of a face
 * @f: face; the part is the text that was appended since the part before
 * @how: how the value that follows the part gets into a line; of the parts FACE_BEFORE and
 *	FACE_AFTER it is ignored
 *
 * Without memory it sets @f->text.failed, which is to be checked when the face is complete.
 */
void face_part(struct face *f, enum how how);

/**
 * face_deinit() - release the text and the parts of a face
 * @f: face; empty afterwards, so it can be made again
 */
void face_deinit(struct face *f);

/* Bytes of "2026-11-23 15:04:05" */
#define LINE_DATE_MAX 32

/**
 * struct line - of what a line is made beside the event
 * @ns: its time, as the user wants it
 * @date: text: of its second, where that is a time of day; or NULL
 * @look: how values are shown
 * @who: what the format's who() made of the event
 * @face: what its face() made of it
 */
struct line {
	int64_t ns;
	const char *date;
	const struct look *look;
	const struct buf *who;
	const struct face *face;
};

/**
 * struct format - a kind of line
 * @who: the part of the line that says which task on which CPU
 * @face: make the face of an event's shape, all its parts
 * @hit: append the line of a hit
 * @lost: append the line of a mark where records were lost
 * @mark: append the line of a mark
 * @returned: append where a function returned to
 * @value: append a value
 */
struct format {
	void (*who)(struct buf *out, const struct event *e,
		    const struct look *look);
	void (*face)(struct face *f, const struct event *e,
		     const struct look *look);
	void (*hit)(struct buf *out, const struct event *e,
		    const struct line *l);
	void (*lost)(struct buf *out, const struct event *e,
		     const struct line *l);
	void (*mark)(struct buf *out, const struct event *e,
		     const struct line *l);
	void (*returned)(struct buf *out, uint64_t address,
			 const struct ksyms *ks);
	void (*value)(struct buf *out, const struct event *e,
		      const struct value *v, const struct look *look);
};

/**
 * line_face() - all parts of the face, with what comes behind each
 * @out: where to
 * @at: end of @out so far; the face's room and one more byte are behind it
 * @e: event
 * @l: line
 * @format: puts what is no plain number
 *
 * Return: the new end, with room for a byte; NULL: no memory.
 */
char *line_face(struct buf *out, char *at, const struct event *e,
		const struct line *l, const struct format *format);

/* Tasks whose strings are kept: those that ran last, on as many CPUs. */
#define TASKS	16

/**
 * struct task_text - a task on a CPU, as lines have it
 * @cpu: CPU
 * @tid: thread
 * @tgid: process
 * @comm: name
 * @text: what the format makes of them; empty: there was none yet
 */
struct task_text {
	unsigned int cpu;
	uint32_t tid;
	uint32_t tgid;
	char comm[KTAP_COMM_LEN];
	struct buf text;
};

/**
 * struct lines - state of an exporter that writes lines
 * @format: of lines
 * @time: how time is shown
 * @wall_offset: SINK_TIME_WALL
 * @second: SINK_TIME_WALL: that @date is of
 * @date: as text has it
 * @look: how values are shown
 * @first: SINK_TIME_REL: time of the first event
 * @started: there was one
 * @tasks: by CPU
 * @faces: by shape, made when they are needed; the first one is for events that
 *	have none, and made anew each time
 * @nr_faces: how many
 */
struct lines {
	const struct format *format;
	enum sink_time time;
	int64_t wall_offset;
	int64_t second;
	char date[LINE_DATE_MAX];
	struct look look;
	uint64_t first;
	bool started;
	struct task_text tasks[TASKS];
	struct face *faces;
	size_t nr_faces;
};

/**
 * lines_begin() - begin of an exporter that writes lines
 * @x: output, whose state is a struct lines
 * @format: of its lines
 *
 * Return: 0.
 */
int lines_begin(struct exporting *x, const struct format *format);

/**
 * lines_event() - append the line of an event
 * @x: output
 * @e: event
 */
void lines_event(struct exporting *x, const struct event *e);

/**
 * lines_end() - release what the state of the exporter holds
 * @x: output
 */
void lines_end(struct exporting *x);

/**
 * typed_text() - append a value that has a type in text form: an initialiser of C
 * @out: where to
 * @types: table that has the type
 * @v: value of a FIELD_STRUCT or of a number with names; it is no fault
 * @look: how values are shown
 */
void typed_text(struct buf *out, const struct btf *types,
		const struct value *v, const struct look *look);

/**
 * typed_json() - write a value that has a type as JSON; ktap-json(5) describes the form
 * @j: writer, where a value is due
 * @types: table that has the type
 * @v: value of a FIELD_STRUCT or of a number with names; it is no fault
 * @look: how values are shown
 */
void typed_json(struct json *j, const struct btf *types, const struct value *v,
		const struct look *look);

/**
 * typed_of() - describe a value for typed_walk()
 * @types: table that has its type
 * @v: value of a FIELD_STRUCT or of a number with names
 * @look: how values are shown; only @depth is used
 *
 * Return: the description, which points into @types, @v and its field, and is valid as
 *	long as they are.
 */
struct typed typed_of(const struct btf *types, const struct value *v,
		      const struct look *look);

/**
 * text_value() - append a value of an event in text form
 * @out: where to
 * @e: event
 * @v: one of its values
 * @look: how values are shown
 */
void text_value(struct buf *out, const struct event *e, const struct value *v,
		const struct look *look);

/**
 * json_value() - append a value of an event as JSON
 * @out: where to
 * @e: event
 * @v: one of its values
 * @look: how values are shown
 */
void json_value(struct buf *out, const struct event *e, const struct value *v,
		const struct look *look);

/**
 * json_remarks() - append remarks about the values of an event
 * @out: inside of an object that has members
 * @e: event
 */
void json_remarks(struct buf *out, const struct event *e);

/**
 * text_string() - append a string in double quotes, escaped as in C
 * @out: where to
 * @s: string; needs no NUL
 * @size: its bytes
 * @is_cut: the string was longer: "..." follows the closing quote
 */
void text_string(struct buf *out, const char *s, size_t size, bool is_cut);

/**
 * text_char() - append a character in single quotes, escaped as in C
 * @out: where to
 * @c: the character
 */
void text_char(struct buf *out, char c);

/**
 * text_hex() - append a hexadecimal number: "0x" and digits without leading zeros
 * @out: where to
 * @value: the number
 */
void text_hex(struct buf *out, uint64_t value);

/**
 * text_inlined() - append the frame of a function that was inlined
 * @out: where to
 * @name: of the function
 */
void text_inlined(struct buf *out, const char *name);

/**
 * text_frame() - append a frame of a stack, as text_address()
 * @out: where to
 * @s: stack
 * @i: index of the frame
 * @ks: symbols, or NULL
 */
void text_frame(struct buf *out, const struct ktap_stack *s, unsigned int i,
		const struct ksyms *ks);

/**
 * json_unsigned() - write an integer without a sign as JSON
 * @j: writer, where a value is due
 * @value: the integer
 * @size: bytes of its type; with 8 it is a string of digits if @look->ints_text is set
 * @look: how values are shown
 */
void json_unsigned(struct json *j, uint64_t value, unsigned int size,
		   const struct look *look);

/**
 * json_signed() - write an integer with a sign as JSON
 * @j: writer, where a value is due
 * @value: the integer
 * @size: bytes of its type; with 8 it is a string of digits if @look->ints_text is set
 * @look: how values are shown
 */
void json_signed(struct json *j, int64_t value, unsigned int size,
		 const struct look *look);

/**
 * json_address() - write an address as a JSON string of function and offset
 * @j: writer, where a value is due
 * @address: address in the kernel
 * @ks: symbols, or NULL
 *
 * The form is "name+0x12", without the module. An address that no symbol covers is a
 * string with its hexadecimal number.
 */
void json_address(struct json *j, uint64_t address, const struct ksyms *ks);

/**
 * value_errno() - name an error by its number
 * @v: value that is a number, sign-extended to 64 bits
 *
 * Return: a constant without a sign, such as "ENOENT" for -2; NULL: the number is not from
 *	-4095 to -1, or this error has no name here.
 */
const char *value_errno(const struct value *v);

#endif /* KTAP_EXPORT_LINE_H */
