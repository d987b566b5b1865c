// SPDX-License-Identifier: GPL-2.0
/*
 * Bytes to bundles. The bytes may be hostile: each function says why it refuses them,
 * or returns NULL.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/array.h"
#include "base/items.h"
#include "base/utf8.h"
#include "bundle/bundle.h"
#include "bundle/format.h"
#include "schema/layout.h"

static const char no_memory[] = "out of memory";
static const char wrong_size[] = "a value has the wrong size";
static const char out_of_range[] = "a number is out of range";

/* ---- values ---- */

static const char *get_u64(const struct item *item, uint64_t *ret)
{
	if (item->length != 8)
		return wrong_size;
	*ret = items_get(item->value, 8);
	return NULL;
}

static const char *get_u32(const struct item *item, uint32_t *ret)
{
	uint64_t value;
	const char *why = get_u64(item, &value);

	if (!why && value > UINT32_MAX)
		why = out_of_range;
	if (!why)
		*ret = value;
	return why;
}

static const char *get_string(const struct item *item, size_t max, char **ret)
{
	const char *string = (const char *)item->value;

	if (*ret)
		return "something is said twice";
	if (!item->length || item->length >= max)
		return wrong_size;
	if (!utf8_is_plain(string, item->length))
		return "a string is not plain";
	*ret = strndup(string, item->length);
	return *ret ? NULL : no_memory;
}

static const char *get_bytes(const struct item *item, size_t max, void *ret,
			     size_t *size)
{
	if (item->length > max)
		return wrong_size;
	memcpy(ret, item->value, item->length);
	*size = item->length;
	return NULL;
}

/* ---- objects ---- */

/* A path may be long; nothing else is longer. */
#define STRING_MAX	4096
/* A definition of one word of a command line */
#define DEFINITION_MAX	(128UL << 10)

static const char *get_object_item(struct bundle_object *o,
				   const struct item *item)
{
	uint32_t kind;
	const char *why;

	switch (item->tag) {
	case OBJECT_KIND:
		why = get_u32(item, &kind);
		if (!why && (kind < BUNDLE_KERNEL || kind > BUNDLE_PROGRAM))
			why = out_of_range;
		if (!why)
			o->kind = kind;
		return why;
	case OBJECT_NAME:
		return get_string(item, STRING_MAX, &o->name);
	case OBJECT_ID:
		return get_bytes(item, sizeof(o->id), o->id, &o->id_size);
	case OBJECT_ANCHOR:
		return get_u64(item, &o->anchor);
	case OBJECT_ID_AT:
		return get_u64(item, &o->id_at);
	default:
		return NULL;
	}
}

static const char *get_object(struct bundle *b, struct items items)
{
	struct bundle_object *o = bundle_add_object(b);
	const char *why = o ? NULL : no_memory;
	struct item item;

	while (!why && items_next(&items, &item))
		why = get_object_item(o, &item);
	if (why)
		return why;
	if (items.cut)
		return "an object is cut short";
	if (!o->kind || !o->name || !o->id_size)
		return "an object is not complete";
	return o->kind == BUNDLE_KERNEL && !o->anchor ?
	       "a kernel has no anchor" : NULL;
}

/* ---- parameters ---- */

/**
 * struct said - the items of a parameter
 * @name: owned
 * @kind: enum param_kind
 * @size: bytes
 * @value: value
 */
struct said {
	char *name;
	uint64_t kind;
	uint64_t size;
	uint64_t value;
};

static const char *get_param_item(struct said *said, const struct item *item)
{
	switch (item->tag) {
	case PARAM_ITEM_NAME:
		return get_string(item, PARAM_NAME_SIZE, &said->name);
	case PARAM_ITEM_KIND:
		return get_u64(item, &said->kind);
	case PARAM_ITEM_SIZE:
		return get_u64(item, &said->size);
	case PARAM_ITEM_VALUE:
		return get_u64(item, &said->value);
	default:
		return NULL;
	}
}

