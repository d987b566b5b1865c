/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU ring of a session: reserve, fill in place, commit. Lock-free and NMI-safe;
 * independent of files, netlink and probes.
 *
 * Context: everything here runs on the ring's own CPU with preemption disabled, except
 * ktap_ring_init(). It uses the algorithm of perf's ring buffer (nest count, publication
 * by the outermost writer), with sub-buffers that no record crosses. Barriers, by pair:
 *
 *   A  reserve before data      smp_wmb() in ktap_ring_take() and tell()
 *      <-> overwrite reader: data, read barrier, reserve
 *   B  data before head         store-release in ktap_ring_publish()  <-> reader's
 *      acquire of head
 *   C  tail before overwriting  control dependency in ktap_ring_reserve_slow() from
 *      the load of the limit to the data stores  <-> reader's release of tail
 *
 * The ring remembers the state that the reader has at the end of the ring (time, task,
 * named tasks). Only the outermost writer uses and changes it. A nested writer may
 * interrupt between any two stores of the outer one; it writes all state before its
 * record and invalidates the remembered state. So the remembered state needs no atomic
 * update, and is correct whatever the clock does.
 *
 * A record of unknown size reserves space for the largest one, and ktap_ring_trim() frees
 * the rest. If a nested writer has reserved after it, the rest becomes padding.
 * Rings in overwrite mode do not do this: their readers compare reserve with the data
 * that they copied, so reserve must only grow.
 */
#ifndef KTAP_RING_H
#define KTAP_RING_H

#include <linux/ktap.h>

#include "hit/env.h"

#define KTAP_RING_TIME_SPAN	0x80000000ULL	/* half of 32 bits */
#define KTAP_RING_NOBODY	(~0U)		/* not a thread id */

/**
 * struct ktap_ring_told - a task that the ring has named in full
 * @subbuf: position of the sub-buffer that names it
 * @comm: its comm
 * @tid: thread
 * @tgid: its process
 */
struct ktap_ring_told {
	u64 subbuf;
	u64 comm[2];
	u32 tid;
	u32 tgid;
};

/**
 * struct ktap_ring - writer's side of a ring
 * @prod: producer page; it holds the positions
 * @soft_end: position up to which records fit without a check of the reader's tail, a
 *	sub-buffer boundary or losses; 0: unknown
 * @data: the sub-buffers
 * @limit: the word that limits writers: the reader's tail (untrusted), or the ring's own
 *	head in overwrite mode
 * @mask: bytes of data, a power of two, less one
 * @subbuf_mask: bytes of a sub-buffer less one
 * @watermark: bytes between wake-ups
 * @nest: writers on this CPU between reserve and commit
 * @wake_at: head beyond which the next wake-up is due
 * @tid: task that was last written to the ring; KTAP_RING_NOBODY: the next record must
 *	write time and task in any case, and @soft_end is 0
 * @comm: comm of @tid
 * @time_base: full time that was last written to the ring
 * @time_span: ticks from @time_base in which a record needs no new time and no slow path;
 *	at most KTAP_RING_TIME_SPAN
 * @lost: records lost since the last struct ktap_rec_lost
 * @cpu: CPU of the ring
 * @overwrite: overwrite mode
 * @told: named tasks by tid: see struct ktap_rec_again
 */
struct ktap_ring {
	struct ktap_ring_producer *prod;
	u64 soft_end;
	u8 *data;
	u64 mask;
	const u64 *limit;
	u32 subbuf_mask;
	u32 watermark;
	u32 nest;
	u32 tid;
	u64 comm[2];
	u64 time_base;
	u64 time_span;
	u64 wake_at;
	u64 lost;
	u32 cpu;
	bool overwrite;
	struct ktap_ring_told told[KTAP_NR_TOLD];
};

/*
 * Reasons for a failed reservation, returned in place of the payload: see
 * ktap_ring_failed().
 */
enum ktap_ring_failure {
	KTAP_RING_FULL = 1,
	KTAP_RING_BIG,
	KTAP_RING_NR_FAILURES
};

void ktap_ring_init(struct ktap_ring *r, struct ktap_ring_producer *prod,
		    const struct ktap_ring_consumer *cons, u32 cpu, u64 size,
		    u32 subbuf_size, u32 watermark, bool overwrite);
void *ktap_ring_reserve_slow(struct ktap_ring *r, u32 front);
bool ktap_ring_turn(struct ktap_ring *r);
bool ktap_ring_mark(struct ktap_ring *r, const char *text, u32 size);

/* Supplied by the owner of the ring: wakes a waiting reader. */
void ktap_ring_wake(struct ktap_ring *r);

static __always_inline void *ktap_ring_at(const struct ktap_ring *r, u64 pos)
{
	return r->data + (pos & r->mask);
}

