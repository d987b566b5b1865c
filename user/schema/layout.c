// SPDX-License-Identifier: GPL-2.0
/*
 * Layouts as blobs: u32 magic, u16 version, u16 zero, then items (base/items.h). The
 * version changes when something is added that an older reader may not skip; a layout
 * without it keeps the version before.
 */
#include "schema/layout.h"

#include <bpf/btf.h>
#include <errno.h>
#include <linux/ktap.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/items.h"
#include "base/utf8.h"
#include "types/table.h"
#include "types/walk.h"

#define LAYOUT_MAGIC	0x594c544bU /* "KTLY" */
#define LAYOUT_VERSION	4	/* 3: FORMAT_CGROUP; 4: a FIELD_COMM that can be missing */
#define FIELDS_MAX	4096
#define FIELD_NAME_MAX	255
#define HEAD_SIZE	8
#define NO_FAULT	0xffffffffU

enum layout_tag {
	TAG_DEFINITION = 1,	/* text */
	TAG_SYMBOL,		/* text */
	TAG_MODULE,		/* text */
	TAG_OFFSET,		/* u64 */
	TAG_ADDRESS,		/* u64 */
	TAG_SIZES,		/* u32 fixed size, fault mask offset and size */
	TAG_FIELD,		/* u8 kind, format, u16 zero, u32 size, offset,
				 * fault, name
				 */
	TAG_RETURN,		/* u32 offset of the address returned to, and u32
				 * bytes of it; without: 8
				 */
	TAG_SHAPE,		/* of the field before: u32 count, u8 bit offset,
				 * u8 bit width, u16 zero
				 */
	TAG_LITERAL,		/* of the field before: text */
	TAG_PATH,		/* text */
	TAG_NO_ENTRY,		/* u32 bit of the fault mask */
	TAG_FRAME,		/* of the field before: nothing */

	TAG_TYPES,		/* BTF */
	TAG_TYPE,		/* of the field before: u32 number in TAG_TYPES */
	TAG_HOLE,		/* of the field before: u32 offset, u32 bytes */
	TAG_CALLS,		/* text */
	TAG_AGGREGATES,		/* nothing */
	TAG_AGGREGATE,		/* of the field before: u32 kind, u32 steps, u64 lower
				 * end of the first one, u64 width
				 */
	TAG_SILENT,		/* nothing */
	TAG_ABSENT,		/* of the field before: u32 bit of the fault mask */
	TAG_NR
};

#define FIELD_HEAD_SIZE 16
#define SHAPE_SIZE 8
#define AGGREGATE_SIZE 24
#define HOLE_SIZE 8
#define HOLES_MAX 128	/* each is looked at for each value */

void layout_free(struct layout *layout)
{
	size_t i;

	if (!layout)
		return;
	for (i = 0; i < layout->nr_fields; i++) {
		free(layout->fields[i].name);
		free(layout->fields[i].text);
		free(layout->fields[i].holes);
	}
	free(layout->fields);
	btf__free(layout->types);
	free(layout->definition);
	free(layout->symbol);
	free(layout->module);
	free(layout->path);
	free(layout->calls);
	free(layout);
}

/* ---- writing ---- */

static void put_field(struct buf *b, const struct field *f)
{
	items_head(b, TAG_FIELD, FIELD_HEAD_SIZE + strlen(f->name));
	items_number(b, f->kind, 1);
	items_number(b, f->format, 1);
	items_number(b, 0, 2);
	items_number(b, f->size, 4);
	items_number(b, f->offset, 4);
	items_number(b, f->fault == FIELD_NO_FAULT ? NO_FAULT : (uint32_t)f->fault,
		     4);
	buf_puts(b, f->name);
	if (f->count || f->bit_width) {
		items_head(b, TAG_SHAPE, SHAPE_SIZE);
		items_number(b, f->count, 4);
		items_number(b, f->bit_offset, 1);
		items_number(b, f->bit_width, 1);
		items_number(b, 0, 2);
	}
	items_string(b, TAG_LITERAL, f->text);
	if (f->frame)
		items_head(b, TAG_FRAME, 0);
	if (f->state) {
		items_head(b, TAG_ABSENT, 4);
		items_number(b, f->absent, 4);
	}

	if (f->type) {
		items_head(b, TAG_TYPE, 4);
		items_number(b, f->type, 4);
	}
	if (f->aggregate.kind) {
		items_head(b, TAG_AGGREGATE, AGGREGATE_SIZE);
		items_number(b, f->aggregate.kind, 4);
		items_number(b, f->aggregate.nr, 4);
		items_number(b, f->aggregate.min, 8);
		items_number(b, f->aggregate.step, 8);
	}
	for (size_t i = 0; i < f->nr_holes; i++) {
		items_head(b, TAG_HOLE, HOLE_SIZE);
		items_number(b, f->holes[i].offset, 4);
		items_number(b, f->holes[i].size, 4);
	}
}

