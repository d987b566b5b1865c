// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any layout, and any bytes of rings, from the decoder to both
 * outputs. The input is a u16 with the size of a blob, the blob, and then
 * batches of { u8 cpu, u8 what, u16 size in words, bytes }.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "event_log.h"
#include "export/sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SUBBUF	1024
#define CPUS	2

static const struct machine machine = {
	.nr_cpus = CPUS, .clock = KTAP_CLOCK_TSC, .clock_hz = 3000000000,
	.subbuf_size = SUBBUF,
};

/* What a batch's second byte asks for. */
enum {
	SKIP = 1,	/* leave out the rest of the sub-buffer */
	TRUE_START = 2,	/* a sub-buffer starts as it should */
	CLOCK = 4,	/* a pair of clocks comes first */
	HOLD = 8,	/* it waits for the next one */
};

/**
 * struct run - the decoder and its outputs
 * @dec: decoder
 * @live: batches that wait
 * @text: output
 * @json: output
 * @position: of each CPU's ring
 */
struct run {
	struct decoder *dec;
	struct live *live;
	struct sink *text;
	struct sink *json;
	uint64_t position[CPUS];
};

static int show(void *ctx, const struct event *e)
{
	struct run *r = ctx;

	return sink_event(r->text, e) | sink_event(r->json, e);
}

static void add_probes(struct run *r, const uint8_t *blob, size_t size)
{
	size_t good_size;
	void *good = log_blob(&log_layout_u64, &good_size);

	decoder_probe(r->dec, 16, "good", good, good_size, NULL);
	decoder_probe(r->dec, 17, "fuzz", blob, size, NULL);
	free(good);
}

static void start_subbuf(unsigned char *bytes, size_t size, uint64_t position)
{
	struct ktap_rec_subbuf rec;

	if (position % SUBBUF || size < sizeof(rec))
		return;
	memcpy(&rec, bytes, sizeof(rec));
	rec.head.id = KTAP_REC_SUBBUF;
	rec.head.size = sizeof(rec);
	rec.seq = position / SUBBUF;
	memcpy(bytes, &rec, sizeof(rec));
}

static void clock_pair(struct run *r, const uint8_t *data, size_t size)
{
	struct ktap_session_state now = {};

	memcpy(&now, data, size < 16 ? size : 16);
	decoder_clock(r->dec, &now);
}

static void add_batch(struct run *r, unsigned int cpu, const void *bytes,
		      size_t size)
{
	const struct datafile_batch b = {
		.cpu = cpu, .position = r->position[cpu], .data = bytes,
		.size = size,
	};

	live_batch(r->live, &b, NULL);
}

/* Return: bytes of @data that were used; 0 at the end. */
static size_t batch(struct run *r, const uint8_t *data, size_t size)
{
	unsigned char *copy;
	unsigned int cpu;
	uint64_t *position;
	size_t bytes;

	if (size < 12)
		return 0;
	cpu = data[0] % CPUS;
	position = &r->position[cpu];
	bytes = 8 * (data[2] + 256 * (data[3] % 2));
	if (bytes > size - 4)
		bytes = (size - 4) / 8 * 8;
	if (bytes > SUBBUF - *position % SUBBUF)
		bytes = SUBBUF - *position % SUBBUF;
	copy = malloc(bytes + 1);
	memcpy(copy, data + 4, bytes);
	if (data[1] & CLOCK)
		clock_pair(r, data + 4, bytes);
	if (data[1] & TRUE_START)
		start_subbuf(copy, bytes, *position);
	add_batch(r, cpu, copy, bytes);
	if (!(data[1] & HOLD))
		live_flush(r->live, UINT64_MAX, show, r, NULL);
	free(copy);
	*position += bytes;
	if (data[1] & SKIP)
		*position = (*position / SUBBUF + 1) * SUBBUF;
	return 4 + bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sink_options opt = { .time = SINK_TIME_REL };
	struct run r = {};
	size_t used;

	if (size < 2)
		return 0;
	used = 2 + data[0] + data[1] % 4 * 256;
	if (used > size)
		return 0;
	opt.out = fopen("/dev/null", "w");
	if (!opt.out || decoder_create(&machine, NULL, &r.dec) ||
	    live_create(r.dec, NULL, NULL, &r.live) ||
	    sink_create(&opt, NULL, &r.text))
		abort();
	opt.exporter = &exporter_json;
	if (sink_create(&opt, NULL, &r.json))
		abort();
	add_probes(&r, data + 2, used - 2);
	do {
		data += used;
		size -= used;
		used = batch(&r, data, size);
	} while (used);
	live_flush(r.live, UINT64_MAX, show, &r, NULL);
	if (sink_flush(r.text) || sink_flush(r.json))
		abort();
	sink_destroy(r.text);
	sink_destroy(r.json);
	live_destroy(r.live);
	decoder_destroy(r.dec);
	fclose(opt.out);
	return 0;
}
