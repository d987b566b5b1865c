// SPDX-License-Identifier: GPL-2.0
/*
 * The device of a probe module, /dev/ktap-NAME. What one open file reads is a whole
 * ktap.data (include/uapi/linux/ktap_data.h), which ends when the probe module was removed and
 * its rings are empty. One file at a time may be open. The next one begins with the
 * sub-buffers that its predecessor has not read to their end.
 *
 * A stream makes one section at a time in a buffer. The reader may take it in pieces of any
 * size.
 */
#include <linux/capability.h>
#include <linux/crc32.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>

#include <linux/ktap_data.h>

#include "core/access.h"
#include "core/image.h"
#include "core/lockdown.h"
#include "core/probe.h"
#include "core/session.h"
#include "core/stack_table.h"
#include "hit/clock.h"

/* A reader does not wait longer for records to become a batch. */
#define BATCH_TIME	(HZ / 4)

/* So far apart are clocks while the rings never run empty. */
#define CLOCK_NS	(20 * NSEC_PER_MSEC)

/* The largest section without a name, a blob or records. */
#define SMALL_SECTION	512

/**
 * struct ktap_stream - an open file
 * @lock: held by the reader
 * @image: probe module
 * @is_anchored: who opened it may see where the kernel is
 * @step: enum step: what is written next
 * @nr: number of the probe or CPU that is next
 * @positions: for each CPU: how far its ring was read
 * @stacks: how far the table of stacks was read, if there is one
 * @has_turn: the ring of CPU @nr has its turn, ...
 * @head: ... and is read up to here, ...
 * @nr_stacks: ... after this number of stacks
 * @out: section that is being read
 * @size: bytes of the section
 * @at: bytes of it that were read
 * @ring: ring of the records in @out, or NULL
 * @unclocked: records were written since the last CLOCK
 * @rows: how far the maps were read
 * @round: clocks when the present round of turns began; zeros at first
 * @clocked: CLOCK_MONOTONIC of the last such moment that was written
 */
struct ktap_stream {
	struct mutex lock; /* serialises read() and poll() */
	struct ktap_image *image;
	bool is_anchored;
	int step;
	u32 nr;
	u64 *positions;
	struct ktap_stack_reader stacks;
	bool has_turn;
	u64 head;
	u32 nr_stacks;
	u8 *out;
	size_t size;
	size_t at;
	struct ktap_ringmem *ring;
	bool unclocked;
	struct ktap_image_rows rows;
	struct ktap_data_clock round;
	u64 clocked;
};

/* The largest payload of DATA, STACKS or MAP. */
static size_t section_max(const struct ktap_image *image)
{
	return max_t(size_t, image->session->args.subbuf_size,
		     ktap_image_row_max(image));
}

static bool has_ended(const struct ktap_image *image)
{
	return smp_load_acquire(&image->ended); /* J: pairs with ktap_image_stop() */
}

/* ---- sections ------------------------------------------------------------------ */

static void *payload_of(struct ktap_stream *st)
{
	return st->out + st->size + sizeof(struct ktap_data_section);
}

static u32 sum_of(const void *data, size_t size)
{
	return ~crc32_le(~0U, data, size);
}

/* Completes a section whose payload, of @length bytes, is at payload_of(). */
static void put_section(struct ktap_stream *st, u32 type, size_t length, u32 cpu,
			u64 position)
{
	struct ktap_data_section *s = (void *)(st->out + st->size);
	size_t padded = round_up(length, 8);
	u8 *payload = payload_of(st);

	memset(payload + length, 0, padded - length);
	*s = (struct ktap_data_section){
		.type = type,
		.length = length,
		.sum = sum_of(payload, padded),
		.cpu = cpu,
		.position = position,
	};
	s->head_sum = sum_of(s, sizeof(*s));
	st->size += sizeof(*s) + padded;
}

