// SPDX-License-Identifier: GPL-2.0
/* Test rig for the ring. Its reader is written after uapi/linux/ktap.h, not ring.c. */
#include <linux/hash.h>
#include <linux/vmalloc.h>

#include "ring_rig.h"

#define GUARD 4096
#define GUARD_BYTE 0x5c

/* Stub: counts the calls. */
void ktap_ring_wake(struct ktap_ring *r)
{
	container_of(r, struct rig, ring)->wakes++;
}

static void rig_free(struct kunit_resource *res)
{
	vfree(res->data);
}

/**
 * rig_create() - create an empty ring
 * @test: test; frees the ring at its end
 * @overwrite: mode
 *
 * Return: rig.
 */
struct rig *rig_create(struct kunit *test, bool overwrite)
{
	struct rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	struct ktap_ring_producer *prod;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->cons = kunit_kzalloc(test, sizeof(*rig->cons), GFP_KERNEL);
	rig->memory = vzalloc(2 * GUARD + PAGE_SIZE + RIG_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, rig->memory);
	KUNIT_ASSERT_NOT_NULL(test, kunit_alloc_resource(test, NULL, rig_free,
							 GFP_KERNEL,
							 rig->memory));
	KUNIT_ASSERT_NOT_NULL(test, rig->cons);
	memset(rig->memory, GUARD_BYTE, GUARD);
	memset(rig->memory + GUARD + PAGE_SIZE + RIG_SIZE, GUARD_BYTE, GUARD);
	prod = (void *)(rig->memory + GUARD);
	rig->ring.data = rig->memory + GUARD + PAGE_SIZE;
	ktap_ring_init(&rig->ring, prod, rig->cons, 0, RIG_SIZE, RIG_SUBBUF,
		       0, overwrite);
	return rig;
}

/**
 * rig_check_guards() - expect that nothing was written outside the ring
 * @test: test
 * @rig: rig
 */
void rig_check_guards(struct kunit *test, const struct rig *rig)
{
	const u8 *behind = rig->memory + GUARD + PAGE_SIZE + RIG_SIZE;

	KUNIT_EXPECT_NULL(test, memchr_inv(rig->memory, GUARD_BYTE, GUARD));
	KUNIT_EXPECT_NULL(test, memchr_inv(behind, GUARD_BYTE, GUARD));
}

u64 rig_head(const struct rig *rig)
{
	return smp_load_acquire(&rig->ring.prod->head); /* B */
}

/**
 * rig_payload() - payload of an event
 * @rig: rig
 * @n: number of the event, from the ring's beginning
 *
 * Return: payload or NULL.
 */
const void *rig_payload(const struct rig *rig, u32 n)
{
	u64 pos = 0, head = rig_head(rig);

	while (pos < head) {
		const struct ktap_rec_head *h = ktap_ring_at(&rig->ring, pos);

		if (h->id == RIG_ID && !n--)
			return h + 1;
		pos += h->size;
	}
	return NULL;
}

static u64 sum_of(const struct rig_payload *p)
{
	return hash_64(((u64)p->writer << 32 | p->seq) + 1, 64);
}

void rig_fill(void *payload, u32 writer, u32 seq)
{
	struct rig_payload *p = payload;

	p->writer = writer;
	p->seq = seq;
	p->sum = sum_of(p);
}

/**
 * rig_reserve() - reserve a record
 * @rig: rig
 * @extra: additional words of payload, for records of all sizes
 *
 * Return: payload, or an error for ktap_ring_failed().
 */
void *rig_reserve(struct rig *rig, u32 extra)
{
	u32 size = sizeof(struct ktap_rec_head) + sizeof(struct rig_payload) +
		   8 * extra;

	return ktap_ring_reserve(&rig->ring, ktap_ring_front(RIG_ID, size));
}

/**
 * rig_write() - write a record
 * @rig: rig
 * @writer: number of the writer
 * @seq: number of the record
 * @extra: additional words of payload
 *
 * Context: preemption disabled.
 * Return: whether it fitted.
 */
bool rig_write(struct rig *rig, u32 writer, u32 seq, u32 extra)
{
	void *payload = rig_reserve(rig, extra);
	bool ok = !ktap_ring_failed(payload);

	if (ok)
		rig_fill(payload, writer, seq);
	ktap_ring_commit(&rig->ring);
	return ok;
}

static void read_event(const struct ktap_rec_head *h, struct rig_seen *seen)
{
	const struct rig_payload *p = (void *)(h + 1);
	u64 time = seen->base + (s32)(h->time_low - (u32)seen->base);

	if (h->id != RIG_ID || h->size < sizeof(*h) + sizeof(*p) ||
	    p->writer >= RIG_WRITERS || p->sum != sum_of(p)) {
		seen->bad++;
		return;
	}
	seen->records++;
	seen->gaps += p->seq != seen->next[p->writer];
	seen->next[p->writer] = p->seq + 1;
	seen->backwards += time < seen->last_time;
	seen->last_time = time;
}

static void read_subbuf(const struct ktap_rec_subbuf *rec, struct rig_seen *seen)
{
	seen->base = rec->raw;
	memset(seen->told, -1, sizeof(seen->told));
	seen->told[rec->tid % KTAP_NR_TOLD] = rec->tid;
}

static void read_task(const struct ktap_rec_task *rec, struct rig_seen *seen)
{
	seen->told[rec->tid % KTAP_NR_TOLD] = rec->tid;
}

static void read_again(const struct ktap_rec_again *rec, struct rig_seen *seen)
{
	seen->bad += seen->told[rec->tid % KTAP_NR_TOLD] != rec->tid;
}

static void read_record(const struct ktap_rec_head *h, struct rig_seen *seen)
{
	switch (h->id) {
	case KTAP_REC_PAD:
		break;
	case KTAP_REC_TASK:
		read_task((const struct ktap_rec_task *)h, seen);
		break;
	case KTAP_REC_AGAIN:
		read_again((const struct ktap_rec_again *)h, seen);
		break;
	case KTAP_REC_SUBBUF:
		read_subbuf((const struct ktap_rec_subbuf *)h, seen);
		break;
	case KTAP_REC_TIME:
		seen->base = ((const struct ktap_rec_time *)h)->raw;
		break;
	case KTAP_REC_LOST:
		seen->lost += ((const struct ktap_rec_lost *)h)->count;
		break;
	case KTAP_REC_MARK:
		seen->mark = (const struct ktap_rec_mark *)h;
		seen->marks++;
		break;
	default:
		read_event(h, seen);
	}
}

/**
 * rig_read() - read and check the records in [*@pos, @head)
 * @rig: rig
 * @pos: start; set to @head
 * @head: end
 * @seen: results
 */
void rig_read(struct rig *rig, u64 *pos, u64 head, struct rig_seen *seen)
{
	while (*pos != head) {
		u32 off = *pos & (RIG_SUBBUF - 1);
		const struct ktap_rec_head *h = ktap_ring_at(&rig->ring, *pos);
		u32 size = h->size;

		if (h->id == KTAP_REC_PAD && !size)
			size = RIG_SUBBUF - off;
		if (size < sizeof(*h) || size % 8 || off + size > RIG_SUBBUF ||
		    (!off && h->id != KTAP_REC_SUBBUF) || head - *pos < size) {
			seen->bad++;
			*pos = head;
			return;
		}
		read_record(h, seen);
		*pos += size;
	}
}
