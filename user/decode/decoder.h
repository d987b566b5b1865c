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
 *	same for every record is set when the probe is told
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
	struct cursor **cursors;
	struct stacks stacks;
};

/* decoder_cursor() - that of @cpu, which is below nr_cpus; NULL: no memory. */
struct cursor *decoder_cursor(struct decoder *dec, unsigned int cpu);

/* decoder_event() - complete the event of the cursor's record; false when the
 * record does not fit its probe. Its values are good until the next call.
 */
bool decoder_event(struct decoder *dec, struct cursor *c);

/* What is wrong, as an error: -EBADMSG. */
int decoder_bad_cpu(const struct decoder *dec, unsigned int cpu,
		    struct diag *d);
int decoder_bad_batch(const struct datafile_batch *b, struct diag *d);
int decoder_bad_record(const struct cursor *c, struct diag *d);

#endif /* KTAP_DECODE_DECODER_H */