static void put_clock(struct ktap_stream *st)
{
	struct ktap_data_clock *c = payload_of(st);

	ktap_clock_now(&c->raw, &c->mono, &c->real);
	put_section(st, KTAP_DATA_CLOCK, sizeof(*c), 0, 0);
	st->unclocked = false;
}

static void put_machine(struct ktap_stream *st)
{
	const struct ktap_session *s = st->image->session;
	struct ktap_data_machine *m = payload_of(st);

	*m = (struct ktap_data_machine){
		.arch = KTAP_ARCH,
		.clock = ktap_clock_kind(),
		.clock_hz = ktap_clock_hz(),
		.ring_size = s->args.size,
		.subbuf_size = s->args.subbuf_size,
		.nr_cpus = nr_cpu_ids,
		.flags = s->args.overwrite ? KTAP_DATA_F_OVERWRITE : 0,
	};
	strscpy(m->release, init_utsname()->release, sizeof(m->release));
	strscpy(m->hostname, init_utsname()->nodename, sizeof(m->hostname));
	if (st->image->id_size <= KTAP_DATA_ID_MAX) {
		m->build_id_size = st->image->id_size;
		memcpy(m->build_id, st->image->id, m->build_id_size);
	}
	put_section(st, KTAP_DATA_MACHINE, sizeof(*m), 0, 0);
}

/* ---- steps: true, when the next step is due -------------------------------------- */

static bool write_head(struct ktap_stream *st)
{
	struct ktap_data_head *h = (void *)st->out;

	*h = (struct ktap_data_head){
		.magic = KTAP_DATA_MAGIC,
		.order = KTAP_DATA_ORDER,
		.version = KTAP_DATA_CRC32,
		.size = sizeof(*h),
	};
	h->sum = sum_of(h, sizeof(*h));
	st->size = sizeof(*h);
	put_machine(st);
	return true;
}

/* Where the kernel is: with its file, a reader can name all other addresses. */
static bool write_anchor(struct ktap_stream *st)
{
	int size;

	if (!st->is_anchored)
		return true;
	size = scnprintf(payload_of(st), SMALL_SECTION / 2, "%016lx T %s\n",
			 (unsigned long)register_kprobe, KTAP_ANCHOR);
	put_section(st, KTAP_DATA_SYMBOLS, size, 0, 0);
	return true;
}

static bool write_clock(struct ktap_stream *st)
{
	put_clock(st);
	return true;
}

static size_t probe_size(const struct ktap_probe *p)
{
	return sizeof(struct ktap_data_probe) +
	       round_up(strlen(p->name) + 1, 8) + p->blob_size;
}

static bool write_probe(struct ktap_stream *st)
{
	const struct ktap_probe *p = st->image->probes[st->nr];
	struct ktap_data_probe *to = payload_of(st);
	size_t named = round_up(strlen(p->name) + 1, 8);

	*to = (struct ktap_data_probe){
		.id = p->id,
		.name_size = strlen(p->name) + 1,
	};
	memset(to + 1, 0, named);
	memcpy(to + 1, p->name, to->name_size);
	memcpy((u8 *)(to + 1) + named, p->blob, p->blob_size);
	put_section(st, KTAP_DATA_PROBE, probe_size(p), 0, 0);
	return ++st->nr == st->image->nr_probes;
}

/*
 * Overwrite mode: if the writer was given any of what begins at @pos, continues at the
 * oldest whole sub-buffer.
 */
static bool resync(const struct ktap_ring *r, u64 *pos)
{
	u64 reserve = READ_ONCE(r->prod->reserve);

	if (reserve - *pos <= r->mask + 1)
		return false;
	*pos = round_up(reserve - (r->mask + 1), r->subbuf_mask + 1);
	return true;
}

/* Return: bytes that were copied; 0: try again at a later position, or nothing is there. */
static size_t copy_records(struct ktap_stream *st, const struct ktap_ring *r,
			   u64 *pos, u64 head)
{
	u64 left = r->subbuf_mask + 1 - (*pos & r->subbuf_mask);
	size_t size = min(head - *pos, left);

	memcpy(payload_of(st), r->data + (*pos & r->mask), size);
	if (!r->overwrite)
		return size;
	smp_rmb(); /* A: the data before reserve; pairs with ktap_ring_take() */
	return resync(r, pos) ? 0 : size;
}

