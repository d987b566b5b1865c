/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Maps: the other sink of a fetch program. A hit adds to the row of its key in the table
 * of its CPU, instead of writing a record.
 *
 * Only the CPU of a table writes to it, with preemption disabled; interrupts and NMIs of
 * that CPU may nest. No row is ever removed, so a row that was found stays valid.
 */
#ifndef KTAP_MAP_H
#define KTAP_MAP_H

#include <linux/ktap.h>

#include "hit/env.h"
#include "hit/verify.h"

/**
 * struct ktap_map_part - a value of a map, prepared for hits
 * @is: as requested
 * @at: its first word in struct ktap_map_slot.words
 */
struct ktap_map_part {
	struct ktap_map_value is;
	u32 at;
};

/**
 * struct ktap_map - shape of the tables of a map
 * @nr_slots: rows, a power of two; one more row is "other"
 * @slot_size: bytes of a row
 * @key_at: first word of the key in struct ktap_map_slot.words
 * @key_size: bytes of the largest key
 * @faults_off: offset of the fault mask in the payload
 * @faults_size: its bytes, or 0
 * @key_faults: fault bits that are part of the key
 * @nr_parts: number of values
 * @parts: values
 */
struct ktap_map {
	u32 nr_slots;
	u32 slot_size;
	u32 key_at;
	u32 key_size;
	u16 faults_off;
	u16 faults_size;
	u64 key_faults;
	u32 nr_parts;
	struct ktap_map_part parts[KTAP_NR_MAP_VALUES];
};

int ktap_map_init(struct ktap_map *m, const struct ktap_session_map *arg);
u64 ktap_map_bytes(const struct ktap_map *m);
void ktap_map_begin(const struct ktap_map *m, void *table, u32 cpu);
int ktap_map_check(const struct ktap_map *m, const struct ktap_prog_info *info);
struct ktap_map_slot *ktap_map_row(const struct ktap_map *m, u8 *table, const u64 *key,
				   u32 len);
struct ktap_map_slot *ktap_map_other(const struct ktap_map *m, u8 *table);
void ktap_map_value(const struct ktap_map_part *part, struct ktap_map_slot *row, u64 value);
bool ktap_map_add(const struct ktap_map *m, u8 *table, u8 *payload, u32 len);
bool ktap_map_hit(const struct ktap_map *m, u8 *table, u8 *payload, u32 len);

#endif /* KTAP_MAP_H */