static void put_types(struct buf *b, const struct btf *types)
{
	const void *data;
	uint32_t size;

	if (!types)
		return;
	data = btf__raw_data(types, &size);
	if (!data) {
		b->failed = true;
		return;
	}
	items_bytes(b, TAG_TYPES, data, size);
}

static unsigned int version_of(const struct layout *layout)
{
	unsigned int version = LAYOUT_VERSION - 2;

	for (size_t i = 0; i < layout->nr_fields; i++) {
		const struct field *f = &layout->fields[i];

		if (f->kind == FIELD_COMM && f->fault != FIELD_NO_FAULT)
			return LAYOUT_VERSION;
		if (f->format == FORMAT_CGROUP)
			version = LAYOUT_VERSION - 1;
	}
	return version;
}

int layout_encode(const struct layout *layout, void **ret, size_t *size)
{
	struct buf b = BUF_INIT;
	size_t i;

	items_number(&b, LAYOUT_MAGIC, 4);
	items_number(&b, version_of(layout), 2);
	items_number(&b, 0, 2);
	items_string(&b, TAG_DEFINITION, layout->definition);
	items_string(&b, TAG_SYMBOL, layout->symbol);
	items_string(&b, TAG_MODULE, layout->module);
	items_string(&b, TAG_PATH, layout->path);
	items_string(&b, TAG_CALLS, layout->calls);
	items_u64(&b, TAG_OFFSET, layout->offset);
	items_u64(&b, TAG_ADDRESS, layout->address);
	items_head(&b, TAG_SIZES, 12);
	items_number(&b, layout->fixed_size, 4);
	items_number(&b, layout->faults_offset, 4);
	items_number(&b, layout->faults_size, 4);
	if (layout->is_return) {
		items_head(&b, TAG_RETURN, 8);
		items_number(&b, layout->return_offset, 4);
		items_number(&b, layout->return_size, 4);
	}
	if (layout->has_frame) {
		items_head(&b, TAG_NO_ENTRY, 4);
		items_number(&b, layout->no_entry, 4);
	}
	if (layout->aggregates)
		items_head(&b, TAG_AGGREGATES, 0);
	if (layout->silent)
		items_head(&b, TAG_SILENT, 0);
	put_types(&b, layout->types);
	for (i = 0; i < layout->nr_fields; i++)
		put_field(&b, &layout->fields[i]);
	*size = b.size;
	*ret = buf_take(&b);
	return *ret ? 0 : -ENOMEM;
}

/* ---- reading: each function gives the reason why it refuses, or NULL ---- */

static const char no_memory[] = "out of memory";

static const char *get_text(const uint8_t *p, size_t length, char **ret)
{
	if (!length || !utf8_is_plain((const char *)p, length))
		return "a text is not plain";
	*ret = strndup((const char *)p, length);
	return *ret ? NULL : no_memory;
}

static const char *get_u64(const uint8_t *p, size_t length, uint64_t *ret)
{
	if (length != 8)
		return "a number has the wrong size";
	*ret = items_get(p, 8);
	return NULL;
}

static const char *get_sizes(const uint8_t *p, size_t length,
			     struct layout *layout)
{
	if (length != 12)
		return "the sizes have the wrong size";
	layout->fixed_size = items_get(p, 4);
	layout->faults_offset = items_get(p + 4, 4);
	layout->faults_size = items_get(p + 8, 4);
	return NULL;
}

