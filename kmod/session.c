// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions. Everything a session armed goes with it.
 *
 * Locks: ktap_lock, then the CPU hotplug lock, then rings_lock. The hotplug
 * callback runs with CPU hotplug held for writing, so it must not take
 * ktap_lock, under which others wait for hotplug (kprobes patch text); what it
 * touches of a session is under rings_lock as well.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "clock.h"
#include "probe.h"
#include "session.h"

#define SUBBUF_DEFAULT	SZ_64K
#define SUBBUF_MAX	SZ_1M
#define RING_MAX	SZ_1G
#define SUBBUFS_MIN	4

static DEFINE_MUTEX(rings_lock);
static LIST_HEAD(sessions);
static u64 last_number;
static int hotplug_state;

/* ---- rings -------------------------------------------------------------- */

static void give_ring(struct ktap_session *s, unsigned int cpu,
		      struct ktap_ringmem *m)
{
	struct ktap_attach *a;

	/* release: mmap and poll read it without a lock (ktap_session_mem()) */
	smp_store_release(&s->mem[cpu], m);
	s->generation++;
	list_for_each_entry(a, &s->attached, in_session)
		WRITE_ONCE(per_cpu_ptr(a->cell, cpu)->ring, &m->ring);
}

static int make_ring(struct ktap_session *s, unsigned int cpu)
{
	struct ktap_ringmem *m;

	lockdep_assert_held(&rings_lock);
	if (s->mem[cpu])
		return 0;
	m = ktap_ringmem_create(cpu, &s->args);
	if (IS_ERR(m))
		return PTR_ERR(m);
	give_ring(s, cpu, m);
	return 0;
}

/* A CPU without memory for its ring comes online all the same: no_ring. */
static int cpu_comes(unsigned int cpu)
{
	struct ktap_session *s;

	mutex_lock(&rings_lock);
	list_for_each_entry(s, &sessions, node)
		if (s->ready)
			make_ring(s, cpu);
	mutex_unlock(&rings_lock);
	return 0;
}

/* ktap_session_init() - watch CPUs come. Context: module init. */
int ktap_session_init(void)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ktap:ring",
					      cpu_comes, NULL);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/* ktap_session_exit() - Context: module exit; no session is left. */
void ktap_session_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
}

/**
 * ktap_session_mem() - the ring of a CPU
 * @s: session
 * @cpu: CPU
 *
 * Context: process; no lock: rings come, but go only with the session, which
 * lives as long as its file.
 * Return: the ring, or NULL.
 */
struct ktap_ringmem *ktap_session_mem(const struct ktap_session *s, u64 cpu)
{
	/* pairs with make_rings() */
	struct ktap_ringmem **mem = smp_load_acquire(&s->mem);

	if (!mem || cpu >= nr_cpu_ids)
		return NULL;
	return smp_load_acquire(&mem[cpu]); /* pairs with give_ring() */
}

/* ktap_session_ring_bytes() - memory of its rings. Context: process. */
u64 ktap_session_ring_bytes(const struct ktap_session *s)
{
	unsigned int cpu;
	u64 bytes = 0;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		const struct ktap_ringmem *m = ktap_session_mem(s, cpu);

		bytes += m ? m->bytes : 0;
	}
	return bytes;
}

/* ---- lifetime ------------------------------------------------------------ */

/* ktap_session_create() - Context: process. Return: NULL without memory. */
struct ktap_session *ktap_session_create(void)
{
	struct ktap_session *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return NULL;
	init_waitqueue_head(&s->waiter.queue);
	INIT_LIST_HEAD(&s->attached);
	xa_init(&s->by_id);
	s->owner_pid = current->tgid;
	get_task_comm(s->owner_comm, current);
	mutex_lock(&ktap_lock);
	mutex_lock(&rings_lock);
	s->number = ++last_number;
	list_add_tail(&s->node, &sessions);
	mutex_unlock(&rings_lock);
	mutex_unlock(&ktap_lock);
	return s;
}

