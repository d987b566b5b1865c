// SPDX-License-Identifier: GPL-2.0
/*
 * Worst-case cost of a fetch program at a hit. As in the verifier, one pass in program
 * order is enough, because jumps go forward only: when the pass reaches an instruction,
 * it knows the most expensive path to it.
 *
 * Every read is charged as a fault. A read whose address comes from an earlier read is
 * not executed if the earlier one faulted. So in a chain of reads only one faults, and
 * the last one is charged for it.
 *
 * The result is a bound on the work of a hit, in round numbers. A string or copy that
 * crosses into unmapped memory may fault twice more. A probe of user code runs its
 * program again, preemptible, if memory is not resident; that second run delays no other
 * task and is not charged.
 */
#include "hit/cost.h"
#include "hit/counter.h"
#include "hit/match.h"

static const char * const texts[] = {
#define C(name, text) [KTAP_COST_##name] = text,
	KTAP_COSTS(C)
#undef C
};

/**
 * ktap_cost_text() - explanation for refusing an expensive program
 * @info: verified properties of the program
 *
 * Context: any.
 * Return: static string, naming the kind of cost that dominates.
 */
const char *ktap_cost_text(const struct ktap_prog_info *info)
{
	return texts[info->dearest];
}

static u32 bytes_cost(u32 bytes)
{
	return ((u64)bytes * KTAP_PRICE_BYTE + 999) / 1000;
}

static u32 total(const struct ktap_way *w)
{
	u32 sum = 0, kind;

	for (kind = 0; kind < KTAP_NR_COSTS; kind++)
		sum += w->spent[kind];
	return sum;
}

/* Merges another path into the state at @to. */
static void join(struct ktap_way *to, const struct ktap_way *from)
{
	u32 slot;

	if (!to->open) {
		*to = *from;
		return;
	}
	if (total(from) > total(to))
		memcpy(to->spent, from->spent, sizeof(to->spent));
	for (slot = 0; slot < KTAP_NR_SLOTS; slot++)
		if (to->read[slot] != from->read[slot])
			to->read[slot] = 0;
}

/* This instruction runs only if the read behind slot @a did not fault. */
static void take_back_fault(struct ktap_way *w, u8 a)
{
	u16 read = w->read[a];
	u32 slot;

	if (!read)
		return;
	w->spent[KTAP_COST_READS] -= KTAP_PRICE_FAULT - KTAP_PRICE_READ;
	for (slot = 0; slot < KTAP_NR_SLOTS; slot++)
		if (w->read[slot] == read)
			w->read[slot] = 0;
}

static void spend_read(struct ktap_way *w, u8 a, u32 bytes)
{
	take_back_fault(w, a);
	w->spent[KTAP_COST_READS] += KTAP_PRICE_FAULT;
	w->spent[KTAP_COST_BYTES] += bytes_cost(bytes);
}

/* If the string cannot be read, nothing is matched, which is cheaper. */
static void spend_match(struct ktap_way *w, const struct ktap_insn *i)
{
	u8 pattern[KTAP_PATTERN_MAX + 1];
	u32 at;

	for (at = 0; at < i->imm; at += 8)
		memcpy(pattern + at, &i[1 + at / 8].imm, 8);
	take_back_fault(w, i->a);
	w->spent[KTAP_COST_READS] += KTAP_PRICE_READ;
	w->spent[KTAP_COST_BYTES] += bytes_cost(KTAP_MATCH_MAX);
	w->spent[KTAP_COST_MATCHES] += KTAP_MATCH_MAX * KTAP_PRICE_STEP / 1000 *
				       ktap_glob_words(pattern, i->imm);
}

/*
 * A store reads the raw clock, and frees what it could not overwrite. The time when a task
 * started is read from the task.
 */
static void spend_state(struct ktap_way *w, const struct ktap_insn *i)
{
	if (i->flags & KTAP_INSN_F_TASK)
		spend_read(w, i->a, sizeof(u64));
	w->spent[KTAP_COST_INSNS] += KTAP_PRICE_STATE;
	if (i->op == KTAP_OP_STATE_PUT)
		w->spent[KTAP_COST_INSNS] += KTAP_PRICE_STATE + KTAP_PRICE_CLOCK;
}

