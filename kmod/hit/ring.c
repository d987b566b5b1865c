// SPDX-License-Identifier: GPL-2.0
/*
 * The ring's slow path: reservations that write state before the record (a new
 * sub-buffer, a full time, lost records, another task), and reservations that fail.
 * ring.h describes the protocol and its barriers.
 */
#include "hit/ring.h"

/**
 * ktap_ring_init() - initialise an empty ring
 * @r: filled
 * @prod: zeroed producer page
 * @cons: consumer page
 * @cpu: CPU of the ring
 * @size: bytes of data, a power of two, at least 4 sub-buffers
 * @subbuf_size: bytes of a sub-buffer, a power of two
 * @watermark: unread bytes that wake the reader
 * @overwrite: overwrite mode
 *
 * The caller sets @r->data.
 *
 * Context: any; before the first writer.
 */
void ktap_ring_init(struct ktap_ring *r, struct ktap_ring_producer *prod,
		    const struct ktap_ring_consumer *cons, u32 cpu, u64 size,
		    u32 subbuf_size, u32 watermark, bool overwrite)
{
	r->prod = prod;
	r->limit = overwrite ? &prod->head : &cons->tail;
	r->mask = size - 1;
	r->subbuf_mask = subbuf_size - 1;
	r->watermark = watermark;
	r->wake_at = watermark;
	r->cpu = cpu;
	r->overwrite = overwrite;
	r->tid = KTAP_RING_NOBODY;
	memset(r->told, 0xff, sizeof(r->told)); /* no sub-buffer has named a task */
	prod->magic = KTAP_RING_MAGIC;
	prod->cpu = cpu;
	prod->size = size;
	prod->subbuf_size = subbuf_size;
}

/* ---- tasks ----------------------------------------------------------------- */

static __always_inline void who_runs(struct ktap_ring_told *who)
{
	ktap_task *task = env_task();

	who->tid = env_tid(task);
	who->tgid = env_tgid(task);
	who->comm[0] = env_comm_half(task, 0);
	who->comm[1] = env_comm_half(task, 1);
}

/* Position of the sub-buffer that contains @pos. */
static __always_inline u64 subbuf_of(const struct ktap_ring *r, u64 pos)
{
	return pos & ~(u64)r->subbuf_mask;
}

/* Has the sub-buffer that contains @pos named the task in full? */
static __always_inline bool was_told(const struct ktap_ring *r,
				     const struct ktap_ring_told *who, u64 pos)
{
	const struct ktap_ring_told *t = &r->told[who->tid % KTAP_NR_TOLD];

	return t->tid == who->tid && t->tgid == who->tgid &&
	       t->comm[0] == who->comm[0] && t->comm[1] == who->comm[1] &&
	       t->subbuf == subbuf_of(r, pos);
}

/* ---- one reservation -------------------------------------------------------- */

/*
 * State that may be due before a record, in the order in the ring: [pad] [sub-buffer]
 * [time] [lost] [task] record. The time comes first: the others have the low 32 bits
 * only, which need it.
 */
enum due {
	DUE_PAD = 1 << 0,	/* skip the rest of a sub-buffer */
	DUE_SUBBUF = 1 << 1,	/* begin a sub-buffer, with time and task */
	DUE_TIME = 1 << 2,	/* full time */
	DUE_LOST = 1 << 3,	/* number of lost records */
	DUE_TASK = 1 << 4,	/* task in full */
	DUE_AGAIN = 1 << 5,	/* task that this sub-buffer has named before */
};

/**
 * struct plan - contents of one reservation
 * @old: position of its beginning
 * @end: position of its end
 * @now: raw clock
 * @mono: CLOCK_MONOTONIC at the same moment, if a sub-buffer begins
 * @lost: records lost since the last loss record
 * @pad: bytes skipped up to the sub-buffer boundary
 * @due: enum due
 * @nested: the reservation interrupted another writer, maybe in this code
 * @who: current task
 */
struct plan {
	u64 old;
	u64 end;
	u64 now;
	u64 mono;
	u64 lost;
	u32 pad;
	u32 due;
	bool nested;
	struct ktap_ring_told who;
};

static u8 *put_pad(const struct ktap_ring *r, const struct plan *p, u8 *at)
{
	/* 0: up to the boundary, if the size exceeds 16 bits */
	u32 size = p->pad <= KTAP_RECORD_MAX ? p->pad : 0;

	ktap_ring_put_head(at, ktap_ring_front(KTAP_REC_PAD, size), p->now);
	return ktap_ring_at(r, p->old + p->pad);
}
ENV_NOPROBE(put_pad);

