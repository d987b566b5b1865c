// SPDX-License-Identifier: GPL-2.0
/*
 * A ring, its writer and its reader for tests. The reader is written from
 * ktap.h and shares nothing with the module or the tool.
 */
#include "kring/rig.h"

#include <stdlib.h>

#define POISON	0xdb

static u64 mix(u64 serial, u64 i)
{
	return (serial + 1) * 0x9e3779b97f4a7c15 + i * 0xbf58476d1ce4e5b9;
}

void rig_init(struct rig *rig, u64 bytes, u32 subbuf, u32 watermark,
	      bool overwrite)
{
	size_t size = sizeof(*rig->prod) + bytes;

	static_assert(sizeof(struct rig_body) <= RIG_PAYLOAD_MIN, "body");
	*rig = (struct rig){
		.bytes = bytes,
		.subbuf = subbuf,
		.overwrite = overwrite,
	};
	rig->prod = aligned_alloc(64, ALIGN(size, 64));
	assert(rig->prod);
	memset(rig->prod, 0, sizeof(*rig->prod));
	rig->ring.data = (u8 *)(rig->prod + 1);
	memset(rig->ring.data, POISON, bytes);
	rig->prod->data_offset = sizeof(*rig->prod);
	ktap_ring_init(&rig->ring, rig->prod, &rig->cons, 0, bytes, subbuf,
		       watermark, overwrite);
}

void rig_deinit(struct rig *rig)
{
	free(rig->prod);
	rig->prod = NULL;
}

void rig_at(struct rig *rig, u64 position)
{
	rig->prod->reserve = position;
	rig->prod->head = position;
	rig->cons.tail = position;
}

/* struct job - a record to write, and which one it is */
struct job {
	struct ktap_ring_want want;
	u64 serial;
};

static void fill(void *payload, const struct job *job)
{
	struct rig_body body = {
		.serial = job->serial,
		.time = env_world.seen.clock,
		.tid = env_world.tid,
		.tgid = env_world.tgid,
		.words = (job->want.size - sizeof(struct ktap_rec_head) -
			  sizeof(body)) / 8,
	};
	u8 *at = (u8 *)payload + sizeof(body);
	u64 i;

	memcpy(body.comm, env_world.seen.comm, sizeof(body.comm));
	memcpy(payload, &body, sizeof(body));
	for (i = 0; i < body.words; i++) {
		u64 word = mix(job->serial, i);

		if (!i)
			env_point();
		memcpy(at + 8 * i, &word, 8);
	}
}

static bool write_quick(struct rig *rig, const struct job *job)
{
	u8 *at;

	if (!ktap_ring_try(&rig->ring, rig->ring.prod, env_task(), &job->want, &at))
		return false;
	fill(at, job);
	ktap_ring_publish(&rig->ring, rig->ring.prod);
	return true;
}

/*
 * As hits whose size is known only when they are built. Some of them have no record: then
 * the job is written in another way.
 */
static bool write_trimmed(struct rig *rig, const struct job *job, u64 more)
{
	struct ktap_ring_room room = { .size = job->want.size + more };
	bool built = job->serial % 8 != 3;

	if (!ktap_ring_try_room(&rig->ring, env_task(), &room))
		return false;
	fill(room.payload, job);
	/* a hit may write to all of the space before it is trimmed */
	memset(room.payload + job->want.size - sizeof(struct ktap_rec_head), POISON,
	       more);
	if (built)
		ktap_ring_trim(&rig->ring, &room, &job->want);
	else
		ktap_ring_cancel(&rig->ring, &room);
	ktap_ring_publish(&rig->ring, rig->ring.prod);
	return built;
}

static unsigned long write_slow(struct rig *rig, const struct job *job)
{
	void *at = ktap_ring_reserve(&rig->ring, job->want.front);
	unsigned long failed = ktap_ring_failed(at);

	if (!failed)
		fill(at, job);
	ktap_ring_commit(&rig->ring);
	return failed;
}

/* In the order of ktap_hit_quick() and ktap_hit_again(). */
static unsigned long write_as_hits(struct rig *rig, const struct job *job)
{
	unsigned long failed = 0;

	if (job->serial % 2 && write_trimmed(rig, job, 8 + job->serial % 5 * 8))
		return 0;
	if (write_quick(rig, job))
		return 0;
	if (!ktap_ring_turn(&rig->ring) || !write_quick(rig, job))
		failed = write_slow(rig, job);
	ktap_ring_settle(&rig->ring);
	return failed;
}