/*
 * Begins the turn of a ring. The records before the head have only stacks that are in the
 * table by now. Neither number grows during the turn: where new stacks come all the time,
 * they do not keep the records back.
 */
static void take_turn(struct ktap_stream *st, const struct ktap_ringmem *m)
{
	const struct ktap_session *s = st->image->session;

	/* B: head before the data; pairs with ktap_ring_publish() */
	st->head = smp_load_acquire(&m->ring.prod->head);
	if (st->stacks.read)
		st->nr_stacks = ktap_stack_table_used(ktap_session_stacks(s));
	st->has_turn = true;
}

/* Stacks come before the records with their ids. Return: whether a section was made. */
static bool write_stacks(struct ktap_stream *st)
{
	const struct ktap_session *s = st->image->session;
	size_t size = 0;

	if (st->stacks.read)
		size = ktap_stack_reader_next(&st->stacks,
					      ktap_session_stacks(s),
					      st->nr_stacks, payload_of(st),
					      s->args.subbuf_size);
	if (size)
		put_section(st, KTAP_DATA_STACKS, size, 0, 0);
	return size;
}

/* One section, or the end of the turn of that ring: false. */
static bool write_records(struct ktap_stream *st, u32 cpu)
{
	struct ktap_ringmem *m = ktap_session_mem(st->image->session, cpu);
	u64 *pos = &st->positions[cpu];
	size_t size = 0;

	if (!m)
		return false;
	if (!st->has_turn)
		take_turn(st, m);
	if (write_stacks(st))
		return true;
	if (m->ring.overwrite)
		resync(&m->ring, pos);
	/* signed: resync() may go past the head that was loaded */
	while (!size && (s64)(st->head - *pos) > 0)
		size = copy_records(st, &m->ring, pos, st->head);
	if (!size) {
		st->has_turn = false;
		return false;
	}
	put_section(st, KTAP_DATA_DATA, size, cpu, *pos);
	*pos += size;
	st->ring = m;
	st->unclocked = true;
	return true;
}

/*
 * All rings were read up to where they were when the round began, or later: no later record
 * has a time before that. Where hits come faster than turns end, the rings are never found
 * empty, and a reader that sorts by time would wait forever. Return: whether a section was
 * made.
 */
static bool next_round(struct ktap_stream *st)
{
	struct ktap_data_clock began = st->round;
	bool due = st->unclocked && began.mono &&
		   began.mono - st->clocked >= CLOCK_NS;

	if (due) {
		memcpy(payload_of(st), &began, sizeof(began));
		put_section(st, KTAP_DATA_CLOCK, sizeof(began), 0, 0);
		st->clocked = began.mono;
	}
	ktap_clock_now(&st->round.raw, &st->round.mono, &st->round.real);
	return due;
}

/*
 * The rings are read in turns, a sub-buffer at a time. When all were found empty, a CLOCK
 * follows: no later record has a time before it. A turn that began in an earlier call
 * says nothing about the records since then, so that ring has another turn.
 */
static bool write_data(struct ktap_stream *st)
{
	bool over = has_ended(st->image);
	u32 i, nr_turns = nr_cpu_ids + st->has_turn;

	for (i = 0; i < nr_turns; i++) {
		if (write_records(st, st->nr))
			return false;
		st->nr = (st->nr + 1) % nr_cpu_ids;
		if (!st->nr && next_round(st))
			return false;
	}
	if (st->unclocked && !over)
		put_clock(st);
	return over;
}

/* Their stacks were written with the last records. */
static bool write_map(struct ktap_stream *st)
{
	size_t size = ktap_image_next_rows(st->image, &st->rows, payload_of(st),
					   section_max(st->image));

	if (size)
		put_section(st, KTAP_DATA_MAP, size, 0, 0);
	return !size;
}

