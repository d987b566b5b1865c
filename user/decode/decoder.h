/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The decoder from inside: its probes and cursors. Private to decode/.
 */
#ifndef KTAP_DECODE_DECODER_H
#define KTAP_DECODE_DECODER_H

#include "decode/cursor.h"
#include "decode/stacks.h"

/**
 * struct known_probe - a probe whose records can be decoded
 * @name: of its events
 * @layout: of its records
 * @values: of its record at hand, then the elements of their arrays; what is the
 *	same for every record is set at the first one; NULL: there was none
 * @shape: of its events
 */
struct known_probe {
	char *name;
	struct layout *layout;
	struct value *values;
	unsigned int shape;
};

/**
 * struct decoder - what is known across batches
 * @nr_cpus: CPUs are numbered below this
 * @subbuf_size: bytes of a sub-buffer
 * @track: clock of late
 * @probes: by id; NULL: not known
 * @nr_probes: ids that @probes has room for
 * @nr_shapes: probes that were told
 * @mark: the value of the mark at hand
 * @cursors: by CPU; NULL: nothing came from it
 * @stacks: by id
 */
struct decoder {
	unsigned int nr_cpus;
	uint32_t subbuf_size;
	struct clock_track track;
	struct known_probe **probes;
	unsigned int nr_probes;
	unsigned int nr_shapes;
	struct value mark;
	struct cursor **cursors;
	struct stacks stacks;
};

/**
 * decoder_cursor() - get the cursor of a CPU, which is made at the first call
 * @dec: decoder
 * @cpu: number of the CPU; must be less than @dec->nr_cpus
 *
 * Return: the cursor, which the decoder owns; NULL: no memory.
 */
struct cursor *decoder_cursor(struct decoder *dec, unsigned int cpu);

/**
 * decoder_event() - complete the event of the record that a cursor is at
 * @dec: decoder
 * @c: cursor for which cursor_next() returned 1; @c->event gets the probe and the values
 *
 * An event of lost records gets no probe and no values; a mark gets the layout of marks.
 * Values are valid until the next
 * call; strings and structures among them point into the bytes of the batch.
 *
 * Return: true; false: the probe is not known, or the record does not fit it. Then
 *	@c->event must not be used: it may have the probe of an earlier record.
 */
bool decoder_event(struct decoder *dec, struct cursor *c);

/**
 * summary_add() - count an event
 * @s: summary
 * @c: cursor, for which decoder_event() returned true
 */
void summary_add(struct decode_summary *s, const struct cursor *c);

/**
 * decoder_bad_cpu() - report a batch of a CPU that the machine does not have
 * @dec: decoder
 * @cpu: number of the CPU
 * @d: gets the message; or NULL
 *
 * Return: -EBADMSG.
 */
int decoder_bad_cpu(const struct decoder *dec, unsigned int cpu,
		    struct diag *d);

/**
 * decoder_bad_batch() - report a batch in which the borders of records were lost
 * @b: batch; the message has its CPU and its positions on the ring
 * @d: gets the message; or NULL
 *
 * Return: -EBADMSG.
 */
int decoder_bad_batch(const struct datafile_batch *b, struct diag *d);

/**
 * decoder_bad_record() - report a record for which decoder_event() returned false
 * @c: cursor, still at the record
 * @d: gets the message; or NULL
 *
 * Return: -EBADMSG.
 */
int decoder_bad_record(const struct cursor *c, struct diag *d);

#endif /* KTAP_DECODE_DECODER_H */
