// SPDX-License-Identifier: GPL-2.0
/* Bundles to bytes. */
#include <errno.h>
#include <string.h>
#include <xxhash.h>

#include "base/items.h"
#include "bundle/bundle.h"
#include "bundle/format.h"

uint64_t bundle_sum(const void *bytes, size_t size)
{
	return XXH3_64bits(bytes, size);
}

/* A number that is 0 is not written: a reader begins with zeros. */
static void put_u64(struct buf *b, unsigned int tag, uint64_t value)
{
	if (value)
		items_u64(b, tag, value);
}

static void put_bytes(struct buf *b, unsigned int tag, const void *bytes,
		      size_t size)
{
	if (size)
		items_bytes(b, tag, bytes, size);
}

/* The items in @inner are the value of one item of @b. */
static void put_inner(struct buf *b, unsigned int tag, struct buf *inner)
{
	items_bytes(b, tag, buf_str(inner), inner->size);
	b->failed |= inner->failed;
	buf_clear(inner);
}

static void put_object(struct buf *b, const struct bundle_object *o)
{
	items_u64(b, OBJECT_KIND, o->kind);
	items_string(b, OBJECT_NAME, o->name);
	put_bytes(b, OBJECT_ID, o->id, o->id_size);
	put_u64(b, OBJECT_ANCHOR, o->anchor);
	put_u64(b, OBJECT_ID_AT, o->id_at);
}

static void put_insns(struct buf *b, unsigned int tag,
		      const struct ktap_insn *insns, size_t nr)
{
	if (!nr)
		return;
	items_head(b, tag, nr * INSN_BYTES);
	for (size_t i = 0; i < nr; i++) {
		items_number(b, insns[i].op, 1);
		items_number(b, insns[i].dst, 1);
		items_number(b, insns[i].a, 1);
		items_number(b, insns[i].b, 1);
		items_number(b, insns[i].size, 1);
		items_number(b, insns[i].flags, 1);
		items_number(b, insns[i].off, 2);
		items_number(b, insns[i].imm, 8);
	}
}

static void put_fixes(struct buf *b, const struct bundle_point *p)
{
	for (size_t i = 0; i < p->nr_fixes; i++) {
		const struct bundle_fix *fix = &p->fixes[i];

		items_head(b, POINT_FIX, FIX_BYTES);
		items_number(b, (fix->in_entry ? FIX_IN_ENTRY : 0) |
			     (fix->is_negative ? FIX_NEGATIVE : 0), 1);
		items_number(b, 0, 1);
		items_number(b, fix->insn, 2);
	}
}

static void put_patches(struct buf *b, const struct bundle_point *p)
{
	for (size_t i = 0; i < p->nr_patches; i++) {
		const struct bundle_patch *patch = &p->patches[i];

		items_head(b, POINT_PATCH, PATCH_BYTES);
		items_number(b, patch->in_entry ? PATCH_IN_ENTRY : 0, 1);
		items_number(b, 0, 1);
		items_number(b, patch->insn, 2);
		items_number(b, patch->param, 4);
	}
}

static void put_param(struct buf *b, const struct param *p)
{
	items_string(b, PARAM_ITEM_NAME, p->name);
	items_u64(b, PARAM_ITEM_KIND, p->kind);
	items_u64(b, PARAM_ITEM_SIZE, p->size);
	put_u64(b, PARAM_ITEM_VALUE, p->value);
}

static void put_point(struct buf *b, const struct bundle_point *p)
{
	put_u64(b, POINT_DEFINITION, p->definition);
	put_u64(b, POINT_OBJECT, p->object);
	put_u64(b, POINT_TYPE, p->type);
	put_u64(b, POINT_FLAGS, p->flags);
	items_string(b, POINT_NAME, p->name);
	items_string(b, POINT_SYMBOL, p->symbol);
	items_string(b, POINT_LOOKUP, p->lookup);
	put_u64(b, POINT_LOOKUP_OFFSET, p->lookup_offset);
	put_u64(b, POINT_OFFSET, p->offset);
	put_u64(b, POINT_ADDRESS, p->address);
	put_u64(b, POINT_FILE_OFFSET, p->file_offset);
	put_u64(b, POINT_REF_OFFSET, p->ref_offset);
	put_u64(b, POINT_FRAME_ADDRESS, p->frame_address);
	put_u64(b, POINT_FRAME_OFFSET, p->frame_offset);
	put_u64(b, POINT_MAXACTIVE, p->maxactive);
	put_u64(b, POINT_LENGTH, p->length);
	put_u64(b, POINT_ACCESS, p->access);
	put_u64(b, POINT_PERIOD, p->period);
	put_insns(b, POINT_INSNS, p->insns, p->nr_insns);
	put_insns(b, POINT_ENTRY_INSNS, p->entry_insns, p->nr_entry_insns);
	put_bytes(b, POINT_FRAME_REGS, p->frame_regs, p->nr_frame_regs);
	put_fixes(b, p);
	put_patches(b, p);
	items_bytes(b, POINT_BLOB, p->blob, p->blob_size);
}

static void put_items(struct buf *b, const struct bundle *bundle)
{
	_cleanup_buf_ struct buf inner = BUF_INIT;

	items_u64(b, TAG_ARCH, bundle->arch);
	items_string(b, TAG_MAKER, bundle->maker);
	for (size_t i = 0; i < bundle->nr_objects; i++) {
		put_object(&inner, &bundle->objects[i]);
		put_inner(b, TAG_OBJECT, &inner);
	}
	for (size_t i = 0; i < bundle->nr_definitions; i++)
		items_string(b, TAG_DEFINITION, bundle->definitions[i]);
	for (size_t i = 0; i < bundle->params.nr; i++) {
		put_param(&inner, &bundle->params.param[i]);
		put_inner(b, TAG_PARAM, &inner);
	}
	for (size_t i = 0; i < bundle->nr_points; i++) {
		put_point(&inner, &bundle->points[i]);
		put_inner(b, TAG_POINT, &inner);
	}
}

int bundle_encode(const struct bundle *b, void **ret, size_t *size)
{
	_cleanup_buf_ struct buf items = BUF_INIT;
	struct buf file = BUF_INIT;

	put_items(&items, b);
	buf_put(&file, BUNDLE_MAGIC, strlen(BUNDLE_MAGIC));
	/* a reader of the version before would not know that values are to be set */
	items_number(&file, b->params.nr ? BUNDLE_VERSION : BUNDLE_NO_PARAMS, 4);
	items_number(&file, 0, 4);
	items_number(&file, HEAD_BYTES + items.size, 8);
	items_number(&file, bundle_sum(buf_str(&items), items.size), 8);
	buf_put(&file, buf_str(&items), items.size);
	file.failed |= items.failed;
	*size = file.size;
	*ret = buf_take(&file);
	return *ret ? 0 : -ENOMEM;
}