/* Without memory for the list they go one by one. */
static void stop_each(struct ktap_session *s)
{
	struct ktap_attach *a;

	list_for_each_entry(a, &s->attached, in_session)
		ktap_attach_stop(&a, 1);
}

/**
 * ktap_session_detach_all() - KTAP_IOC_DETACH of 0
 * @s: session
 *
 * Context: process, under ktap_lock; sleeps for a grace period.
 */
void ktap_session_detach_all(struct ktap_session *s)
{
	u32 nr = ktap_session_nr_attached(s), n = 0;
	struct ktap_attach **list, *a;

	if (!nr)
		return;
	list = kvmalloc_array(nr, sizeof(*list), GFP_KERNEL);
	if (list) {
		list_for_each_entry(a, &s->attached, in_session)
			if (a->live)
				list[n++] = a;
		ktap_attach_stop(list, n);
	} else {
		stop_each(s);
	}
	kvfree(list);
	synchronize_rcu();
	list_for_each_entry(a, &s->attached, in_session)
		ktap_attach_settle(a);
}

static void free_rings(struct ktap_session *s)
{
	unsigned int cpu;

	if (!s->mem)
		return;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		ktap_ringmem_destroy(s->mem[cpu]);
	kfree(s->mem);
}

/* ktap_session_destroy() - Context: process; its file has no user any more. */
void ktap_session_destroy(struct ktap_session *s)
{
	struct ktap_attach *a, *next;

	mutex_lock(&ktap_lock);
	ktap_session_detach_all(s);
	list_for_each_entry_safe(a, next, &s->attached, in_session)
		ktap_attach_destroy(a);
	ktap_scope_deinit(&s->scope);
	mutex_lock(&rings_lock);
	list_del(&s->node);
	mutex_unlock(&rings_lock);
	mutex_unlock(&ktap_lock);
	xa_destroy(&s->by_id);
	free_rings(s);
	kfree(s);
}

/* The first session numbered above @number, or NULL. Under ktap_lock. */
struct ktap_session *ktap_session_next(u64 number)
{
	struct ktap_session *s;

	list_for_each_entry(s, &sessions, node)
		if (s->number > number)
			return s;
	return NULL;
}

/* ---- set-up --------------------------------------------------------------- */

static int geometry(struct ktap_session *s,
		    const struct ktap_session_setup *arg)
{
	u64 size = arg->ring_size ?: KTAP_RING_DEFAULT;
	u64 subbuf = arg->subbuf_size;

	if (!subbuf)
		subbuf = min_t(u64, SUBBUF_DEFAULT, size / SUBBUFS_MIN);
	if (!is_power_of_2(size) || !is_power_of_2(subbuf) ||
	    subbuf < PAGE_SIZE || subbuf > SUBBUF_MAX || size > RING_MAX ||
	    size / SUBBUFS_MIN < subbuf)
		return -EINVAL;
	s->args = (struct ktap_ringmem_args){
		.size = size,
		.subbuf_size = subbuf,
		/* a reader that sleeps until it is full would be too late */
		.watermark = min_t(u64, arg->watermark, size / 2),
		.overwrite = arg->flags & KTAP_SESSION_F_OVERWRITE,
		.waiter = &s->waiter,
	};
	return 0;
}

static int make_rings(struct ktap_session *s)
{
	struct ktap_ringmem **mem;
	unsigned int cpu;
	int err = 0;

	if (!s->mem) {
		mem = kcalloc(nr_cpu_ids, sizeof(*mem), GFP_KERNEL_ACCOUNT);
		if (!mem)
			return -ENOMEM;
		smp_store_release(&s->mem, mem); /* ktap_session_mem() */
	}
	cpus_read_lock();
	mutex_lock(&rings_lock);
	for_each_online_cpu(cpu) {
		err = make_ring(s, cpu);
		if (err)
			break;
	}
	s->ready = !err;
	mutex_unlock(&rings_lock);
	cpus_read_unlock();
	return err;
}

/**
 * ktap_session_setup() - KTAP_IOC_SETUP
 * @s: session
 * @arg: what is wanted; the answers are filled in
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: 0, -EBUSY when it was done before, -EINVAL, -ENOMEM, -ENOSPC.
 */
