// SPDX-License-Identifier: GPL-2.0
/* Bundles to definitions on the machine that is probed. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/elf_id.h"
#include "base/rooted.h"
#include "define/bundle.h"
#include "define/debug.h"
#include "define/name.h"

#define KERNEL_NOTES	"/sys/kernel/notes"
#define MODULE_NOTES	"/sys/module/%s/notes/.note.gnu.build-id"

/**
 * struct proof - whether this machine has a file of the bundle
 * @err: 0: it has; else ...
 * @why: ... why not
 * @slide: kernel: added to its addresses
 * @hidden: kernel: this process may not see addresses, and @slide is unknown
 * @absent: module: it is not loaded
 * @bin: program: the open file
 */
struct proof {
	int err;
	struct diag why;
	uint64_t slide;
	bool hidden;
	bool absent;
	struct binary *bin;
};

/**
 * struct using - a bundle that is being used
 * @df: definer
 * @path: of the bundle
 * @b: it
 * @proofs: for each of its objects
 * @fn: takes definitions
 * @ctx: for @fn
 * @nr: definitions that were taken
 */
struct using {
	struct definer *df;
	const char *path;
	struct bundle *b;
	struct proof *proofs;
	bundle_fn fn;
	void *ctx;
	size_t nr;
};

/* ---- is it the same file? ---- */

static bool same_id(const struct bundle_object *o, const uint8_t *id, size_t size)
{
	return size == o->id_size && !memcmp(id, o->id, size);
}

static int other_id(const struct bundle_object *o, const uint8_t *id, size_t size,
		    struct proof *p)
{
	_cleanup_buf_ struct buf here = BUF_INIT, there = BUF_INIT;

	bundle_put_id(&here, id, size);
	bundle_put_id(&there, o->id, o->id_size);
	if (o->kind == BUNDLE_KERNEL)
		return diag_set(&p->why, -EINVAL, DIAG_BUNDLE_OTHER_KERNEL,
				buf_str(&here), o->name, buf_str(&there));
	return diag_set(&p->why, -EINVAL, DIAG_BUNDLE_OTHER_FILE, o->name,
			buf_str(&here), buf_str(&there));
}

static int prove_kernel(struct using *u, const struct bundle_object *o,
			struct proof *p)
{
	uint8_t id[ELF_ID_MAX];
	size_t size = elf_id_of_notes(KERNEL_NOTES, id);
	int err;

	if (!same_id(o, id, size))
		return other_id(o, id, size, p);
	err = define_ask(u->df, &p->why);
	p->hidden = !u->df->info.anchor;
	p->slide = u->df->info.anchor - o->anchor;
	return err;
}

/* The file that would be loaded as @module, or -1 */
static int open_module(const char *module)
{
	int fd = -1;
	char *path;

	for (unsigned int i = 0;
	     fd < 0 && (path = debug_module_path(module, i)); i++) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		free(path);
	}
	return fd;
}

static int prove_module(const struct bundle_object *o, struct proof *p)
{
	_cleanup_free_ char *notes = NULL;
	int fd;
	uint8_t id[ELF_ID_MAX];
	size_t size;

	if (asprintf(&notes, MODULE_NOTES, o->name) < 0) {
		notes = NULL;
		return diag_no_memory(&p->why);
	}
	p->absent = !debug_module_is_loaded(o->name);
	fd = p->absent ? open_module(o->name) : -1;
	if (p->absent && fd < 0)
		return diag_set(&p->why, -ENOENT, DIAG_BUNDLE_NO_SUCH_MODULE,
				o->name);
	size = p->absent ? elf_id_read(fd, id) : elf_id_of_notes(notes, id);
	cleanup_closep(&fd);
	return same_id(o, id, size) ? 0 : other_id(o, id, size, p);
}

static int prove_program(struct using *u, const struct bundle_object *o,
			 struct proof *p)
{
	_cleanup_free_ char *path = NULL;
	uint8_t id[ELF_ID_MAX];
	size_t size;
	int err;