static const char *get_return(const uint8_t *p, size_t length,
			      struct layout *layout)
{
	if (length != 4 && length != 8)
		return "a number has the wrong size";
	layout->is_return = true;
	layout->return_offset = items_get(p, 4);
	layout->return_size = length == 8 ? items_get(p + 4, 4) : 8;
	return NULL;
}

static const char *get_no_entry(const uint8_t *p, size_t length,
				struct layout *layout)
{
	if (length != 4)
		return "a number has the wrong size";
	layout->has_frame = true;
	layout->no_entry = items_get(p, 4);
	return NULL;
}

static struct field *new_field(struct layout *layout)
{
	size_t nr = layout->nr_fields;
	struct field *fields;

	fields = array_grow(layout->fields, nr, sizeof(*fields));
	if (!fields)
		return NULL;
	layout->fields = fields;
	layout->fields[nr] = (struct field){};
	layout->nr_fields++;
	return &layout->fields[nr];
}

static const char *get_field(const uint8_t *p, size_t length,
			     struct layout *layout)
{
	struct field *f;
	uint32_t fault;

	if (layout->nr_fields == FIELDS_MAX)
		return "it has too many fields";
	if (length <= FIELD_HEAD_SIZE ||
	    length > FIELD_HEAD_SIZE + FIELD_NAME_MAX)
		return "a field has the wrong size";
	f = new_field(layout);
	if (!f)
		return no_memory;
	f->kind = items_get(p, 1);
	f->format = items_get(p + 1, 1);
	f->size = items_get(p + 4, 4);
	f->offset = items_get(p + 8, 4);
	fault = items_get(p + 12, 4);
	if (fault != NO_FAULT && fault >= KTAP_NR_FAULTS)
		return "a fault bit is out of range";
	f->fault = fault == NO_FAULT ? FIELD_NO_FAULT : (int)fault;
	return get_text(p + FIELD_HEAD_SIZE, length - FIELD_HEAD_SIZE,
			&f->name);
}

static const char *get_hole(const uint8_t *p, size_t length, struct field *f)
{
	struct typed_hole *holes;

	if (length != HOLE_SIZE || f->nr_holes == HOLES_MAX)
		return "a field has the wrong size";
	holes = array_grow(f->holes, f->nr_holes, sizeof(*holes));
	if (!holes)
		return no_memory;
	f->holes = holes;
	holes[f->nr_holes++] = (struct typed_hole){
		items_get(p, 4), items_get(p + 4, 4),
	};
	return NULL;
}

static const char *get_aggregate(const uint8_t *p, size_t length,
				 struct aggregate *a)
{
	if (length != AGGREGATE_SIZE || items_get(p, 4) >= AGGREGATE_NR)
		return "a field has the wrong size";
	*a = (struct aggregate){
		.kind = items_get(p, 4),
		.nr = items_get(p + 4, 4),
		.min = (int64_t)items_get(p + 8, 8),
		.step = items_get(p + 16, 8),
	};
	return NULL;
}

/* What is said of the field before. */
static const char *get_more(unsigned int tag, const uint8_t *p, size_t length,
			    struct layout *layout)
{
	struct field *f;

	if (!layout->nr_fields)
		return "something is said of no field";
	f = &layout->fields[layout->nr_fields - 1];
	if (tag == TAG_LITERAL) {
		free(f->text);
		f->text = strndup((const char *)p, length);
		return f->text ? NULL : no_memory;
	}
	if (tag == TAG_FRAME) {
		f->frame = true;
		return length ? "a field has the wrong size" : NULL;
	}
	if (tag == TAG_HOLE)
		return get_hole(p, length, f);
	if (tag == TAG_AGGREGATE)
		return get_aggregate(p, length, &f->aggregate);
	if (length != (tag == TAG_SHAPE ? SHAPE_SIZE : 4))
		return "a field has the wrong size";
	if (tag == TAG_TYPE) {
		f->type = items_get(p, 4);
		return NULL;
	}
	if (tag == TAG_ABSENT) {
		f->state = true;
		f->absent = items_get(p, 4);
		return NULL;
	}
	f->count = items_get(p, 4);
	f->bit_offset = items_get(p + 4, 1);
	f->bit_width = items_get(p + 5, 1);
	return NULL;
}

