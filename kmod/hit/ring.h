/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU ring of one session: reserve, fill in place, commit. Lock-free and
 * NMI-safe; knows nothing of files, netlink or probes.
 *
 * Context: everything here runs on the ring's own CPU with preemption off,
 * except ktap_ring_init(). The algorithm is that of perf's ring buffer (nest
 * count, publication by the outermost writer) over sub-buffers that no record
 * crosses. Barriers, by pair:
 *
 *   A  reserve before data      smp_wmb() of ktap_ring_take() and tell()
 *      <-> overwrite reader: data, read barrier, reserve
 *   B  data before head         store-release of ktap_ring_publish()  <-> reader's
 *      acquire of head
 *   C  tail before overwriting  control dependency of ktap_ring_reserve_slow()
 *      from the load of the limit to the data stores  <-> reader's release of tail
 *
 * What the reader knows at the end of the ring (time, task, tasks told) is what
 * the ring remembers; only the outermost writer uses and changes that. A nested
 * writer, which may have come between any two of the outer one's stores, tells
 * everything in front of its record, and makes the ring forget. So what is
 * remembered needs no atomic update, and is right whatever the clock does.
 */
#ifndef KTAP_RING_H
#define KTAP_RING_H

#include <linux/ktap.h>

#include "hit/env.h"

#define KTAP_RING_TIME_SPAN	0x80000000ULL	/* half of 32 bits */
#define KTAP_RING_NOBODY	(~0U)		/* no thread has this number */

/**
 * struct ktap_ring_told - a task that the ring told of in full
 * @subbuf: position of the sub-buffer in which it did
 * @comm: its name
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
 * @prod: page shown to the reader; the positions live there
 * @soft_end: position up to which a record fits without looking at the reader,
 *	at a sub-buffer's border or at losses; 0: nothing is known
 * @data: the sub-buffers
 * @limit: the word that bounds writers: the reader's tail (untrusted), or our
 *	own published head in overwrite mode
 * @mask: bytes of data, a power of two, less one
 * @subbuf_mask: bytes of a sub-buffer less one
 * @watermark: bytes published since the last wake-up that call for another
 * @nest: writers on this CPU between reserve and commit
 * @wake_at: head beyond which the next wake-up is due
 * @tid: task last written to the ring; KTAP_RING_NOBODY: time and task of the
 *	next record have to be told, whatever they are, and @soft_end is 0
 * @comm: and its name
 * @time_base: full time last written to the ring
 * @time_span: ticks from there in which a record needs no other time, and nobody
 *	wants it to take the slow path; at most KTAP_RING_TIME_SPAN
 * @lost: records lost since the last struct ktap_rec_lost
 * @cpu: whose ring it is
 * @told: tasks by tid: see struct ktap_rec_again
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
	struct ktap_ring_told told[KTAP_NR_TOLD];
};

/*
 * Why there is no space. A reservation returns the payload, or one of these
 * in its place: see ktap_ring_failed().
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

/* Supplied by the owner of the ring: a reader may be waiting. */
void ktap_ring_wake(struct ktap_ring *r);

static __always_inline void *ktap_ring_at(const struct ktap_ring *r, u64 pos)
{
	return r->data + (pos & r->mask);
}

/* The first half of a record's header: id, and size with the header. */
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

/* enum ktap_ring_failure, or 0 where @payload is one. */
static __always_inline unsigned long ktap_ring_failed(const void *payload)
{
	unsigned long value = (unsigned long)payload;

	return unlikely(value < KTAP_RING_NR_FAILURES) ? value : 0;
}

/* Is who runs the one that the ring knows of, by the same name? */
static __always_inline bool ktap_ring_same_task(const struct ktap_ring *r,
						ktap_task *task)
{
	return env_tid(task) == r->tid &&
	       env_comm_half(task, 0) == r->comm[0] &&
	       env_comm_half(task, 1) == r->comm[1];
}

/**
 * struct ktap_ring_want - records of one kind and size
 * @front: ktap_ring_front() of them
 * @size: bytes of one, which is in @front too
 */
struct ktap_ring_want {
	u32 front;
	u32 size;
};