static u8 *put_subbuf(const struct ktap_ring *r, const struct plan *p, u8 *at)
{
	struct ktap_rec_subbuf *rec = (void *)at;

	ktap_ring_put_head(rec, ktap_ring_front(KTAP_REC_SUBBUF, sizeof(*rec)), p->now);
	rec->seq = (p->old + p->pad) / (r->subbuf_mask + 1);
	rec->raw = p->now;
	rec->mono = p->mono;
	rec->tid = p->who.tid;
	rec->tgid = p->who.tgid;
	memcpy(rec->comm, p->who.comm, sizeof(rec->comm));
	return at + sizeof(*rec);
}
ENV_NOPROBE(put_subbuf);

static u8 *put_time(const struct plan *p, u8 *at)
{
	struct ktap_rec_time *rec = (void *)at;

	ktap_ring_put_head(rec, ktap_ring_front(KTAP_REC_TIME, sizeof(*rec)), p->now);
	rec->raw = p->now;
	return at + sizeof(*rec);
}
ENV_NOPROBE(put_time);

static u8 *put_lost(const struct plan *p, u8 *at)
{
	struct ktap_rec_lost *rec = (void *)at;

	ktap_ring_put_head(rec, ktap_ring_front(KTAP_REC_LOST, sizeof(*rec)), p->now);
	rec->count = p->lost;
	return at + sizeof(*rec);
}
ENV_NOPROBE(put_lost);

static u8 *put_task(const struct plan *p, u8 *at)
{
	struct ktap_rec_task *rec = (void *)at;

	ktap_ring_put_head(rec, ktap_ring_front(KTAP_REC_TASK, sizeof(*rec)), p->now);
	rec->tid = p->who.tid;
	rec->tgid = p->who.tgid;
	memcpy(rec->comm, p->who.comm, sizeof(rec->comm));
	return at + sizeof(*rec);
}
ENV_NOPROBE(put_task);

static __always_inline u8 *put_again(const struct plan *p, u8 *at)
{
	struct ktap_rec_again *rec = (void *)at;

	rec->id = KTAP_REC_AGAIN;
	rec->size = sizeof(*rec);
	rec->tid = p->who.tid;
	return at + sizeof(*rec);
}

/*
 * The remembered state may differ from what the reader knows: invalidates it. The slot of
 * the current task in the table is cleared too, since only that slot may be wrong.
 */
static void forget(struct ktap_ring *r, const struct ktap_ring_told *who)
{
	WRITE_ONCE(r->soft_end, 0);
	WRITE_ONCE(r->tid, KTAP_RING_NOBODY);
	WRITE_ONCE(r->told[who->tid % KTAP_NR_TOLD].subbuf, ~0ULL);
}
ENV_NOPROBE(forget);

static __always_inline void remember_told(struct ktap_ring *r,
					  const struct plan *p)
{
	struct ktap_ring_told *t = &r->told[p->who.tid % KTAP_NR_TOLD];

	WRITE_ONCE(t->tid, p->who.tid);
	WRITE_ONCE(t->tgid, p->who.tgid);
	WRITE_ONCE(t->comm[0], p->who.comm[0]);
	WRITE_ONCE(t->comm[1], p->who.comm[1]);
	WRITE_ONCE(t->subbuf, subbuf_of(r, p->old + p->pad));
}

/*
 * Remembers the state that was written. A nested writer that reserved after this
 * reservation wrote all state and invalidated the remembered state; the stores here are
 * older than that. If it comes after the check of reserve, its invalidation is the last
 * store.
 */
static __always_inline void remember(struct ktap_ring *r, const struct plan *p,
				     u32 due)
{
	if (p->nested) {
		forget(r, &p->who);
		return;
	}
	if (due & (DUE_SUBBUF | DUE_TIME))
		WRITE_ONCE(r->time_base, p->now);
	if (due & (DUE_SUBBUF | DUE_TASK))
		remember_told(r, p);
	if (due & (DUE_SUBBUF | DUE_TASK | DUE_AGAIN)) {
		WRITE_ONCE(r->comm[0], p->who.comm[0]);
		WRITE_ONCE(r->comm[1], p->who.comm[1]);
		WRITE_ONCE(r->tid, p->who.tid);
	}
	if (unlikely(READ_ONCE(r->prod->reserve) != p->end))
		forget(r, &p->who);
}

/*
 * Reserves the planned space, unless another writer was faster, and writes the state that
 * is @due. All state records are written here. Return: where the record goes; NULL: a
 * nested writer reserved first, and the plan is void.
 *
 * @due is an argument so that callers with a constant get code for that state only.
 */