	if (u->df->root) {
		path = rooted_path(u->df->root, o->name);
		if (!path)
			return diag_set(&p->why, -errno, DIAG_BUNDLE_ROOT,
					o->name, u->df->root, strerror(errno));
	}
	err = define_open(u->df, path ? path : o->name, &p->why, &p->bin);
	if (err)
		return err;
	size = elf_id_read(binary_fd(p->bin), id);
	return same_id(o, id, size) ? 0 : other_id(o, id, size, p);
}

static int prove_all(struct using *u, struct diag *d)
{
	u->proofs = calloc(u->b->nr_objects, sizeof(*u->proofs));
	if (!u->proofs)
		return diag_no_memory(d);
	for (size_t i = 0; i < u->b->nr_objects; i++) {
		const struct bundle_object *o = &u->b->objects[i];
		struct proof *p = &u->proofs[i];

		if (o->kind == BUNDLE_KERNEL)
			p->err = prove_kernel(u, o, p);
		else if (o->kind == BUNDLE_MODULE)
			p->err = prove_module(o, p);
		else
			p->err = prove_program(u, o, p);
	}
	return 0;
}

/* ---- points to definitions ---- */

static bool set_names(const struct bundle_point *p, const struct bundle_object *o,
		      const struct proof *proof, struct place *place)
{
	bool is_module = o->kind == BUNDLE_MODULE;

	return bundle_string(&place->symbol, p->lookup ? p->lookup : p->symbol) &&
	       bundle_string(&place->module, is_module ? o->name : NULL) &&
	       bundle_string(&place->path,
			     proof->bin ? binary_path(proof->bin) : NULL);
}

static void set_place(const struct bundle_point *p, const struct bundle_object *o,
		      const struct proof *proof, struct place *place)
{
	bool by_address = o->kind == BUNDLE_KERNEL && !proof->hidden;
	uint64_t further = p->lookup ? p->lookup_offset - p->offset : 0;

	place->type = p->type;
	place->is_entry = p->flags & BUNDLE_F_ENTRY;
	place->is_syscall = p->flags & BUNDLE_F_SYSCALL;
	place->at_ret = p->flags & BUNDLE_F_AT_RET;
	place->module_absent = proof->absent;
	place->offset = p->offset + further;
	place->file_offset = p->file_offset;
	place->ref_offset = p->ref_offset;
	place->has_frame = p->flags & BUNDLE_F_FRAME;
	place->has_frame_offset = p->flags & BUNDLE_F_FRAME_OFFSET;
	place->frame_offset = p->frame_offset;
	if (o->kind == BUNDLE_MODULE)
		place->frame_offset += further;
	place->watch_length = p->length;
	place->watch_access = p->access;
	place->period = p->period;
	place->each_cpu = p->flags & BUNDLE_F_EACH_CPU;
	if (by_address && p->address)
		place->address = p->address + proof->slide;
	if (by_address && p->frame_address)
		place->frame_address = p->frame_address + proof->slide;
	if (o->kind == BUNDLE_PROGRAM)
		place->address = p->address;
}

/* What is at a place that only its address says, or has one in its program */
static bool needs_address(const struct bundle_point *p,
			  const struct bundle_object *o)
{
	if (p->nr_fixes)
		return true;
	return o->kind == BUNDLE_KERNEL && p->address &&
	       !(p->flags & BUNDLE_F_UNIQUE);
}

static int set_program(const struct bundle_point *p, uint64_t slide,
		       struct diag *d, struct definition *def)
{
	struct program *program = calloc(1, sizeof(*program));