static bool write_totals(struct ktap_stream *st)
{
	const struct ktap_image_ending *ending = &st->image->endings[st->nr];
	struct ktap_session_counts counts = {
		.id = st->image->probes[st->nr]->id,
		.cpu = -1,
	};
	struct ktap_data_totals *t = payload_of(st);
	u8 *at = (u8 *)(t + 1);

	mutex_lock(&ktap_lock);
	ktap_session_counts(st->image->session, &counts);
	mutex_unlock(&ktap_lock);
	*t = (struct ktap_data_totals){
		.id = counts.id,
		.counts_size = sizeof(counts.counts),
		.missed = ending->missed,
	};
	memcpy(at, &counts.counts, sizeof(counts.counts));
	memcpy(at + sizeof(counts.counts), &ending->unfollowed, sizeof(u64));
	put_section(st, KTAP_DATA_TOTALS,
		    sizeof(*t) + sizeof(counts.counts) + sizeof(u64), 0, 0);
	return ++st->nr == st->image->nr_probes;
}

static bool write_marks(struct ktap_stream *st)
{
	struct ktap_marks *m = payload_of(st);

	mutex_lock(&ktap_lock);
	*m = st->image->session->marks;
	mutex_unlock(&ktap_lock);
	if (m->recorded || m->lost_full || m->lost_no_ring)
		put_section(st, KTAP_DATA_MARKS, sizeof(*m), 0, 0);
	return true;
}

static bool write_end(struct ktap_stream *st)
{
	put_section(st, KTAP_DATA_END, 0, 0, 0);
	return true;
}

enum step {
	STEP_HEAD,
	STEP_ANCHOR,
	STEP_CLOCK,
	STEP_PROBES,
	STEP_DATA,
	STEP_MAPS,
	STEP_TOTALS,
	STEP_MARKS,
	STEP_LAST_CLOCK,
	STEP_END,
	NR_STEPS
};

static bool (* const steps[NR_STEPS])(struct ktap_stream *st) = {
	[STEP_HEAD] = write_head,
	[STEP_ANCHOR] = write_anchor,
	[STEP_CLOCK] = write_clock,
	[STEP_PROBES] = write_probe,
	[STEP_DATA] = write_data,
	[STEP_MAPS] = write_map,
	[STEP_TOTALS] = write_totals,
	[STEP_MARKS] = write_marks,
	[STEP_LAST_CLOCK] = write_clock,
	[STEP_END] = write_end,
};

/*
 * The records in the buffer were read: sub-buffers that were read to their end are free.
 * The last one is not, because another reader can only begin at its begin, where time and
 * task are.
 */
static void release_records(struct ktap_stream *st)
{
	struct ktap_ringmem *m = st->ring;
	u64 pos;

	if (!m)
		return;
	pos = st->positions[m->ring.prod->cpu];
	/* C: the data was copied before its space is reused; see ktap_ring_reserve_slow() */
	smp_store_release(&m->cons->tail, pos & ~(u64)m->ring.subbuf_mask);
	st->ring = NULL;
}

/* Makes the next section. Return: false: there is none, now or ever. */
static bool next_section(struct ktap_stream *st)
{
	release_records(st);
	st->at = 0;
	st->size = 0;
	while (!st->size && st->step < NR_STEPS) {
		if (steps[st->step](st)) {
			st->step++;
			st->nr = 0;
		} else if (!st->size) {
			return false;
		}
	}
	return st->size;
}

static bool is_done(const struct ktap_stream *st)
{
	return st->step == NR_STEPS;
}

/* ---- waiting --------------------------------------------------------------------- */