unsigned long rig_write(struct rig *rig, u32 id, u32 payload)
{
	u64 serial = __atomic_fetch_add(&rig->serial, 1, __ATOMIC_RELAXED);
	u32 size = payload + sizeof(struct ktap_rec_head);
	const struct job job = {
		.want = { ktap_ring_front(id, size), size },
		.serial = serial,
	};
	const struct env_seen seen = env_world.seen;
	unsigned long failed;

	assert(payload >= RIG_PAYLOAD_MIN && payload % 8 == 0);
	failed = rig->quick ? write_as_hits(rig, &job) : write_slow(rig, &job);
	if (rig->fate)
		rig->fate[serial] = failed ? RIG_LOST : RIG_WRITTEN;
	env_world.seen = seen; /* of whom we interrupted */
	return failed;
}

/* ---- reading ------------------------------------------------------------- */

static void tell(struct rig_reader *r, const struct rig *rig, u32 tid, u32 tgid,
		 const char *comm)
{
	struct rig_task *task = &r->told[tid % KTAP_NR_TOLD];

	task->subbuf = r->position / rig->subbuf + 1;
	task->tid = tid;
	task->tgid = tgid;
	memcpy(task->comm, comm, sizeof(task->comm));
	r->tid = tid;
	r->tgid = tgid;
	memcpy(r->comm, comm, sizeof(r->comm));
}

static const char *take_subbuf(struct rig_reader *r, const struct rig *rig,
			       const u8 *at, const struct ktap_rec_head *h)
{
	struct ktap_rec_subbuf rec;

	if (h->size != sizeof(rec))
		return "sub-buffer record of another size";
	memcpy(&rec, at, sizeof(rec));
	if (rec.seq != r->position / rig->subbuf)
		return "sub-buffer out of sequence";
	if ((u32)rec.raw != h->time_low)
		return "sub-buffer with two times";
	if (rec.raw < r->full && !rig->wild)
		return "full time goes back";
	if (rec.mono != rec.raw + env_world.mono_offset)
		return "two clocks that were not read together";
	r->full = rec.raw;
	r->known = true;
	tell(r, rig, rec.tid, rec.tgid, rec.comm);
	return NULL;
}

static const char *take_time(struct rig_reader *r, const struct rig *rig,
			     const u8 *at, const struct ktap_rec_head *h)
{
	struct ktap_rec_time rec;

	if (h->size != sizeof(rec))
		return "time record of another size";
	memcpy(&rec, at, sizeof(rec));
	if ((u32)rec.raw != h->time_low)
		return "time record with two times";
	if (rec.raw < r->full && !rig->wild)
		return "full time goes back";
	r->full = rec.raw;
	r->states++;
	return NULL;
}

static const char *take_task(struct rig_reader *r, const struct rig *rig,
			     const u8 *at, const struct ktap_rec_head *h)
{
	struct ktap_rec_task rec;

	if (h->size != sizeof(rec))
		return "task record of another size";
	memcpy(&rec, at, sizeof(rec));
	tell(r, rig, rec.tid, rec.tgid, rec.comm);
	r->states++;
	return NULL;
}

static const char *take_again(struct rig_reader *r, const struct rig *rig,
			      const u8 *at, const struct ktap_rec_head *h)
{
	const struct rig_task *task;
	struct ktap_rec_again rec;

	if (h->size != sizeof(rec))
		return "known task's record of another size";
	memcpy(&rec, at, sizeof(rec));
	task = &r->told[rec.tid % KTAP_NR_TOLD];
	if (task->tid != rec.tid || task->subbuf != r->position / rig->subbuf + 1)
		return "task that this sub-buffer did not tell of";
	r->tid = task->tid;
	r->tgid = task->tgid;
	memcpy(r->comm, task->comm, sizeof(r->comm));
	r->states++;
	r->again++;
	return NULL;
}

static const char *take_lost(struct rig_reader *r, const u8 *at,
			     const struct ktap_rec_head *h)
{
	struct ktap_rec_lost rec;

	if (h->size != sizeof(rec))
		return "lost record of another size";
	memcpy(&rec, at, sizeof(rec));
	if (!rec.count)
		return "lost record that counts nothing";
	r->lost += rec.count;
	return NULL;
}

static const char *check_words(const u8 *at, const struct rig_body *body)
{
	u64 i, word;

	for (i = 0; i < body->words; i++) {
		memcpy(&word, at + 8 * i, 8);
		if (word != mix(body->serial, i))
			return "contents of another record";
	}
	return NULL;
}

static u64 full_time(const struct rig_reader *r, const struct ktap_rec_head *h)
{
	return r->full + (__s64)(__s32)(h->time_low - (u32)r->full);
}

