/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring of the module in user space: its memory, a writer whose records can
 * be told apart to the last byte, and a reader that checks everything that
 * ktap.h promises of a ring's contents. Tests name rig.c among their needs.
 */
#ifndef KTAP_TESTS_KRING_RIG_H
#define KTAP_TESTS_KRING_RIG_H

#include "env_user.h"
#include "hit/ring.h"

#define RIG_PAYLOAD_MIN	64	/* bytes: what every record of the rig holds */

/**
 * struct rig_body - start of every payload
 * @serial: which record
 * @time: raw counter, as the writer read it last before it had the place
 * @comm: name of who wrote it, likewise
 * @tid: and the thread
 * @tgid: and the process
 * @words: 8-byte words that follow, each made of @serial and its place
 */
struct rig_body {
	u64 serial;
	u64 time;
	char comm[KTAP_COMM_LEN];
	u32 tid;
	u32 tgid;
	u64 words;
};

/**
 * struct rig - a ring with its pages
 * @ring: writer's side
 * @prod: producer's words, with the data behind them
 * @cons: consumer's words
 * @bytes: size of the data
 * @subbuf: size of a sub-buffer
 * @overwrite: the oldest goes
 * @quick: records are written as hits do, if easy: see ktap_hit_quick()
 * @wild: the raw counter may go back
 * @serial: of the next record
 * @fate: what became of each record, by serial; NULL: nobody asks
 */
struct rig {
	struct ktap_ring ring;
	struct ktap_ring_producer *prod;
	struct ktap_ring_consumer cons;
	u64 bytes;
	u32 subbuf;
	bool overwrite;
	bool quick;
	bool wild;
	u64 serial;
	u8 *fate;
};

enum rig_fate {
	RIG_NOT_DONE,
	RIG_WRITTEN,
	RIG_LOST
};

/**
 * struct rig_event - a record of the rig's as the reader found it
 * @position: of its header
 * @serial: which one
 * @id: probe
 * @time: full raw time
 */
struct rig_event {
	u64 position;
	u64 serial;
	u32 id;
	u64 time;
};

/* struct rig_task - a task as the ring told of it, in the sub-buffer @subbuf */
struct rig_task {
	u64 subbuf;
	u32 tid;
	u32 tgid;
	u64 comm[2];
};

/**
 * struct rig_reader - a reader that trusts nothing
 * @position: next byte to read
 * @full: last full time
 * @time: time of the last event
 * @known: @full, @tid and @comm are known: a sub-buffer's start was read
 * @events: records read
 * @lost: sum of the lost records' counts
 * @pads: bytes of padding
 * @states: records of time and task
 * @again: of the latter, those that name a task that was told
 * @told: tasks by tid; their @subbuf counts from 1
 * @event: called for each event; may be NULL
 * @state: called for each record of a task or of losses, with the full time
 *	that its header has; may be NULL
 * @ctx: for @event
 */
struct rig_reader {
	u64 position;
	u64 full;
	u64 time;
	bool known;
	u32 tid;
	u32 tgid;
	u64 comm[2];
	u64 events;
	u64 lost;
	u64 pads;
	u64 states;
	u64 again;
	struct rig_task told[KTAP_NR_TOLD];
	void (*event)(void *ctx, const struct rig_event *e);
	void (*state)(void *ctx, u32 id, u64 time);
	void *ctx;
};

void rig_init(struct rig *rig, u64 bytes, u32 subbuf, u32 watermark,
	      bool overwrite);
void rig_deinit(struct rig *rig);

/* rig_at() - put an empty ring to a position, as if so much had been read. */
void rig_at(struct rig *rig, u64 position);

/**
 * rig_write() - write one record
 * @rig: ring of this thread
 * @id: probe
 * @payload: bytes, a multiple of 8, at least RIG_PAYLOAD_MIN
 *
 * Context: any; also from a point or a signal that interrupts another.
 * Return: 0, KTAP_RING_FULL or KTAP_RING_BIG.
 */
unsigned long rig_write(struct rig *rig, u32 id, u32 payload);

/**
 * rig_check() - look at whole records
 * @r: what is known from before
 * @rig: geometry
 * @data: the bytes at @r->position, up to a border at most
 * @size: how many
 *
 * Return: NULL, or what is wrong with them.
 */
const char *rig_check(struct rig_reader *r, const struct rig *rig,
		      const u8 *data, u64 size);

/* rig_read() - check and take all that is published; as rig_check(). */
const char *rig_read(struct rig_reader *r, struct rig *rig);

/*
 * rig_glance() - as a reader on another CPU may at any moment: check all that
 * is in the ring now, from its oldest whole sub-buffer, and take nothing.
 */
const char *rig_glance(const struct rig *rig);

/**
 * struct rig_sums - what became of a number of records
 * @tried: were written, or not
 * @read: were found
 * @failed: were not written
 * @told: of those, what the records of losses say
 */
struct rig_sums {
	u64 tried;
	u64 read;
	u64 failed;
	u64 told;
};

/* rig_account() - nobody writes now: is that all? As rig_check(). */
const char *rig_account(const struct rig *rig, const struct rig_sums *sums);

#endif /* KTAP_TESTS_KRING_RIG_H */