/* @any: any record will do. */
static bool has_records(const struct ktap_stream *st, bool any)
{
	u32 cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		const struct ktap_ringmem *m =
			ktap_session_mem(st->image->session, cpu);
		u64 unread;

		/* not online so far */
		if (!m)
			continue;
		unread = READ_ONCE(m->ring.prod->head) - st->positions[cpu];
		if (unread > (any ? 0 : m->ring.watermark))
			return true;
	}
	return false;
}

static bool is_ready(const struct ktap_stream *st, bool any)
{
	return st->at < st->size || st->step != STEP_DATA ||
	       has_ended(st->image) || has_records(st, any);
}

/* Waits for a batch of records, or for a moment. Return: 0, or negative. */
static int wait_moment(struct ktap_stream *st)
{
	struct ktap_waiter *w = &st->image->session->waiter;
	DEFINE_WAIT(wait);
	int err = 0;

	prepare_to_wait(&w->queue, &wait, TASK_INTERRUPTIBLE);
	ktap_waiter_begin(w);
	if (signal_pending(current))
		err = -ERESTARTSYS;
	else if (!is_ready(st, false))
		schedule_timeout(BATCH_TIME);
	finish_wait(&w->queue, &wait);
	return err;
}

/* ---- the file -------------------------------------------------------------------- */

static ssize_t take_bytes(struct ktap_stream *st, char __user *to, size_t count)
{
	size_t n = min(count, st->size - st->at);

	if (copy_to_user(to, st->out + st->at, n))
		return -EFAULT;
	st->at += n;
	return n;
}

/* Return: bytes; 0: nothing is there; negative. */
static ssize_t take_all(struct ktap_stream *st, char __user *to, size_t count)
{
	size_t done = 0;
	ssize_t n;

	while (done < count && (st->at < st->size || next_section(st))) {
		n = take_bytes(st, to + done, count - done);
		if (n < 0)
			return done ?: n;
		done += n;
		cond_resched();
	}
	return done;
}

static ssize_t image_read(struct file *file, char __user *to, size_t count,
			  loff_t *pos)
{
	struct ktap_stream *st = file->private_data;
	ssize_t ret;

	if (mutex_lock_interruptible(&st->lock))
		return -ERESTARTSYS;
	do {
		ktap_lockdown_look();
		ret = take_all(st, to, count);
		if (ret || !count || is_done(st))
			break;
		ret = file->f_flags & O_NONBLOCK ? -EAGAIN : wait_moment(st);
	} while (!ret);
	mutex_unlock(&st->lock);
	return ret;
}

static __poll_t image_poll(struct file *file, struct poll_table_struct *wait)
{
	struct ktap_stream *st = file->private_data;
	struct ktap_waiter *w = &st->image->session->waiter;
	__poll_t ret;

	poll_wait(file, &w->queue, wait);
	/* another thread reads, and may wait for records: poll() must not wait for it */
	if (!mutex_trylock(&st->lock))
		return 0;
	ktap_waiter_begin(w);
	/* "ktap run" looks by itself from time to time, and wants batches */
	ret = is_ready(st, !READ_ONCE(st->image->is_tied)) ?
	      EPOLLIN | EPOLLRDNORM : 0;
	mutex_unlock(&st->lock);
	return ret;
}

/* Of a ring that is read for the first time, or again. */
static u64 first_position(const struct ktap_session *s, u32 cpu)
{
	const struct ktap_ringmem *m = ktap_session_mem(s, cpu);

	return m ? READ_ONCE(m->cons->tail) : 0;
}

static size_t room_for(const struct ktap_image *image)
{
	size_t most = section_max(image);
	u32 i;

	for (i = 0; i < image->nr_probes; i++)
		most = max(most, probe_size(image->probes[i]));
	return most + SMALL_SECTION;
}

static void stream_free(struct ktap_stream *st)
{
	kvfree(st->positions);
	kvfree(st->stacks.read);
	kvfree(st->out);
	kfree(st);
}

static struct ktap_stream *stream_create(struct ktap_image *image)
{
	struct ktap_stream *st = kzalloc(sizeof(*st), GFP_KERNEL_ACCOUNT);
	const struct ktap_stack_table *table;
	u32 cpu;

