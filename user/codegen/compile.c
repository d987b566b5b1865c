// SPDX-License-Identifier: GPL-2.0
/*
 * Programs: the filter first, so that a hit it refuses costs little, and then
 * the arguments, one after the other. Every value is made in slot 0 and stored
 * from there.
 */
#include "codegen/compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "codegen/emit.h"
#include "codegen/entry.h"
#include "codegen/plan.h"

/**
 * struct gen - one program being made
 * @l: what expressions mean here
 * @planned: the arguments
 * @filter: or NULL; owned
 * @stores: keys and values, by turns; owned
 * @late: what the filter takes; owned
 * @nr_late: how many
 * @layout: of the record
 * @code: instructions
 */
struct gen {
	struct lower l;
	struct planned *planned;
	struct node *filter;
	struct node **stores;
	struct node **late;
	size_t nr_late;
	struct layout *layout;
	struct code code;
};

static void gen_deinit(struct gen *g)
{
	size_t i;

	for (i = 0; g->planned && i < g->l.terms->nr_args; i++)
		planned_deinit(&g->planned[i]);
	free(g->planned);
	for (i = 0; g->stores && i < 2 * g->l.terms->nr_stores; i++)
		node_free(g->stores[i]);
	free(g->stores);
	for (i = 0; i < g->nr_late; i++)
		node_free(g->late[i]);
	free(g->late);
	free(g->code.patches);
	node_free(g->filter);
}

/* Slot 0 goes into @size bytes, @at bytes into the field. */
static void gen_store_part(struct gen *g, const struct field *f,
			   unsigned int at, unsigned int size)
{
	emit_insn(&g->code, (struct ktap_insn){
		.op = KTAP_OP_STORE,
		.b = f->fault == FIELD_NO_FAULT ? KTAP_NO_FAULT : f->fault,
		.size = size,
		.off = f->offset + at,
	});
}

static void gen_store(struct gen *g, const struct field *f)
{
	gen_store_part(g, f, 0, f->size);
}

/* What is not known is zeroes, which nobody shows. */
static void gen_words(struct gen *g, const struct planned *p,
		      const struct field *f)
{
	size_t i;

	for (i = 0; i < p->nr_words; i++) {
		const struct planned_word *word = &p->words[i];

		if (word->node)
			emit_node(&g->code, word->node, 0);
		else
			emit_insn(&g->code,
				  (struct ktap_insn){ .op = KTAP_OP_IMM });
		gen_store_part(g, f, word->offset, word->size);
	}
}

static unsigned int user_flag(bool user)
{
	return user ? KTAP_INSN_F_USER : 0;
}

/* The array that slot 0 points at. */
static void gen_array(struct gen *g, const struct planned *p,
		      const struct field *f)
{
	emit_insn(&g->code, (struct ktap_insn){
		.op = KTAP_OP_BYTES,
		.b = f->fault,
		.flags = user_flag(p->user),
		.off = f->offset,
		.imm = field_bytes(f),
	});
}

/* The text that @slot points at. */
static void gen_string(struct gen *g, const struct planned *p,
		       unsigned int slot, bool user, unsigned int offset)
{
	emit_insn(&g->code, (struct ktap_insn){
		.op = KTAP_OP_STRING,
		.a = slot,
		.flags = user_flag(user),
		.off = offset,
		.imm = p->limit,
	});
}

/* The texts that the elements of the array at slot 0 point at. */
static void gen_strings(struct gen *g, const struct planned *p,
			const struct field *f)
{
	unsigned int i;

	for (i = 0; i < f->count; i++) {
		emit_insn(&g->code, (struct ktap_insn){
			.op = KTAP_OP_LOAD,
			.dst = 1,
			.size = 8,
			.flags = user_flag(p->user),
			.imm = i * 8,
		});
		gen_string(g, p, 1, p->user_texts, f->offset + i * f->size);
	}
}

