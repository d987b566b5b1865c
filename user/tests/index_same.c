// SPDX-License-Identifier: GPL-2.0
/*
 * Lookups with an index and without: functions by name and address, where those are
 * written and called, lines by file, types by name. What is asked for is drawn from the file itself, by walking over its
 * units without either of them.
 */
#include "tests/index_same.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/scoped.h"
#include "dwarf/file.h"
#include "dwarf/index/index.h"
#include "dwarf/line.h"
#include "dwarf/var.h"

/* struct texts - names that may be drawn; they are libdw's */
struct texts {
	const char **text;
	size_t nr;
};

struct same {
	struct debug *plain;
	struct debug *indexed;
	struct texts funcs;
	struct texts files;
	struct texts types;
	uint64_t *pc;
	size_t nr_pcs;
	uint64_t random;
	FILE *out;
	struct index_same *ret;
	bool failed;
};

/* ---- what there is ------------------------------------------------------------------ */

static void put_text(struct same *s, struct texts *to, const char *text)
{
	const char **more;

	if (!text)
		return;
	more = array_grow(to->text, to->nr, sizeof(*more));
	s->failed |= !more;
	if (!more)
		return;
	to->text = more;
	more[to->nr++] = text;
}

static void put_pc(struct same *s, Dwarf_Die *die)
{
	Dwarf_Addr pc;
	uint64_t *more;

	if (dwarf_lowpc(die, &pc))
		return;
	more = array_grow(s->pc, s->nr_pcs, sizeof(*more));
	s->failed |= !more;
	if (!more)
		return;
	s->pc = more;
	more[s->nr_pcs++] = pc + s->plain->shift;
}

static void collect_die(struct same *s, Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		put_text(s, &s->funcs, dwarf_diename(die));
		if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
			put_text(s, &s->funcs, dwarf_formstring(&attr));
		put_pc(s, die);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_typedef:
		put_text(s, &s->types, dwarf_diename(die));
		break;
	}
}

static void collect_unit(struct same *s, Dwarf_Die *unit)
{
	Dwarf_Files *files;
	Dwarf_Die child;
	size_t nr;

	if (!dwarf_getsrcfiles(unit, &files, &nr))
		for (size_t i = 0; i < nr; i++)
			put_text(s, &s->files,
				 dwarf_filesrc(files, i, NULL, NULL));
	if (dwarf_child(unit, &child))
		return;
	do {
		collect_die(s, &child);
	} while (!dwarf_siblingof(&child, &child));
}

static void collect(struct same *s)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (!dwarf_get_units(s->plain->dw, cu, &cu, NULL, NULL, &unit, NULL))
		collect_unit(s, &unit);
}

/* ---- whether it is the same --------------------------------------------------------- */

static void differ(struct same *s, const char *what, const char *name)
{
	s->ret->different++;
	fprintf(s->out, "%s %s: not the same with the index\n", what, name);
}

