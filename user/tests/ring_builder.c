// SPDX-License-Identifier: GPL-2.0
/* Synthetic rings for tests: see ring_builder.h. Aborts when memory is out. */
#include "ring_builder.h"

#include <stdlib.h>
#include <string.h>

void rb_init(struct ring_builder *rb, uint32_t subbuf_size)
{
	*rb = (struct ring_builder){
		.subbuf_size = subbuf_size,
		.mono_num = 1,
		.mono_den = 1,
	};
	rb_task(rb, 212, 200, "cat");
}

void rb_deinit(struct ring_builder *rb)
{
	free(rb->bytes);
}

static void set_task(struct ring_builder *rb, uint32_t tid, uint32_t tgid,
		     const char *comm)
{
	rb->tid = tid;
	rb->tgid = tgid;
	memset(rb->comm, 0, sizeof(rb->comm));
	memcpy(rb->comm, comm, strnlen(comm, sizeof(rb->comm)));
}

void rb_task(struct ring_builder *rb, uint32_t tid, uint32_t tgid,
	     const char *comm)
{
	set_task(rb, tid, tgid, comm);
	rb->task_due = 1;
}

uint64_t rb_mono(const struct ring_builder *rb, uint64_t raw)
{
	return rb->mono_base +
	       (uint64_t)((__uint128_t)raw * rb->mono_num / rb->mono_den);
}

static void put(struct ring_builder *rb, const void *data, size_t size)
{
	uint64_t at = rb->head - rb->base;

	while (at + size > rb->room) {
		rb->room = rb->room ? rb->room * 2 : 4096;
		rb->bytes = realloc(rb->bytes, rb->room);
		if (!rb->bytes)
			abort();
	}
	if (data)
		memcpy(rb->bytes + at, data, size);
	else
		memset(rb->bytes + at, 0, size);
	rb->head += size;
}

static void put_head(struct ring_builder *rb, uint16_t id, uint16_t size,
		     uint64_t raw)
{
	struct ktap_rec_head h = { id, size, (uint32_t)raw };

	put(rb, &h, sizeof(h));
}

void rb_again(struct ring_builder *rb, uint32_t tid, uint32_t tgid,
	      const char *comm)
{
	struct ktap_rec_again rec = { KTAP_REC_AGAIN, sizeof(rec), tid };

	set_task(rb, tid, tgid, comm);
	put(rb, &rec, sizeof(rec));
}

static void put_subbuf(struct ring_builder *rb, uint64_t raw)
{
	struct ktap_rec_subbuf rec = {
		.head = { KTAP_REC_SUBBUF, sizeof(rec), (uint32_t)raw },
		.seq = rb->head / rb->subbuf_size,
		.raw = raw,
		.mono = rb_mono(rb, raw),
		.tid = rb->tid,
		.tgid = rb->tgid,
	};

	memcpy(rec.comm, rb->comm, sizeof(rec.comm));
	put(rb, &rec, sizeof(rec));
	rb->full = raw;
	rb->task_due = 0;
}

static void put_time(struct ring_builder *rb, uint64_t raw)
{
	struct ktap_rec_time rec = {
		.head = { KTAP_REC_TIME, sizeof(rec), (uint32_t)raw },
		.raw = raw,
	};

	put(rb, &rec, sizeof(rec));
	rb->full = raw;
}

static void put_task(struct ring_builder *rb, uint64_t raw)
{
	struct ktap_rec_task rec = {
		.head = { KTAP_REC_TASK, sizeof(rec), (uint32_t)raw },
		.tid = rb->tid,
		.tgid = rb->tgid,
	};

	memcpy(rec.comm, rb->comm, sizeof(rec.comm));
	put(rb, &rec, sizeof(rec));
	rb->task_due = 0;
}

/* State that is due, and @size bytes behind it in the same sub-buffer. */
static void reserve(struct ring_builder *rb, uint64_t raw, size_t size)
{
	uint64_t left = rb->subbuf_size - rb->head % rb->subbuf_size;
	int far = raw - rb->full >= 1ULL << 31;
	uint64_t need = size;

	if (far)
		need += sizeof(struct ktap_rec_time);
	if (rb->task_due)
		need += sizeof(struct ktap_rec_task);
	if (left != rb->subbuf_size && need > left) {
		put_head(rb, KTAP_REC_PAD, left < 65536 ? left : 0, raw);
		put(rb, NULL, left - sizeof(struct ktap_rec_head));
		left = rb->subbuf_size;
	}
	if (left == rb->subbuf_size) {
		put_subbuf(rb, raw);
		return;
	}
	if (far)
		put_time(rb, raw);
	if (rb->task_due)
		put_task(rb, raw);
}

uint64_t rb_event(struct ring_builder *rb, uint16_t id, uint64_t raw,
		  const void *payload, size_t size)
{
	size_t rounded = (size + 7) / 8 * 8;
	uint64_t at;

	reserve(rb, raw, sizeof(struct ktap_rec_head) + rounded);
	at = rb->head;
	put_head(rb, id, sizeof(struct ktap_rec_head) + rounded, raw);
	put(rb, payload, size);
	put(rb, NULL, rounded - size);
	return at;
}

void rb_lost(struct ring_builder *rb, uint64_t raw, uint64_t count)
{
	rb_event(rb, KTAP_REC_LOST, raw, &count, sizeof(count));
}

void rb_pad(struct ring_builder *rb, uint64_t raw, uint16_t size)
{
	static const unsigned char junk[64] = { 0xaa, 0x55, 0xff, 0x11 };

	rb_event(rb, KTAP_REC_PAD, raw, junk,
		 size - sizeof(struct ktap_rec_head));
}

void rb_forget(struct ring_builder *rb)
{
	rb->base = rb->head;
}

void rb_lay(const struct ring_builder *rb, unsigned char *ring, uint64_t size)
{
	uint64_t at = rb->head > size ? rb->head - size : 0;

	for (; at < rb->head; at++)
		ring[at % size] = rb->bytes[at];
}