static __always_inline u8 *tell(struct ktap_ring *r, const struct plan *p,
				u32 due)
{
	u8 *at;

	if (!env_try_cmpxchg(&r->prod->reserve, p->old, p->end))
		return NULL;
	smp_wmb(); /* A */
	at = ktap_ring_at(r, p->old);
	if (due & DUE_PAD)
		at = put_pad(r, p, at);
	if (due & DUE_SUBBUF)
		at = put_subbuf(r, p, at);
	if (due & DUE_TIME)
		at = put_time(p, at);
	if (due & DUE_LOST)
		at = put_lost(p, at);
	if (due & DUE_TASK)
		at = put_task(p, at);
	if (due & DUE_AGAIN)
		at = put_again(p, at);
	remember(r, p, due);
	return at;
}

/* ---- another task -------------------------------------------------------------- */

/*
 * Writes a separate record that names the task, if no other state is due. The caller has
 * counted itself in @r->nest. Return: whether the reader knows the task now.
 */
static __always_inline bool tell_again(struct ktap_ring *r)
{
	struct plan p __uninitialized; /* only the members for DUE_AGAIN are set */

	p.old = READ_ONCE(r->prod->reserve);
	barrier();
	p.nested = false;
	who_runs(&p.who);
	p.end = p.old + sizeof(struct ktap_rec_again);
	return was_told(r, &p.who, p.old) && p.end <= r->soft_end &&
	       tell(r, &p, DUE_AGAIN);
}

/* The same for a task that this sub-buffer has not named. */
static noinline bool tell_task(struct ktap_ring *r)
{
	struct plan p __uninitialized; /* only the members for DUE_TASK are set */

	p.old = READ_ONCE(r->prod->reserve);
	barrier();
	p.pad = 0;
	p.nested = false;
	p.now = env_clock();
	who_runs(&p.who);
	p.end = p.old + sizeof(struct ktap_rec_task);
	return p.now - r->time_base < KTAP_RING_TIME_SPAN &&
	       p.end <= r->soft_end && tell(r, &p, DUE_TASK);
}
ENV_NOPROBE(tell_task);

/**
 * ktap_ring_turn() - write the task record after a task switch, if that is simple
 * @r: ring of this CPU
 *
 * Called after a failed try, before the next one. The task record is published with the
 * next record, or by ktap_ring_settle(). Does nothing in a nested writer.
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 * Return: whether the reader did not know the task and does now.
 */
noinline bool ktap_ring_turn(struct ktap_ring *r)
{
	bool told;

	if (r->nest || ktap_ring_same_task(r, env_task()))
		return false;
	WRITE_ONCE(r->nest, 1);
	barrier();
	told = tell_again(r) || tell_task(r);
	barrier();
	WRITE_ONCE(r->nest, 0);
	return told;
}
ENV_NOPROBE(ktap_ring_turn);

/* ---- all state -------------------------------------------------------------- */

static u32 state_len(u32 due)
{
	u32 len = 0;

	if (due & DUE_SUBBUF)
		len += sizeof(struct ktap_rec_subbuf);
	if (due & DUE_TIME)
		len += sizeof(struct ktap_rec_time);
	if (due & DUE_LOST)
		len += sizeof(struct ktap_rec_lost);
	if (due & DUE_TASK)
		len += sizeof(struct ktap_rec_task);
	if (due & DUE_AGAIN)
		len += sizeof(struct ktap_rec_again);
	return len;
}
ENV_NOPROBE(state_len);

/* State that is due if no sub-buffer begins. */
static u32 what_is_due(const struct ktap_ring *r, const struct plan *p)
{
	u32 due = p->lost ? DUE_LOST : 0;

	if (p->nested)
		return due | DUE_TIME | DUE_TASK;
	if (r->tid == KTAP_RING_NOBODY ||
	    p->now - r->time_base >= KTAP_RING_TIME_SPAN)
		due |= DUE_TIME;
	if (p->who.tid != r->tid || p->who.comm[0] != r->comm[0] ||
	    p->who.comm[1] != r->comm[1])
		due |= was_told(r, &p->who, p->old) ? DUE_AGAIN : DUE_TASK;
	return due;
}
ENV_NOPROBE(what_is_due);

/*
 * A counter that restarts, after a suspend or with another clock source, does not fit the
 * clock pair of the sub-buffer. The next sub-buffer starts with a new pair. Small steps
 * backwards are written as a full time.
 */
static bool is_another_clock(const struct ktap_ring *r, u64 now)
{
	return (s64)(now - r->time_base) < -(s64)KTAP_RING_TIME_SPAN;
}
ENV_NOPROBE(is_another_clock);