/* Elements, which keep their order; strings keep it among all of them. */
static void gen_entry_strings(struct gen *g, const struct planned *p,
			      const struct field *f)
{
	unsigned int i, nr = f->count ? f->count : 1;

	for (i = 0; i < nr; i++)
		emit_insn(&g->code, (struct ktap_insn){
			.op = KTAP_OP_ENTRY_STRING,
			.off = f->offset + i * f->size,
			.imm = p->entry_string + i,
		});
}

static void gen_entry_bytes(struct gen *g, const struct planned *p,
			    const struct field *f)
{
	emit_insn(&g->code, (struct ktap_insn){
		.op = KTAP_OP_ENTRY_BYTES,
		.b = KTAP_NO_FAULT,
		.off = f->offset,
		.imm = (uint64_t)p->entry->offset << 32 | field_bytes(f),
	});
}

/* Of a structure, and of a name, the first byte is stored for its fault. */
static void gen_entry_first(struct gen *g, const struct planned *p,
			    const struct field *f)
{
	struct field from = *p->entry, to = *f;

	if (f->kind != FIELD_INT) {
		from.size = 1;
		to.size = 1;
	}
	emit_insn(&g->code, entry_insn(&from));
	gen_store(g, &to);
}

/* Of an array the first element is stored for its fault, and then all. */
static void gen_entry(struct gen *g, const struct planned *p,
		      const struct field *f)
{
	if (f->kind == FIELD_STRING) {
		gen_entry_strings(g, p, f);
		return;
	}
	if (f->kind != FIELD_COMM || f->fault != FIELD_NO_FAULT)
		gen_entry_first(g, p, f);
	if (f->kind != FIELD_INT || f->count)
		gen_entry_bytes(g, p, f);
}

static void gen_field(struct gen *g, const struct planned *p,
		      const struct field *f)
{
	if (p->entry) {
		gen_entry(g, p, f);
		return;
	}
	if (f->kind == FIELD_COMM) {
		emit_insn(&g->code, (struct ktap_insn){
			.op = KTAP_OP_COMM, .off = f->offset,
		});
		return;
	}
	if (f->kind == FIELD_LITERAL || f->kind == FIELD_UNKNOWN)
		return;
	if (p->nr_words) {
		gen_words(g, p, f);
		return;
	}
	emit_node(&g->code, p->node, 0);
	if (f->kind == FIELD_STRING && f->count)
		gen_strings(g, p, f);
	else if (f->kind == FIELD_STRING)
		gen_string(g, p, 0, p->user, f->offset);
	else if (f->count || plan_in_memory(p->arg))
		gen_array(g, p, f);
	else
		gen_store(g, f);
}

static int too_long(struct gen *g, struct span at)
{
	return compile_fail(g->l.terms, at, g->l.d, DIAG_COMPILE_TOO_LONG,
			    KTAP_PROG_MAX);
}

static int gen_filter(struct gen *g)
{
	/* a hit that it lets pass shows nothing of this */
	g->code.no_entry = KTAP_NO_FAULT;
	g->code.absent = KTAP_NO_FAULT;
	emit_node(&g->code, g->filter, 0);
	emit_insn(&g->code, (struct ktap_insn){ .op = KTAP_OP_FILTER });
	return g->code.full ? too_long(g, g->l.terms->filter->at) : 0;
}

/* A hit that the filter rejects takes nothing. */
static void gen_late(struct gen *g)
{
	g->code.absent = KTAP_NO_FAULT;
	for (size_t i = 0; i < g->nr_late; i++)
		emit_node(&g->code, g->late[i], 0);
}

/* The one that needs more slots comes first. */
static void gen_store_state(struct gen *g, size_t i)
{
	const struct node *key = g->stores[2 * i], *value = g->stores[2 * i + 1];
	bool value_first = value->need > key->need;

	emit_node(&g->code, value_first ? value : key, 0);
	emit_node(&g->code, value_first ? key : value, 1);
	emit_insn(&g->code, (struct ktap_insn){
		.op = KTAP_OP_STATE_PUT,
		.a = value_first,
		.b = !value_first,
		.flags = lower_key_flags(g->l.terms->stores[i]),
	});
}

