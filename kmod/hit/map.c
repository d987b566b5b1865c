// SPDX-License-Identifier: GPL-2.0
/* Maps: rows of keys, and what a hit adds to them. */
#include "hit/fetch.h"
#include "hit/map.h"

#define SLOTS_OFF	64	/* of a table: a cache line after its head */

/* ---- shape ------------------------------------------------------------------ */

/* Words of a value in a row; 0: the request is not valid. */
static u32 words_of(const struct ktap_map_value *v)
{
	switch (v->kind) {
	case KTAP_MAP_SUM:
		return 3;
	case KTAP_MAP_STATS:
		return 5;
	case KTAP_MAP_LOG2:
		return 1 + KTAP_NR_LOG2;
	case KTAP_MAP_LINEAR:
		return v->nr && v->nr <= KTAP_MAP_STEPS_MAX && v->step ?
		       3 + v->nr : 0;
	default:
		return 0;
	}
}

static bool is_size(u32 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Return: whether @v is valid. */
static bool add_part(struct ktap_map *m, const struct ktap_map_value *v)
{
	u32 words = words_of(v);

	if (!is_size(v->size) || (v->flags & ~KTAP_MAP_F_SIGNED) ||
	    v->off + v->size > m->key_size ||
	    (v->kind != KTAP_MAP_IGNORE && !words) ||
	    (v->kind != KTAP_MAP_LINEAR && (v->nr || v->min || v->step)) ||
	    (v->fault != KTAP_NO_FAULT && v->fault >= 8 * m->faults_size))
		return false;
	if (v->fault != KTAP_NO_FAULT)
		m->key_faults &= ~(1ULL << v->fault);
	m->parts[m->nr_parts++] = (struct ktap_map_part){ *v, m->key_at };
	m->key_at += words;
	return true;
}

/**
 * ktap_map_init() - check a request and prepare the shape of its tables
 * @m: filled
 * @arg: request
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int ktap_map_init(struct ktap_map *m, const struct ktap_session_map *arg)
{
	u32 i;

	if (arg->reserved || !arg->nr_slots ||
	    arg->nr_slots > KTAP_MAP_SLOTS_MAX ||
	    (arg->nr_slots & (arg->nr_slots - 1)) || arg->key_size % 8 ||
	    arg->key_size > KTAP_MAP_KEY_MAX ||
	    arg->nr_values > KTAP_NR_MAP_VALUES)
		return -EINVAL;
	if (arg->faults_size && (!is_size(arg->faults_size) ||
				 arg->faults_off + arg->faults_size > arg->key_size))
		return -EINVAL;
	*m = (struct ktap_map){
		.nr_slots = arg->nr_slots,
		.key_size = arg->key_size,
		.faults_off = arg->faults_off,
		.faults_size = arg->faults_size,
		.key_faults = ~0ULL,
	};
	for (i = 0; i < arg->nr_values; i++)
		if (!add_part(m, &arg->values[i]))
			return -EINVAL;
	m->slot_size = sizeof(struct ktap_map_slot) + m->key_at * sizeof(u64) +
		       m->key_size;
	return 0;
}

/**
 * ktap_map_bytes() - memory of a table
 * @m: map
 *
 * Context: any.
 * Return: bytes.
 */
u64 ktap_map_bytes(const struct ktap_map *m)
{
	return SLOTS_OFF + ((u64)m->nr_slots + 1) * m->slot_size;
}

/**
 * ktap_map_begin() - write the head of a table
 * @m: map
 * @table: zeroed memory of ktap_map_bytes()
 * @cpu: CPU that will write it
 *
 * Context: any.
 */
void ktap_map_begin(const struct ktap_map *m, void *table, u32 cpu)
{
	*(struct ktap_map_head *)table = (struct ktap_map_head){
		.magic = KTAP_MAP_MAGIC,
		.cpu = cpu,
		.nr_slots = m->nr_slots,
		.slot_size = m->slot_size,
		.slots_off = SLOTS_OFF,
		.key_off = sizeof(struct ktap_map_slot) +
			   m->key_at * sizeof(u64),
	};
}

/**
 * ktap_map_check() - may a program write to a map?
 * @m: map
 * @info: verified properties of the program
 *
 * Context: any.
 * Return: 0; -E2BIG: its payload is larger than a key; -EINVAL: its fixed part does not
 * contain all values.
 */
int ktap_map_check(const struct ktap_map *m, const struct ktap_prog_info *info)
{
	u32 i;

	if (info->record_max - sizeof(struct ktap_rec_head) > m->key_size)
		return -E2BIG;
	if (m->faults_size && m->faults_off + m->faults_size > info->fixed_size)
		return -EINVAL;
	for (i = 0; i < m->nr_parts; i++)
		if (m->parts[i].is.off + m->parts[i].is.size > info->fixed_size)
			return -EINVAL;
	return 0;
}

/* ---- rows ------------------------------------------------------------------- */

/*
 * A tag: neither 0 nor KTAP_MAP_BUSY. Its upper half is where the row is. A multiplication
 * carries bits only upwards: the rotation brings the high bits of a word down for the next
 * one, and the last step those of the last word.
 */
static __always_inline u64 hash_of(const u64 *key, u32 len)
{
	u64 h = len;
	u32 i;

	for (i = 0; i < len / 8; i++)
		h = ((h << 29 | h >> 35) ^ key[i]) * 0x9e3779b97f4a7c15ULL;
	h = (h ^ h >> 32) * 0xbf58476d1ce4e5b9ULL;
	return h | 2;
}

static __always_inline bool same_key(const u64 *a, const u64 *b, u32 len)
{
	u32 i;

	for (i = 0; i < len / 8; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* Return: whether the free row is now the row of the key. */
static bool claim(const struct ktap_map *m, struct ktap_map_slot *slot, u64 tag,
		  const u64 *key, u32 len)
{
	u64 *to = slot->words + m->key_at;
	u32 i;

	if (!env_try_cmpxchg(&slot->tag, 0, KTAP_MAP_BUSY))
		return false;
	slot->key_size = len;
	for (i = 0; i < len / 8; i++)
		to[i] = key[i];
	/* I: the key before the tag; pairs with the acquire of a reader */
	smp_store_release(&slot->tag, tag);
	return true;
}
ENV_NOPROBE(claim);

/*
 * The row of a key, or "other". A nested hit that meets a row whose key is being written
 * takes another one, so a key may have two rows. Steps that grow leave clusters of rows.
 */
static __always_inline struct ktap_map_slot *find(const struct ktap_map *m, u8 *table,
						  const u64 *key, u32 len)
{
	u64 tag = hash_of(key, len), old;
	u32 i, at = tag >> 32, mask = m->nr_slots - 1;
	struct ktap_map_slot *slot;

	for (i = 0; i < KTAP_MAP_TRIES && i <= mask; at += ++i) {
		slot = (void *)(table + SLOTS_OFF +
				(u64)(at & mask) * m->slot_size);
		old = READ_ONCE(slot->tag);
		if (!old) {
			if (claim(m, slot, tag, key, len))
				return slot;
			old = READ_ONCE(slot->tag);
		}
		if (old == tag && slot->key_size == len &&
		    same_key(slot->words + m->key_at, key, len))
			return slot;
	}
	return NULL;
}

/**
 * ktap_map_row() - find the row of a key, or make it
 * @m: map
 * @table: table of this CPU
 * @key: payload whose values are zero
 * @len: its bytes, a multiple of 8, at most the map's key size
 *
 * The row stays that key's as long as the table lives.
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 * Return: the row; NULL: there is no space for it, so the hit belongs to ktap_map_other().
 */
struct ktap_map_slot *ktap_map_row(const struct ktap_map *m, u8 *table, const u64 *key,
				   u32 len)
{
	return find(m, table, key, len);
}
ENV_NOPROBE(ktap_map_row);

/**
 * ktap_map_other() - the row of all keys without a row
 * @m: map
 * @table: table of this CPU
 *
 * Context: any.
 * Return: the row.
 */
struct ktap_map_slot *ktap_map_other(const struct ktap_map *m, u8 *table)
{
	return (void *)(table + SLOTS_OFF + (u64)m->nr_slots * m->slot_size);
}
ENV_NOPROBE(ktap_map_other);

/* ---- values ----------------------------------------------------------------- */

static void add_wide(u64 *low, u64 value, bool negative)
{
	u64 old, high = negative ? ~0ULL : 0;

	do {
		old = READ_ONCE(*low);
	} while (env_cmpxchg(low, old, old + value) != old);
	high += old + value < old;
	if (high)
		env_add(low + 1, high);
}
ENV_NOPROBE(add_wide);

static void raise_to(u64 *largest, u64 value)
{
	u64 old;

	do {
		old = READ_ONCE(*largest);
		if (value <= old)
			return;
	} while (env_cmpxchg(largest, old, value) != old);
}
ENV_NOPROBE(raise_to);

static __always_inline u32 log2_bucket(u64 value, bool negative)
{
	return negative ? 0 : 1 + env_fls(value);
}

static __always_inline u32 linear_bucket(const struct ktap_map_value *v, u64 value)
{
	u64 bias = v->flags & KTAP_MAP_F_SIGNED ? 1ULL << 63 : 0, step;

	if ((value ^ bias) < (v->min ^ bias))
		return 0;
	step = (value - v->min) / v->step;
	return 1 + (step < v->nr ? step : v->nr);
}

static __always_inline void add_value(const struct ktap_map_value *v, u64 *words, u64 value)
{
	bool is_signed = v->flags & KTAP_MAP_F_SIGNED;
	bool negative = is_signed && (s64)value < 0;

	if (v->kind == KTAP_MAP_LOG2) {
		env_add(words + 1 + log2_bucket(value, negative), 1);
		return;
	}
	if (v->kind == KTAP_MAP_LINEAR) {
		env_add(words + 1 + linear_bucket(v, value), 1);
		return;
	}
	add_wide(words + 1, value, negative);
	if (v->kind == KTAP_MAP_SUM)
		return;
	if (is_signed)
		value ^= 1ULL << 63;
	raise_to(words + 3, value);
	raise_to(words + 4, ~value);
}

/**
 * ktap_map_value() - add a value to a row
 * @part: value of the map
 * @row: row of this CPU's table
 * @value: what was read, in its lowest bytes; it did not fault
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 */
void ktap_map_value(const struct ktap_map_part *part, struct ktap_map_slot *row, u64 value)
{
	const struct ktap_map_value *v = &part->is;

	add_value(v, row->words + part->at,
		  ktap_fetch_extend(value, v->size, v->flags & KTAP_MAP_F_SIGNED));
}
ENV_NOPROBE(ktap_map_value);

/*
 * Numbers of 1, 2, 4 or 8 bytes at any address. The sizes are constants for memcpy(): else
 * the kernel checks them at run time, by a call that a hit must not make.
 */
static __always_inline u64 get_number(const u8 *at, u32 size)
{
	u64 value = 0;

	if (size == 8)
		memcpy(&value, at, 8);
	else if (size == 4)
		memcpy(&value, at, 4);
	else if (size == 2)
		memcpy(&value, at, 2);
	else
		memcpy(&value, at, 1);
	return value;
}

static __always_inline void put_number(u8 *at, u32 size, u64 value)
{
	if (size == 8)
		memcpy(at, &value, 8);
	else if (size == 4)
		memcpy(at, &value, 4);
	else if (size == 2)
		memcpy(at, &value, 2);
	else
		memcpy(at, &value, 1);
}

/**
 * struct taken - values of a payload, whose place in it is zero meanwhile
 * @faults: fault mask
 * @value: values, as stored
 */
struct taken {
	u64 faults;
	u64 value[KTAP_NR_MAP_VALUES];
};

static __always_inline void take(const struct ktap_map *m, u8 *payload, struct taken *t)
{
	const struct ktap_map_part *end = m->parts + m->nr_parts, *part;
	u64 *value = t->value;

	/* read everything first: a request may let values overlap */
	t->faults = m->faults_size ?
		get_number(payload + m->faults_off, m->faults_size) : 0;
	for (part = m->parts; part < end; part++)
		*value++ = get_number(payload + part->is.off, part->is.size);
	for (part = m->parts; part < end; part++)
		put_number(payload + part->is.off, part->is.size, 0);
	if (m->faults_size)
		put_number(payload + m->faults_off, m->faults_size,
			   t->faults & m->key_faults);
}

/* Other sessions get the payload too. */
static __always_inline void put_back(const struct ktap_map *m, u8 *payload,
				     const struct taken *t)
{
	const struct ktap_map_part *part;
	const u64 *value = t->value;

	for (part = m->parts; part < m->parts + m->nr_parts; part++)
		put_number(payload + part->is.off, part->is.size, *value++);
	if (m->faults_size)
		put_number(payload + m->faults_off, m->faults_size, t->faults);
}

static __always_inline void add_to(const struct ktap_map *m, struct ktap_map_slot *row,
				   const struct taken *t)
{
	u32 i;

	env_add(&row->count, 1);
	for (i = 0; i < m->nr_parts; i++) {
		const struct ktap_map_value *v = &m->parts[i].is;
		u64 *words = row->words + m->parts[i].at;

		if (v->kind == KTAP_MAP_IGNORE)
			continue;
		if (v->fault != KTAP_NO_FAULT && (t->faults >> v->fault & 1))
			env_add(words, 1);
		else
			add_value(v, words,
				  ktap_fetch_extend(t->value[i], v->size,
						    v->flags & KTAP_MAP_F_SIGNED));
	}
}

/* @shared: the payload is for others, too. Return: whether there was a row for the key. */
static __always_inline bool aggregate(const struct ktap_map *m, u8 *table, u8 *payload,
				      u32 len, bool shared)
{
	struct ktap_map_slot *row;
	struct taken t __uninitialized;

	if (m->nr_parts)
		take(m, payload, &t);
	row = find(m, table, (const u64 *)payload, len);
	if (shared && m->nr_parts)
		put_back(m, payload, &t);
	add_to(m, row ?: ktap_map_other(m, table), &t);
	return row;
}

/**
 * ktap_map_add() - aggregate a hit whose payload is for this map only
 * @m: map
 * @table: table of this CPU
 * @payload: what the program built; values are zero on return
 * @len: its bytes, a multiple of 8, at most the map's key size
 *
 * Context: any, NMI included; own CPU, preemption disabled, CPU marked busy.
 * Return: true; false: it was counted in the row "other".
 */
bool ktap_map_add(const struct ktap_map *m, u8 *table, u8 *payload, u32 len)
{
	return aggregate(m, table, payload, len, false);
}
ENV_NOPROBE(ktap_map_add);

/**
 * ktap_map_hit() - aggregate a hit
 * @m: map
 * @table: table of this CPU
 * @payload: what the program built; unchanged on return
 * @len: its bytes, a multiple of 8, at most the map's key size
 *
 * Context: any, NMI included; own CPU, preemption disabled, CPU marked busy.
 * Return: true; false: it was counted in the row "other".
 */
bool ktap_map_hit(const struct ktap_map *m, u8 *table, u8 *payload, u32 len)
{
	return aggregate(m, table, payload, len, true);
}
ENV_NOPROBE(ktap_map_hit);
