/* SPDX-License-Identifier: GPL-2.0 */
/* Parts of an event, as the formats of lines show them. */
#ifndef KTAP_EXPORT_VALUE_H
#define KTAP_EXPORT_VALUE_H

#include "base/buf.h"
#include "decode/decode.h"
#include "place/ksyms.h"

/**
 * struct value_look - how a value is shown
 * @ks: names addresses, or NULL
 * @depth: structures inside of structures that are shown; 0: the default
 * @ints_text: JSON: integers of 64 bits are texts
 */
struct value_look {
	const struct ksyms *ks;
	unsigned int depth;
	bool ints_text;
};

/**
 * value_text() - a value in text form, on one line
 * @out: appended to
 * @e: event
 * @v: one of its values
 * @look: how
 */
void value_text(struct buf *out, const struct event *e, const struct value *v,
		const struct value_look *look);

/**
 * value_folded() - a value in text form, where a stack is one word
 * @out: appended to
 * @e: event
 * @v: one of its values; of a stack, the names of its functions, from the outermost one
 *	to the innermost one, with ';' between them, which is the folded format of flame
 *	graphs. A stack that does not reach the outermost frame begins with the reason.
 * @ks: names addresses, or NULL
 */
void value_folded(struct buf *out, const struct event *e, const struct value *v,
		  const struct ksyms *ks);

/**
 * stacks_text() - the stacks of an event in text form: a line for each frame
 * @out: appended to; nothing where the event has no stack that is known
 * @e: event
 * @ks: names addresses, or NULL
 */
void stacks_text(struct buf *out, const struct event *e, const struct ksyms *ks);

/**
 * value_remarks() - remarks about the values of an event, as JSON
 * @out: appended to, inside of an object that has members: more of them, such as
 *	"faults" and "cut", each with the names of values; nothing where all is well
 * @e: event
 */
void value_remarks(struct buf *out, const struct event *e);

/**
 * value_json() - a value as JSON
 * @out: appended to
 * @e: event
 * @v: one of its values
 * @look: how
 */
void value_json(struct buf *out, const struct event *e, const struct value *v,
		const struct value_look *look);

/**
 * text_address() - append an address as function, offset and module
 * @out: where to
 * @address: address in the kernel
 * @ks: symbols, or NULL
 *
 * The form is "name+0x12 [module]", without the module for vmlinux. An address that no
 * symbol covers is a hexadecimal number.
 */
void text_address(struct buf *out, uint64_t address, const struct ksyms *ks);

/**
 * place_text() - the place of a probe in text form
 * @out: appended to
 * @l: layout of its records
 */
void place_text(struct buf *out, const struct layout *l);

#endif /* KTAP_EXPORT_VALUE_H */