static const char *add_param(struct bundle *b, const struct said *said)
{
	struct param p = { .name = said->name, .value = said->value };

	if (!said->name || !param_name_ok(said->name, strlen(said->name)))
		return "a parameter has no name";
	if (!param_type_ok(said->kind, said->size))
		return "a parameter has no type";
	p.kind = said->kind;
	p.size = said->size;
	if (!param_fits(&p, p.value))
		return "the default of a parameter is out of range";
	if (params_find(&b->params, p.name) || b->params.nr == PARAMS_MAX)
		return "there are too many parameters, or two have one name";
	return params_add(&b->params, &p) ? no_memory : NULL;
}

static const char *get_param(struct bundle *b, struct items items)
{
	struct said said = {};
	const char *why = NULL;
	struct item item;

	while (!why && items_next(&items, &item))
		why = get_param_item(&said, &item);
	if (!why && items.cut)
		why = "a parameter is cut short";
	if (!why)
		why = add_param(b, &said);
	free(said.name);
	return why;
}

/* ---- points ---- */

static const char *get_insns(const struct item *item, struct ktap_insn **ret,
			     size_t *nr)
{
	const uint8_t *p = item->value;

	if (*ret)
		return "something is said twice";
	*nr = item->length / INSN_BYTES;
	if (!*nr || item->length % INSN_BYTES || *nr > KTAP_PROG_MAX)
		return wrong_size;
	*ret = calloc(*nr, sizeof(**ret));
	if (!*ret)
		return no_memory;
	for (size_t i = 0; i < *nr; i++, p += INSN_BYTES)
		(*ret)[i] = (struct ktap_insn){
			.op = p[0], .dst = p[1], .a = p[2], .b = p[3],
			.size = p[4], .flags = p[5],
			.off = items_get(p + 6, 2),
			.imm = items_get(p + 8, 8),
		};
	return NULL;
}

static const char *get_fix(const struct item *item, struct bundle_point *p)
{
	struct bundle_fix *more;

	if (item->length != FIX_BYTES || p->nr_fixes == 2 * KTAP_PROG_MAX)
		return wrong_size;
	more = array_grow(p->fixes, p->nr_fixes, sizeof(*more));
	if (!more)
		return no_memory;
	p->fixes = more;
	more[p->nr_fixes++] = (struct bundle_fix){
		.in_entry = item->value[0] & FIX_IN_ENTRY,
		.is_negative = item->value[0] & FIX_NEGATIVE,
		.insn = items_get(item->value + 2, 2),
	};
	return NULL;
}

static const char *get_patch(const struct item *item, struct bundle_point *p)
{
	struct bundle_patch *more;

	if (item->length != PATCH_BYTES || p->nr_patches == 2 * KTAP_PROG_MAX)
		return wrong_size;
	more = array_grow(p->patches, p->nr_patches, sizeof(*more));
	if (!more)
		return no_memory;
	p->patches = more;
	more[p->nr_patches++] = (struct bundle_patch){
		.in_entry = item->value[0] & PATCH_IN_ENTRY,
		.insn = items_get(item->value + 2, 2),
		.param = items_get(item->value + 4, 4),
	};
	return NULL;
}

static const char *get_blob(const struct item *item, struct bundle_point *p)
{
	struct layout *layout;

	if (p->blob)
		return "something is said twice";
	if (layout_decode(item->value, item->length, NULL, &layout))
		return "a layout is damaged";
	layout_free(layout);
	p->blob = malloc(item->length);
	if (!p->blob)
		return no_memory;
	memcpy(p->blob, item->value, item->length);
	p->blob_size = item->length;
	return NULL;
}