static const char *get_item(unsigned int tag, const uint8_t *p, size_t length,
			    struct layout *layout)
{
	switch (tag) {
	case TAG_DEFINITION:
		return get_text(p, length, &layout->definition);
	case TAG_SYMBOL:
		return get_text(p, length, &layout->symbol);
	case TAG_MODULE:
		return get_text(p, length, &layout->module);
	case TAG_PATH:
		return get_text(p, length, &layout->path);
	case TAG_CALLS:
		return get_text(p, length, &layout->calls);
	case TAG_OFFSET:
		return get_u64(p, length, &layout->offset);
	case TAG_ADDRESS:
		return get_u64(p, length, &layout->address);
	case TAG_SIZES:
		return get_sizes(p, length, layout);
	case TAG_FIELD:
		return get_field(p, length, layout);
	case TAG_RETURN:
		return get_return(p, length, layout);
	case TAG_NO_ENTRY:
		return get_no_entry(p, length, layout);
	case TAG_TYPES:
		return typetab_read(p, length, no_memory, &layout->types);
	case TAG_AGGREGATES:
		layout->aggregates = true;
		return length ? "a number has the wrong size" : NULL;
	case TAG_SILENT:
		layout->silent = true;
		return length ? "a number has the wrong size" : NULL;
	case TAG_SHAPE:
	case TAG_AGGREGATE:
	case TAG_LITERAL:
	case TAG_FRAME:
	case TAG_TYPE:
	case TAG_HOLE:
	case TAG_ABSENT:
		return get_more(tag, p, length, layout);
	default:
		return NULL;
	}
}

static bool is_unique(unsigned int tag)
{
	return tag && tag < TAG_NR && tag != TAG_FIELD && tag != TAG_SHAPE &&
	       tag != TAG_LITERAL && tag != TAG_FRAME && tag != TAG_TYPE &&
	       tag != TAG_HOLE && tag != TAG_AGGREGATE && tag != TAG_ABSENT;
}

static const char *get_items(const uint8_t *p, size_t size,
			     struct layout *layout)
{
	struct items items = { .next = p, .size = size };
	uint32_t seen = 0;
	struct item item;
	const char *why;

	while (items_next(&items, &item)) {
		if (is_unique(item.tag) && (seen & (1U << item.tag)))
			return "something is said twice";
		if (item.tag < TAG_NR)
			seen |= 1U << item.tag;
		why = get_item(item.tag, item.value, item.length, layout);
		if (why)
			return why;
	}
	if (items.cut)
		return "it is cut short";
	if (!(seen & (1U << TAG_DEFINITION)) || !(seen & (1U << TAG_SIZES)))
		return "it is not complete";
	return NULL;
}

/* ---- checking ---- */

