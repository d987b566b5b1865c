// SPDX-License-Identifier: GPL-2.0
/*
 * Walking the records of one CPU. The bytes may come from a damaged or forged
 * recording: sizes are checked before anything behind them is looked at.
 */
#include "decode/cursor.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

void cursor_init(struct cursor *c, unsigned int cpu, uint32_t subbuf_size)
{
	*c = (struct cursor){
		.event.cpu = cpu,
		.subbuf_size = subbuf_size,
	};
}

/* ---- batches ---- */

static uint64_t subbuf_offset(const struct cursor *c, uint64_t position)
{
	return position & (c->subbuf_size - 1);
}

static bool get_subbuf(const struct cursor *c, const struct datafile_batch *b,
		       struct ktap_rec_subbuf *ret)
{
	if (subbuf_offset(c, b->position) || b->size < sizeof(*ret))
		return false;
	memcpy(ret, b->data, sizeof(*ret));
	return ret->head.id == KTAP_REC_SUBBUF &&
	       ret->head.size >= sizeof(*ret) && ret->head.size % 8 == 0 &&
	       ret->head.size <= b->size &&
	       ret->seq == b->position / c->subbuf_size;
}

bool cursor_peek(const struct cursor *c, const struct datafile_batch *b,
		 struct clock_pair *ret)
{
	struct ktap_rec_subbuf rec;

	if (!get_subbuf(c, b, &rec))
		return false;
	*ret = (struct clock_pair){ rec.raw, rec.mono };
	return true;
}

static void set_task(struct cursor *c, const struct cursor_task *task)
{
	c->event.tid = task->tid;
	c->event.tgid = task->tgid;
	memcpy(c->event.comm, task->comm, KTAP_COMM_LEN);
}

/* A task as a record tells it in full. */
static void tell_task(struct cursor *c, uint32_t tid, uint32_t tgid,
		      const char *comm)
{
	unsigned int slot = tid % KTAP_NR_TOLD;
	struct cursor_task *task = &c->told[slot];

	static_assert(KTAP_NR_TOLD <= 64, "bits of is_told");
	task->tid = tid;
	task->tgid = tgid;
	memcpy(task->comm, comm, sizeof(task->comm));
	c->is_told |= 1ULL << slot;
	set_task(c, task);
}

/* And as one that was told before. */
static int recall_task(struct cursor *c, uint32_t tid)
{
	unsigned int slot = tid % KTAP_NR_TOLD;

	if (!(c->is_told >> slot & 1) || c->told[slot].tid != tid)
		return -EBADMSG;
	set_task(c, &c->told[slot]);
	return 0;
}

static void set_clock(struct cursor *c, const struct clock_track *track,
		      const struct clock_pair *next)
{
	c->limit = UINT64_MAX;
	if (next && clock_line_through(&c->line, c->anchor, *next))
		return;
	if (track->nr && clock_line_through(&c->line, c->anchor, track->last)) {
		c->limit = track->last.raw;
		clock_track_line(track, track->last, &c->after);
		return;
	}
	clock_track_line(track, c->anchor, &c->line);
}

static int lose_sync(struct cursor *c)
{
	c->synced = false;
	c->next = c->end;
	return -EBADMSG;
}

static int start_subbuf(struct cursor *c, const struct datafile_batch *b,
			struct clock_track *track)
{
	struct ktap_rec_subbuf rec;

	if (!get_subbuf(c, b, &rec)) {
		lose_sync(c);
		return b->cut && b->size < sizeof(rec) ? 0 : -EBADMSG;
	}
	c->synced = true;
	c->next += rec.head.size;
	c->full = rec.raw;
	c->anchor = (struct clock_pair){ rec.raw, rec.mono };
	clock_track_add(track, c->anchor);
	c->is_told = 0;
	tell_task(c, rec.tid, rec.tgid, rec.comm);
	return 0;
}

int cursor_begin(struct cursor *c, const struct datafile_batch *b,
		 struct clock_track *track, const struct clock_pair *next)
{
	bool follows = b->position == c->position;
	uint64_t offset = subbuf_offset(c, b->position);
	int err = 0;

	c->next = b->data;
	c->end = c->next + b->size;
	c->cut = b->cut;
	c->position = b->position + b->size;
	if (b->size % 8 || b->size > c->subbuf_size - offset)
		return lose_sync(c);
	if (!offset)
		err = start_subbuf(c, b, track);
	else if (!c->synced || !follows)
		return lose_sync(c);
	if (c->synced)
		set_clock(c, track, next);
	return err;
}

/* ---- records ---- */

static void set_time(struct cursor *c)
{
	uint64_t raw = c->full +
		       (int32_t)(c->head.time_low - (uint32_t)c->full);
	uint64_t mono;

	if (raw > c->limit) {
		c->line = c->after;
		c->limit = UINT64_MAX;
	}
	mono = clock_line_mono(&c->line, raw);
	/* Where one line ends and the next begins time may not step back. */
	if (raw >= c->last.raw && mono < c->last.mono)
		mono = c->last.mono;
	c->last = (struct clock_pair){ raw, mono };
	c->event.mono = mono;
}

/* Return: 1 for a record to show, 0 for one that was state, -EBADMSG. */
static int take_state(struct cursor *c)
{
	const void *record = c->payload - sizeof(c->head);
	struct ktap_rec_time time;
	struct ktap_rec_again again;
	struct ktap_rec_task task;
	struct ktap_rec_lost lost;

	switch (c->head.id) {
	case KTAP_REC_TIME:
		if (c->head.size < sizeof(time))
			return -EBADMSG;
		memcpy(&time, record, sizeof(time));
		c->full = time.raw;
		return 0;
	case KTAP_REC_TASK:
		if (c->head.size < sizeof(task))
			return -EBADMSG;
		memcpy(&task, record, sizeof(task));
		tell_task(c, task.tid, task.tgid, task.comm);
		return 0;
	case KTAP_REC_AGAIN:
		memcpy(&again, record, sizeof(again));
		return recall_task(c, again.tid);
	case KTAP_REC_LOST:
		if (c->head.size < sizeof(lost))
			return -EBADMSG;
		memcpy(&lost, record, sizeof(lost));
		c->event.lost = lost.count;
		return lost.count != 0;
	case KTAP_REC_MARK:
		c->event.mark = (const char *)c->payload;
		c->event.mark_size = strnlen(c->event.mark, c->payload_size);
		return c->event.mark_size ? 1 : -EBADMSG;
	case KTAP_REC_SUBBUF: /* begins a batch, is never inside of one */
		return -EBADMSG;
	default: /* padding, or state of a later version */
		return 0;
	}
}

int cursor_next(struct cursor *c)
{
	size_t left;
	int ret = 0;

	while (!ret) {
		left = c->end - c->next;
		if (!left)
			return 0;
		memcpy(&c->head, c->next, sizeof(c->head));
		if (c->head.id == KTAP_REC_PAD && !c->head.size) {
			/* nothing more before the next sub-buffer */
			lose_sync(c);
			return 0;
		}
		if (c->head.size < sizeof(c->head) || c->head.size % 8)
			return lose_sync(c);
		if (c->head.size > left) {
			lose_sync(c);
			return c->cut ? 0 : -EBADMSG;
		}
		c->payload = c->next + sizeof(c->head);
		c->payload_size = c->head.size - sizeof(c->head);
		c->next += c->head.size;
		c->event.lost = 0;
		c->event.mark = NULL;
		ret = c->head.id < KTAP_REC_FIRST_PROBE ? take_state(c) : 1;
	}
	if (ret < 0)
		return lose_sync(c);
	set_time(c);
	return ret;
}
