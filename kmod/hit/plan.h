/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Plans: how a hit finds its row without building a payload, for a program and a map. Made
 * when a probe is attached. The payload is known without running the program: registers,
 * the comm and the ids of the task are stored at fixed places, and all else is zero.
 *
 * A hit compares its key with the key in the row of the hit before. If they are equal, there
 * is nothing to look up. The key is taken from the row, where it never changes, so an
 * interrupt between the parts of the comparison does no harm.
 *
 * A program without a plan is run, and ktap_map_add() takes its payload; a plan has the
 * same result.
 */
#ifndef KTAP_PLAN_H
#define KTAP_PLAN_H

#include "hit/env.h"
#include "hit/map.h"

/* Programs with more words or parts have no plan. */
#define KTAP_PLAN_WORDS		8
#define KTAP_PLAN_PARTS		4

/* Hits that may use a row before one looks at the clock. */
#define KTAP_PLAN_QUICK		255

/**
 * enum ktap_plan_kind - what the key is
 * @KTAP_PLAN_NONE: there is no plan
 * @KTAP_PLAN_COMM_COUNT: the comm of the task, at the beginning, and zeros; no value
 * @KTAP_PLAN_COMM_LOG2: the comm of the task, and zeros; KTAP_PLAN_LOG2 of a register
 * @KTAP_PLAN_COMM: the comm of the task, and zeros; any value
 * @KTAP_PLAN_PARTED: parts, and maybe the comm; any value
 */
enum ktap_plan_kind {
	KTAP_PLAN_NONE,
	KTAP_PLAN_COMM_COUNT,
	KTAP_PLAN_COMM_LOG2,
	KTAP_PLAN_COMM,
	KTAP_PLAN_PARTED,
};

/**
 * enum ktap_plan_value - what a hit adds to its row
 * @KTAP_PLAN_COUNT: no value
 * @KTAP_PLAN_LOG2: a number of 8 bytes, to powers of two
 * @KTAP_PLAN_OTHER: ktap_map_value()
 */
enum ktap_plan_value {
	KTAP_PLAN_COUNT,
	KTAP_PLAN_LOG2,
	KTAP_PLAN_OTHER,
};

/**
 * enum ktap_plan_source - where a number is
 * @KTAP_PLAN_UNSET: nowhere: the slot has no value
 * @KTAP_PLAN_REG: a register
 * @KTAP_PLAN_TID: the thread's number
 * @KTAP_PLAN_TGID: the process's number
 * @KTAP_PLAN_TIME: the clock
 * @KTAP_PLAN_ENTRY: a word that the entry program stored
 * @KTAP_PLAN_ELAPSED: the clock less such a word
 */
enum ktap_plan_source {
	KTAP_PLAN_UNSET,
	KTAP_PLAN_REG,
	KTAP_PLAN_TID,
	KTAP_PLAN_TGID,
	KTAP_PLAN_TIME,
	KTAP_PLAN_ENTRY,
	KTAP_PLAN_ELAPSED,
};

/**
 * struct ktap_plan_part - a number in the key
 * @source: enum ktap_plan_source
 * @word: its word of the key
 * @drop: number of highest bits of the source that are not stored
 * @shift: number of lower bits of the word that are not its own
 * @from: register, as env_reg_offset() returns it
 */
struct ktap_plan_part {
	u8 source;
	u8 word;
	u8 drop;
	u8 shift;
	u16 from;
};

/**
 * struct ktap_plan - way to a row, and what to add there
 * @kind: enum ktap_plan_kind
 * @value: enum ktap_plan_value
 * @is_signed: the value is signed
 * @part: number of the value in the map
 * @source: of the value: enum ktap_plan_source
 * @has_comm: the comm is a part of the key
 * @nr_words: words of the key
 * @nr_parts: numbers in the key
 * @from: of the value: register as env_reg_offset() returns it, or offset in what the
 *	entry program stored
 * @comm: first word of the comm in the key
 * @key_at: offset of the key in a row, in bytes
 * @comm_at: offset of the comm in a row
 * @map: map
 * @parts: numbers in the key
 */
