/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One CPU's records, one after the other: borders, time and task. What a
 * probe's record means is not known here. Private to decode/.
 */
#ifndef KTAP_DECODE_CURSOR_H
#define KTAP_DECODE_CURSOR_H

#include "decode/clock.h"
#include "decode/decode.h"

/**
 * struct cursor_task - a task that a sub-buffer told of in full
 * @tid: thread
 * @tgid: its process
 * @comm: its name
 */
struct cursor_task {
	uint32_t tid;
	uint32_t tgid;
	char comm[KTAP_COMM_LEN];
};

/**
 * struct cursor - how far a CPU's ring was decoded
 * @event: the record at hand: who and when; the rest is filled by decoder.c
 * @head: the record at hand
 * @payload: what follows it
 * @payload_size: bytes
 * @next: next record of the batch
 * @end: end of the batch
 * @cut: the batch may end inside of a record
 * @synced: state is known; without it only the start of a sub-buffer helps
 * @position: where on the ring the batch ends
 * @subbuf_size: bytes
 * @full: last full time
 * @anchor: start of the sub-buffer on both clocks
 * @line: clock up to @limit
 * @limit: raw time at which @line ends ...
 * @after: ... and the clock from there
 * @last: the record before, to keep time from running backwards
 * @told: tasks, by tid modulo KTAP_NR_TOLD
 * @is_told: bits of those that this sub-buffer told
 */
struct cursor {
	struct event event;
	struct ktap_rec_head head;
	const unsigned char *payload;
	size_t payload_size;
	const unsigned char *next;
	const unsigned char *end;
	bool cut;
	bool synced;
	uint64_t position;
	uint32_t subbuf_size;
	uint64_t full;
	struct clock_pair anchor;
	struct clock_line line;
	uint64_t limit;
	struct clock_line after;
	struct clock_pair last;
	struct cursor_task told[KTAP_NR_TOLD];
	uint64_t is_told;
};

/**
 * cursor_init() - set a cursor before the first batch of a CPU
 * @c: set; it owns nothing, so it needs no release
 * @cpu: CPU whose ring it walks
 * @subbuf_size: bytes of a sub-buffer, a power of two
 *
 * cursor_begin() is next. It refuses batches until one starts a sub-buffer.
 */
void cursor_init(struct cursor *c, unsigned int cpu, uint32_t subbuf_size);

/**
 * cursor_begin() - go on with the next batch
 * @c: cursor
 * @b: batch
 * @track: clock of late; learns from the start of a sub-buffer
 * @next: start of the CPU's next sub-buffer, or NULL: not known
 *
 * Return: 0; -EBADMSG when it cannot be decoded: it does not go on where the
 * last one ended, or what starts a sub-buffer is not there.
 */
int cursor_begin(struct cursor *c, const struct datafile_batch *b,
		 struct clock_track *track, const struct clock_pair *next);

/**
 * cursor_peek() - read the clocks at the start of a batch
 * @c: cursor, which does not move; only its size of a sub-buffer is used
 * @b: any batch of the ring
 * @ret: both clocks; set on success
 *
 * Return: true; false: the batch does not start a sub-buffer, or its first record is no
 *	KTAP_REC_SUBBUF with the number of that sub-buffer.
 */
bool cursor_peek(const struct cursor *c, const struct datafile_batch *b,
		 struct clock_pair *ret);

/**
 * cursor_next() - find the next record of a probe, of lost ones, or of a mark
 * @c: cursor
 *
 * Return: 1 when there is one; 0 at the end of the batch; -EBADMSG when the
 * borders of records are lost, and so the rest of the sub-buffer.
 */
int cursor_next(struct cursor *c);

#endif /* KTAP_DECODE_CURSOR_H */