/*
 * One attempt to take a place, at *@at, where nothing but the record is to be
 * written. The order of the first two reads makes order in the ring the order
 * in time: a nested writer that takes a place before ours changes reserve, and
 * then the exchange fails; so it does where a nested writer made the ring forget
 * after we looked. The caller has counted itself in @r->nest, and is not nested.
 */
static __always_inline bool ktap_ring_take(struct ktap_ring *r,
					   ktap_task *task,
					   const struct ktap_ring_want *want,
					   bool clock_is_raw, u8 **at)
{
	u64 *reserve = &r->prod->reserve;
	u64 old = READ_ONCE(*reserve);
	u64 now, new;

	barrier(); /* what is remembered, after the position it is true of */
	/* each answer is used up at once: that leaves registers free */
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
	return true;
}

/**
 * ktap_ring_try() - get space for one record if that is easy
 * @r: ring of this CPU
 * @task: who runs
 * @want: what is to be written
 * @payload: on success what to fill; then ktap_ring_publish() follows
 *
 * Calls nothing, so that the caller can do without saved registers. After a
 * failure ktap_ring_reserve(), another try that succeeds, or ktap_ring_settle()
 * must follow: they also publish what nested writers left to us meanwhile.
 *
 * Context: any, NMI included; own CPU, preemption off.
 */
static __always_inline bool ktap_ring_try(struct ktap_ring *r,
					  ktap_task *task,
					  const struct ktap_ring_want *want,
					  u8 **payload)
{
	if (unlikely(r->nest || !env_clock_is_raw()))
		return false;
	WRITE_ONCE(r->nest, 1);
	barrier();
	if (likely(ktap_ring_take(r, task, want, true, payload)))
		return true;
	WRITE_ONCE(r->nest, 0);
	return false;
}

/**
 * ktap_ring_reserve() - get space for one record
 * @r: ring of this CPU
 * @front: ktap_ring_front() of the probe's id and the record's size, which is
 *	a multiple of 8 and at most KTAP_RECORD_MAX
 *
 * Every call is followed by ktap_ring_commit(), also when it failed.
 *
 * Context: any, NMI included; own CPU, preemption off.
 * Return: the payload to fill, or a value for which ktap_ring_failed() tells
 * why there is none.
 */
static __always_inline void *ktap_ring_reserve(struct ktap_ring *r, u32 front)
{
	const struct ktap_ring_want want = { front, front >> 16 };
	u32 nest = r->nest;
	u8 *payload;

	WRITE_ONCE(r->nest, nest + 1);
	barrier();
	if (likely(!nest && ktap_ring_take(r, env_task(), &want, false,
					   &payload)))
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
 * ktap_ring_publish() - what the outermost writer does last
 * @r: ring of this CPU
 *
 * What nested writers finished becomes visible with what they interrupted.
 *
 * Context: any, NMI included; own CPU, preemption off.
 */
static __always_inline void ktap_ring_publish(struct ktap_ring *r)
{
	struct ktap_ring_producer *prod = r->prod;
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
		/* a nested writer came between: its record needs us */
		WRITE_ONCE(r->nest, 1);
	}
	if (unlikely(head > r->wake_at))
		ktap_ring_wake_due(r, head);
}

/**
 * ktap_ring_settle() - a try failed, and nothing was reserved after it
 * @r: ring of this CPU
 *
 * What nested writers finished meanwhile relied on the outer one.
 *
 * Context: any, NMI included; own CPU, preemption off.
 */
static __always_inline void ktap_ring_settle(struct ktap_ring *r)
{
	if (likely(r->nest || r->prod->head == READ_ONCE(r->prod->reserve)))
		return;
	WRITE_ONCE(r->nest, 1);
	ktap_ring_publish(r);
}

/**
 * ktap_ring_commit() - finish what was reserved
 * @r: ring of this CPU
 *
 * Context: any, NMI included; own CPU, preemption off.
 */
static __always_inline void ktap_ring_commit(struct ktap_ring *r)
{
	u32 nest = r->nest;

	if (unlikely(nest > 1)) {
		barrier(); /* the record before the outer writer's publication */
		WRITE_ONCE(r->nest, nest - 1);
		return;
	}
	ktap_ring_publish(r);
}

#endif /* KTAP_RING_H */