static const char *get_programs(const struct item *item, struct bundle_point *p)
{
	switch (item->tag) {
	case POINT_INSNS:
		return get_insns(item, &p->insns, &p->nr_insns);
	case POINT_ENTRY_INSNS:
		return get_insns(item, &p->entry_insns, &p->nr_entry_insns);
	case POINT_FRAME_REGS:
		return get_bytes(item, sizeof(p->frame_regs), p->frame_regs,
				 &p->nr_frame_regs);
	case POINT_FIX:
		return get_fix(item, p);
	case POINT_PATCH:
		return get_patch(item, p);
	case POINT_BLOB:
		return get_blob(item, p);
	default:
		return NULL;
	}
}

static const char *get_point_item(struct bundle_point *p,
				  const struct item *item)
{
	uint32_t *const small[POINT_NR] = {
		[POINT_DEFINITION] = &p->definition,
		[POINT_OBJECT] = &p->object,
		[POINT_TYPE] = &p->type,
		[POINT_FLAGS] = &p->flags,
		[POINT_MAXACTIVE] = &p->maxactive,
		[POINT_LENGTH] = &p->length,
		[POINT_ACCESS] = &p->access,
	};
	uint64_t *const large[POINT_NR] = {
		[POINT_LOOKUP_OFFSET] = &p->lookup_offset,
		[POINT_OFFSET] = &p->offset,
		[POINT_ADDRESS] = &p->address,
		[POINT_FILE_OFFSET] = &p->file_offset,
		[POINT_REF_OFFSET] = &p->ref_offset,
		[POINT_FRAME_ADDRESS] = &p->frame_address,
		[POINT_FRAME_OFFSET] = &p->frame_offset,
		[POINT_PERIOD] = &p->period,
	};
	char **const strings[POINT_NR] = {
		[POINT_NAME] = &p->name,
		[POINT_SYMBOL] = &p->symbol,
		[POINT_LOOKUP] = &p->lookup,
	};

	if (item->tag >= POINT_NR)
		return NULL;
	if (small[item->tag])
		return get_u32(item, small[item->tag]);
	if (large[item->tag])
		return get_u64(item, large[item->tag]);
	if (strings[item->tag])
		return get_string(item, STRING_MAX, strings[item->tag]);
	return get_programs(item, p);
}

static const char *get_point(struct bundle *b, struct items items)
{
	struct bundle_point *p = bundle_add_point(b);
	const char *why = p ? NULL : no_memory;
	struct item item;

	while (!why && items_next(&items, &item))
		why = get_point_item(p, &item);
	if (!why && items.cut)
		why = "a probe is cut short";
	return why;
}

/* ---- what is read has to fit together ---- */

static bool insn_is_there(const struct bundle_point *p, bool in_entry,
			  unsigned int insn)
{
	return insn < (in_entry ? p->nr_entry_insns : p->nr_insns);
}

/* The module verifies the program that has the values; here, what is written is in it. */
static const char *check_patch(const struct bundle *b, const struct bundle_point *p,
			       const struct bundle_patch *patch)
{
	const struct ktap_insn *insns = patch->in_entry ? p->entry_insns : p->insns;

	if (patch->param >= b->params.nr ||
	    !insn_is_there(p, patch->in_entry, patch->insn))
		return out_of_range;
	if (insns[patch->insn].op != KTAP_OP_IMM &&
	    insns[patch->insn].op != KTAP_OP_ALUI)
		return "an instruction cannot have a parameter";
	return NULL;
}

static const char *check_point(const struct bundle *b,
			       const struct bundle_point *p)
{
	const char *why = NULL;
	bool in_program;

	if (!p->name || !p->nr_insns || !p->blob)
		return "a probe is not complete";
	if (p->definition >= b->nr_definitions || p->object >= b->nr_objects ||
	    !p->type || p->type > KTAP_TYPE_MAX || p->flags & ~BUNDLE_F_ALL)
		return out_of_range;
	in_program = p->type == KTAP_TYPE_UPROBE ||
		     p->type == KTAP_TYPE_URETPROBE;
	if (in_program != (b->objects[p->object].kind == BUNDLE_PROGRAM))
		return "a probe is in a file of another kind";
	for (size_t i = 0; i < p->nr_fixes; i++)
		if (!insn_is_there(p, p->fixes[i].in_entry, p->fixes[i].insn))
			return out_of_range;
	for (size_t i = 0; !why && i < p->nr_patches; i++)
		why = check_patch(b, p, &p->patches[i]);
	return why;
}

