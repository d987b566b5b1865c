// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions. Closing the file detaches all of its probes.
 *
 * Lock order: the session's lock, the CPU hotplug lock, rings_lock, ktap_lock. The
 * hotplug callback runs with the hotplug lock held for writing and takes only rings_lock,
 * so the members that it changes are under rings_lock too. It may wait for memory, so
 * rings_lock must not be taken under ktap_lock.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "core/budget.h"
#include "core/probe.h"
#include "core/session.h"
#include "hit/clock.h"

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
		if (!a->map && !a->silent)
			WRITE_ONCE(per_cpu_ptr(a->cell, cpu)->ring, &m->ring);
}

/*
 * A CPU comes online even if its ring cannot be allocated; its hits then count as
 * no_ring.
 */
static void make_ring(struct ktap_session *s, unsigned int cpu)
{
	u64 bytes = ktap_ringmem_bytes(&s->args);
	struct ktap_ringmem *m;

	lockdep_assert_held(&rings_lock);
	if (s->mem[cpu] || ktap_budget_take(KTAP_MEM_RINGS, bytes, 0, NULL))
		return;
	m = ktap_ringmem_create(cpu, &s->args);
	if (IS_ERR(m))
		ktap_budget_give(KTAP_MEM_RINGS, bytes);
	else
		give_ring(s, cpu, m);
}

static void make_tables(struct ktap_session *s, unsigned int cpu)
{
	struct ktap_attach *a;

	ktap_maps_cpu_comes(&s->maps, cpu);
	s->generation++;
	list_for_each_entry(a, &s->attached, in_session)
		if (a->map)
			WRITE_ONCE(per_cpu_ptr(a->cell, cpu)->table,
				   ktap_maps_table(a->map, cpu));
}

static int cpu_comes(unsigned int cpu)
{
	struct ktap_session *s;

	mutex_lock(&rings_lock);
	list_for_each_entry(s, &sessions, node)
		if (s->ready) {
			make_ring(s, cpu);
			make_tables(s, cpu);
		}
	mutex_unlock(&rings_lock);
	return 0;
}

/**
 * ktap_session_init() - register the CPU hotplug callback
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int ktap_session_init(void)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ktap:ring",
					      cpu_comes, NULL);

	if (state < 0)
		return state;
	hotplug_state = state;
	return 0;
}

/**
 * ktap_session_exit() - unregister the CPU hotplug callback
 *
 * Context: module exit; no session is left.
 */
void ktap_session_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
}

/**
 * ktap_session_mem() - the ring of a CPU
 * @s: session
 * @cpu: CPU number; may be out of range
 *
 * Context: process; no lock: rings are freed only with the session, which lives as long
 * as its file.
 * Return: the ring, or NULL.
 */
struct ktap_ringmem *ktap_session_mem(const struct ktap_session *s, u64 cpu)
{
	/* pairs with publish_rings() */
	struct ktap_ringmem **mem = smp_load_acquire(&s->mem);

	if (!mem || cpu >= nr_cpu_ids)
		return NULL;
	return smp_load_acquire(&mem[cpu]); /* pairs with give_ring() */
}

/**
 * ktap_session_ring_bytes() - memory of a session's rings and maps
 * @s: session
 *
 * Context: process.
 * Return: bytes.
 */
u64 ktap_session_ring_bytes(struct ktap_session *s)
{
	unsigned int cpu;
	u64 bytes = 0;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		const struct ktap_ringmem *m = ktap_session_mem(s, cpu);

		bytes += m ? m->bytes : 0;
	}
	if (ktap_session_stacks(s))
		bytes += ktap_session_stacks(s)->bytes;
	return bytes + ktap_maps_bytes(&s->maps);
}

/**
 * ktap_session_stacks() - the table of stacks
 * @s: session
 *
 * Context: process; no lock, see ktap_session_mem().
 * Return: the table, or NULL.
 */
const struct ktap_stack_table *
ktap_session_stacks(const struct ktap_session *s)
{
	return smp_load_acquire(&s->stacks); /* pairs with give_stacks() */
}

/* ---- lifetime ------------------------------------------------------------ */

/**
 * ktap_session_create() - create a session
 *
 * Context: process.
 * Return: the session, or NULL without memory.
 */
struct ktap_session *ktap_session_create(void)
{
	struct ktap_session *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return NULL;
	mutex_init(&s->lock);
	init_waitqueue_head(&s->waiter.queue);
	INIT_LIST_HEAD(&s->attached);
	xa_init(&s->by_id);
	ktap_maps_init(&s->maps);
	ktap_user_share_init(&s->user);
	s->owner_pid = current->tgid;
	get_task_comm(s->owner_comm, current);
	mutex_lock(&rings_lock);
	mutex_lock(&ktap_lock);
	s->number = ++last_number;
	list_add_tail(&s->node, &sessions);
	mutex_unlock(&ktap_lock);
	mutex_unlock(&rings_lock);
	return s;
}