struct ktap_plan {
	u8 kind;
	u8 value;
	bool is_signed;
	u8 part;
	u8 source;
	bool has_comm;
	u8 nr_words;
	u8 nr_parts;
	u16 from;
	u16 comm;
	u16 key_at;
	u32 comm_at;
	const struct ktap_map *map;
	struct ktap_plan_part parts[KTAP_PLAN_PARTS];
};

struct ktap_prog_info;

void ktap_plan_make(struct ktap_plan *p, const struct ktap_insn *body,
		    const struct ktap_prog_info *info, const struct ktap_map *m);
void ktap_plan_key(const struct ktap_plan *p, ktap_regs *regs, u64 *key);

static __always_inline u64 ktap_plan_number(const struct ktap_plan_part *part, ktap_regs *regs,
					    ktap_task *task)
{
	if (likely(part->source == KTAP_PLAN_REG))
		return env_reg_at(regs, part->from);
	return part->source == KTAP_PLAN_TID ? env_tid(task) : env_tgid(task);
}

/* Words before the powers of two: the numbers of values that faulted and of negative ones. */
#define KTAP_PLAN_BELOW		2

static __always_inline bool ktap_plan_has_comm(const struct ktap_map_slot *row, u32 at,
					       ktap_task *task)
{
	const u64 *comm = (const void *)((const u8 *)row + at);

	return likely(env_comm_half(task, 0) == comm[0]) &&
	       likely(env_comm_half(task, 1) == comm[1]);
}

static __always_inline bool ktap_plan_has_parts(const struct ktap_plan *p, const u64 *key,
						ktap_regs *regs, ktap_task *task)
{
	const struct ktap_plan_part *part = p->parts, *end = part + p->nr_parts;
	u64 other;

	for (; part < end; part++) {
		other = key[part->word] >> part->shift;
		other ^= ktap_plan_number(part, regs, task);
		if (other << part->drop)
			return false;
	}
	return true;
}

/**
 * ktap_plan_is_row() - is a row the one of a hit?
 * @p: plan
 * @kind: its kind
 * @row: row that an earlier hit of this plan found
 * @regs: registers at the hit
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 * Return: whether it is. What the plan has no part for is zero in the keys of both.
 */
static __always_inline bool ktap_plan_is_row(const struct ktap_plan *p,
					     enum ktap_plan_kind kind,
					     const struct ktap_map_slot *row,
					     ktap_regs *regs)
{
	ktap_task *task = env_task();

	if (kind == KTAP_PLAN_COMM_COUNT)
		return ktap_plan_has_comm(row, offsetof(struct ktap_map_slot, words), task);
	if (kind == KTAP_PLAN_COMM_LOG2 || kind == KTAP_PLAN_COMM)
		return ktap_plan_has_comm(row, p->comm_at, task);
	if (likely(p->has_comm) && !ktap_plan_has_comm(row, p->comm_at, task))
		return false;
	return likely(kind != KTAP_PLAN_PARTED) ||
	       ktap_plan_has_parts(p, (const void *)((const u8 *)row + p->key_at), regs,
				   task);
}

/* Where the only value of the map is KTAP_PLAN_LOG2. */
static __always_inline void ktap_plan_log2(const struct ktap_plan *p,
					   struct ktap_map_slot *row, u64 value)
{
	u64 *zero = row->words + KTAP_PLAN_BELOW;

	if (unlikely((s64)value < 0) && p->is_signed)
		env_add(zero - 1, 1);
	else
		env_add(zero + env_fls(value), 1);
}

/**
 * ktap_plan_value() - add the value of a hit to its row
 * @p: plan
 * @kind: its kind
 * @row: row of this CPU's table
 * @value: value
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 */
static __always_inline void ktap_plan_value(const struct ktap_plan *p,
					    enum ktap_plan_kind kind,
					    struct ktap_map_slot *row, u64 value)
{
	if (likely(kind == KTAP_PLAN_COMM_LOG2 || p->value == KTAP_PLAN_LOG2))
		ktap_plan_log2(p, row, value);
	else
		ktap_map_value(&p->map->parts[p->part], row, value);
}

#endif /* KTAP_PLAN_H */
