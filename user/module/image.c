// SPDX-License-Identifier: GPL-2.0
/* Bundles to images. */
#include "module/image.h"

#include <errno.h>
#include <linux/ktap_image.h>
#include <stdlib.h>
#include <string.h>

#include "aggregate/rows.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/crc32.h"
#include "schema/layout.h"
#include "wire/ctl.h"

static void pad(struct buf *b)
{
	static const char zeros[8];

	buf_put(b, zeros, -b->size & 7);
}

/* ---- objects ---------------------------------------------------------------------- */

static int put_object(struct buf *b, const struct bundle_object *o, struct diag *d)
{
	struct ktap_image_object io = {
		.kind = o->kind == BUNDLE_PROGRAM ? KTAP_IMAGE_PROGRAM :
						    KTAP_IMAGE_KERNEL,
		.id_at = o->id_at,
		.id_size = o->id_size,
	};
	size_t named = strlen(o->name) + 1;

	if (!o->id_at)
		return diag_set(d, -EINVAL, DIAG_MODULE_OLD_BUNDLE, o->name);
	io.size = sizeof(io) + named + (-named & 7);
	memcpy(io.id, o->id, o->id_size);
	buf_put(b, &io, sizeof(io));
	buf_put(b, o->name, named);
	pad(b);
	return 0;
}

/* @numbers: gets the number of each object, which does not count objects of modules */
static int put_objects(struct buf *b, const struct bundle *bundle,
		       struct ktap_image_head *head, uint32_t *numbers,
		       struct diag *d)
{
	int err = 0;

	for (size_t i = 0; !err && i < bundle->nr_objects; i++) {
		const struct bundle_object *o = &bundle->objects[i];

		numbers[i] = head->nr_objects;
		if (o->kind == BUNDLE_MODULE)
			continue;
		if (o->kind == BUNDLE_KERNEL && head->anchor)
			return diag_set(d, -EINVAL, DIAG_MODULE_TWO_KERNELS);
		if (o->kind == BUNDLE_KERNEL)
			head->anchor = o->anchor;
		err = put_object(b, o, d);
		head->nr_objects++;
	}
	return err;
}

/* ---- parameters -------------------------------------------------------------------- */

static int put_params(struct buf *b, const struct bundle *bundle,
		      struct ktap_image_head *head, struct diag *d)
{
	static const uint32_t kinds[PARAM_KIND_NR] = {
		[PARAM_UNSIGNED] = KTAP_IMAGE_UNSIGNED,
		[PARAM_SIGNED] = KTAP_IMAGE_SIGNED,
		[PARAM_HEX] = KTAP_IMAGE_HEX,
	};

	if (bundle->params.nr > KTAP_IMAGE_PARAMS_MAX)
		return diag_set(d, -EINVAL, DIAG_MODULE_PARAMS, bundle->params.nr,
				KTAP_IMAGE_PARAMS_MAX);
	for (size_t i = 0; i < bundle->params.nr; i++) {
		const struct param *p = &bundle->params.param[i];
		struct ktap_image_param ip = {
			.kind = kinds[p->kind], .size = p->size, .value = p->value,
		};

		memcpy(ip.name, p->name, strlen(p->name));
		buf_put(b, &ip, sizeof(ip));
	}
	head->nr_params = bundle->params.nr;
	return 0;
}

/* ---- probes ----------------------------------------------------------------------- */

static int fail_at(const struct bundle *b, const struct bundle_point *p,
		   struct diag *d)
{
	const char *text = b->definitions[p->definition];

	diag_at(d, text, 0, strlen(text));
	return -EINVAL;
}

static int check_point(const struct bundle *b, const struct bundle_point *p,
		       struct diag *d)
{
	const struct bundle_object *o = &b->objects[p->object];

	/* a timer is in no file, but a module is for a kernel */
	if (p->object >= b->nr_objects) {
		diag_set(d, -EINVAL, DIAG_BUNDLE_NO_KERNEL);
		diag_hint(d, "name its file with -k VMLINUX");
		return fail_at(b, p, d);
	}
	if (o->kind == BUNDLE_MODULE) {
		diag_set(d, -EINVAL, DIAG_MODULE_IN_MODULE, o->name);
		diag_hint(d, "use the bundle on the target: ktap-target record F.ktap");
		return fail_at(b, p, d);
	}
	if (layout_has_ustacks(p->blob, p->blob_size)) {
		diag_set(d, -EINVAL, DIAG_MODULE_USTACK);
		return fail_at(b, p, d);
	}
	return 0;
}

static struct ctl_probe_new request_of(const struct bundle *b,
				       const struct bundle_point *p)
{
	const struct bundle_object *o = &b->objects[p->object];
	bool is_program = o->kind == BUNDLE_PROGRAM;

	return (struct ctl_probe_new){
		.name = p->name,
		.type = p->type,
		.address = is_program ? 0 : p->address,
		.symbol = p->symbol && strlen(p->symbol) < KTAP_SYMBOL_MAX ?
			  p->symbol : NULL,
		.offset = is_program ? p->file_offset : p->offset,
		.insns = p->insns,
		.nr_insns = p->nr_insns,
		.entry_insns = p->entry_insns,
		.nr_entry_insns = p->nr_entry_insns,
		.maxactive = p->maxactive,
		.path = is_program ? o->name : NULL,
		.ref_offset = p->ref_offset,
		.length = p->length,
		.access = p->access,
		.frame_regs = p->frame_regs,
		.nr_frame_regs = p->nr_frame_regs,
		.frame_address = is_program ? 0 : p->frame_address,
		.has_frame_offset = is_program ||
				    p->flags & BUNDLE_F_FRAME_OFFSET,
		.frame_offset = p->frame_offset,
		.period = p->period,
		.each_cpu = p->flags & BUNDLE_F_EACH_CPU,
	};
}