/* First half of a record header: id, and size including the header. */
static __always_inline u32 ktap_ring_front(u32 id, u32 size)
{
	return id | size << 16;
}

static __always_inline void ktap_ring_put_head(void *at, u32 front, u64 now)
{
	u32 *head = at;

	BUILD_BUG_ON(sizeof(struct ktap_rec_head) != 2 * sizeof(u32));
	head[0] = front; /* little-endian, as both architectures are */
	head[1] = now;
}

/* The reason of a failed reservation, or 0 if @payload is a pointer. */
static __always_inline unsigned long ktap_ring_failed(const void *payload)
{
	unsigned long value = (unsigned long)payload;

	return unlikely(value < KTAP_RING_NR_FAILURES) ? value : 0;
}

/* Is the current task, with its present comm, the one that the ring remembers? */
static __always_inline bool ktap_ring_same_task(const struct ktap_ring *r,
						ktap_task *task)
{
	return env_tid(task) == r->tid &&
	       env_comm_half(task, 0) == r->comm[0] &&
	       env_comm_half(task, 1) == r->comm[1];
}

/**
 * struct ktap_ring_want - records of one id and size
 * @front: ktap_ring_front() of them
 * @size: bytes of a record, also in @front
 */
struct ktap_ring_want {
	u32 front;
	u32 size;
};

/*
 * Tries once to reserve space, at *@at and up to position *@end, for a record without
 * state. Reading the position first makes the order in the ring the order in time: a
 * nested writer that reserves first changes reserve, and the exchange fails. It also fails
 * if a nested writer invalidated the remembered state after the check. The caller has
 * counted itself in @r->nest, and is not nested.
 */
static __always_inline bool ktap_ring_take(struct ktap_ring *r,
					   struct ktap_ring_producer *prod,
					   ktap_task *task,
					   const struct ktap_ring_want *want,
					   bool clock_is_raw, u8 **at, u64 *end)
{
	u64 *reserve = &prod->reserve;
	u64 old = READ_ONCE(*reserve);
	u64 now, new;

	barrier(); /* the remembered state after the position that it is valid for */
	/* each value is used at once, which saves registers */
	if (unlikely(!ktap_ring_same_task(r, task)))
		return false;
	now = clock_is_raw ? env_clock_raw() : env_clock();
	if (unlikely(now - r->time_base >= r->time_span))
		return false;
	new = old + want->size;
	if (unlikely(new > r->soft_end ||
		     !env_try_cmpxchg(reserve, old, new)))
		return false;
	smp_wmb(); /* A */
	*at = ktap_ring_at(r, old);
	ktap_ring_put_head(*at, want->front, now);
	*at += sizeof(struct ktap_rec_head);
	*end = new;
	return true;
}

/**
 * ktap_ring_try() - reserve space for a record on the fast path
 * @r: ring of this CPU
 * @prod: its producer: the caller keeps it in a register until ktap_ring_publish()
 * @task: current task
 * @want: record
 * @payload: on success, the payload to fill; then ktap_ring_publish() must follow
 *
 * Calls no function, so that the caller need not save registers. After a failure
 * ktap_ring_reserve(), another try that succeeds, or ktap_ring_settle() must follow: they
 * also publish what nested writers have committed meanwhile.
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 * Return: whether space was reserved.
 */
static __always_inline bool ktap_ring_try(struct ktap_ring *r,
					  struct ktap_ring_producer *prod,
					  ktap_task *task,
					  const struct ktap_ring_want *want,
					  u8 **payload)
{
	u64 end;

	if (unlikely(r->nest || !env_clock_is_raw()))
		return false;
	WRITE_ONCE(r->nest, 1);
	barrier();
	if (likely(ktap_ring_take(r, prod, task, want, true, payload, &end)))
		return true;
	WRITE_ONCE(r->nest, 0);
	return false;
}

/**
 * struct ktap_ring_room - space for a record of which only the largest size is known
 * @payload: the payload to fill
 * @size: bytes of the space, with the record's header
 * @end: position of its end
 */
struct ktap_ring_room {
	u8 *payload;
	u32 size;
	u64 end;
};

/**
 * ktap_ring_try_room() - ktap_ring_try() for a record of at most @room->size bytes
 * @r: ring of this CPU
 * @task: current task
 * @room: @size is a multiple of 8 and at most KTAP_RECORD_MAX; the rest is filled
 *
 * After a success, ktap_ring_trim() or ktap_ring_cancel() must follow, and then
 * ktap_ring_publish(); after a failure the same as for ktap_ring_try().
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 * Return: whether space was reserved.
 */
static __always_inline bool ktap_ring_try_room(struct ktap_ring *r,
					       ktap_task *task,
					       struct ktap_ring_room *room)
{
	const struct ktap_ring_want want = { .size = room->size };

