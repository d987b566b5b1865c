// SPDX-License-Identifier: GPL-2.0
/* Makes plans by executing a program symbolically. */
#include "hit/plan.h"
#include "hit/verify.h"

/**
 * struct origin - symbolic value of a slot
 * @source: enum ktap_plan_source
 * @from: register, as env_reg_offset() returns it, or offset in what the entry stored
 */
struct origin {
	u8 source;
	u16 from;
};

/**
 * struct maker - plan under construction
 * @plan: result
 * @stored: bit mask of the bytes of the payload that were stored
 * @parts: bit mask of the parts of the map that were stored
 * @faults: the map takes fault bits, which are not stored yet
 * @slot: symbolic values of the slots
 */
struct maker {
	struct ktap_plan *plan;
	u64 stored;
	u32 parts;
	bool faults;
	struct origin slot[KTAP_NR_SLOTS];
};

/* Stores into the same byte have an order, which plans have not. */
static bool take_bytes(struct maker *m, u32 off, u32 size)
{
	u64 bytes = ((1ULL << size) - 1) << off;

	if (m->stored & bytes)
		return false;
	m->stored |= bytes;
	return true;
}

static bool context(struct origin *to, u64 what)
{
	switch (what) {
	case KTAP_CTX_TID:
		to->source = KTAP_PLAN_TID;
		return true;
	case KTAP_CTX_TGID:
		to->source = KTAP_PLAN_TGID;
		return true;
	case KTAP_CTX_TIME:
		to->source = KTAP_PLAN_TIME;
		return true;
	default:
		return false;
	}
}

/* A word that cannot have faulted. */
static bool entry(struct origin *to, const struct ktap_insn *i)
{
	if (i->size != 8 || i->b != KTAP_NO_FAULT || i->imm > KTAP_ENTRY_MAX)
		return false;
	*to = (struct origin){ KTAP_PLAN_ENTRY, i->imm };
	return true;
}

static bool subtract(struct maker *m, const struct ktap_insn *i)
{
	const struct origin *a = &m->slot[i->a], *b = &m->slot[i->b];

	if (i->size != KTAP_ALU_SUB || a->source != KTAP_PLAN_TIME ||
	    b->source != KTAP_PLAN_ENTRY)
		return false;
	m->slot[i->dst] = (struct origin){ KTAP_PLAN_ELAPSED, b->from };
	return true;
}

static void choose_value(struct ktap_plan *p, const struct ktap_map_part *part)
{
	bool is_log2 = part->is.kind == KTAP_MAP_LOG2 && part->is.size == 8;

	p->value = is_log2 ? KTAP_PLAN_LOG2 : KTAP_PLAN_OTHER;
	p->is_signed = part->is.flags & KTAP_MAP_F_SIGNED;
	p->part = part - p->map->parts;
}

/* What the map takes out of the payload. */
static bool store_value(struct maker *m, const struct ktap_map_part *part,
			const struct origin *o)
{
	struct ktap_plan *p = m->plan;

	m->parts |= BIT(part - p->map->parts);
	if (part->is.kind == KTAP_MAP_IGNORE)
		return true;
	if (p->value != KTAP_PLAN_COUNT ||
	    (o->source != KTAP_PLAN_REG && o->source != KTAP_PLAN_ELAPSED))
		return false;
	p->source = o->source;
	p->from = o->from;
	choose_value(p, part);
	return true;
}

static bool store_part(struct maker *m, const struct ktap_insn *i, const struct origin *o)
{
	struct ktap_plan *p = m->plan;

	if (p->nr_parts == KTAP_PLAN_PARTS ||
	    (o->source != KTAP_PLAN_REG && o->source != KTAP_PLAN_TID &&
	     o->source != KTAP_PLAN_TGID))
		return false;
	p->parts[p->nr_parts++] = (struct ktap_plan_part){
		.source = o->source,
		.word = i->off / 8,
		.drop = 64 - 8 * i->size,
		.shift = 8 * (i->off % 8),
		.from = o->from,
	};
	return true;
}

static bool store(struct maker *m, const struct ktap_insn *i)
{
	const struct ktap_map *map = m->plan->map;
	const struct origin *o = &m->slot[i->a];
	const struct ktap_map_part *part;

	if (!take_bytes(m, i->off, i->size))
		return false;
	for (part = map->parts; part < map->parts + map->nr_parts; part++)
		if (part->is.off == i->off && part->is.size == i->size)
			return store_value(m, part, o);
	return store_part(m, i, o);
}

