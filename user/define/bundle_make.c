// SPDX-License-Identifier: GPL-2.0
/* Definitions to bundles. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/array.h"
#include "base/elf_id.h"
#include "define/bundle.h"
#include "define/debug.h"
#include "define/debug_files.h"
#include "define/name.h"
#include "place/symtab.h"

/*
 * The second compilation is for a kernel at addresses that are higher by this. They are
 * still addresses of kernel code, and only addresses change between the compilations.
 */
#define SLIDE	0x12340000ULL

/**
 * struct making - a bundle that is being made
 * @order: its files and definitions
 * @b: it
 * @df: definer of the kernel at hand
 * @kernel: number of this kernel's object
 * @d: where errors go
 */
struct making {
	const struct bundle_order *order;
	struct bundle *b;
	struct definer df;
	size_t kernel;
	struct diag *d;
};

/* ---- objects ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int set_arch(struct making *m, enum ktap_arch arch, const char *path)
{
	if (m->b->arch && m->b->arch != arch)
		return diag_set(m->d, -EINVAL, DIAG_BUNDLE_TWO_ARCHS, path);
	m->b->arch = arch;
	return 0;
}

/* @path is the file on this machine. */
static int add_object(struct making *m, enum bundle_object_kind kind,
		      const char *name, const char *path, uint64_t anchor)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct bundle_object *o = bundle_add_object(m->b);
	struct elf_id id;

	if (o)
		o->name = strdup(name);
	if (!o || !o->name)
		return diag_no_memory(m->d);
	o->kind = kind;
	o->anchor = anchor;
	if (fd < 0 || !elf_id_find(fd, &id))
		return diag_set(m->d, -EINVAL, DIAG_BUNDLE_NO_ID, path);
	memcpy(o->id, id.bytes, id.size);
	o->id_size = id.size;
	o->id_at = kind == BUNDLE_PROGRAM ? id.offset : id.address;
	return 0;
}

static bool find_object(const struct making *m, enum bundle_object_kind kind,
			const char *name, size_t from, uint32_t *ret)
{
	for (size_t i = from; i < m->b->nr_objects; i++) {
		const struct bundle_object *o = &m->b->objects[i];

		if (o->kind != kind || strcmp(o->name, name))
			continue;
		*ret = i;
		return true;
	}
	return false;
}

static int add_kernel(struct making *m)
{
	const char *path = m->df.vmlinux;
	enum ktap_arch arch;
	uint64_t anchor;
	struct debug *dbg;
	int err;

	err = debug_files_symbols(&m->df, path, m->d, &dbg);
	if (!err && !debug_arch(dbg, &arch))
		err = diag_set(m->d, -EINVAL, DIAG_DEBUG_MACHINE, path);
	if (!err)
		err = set_arch(m, arch, path);
	if (!err && !debug_symbol(dbg, KTAP_ANCHOR, &anchor))
		err = diag_set(m->d, -EINVAL, DIAG_BUNDLE_NO_ANCHOR, path,
			       KTAP_ANCHOR);
	m->kernel = m->b->nr_objects;
	return err ? err : add_object(m, BUNDLE_KERNEL, base_name(path), path,
				      anchor);
}

static const char *file_of_module(const struct making *m, const char *module)
{
	for (size_t i = 0; i < m->df.nr_modules; i++)
		if (!strcmp(m->df.modules[i].name, module))
			return m->df.modules[i].path;
	return NULL;
}

static int fail_at_place(const struct making *m, const struct definition *def)
{
	const struct span *at = &def->spec->place.at;

	diag_at(m->d, def->spec->text, at->start, at->length);
	return -EINVAL;
}

