/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reader's half of one ring, over bytes that someone else mapped. Pure: no
 * file, no system call, so that tests lay out rings of their own. The writer's
 * half, and the letters of the barriers, are in kmod/hit/ring.h.
 */
#ifndef KTAP_WIRE_RING_H
#define KTAP_WIRE_RING_H

#include <linux/ktap.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "wire/session.h"

/**
 * struct ring - a ring that is being read
 * @producer: page that the kernel writes
 * @consumer: page that we write
 * @data: the sub-buffers
 * @copy: overwrite mode: room for one sub-buffer; NULL in keep-oldest mode
 * @size: bytes of data, a power of two
 * @position: next byte to read
 * @subbuf_size: bytes of a sub-buffer, a power of two
 * @cpu: whose ring it is
 */
struct ring {
	const struct ktap_ring_producer *producer;
	struct ktap_ring_consumer *consumer;
	const unsigned char *data;
	void *copy;
	uint64_t size;
	uint64_t position;
	uint32_t subbuf_size;
	unsigned int cpu;
};

/**
 * ring_bytes() - bytes from the start of the producer page to the end of data
 * @producer: page that the kernel writes
 *
 * Return: how much to map; 0 when the page does not describe a ring.
 */
size_t ring_bytes(const struct ktap_ring_producer *producer);

/**
 * ring_init() - start reading at the beginning of a ring
 * @r: to fill
 * @consumer: page that we write
 * @producer: ring_bytes() bytes
 * @copy: overwrite mode: at least a sub-buffer; NULL: keep-oldest
 */
void ring_init(struct ring *r, struct ktap_ring_consumer *consumer,
	       const struct ktap_ring_producer *producer, void *copy);

/**
 * ring_read() - hand all that is complete now to @fn
 * @r: ring
 * @fn: see session_batch_fn
 * @ctx: its context
 *
 * Return: bytes handed over; what @fn returned when negative; -EPROTO when
 * the positions make no sense.
 */
ssize_t ring_read(struct ring *r, session_batch_fn fn, void *ctx);

#endif /* KTAP_WIRE_RING_H */