/* Reads the position before clock and task: see ktap_ring_take(). */
static void plan_make(const struct ktap_ring *r, u32 size, struct plan *p)
{
	u32 left;

	p->old = READ_ONCE(r->prod->reserve);
	barrier();
	p->now = env_clock();
	who_runs(&p->who);
	p->due = what_is_due(r, p);
	p->pad = 0;
	left = -p->old & r->subbuf_mask;
	if (!left || state_len(p->due) + size > left ||
	    is_another_clock(r, p->now)) {
		p->pad = left;
		p->due = (left ? DUE_PAD : 0) | DUE_SUBBUF | (p->due & DUE_LOST);
		p->now = env_clock_pair(&p->mono);
	}
	p->end = p->old + p->pad + state_len(p->due) + size;
}
ENV_NOPROBE(plan_make);

/*
 * If the whole sub-buffer before @pos is free, the next records in it need not check the
 * reader's tail, which only grows (a tail that shrinks costs the reader records). They
 * must check if a nested writer lost a record or invalidated the state. A nested writer
 * that does so later sets the limit to 0 itself.
 */
static void set_soft_end(struct ktap_ring *r, u64 pos)
{
	u64 end = ((pos - 1) | r->subbuf_mask) + 1;

	if (end - READ_ONCE(*r->limit) <= r->mask + 1)
		WRITE_ONCE(r->soft_end, end);
	if (READ_ONCE(r->lost) || READ_ONCE(r->tid) == KTAP_RING_NOBODY)
		WRITE_ONCE(r->soft_end, 0);
}
ENV_NOPROBE(set_soft_end);

/*
 * Sets the time up to which hits may take the fast path. The two words belong together;
 * only the outermost writer reads them, which is this one.
 */
static void set_time_span(struct ktap_ring *r, u64 now)
{
	u64 past = now - r->time_base, quiet = env_quiet(now);
	u64 span = KTAP_RING_TIME_SPAN;

	if (!quiet)
		span = 0; /* also if the clock goes backwards */
	else if (past < span && quiet < span - past)
		span = past + quiet;
	WRITE_ONCE(r->time_span, span);
}
ENV_NOPROBE(set_time_span);

/**
 * ktap_ring_reserve_slow() - reserve with all state that is due
 * @r: ring of this CPU; the caller has counted itself in @r->nest
 * @front: as for ktap_ring_reserve()
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 * Return: as ktap_ring_reserve().
 */
noinline void *ktap_ring_reserve_slow(struct ktap_ring *r, u32 front)
{
	enum ktap_ring_failure why = KTAP_RING_FULL;
	struct plan p;
	u8 *at;

	p.nested = READ_ONCE(r->nest) > 1;
	/* taken out first, so that a nested writer does not report them too */
	p.lost = READ_ONCE(r->lost) ? env_xchg(&r->lost, 0) : 0;
	do {
		plan_make(r, front >> 16, &p);
		if (p.end - p.old - p.pad > r->subbuf_mask + 1) {
			why = KTAP_RING_BIG;
			goto lost;
		}
		/*
		 * C. Modulo 2^64: with a forged tail, even one ahead of the writer, the
		 * distance is huge and the records are lost.
		 */
		if (p.end - READ_ONCE(*r->limit) > r->mask + 1)
			goto lost;
		at = tell(r, &p, p.due);
	} while (!at);
	ktap_ring_put_head(at, front, p.now);
	if (!p.nested) {
		set_soft_end(r, p.end);
		set_time_span(r, p.now);
	}
	return at + sizeof(struct ktap_rec_head);
lost:
	env_add(&r->lost, p.lost + 1);
	WRITE_ONCE(r->soft_end, 0); /* the next record reports it */
	/*
	 * The last wake-up may have come just before the reader slept with almost a
	 * watermark unread. What still fits may be less than another watermark, and lost
	 * records do not add to it.
	 */
	if (why == KTAP_RING_FULL)
		ktap_ring_wake(r);
	return (void *)(unsigned long)why;
}
ENV_NOPROBE(ktap_ring_reserve_slow);

/* ---- marks ------------------------------------------------------------------- */

/**
 * ktap_ring_mark() - write a struct ktap_rec_mark
 * @r: ring of this CPU
 * @text: text, with NULs behind it up to a multiple of 8 bytes
 * @size: bytes of the text, from 1 to KTAP_MARK_MAX
 *
 * Context: any, NMI included; own CPU, preemption disabled.
 * Return: whether there was space; if not, the loss is counted in the ring.
 */
bool ktap_ring_mark(struct ktap_ring *r, const char *text, u32 size)
{
	u32 room = ALIGN(size, 8);
	void *to = ktap_ring_reserve(r, ktap_ring_front(KTAP_REC_MARK,
							sizeof(struct ktap_rec_head) + room));
	bool fits = !ktap_ring_failed(to);

	if (fits)
		memcpy(to, text, room);
	ktap_ring_commit(r);
	return fits;
}
ENV_NOPROBE(ktap_ring_mark);