/* All arguments are computed: they see what was stored before this hit. */
static int gen_stores(struct gen *g)
{
	const struct terms *terms = g->l.terms;

	g->code.no_entry = KTAP_NO_FAULT;
	g->code.absent = KTAP_NO_FAULT;
	for (size_t i = 0; i < terms->nr_stores; i++) {
		gen_store_state(g, i);
		if (g->code.full)
			return too_long(g, terms->stores[i]->at);
	}
	return 0;
}

static void gen_end(struct gen *g)
{
	const struct layout *layout = g->layout;

	g->code.limit = KTAP_PROG_MAX;
	if (layout->faults_size)
		emit_insn(&g->code, (struct ktap_insn){
			.op = KTAP_OP_FAULTS,
			.size = layout->faults_size,
			.off = layout->faults_offset,
		});
	emit_insn(&g->code, (struct ktap_insn){ .op = KTAP_OP_END });
}

/* At a return the program counter is the address returned to. A RET instruction is
 * about to go there; its stack is in memory.
 */
static struct ktap_insn returned_to(const struct lower *l)
{
	unsigned int reg = l->place->at_ret ? l->arch->link : l->arch->pc;

	if (reg == ARCH_ON_STACK)
		return (struct ktap_insn){ .op = KTAP_OP_STACK };
	return (struct ktap_insn){ .op = KTAP_OP_REG, .imm = reg };
}

static void gen_return(struct gen *g)
{
	if (!g->layout->is_return)
		return;
	emit_insn(&g->code, returned_to(&g->l));
	emit_insn(&g->code, (struct ktap_insn){
		.op = KTAP_OP_STORE,
		.b = KTAP_NO_FAULT,
		.size = g->layout->return_size,
		.off = g->layout->return_offset,
	});
}

/*
 * The mark that there was no entry: a value of it that is always there is stored where the
 * first argument that needs the entry comes afterwards.
 */
static void gen_no_entry(struct gen *g)
{
	const struct layout *layout = g->layout;
	const struct field *f = layout->fields;

	if (!layout->has_frame || !g->l.is_return)
		return;
	while (!f->frame)
		f++;
	emit_insn(&g->code, (struct ktap_insn){
		.op = KTAP_OP_ENTRY, .b = KTAP_NO_FAULT, .size = 1,
	});
	emit_insn(&g->code, (struct ktap_insn){
		.op = KTAP_OP_STORE, .b = layout->no_entry, .size = 1, .off = f->offset,
	});
}

static int gen_all(struct gen *g)
{
	struct layout *layout = g->layout;
	size_t i;
	int err;

	err = g->filter ? gen_filter(g) : 0;
	gen_late(g);
	g->code.no_entry = layout->has_frame ? layout->no_entry : KTAP_NO_FAULT;
	gen_return(g);
	gen_no_entry(g);
	for (i = 0; !err && i < g->l.terms->nr_args; i++) {
		g->code.absent = layout->fields[i].state ?
				 layout->fields[i].absent : KTAP_NO_FAULT;
		gen_field(g, &g->planned[i], &layout->fields[i]);
		if (g->code.full)
			err = too_long(g, g->planned[i].arg->at);
	}
	if (!err)
		err = gen_stores(g);
	if (!err)
		gen_end(g);
	return err;
}

/* ---- state ---- */

static int make_store(struct gen *g, size_t i)
{
	const struct term *e = g->l.terms->stores[i];
	struct node **n = &g->stores[2 * i];
	int err;

	err = lower_value(&g->l, e->base, &n[0]);
	if (!err)
		err = lower_value(&g->l, e->right, &n[1]);
	if (err || n[0]->need != n[1]->need || n[0]->need < KTAP_NR_SLOTS)
		return err;
	compile_fail(g->l.terms, e->at, g->l.d, DIAG_COMPILE_TOO_DEEP, KTAP_NR_SLOTS);
	return -EINVAL;
}

static int make_stores(struct gen *g)
{
	int err = 0;

	g->stores = calloc(2 * g->l.terms->nr_stores + 1, sizeof(struct node *));
	if (!g->stores)
		return diag_no_memory(g->l.d);
	for (size_t i = 0; !err && i < g->l.terms->nr_stores; i++)
		err = make_store(g, i);
	return err;
}