/* Attachments per call of detach if memory for a larger array is not available. */
#define FEW 64	/* fewer than CROWD of the tests' shortage.c */

/* Collects at most @room live attachments. Return: their number. */
static u32 collect_live(struct ktap_session *s, struct ktap_attach **list,
			u32 room)
{
	struct ktap_attach *a;
	u32 n = 0;

	mutex_lock(&ktap_lock);
	list_for_each_entry(a, &s->attached, in_session)
		if (a->live && n < room)
			list[n++] = a;
	mutex_unlock(&ktap_lock);
	return n;
}

/**
 * ktap_session_detach_all() - KTAP_IOC_DETACH with id 0
 * @s: session
 *
 * Context: process, under its lock; sleeps as ktap_attach_stop() does.
 */
void ktap_session_detach_all(struct ktap_session *s)
{
	struct ktap_attach *few[FEW], **many = NULL;
	u32 nr, room = READ_ONCE(s->nr_attached);

	lockdep_assert_held(&s->lock);
	if (room > FEW)
		many = kvmalloc_array(room, sizeof(*many), KTAP_GFP);
	if (!many)
		room = FEW;
	while ((nr = collect_live(s, many ?: few, room)))
		ktap_attach_stop(many ?: few, nr);
	kvfree(many);
}

/* The attachment is stopped, or was never linked. */
static void drop_attach(struct ktap_attach *a)
{
	struct ktap_session *s = a->session;

	mutex_lock(&ktap_lock);
	xa_erase(&s->by_id, a->probe->id);
	mutex_unlock(&ktap_lock);
	mutex_lock(&rings_lock);
	list_del(&a->in_session);
	mutex_unlock(&rings_lock);
	ktap_attach_put(a);
}

static void free_rings(struct ktap_ringmem **mem)
{
	unsigned int cpu;

	if (!mem)
		return;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		ktap_ringmem_destroy(mem[cpu]);
	kfree(mem);
}

/**
 * ktap_session_destroy() - free a session
 * @s: session whose file was closed
 *
 * Context: process; sleeps as ktap_attach_stop() does.
 */
void ktap_session_destroy(struct ktap_session *s)
{
	struct ktap_attach *a, *next;

	mutex_lock(&s->lock);
	ktap_session_detach_all(s);
	list_for_each_entry_safe(a, next, &s->attached, in_session)
		drop_attach(a);
	ktap_scope_deinit(&s->scope);
	mutex_unlock(&s->lock);
	mutex_lock(&rings_lock);
	mutex_lock(&ktap_lock);
	list_del(&s->node);
	mutex_unlock(&ktap_lock);
	mutex_unlock(&rings_lock);
	xa_destroy(&s->by_id);
	free_rings(s->mem);
	ktap_maps_destroy(&s->maps);
	ktap_stack_table_free(s->stacks);
	ktap_user_share_leave(&s->user);
	kfree(s);
}

/**
 * ktap_session_next() - find the session with the next higher number
 * @number: number of a session, or 0
 *
 * Context: under ktap_lock.
 * Return: the session or NULL.
 */
struct ktap_session *ktap_session_next(u64 number)
{
	struct ktap_session *s;

	lockdep_assert_held(&ktap_lock);
	list_for_each_entry(s, &sessions, node)
		if (s->number > number)
			return s;
	return NULL;
}

/**
 * ktap_session_each() - call a function for every session
 * @fn: function; it must not wait
 * @ctx: for @fn
 *
 * Context: under ktap_lock.
 */
void ktap_session_each(void (*fn)(struct ktap_session *s, void *ctx), void *ctx)
{
	struct ktap_session *s;

	lockdep_assert_held(&ktap_lock);
	list_for_each_entry(s, &sessions, node)
		fn(s, ctx);
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
		/* a reader that sleeps until the ring is full wakes too late */
		.watermark = min_t(u64, arg->watermark, size / 2),
		.overwrite = arg->flags & KTAP_SESSION_F_OVERWRITE,
		.waiter = &s->waiter,
	};
	return 0;
}

/*
 * Allocates a ring for each of @cpus. Until publish_rings() no other task sees them, so a
 * failure half-way can be undone.
 */
