/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of one CPU's ring as the uapi header describes them, for tests:
 * one endless line of sub-buffers from position 0, from which a test takes
 * batches, or the part that a ring of some size would still hold. Written
 * from the header alone; shares no code with the reader or the decoder.
 */
#ifndef KTAP_TESTS_RING_BUILDER_H
#define KTAP_TESTS_RING_BUILDER_H

#include <linux/ktap.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct ring_builder - what was written so far
 * @bytes: from position @base
 * @base: 0 until rb_forget()
 * @head: bytes written
 * @room: bytes allocated
 * @subbuf_size: bytes of a sub-buffer
 * @mono_base: CLOCK_MONOTONIC when the raw counter was 0
 * @mono_num: nanoseconds per ...
 * @mono_den: ... ticks
 * @full: last full time written
 * @tid: who hits now
 * @tgid: its process
 * @comm: its name
 * @task_due: not written yet
 */
struct ring_builder {
	unsigned char *bytes;
	uint64_t base;
	uint64_t head;
	uint64_t room;
	uint32_t subbuf_size;
	uint64_t mono_base;
	uint64_t mono_num;
	uint64_t mono_den;
	uint64_t full;
	uint32_t tid;
	uint32_t tgid;
	char comm[KTAP_COMM_LEN];
	int task_due;
};

/* rb_init() - the raw counter counts nanoseconds until mono_* are changed. */
void rb_init(struct ring_builder *rb, uint32_t subbuf_size);
void rb_deinit(struct ring_builder *rb);

/* rb_task() - who hits from now on. */
void rb_task(struct ring_builder *rb, uint32_t tid, uint32_t tgid,
	     const char *comm);

/* rb_again() - the same, as a record that only names it, whatever was told. */
void rb_again(struct ring_builder *rb, uint32_t tid, uint32_t tgid,
	      const char *comm);

/* rb_event() - a probe's record with the state it needs; its position. */
uint64_t rb_event(struct ring_builder *rb, uint16_t id, uint64_t raw,
		  const void *payload, size_t size);

/* rb_lost() - a lost record. */
void rb_lost(struct ring_builder *rb, uint64_t raw, uint64_t count);

/* rb_pad() - a record of @size bytes that was discarded. */
void rb_pad(struct ring_builder *rb, uint64_t raw, uint16_t size);

/* rb_mono() - CLOCK_MONOTONIC at @raw, as the sub-buffers tell it. */
uint64_t rb_mono(const struct ring_builder *rb, uint64_t raw);

/* rb_forget() - what was written is not needed any more: its memory is reused. */
void rb_forget(struct ring_builder *rb);

/* rb_lay() - the last @size bytes as they lie in a ring of @size. */
void rb_lay(const struct ring_builder *rb, unsigned char *ring, uint64_t size);

#endif /* KTAP_TESTS_RING_BUILDER_H */
