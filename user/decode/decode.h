/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytes of rings to events: who, when, which probe, which values. The same
 * decoder serves a live session and a recording. Input may be damaged; it is
 * checked at every step.
 */
#ifndef KTAP_DECODE_DECODE_H
#define KTAP_DECODE_DECODE_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "record/datafile.h"
#include "schema/layout.h"

/* struct value - one argument of an event */
struct value {
	const struct field *field;
	bool fault;		/* could not be read: shown as (fault) */
	bool unknown;		/* why: it has no value at that point; shown as
				 * (unknown)
				 */
	bool no_entry;		/* why: the entry of the function was not seen, or
				 * no entry has that key; shown as (no entry)
				 */
	bool cut;		/* longer than what there is of it */
	uint64_t number;	/* FIELD_INT: sign-extended when signed */
	const char *text;	/* strings, not NUL-terminated; FIELD_STRUCT: bytes */
	size_t length;
	const struct ktap_stack *stack; /* of value_is_stack(); NULL: it is not known */
	const struct value *elements; /* of an array, field->count of them */
};

/**
 * value_is_stack() - whether a value is the id of a stack
 * @v: value
 *
 * Return: true: @v->stack is the stack, or NULL if the stack is not known.
 */
static inline bool value_is_stack(const struct value *v)
{
	return v->field->kind == FIELD_INT && field_is_stack(v->field);
}

/**
 * struct event - one decoded record; valid until the next one
 * @return_address: where a return probe's function returned to; else 0
 * @lost: not 0: this is no hit, but that many lost ones on @cpu
 * @mark: not NULL: this is no hit, but the text of 'ktap mark', @mark_size bytes without a NUL.
 *	The event is called "mark" and has the text as its only value
 * @shape: events of one decoder that have the same have one name, one layout and
 *	the same fields; small, from 1; 0: nothing is said
 */
struct event {
	uint64_t mono;		/* ns */
	unsigned int cpu;
	uint32_t tid;
	uint32_t tgid;
	char comm[KTAP_COMM_LEN + 1];
	uint32_t probe_id;
	const char *name;
	const struct layout *layout;
	const struct value *values;
	size_t nr_values;
	uint64_t return_address;
	uint64_t lost;
	const char *mark;
	size_t mark_size;
	unsigned int shape;
};

typedef int (*event_fn)(void *ctx, const struct event *event);

struct decoder;

/**
 * decoder_create() - make a decoder for the rings of a machine
 * @m: machine; not kept
 * @d: on failure
 * @ret: on success; release with decoder_destroy()
 *
 * It knows no probe yet: see decoder_probe().
 *
 * Return: 0; -EINVAL: @m has no CPUs, or the size of its sub-buffers is no power of two
 *	from 64 bytes to 1 GiB; -ENOMEM.
 */
int decoder_create(const struct machine *m, struct diag *d,
		   struct decoder **ret);

/**
 * decoder_destroy() - release a decoder
 * @dec: decoder, or NULL
 *
 * Events that it filled become invalid, with their names, layouts and values. Call
 * live_destroy() before for a struct live of this decoder.
 */
void decoder_destroy(struct decoder *dec);

/**
 * decoder_probe() - add a probe, before its records come
 * @dec: decoder
 * @id: of its records: from KTAP_REC_FIRST_PROBE to 65535
 * @name: of its events; copied
 * @blob: its encoded layout; not kept
 * @size: bytes of @blob
 * @d: on failure
 *
 * A later probe with the same id replaces it, and events of the earlier probe become
 * invalid. A call that fails leaves the earlier probe in place.
 *
 * Return: 0; -EBADMSG: @id is not the id of a probe, or the layout is damaged or has a later
 *	version; -ENOMEM.
 */
int decoder_probe(struct decoder *dec, uint32_t id, const char *name,
		  const void *blob, size_t size, struct diag *d);

/**
 * decoder_values() - the values of a payload that is in no ring
 * @dec: decoder
 * @id: probe that decoder_probe() told
 * @payload: payload; NULL: the event has no values
 * @size: its bytes
 * @ret: filled, without a time or a task; valid until the next one of that probe
 *
 * Return: false: the payload does not fit the probe.
 */
bool decoder_values(struct decoder *dec, uint32_t id, const void *payload,
		    size_t size, struct event *ret);