static const char *check(const struct bundle *b)
{
	const char *why;

	if (!arch_find(b->arch))
		return "it is for an unknown architecture";
	if (!b->nr_points)
		return "it has no probes";
	for (size_t i = 0; i < b->nr_points; i++) {
		why = check_point(b, &b->points[i]);
		if (why)
			return why;
	}
	return NULL;
}

static const char *get_item(struct bundle *b, const struct item *item)
{
	const struct items inner = { item->value, item->length, false };
	const char *why;
	char *text = NULL;
	uint32_t arch;

	switch (item->tag) {
	case TAG_ARCH:
		why = get_u32(item, &arch);
		if (!why)
			b->arch = arch;
		return why;
	case TAG_MAKER:
		return get_string(item, STRING_MAX, &b->maker);
	case TAG_OBJECT:
		return get_object(b, inner);
	case TAG_DEFINITION:
		why = get_string(item, DEFINITION_MAX, &text);
		if (!why && bundle_add_definition(b, text))
			why = no_memory;
		free(text);
		return why;
	case TAG_POINT:
		return get_point(b, inner);
	case TAG_PARAM:
		return get_param(b, inner);
	default:
		return NULL;
	}
}

static const char *get_items(struct bundle *b, const uint8_t *p, size_t size)
{
	struct items items = { p, size, false };
	const char *why = NULL;
	struct item item;

	while (!why && items_next(&items, &item))
		why = get_item(b, &item);
	if (!why && items.cut)
		why = "an item is cut short";
	return why ? why : check(b);
}

static int check_head(const char *path, const uint8_t *p, size_t size,
		      struct diag *d)
{
	uint64_t said;

	if (size < HEAD_BYTES ||
	    memcmp(p, BUNDLE_MAGIC, strlen(BUNDLE_MAGIC)))
		return diag_set(d, -EINVAL, DIAG_BUNDLE_FOREIGN, path);
	if (items_get(p + HEAD_VERSION, 4) > BUNDLE_VERSION)
		return diag_set(d, -EINVAL, DIAG_BUNDLE_VERSION_NEW, path,
				(unsigned int)items_get(p + HEAD_VERSION, 4),
				BUNDLE_VERSION);
	said = items_get(p + HEAD_SIZE, 8);
	if (size < said)
		return diag_set(d, -EINVAL, DIAG_BUNDLE_CUT, path, size,
				(unsigned long long)said);
	if (size > said || bundle_sum(p + HEAD_BYTES, size - HEAD_BYTES) !=
			   items_get(p + HEAD_SUM, 8))
		return diag_set(d, -EINVAL, DIAG_BUNDLE_CHECKSUM, path);
	return 0;
}

int bundle_decode(const char *path, const void *bytes, size_t size,
		  struct diag *d, struct bundle **ret)
{
	_cleanup_(bundle_freep) struct bundle *b = NULL;
	const char *why;
	int err;

	err = check_head(path, bytes, size, d);
	if (err)
		return err;
	b = calloc(1, sizeof(*b));
	if (!b)
		return diag_no_memory(d);
	why = get_items(b, (const uint8_t *)bytes + HEAD_BYTES,
			size - HEAD_BYTES);
	if (why == no_memory)
		return diag_no_memory(d);
	if (why)
		return diag_set(d, -EINVAL, DIAG_BUNDLE_DAMAGED, path, why);
	*ret = take_ptr(b);
	return 0;
}