	def->program = program;
	if (!program)
		return diag_no_memory(d);
	program->insns = calloc(p->nr_insns, sizeof(*p->insns));
	program->entry_insns = calloc(p->nr_entry_insns + 1, sizeof(*p->insns));
	if (!program->insns || !program->entry_insns)
		return diag_no_memory(d);
	memcpy(program->insns, p->insns, p->nr_insns * sizeof(*p->insns));
	memcpy(program->entry_insns, p->entry_insns,
	       p->nr_entry_insns * sizeof(*p->insns));
	program->nr_insns = p->nr_insns;
	program->nr_entry_insns = p->nr_entry_insns;
	program->frame.nr = p->nr_frame_regs;
	memcpy(program->frame.regs, p->frame_regs, p->nr_frame_regs);
	for (size_t i = 0; i < p->nr_fixes; i++) {
		const struct bundle_fix *fix = &p->fixes[i];
		struct ktap_insn *insns = fix->in_entry ? program->entry_insns :
							  program->insns;

		insns[fix->insn].imm += fix->is_negative ? -slide : slide;
	}
	return 0;
}

/* The definition of a layout gets the values of parameters that are in force. */
static int put_values(const struct bundle *b, struct layout *layout,
		      struct diag *d)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	char *text;
	int err;

	if (!b->params.nr || !layout->definition)
		return 0;
	err = spec_parse_with(layout->definition, NULL, &b->params, d, &spec);
	if (err)
		return err;
	text = spec_canonical(spec);
	if (!text)
		return diag_no_memory(d);
	free(layout->definition);
	layout->definition = text;
	return 0;
}

/* The layout has an address where no symbol says the place. */
static int set_layout(const struct bundle *b, const struct bundle_point *p,
		      uint64_t slide, struct diag *d, struct definition *def)
{
	const struct bundle_object *o = &b->objects[p->object];
	struct layout *layout;
	int err;

	err = layout_decode(p->blob, p->blob_size, d, &layout);
	if (err)
		return err;
	def->program->layout = layout;
	err = put_values(b, layout, d);
	if (err)
		return err;
	if (layout->address && o->kind == BUNDLE_KERNEL)
		layout->address += slide;
	return layout_encode(layout, &def->blob, &def->blob_size) ?
	       diag_no_memory(d) : 0;
}

static int hidden(const struct definition *def, struct diag *d)
{
	diag_set(d, -EPERM, DIAG_BUNDLE_HIDDEN, addresses_hidden_by());
	diag_at(d, def->spec->text, def->spec->place.at.start,
		def->spec->place.at.length);
	addresses_hint(d);
	return -EPERM;
}

static int set_definition(const struct using *u, const struct bundle_point *p,
			  struct diag *d, struct definition *def)
{
	const struct bundle_object *o = &u->b->objects[p->object];
	const struct proof *proof = &u->proofs[p->object];
	int err;

	def->arch = u->b->arch;
	def->bin = proof->bin;
	def->glob = p->flags & BUNDLE_F_GLOB;
	def->events = p->flags & BUNDLE_F_EVENTS;
	def->joins = p->flags & BUNDLE_F_JOINS;
	def->is_fixed = true;
	err = spec_parse_with(u->b->definitions[p->definition], NULL, &u->b->params,
			      d, &def->spec);
	if (err)
		return err;
	if (proof->hidden && needs_address(p, o))
		return hidden(def, d);
	def->spec->place.maxactive = p->maxactive;
	if (!name_is_given(def->spec) && !bundle_string(&def->spec->name, p->name))
		return diag_no_memory(d);
	if (!set_names(p, o, proof, &def->place))
		return diag_no_memory(d);
	set_place(p, o, proof, &def->place);
	err = set_program(p, proof->slide, d, def);
	return err ? err : set_layout(u->b, p, proof->slide, d, def);
}

static int make_point(const struct using *u, const struct bundle_point *p,
		      struct diag *d, struct definition **ret)
{
	_cleanup_(definition_freep) struct definition *def = NULL;
	const struct proof *proof = &u->proofs[p->object];
	int err;

	if (proof->err)
		return diag_copy(d, proof->err, &proof->why);
	def = calloc(1, sizeof(*def));
	if (!def)
		return diag_no_memory(d);
	err = set_definition(u, p, d, def);
	if (!err)
		*ret = take_ptr(def);
	return err;
}

static int make_points(const struct using *u, size_t from, size_t to,
		       struct diag *d, struct definition **ret)
{
	_cleanup_(definition_freep) struct definition *first = NULL;
	struct definition **end = &first;
	int err = 0;