/**
 * decoder_stacks() - stacks, before the records with their ids come
 * @dec: decoder
 * @stacks: as KTAP_DATA_STACKS has them
 * @size: bytes
 * @d: on failure
 *
 * Return: 0; -EBADMSG where they make no sense, -ENOMEM.
 */
int decoder_stacks(struct decoder *dec, const void *stacks, size_t size,
		   struct diag *d);

/**
 * decoder_clock() - add a moment at which both clocks were read
 * @dec: decoder
 * @now: reply of KTAP_IOC_STATE, or a CLOCK of a recording; only @raw and @mono are used
 *
 * In a live session, call it before the batches that were read after this moment: the
 * pair bounds their time. A pair that is not later than the last one is ignored.
 */
void decoder_clock(struct decoder *dec, const struct ktap_session_state *now);

/**
 * struct decode_summary - what a recording held
 * @events: decoded records, indexed by probe id, 65536 of them; NULL where
 *	the caller does not want them
 * @total: decoded records
 * @marks: decoded marks
 * @lost: what the records on losses add up to
 * @damaged: records, or rests of batches, that made no sense and were skipped
 */
struct decode_summary {
	uint64_t *events;
	uint64_t total;
	uint64_t marks;
	uint64_t lost;
	uint64_t damaged;
};

/*
 * A hit reads the clock before anybody sees its record: an interrupt, or a
 * hypervisor that runs somebody else, may come between. So what is younger than
 * this when the rings are read may still get company from before it.
 */
#define LIVE_SETTLED_NS 50000000

struct live;

/**
 * live_create() - put live events of all CPUs into the order of time
 * @dec: decoder, which nobody else gives batches; lives longer
 * @summary: @total, @marks, @lost and @damaged are added to; NULL: what makes no sense is
 *	an error
 * @d: on failure
 * @ret: release with live_destroy()
 *
 * Return: 0 or -ENOMEM.
 */
int live_create(struct decoder *dec, struct decode_summary *summary,
		struct diag *d, struct live **ret);

/**
 * live_destroy() - release events that wait
 * @l: events that wait, or NULL; its decoder must still exist, and remains valid
 *
 * Events that live_flush() did not hand on are lost.
 */
void live_destroy(struct live *l);

/**
 * live_batch() - keep a copy of a batch until live_flush() decodes it
 * @l: events that wait
 * @b: batch; batches of one CPU must come in the order of its ring
 * @d: on failure
 *
 * Of the batch only the number of its CPU is checked here. If the machine has no such CPU,
 * the batch is skipped and counted as damaged in the summary.
 *
 * Return: 0; -ENOMEM; without a summary -EBADMSG for such a batch.
 */
int live_batch(struct live *l, const struct datafile_batch *b, struct diag *d);

/**
 * live_flush() - hand on what is old enough
 * @l: events that wait
 * @until: those after this moment stay (CLOCK_MONOTONIC, ns)
 * @fn: takes the events: in the order of time, those of one CPU in the order of its
 *	ring
 * @ctx: for @fn
 * @d: on failure, but not of @fn
 *
 * A record that does not fit what is known of its probe is skipped. Where the borders of
 * records are lost, it goes on at the next sub-buffer.
 *
 * Return: 0; what @fn said; without a summary -EBADMSG, when something was skipped (@d
 * tells the first), after all the rest was handed on.
 */
int live_flush(struct live *l, uint64_t until, event_fn fn, void *ctx,
	       struct diag *d);

/**
 * decode_file() - decode all events of a recording
 * @f: recording
 * @fn: takes the events: in the order of time, those of one CPU in the order
 *	of the ring, at the same time those of the CPU with the lower number first
 * @ctx: for @fn
 * @summary: set or, for @summary->events, added to; also on failure
 * @d: on failure
 *
 * The CPUs are merged as the file is read: beyond the index in @f, memory does
 * not grow with the recording.
 *
 * Return: 0, also when something was skipped (see @summary); what @fn
 * returned when it is not 0; -EBADMSG for a probe that cannot be understood;
 * -EINVAL for a machine whose rings cannot be; -ENOMEM.
 */
int decode_file(struct datafile *f, event_fn fn, void *ctx,
		struct decode_summary *summary, struct diag *d);

#endif /* KTAP_DECODE_DECODE_H */
