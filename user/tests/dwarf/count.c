// SPDX-License-Identifier: GPL-2.0
/*
 * What probes can have of the variables of a file: goes over every location
 * expression of every variable and parameter, where functions were inlined, too,
 * and counts which are translated, and why others are refused. Each is weighed by
 * the bytes of code that it is for, and looked at from the last of them.
 *
 *	dwarf-count FILE
 */
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/array.h"
#include "bind/loc/loc.h"
#include "codegen/compile.h"
#include "dwarf/file.h"
#include "dwarf/func.h"
#include "dwarf/walk.h"

#define FOLLOW_MAX 8

enum shape {
	SHAPE_REGISTER,
	SHAPE_BASED,
	SHAPE_BASED_VALUE,
	SHAPE_LONG_VALUE,
	SHAPE_ENTRY,
	SHAPE_PIECES,
	SHAPE_POINTER,
	SHAPE_CONSTANT,
	SHAPE_ADDRESS,
	SHAPE_LONG,
	SHAPE_NR
};

static const char *const shape_names[SHAPE_NR] = {
	[SHAPE_REGISTER] = "one register",
	[SHAPE_BASED] = "register or frame + offset, memory",
	[SHAPE_BASED_VALUE] = "register or frame + offset, value",
	[SHAPE_LONG_VALUE] = "longer, value",
	[SHAPE_ENTRY] = "contains entry_value",
	[SHAPE_PIECES] = "pieces",
	[SHAPE_POINTER] = "implicit pointer",
	[SHAPE_CONSTANT] = "constant, implicit value",
	[SHAPE_ADDRESS] = "fixed address",
	[SHAPE_LONG] = "longer, memory",
};

/* What becomes of an expression: an enum loc_why, or one of these. */
enum {
	OUTCOME_OK = LOC_OK,
	OUTCOME_PROGRAM = LOC_NR,	/* it does not compile */
	OUTCOME_COMPANION,	/* with a probe at the entry */
	OUTCOME_PART,	/* members of it; the others are marked unknown */
	OUTCOME_NR
};

/* struct scope - the code in which what is declared there can be seen */
struct scope {
	struct code {
		uint64_t start;
		uint64_t end;
	} *code;
	size_t nr;
	uint64_t bytes;
};

/* struct tally - @example: the first one, in words; owned */
struct tally {
	uint64_t entries;
	uint64_t bytes;
	char *example;
};

/**
 * struct count - a file being counted
 * @site: where variables are looked for
 * @arch: its machine
 * @needs_entry: what was compiled last reads registers of the entry
 * @pc: where expressions are looked up, an address of DWARF
 * @scope: being walked over
 * @tally: by shape and outcome
 * @nowhere: code in which a variable is in scope and has no location
 * @all: code in which a variable is in scope
 * @variables: how many
 * @lost: of them have no location anywhere
 */
struct count {
	struct site site;
	const struct arch *arch;
	bool needs_entry;
	uint64_t pc;
	const struct scope *scope;
	struct tally tally[SHAPE_NR][OUTCOME_NR];
	uint64_t nowhere;
	uint64_t all;
	uint64_t variables;
	uint64_t lost;
};

static void no_memory(void)
{
	fputs("dwarf-count: out of memory\n", stderr);
	exit(1);
}

/* ---- shapes -------------------------------------------------------------------------- */

static bool is_between(const Dwarf_Op *op, unsigned int first,
		       unsigned int last)
{
	return op->atom >= first && op->atom <= last;
}

static bool is_register(const Dwarf_Op *op)
{
	return is_between(op, DW_OP_reg0, DW_OP_reg31) ||
	       op->atom == DW_OP_regx;
}

static bool is_based(const Dwarf_Op *op)
{
	return is_between(op, DW_OP_breg0, DW_OP_breg31) ||
	       op->atom == DW_OP_bregx || op->atom == DW_OP_fbreg;
}

static bool is_constant(const Dwarf_Op *op)
{
	return is_between(op, DW_OP_lit0, DW_OP_lit31) ||
	       is_between(op, DW_OP_const1u, DW_OP_consts);
}

static bool is_address(const Dwarf_Op *op)
{
	return op->atom == DW_OP_addr || op->atom == DW_OP_addrx;
}

