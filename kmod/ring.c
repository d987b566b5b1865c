// SPDX-License-Identifier: GPL-2.0
/*
 * The ring's slow path: the reservations that carry state in front of the
 * record (a new sub-buffer, another task, a far time, lost records), and the
 * ones that fail. See ring.h for the protocol and its barriers.
 */
#include "ring.h"

/**
 * ktap_ring_init() - lay out an empty ring
 * @r: to fill
 * @prod: zeroed page for the producer's words
 * @cons: page of the consumer
 * @cpu: whose ring it is
 * @size: bytes of data, a power of two, at least 4 sub-buffers
 * @subbuf_size: bytes, a power of two
 * @watermark: unread bytes that wake the reader
 * @overwrite: the oldest goes, not the newest
 *
 * The caller sets @r->data.
 *
 * Context: any; nobody may write yet.
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
	memset(r->told, 0xff, sizeof(r->told)); /* no sub-buffer is there */
	prod->magic = KTAP_RING_MAGIC;
	prod->cpu = cpu;
	prod->size = size;
	prod->subbuf_size = subbuf_size;
}

/* ---- who runs -------------------------------------------------------------- */

static void who_runs(struct ktap_ring_told *who)
{
	who->tid = env_tid();
	who->tgid = env_tgid();
	who->comm[0] = env_comm_half(0);
	who->comm[1] = env_comm_half(1);
}
ENV_NOPROBE(who_runs);

/* Position of the start of the sub-buffer that @pos is in. */
static u64 subbuf_of(const struct ktap_ring *r, u64 pos)
{
	return pos & ~(u64)r->subbuf_mask;
}
ENV_NOPROBE(subbuf_of);

/* Has the sub-buffer that @pos is in told of @who in full? */
static bool was_told(const struct ktap_ring *r, const struct ktap_ring_told *who,
		     u64 pos)
{
	const struct ktap_ring_told *t = &r->told[who->tid % KTAP_NR_TOLD];

	return t->tid == who->tid && t->tgid == who->tgid &&
	       t->comm[0] == who->comm[0] && t->comm[1] == who->comm[1] &&
	       t->subbuf == subbuf_of(r, pos);
}
ENV_NOPROBE(was_told);

static void remember(struct ktap_ring *r, const struct ktap_ring_told *who)
{
	r->tid = who->tid;
	r->comm[0] = who->comm[0];
	r->comm[1] = who->comm[1];
}
ENV_NOPROBE(remember);

/*
 * In any order: a nested writer is the same task, and what it finds half
 * written here it takes for another one, or for what will be there.
 */
static void remember_told(struct ktap_ring *r, const struct ktap_ring_told *who,
			  u64 pos)
{
	r->told[who->tid % KTAP_NR_TOLD] = (struct ktap_ring_told){
		.subbuf = subbuf_of(r, pos),
		.comm = { who->comm[0], who->comm[1] },
		.tid = who->tid,
		.tgid = who->tgid,
	};
	remember(r, who);
}
ENV_NOPROBE(remember_told);

static u8 *put_task(const struct ktap_ring_told *who, u64 now, u8 *at)
{
	struct ktap_rec_task *rec = (void *)at;

	ktap_ring_put_head(rec, ktap_ring_front(KTAP_REC_TASK, sizeof(*rec)), now);
	rec->tid = who->tid;
	rec->tgid = who->tgid;
	memcpy(rec->comm, who->comm, sizeof(rec->comm));
	return at + sizeof(*rec);
}
ENV_NOPROBE(put_task);

static void put_again(const struct ktap_ring_told *who, u8 *at)
{
	struct ktap_rec_again *rec = (void *)at;

	rec->id = KTAP_REC_AGAIN;
	rec->size = sizeof(*rec);
	rec->tid = who->tid;
}
ENV_NOPROBE(put_again);

/*
 * A record of its own that says who runs, where nothing else is due. The caller
 * has counted itself in @r->nest. Return: whether the ring knows it now.
 */