static struct ktap_ringmem **alloc_rings(const struct ktap_ringmem_args *args,
					 const struct cpumask *cpus)
{
	u64 bytes = ktap_ringmem_bytes(args), taken = bytes * cpumask_weight(cpus);
	struct ktap_ringmem **mem, *m;
	unsigned int cpu;
	int err;

	err = ktap_budget_take(KTAP_MEM_RINGS, taken, 0, NULL);
	if (err)
		return ERR_PTR(err);
	mem = kcalloc(nr_cpu_ids, sizeof(*mem), KTAP_GFP);
	err = mem ? 0 : -ENOMEM;
	for_each_cpu(cpu, cpus) {
		m = err ? ERR_PTR(err) : ktap_ringmem_create(cpu, args);
		err = PTR_ERR_OR_ZERO(m);
		if (err)
			break;
		mem[cpu] = m;
		taken -= bytes;
	}
	ktap_budget_give(KTAP_MEM_RINGS, taken);
	if (!err)
		return mem;
	free_rings(mem);
	return ERR_PTR(err);
}

/* CPUs that came online during the allocation get their rings here. */
static void publish_rings(struct ktap_session *s, struct ktap_ringmem **mem)
{
	unsigned int cpu;

	cpus_read_lock();
	mutex_lock(&rings_lock);
	smp_store_release(&s->mem, mem); /* pairs with ktap_session_mem() */
	for_each_online_cpu(cpu)
		make_ring(s, cpu);
	s->generation++;
	s->ready = true;
	mutex_unlock(&rings_lock);
	cpus_read_unlock();
}

static int make_rings(struct ktap_session *s)
{
	struct ktap_ringmem **mem;
	cpumask_var_t cpus;

	if (!alloc_cpumask_var(&cpus, KTAP_GFP))
		return -ENOMEM;
	cpumask_copy(cpus, cpu_online_mask);
	mem = alloc_rings(&s->args, cpus);
	free_cpumask_var(cpus);
	if (IS_ERR(mem))
		return PTR_ERR(mem);
	publish_rings(s, mem);
	return 0;
}

/**
 * ktap_session_setup() - KTAP_IOC_SETUP
 * @s: session
 * @arg: request; the reply is filled in
 *
 * After a failure the session is unchanged, and a smaller size may be tried.
 *
 * Context: process, under its lock; may sleep.
 * Return: 0, -EBUSY if it was set up before, -EINVAL, -ENOMEM or -ENOSPC.
 */