static bool is_entry(const Dwarf_Op *op)
{
	return op->atom == DW_OP_entry_value ||
	       op->atom == DW_OP_GNU_entry_value;
}

static bool is_piece(const Dwarf_Op *op)
{
	return op->atom == DW_OP_piece || op->atom == DW_OP_bit_piece;
}

static bool is_pointer(const Dwarf_Op *op)
{
	return op->atom == DW_OP_implicit_pointer ||
	       op->atom == DW_OP_GNU_implicit_pointer;
}

static bool has(const struct loc_ops *ops, bool (*is)(const Dwarf_Op *op))
{
	for (size_t i = 0; i < ops->nr; i++)
		if (is(&ops->op[i]))
			return true;
	return false;
}

static enum shape value_shape(const struct loc_ops *ops)
{
	if (ops->nr == 2 && is_based(ops->op))
		return SHAPE_BASED_VALUE;
	if (ops->nr == 2 && (is_constant(ops->op) || is_address(ops->op)))
		return SHAPE_CONSTANT;
	return SHAPE_LONG_VALUE;
}

static enum shape shape_of(const struct loc_ops *ops)
{
	if (has(ops, is_entry))
		return SHAPE_ENTRY;
	if (has(ops, is_piece))
		return SHAPE_PIECES;
	if (has(ops, is_pointer))
		return SHAPE_POINTER;
	if (ops->op[ops->nr - 1].atom == DW_OP_stack_value)
		return value_shape(ops);
	if (ops->nr == 1 && is_register(ops->op))
		return SHAPE_REGISTER;
	if (ops->nr == 1 && is_based(ops->op))
		return SHAPE_BASED;
	if (ops->nr == 1 && is_address(ops->op))
		return SHAPE_ADDRESS;
	if (ops->nr == 1 && ops->op->atom == DW_OP_implicit_value)
		return SHAPE_CONSTANT;
	return SHAPE_LONG;
}

/* ---- outcomes ------------------------------------------------------------------------ */

/* Whether a probe with @e, as a value or the address of one, has a program. */
static bool compiles(struct count *c, struct term *e, bool is_memory)
{
	struct place place = {
		.address = c->site.address, .has_frame = true,
		.frame_address = c->site.func.entry,
	};
	struct term deref = { .kind = TERM_DEREF, .base = e };
	struct term_arg arg = {
		.name = (char *)"v", .term = is_memory ? &deref : e,
	};
	struct terms terms = {
		.text = "", .is_bound = true, .args = &arg, .nr_args = 1,
	};
	struct program *program;

	deref.height = e->height + 1;
	if (compile_probe(&terms, &place, NULL, c->arch->id, NULL, &program))
		return false;
	c->needs_entry |= program->frame.nr;
	program_free(program);
	return true;
}

/* What has members or elements, of which a probe can have some and not others */
static bool has_parts(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) ||
	    !dwarf_formref_die(&attr, &type) || dwarf_peel_type(&type, &type))
		return false;
	switch (dwarf_tag(&type)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_array_type:
		return true;
	default:
		return false;
	}
}

static int check_pieces(struct count *c, Dwarf_Die *die, const struct loc *loc)
{
	size_t nr = 0;

	for (size_t i = 0; i < loc->nr; i++) {
		const struct loc_piece *piece = &loc->piece[i];

		if (!piece->term)
			continue;
		if (!compiles(c, piece->term, piece->kind == LOC_MEMORY))
			return OUTCOME_PROGRAM;
		nr++;
	}
	if (nr == loc->nr)
		return OUTCOME_OK;
	return nr && has_parts(die) ? OUTCOME_PART : (int)LOC_UNDEFINED;
}

static int check(struct count *c, Dwarf_Die *die, struct loc *loc,
		 unsigned int depth);

static int translate(struct count *c, Dwarf_Die *die, Dwarf_Attribute *attr,
		     const struct loc_ops *ops, unsigned int depth)
{
	struct loc loc = {};
	enum loc_why why;
	int err, outcome;

	err = loc_translate(&c->site, c->arch, attr, ops, (struct span){},
			    &why, &loc);
	if (err == -ENOMEM)
		no_memory();
	outcome = err ? (int)why : check(c, die, &loc, depth);
	loc_deinit(&loc);
	return outcome;
}