/* What is taken by the filter itself, and not by an argument that it names. */
static int make_late(struct gen *g, const struct term *e)
{
	struct node **late;
	int err;

	if (!e)
		return 0;
	if (e->kind == TERM_STATE && e->value) {
		late = array_grow(g->late, g->nr_late, sizeof(struct node *));
		if (!late)
			return diag_no_memory(g->l.d);
		g->late = late;
		err = lower_value(&g->l, e, &late[g->nr_late]);
		if (err)
			return err;
		g->nr_late++;
	}
	err = make_late(g, e->base);
	if (!err)
		err = make_late(g, e->right);
	return err ? err : make_late(g, e->third);
}

/* struct takes - keys that are taken so far */
struct takes {
	const struct terms *terms;
	const struct term *seen[KTAP_PROG_MAX];
	size_t nr;
	struct diag *d;
};

static bool same_text(const struct terms *terms, const struct term *a,
		      const struct term *b)
{
	return a->at.length == b->at.length &&
	       !memcmp(terms->text + a->at.start, terms->text + b->at.start,
		       a->at.length);
}

/* The same key twice: the second one would never be found. */
static int check_takes(struct takes *t, const struct term *e)
{
	int err;

	if (!e)
		return 0;
	if (e->kind == TERM_STATE && e->value && t->nr < KTAP_PROG_MAX) {
		for (size_t i = 0; i < t->nr; i++) {
			if (!same_text(t->terms, t->seen[i], e))
				continue;
			compile_fail(t->terms, e->at, t->d, DIAG_COMPILE_TAKE_TWICE,
				     (int)e->at.length, t->terms->text + e->at.start);
			diag_hint(t->d, "use $load() in all but the last argument");
			return -EINVAL;
		}
		t->seen[t->nr++] = e;
	}
	err = check_takes(t, e->base);
	if (!err)
		err = check_takes(t, e->right);
	return err ? err : check_takes(t, e->third);
}

static int check_all_takes(const struct gen *g)
{
	const struct terms *terms = g->l.terms;
	struct takes t = { .terms = terms, .d = g->l.d };
	int err = check_takes(&t, terms->filter);

	for (size_t i = 0; !err && i < terms->nr_args; i++)
		err = check_takes(&t, terms->args[i].term);
	for (size_t i = 0; !err && i < terms->nr_stores; i++)
		err = check_takes(&t, terms->stores[i]);
	return err;
}

static int gen_program(struct gen *g)
{
	const struct terms *terms = g->l.terms;
	int err = 0;

	g->planned = calloc(terms->nr_args + 1, sizeof(*g->planned));
	if (!g->planned)
		return diag_no_memory(g->l.d);
	err = plan_layout(&g->l, g->layout, g->planned);
	if (!err && terms->filter)
		err = lower_filter(&g->l, terms->filter, &g->filter);
	if (!err)
		err = make_late(g, terms->filter);
	if (!err)
		err = make_stores(g);
	if (!err)
		err = check_all_takes(g);
	return err ? err : gen_all(g);
}

/* Adds what was noted to what is known of the program. */
static int keep_patches(const struct code *code, struct program *program,
			bool in_entry, struct diag *d)
{
	struct patch *more;

	if (code->no_memory)
		return diag_no_memory(d);
	for (size_t i = 0; i < code->nr_patches; i++) {
		more = array_grow(program->patches, program->nr_patches,
				  sizeof(*more));
		if (!more)
			return diag_no_memory(d);
		program->patches = more;
		more[program->nr_patches] = code->patches[i];
		more[program->nr_patches++].in_entry = in_entry;
	}
	return 0;
}

/* @in_entry: the program that runs at the entry. Its array has room for any program; what
 * is in @layout is freed with it.
 */
static int make_program(const struct lower *l, struct layout *layout,
			struct program *program, bool in_entry)
{
	struct ktap_insn **ret = in_entry ? &program->entry_insns : &program->insns;
	size_t *nr = in_entry ? &program->nr_entry_insns : &program->nr_insns;