static bool tell_task(struct ktap_ring *r)
{
	u64 old = READ_ONCE(r->prod->reserve), new;
	struct ktap_ring_told who;
	bool again;

	who_runs(&who);
	again = was_told(r, &who, old);
	new = old + (again ? sizeof(struct ktap_rec_again) :
			     sizeof(struct ktap_rec_task));
	if (new > r->soft_end || !env_try_cmpxchg(&r->prod->reserve, old, new))
		return false;
	smp_wmb(); /* A */
	if (again) {
		put_again(&who, ktap_ring_at(r, old));
		remember(r, &who);
	} else {
		put_task(&who, env_clock(), ktap_ring_at(r, old));
		remember_told(r, &who, old);
	}
	return true;
}
ENV_NOPROBE(tell_task);

/**
 * ktap_ring_turn() - another task runs: tell that, if it is easy
 * @r: ring of this CPU
 *
 * For who has failed to write a record, and tries again. What this one wrote is
 * published with it, or by ktap_ring_settle().
 *
 * Context: any, NMI included; own CPU, preemption off.
 * Return: whether the ring knows now who runs, and did not.
 */
noinline bool ktap_ring_turn(struct ktap_ring *r)
{
	bool told;

	if (ktap_ring_same_task(r))
		return false;
	WRITE_ONCE(r->nest, r->nest + 1);
	barrier();
	told = tell_task(r);
	barrier();
	WRITE_ONCE(r->nest, r->nest - 1);
	return told;
}
ENV_NOPROBE(ktap_ring_turn);

/* ---- all that is due -------------------------------------------------------- */

/*
 * struct plan - what one slow reservation consists of, in ring order:
 * [pad] [sub-buffer] [lost] [time] [task] record
 */
struct plan {
	u64 old;
	u64 now;
	u64 mono;
	u64 lost;
	u32 pad;
	u32 len;
	bool subbuf;
	bool time;
	bool task;
	struct ktap_ring_told who;
};

static u32 state_len(const struct plan *p)
{
	u32 len = 0;

	if (p->lost)
		len += sizeof(struct ktap_rec_lost);
	if (p->subbuf)
		return len + sizeof(struct ktap_rec_subbuf);
	if (p->time)
		len += sizeof(struct ktap_rec_time);
	if (p->task)
		len += sizeof(struct ktap_rec_task);
	return len;
}
ENV_NOPROBE(state_len);

/* Read the position first, then clock and task: see ktap_ring_reserve(). */
static void plan_make(const struct ktap_ring *r, u32 size, struct plan *p)
{
	u32 off;

	p->old = READ_ONCE(r->prod->reserve);
	p->now = env_clock();
	who_runs(&p->who);
	p->time = p->now - r->time_base >= KTAP_RING_TIME_SPAN;
	p->task = p->who.tid != r->tid || p->who.comm[0] != r->comm[0] ||
		  p->who.comm[1] != r->comm[1];
	p->pad = 0;
	off = p->old & r->subbuf_mask;
	p->subbuf = !off;
	p->len = state_len(p) + size;
	if (off && off + p->len > r->subbuf_mask + 1) {
		p->pad = r->subbuf_mask + 1 - off;
		p->subbuf = true;
		p->len = state_len(p) + size;
	}
	if (p->subbuf)
		p->now = env_clock_pair(&p->mono);
}
ENV_NOPROBE(plan_make);

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

static u8 *put_lost(const struct plan *p, u8 *at)
{
	struct ktap_rec_lost *rec = (void *)at;

	ktap_ring_put_head(rec, ktap_ring_front(KTAP_REC_LOST, sizeof(*rec)), p->now);
	rec->count = p->lost;
	return at + sizeof(*rec);
}
ENV_NOPROBE(put_lost);

static u8 *put_time(const struct plan *p, u8 *at)
{
	struct ktap_rec_time *rec = (void *)at;

	ktap_ring_put_head(rec, ktap_ring_front(KTAP_REC_TIME, sizeof(*rec)), p->now);
	rec->raw = p->now;
	return at + sizeof(*rec);
}
ENV_NOPROBE(put_time);