/* The object that @def is in, which may be new. */
static int object_of(struct making *m, const struct definition *def,
		     uint32_t *ret)
{
	const char *name = def->bin ? def->spec->place.file : def->place.module;
	enum bundle_object_kind kind;
	const char *path;
	int err;

	if (!name) {
		*ret = m->kernel;
		return 0;
	}
	kind = def->bin ? BUNDLE_PROGRAM : BUNDLE_MODULE;
	if (find_object(m, kind, name, def->bin ? 0 : m->kernel, ret))
		return 0;
	path = def->bin ? binary_path(def->bin) : file_of_module(m, name);
	if (!path) {
		diag_set(m->d, -EINVAL, DIAG_BUNDLE_NO_MODULE, name);
		diag_hint(m->d, "name it with -m FILE.ko");
		return fail_at_place(m, def);
	}
	*ret = m->b->nr_objects;
	err = def->bin ? set_arch(m, binary_arch(def->bin), path) : 0;
	return err ? err : add_object(m, kind, name, path, 0);
}

/* ---- what is an address ---- */

/* Where that is in the definition is not known: programs have no columns. */
static int cannot_move(const struct making *m, const struct definition *def,
		       uint64_t distance)
{
	if (distance == 2 * SLIDE || -distance == 2 * SLIDE)
		diag_set(m->d, -EINVAL, DIAG_BUNDLE_FIXED_IN_MODULE,
			 def->place.module ? def->place.module : "?");
	else
		diag_set(m->d, -EINVAL, DIAG_BUNDLE_FIXED_ADDRESS);
	diag_at(m->d, def->spec->text, 0, strlen(def->spec->text));
	return -EINVAL;
}

static bool same_but_imm(const struct ktap_insn *a, const struct ktap_insn *b)
{
	struct ktap_insn copy = *b;

	copy.imm = a->imm;
	return !memcmp(a, &copy, sizeof(copy));
}

static int add_fix(struct making *m, struct bundle_point *p, bool in_entry,
		   size_t insn, bool is_negative)
{
	struct bundle_fix *more = array_grow(p->fixes, p->nr_fixes, sizeof(*more));

	if (!more)
		return diag_no_memory(m->d);
	p->fixes = more;
	more[p->nr_fixes++] = (struct bundle_fix){
		.in_entry = in_entry, .is_negative = is_negative, .insn = insn,
	};
	return 0;
}

/* @moved: @insns of the kernel that is SLIDE bytes further on */
static int compare(struct making *m, const struct definition *def,
		   const struct ktap_insn *insns, const struct ktap_insn *moved,
		   size_t nr, bool in_entry, struct bundle_point *p)
{
	int err = 0;

	for (size_t i = 0; !err && i < nr; i++) {
		uint64_t distance = moved[i].imm - insns[i].imm;

		if (!same_but_imm(&insns[i], &moved[i]))
			return cannot_move(m, def, 0);
		if (!distance)
			continue;
		if (distance != SLIDE && -distance != SLIDE)
			return cannot_move(m, def, distance);
		err = add_fix(m, p, in_entry, i, distance != SLIDE);
	}
	return err;
}

static int find_fixes(struct making *m, const struct definition *def,
		      const struct definition *moved, struct bundle_point *p)
{
	const struct program *a = def->program, *b = moved->program;
	int err;

	if (a->nr_insns != b->nr_insns ||
	    a->nr_entry_insns != b->nr_entry_insns)
		return cannot_move(m, def, 0);
	err = compare(m, def, a->insns, b->insns, a->nr_insns, false, p);
	return err ? err : compare(m, def, a->entry_insns, b->entry_insns,
				   a->nr_entry_insns, true, p);
}

/* ---- parameters ---- */

/* @new, of @def: the parameter has one type and one default in all of the bundle. */
static int check_param(const struct making *m, const struct definition *def,
		       const struct param *old, const struct param *new)
{
	int err = param_check_same(old, new, m->d);

	if (err)
		diag_at(m->d, def->spec->text, new->at.start, new->at.length);
	return err;
}