static const char *take_event(struct rig_reader *r, const struct rig *rig,
			      const u8 *at, const struct ktap_rec_head *h)
{
	struct rig_event e = { .position = r->position, .id = h->id };
	struct rig_body body;

	if (h->size < sizeof(*h) + sizeof(body))
		return "event that is too small";
	memcpy(&body, at + sizeof(*h), sizeof(body));
	if (h->size != sizeof(*h) + sizeof(body) + 8 * body.words)
		return "event of another size";
	e.serial = body.serial;
	e.time = full_time(r, h);
	if (e.time < r->time && !rig->wild)
		return "order in the ring is not order in time";
	if (e.time != body.time)
		return "event at another time";
	if (body.tid != r->tid || body.tgid != r->tgid ||
	    memcmp(body.comm, r->comm, sizeof(body.comm)))
		return "event of another task";
	r->time = e.time;
	r->events++;
	if (r->event)
		r->event(r->ctx, &e);
	return check_words(at + sizeof(*h) + sizeof(body), &body);
}

/* The others have no time, or have it in full. */
static void show_state(struct rig_reader *r, const struct ktap_rec_head *h)
{
	if (r->state && (h->id == KTAP_REC_TASK || h->id == KTAP_REC_LOST))
		r->state(r->ctx, h->id, full_time(r, h));
}

static const char *take_record(struct rig_reader *r, const struct rig *rig,
			       const u8 *at, const struct ktap_rec_head *h)
{
	bool first = r->position % rig->subbuf == 0;

	if (first != (h->id == KTAP_REC_SUBBUF))
		return "sub-buffer record in the wrong place";
	if (!r->known && h->id != KTAP_REC_SUBBUF)
		return "record before the first sub-buffer";
	show_state(r, h);
	switch (h->id) {
	case KTAP_REC_PAD:
		r->pads += h->size;
		return NULL;
	case KTAP_REC_SUBBUF:
		return take_subbuf(r, rig, at, h);
	case KTAP_REC_TIME:
		return take_time(r, rig, at, h);
	case KTAP_REC_TASK:
		return take_task(r, rig, at, h);
	case KTAP_REC_AGAIN:
		return take_again(r, rig, at, h);
	case KTAP_REC_LOST:
		return take_lost(r, at, h);
	default:
		return h->id < KTAP_REC_FIRST_PROBE ? "record of no kind" :
						      take_event(r, rig, at, h);
	}
}

const char *rig_check(struct rig_reader *r, const struct rig *rig,
		      const u8 *data, u64 size)
{
	u64 left = rig->subbuf - r->position % rig->subbuf;
	struct ktap_rec_head h;
	const char *problem;

	if (size > left)
		return "more than a sub-buffer";
	while (size) {
		u32 step;

		if (size < sizeof(h))
			return "half a header";
		memcpy(&h, data, sizeof(h));
		left = rig->subbuf - r->position % rig->subbuf;
		step = h.size;
		if (!step && h.id == KTAP_REC_PAD && left >= 65536)
			step = left;
		if (step < sizeof(h) || step % 8 || step > left || step > size)
			return "record of an impossible size";
		problem = take_record(r, rig, data, &h);
		if (problem)
			return problem;
		r->position += step;
		data += step;
		size -= step;
	}
	return NULL;
}

const char *rig_read(struct rig_reader *r, struct rig *rig)
{
	u64 head = __atomic_load_n(&rig->prod->head, __ATOMIC_ACQUIRE);
	const char *problem;

	if (head - r->position > rig->bytes)
		return "head out of reach";
	while (head != r->position) {
		u64 left = rig->subbuf - r->position % rig->subbuf;
		u64 size = head - r->position;

		problem = rig_check(r, rig, ktap_ring_at(&rig->ring, r->position),
				    size < left ? size : left);
		if (problem)
			return problem;
		__atomic_store_n(&rig->cons.tail, r->position, __ATOMIC_RELEASE);
	}
	return NULL;
}

const char *rig_glance(const struct rig *rig)
{
	u64 head = rig->prod->head, reserve = rig->prod->reserve, oldest;
	struct rig_reader r = {};
	const char *problem;

	if (head > reserve)
		return "head is before the reservations";
	oldest = rig->overwrite ? 0 : rig->cons.tail / rig->subbuf * rig->subbuf;
	if (reserve > rig->bytes + oldest)
		oldest = ALIGN(reserve - rig->bytes, rig->subbuf);
	for (r.position = oldest; r.position < head; ) {
		u64 size = head - r.position;

		problem = rig_check(&r, rig, ktap_ring_at(&rig->ring, r.position),
				    size < rig->subbuf ? size : rig->subbuf);
		if (problem)
			return problem;
	}
	return NULL;
}

const char *rig_account(const struct rig *rig, const struct rig_sums *sums)
{
	if (rig->ring.nest || rig->prod->head != rig->prod->reserve)
		return "not all is published";
	if (sums->read + sums->failed != sums->tried)
		return "record lost in silence";
	if (sums->told + rig->ring.lost != sums->failed)
		return "losses are miscounted";
	return NULL;
}