/*
 * Write the state and remember it. It is remembered only now, after the
 * reservation: a nested writer in between may repeat it, which is harmless,
 * but can never miss it.
 */
static u8 *plan_write(struct ktap_ring *r, const struct plan *p)
{
	u8 *at = ktap_ring_at(r, p->old);

	if (p->pad) {
		/* 0 where the distance has no 16 bits: to the border */
		u32 size = p->pad <= KTAP_RECORD_MAX ? p->pad : 0;

		ktap_ring_put_head(at, ktap_ring_front(KTAP_REC_PAD, size),
				   p->now);
		at = ktap_ring_at(r, p->old + p->pad);
	}
	if (p->subbuf)
		at = put_subbuf(r, p, at);
	if (p->lost)
		at = put_lost(p, at);
	if (p->time && !p->subbuf)
		at = put_time(p, at);
	if (p->task && !p->subbuf)
		at = put_task(&p->who, p->now, at);
	if (p->subbuf || p->time)
		r->time_base = p->now;
	if (p->subbuf || p->task)
		remember_told(r, &p->who, p->old + p->pad);
	return at;
}
ENV_NOPROBE(plan_write);

/*
 * Where all of the sub-buffer that ends behind @pos is free, the records that
 * follow need not look at the reader, whose tail only ever grows (or loses him
 * his records). A loss that a nested writer has just had may be told at the
 * next border only.
 */
static void set_soft_end(struct ktap_ring *r, u64 pos)
{
	u64 end = ((pos - 1) | r->subbuf_mask) + 1;

	if (!READ_ONCE(r->lost) && end - READ_ONCE(*r->limit) <= r->mask + 1)
		WRITE_ONCE(r->soft_end, end);
}
ENV_NOPROBE(set_soft_end);

/**
 * ktap_ring_reserve_slow() - reserve with whatever state is due
 * @r: ring of this CPU; the caller has counted itself in @r->nest
 * @front: as for ktap_ring_reserve()
 *
 * Context: any, NMI included; own CPU, preemption off.
 * Return: as ktap_ring_reserve().
 */
noinline void *ktap_ring_reserve_slow(struct ktap_ring *r, u32 front)
{
	const struct ktap_ring_want want = { front, front >> 16 };
	enum ktap_ring_failure why = KTAP_RING_FULL;
	struct plan p;
	u64 new;
	u8 *at;

	/* most often that is all */
	if (!ktap_ring_same_task(r) && tell_task(r) &&
	    ktap_ring_take(r, &want, false, &at))
		return at;

	/* taken out first, so that no nested writer reports them as well */
	p.lost = READ_ONCE(r->lost) ? env_xchg(&r->lost, 0) : 0;
	do {
		plan_make(r, front >> 16, &p);
		if (p.len > r->subbuf_mask + 1) {
			why = KTAP_RING_BIG;
			goto lost;
		}
		new = p.old + p.pad + p.len;
		/*
		 * C. Modulo 2^64: a tail that was forged, even one ahead of
		 * us, gives a huge distance and costs its forger the records.
		 */
		if (new - READ_ONCE(*r->limit) > r->mask + 1)
			goto lost;
	} while (env_cmpxchg(&r->prod->reserve, p.old, new) != p.old);
	set_soft_end(r, new);

	smp_wmb(); /* A */
	at = plan_write(r, &p);
	ktap_ring_put_head(at, front, p.now);
	return at + sizeof(struct ktap_rec_head);
lost:
	env_add(&r->lost, p.lost + 1);
	WRITE_ONCE(r->soft_end, 0); /* the next record tells */
	/*
	 * The last wake-up may have come just before the reader went to sleep
	 * with almost a watermark unread; what fits since may be less than
	 * another one, and nothing that does not fit will ever add to it.
	 */
	if (why == KTAP_RING_FULL)
		ktap_ring_wake(r);
	return (void *)(unsigned long)why;
}
ENV_NOPROBE(ktap_ring_reserve_slow);