static bool comm(struct maker *m, const struct ktap_insn *i)
{
	struct ktap_plan *p = m->plan;

	if (i->off % 8 || p->has_comm || !take_bytes(m, i->off, KTAP_COMM_LEN))
		return false;
	p->has_comm = true;
	p->comm = i->off / 8;
	return true;
}

/* No bit can be set. */
static bool fault_bits(struct maker *m, const struct ktap_insn *i)
{
	const struct ktap_map *map = m->plan->map;

	if (m->faults) {
		if (map->faults_off != i->off || map->faults_size != i->size)
			return false;
		m->faults = false;
	}
	return take_bytes(m, i->off, i->size);
}

static bool translate(struct maker *m, const struct ktap_insn *i)
{
	struct origin *dst = &m->slot[i->dst];

	switch (i->op) {
	case KTAP_OP_REG:
		*dst = (struct origin){ KTAP_PLAN_REG, env_reg_offset(i->imm) };
		return true;
	case KTAP_OP_CTX:
		return context(dst, i->imm);
	case KTAP_OP_ENTRY:
		return entry(dst, i);
	case KTAP_OP_ALU:
		return subtract(m, i);
	case KTAP_OP_STORE:
		return store(m, i);
	case KTAP_OP_COMM:
		return comm(m, i);
	case KTAP_OP_FAULTS:
		return fault_bits(m, i);
	default:
		return false;
	}
}

static enum ktap_plan_kind kind_of(const struct ktap_plan *p)
{
	if (!p->has_comm || p->nr_parts)
		return KTAP_PLAN_PARTED;
	if (p->value == KTAP_PLAN_COUNT && !p->comm && !p->map->key_at)
		return KTAP_PLAN_COMM_COUNT;
	if (p->value == KTAP_PLAN_LOG2 && p->source == KTAP_PLAN_REG)
		return KTAP_PLAN_COMM_LOG2;
	return KTAP_PLAN_COMM;
}

static void place(struct ktap_plan *p)
{
	p->key_at = sizeof(struct ktap_map_slot) + 8 * p->map->key_at;
	p->comm_at = p->key_at + 8 * p->comm;
	p->kind = kind_of(p);
}

static bool make(struct maker *m, const struct ktap_insn *body)
{
	const struct ktap_insn *i;

	for (i = body; i->op != KTAP_OP_END; i++)
		if (!translate(m, i))
			return false;
	/* all of them, and so none overlaps another or a part of the key */
	return !m->faults && m->parts == BIT(m->plan->map->nr_parts) - 1;
}

/**
 * ktap_plan_make() - make the plan of a program and a map
 * @p: filled; its kind is KTAP_PLAN_NONE if the program has to be run
 * @body: verified program, after its gate
 * @info: from the verifier
 * @m: map for which ktap_map_check() was right; it must live as long as the plan
 *
 * Context: any.
 */
void ktap_plan_make(struct ktap_plan *p, const struct ktap_insn *body,
		    const struct ktap_prog_info *info, const struct ktap_map *m)
{
	struct maker maker = { .plan = p, .faults = m->faults_size };
	u32 len = info->record_max - sizeof(struct ktap_rec_head);

	*p = (struct ktap_plan){ .map = m, .nr_words = len / 8 };
	if (len > 8 * KTAP_PLAN_WORDS)
		return;
	if (make(&maker, body))
		place(p);
	else
		p->source = KTAP_PLAN_UNSET;
}

/**
 * ktap_plan_key() - make the key of a hit
 * @p: plan
 * @regs: registers at the hit
 * @key: filled: KTAP_PLAN_WORDS words, of which the plan's are the key
 *
 * Context: any, NMI included; preemption disabled.
 */
void ktap_plan_key(const struct ktap_plan *p, ktap_regs *regs, u64 *key)
{
	const struct ktap_plan_part *part = p->parts, *end = part + p->nr_parts;
	ktap_task *task = env_task();
	u32 i;

	for (i = 0; i < KTAP_PLAN_WORDS; i++) {
		key[i] = 0;
		barrier(); /* keeps the compiler from calling memset() */
	}
	if (p->has_comm) {
		key[p->comm] = env_comm_half(task, 0);
		key[p->comm + 1] = env_comm_half(task, 1);
	}
	for (; part < end; part++)
		key[part->word] |= ktap_plan_number(part, regs, task) << part->drop >>
				   (part->drop - part->shift);
}
ENV_NOPROBE(ktap_plan_key);