	for (size_t i = from; !err && i < to; i++) {
		err = make_point(u, &u->b->points[i], d, end);
		if (!err)
			end = &(*end)->next;
	}
	if (!err)
		err = define_name_points(u->df, first, d);
	if (!err)
		err = define_by_number(u->df, first, d);
	if (!err)
		*ret = take_ptr(first);
	return err;
}

/* ---- which points ---- */

/* The kernel that the object of a point is of; programs are of none. */
static size_t kernel_of(const struct bundle *b, size_t object)
{
	if (b->objects[object].kind == BUNDLE_PROGRAM)
		return SIZE_MAX;
	while (object && b->objects[object].kind != BUNDLE_KERNEL)
		object--;
	return object;
}

/* The points of one definition for one kernel end before: */
static size_t end_of(const struct bundle *b, size_t from)
{
	const struct bundle_point *first = &b->points[from];
	size_t kernel = kernel_of(b, first->object), to = from;

	while (to < b->nr_points &&
	       b->points[to].definition == first->definition &&
	       kernel_of(b, b->points[to].object) == kernel)
		to++;
	return to;
}

/* Of several kernels, those that are not here do not count where one is. */
static bool is_others(const struct using *u, size_t point)
{
	size_t kernel = kernel_of(u->b, u->b->points[point].object);

	if (kernel == SIZE_MAX || !u->proofs[kernel].err)
		return false;
	for (size_t i = 0; i < u->b->nr_objects; i++)
		if (u->b->objects[i].kind == BUNDLE_KERNEL && !u->proofs[i].err)
			return true;
	return false;
}

static int use_points(struct using *u, size_t from, size_t to, struct diag *d)
{
	_cleanup_(definition_freep) struct definition *def = NULL;
	_cleanup_diag_ struct diag why = {};
	int err;

	err = make_points(u, from, to, &why, &def);
	if (!err)
		err = u->fn(u->ctx, def, &why);
	u->nr += !err;
	if (!err)
		return 0;
	if (u->df->skip && err != -ENOMEM && err != -EINTR) {
		define_notify(u->df, &(struct define_notice){
			.kind = DEFINE_SKIPPED,
			.name = u->b->definitions[u->b->points[from].definition],
			.why = why.message,
		});
		return 0;
	}
	*d = why;
	why = (struct diag){};
	return err;
}

static int use_all(struct using *u, struct diag *d)
{
	size_t from = 0, to;
	int err = 0;

	for (; !err && from < u->b->nr_points; from = to) {
		to = end_of(u->b, from);
		if (!is_others(u, from))
			err = use_points(u, from, to, d);
	}
	if (!err && !u->nr)
		err = diag_set(d, -ENOENT, DIAG_BUNDLE_NONE_LEFT, u->path);
	return err;
}

static int check_arch(const struct using *u, struct diag *d)
{
	const struct arch *theirs = arch_find(u->b->arch);
	const struct arch *ours = arch_find(arch_native());

	if (theirs == ours)
		return 0;
	return diag_set(d, -EINVAL, DIAG_BUNDLE_OTHER_ARCH, u->path,
			theirs->name, ours->name);
}

int bundle_use(struct definer *df, const char *path, bundle_fn fn, void *ctx,
	       struct diag *d)
{
	struct using u = { .df = df, .path = path, .fn = fn, .ctx = ctx };
	int err;

	err = bundle_open(path, d, &u.b);
	if (!err)
		err = check_arch(&u, d);
	if (!err)
		err = bundle_set_params(u.b, df->params, d);
	if (!err)
		err = definer_see(df, &u.b->params, d);
	if (!err)
		err = prove_all(&u, d);
	if (!err)
		err = use_all(&u, d);
	for (size_t i = 0; u.proofs && i < u.b->nr_objects; i++)
		diag_clear(&u.proofs[i].why);
	free(u.proofs);
	bundle_free(u.b);
	return err;
}
