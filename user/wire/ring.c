// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a ring in both modes. What the kernel wrote is not interpreted here
 * beyond the positions: batches end at borders of sub-buffers, and nothing
 * else about records is known.
 */
#include "wire/ring.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static bool power_of_two(uint64_t v)
{
	return v && !(v & (v - 1));
}

size_t ring_bytes(const struct ktap_ring_producer *p)
{
	if (p->magic != KTAP_RING_MAGIC || !power_of_two(p->size) ||
	    !power_of_two(p->subbuf_size) || p->subbuf_size > p->size ||
	    p->subbuf_size < sizeof(struct ktap_rec_subbuf) ||
	    p->data_offset < sizeof(*p) || p->data_offset % 8 ||
	    p->size > SIZE_MAX / 2)
		return 0;
	return p->data_offset + p->size;
}

void ring_init(struct ring *r, struct ktap_ring_consumer *consumer,
	       const struct ktap_ring_producer *producer, void *copy)
{
	*r = (struct ring){
		.producer = producer,
		.consumer = consumer,
		.data = (const unsigned char *)producer + producer->data_offset,
		.copy = copy,
		.size = producer->size,
		.subbuf_size = producer->subbuf_size,
		.cpu = producer->cpu,
	};
}

/*
 * Overwrite mode. Has the writer been given any of what starts at our
 * position? Then go on at the oldest whole sub-buffer.
 */
static bool resync(struct ring *r)
{
	uint64_t reserve = __atomic_load_n(&r->producer->reserve,
					   __ATOMIC_RELAXED);

	if (reserve - r->position <= r->size)
		return false;
	r->position = (reserve - r->size + r->subbuf_size - 1) &
		      ~(uint64_t)(r->subbuf_size - 1);
	return true;
}

/* A copy is good when its bytes were not given out again until it was made. */
static bool copy_batch(struct ring *r, const void *batch, size_t size)
{
	if (resync(r))
		return false;
	memcpy(r->copy, batch, size);
	/* A: the data before reserve; the writer stores reserve before data. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return !resync(r);
}

ssize_t ring_read(struct ring *r, session_batch_fn fn, void *ctx)
{
	/* B: head before the data. */
	uint64_t head = __atomic_load_n(&r->producer->head, __ATOMIC_ACQUIRE);
	ssize_t total = 0;
	const void *batch;
	size_t size, left;
	int err;

	if (!r->copy && head - r->position > r->size)
		return -EPROTO;
	/* Signed: a resync can go past the head that was loaded. */
	while ((int64_t)(head - r->position) > 0) {
		batch = r->data + (r->position & (r->size - 1));
		size = head - r->position;
		left = r->subbuf_size - (r->position & (r->subbuf_size - 1));
		if (size > left)
			size = left;
		if (r->copy) {
			if (!copy_batch(r, batch, size))
				continue;
			batch = r->copy;
		}
		err = fn(ctx, r->cpu, r->position, batch, size);
		if (err < 0)
			return err;
		r->position += size;
		total += size;
		/* C: we are done with the bytes before they may be reused. */
		__atomic_store_n(&r->consumer->tail, r->position,
				 __ATOMIC_RELEASE);
	}
	return total;
}