	if (!st)
		return NULL;
	mutex_init(&st->lock);
	st->image = image;
	st->positions = kvcalloc(nr_cpu_ids, sizeof(*st->positions),
				 GFP_KERNEL_ACCOUNT);
	st->out = kvmalloc(room_for(image), GFP_KERNEL_ACCOUNT);
	table = ktap_session_stacks(image->session);
	if (!st->positions || !st->out ||
	    (table && ktap_stack_reader_init(&st->stacks, table))) {
		stream_free(st);
		return NULL;
	}
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		st->positions[cpu] = first_position(image->session, cpu);
	return st;
}

/* misc_open() holds off misc_deregister(), so the probe module has its reference. */
static int image_open(struct inode *inode, struct file *file)
{
	struct ktap_image *image = container_of(file->private_data,
						struct ktap_image, device);
	struct ktap_stream *st;

	if (!perfmon_capable())
		return -EPERM;
	if (test_and_set_bit(0, &image->reading))
		return -EBUSY;
	st = stream_create(image);
	if (!st) {
		clear_bit(0, &image->reading);
		return -ENOMEM;
	}
	st->is_anchored = ktap_opener_sees_addresses();
	kref_get(&image->refs);
	ktap_session_skip(image->session, current->tgid);
	ktap_image_own(image, current->tgid);
	file->private_data = st;
	return stream_open(inode, file);
}

static int image_release(struct inode *inode, struct file *file)
{
	struct ktap_stream *st = file->private_data;
	struct ktap_image *image = st->image;

	ktap_image_untie(image);
	if (st->at == st->size)
		release_records(st);
	/* its number may become another process's */
	ktap_session_skip(image->session, KTAP_NO_TGID);
	ktap_image_own(image, 0);
	stream_free(st);
	clear_bit_unlock(0, &image->reading);
	ktap_image_put(image);
	return 0;
}

/* A module that waited has its table of stacks only since it was tied. */
static int tie(struct ktap_stream *st, struct ktap_module_tie *arg)
{
	const struct ktap_stack_table *table;
	int err;

	/* a read() that waits holds it */
	if (mutex_lock_interruptible(&st->lock))
		return -ERESTARTSYS;
	err = ktap_image_tie(st->image, arg);
	table = ktap_session_stacks(st->image->session);
	if (!err && table && !st->stacks.read)
		err = ktap_stack_reader_init(&st->stacks, table);
	mutex_unlock(&st->lock);
	return err;
}

static long image_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct ktap_stream *st = file->private_data;
	void __user *user = (void __user *)arg;
	struct ktap_module_tie request;
	int err;

	if (cmd != KTAP_IOC_TIE)
		return -ENOTTY;
	if (copy_from_user(&request, user, sizeof(request)))
		return -EFAULT;
	err = tie(st, &request);
	/* what is tied without an answer ends with the file, too */
	if (!err && copy_to_user(user, &request, sizeof(request)))
		err = -EFAULT;
	return err;
}

/* The tables of the maps, as of a session: what was added up so far. */
static int image_mmap(struct file *file, struct vm_area_struct *vma)
{
	const struct ktap_stream *st = file->private_data;
	u64 at = (u64)vma->vm_pgoff << PAGE_SHIFT;

	if (at < KTAP_MMAP_MAPS || at >= KTAP_MMAP_STACKS)
		return -ENXIO;
	return ktap_maps_mmap(&st->image->session->maps,
			      (at - KTAP_MMAP_MAPS) / KTAP_MMAP_STRIDE, vma,
			      (at % KTAP_MMAP_STRIDE) >> PAGE_SHIFT);
}

const struct file_operations ktap_image_fops = {
	.owner = THIS_MODULE,
	.open = image_open,
	.release = image_release,
	.read = image_read,
	.mmap = image_mmap,
	.poll = image_poll,
	.unlocked_ioctl = image_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};