static bool same_func(const struct debug_func *a, const struct debug_func *b)
{
	Dwarf_Die die_a = a->die, die_b = b->die;
	Dwarf_Die owner_a = a->owner, owner_b = b->owner;

	return dwarf_dieoffset(&die_a) == dwarf_dieoffset(&die_b) &&
	       dwarf_dieoffset(&owner_a) == dwarf_dieoffset(&owner_b) &&
	       a->entry == b->entry && a->is_inlined == b->is_inlined &&
	       a->is_rest == b->is_rest;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_decl(const struct same *s, const struct debug_func *a,
		      const struct debug_func *b)
{
	const char *file_a, *file_b;
	int line = debug_decl(s->plain, a, &file_a);

	return line == debug_decl(s->indexed, b, &file_b) &&
	       same_text(file_a, file_b);
}

static bool same_calls(const struct debug_chain *a, const struct debug_chain *b)
{
	size_t i;

	for (i = 0; i < a->nr && i < b->nr; i++)
		if (!same_text(a->call[i].name, b->call[i].name) ||
		    !same_text(a->call[i].file, b->call[i].file) ||
		    a->call[i].line != b->call[i].line)
			return false;
	return a->nr == b->nr;
}

static bool same_chain(struct same *s, const struct debug_func *a,
		       const struct debug_func *b)
{
	struct debug_chain chain_a = {}, chain_b = {};
	bool same = false;

	if (debug_chain(s->plain, a, NULL, &chain_a) ||
	    debug_chain(s->indexed, b, NULL, &chain_b))
		s->failed = true;
	else
		same = same_calls(&chain_a, &chain_b);
	debug_chain_deinit(&chain_a);
	debug_chain_deinit(&chain_b);
	return same;
}

static void ask_name(struct same *s, const char *name)
{
	struct debug_funcs a, b;
	bool same;

	s->ret->names++;
	if (debug_find(s->plain, name, NULL, 0, NULL, &a)) {
		s->failed = true;
		return;
	}
	same = !debug_find(s->indexed, name, NULL, 0, NULL, &b) &&
	       a.nr == b.nr;
	for (size_t i = 0; same && i < a.nr; i++)
		same = same_func(&a.func[i], &b.func[i]) &&
		       same_decl(s, &a.func[i], &b.func[i]) &&
		       same_chain(s, &a.func[i], &b.func[i]);
	if (!same)
		differ(s, "function", name);
	s->ret->found += a.nr;
	debug_funcs_deinit(&a);
	debug_funcs_deinit(&b);
}

/* As people write what a name of the linker stands for, too */
static void ask_names(struct same *s, const char *name)
{
	_cleanup_free_ char *base = demangle(name, false);
	_cleanup_free_ char *full = demangle(name, true);

	ask_name(s, name);
	if (base)
		ask_name(s, base);
	if (full)
		ask_name(s, full);
}

static void ask_pc(struct same *s, uint64_t pc)
{
	struct debug_func a, b;
	char text[32];
	bool found;

	s->ret->addresses++;
	for (int inlined = 0; inlined < 2; inlined++) {
		found = debug_func_at(s->plain, pc, inlined, &a);
		if (found == debug_func_at(s->indexed, pc, inlined, &b) &&
		    (!found || same_func(&a, &b))) {
			s->ret->found += found;
			continue;
		}
		snprintf(text, sizeof(text), "%#" PRIx64, pc);
		differ(s, "address", text);
	}
}

static void ask_file(struct same *s, const char *file)
{
	struct debug_rows a, b;
	bool same;

	s->ret->files++;
	if (debug_file_rows(s->plain, file, NULL, &a)) {
		s->failed = true;
		return;
	}
	same = !debug_file_rows(s->indexed, file, NULL, &b) && a.nr == b.nr;
	for (size_t i = 0; same && i < a.nr; i++)
		same = a.row[i].address == b.row[i].address &&
		       a.row[i].line == b.row[i].line &&
		       !strcmp(a.row[i].file, b.row[i].file);
	if (!same)
		differ(s, "file", file);
	s->ret->found += a.nr;
	debug_rows_deinit(&a);
	debug_rows_deinit(&b);
}

static bool type_text(struct debug *dbg, const char *name, int kind, char **ret)
{
	struct debug_func any = {};
	struct ctype type;
	Dwarf_CU *cu = NULL;

	/* the first unit asks */
	if (dwarf_get_units(dbg->dw, cu, &cu, NULL, NULL, &any.die, NULL) ||
	    !debug_find_type(dbg, &any, kind, name, &type))
		return false;
	*ret = ctype_text(&type);
	return true;
}

static void ask_type(struct same *s, const char *name)
{
	s->ret->types++;
	for (int kind = DEBUG_STRUCT; kind <= DEBUG_TYPEDEF; kind++) {
		_cleanup_free_ char *a = NULL, *b = NULL;
		bool found = type_text(s->plain, name, kind, &a);

		if (found != type_text(s->indexed, name, kind, &b) ||
		    (found && (!a || !b || strcmp(a, b))))
			differ(s, "type", name);
		s->ret->found += found;
	}
}

/* ---- all of them -------------------------------------------------------------------- */

static uint64_t draw(struct same *s)
{
	s->random = s->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return s->random >> 33;
}

static void ask_texts(struct same *s, const struct texts *from, unsigned int nr,
		      void (*ask)(struct same *s, const char *name))
{
	size_t i, all = nr ? nr : from->nr;

	for (i = 0; from->nr && i < all; i++)
		ask(s, from->text[nr ? draw(s) % from->nr : i]);
}

/* The end of a path, as people type it */
static void ask_tail(struct same *s, const char *path)
{
	const char *slash = strrchr(path, '/');

	ask_file(s, path);
	if (slash)
		ask_file(s, slash + 1);
}

static void ask_all(struct same *s, unsigned int nr)
{
	size_t i, all = nr ? nr : s->nr_pcs;

	ask_texts(s, &s->funcs, nr, ask_names);
	ask_texts(s, &s->files, nr, ask_tail);
	ask_texts(s, &s->types, nr, ask_type);
	ask_name(s, "no_such_function");
	ask_file(s, "no_such_file.c");
	ask_type(s, "no_such_type");
	ask_pc(s, 1);
	for (i = 0; s->nr_pcs && i < all; i++)
		ask_pc(s, s->pc[nr ? draw(s) % s->nr_pcs : i] + draw(s) % 64);
}

bool index_same(struct debug *plain, struct debug *indexed, unsigned int seed,
		unsigned int nr, FILE *out, struct index_same *ret)
{
	struct same s = {
		.plain = plain, .indexed = indexed, .random = seed,
		.out = out, .ret = ret,
	};

	*ret = (struct index_same){};
	collect(&s);
	if (!s.failed && !index_of(plain) && index_of(indexed))
		ask_all(&s, nr);
	/* an index that was given up has the same answers, too */
	s.failed |= index_of(plain) || !index_of(indexed);
	free(s.funcs.text);
	free(s.files.text);
	free(s.types.text);
	free(s.pc);
	return !s.failed;
}