static int add_params(struct making *m, const struct definition *def)
{
	const struct params *params = &def->spec->params;
	int err = 0;

	for (size_t i = 0; !err && i < params->nr; i++) {
		const struct param *new = &params->param[i];
		const struct param *old = params_find(&m->b->params, new->name);

		if (old)
			err = check_param(m, def, old, new);
		else if (m->b->params.nr == PARAMS_MAX)
			err = diag_set(m->d, -EINVAL, DIAG_PARAM_MANY, PARAMS_MAX);
		else if (params_add(&m->b->params, new))
			err = diag_no_memory(m->d);
	}
	return err;
}

/* The bundle has one number for a parameter, and each definition its own. */
static int set_patches(struct making *m, const struct definition *def,
		       struct bundle_point *p)
{
	const struct program *program = def->program;

	p->patches = calloc(program->nr_patches + 1, sizeof(*p->patches));
	if (!p->patches)
		return diag_no_memory(m->d);
	for (size_t i = 0; i < program->nr_patches; i++) {
		const struct patch *patch = &program->patches[i];
		const struct param *own = &def->spec->params.param[patch->param];

		p->patches[p->nr_patches++] = (struct bundle_patch){
			.in_entry = patch->in_entry, .insn = patch->insn,
			.param = params_find(&m->b->params, own->name) -
				 m->b->params.param,
		};
	}
	return 0;
}

/* ---- points ---- */

static bool copy_insns(const struct ktap_insn *from, size_t nr,
		       struct ktap_insn **to, size_t *to_nr)
{
	if (!nr)
		return true;
	*to = malloc(nr * sizeof(**to));
	if (!*to)
		return false;
	memcpy(*to, from, nr * sizeof(**to));
	*to_nr = nr;
	return true;
}

static void set_place(const struct definition *def, struct bundle_point *p)
{
	const struct place *place = &def->place;

	p->type = place->type;
	p->flags = (def->glob ? BUNDLE_F_GLOB : 0) |
		   (def->events ? BUNDLE_F_EVENTS : 0) |
		   (def->joins ? BUNDLE_F_JOINS : 0) |
		   (place->is_entry ? BUNDLE_F_ENTRY : 0) |
		   (place->is_syscall ? BUNDLE_F_SYSCALL : 0) |
		   (place->at_ret ? BUNDLE_F_AT_RET : 0) |
		   (place->has_frame ? BUNDLE_F_FRAME : 0) |
		   (place->has_frame_offset ? BUNDLE_F_FRAME_OFFSET : 0) |
		   (place->each_cpu ? BUNDLE_F_EACH_CPU : 0);
	p->offset = place->offset;
	p->address = place->address;
	p->file_offset = place->file_offset;
	p->ref_offset = place->ref_offset;
	p->frame_address = place->frame_address;
	p->frame_offset = place->frame_offset;
	p->maxactive = def->spec->place.maxactive;
	p->length = place->watch_length;
	p->access = place->watch_access;
	p->period = place->period;
}

static bool set_program(const struct definition *def, struct bundle_point *p)
{
	const struct program *program = def->program;
	struct layout *layout = program->layout;

	p->nr_frame_regs = program->frame.nr;
	memcpy(p->frame_regs, program->frame.regs, program->frame.nr);
	/* the target knows the file by another path */
	if (def->bin) {
		free(layout->path);
		layout->path = strdup(def->spec->place.file);
		if (!layout->path)
			return false;
	}
	return copy_insns(program->insns, program->nr_insns, &p->insns,
			  &p->nr_insns) &&
	       copy_insns(program->entry_insns, program->nr_entry_insns,
			  &p->entry_insns, &p->nr_entry_insns) &&
	       !layout_encode(layout, &p->blob, &p->blob_size);
}

/* ---- how the target finds a place without its address ---- */

static size_t count_functions(const struct ksyms *ks, const char *name,
			      const char *module)
{
	struct ksym sym;
	size_t pos = 0, nr = 0;

	while (ksyms_find(ks, name, &pos, &sym))
		if (ksym_is_text(&sym) &&
		    !strcmp(sym.module ? sym.module : "", module ? module : ""))
			nr++;
	return nr;
}