int ktap_session_setup(struct ktap_session *s, struct ktap_session_setup *arg)
{
	int err;

	lockdep_assert_held(&s->lock);
	if (s->ready)
		return -EBUSY;
	if ((arg->flags & ~__KTAP_SESSION_F_ALL) || arg->reserved)
		return -EINVAL;
	err = geometry(s, arg);
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

/**
 * ktap_session_map() - KTAP_IOC_MAP
 * @s: session
 * @arg: request; the reply is filled in
 *
 * Context: process, under its lock; may sleep.
 * Return: 0, -EINVAL also before setup, or the error of ktap_maps_create().
 */
int ktap_session_map(struct ktap_session *s, struct ktap_session_map *arg)
{
	lockdep_assert_held(&s->lock);
	return s->ready ? ktap_maps_create(&s->maps, &rings_lock, arg) : -EINVAL;
}

/* ---- attachments ----------------------------------------------------------- */

/* A new attachment gets its rings or tables now, and later those of CPUs that come online. */
static void add_attach(struct ktap_session *s, struct ktap_attach *a)
{
	unsigned int cpu;

	mutex_lock(&rings_lock);
	for_each_possible_cpu(cpu) {
		struct ktap_cell *cell = per_cpu_ptr(a->cell, cpu);

		if (a->map)
			cell->table = ktap_maps_table(a->map, cpu);
		else if (s->mem[cpu] && !a->silent)
			cell->ring = &s->mem[cpu]->ring;
	}
	list_add_tail(&a->in_session, &s->attached);
	mutex_unlock(&rings_lock);
}

/* Under the session's lock, or ktap_lock. */
static struct ktap_attach *find_attach(struct ktap_session *s, u32 id)
{
	return xa_load(&s->by_id, id);
}

static int check_attach(struct ktap_session *s, const struct ktap_probe *p,
			const struct ktap_map *map)
{
	if (!p)
		return -ENOENT;
	if (find_attach(s, p->id))
		return -EEXIST;
	if (!ktap_probe_complete(p))
		return -ENODATA;
	if (map)
		return ktap_map_check(map, &p->prog->info);
	/* a sub-buffer begins with state, and a loss record may follow */
	if (p->prog->info.record_max + sizeof(struct ktap_rec_subbuf) +
	    sizeof(struct ktap_rec_lost) > s->args.subbuf_size)
		return -E2BIG;
	return 0;
}

/* struct batch - attachments that are started or stopped together, for one map or none */
struct batch {
	const struct ktap_map *map;
	struct ktap_attach **list;
	u32 nr;
	u32 slow;
};

/* May the batch take one more probe? @changes: its arming state changes. */
static bool batch_has_room(struct batch *b, const struct ktap_probe *p,
			   bool changes)
{
	b->slow += changes && ktap_probe_is_slow(p);
	return b->slow <= KTAP_ARM_MAX;
}

/* Return: 0, with a reference; 1: the batch is full; a negative errno. */
static int batch_find(struct batch *b, struct ktap_session *s, u32 id,
		      struct ktap_probe **ret)
{
	struct ktap_probe *p;
	int err;

	mutex_lock(&ktap_lock);
	p = ktap_probe_find(id);
	err = check_attach(s, p, b->map);
	if (!err && !batch_has_room(b, p, list_empty(&p->site.attached)))
		err = 1;
	if (!err)
		ktap_probe_get(p);
	mutex_unlock(&ktap_lock);
	*ret = p;
	return err;
}

/* The first attachment whose program takes stacks creates their table. */
static int give_stacks(struct ktap_session *s, struct ktap_attach *a)
{
	struct ktap_stack_table *t = s->stacks;
	int err;

	if (!a->probe->prog->info.nr_stacks)
		return 0;
	err = a->probe->prog->info.has_ustack ? ktap_user_share_join(&s->user) : 0;
	if (err)
		return err;
	if (!t) {
		t = ktap_stack_table_create();
		if (IS_ERR(t))
			return PTR_ERR(t);
		/* release: mmap reads it without a lock (ktap_session_stacks()) */
		smp_store_release(&s->stacks, t);
	}
	a->stacks = &t->stacks;
	a->trails = t->trails;
	return 0;
}

static int batch_make(struct batch *b, struct ktap_session *s,
		      struct ktap_probe *p)
{
	struct ktap_attach *a = ktap_attach_create(p, s, b->map);
	int err;

	if (!a)
		return -ENOMEM;
	err = give_stacks(s, a);
	if (err) {
		ktap_attach_put(a);
		return err;
	}
	add_attach(s, a);
	b->list[b->nr++] = a;
	return 0;
}

/* Return: 0; 1: the batch is full; a negative errno: this probe was refused. */
static int batch_attach(struct batch *b, struct ktap_session *s, u32 id)
{
	struct ktap_probe *p;
	int err;

	err = batch_find(b, s, id, &p);
	if (err)
		return err;
	/* reserves a slot for batch_link(), which must not fail */
	err = xa_insert(&s->by_id, id, NULL, KTAP_GFP);
	if (err) {
		err = err == -EBUSY ? -EEXIST : err;
	} else {
		err = batch_make(b, s, p);
		if (err)
			xa_release(&s->by_id, id);
	}
	ktap_probe_put(p);
	return err;
}

/* Ignores probes that were deleted meanwhile, as if they had been deleted afterwards. */
static int batch_link(struct batch *b, struct ktap_session *s)
{
	int err = 0;
	u32 i;

	mutex_lock(&ktap_lock);
	for (i = 0; !err && i < b->nr; i++) {
		struct ktap_attach *a = b->list[i];

		xa_store(&s->by_id, a->probe->id, a, 0);
		if (a->probe->gone)
			continue;
		err = ktap_attach_link(a);
	}
	mutex_unlock(&ktap_lock);
	return err;
}

static int batch_start(struct batch *b, struct ktap_session *s)
{
	int err = batch_link(b, s);
	u32 i;

	if (err)
		ktap_attach_stop(b->list, b->nr);
	else
		err = ktap_attach_start(b->list, b->nr);
	for (i = 0; err && i < b->nr; i++)
		drop_attach(b->list[i]);
	return err;
}

/**
 * ktap_session_attach() - KTAP_IOC_ATTACH and KTAP_IOC_ATTACH_MANY
 * @s: session
 * @ids: ids of probes
 * @nr: length of @ids
 * @map: map for their hits; NULL: the rings
 * @done: set to the number of leading @ids that are attached
 *
 * Context: process, under its lock; may sleep.
 * Return: 0 if at least one was attached. Otherwise -EINVAL before setup; -ENOENT;
 * -EEXIST; -ENODATA while the blob is incomplete; -E2BIG if a record may exceed a
 * sub-buffer, or a key of the map; -EINVAL if it lacks values of the map; -ENOMEM; -EBUSY
 * while a sleeping hit delays an earlier change of the probe; or the error from arming.
 */
int ktap_session_attach(struct ktap_session *s, const u32 *ids, u32 nr,
			const struct ktap_map *map, u32 *done)
{
	struct batch b = { .map = map };
	int err = 0;
	u32 i;

	lockdep_assert_held(&s->lock);
	*done = 0;
	if (!s->ready)
		return -EINVAL;
	b.list = kvmalloc_array(nr, sizeof(*b.list), GFP_KERNEL);
	if (!b.list)
		return -ENOMEM;
	for (i = 0; !err && i < nr; i++)
		err = batch_attach(&b, s, ids[i]);
	if (b.nr)
		err = batch_start(&b, s);
	if (!err)
		*done = b.nr;
	kvfree(b.list);
	return err;
}

static int batch_detach(struct batch *b, struct ktap_session *s, u32 id)
{
	struct ktap_attach *a = find_attach(s, id);
	bool room;

	if (!a)
		return -ENOENT;
	mutex_lock(&ktap_lock);
	room = batch_has_room(b, a->probe, a->live && !a->probe->gone);
	mutex_unlock(&ktap_lock);
	if (!room)
		return 1;
	b->list[b->nr++] = a;
	return 0;
}

/**
 * ktap_session_detach() - KTAP_IOC_DETACH and KTAP_IOC_DETACH_MANY
 * @s: session
 * @ids: ids of probes
 * @nr: length of @ids
 * @done: set to the number of leading @ids that are detached
 *
 * Without memory for an array, detaches the first one only.
 *
 * Context: process, under its lock; sleeps as ktap_attach_stop() does.
 * Return: 0, or -ENOENT if none was detached.
 */
int ktap_session_detach(struct ktap_session *s, const u32 *ids, u32 nr,
			u32 *done)
{
	struct ktap_attach *one, **list;
	struct batch b = {};
	int err = 0;
	u32 i;

	lockdep_assert_held(&s->lock);
	*done = 0;
	list = kvmalloc_array(nr, sizeof(*list), GFP_KERNEL);
	b.list = list ?: &one;
	if (!list)
		nr = min(nr, 1U);
	for (i = 0; !err && i < nr; i++)
		err = batch_detach(&b, s, ids[i]);
	if (b.nr) {
		ktap_attach_stop(b.list, b.nr);
		*done = b.nr;
		err = 0;
	}
	kvfree(list);
	return err;
}

/**
 * ktap_session_limit() - KTAP_IOC_SCOPE
 * @s: session
 * @pid: process to add
 * @tree: add its descendants too
 *
 * Context: process, under its lock; may sleep.
 * Return: 0, or the error of ktap_scope_add() or of widening a probe. After the latter
 * the process is in scope, but some of its hits may be missing.
 */
int ktap_session_limit(struct ktap_session *s, pid_t pid, bool tree)
{
	struct ktap_attach *a;
	int err;

	lockdep_assert_held(&s->lock);
	err = ktap_scope_add(&s->scope, pid, tree);
	if (err)
		return err;
	list_for_each_entry(a, &s->attached, in_session) {
		WRITE_ONCE(a->scope, s->scope.map);
		if (READ_ONCE(a->live))
			err = ktap_arming_widen(a->probe, a) ?: err;
	}
	return err;
}

/**
 * ktap_session_skip() - skip the hits of a reader from now on
 * @s: session of a probe module, which does not know its reader at first
 * @tgid: the reader's thread group
 *
 * Context: process, without ktap locks; may sleep.
 */
void ktap_session_skip(struct ktap_session *s, u32 tgid)
{
	struct ktap_attach *a;

	mutex_lock(&s->lock);
	/* for those that KTAP_IOC_TIE will attach */
	s->self = tgid;
	list_for_each_entry(a, &s->attached, in_session)
		WRITE_ONCE(a->self, tgid);
	mutex_unlock(&s->lock);
}

/**
 * ktap_session_counts() - KTAP_IOC_COUNTS
 * @s: session
 * @arg: request; the counts are filled in
 *
 * Context: under ktap_lock.
 * Return: 0 or a negative errno.
 */
int ktap_session_counts(struct ktap_session *s, struct ktap_session_counts *arg)
{
	struct ktap_attach *a;

	lockdep_assert_held(&ktap_lock);
	a = find_attach(s, arg->id);
	if (!a)
		return -ENOENT;
	if (arg->cpu < -1)
		return -EINVAL;
	if (arg->cpu >= 0 && (arg->cpu >= nr_cpu_ids || !cpu_possible(arg->cpu)))
		return -EINVAL;
	ktap_attach_counts(a, arg->cpu, &arg->counts);
	return 0;
}