int ktap_session_setup(struct ktap_session *s, struct ktap_session_setup *arg)
{
	int err;

	if (s->ready)
		return -EBUSY;
	if ((arg->flags & ~__KTAP_SESSION_F_ALL) || arg->reserved)
		return -EINVAL;
	err = s->mem ? -EBUSY : geometry(s, arg);
	if (err)
		return err;
	s->self = arg->flags & KTAP_SESSION_F_SELF ? KTAP_NO_TGID :
						     current->tgid;
	err = make_rings(s);
	if (err)
		return err;
	arg->ring_size = s->args.size;
	arg->subbuf_size = s->args.subbuf_size;
	arg->watermark = s->args.watermark;
	arg->nr_cpus = nr_cpu_ids;
	arg->clock = ktap_clock_kind();
	arg->clock_hz = ktap_clock_hz();
	arg->session = s->number;
	return 0;
}

/* ---- attachments ----------------------------------------------------------- */

/* ktap_session_link() - for attach.c: a new attachment gets its rings. */
int ktap_session_link(struct ktap_session *s, struct ktap_attach *a)
{
	unsigned int cpu;
	int err;

	err = xa_err(xa_store(&s->by_id, a->probe->id, a, GFP_KERNEL_ACCOUNT));
	if (err)
		return err;
	mutex_lock(&rings_lock);
	for_each_possible_cpu(cpu)
		if (s->mem[cpu])
			per_cpu_ptr(a->cell, cpu)->ring = &s->mem[cpu]->ring;
	list_add_tail(&a->in_session, &s->attached);
	mutex_unlock(&rings_lock);
	return 0;
}

/* ktap_session_unlink() - for attach.c. */
void ktap_session_unlink(struct ktap_attach *a)
{
	xa_erase(&a->session->by_id, a->probe->id);
	mutex_lock(&rings_lock);
	list_del(&a->in_session);
	mutex_unlock(&rings_lock);
}

static struct ktap_attach *find_attach(struct ktap_session *s, u32 id)
{
	return xa_load(&s->by_id, id);
}

static int check_attach(struct ktap_session *s, const struct ktap_probe *p)
{
	if (!p)
		return -ENOENT;
	if (find_attach(s, p->id))
		return -EEXIST;
	if (!ktap_probe_complete(p))
		return -ENODATA;
	/* every sub-buffer begins with state, and may have losses to tell */
	if (p->prog->info.record_max + sizeof(struct ktap_rec_subbuf) +
	    sizeof(struct ktap_rec_lost) > s->args.subbuf_size)
		return -E2BIG;
	return 0;
}

/* struct batch - attachments that are started or stopped together */
struct batch {
	struct ktap_attach **list;
	u32 nr;
	u32 slow;
};

/* May one more go with the others, which changes whether it is armed? */
static bool batch_has_room(struct batch *b, const struct ktap_probe *p,
			   bool changes)
{
	b->slow += changes && ktap_probe_is_slow(p);
	return b->slow <= KTAP_ARM_MAX;
}

/* Return: 0; 1: no more can go with these; or why not this one. */
static int batch_attach(struct batch *b, struct ktap_session *s, u32 id)
{
	struct ktap_probe *p = ktap_probe_find(id);
	struct ktap_attach *a;
	int err;

	err = check_attach(s, p);
	if (err)
		return err;
	if (!batch_has_room(b, p, list_empty(&p->site.attached)))
		return 1;
	a = ktap_attach_create(p, s);
	if (!a)
		return -ENOMEM;
	b->list[b->nr++] = a;
	return 0;
}

static int batch_start(struct batch *b)
{
	int err = ktap_attach_start(b->list, b->nr);
	u32 i;

	if (!err)
		return 0;
	synchronize_rcu();
	for (i = 0; i < b->nr; i++)
		ktap_attach_destroy(b->list[i]);
	return err;
}