/* The sections of a module are loaded apart: only within one a distance holds. */
static int area_of(struct making *m, const char *module, uint64_t address,
		   struct debug_area *ret)
{
	const char *path = file_of_module(m, module);
	const struct debug_map *map;
	struct debug *dbg;
	int err;

	err = debug_files_symbols(&m->df, path, m->d, &dbg);
	if (!err)
		err = debug_files_map(&m->df, dbg, m->d, &map);
	if (!err)
		*ret = debug_map_find(map, address - definer_module_slide(&m->df));
	return err;
}

/* The nearest function before @address whose name is unique in the module. */
static bool find_lookup(const struct making *m, const char *module,
			uint64_t address, const struct debug_area *area,
			struct ksym *ret)
{
	uint64_t start = area->start + definer_module_slide(&m->df);
	struct ksym sym;
	size_t pos = 0;

	ret->address = 0;
	ret->name = NULL;
	while (ksyms_next(m->df.ks, &pos, &sym))
		if (sym.module && !strcmp(sym.module, module) &&
		    ksym_is_text(&sym) && sym.address >= start &&
		    sym.address <= address && sym.address >= ret->address &&
		    count_functions(m->df.ks, sym.name, module) == 1)
			*ret = sym;
	return ret->name;
}

/*
 * The address of a module's function is unknown before the module is loaded, and hidden
 * from processes without CAP_SYSLOG. The kernel finds the place itself, by a name.
 */
static int set_lookup(struct making *m, const struct definition *def,
		      struct bundle_point *p)
{
	const struct place *place = &def->place;
	struct debug_area area;
	struct ksym sym;
	int err;

	if (def->bin || !place->symbol || place->type == KTAP_TYPE_TRACEPOINT)
		return 0;
	if (count_functions(m->df.ks, place->symbol, place->module) == 1) {
		p->flags |= BUNDLE_F_UNIQUE;
		return 0;
	}
	if (!place->module)
		return 0;
	err = area_of(m, place->module, place->address, &area);
	if (err)
		return err;
	if (!find_lookup(m, place->module, place->address, &area, &sym)) {
		diag_set(m->d, -EINVAL, DIAG_BUNDLE_NO_LOOKUP, place->module,
			 place->symbol);
		return fail_at_place(m, def);
	}
	p->lookup_offset = place->address - sym.address;
	return bundle_string(&p->lookup, sym.name) ? 0 : diag_no_memory(m->d);
}

static int add_point(struct making *m, const struct definition *def,
		     const struct definition *moved, size_t definition)
{
	struct bundle_point *p;
	uint32_t object = 0;
	int err;

	err = object_of(m, def, &object);
	if (err)
		return err;
	p = bundle_add_point(m->b);
	if (!p)
		return diag_no_memory(m->d);
	p->definition = definition;
	p->object = object;
	set_place(def, p);
	if (!bundle_string(&p->name, def->spec->name) ||
	    !bundle_string(&p->symbol, def->place.symbol) || !set_program(def, p))
		return diag_no_memory(m->d);
	err = set_patches(m, def, p);
	if (!err)
		err = set_lookup(m, moved, p);
	return err ? err : find_fixes(m, def, moved, p);
}

/* ---- definitions ---- */

static int compile(struct making *m, const char *text, struct definition **ret)
{
	struct definition *def;
	int err;

	err = define_compile(&m->df, text, m->d, &def);
	if (err)
		return err;
	*ret = def;
	if (!definition_deletes(def))
		return add_params(m, def);
	diag_set(m->d, -EINVAL, DIAG_BUNDLE_NOTHING);
	diag_at(m->d, text, 0, strlen(text));
	return -EINVAL;
}