static int find_constant(struct count *c, Dwarf_Die *die)
{
	struct loc loc = {};
	enum loc_why why;
	int err, outcome;

	err = loc_find(&c->site, c->arch, die, (struct span){}, &why, &loc);
	if (err == -ENOMEM)
		no_memory();
	outcome = err ? (int)why : check(c, die, &loc, 0);
	loc_deinit(&loc);
	return outcome;
}

/* Such a pointer is followed: there is something where its target has a location. */
static int check_target(struct count *c, Dwarf_Die *target,
			unsigned int depth)
{
	Dwarf_Attribute attr;
	struct loc_ops ops;
	Dwarf_Op *op;
	int found;

	if (!depth)
		return LOC_LONG;
	if (!dwarf_attr_integrate(target, DW_AT_location, &attr))
		return find_constant(c, target);
	found = dwarf_getlocation_addr(&attr, c->pc, &op, &ops.nr, 1);
	if (found <= 0)
		return found ? LOC_DAMAGED : LOC_ELSEWHERE;
	ops.op = op;
	return translate(c, target, &attr, &ops, depth - 1);
}

static int check(struct count *c, Dwarf_Die *die, struct loc *loc,
		 unsigned int depth)
{
	if (loc->kind == LOC_PIECES)
		return check_pieces(c, die, loc);
	if (loc->kind == LOC_POINTER)
		return check_target(c, &loc->target, depth);
	return compiles(c, loc->term, loc->kind == LOC_MEMORY) ?
	       OUTCOME_OK : OUTCOME_PROGRAM;
}

/* What needs the entry is had with a probe there. */
static int outcome_of(struct count *c, Dwarf_Die *die, Dwarf_Attribute *attr,
		      const struct loc_ops *ops)
{
	int outcome;

	c->needs_entry = false;
	outcome = translate(c, die, attr, ops, FOLLOW_MAX);
	return outcome == OUTCOME_OK && c->needs_entry ? OUTCOME_COMPANION :
							  outcome;
}

/* ---- variables ----------------------------------------------------------------------- */

static void set_example(struct tally *t, struct count *c, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (asprintf(&t->example, "%s at 0x%" PRIx64, name ? name : "?",
		     c->site.address) < 0)
		no_memory();
}

static void put(struct count *c, Dwarf_Die *die, Dwarf_Attribute *attr,
		const struct loc_ops *ops, uint64_t bytes)
{
	struct tally *t;

	t = &c->tally[shape_of(ops)][outcome_of(c, die, attr, ops)];
	if (!t->entries++)
		set_example(t, c, die);
	t->bytes += bytes;
}

static void look_from(struct count *c, uint64_t pc)
{
	c->pc = pc;
	c->site.address = pc - debug_to_dwarf(c->site.dbg, 0);
}

/* One expression for all of the scope. */
static void put_whole(struct count *c, Dwarf_Die *die, Dwarf_Attribute *attr)
{
	struct loc_ops ops;
	Dwarf_Op *op;

	if (dwarf_getlocation(attr, &op, &ops.nr) || !ops.nr) {
		c->nowhere += c->scope->bytes;
		return;
	}
	ops.op = op;
	look_from(c, c->scope->nr ? c->scope->code->start : 0);
	put(c, die, attr, &ops, c->scope->bytes);
}

/* How much of the code from @start to @end is in @scope. */
static uint64_t seen(const struct scope *scope, uint64_t start, uint64_t end)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < scope->nr; i++) {
		uint64_t first = scope->code[i].start, last = scope->code[i].end;

		if (first < start)
			first = start;
		if (last > end)
			last = end;
		if (first < last)
			sum += last - first;
	}
	return sum;
}

static void put_list(struct count *c, Dwarf_Die *die, Dwarf_Attribute *attr)
{
	uint64_t covered = 0;
	Dwarf_Addr base, start, end;
	struct loc_ops ops;
	ptrdiff_t next = 0;
	bool lost = true;
	Dwarf_Op *op;

	while ((next = dwarf_getlocations(attr, next, &base, &start, &end, &op,
					  &ops.nr)) > 0) {
		if (!ops.nr || start >= end)
			continue;
		ops.op = op;
		look_from(c, end - 1);
		put(c, die, attr, &ops, end - start);
		covered += seen(c->scope, start, end);
		lost = false;
	}
	if (covered < c->scope->bytes)
		c->nowhere += c->scope->bytes - covered;
	c->lost += lost;
}