/**
 * ktap_session_attach() - KTAP_IOC_ATTACH and KTAP_IOC_ATTACH_MANY
 * @s: session
 * @ids: probes
 * @nr: how many
 * @done: how many of them, from the first on, are attached
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: 0; when none was attached -EINVAL before setup; -ENOENT; -EEXIST;
 * -ENODATA while the probe's blob is not complete; -E2BIG when a record may be
 * larger than a sub-buffer; -ENOMEM; what arming gave.
 */
int ktap_session_attach(struct ktap_session *s, const u32 *ids, u32 nr,
			u32 *done)
{
	struct batch b = {};
	int err = 0;
	u32 i;

	*done = 0;
	if (!s->ready)
		return -EINVAL;
	b.list = kvmalloc_array(nr, sizeof(*b.list), GFP_KERNEL);
	if (!b.list)
		return -ENOMEM;
	for (i = 0; !err && i < nr; i++)
		err = batch_attach(&b, s, ids[i]);
	if (b.nr)
		err = batch_start(&b);
	if (!err)
		*done = b.nr;
	kvfree(b.list);
	return err;
}

static int batch_detach(struct batch *b, struct ktap_session *s, u32 id)
{
	struct ktap_attach *a = find_attach(s, id);

	if (!a)
		return -ENOENT;
	if (!batch_has_room(b, a->probe, a->live && !a->probe->gone))
		return 1;
	b->list[b->nr++] = a;
	return 0;
}

/**
 * ktap_session_detach() - KTAP_IOC_DETACH and KTAP_IOC_DETACH_MANY
 * @s: session
 * @ids: probes
 * @nr: how many
 * @done: how many of them, from the first on, are detached
 *
 * Without memory it is the first of them alone.
 *
 * Context: process, under ktap_lock; sleeps for a grace period.
 * Return: 0; -ENOENT when none was detached.
 */
int ktap_session_detach(struct ktap_session *s, const u32 *ids, u32 nr,
			u32 *done)
{
	struct ktap_attach *one, **list;
	struct batch b = {};
	int err = 0;
	u32 i;

	*done = 0;
	list = kvmalloc_array(nr, sizeof(*list), GFP_KERNEL);
	b.list = list ?: &one;
	if (!list)
		nr = min(nr, 1U);
	for (i = 0; !err && i < nr; i++)
		err = batch_detach(&b, s, ids[i]);
	if (b.nr) {
		ktap_attach_stop(b.list, b.nr);
		synchronize_rcu();
		for (i = 0; i < b.nr; i++)
			ktap_attach_settle(b.list[i]);
		*done = b.nr;
		err = 0;
	}
	kvfree(list);
	return err;
}

/**
 * ktap_session_limit() - KTAP_IOC_SCOPE
 * @s: session
 * @pid: process to take in
 * @tree: also its descendants
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: 0, or what ktap_scope_add() or widening a probe gave; then the
 * process is in scope, but some of its hits may be missing.
 */
int ktap_session_limit(struct ktap_session *s, pid_t pid, bool tree)
{
	struct ktap_attach *a;
	int err;

	err = ktap_scope_add(&s->scope, pid, tree);
	if (err)
		return err;
	list_for_each_entry(a, &s->attached, in_session) {
		WRITE_ONCE(a->scope, s->scope.map);
		if (a->live)
			err = ktap_probe_widen(a->probe, a) ?: err;
	}
	return err;
}

/* ktap_session_counts() - KTAP_IOC_COUNTS. Context: under ktap_lock. */
int ktap_session_counts(struct ktap_session *s, struct ktap_session_counts *arg)
{
	struct ktap_attach *a = find_attach(s, arg->id);

	if (!a)
		return -ENOENT;
	if (arg->cpu >= 0 && (arg->cpu >= nr_cpu_ids || !cpu_possible(arg->cpu)))
		return -EINVAL;
	ktap_attach_counts(a, arg->cpu, &arg->counts);
	return 0;
}

/* ktap_session_nr_attached() - live ones. Context: under ktap_lock. */
u32 ktap_session_nr_attached(const struct ktap_session *s)
{
	const struct ktap_attach *a;
	u32 nr = 0;

	list_for_each_entry(a, &s->attached, in_session)
		nr += a->live;
	return nr;
}
