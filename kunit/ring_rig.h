/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring for tests: guards around its data, records that can be checked, and a reader
 * that checks everything.
 */
#ifndef KTAP_KUNIT_RING_RIG_H
#define KTAP_KUNIT_RING_RIG_H

#include <kunit/test.h>

#include "hit/ring.h"

#define RIG_SUBBUF	4096
#define RIG_SIZE	(4 * RIG_SUBBUF)
#define RIG_ID		100

/* struct rig_payload - payload of a record, checked by the reader */
struct rig_payload {
	u32 writer;
	u32 seq;
	u64 sum;
};

/**
 * struct rig - a ring under test
 * @ring: ring
 * @cons: consumer page
 * @memory: guard, producer page, data, guard
 * @wakes: calls of ktap_ring_wake()
 */
struct rig {
	struct ktap_ring ring;
	struct ktap_ring_consumer *cons;
	u8 *memory;
	u32 wakes;
};

#define RIG_WRITERS 4

/**
 * struct rig_seen - results of a reader
 * @records: events
 * @marks: marks
 * @mark: the last one
 * @lost: sum of struct ktap_rec_lost
 * @next: next expected number of each writer
 * @gaps: records with another number
 * @bad: malformed records
 * @backwards: times that went backwards
 * @last_time: full time of the last record
 * @base: full time of the last state record
 * @told: threads that the sub-buffer has named, by tid; -1: none
 */
struct rig_seen {
	u64 records;
	u64 marks;
	const struct ktap_rec_mark *mark;
	u64 lost;
	u32 next[RIG_WRITERS];
	u64 gaps;
	u64 bad;
	u64 backwards;
	u64 last_time;
	u64 base;
	s64 told[KTAP_NR_TOLD];
};

struct rig *rig_create(struct kunit *test, bool overwrite);
void rig_check_guards(struct kunit *test, const struct rig *rig);
bool rig_write(struct rig *rig, u32 writer, u32 seq, u32 extra);
void *rig_reserve(struct rig *rig, u32 extra);
void rig_fill(void *payload, u32 writer, u32 seq);
void rig_read(struct rig *rig, u64 *pos, u64 head, struct rig_seen *seen);
u64 rig_head(const struct rig *rig);
const void *rig_payload(const struct rig *rig, u32 n);

#endif /* KTAP_KUNIT_RING_RIG_H */