static int add_points(struct making *m, const struct definition *def,
		      const struct definition *moved, size_t definition)
{
	int err = 0;

	for (; !err && def && moved; def = def->next, moved = moved->next)
		err = add_point(m, def, moved, definition);
	if (!err && (def || moved))
		err = cannot_move(m, def ? def : moved, 0);
	return err;
}

/* All definitions of the order, at where the kernel is now. */
static int compile_all(struct making *m, struct definition **defs)
{
	const struct bundle_order *o = m->order;
	int err = 0;

	for (size_t i = 0; !err && i < o->nr_definitions; i++)
		err = compile(m, o->definitions[i], &defs[i]);
	return err;
}

static void free_all(struct definition **defs, size_t nr)
{
	for (size_t i = 0; defs && i < nr; i++)
		definition_free(defs[i]);
	free(defs);
}

/* The points of all definitions: @defs, and @moved, which is further on. */
static int add_all(struct making *m, struct definition **defs,
		   struct definition **moved)
{
	const struct bundle_order *o = m->order;
	bool is_first = !m->kernel;
	int err = 0;

	/* what is in a program is there once, however many kernels there are */
	for (size_t i = 0; !err && i < o->nr_definitions; i++)
		if (is_first || !defs[i]->bin)
			err = add_points(m, defs[i], moved[i], i);
	return err;
}

static int compile_twice(struct making *m)
{
	size_t nr = m->order->nr_definitions;
	struct definition **defs = calloc(nr, sizeof(*defs));
	struct definition **moved = calloc(nr, sizeof(*moved));
	int err;

	err = defs && moved ? compile_all(m, defs) : diag_no_memory(m->d);
	if (!err)
		err = definer_check_params(&m->df, m->d);
	if (!err) {
		/* the notes were given */
		m->df.notice = NULL;
		definer_set_slide(&m->df, SLIDE);
		err = compile_all(m, moved);
	}
	if (!err)
		err = add_all(m, defs, moved);
	free_all(defs, nr);
	free_all(moved, nr);
	return err;
}

/* All definitions for one kernel, or without @kernel for none. */
static int make_for(struct making *m, const char *kernel)
{
	const struct bundle_order *o = m->order;
	int err;

	err = definer_init(&m->df, NULL, 0, o->notice, o->notice_ctx, m->d);
	m->df.dry = true;
	m->df.foreign = true;
	m->df.vmlinux = kernel;
	m->df.files = o->files;
	m->df.nr_files = o->nr_files;
	m->df.source = o->source;
	m->df.params = o->params;
	if (!err && kernel)
		err = add_kernel(m);
	for (size_t i = 0; !err && i < o->nr_modules; i++)
		err = definer_add_module(&m->df, o->modules[i], m->d);
	if (!err)
		err = compile_twice(m);
	definer_deinit(&m->df);
	return err;
}

static int fill(struct making *m)
{
	const struct bundle_order *o = m->order;
	int err = 0;

	for (size_t i = 0; !err && i < o->nr_definitions; i++)
		if (bundle_add_definition(m->b, o->definitions[i]))
			err = diag_no_memory(m->d);
	if (!err && !bundle_string(&m->b->maker, o->maker))
		err = diag_no_memory(m->d);
	if (!err && !o->nr_kernels)
		err = make_for(m, NULL);
	for (size_t i = 0; !err && i < o->nr_kernels; i++) {
		err = make_for(m, o->kernels[i]);
		if (err && o->nr_kernels > 1)
			diag_hint(m->d, "this kernel is '%s'", o->kernels[i]);
	}
	return err;
}

int bundle_make(const struct bundle_order *o, struct diag *d,
		struct bundle **ret)
{
	_cleanup_(bundle_freep) struct bundle *b = calloc(1, sizeof(*b));
	struct making m = { .order = o, .b = b, .d = d };
	int err;

	err = b ? fill(&m) : diag_no_memory(d);
	if (!err)
		*ret = take_ptr(b);
	return err;
}