static bool is_power(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool fits(const struct layout *layout, unsigned int offset,
		 uint64_t size)
{
	return size <= layout->fixed_size && offset <= layout->fixed_size - size;
}

static bool int_format_ok(enum field_format format)
{
	return (format >= FORMAT_UNSIGNED && format <= FORMAT_CHAR) ||
	       (format >= FORMAT_SYMBOL && format <= FORMAT_ERRNO) ||
	       format == FORMAT_CGROUP;
}

/* A whole id, and nothing else. */
static bool stack_ok(const struct field *f)
{
	return f->size == 8 && !f->count && !f->bit_width && !f->type &&
	       f->fault == FIELD_NO_FAULT;
}

static bool kind_ok(const struct field *f)
{
	switch (f->kind) {
	case FIELD_INT:
		if (field_is_stack(f))
			return stack_ok(f);
		return is_power(f->size) && int_format_ok(f->format) &&
		       f->bit_offset + f->bit_width <= f->size * 8 &&
		       (f->bit_width || !f->bit_offset);
	case FIELD_STRING:
		return f->size == sizeof(struct ktap_string) &&
		       f->format == FORMAT_TEXT;
	case FIELD_COMM:
		return f->size == KTAP_COMM_LEN && f->format == FORMAT_TEXT &&
		       !f->count;
	case FIELD_LITERAL:
		return !f->size && f->format == FORMAT_TEXT && !f->count &&
		       f->text;
	case FIELD_UNKNOWN:
		return !f->size && f->format == FORMAT_TEXT && !f->count;
	case FIELD_STRUCT:
		return f->size && f->format == FORMAT_TYPE && !f->count &&
		       f->type;
	default:
		return false;
	}
}

static bool type_ok(const struct layout *layout, const struct field *f)
{
	if (!f->type)
		return true;
	if (!layout->types || f->type >= btf__type_cnt(layout->types))
		return false;
	return f->kind == FIELD_STRUCT ||
	       (f->kind == FIELD_INT && !f->count &&
		typed_is_number(layout->types, f->type));
}

static bool can_fault(const struct field *f)
{
	return f->kind == FIELD_INT || f->kind == FIELD_STRUCT || f->kind == FIELD_COMM;
}

/* In order, and inside of the field */
static bool holes_ok(const struct field *f)
{
	uint64_t end = 0;

	for (size_t i = 0; i < f->nr_holes; i++) {
		if (f->holes[i].offset < end || !f->holes[i].size)
			return false;
		end = (uint64_t)f->holes[i].offset + f->holes[i].size;
	}
	return end <= (f->kind == FIELD_STRUCT ? f->size : 0);
}

bool field_is_signed(const struct field *f)
{
	switch (f->format) {
	case FORMAT_HEX:
		return f->size == sizeof(uint64_t);
	case FORMAT_UNSIGNED:
	case FORMAT_CHAR:
	case FORMAT_SYMBOL:
	case FORMAT_SYMSTR:
	case FORMAT_CGROUP:
		return false;
	default:
		return !field_is_stack(f);
	}
}

static bool aggregate_ok(const struct layout *layout, const struct field *f)
{
	const struct aggregate *a = &f->aggregate;

	if (!layout->aggregates)
		return !a->kind;
	if (a->kind == AGGREGATE_LINEAR &&
	    (!a->step || !a->nr || a->nr > KTAP_MAP_STEPS_MAX))
		return false;
	return a->kind == AGGREGATE_KEY ||
	       (a->kind && f->kind == FIELD_INT && !f->count && !f->bit_width);
}

static const char *check_field(const struct layout *layout,
			       const struct field *f)
{
	if (!kind_ok(f))
		return "a field is of no known kind";
	if (!type_ok(layout, f))
		return "a field has a type that is not there, or of another kind";
	if (!fits(layout, f->offset, field_bytes(f)))
		return "a field lies outside of the record";
	if (!holes_ok(f))
		return "what a field lacks lies outside of it";
	if (!aggregate_ok(layout, f))
		return "a field cannot be aggregated";
	if ((f->frame && !layout->has_frame) ||
	    (f->state && f->absent >= layout->faults_size * 8))
		return "a fault bit is out of range";
	if (f->fault == FIELD_NO_FAULT)
		return NULL;
	if (!can_fault(f) ||
	    (unsigned int)f->fault >= layout->faults_size * 8)
		return "a fault bit is out of range";
	return NULL;
}

static const char *check(const struct layout *layout)
{
	uint64_t elements = 0;
	const char *why;
	size_t i;

	if (layout->fixed_size > KTAP_RECORD_MAX - sizeof(struct ktap_rec_head))
		return "the record has an impossible size";
	if (layout->faults_size && (!is_power(layout->faults_size) ||
				    !fits(layout, layout->faults_offset,
					  layout->faults_size)))
		return "the fault mask lies outside of the record";
	if (layout->is_return &&
	    ((layout->return_size != 8 && layout->return_size != 4) ||
	     !fits(layout, layout->return_offset, layout->return_size)))
		return "the address returned to lies outside of the record";
	if (layout->has_frame && layout->no_entry >= layout->faults_size * 8)
		return "a fault bit is out of range";
	for (i = 0; i < layout->nr_fields; i++) {
		why = check_field(layout, &layout->fields[i]);
		if (why)
			return why;
		elements += layout->fields[i].count;
		/* no two are in the same bytes */
		if (elements > layout->fixed_size)
			return "it has too many elements";
	}
	return NULL;
}

int layout_decode(const void *blob, size_t size, struct diag *d,
		  struct layout **ret)
{
	const uint8_t *p = blob;
	struct layout *layout;
	const char *why;

	if (size < HEAD_SIZE || items_get(p, 4) != LAYOUT_MAGIC)
		return diag_set(d, -EBADMSG, DIAG_LAYOUT_DAMAGED,
				"it does not start as one");
	if (items_get(p + 4, 2) > LAYOUT_VERSION)
		return diag_set(d, -EBADMSG, DIAG_LAYOUT_NEWER,
				(unsigned int)items_get(p + 4, 2),
				LAYOUT_VERSION);
	layout = calloc(1, sizeof(*layout));
	if (!layout)
		return diag_no_memory(d);
	why = get_items(p + HEAD_SIZE, size - HEAD_SIZE, layout);
	if (!why)
		why = check(layout);
	if (!why) {
		*ret = layout;
		return 0;
	}
	layout_free(layout);
	if (why == no_memory)
		return diag_no_memory(d);
	return diag_set(d, -EBADMSG, DIAG_LAYOUT_DAMAGED, why);
}

/* Whether there is an item of that tag. */
static bool has_tag(const void *blob, size_t size, enum layout_tag tag)
{
	struct items items = {
		.next = (const uint8_t *)blob + HEAD_SIZE,
		.size = size < HEAD_SIZE ? 0 : size - HEAD_SIZE,
	};
	struct item item;

	while (items_next(&items, &item))
		if (item.tag == tag)
			return true;
	return false;
}

bool layout_aggregates(const void *blob, size_t size)
{
	return has_tag(blob, size, TAG_AGGREGATES);
}

bool layout_silent(const void *blob, size_t size)
{
	return has_tag(blob, size, TAG_SILENT);
}

/* Whether a field has one of two formats. */
static bool has_format(const void *blob, size_t size, enum field_format a,
		       enum field_format b)
{
	struct items items = {
		.next = (const uint8_t *)blob + HEAD_SIZE,
		.size = size < HEAD_SIZE ? 0 : size - HEAD_SIZE,
	};
	struct item item;

	while (items_next(&items, &item))
		if (item.tag == TAG_FIELD && item.length > FIELD_HEAD_SIZE &&
		    (item.value[1] == a || item.value[1] == b))
			return true;
	return false;
}

bool layout_has_stacks(const void *blob, size_t size)
{
	return has_format(blob, size, FORMAT_STACK, FORMAT_USTACK);
}

bool layout_has_ustacks(const void *blob, size_t size)
{
	return has_format(blob, size, FORMAT_USTACK, FORMAT_USTACK);
}

size_t layout_address_at(const void *blob, size_t size)
{
	struct items items = {
		.next = (const uint8_t *)blob + HEAD_SIZE,
		.size = size < HEAD_SIZE ? 0 : size - HEAD_SIZE,
	};
	struct item item;

	while (items_next(&items, &item))
		if (item.tag == TAG_ADDRESS && item.length == sizeof(uint64_t))
			return item.value - (const uint8_t *)blob;
	return 0;
}

/* @layout at no place. */
static int encode_shape(const struct layout *layout, void **ret, size_t *size)
{
	struct layout shape = *layout;

	shape.definition = "";
	shape.symbol = NULL;
	shape.module = NULL;
	shape.path = NULL;
	shape.calls = NULL;
	shape.offset = 0;
	shape.address = 0;
	return layout_encode(&shape, ret, size);
}

bool layout_alike(const struct layout *a, const struct layout *b)
{
	_cleanup_free_ void *one = NULL, *two = NULL;
	size_t nr_one, nr_two;

	return !encode_shape(a, &one, &nr_one) && !encode_shape(b, &two, &nr_two) &&
	       nr_one == nr_two && !memcmp(one, two, nr_one);
}