static void put_fixes(struct buf *b, const struct bundle_point *p)
{
	for (size_t i = 0; i < p->nr_fixes; i++) {
		const struct bundle_fix *fix = &p->fixes[i];
		uint32_t word = fix->insn |
				(fix->in_entry ? KTAP_IMAGE_FIX_ENTRY : 0) |
				(fix->is_negative ? KTAP_IMAGE_FIX_NEGATIVE : 0);

		buf_put(b, &word, sizeof(word));
	}
	pad(b);
}

static void put_patches(struct buf *b, const struct bundle_point *p)
{
	for (size_t i = 0; i < p->nr_patches; i++) {
		const struct bundle_patch *patch = &p->patches[i];
		uint32_t word = patch->insn | patch->param << KTAP_IMAGE_PATCH_SHIFT |
				(patch->in_entry ? KTAP_IMAGE_PATCH_ENTRY : 0);

		buf_put(b, &word, sizeof(word));
	}
	pad(b);
}

/* How large keys are, only the kernel knows, which verifies the program. */
static int put_map(struct buf *b, const struct bundle *bundle,
		   const struct bundle_point *p, struct ktap_image_probe *ip, struct diag *d)
{
	_cleanup_(layout_freep) struct layout *layout = NULL;
	struct ktap_session_map map;
	int err;

	if (!layout_aggregates(p->blob, p->blob_size))
		return 0;
	err = layout_decode(p->blob, p->blob_size, d, &layout);
	if (err)
		return err;
	if (rows_shape(layout, sizeof(struct ktap_rec_head), MAP_ROWS_DEFAULT, d, &map))
		return fail_at(bundle, p, d);
	ip->map_size = sizeof(map);
	buf_put(b, (const char *)&map, sizeof(map));
	return 0;
}

static int put_probe(struct buf *b, const struct bundle *bundle,
		     const struct bundle_point *p, uint32_t object,
		     struct diag *d)
{
	_cleanup_buf_ struct buf parts = BUF_INIT;
	const struct ctl_probe_new req = request_of(bundle, p);
	size_t attrs_size = 0;
	struct ktap_image_probe ip = { .object = object };
	void *attrs = NULL;
	int err;

	err = ctl_encode_new(&req, &attrs, &attrs_size);
	if (err == -EMSGSIZE)
		return diag_set(d, err, DIAG_CTL_TOO_LARGE);
	if (err)
		return diag_no_memory(d);
	put_fixes(&parts, p);
	put_patches(&parts, p);
	buf_put(&parts, attrs, attrs_size);
	free(attrs);
	pad(&parts);
	buf_put(&parts, p->blob, p->blob_size);
	pad(&parts);
	err = put_map(&parts, bundle, p, &ip, d);
	if (err)
		return err;
	ip.size = sizeof(ip) + parts.size;
	ip.nr_fixes = p->nr_fixes;
	ip.nr_patches = p->nr_patches;
	ip.attrs_size = attrs_size;
	ip.blob_size = p->blob_size;
	if (bundle->objects[p->object].kind == BUNDLE_KERNEL)
		ip.address_at = layout_address_at(p->blob, p->blob_size);
	buf_put(b, &ip, sizeof(ip));
	buf_put(b, buf_str(&parts), parts.size);
	return parts.failed ? diag_no_memory(d) : 0;
}

static int put_probes(struct buf *b, const struct bundle *bundle,
		      const uint32_t *numbers, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; !err && i < bundle->nr_points; i++) {
		const struct bundle_point *p = &bundle->points[i];

		err = check_point(bundle, p, d);
		if (!err)
			err = put_probe(b, bundle, p, numbers[p->object], d);
	}
	return err;
}

/* ---- the whole ---------------------------------------------------------------------- */

static int put_all(struct buf *b, const struct bundle *bundle,
		   struct ktap_image_head *head, struct diag *d)
{
	_cleanup_free_ uint32_t *numbers = NULL;
	int err;

	numbers = calloc(bundle->nr_objects + 1, sizeof(*numbers));
	if (!numbers)
		return diag_no_memory(d);
	buf_put(b, head, sizeof(*head));
	err = put_objects(b, bundle, head, numbers, d);
	if (!err)
		err = put_params(b, bundle, head, d);
	return err ? err : put_probes(b, bundle, numbers, d);
}

int image_make(const struct bundle *b, struct diag *d, void **ret, size_t *size)
{
	_cleanup_buf_ struct buf image = BUF_INIT;
	struct ktap_image_head head = {
		.version = KTAP_IMAGE_VERSION,
		.arch = b->arch,
		.nr_probes = b->nr_points,
	};
	char *bytes;
	int err;

	memcpy(head.magic, KTAP_IMAGE_MAGIC, sizeof(head.magic));
	err = put_all(&image, b, &head, d);
	if (err)
		return err;
	if (image.failed)
		return diag_no_memory(d);
	if (image.size > KTAP_IMAGE_MAX)
		return diag_set(d, -EFBIG, DIAG_CTL_TOO_LARGE);
	head.size = image.size;
	*size = image.size;
	bytes = buf_take(&image);
	memcpy(bytes, &head, sizeof(head));
	head.sum = crc32_of(bytes, *size);
	memcpy(bytes, &head, sizeof(head));
	*ret = bytes;
	return 0;
}