/* Cost of an operation, apart from the interpretation of an instruction. */
static void spend(struct ktap_way *w, const struct ktap_insn *i,
		  const struct ktap_prog_place *place)
{
	switch (i->op) {
	case KTAP_OP_LOAD:
		spend_read(w, i->a, i->size);
		break;
	case KTAP_OP_STACK:
		/* a kernel stack that code runs on is mapped */
		w->spent[KTAP_COST_READS] += place->is_user ? KTAP_PRICE_FAULT :
							      KTAP_PRICE_READ;
		break;
	case KTAP_OP_STRING:
		spend_read(w, i->a, i->imm);
		break;
	case KTAP_OP_BYTES:
		/* copied, and cleared if the last byte faults */
		spend_read(w, i->a, 2 * i->imm);
		break;
	case KTAP_OP_MATCH:
		spend_match(w, i);
		break;
	case KTAP_OP_ENTRY_BYTES:
		w->spent[KTAP_COST_BYTES] += bytes_cost(i->imm);
		break;
	case KTAP_OP_ENTRY_STRING:
		w->spent[KTAP_COST_INSNS] += i->imm * KTAP_PRICE_INSN;
		w->spent[KTAP_COST_BYTES] +=
			bytes_cost(place->entry->string_max[i->imm]);
		break;
	case KTAP_OP_ALU:
	case KTAP_OP_ALUI:
		if (i->size >= KTAP_ALU_DIVU)
			w->spent[KTAP_COST_INSNS] += KTAP_PRICE_DIVISION;
		break;
	case KTAP_OP_CTX:
		if (i->imm == KTAP_CTX_TIME)
			w->spent[KTAP_COST_INSNS] += KTAP_PRICE_CLOCK;
		break;
	case KTAP_OP_FRAME:
		w->spent[KTAP_COST_INSNS] += KTAP_PRICE_FRAME;
		break;
	case KTAP_OP_STATE_PUT:
	case KTAP_OP_STATE_GET:
		spend_state(w, i);
		break;
	case KTAP_OP_KSTACK:
		w->spent[KTAP_COST_STACKS] += KTAP_PRICE_UNWIND_START +
					      i->imm * KTAP_PRICE_UNWIND;
		break;
	case KTAP_OP_COUNTER:
		if (ktap_counter_is_asked(i->imm))
			w->spent[KTAP_COST_INSNS] += KTAP_PRICE_COUNTER;
		break;
	case KTAP_OP_USTACK:
		/* one read faults, and ends the stack */
		w->spent[KTAP_COST_STACKS] += KTAP_PRICE_FAULT +
					      i->imm * KTAP_PRICE_UNWIND_USER;
		break;
	}
	w->spent[KTAP_COST_INSNS] += KTAP_PRICE_INSN;
}

/* Records which read the result of an operation depends on. */
static void note_read(struct ktap_way *w, const struct ktap_insn *i, u32 pc,
		      const struct ktap_prog_place *place)
{
	switch (i->op) {
	case KTAP_OP_LOAD:
		w->read[i->dst] = pc + 1;
		break;
	case KTAP_OP_STACK:
		w->read[i->dst] = place->is_user ? pc + 1 : 0;
		break;
	case KTAP_OP_ALU:
		/* if both can fault, recording one of them is enough */
		w->read[i->dst] = w->read[i->a] ?: w->read[i->b];
		break;
	case KTAP_OP_ALUI:
		w->read[i->dst] = w->read[i->a];
		break;
	case KTAP_OP_REG:
	case KTAP_OP_IMM:
	case KTAP_OP_CTX:
	case KTAP_OP_ARG:
	case KTAP_OP_MATCH:
	case KTAP_OP_ENTRY:
	case KTAP_OP_FRAME:
	case KTAP_OP_STATE_GET:
	case KTAP_OP_KSTACK:
	case KTAP_OP_USTACK:
	case KTAP_OP_COUNTER:
		w->read[i->dst] = 0;
		break;
	}
}

static void finish(const struct ktap_way *end, struct ktap_prog_info *info)
{
	u32 kind, program = total(end), copy = bytes_cost(info->record_max);
	u32 stacks = info->nr_stacks *
		     (KTAP_STACKS_TRIES * KTAP_PRICE_READ +
		      bytes_cost(2 * KTAP_STACK_FRAMES_MAX * sizeof(u64)));

	/* each session has a table of its own, to which the stacks are added */
	info->cost_again = KTAP_PRICE_ATTACH + stacks +
			   (info->simple ? program : copy);
	info->cost = KTAP_PRICE_HIT + KTAP_PRICE_ATTACH + stacks + program + copy;
	info->dearest = 0;
	for (kind = 0; kind < KTAP_NR_COSTS; kind++)
		if (end->spent[kind] > end->spent[info->dearest])
			info->dearest = kind;
}

/**
 * ktap_cost_sum() - compute the worst-case cost of a program
 * @insns: verified program
 * @nr: length of @insns
 * @place: where it will run; NULL: as for ktap_verify()
 * @info: from ktap_verify(); the costs are added
 * @ways: array of @nr elements
 *
 * Context: any; pure.
 */
void ktap_cost_sum(const struct ktap_insn *insns, u32 nr,
		   const struct ktap_prog_place *place,
		   struct ktap_prog_info *info, struct ktap_way *ways)
{
	struct ktap_way w = {
		.open = true,
		.spent[KTAP_COST_BYTES] = bytes_cost(info->fixed_size),
	};
	static const struct ktap_prog_place plain;
	const struct ktap_insn *i = insns;
	u32 pc;

	place = place ?: &plain;
	memset(ways, 0, nr * sizeof(*ways));
	for (pc = 0; pc < nr; pc++, i++) {
		if (ways[pc].open && w.open)
			join(&w, &ways[pc]);
		else if (ways[pc].open)
			w = ways[pc];
		if (!w.open)
			continue; /* unreachable */
		spend(&w, i, place);
		note_read(&w, i, pc, place);
		if (i->op == KTAP_OP_JZ || i->op == KTAP_OP_JMP)
			join(&ways[pc + 1 + i->imm], &w);
		w.open = i->op != KTAP_OP_JMP;
	}
	finish(&w, info);
}