static void put_constant(struct count *c, Dwarf_Die *die)
{
	struct tally *t = &c->tally[SHAPE_CONSTANT][find_constant(c, die)];

	if (!t->entries++)
		set_example(t, c, die);
	t->bytes += c->scope->bytes;
}

static void put_variable(struct count *c, Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_hasattr(die, DW_AT_declaration))
		return;
	c->variables++;
	c->all += c->scope->bytes;
	if (dwarf_attr_integrate(die, DW_AT_location, &attr)) {
		if (dwarf_whatform(&attr) == DW_FORM_exprloc)
			put_whole(c, die, &attr);
		else
			put_list(c, die, &attr);
	} else if (dwarf_hasattr_integrate(die, DW_AT_const_value)) {
		put_constant(c, die);
	} else {
		c->nowhere += c->scope->bytes;
		c->lost++;
	}
}

/* ---- scopes -------------------------------------------------------------------------- */

static void scope_init(struct scope *scope, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;

	*scope = (struct scope){};
	while ((next = dwarf_ranges(die, next, &base, &start, &end)) > 0) {
		scope->code = reallocarray(scope->code, scope->nr + 1,
					   sizeof(*scope->code));
		if (!scope->code)
			no_memory();
		scope->code[scope->nr++] = (struct code){ start, end };
		scope->bytes += end - start;
	}
}

static void walk(struct count *c, Dwarf_Die *die, const struct scope *scope,
		 unsigned int depth);

/* What a block without code declares is seen in the code around it, as probes do. */
static void walk_scope(struct count *c, Dwarf_Die *die,
		       const struct scope *around, unsigned int depth)
{
	struct scope scope;

	scope_init(&scope, die);
	walk(c, die, scope.nr ? &scope : around, depth);
	free(scope.code);
}

static void walk_function(struct count *c, Dwarf_Die *die,
			  const struct scope *around, unsigned int depth)
{
	struct debug_func outer = c->site.func;
	uint64_t entry;

	if (!debug_entry(c->site.dbg, die, &entry))
		return;
	c->site.func = (struct debug_func){
		.die = *die, .owner = *die,
		.entry = entry,
	};
	walk_scope(c, die, around, depth);
	c->site.func = outer;
}

static void walk_child(struct count *c, Dwarf_Die *die,
		       const struct scope *scope, unsigned int depth)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		walk_function(c, die, scope, depth);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
		walk_scope(c, die, scope, depth);
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
		walk(c, die, scope, depth);
		break;
	case DW_TAG_formal_parameter:
	case DW_TAG_variable:
		c->scope = scope;
		put_variable(c, die);
		break;
	default:
		break;
	}
}

static void walk(struct count *c, Dwarf_Die *die, const struct scope *scope,
		 unsigned int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(die, &child))
		return;
	do {
		walk_child(c, &child, scope, depth - 1);
	} while (!dwarf_siblingof(&child, &child));
}

/* What units declare is weighed by nothing: it can be seen everywhere. */
static void walk_all(struct count *c)
{
	static const struct scope everywhere;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;

	while (!dwarf_get_units(c->site.dbg->dw, cu, &cu, NULL, &type, &unit,
				NULL)) {
		c->site.func = (struct debug_func){ .die = unit, .owner = unit };
		if (type != DW_UT_type)
			walk(c, &unit, &everywhere, DEBUG_DEPTH_MAX);
	}
}

/* ---- the table ----------------------------------------------------------------------- */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 100;
}

static void add(struct tally *sum, const struct tally *t)
{
	sum->entries += t->entries;
	sum->bytes += t->bytes;
}

/* struct sums - all; what is had without, only with a companion, and in part */
struct sums {
	struct tally all;
	struct tally alone;
	struct tally companion;
	struct tally part;
};

static struct sums sums_of(struct count *c, size_t first, size_t nr)
{
	struct sums s = {};