	/* room is kept for FAULTS and END */
	struct gen g = {
		.l = *l,
		.layout = layout,
		.code = { .limit = KTAP_PROG_MAX - 2 },
	};
	int err;

	*ret = calloc(KTAP_PROG_MAX, sizeof(**ret));
	if (!*ret)
		return diag_no_memory(l->d);
	g.code.insns = *ret;
	err = gen_program(&g);
	if (!err)
		err = keep_patches(&g.code, program, in_entry, l->d);
	gen_deinit(&g);
	*nr = g.code.nr;
	return err;
}

/* ---- returns ---- */

/* What the program at the return reads is compiled first. */
static int make_entry(struct lower *l, struct entries *es,
		      struct layout *layout, struct program *program)
{
	struct terms terms = *l->terms;
	struct lower at_entry = *l;
	int err;

	err = entries_collect(l, es);
	if (err || !es->nr_args)
		return err;
	terms.args = es->args;
	terms.nr_args = es->nr_args;
	terms.filter = NULL;
	terms.nr_stores = 0;
	at_entry.no_state = true;
	at_entry.terms = &terms;
	at_entry.is_return = false;
	err = make_program(&at_entry, layout, program, true);
	if (!err)
		err = entries_check(l, es, layout);
	es->layout = layout;
	l->entries = es;
	return err;
}

static int make_return(struct lower *l, struct program *program)
{
	_cleanup_(layout_freep) struct layout *layout = NULL;
	struct entries es = {};
	int err;

	layout = calloc(1, sizeof(*layout));
	if (!layout)
		return diag_no_memory(l->d);
	err = make_entry(l, &es, layout, program);
	if (!err)
		err = make_program(l, program->layout, program, false);
	entries_deinit(&es);
	return err;
}

/* The place, for those who meet the records later. */
static int describe(const struct lower *l, struct layout *layout)
{
	const struct place *place = l->place;

	layout->offset = place->offset;
	/*
	 * Any who may probe may read it: where a symbol says the place, the
	 * kernel's addresses are not for all of them.
	 */
	if (place->path || !place->symbol)
		layout->address = place->address;
	if (place->symbol)
		layout->symbol = strdup(place->symbol);
	if (place->module)
		layout->module = strdup(place->module);
	if (place->path)
		layout->path = strdup(place->path);
	if ((layout->symbol || !place->symbol) &&
	    (layout->module || !place->module) &&
	    (layout->path || !place->path))
		return 0;
	return diag_no_memory(l->d);
}

int compile_probe(const struct terms *terms, const struct place *place,
		  const struct ksyms *ks, enum ktap_arch arch, struct diag *d,
		  struct program **ret)
{
	_cleanup_(program_freep) struct program *program = NULL;
	struct lower l = {
		.terms = terms, .place = place, .ks = ks, .d = d,
		.is_return = type_is_return(place->type),
	};
	int err;

	l.arch = arch_find(arch);
	if (!l.arch)
		return diag_set(d, -EINVAL, DIAG_COMPILE_NO_ARCH);
	program = calloc(1, sizeof(*program));
	if (program)
		program->layout = calloc(1, sizeof(*program->layout));
	if (!program || !program->layout)
		return diag_no_memory(d);
	/* what only stores makes no records */
	program->layout->is_return = place_is_return(place) &&
		(terms->nr_args || !terms->nr_stores || terms->aggregates);
	if (program->layout->is_return)
		program->layout->return_size = place->path ? 8 :
							     l.arch->code_bytes;
	l.frame = &program->frame;
	if (l.is_return)
		err = make_return(&l, program);
	else
		err = make_program(&l, program->layout, program, false);
	if (!err)
		err = describe(&l, program->layout);
	if (!err)
		*ret = take_ptr(program);
	return err;
}

void program_free(struct program *program)
{
	if (!program)
		return;
	free(program->insns);
	free(program->entry_insns);
	free(program->patches);
	layout_free(program->layout);
	free(program);
}