	if (unlikely(r->nest || r->overwrite || !env_clock_is_raw()))
		return false;
	WRITE_ONCE(r->nest, 1);
	barrier();
	if (likely(ktap_ring_take(r, r->prod, task, &want, true,
				  &room->payload, &room->end)))
		return true;
	WRITE_ONCE(r->nest, 0);
	return false;
}

/*
 * Frees the space after the first @used bytes. @head: of the space. If records of
 * nested writers follow, the rest becomes padding.
 */
static __always_inline void ktap_ring_shrink(struct ktap_ring *r,
					     const struct ktap_ring_room *room,
					     u32 *head, u32 used)
{
	u32 left = room->size - used;

	barrier(); /* stores to the space before a nested writer can reserve it */
	if (unlikely(!env_try_cmpxchg(&r->prod->reserve, room->end,
				      room->end - left)))
		ktap_ring_put_head((u8 *)head + used,
				   ktap_ring_front(KTAP_REC_PAD, left), head[1]);
}

static __always_inline u32 *ktap_ring_head_of(const struct ktap_ring_room *room)
{
	return (u32 *)(room->payload - sizeof(struct ktap_rec_head));
}

/**
 * ktap_ring_trim() - free the space that a record does not need
 * @r: ring of this CPU
 * @room: space of ktap_ring_try_room()
 * @want: the record that was built, smaller than the space
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 */
static __always_inline void ktap_ring_trim(struct ktap_ring *r,
					   const struct ktap_ring_room *room,
					   const struct ktap_ring_want *want)
{
	u32 *head = ktap_ring_head_of(room);

	ktap_ring_shrink(r, room, head, want->size);
	head[0] = want->front;
}

/**
 * ktap_ring_cancel() - free all the space: there is no record
 * @r: ring of this CPU
 * @room: space of ktap_ring_try_room()
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 */
static __always_inline void ktap_ring_cancel(struct ktap_ring *r,
					     const struct ktap_ring_room *room)
{
	ktap_ring_shrink(r, room, ktap_ring_head_of(room), 0);
}

/**
 * ktap_ring_reserve() - reserve space for a record
 * @r: ring of this CPU
 * @front: ktap_ring_front() of the probe's id and the record's size, which is a multiple
 *	of 8 and at most KTAP_RECORD_MAX
 *
 * ktap_ring_commit() must follow, also after a failure.
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 * Return: the payload to fill, or a value for which ktap_ring_failed() returns the
 * reason.
 */
static __always_inline void *ktap_ring_reserve(struct ktap_ring *r, u32 front)
{
	const struct ktap_ring_want want = { front, front >> 16 };
	u32 nest = r->nest;
	u8 *payload;
	u64 end;

	WRITE_ONCE(r->nest, nest + 1);
	barrier();
	if (likely(!nest && ktap_ring_take(r, r->prod, env_task(), &want, false,
					   &payload, &end)))
		return payload;
	return ktap_ring_reserve_slow(r, front);
}

/* Positions never wrap. */
static __always_inline void ktap_ring_wake_due(struct ktap_ring *r, u64 head)
{
	r->wake_at = head + r->watermark;
	ktap_ring_wake(r);
}

/**
 * ktap_ring_publish() - make records visible; last step of the outermost writer
 * @r: ring of this CPU
 * @prod: its producer
 *
 * Records that nested writers committed become visible together with the interrupted one.
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 */
static __always_inline void ktap_ring_publish(struct ktap_ring *r,
					      struct ktap_ring_producer *prod)
{
	u64 head;

	for (;;) {
		barrier();
		head = READ_ONCE(prod->reserve);
		smp_store_release(&prod->head, head); /* B */
		barrier();
		WRITE_ONCE(r->nest, 0);
		barrier();
		if (likely(head == prod->reserve))
			break;
		/* a nested writer came in between: publish its record too */
		WRITE_ONCE(r->nest, 1);
	}
	if (unlikely(head > r->wake_at))
		ktap_ring_wake_due(r, head);
}

/**
 * ktap_ring_settle() - end a failed try after which nothing was reserved
 * @r: ring of this CPU
 *
 * Publishes what nested writers committed meanwhile.
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 */
static __always_inline void ktap_ring_settle(struct ktap_ring *r)
{
	if (likely(r->nest || r->prod->head == READ_ONCE(r->prod->reserve)))
		return;
	WRITE_ONCE(r->nest, 1);
	ktap_ring_publish(r, r->prod);
}

/**
 * ktap_ring_commit() - commit a reservation
 * @r: ring of this CPU
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 */
static __always_inline void ktap_ring_commit(struct ktap_ring *r)
{
	u32 nest = r->nest;

	if (unlikely(nest > 1)) {
		barrier(); /* the record before the outer writer publishes it */
		WRITE_ONCE(r->nest, nest - 1);
		return;
	}
	ktap_ring_publish(r, r->prod);
}

#endif /* KTAP_RING_H */