	for (size_t i = first; i < first + nr; i++) {
		for (size_t k = 0; k < OUTCOME_NR; k++)
			add(&s.all, &c->tally[i][k]);
		add(&s.alone, &c->tally[i][OUTCOME_OK]);
		add(&s.companion, &c->tally[i][OUTCOME_COMPANION]);
		add(&s.part, &c->tally[i][OUTCOME_PART]);
	}
	return s;
}

static void print_sums(const char *name, const struct sums *s,
		       const struct tally *whole)
{
	uint64_t entries = s->alone.entries + s->companion.entries;
	uint64_t bytes = s->alone.bytes + s->companion.bytes;

	printf("%-36s %9" PRIu64 " %6.2f %10" PRIu64 " %6.2f %8.3f %8.3f %8.3f %8.3f\n",
	       name, s->all.entries, percent(s->all.entries, whole->entries),
	       s->all.bytes, percent(s->all.bytes, whole->bytes),
	       percent(s->alone.entries, s->all.entries),
	       percent(s->alone.bytes, s->all.bytes),
	       percent(entries, s->all.entries),
	       percent(bytes, s->all.bytes));
}

static const char *outcome_text(size_t outcome)
{
	if (outcome == OUTCOME_PROGRAM)
		return "it does not compile";
	if (outcome == OUTCOME_PART)
		return "members of it are nowhere, others are had";
	if (outcome == OUTCOME_COMPANION)
		return "it needs a register's value at the entry of the function";
	return loc_why_text(outcome);
}

static void print_refused(struct count *c, size_t shape,
			  const struct tally *whole)
{
	for (size_t k = OUTCOME_OK + 1; k < OUTCOME_NR; k++) {
		const struct tally *t = &c->tally[shape][k];

		if (t->entries)
			printf("    %9" PRIu64 " entries, %9" PRIu64 " bytes (%.4f %%): %s (%s)\n",
			       t->entries, t->bytes,
			       percent(t->bytes, whole->bytes), outcome_text(k),
			       t->example);
	}
}

static void print(struct count *c)
{
	struct sums all = sums_of(c, 0, SHAPE_NR);

	printf("%-36s %9s %6s %10s %6s %17s %17s\n", "", "", "", "", "",
	       "without companion", "with companion");
	printf("%-36s %9s %6s %10s %6s %8s %8s %8s %8s\n", "shape", "entries",
	       "%", "bytes", "%", "entries%", "bytes%", "entries%", "bytes%");
	for (size_t i = 0; i < SHAPE_NR; i++) {
		struct sums s = sums_of(c, i, 1);

		print_sums(shape_names[i], &s, &all.all);
	}
	print_sums("all", &all, &all.all);
	add(&all.alone, &all.part);
	print_sums("all, and what is had in part", &all, &all.all);
	puts("\nrefused, or had in part or with a companion at the entry, with the first example:");
	for (size_t i = 0; i < SHAPE_NR; i++) {
		puts(shape_names[i]);
		print_refused(c, i, &all.all);
	}
	printf("\n%" PRIu64 " variables; in %" PRIu64 " bytes one is in scope, in %" PRIu64
	       " of them (%.1f %%) it has no location; %" PRIu64 " have none anywhere\n",
	       c->variables, c->all, c->nowhere, percent(c->nowhere, c->all),
	       c->lost);
}

static void count_deinit(struct count *c)
{
	for (size_t i = 0; i < SHAPE_NR; i++)
		for (size_t k = 0; k < OUTCOME_NR; k++)
			free(c->tally[i][k].example);
	free(c);
}

static int run(const char *path)
{
	_cleanup_(debug_freep) struct debug *dbg = NULL;
	struct count *c = calloc(1, sizeof(*c));
	enum ktap_arch arch = KTAP_ARCH_X86_64;
	struct diag d = {};

	if (!c)
		no_memory();
	if (debug_open(path, &d, &dbg) || !debug_arch(dbg, &arch)) {
		fprintf(stderr, "dwarf-count: %s\n",
			d.message ? d.message : "of no machine that is known");
		diag_clear(&d);
		free(c);
		return 1;
	}
	c->site.dbg = dbg;
	c->arch = arch_find(arch);
	walk_all(c);
	print(c);
	count_deinit(c);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return run(argv[1]);
	fputs("usage: dwarf-count FILE\n", stderr);
	return 2;
}
