// SPDX-License-Identifier: GPL-2.0
/*
 * Probes: the registry and the operations on a probe.
 *
 * The id of a deleted probe is reused only after its last attachment was freed. So a
 * session never sees two probes with one id.
 */
#include <linux/bitmap.h>
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include <net/sock.h>

#include "backend/kprobe.h"
#include "backend/kretprobe.h"
#include "backend/syscall.h"
#include "backend/timer.h"
#include "backend/tracepoint.h"
#include "backend/uprobe.h"
#include "backend/watchpoint.h"
#include "core/blob.h"
#include "core/budget.h"
#include "core/counters.h"
#include "core/hit_cost.h"
#include "core/lockdown.h"
#include "core/probe.h"
#include "core/state_table.h"
#include "hit/scratch.h"

DEFINE_MUTEX(ktap_lock); /* what exists: see Documentation/internals.rst */

static DEFINE_IDR(probes);		/* these four are under ktap_lock */
static DEFINE_HASHTABLE(names, 10);
static u32 nr_probes;

/* Hashed port ids of the sockets that created a probe. */
#define TIED_BITS 12
static DECLARE_BITMAP(tied, 1 << TIED_BITS);

static const struct ktap_backend * const backends[] = {
	[KTAP_TYPE_KPROBE] = &ktap_kprobe_backend,
	[KTAP_TYPE_KRETPROBE] = &ktap_kretprobe_backend,
#ifdef CONFIG_UPROBES
	[KTAP_TYPE_UPROBE] = &ktap_uprobe_backend,
	[KTAP_TYPE_URETPROBE] = &ktap_uretprobe_backend,
#endif
#ifdef KTAP_HAVE_TRACEPOINTS
	[KTAP_TYPE_TRACEPOINT] = &ktap_tracepoint_backend,
#endif
#ifdef KTAP_HAVE_WATCHPOINTS
	[KTAP_TYPE_WATCHPOINT] = &ktap_watchpoint_backend,
#endif
#ifdef KTAP_HAVE_SYSCALLS
	[KTAP_TYPE_SYSCALL] = &ktap_syscall_backend,
	[KTAP_TYPE_SYSRET] = &ktap_sysret_backend,
#endif
	[KTAP_TYPE_TIMER] = &ktap_timer_backend,
};

/* Reasons for a missing backend. */
static const char * const lacks[] = {
	[KTAP_TYPE_UPROBE] = KTAP_LACKS_UPROBES,
	[KTAP_TYPE_URETPROBE] = KTAP_LACKS_UPROBES,
	[KTAP_TYPE_TRACEPOINT] = KTAP_LACKS_TRACEPOINTS,
	[KTAP_TYPE_WATCHPOINT] = KTAP_LACKS_WATCHPOINTS,
	[KTAP_TYPE_SYSCALL] = KTAP_LACKS_SYSCALLS,
	[KTAP_TYPE_SYSRET] = KTAP_LACKS_SYSCALLS,
};

/**
 * ktap_backend_of() - the backend of a probe type
 * @type: enum ktap_type
 *
 * Context: any.
 * Return: the backend, or NULL if this kernel has none.
 */
const struct ktap_backend *ktap_backend_of(u32 type)
{
	return type < ARRAY_SIZE(backends) ? backends[type] : NULL;
}

/**
 * ktap_backend_features() - KTAP_FEATURE_* of the available backends
 *
 * Context: any.
 * Return: bit mask.
 */
u64 ktap_backend_features(void)
{
	u64 features = 0;
	u32 type;

	for (type = 0; type < ARRAY_SIZE(backends); type++)
		if (backends[type])
			features |= backends[type]->feature;
	return features;
}

/**
 * ktap_backend_lacks() - why a probe type has no backend
 * @type: type number, possibly unknown
 *
 * Context: any.
 * Return: static string.
 */
const char *ktap_backend_lacks(u32 type)
{
	return type < ARRAY_SIZE(lacks) && lacks[type] ? lacks[type] :
		"this module has no probes of that type";
}

/* ---- look-up: all under ktap_lock -------------------------------------- */

static bool is_there(const struct ktap_probe *p)
{
	return !p->fresh && !p->gone;
}

struct ktap_probe *ktap_probe_find(u32 id)
{
	struct ktap_probe *p;

	lockdep_assert_held(&ktap_lock);
	p = idr_find(&probes, id);
	return p && is_there(p) ? p : NULL;
}

/**
 * ktap_probe_next() - find the first probe with an id of at least @id
 * @id: id; may come from a user
 *
 * idr_get_next() warns about an id that does not fit an int, so such ids are checked
 * here.
 *
 * Context: under ktap_lock.
 * Return: the probe or NULL.
 */
struct ktap_probe *ktap_probe_next(u32 id)
{
	struct ktap_probe *p;
	int at = id;

	lockdep_assert_held(&ktap_lock);
	if (id > U16_MAX)
		return NULL;
	while ((p = idr_get_next(&probes, &at)) && !is_there(p))
		at++;
	return p;
}

static struct hlist_head *names_of(const char *name)
{
	return &names[hash_min(full_name_hash(NULL, name, strlen(name)),
			       HASH_BITS(names))];
}

/**
 * ktap_probe_find_name() - find a probe by name
 * @name: [GROUP:]EVENT
 *
 * Skips transient probes: their names are private to their creator. If several probes
 * share the name, finds the one with the lowest id.
 *
 * Context: under ktap_lock.
 * Return: the probe or NULL.
 */
struct ktap_probe *ktap_probe_find_name(const char *name)
{
	struct ktap_probe *p, *first = NULL;

	lockdep_assert_held(&ktap_lock);
	hlist_for_each_entry(p, names_of(name), by_name)
		if (is_there(p) && !strcmp(p->name, name) &&
		    (!first || p->id < first->id))
			first = p;
	return first;
}

/**
 * ktap_probe_count() - number of probes
 *
 * Context: any.
 * Return: number.
 */
u32 ktap_probe_count(void)
{
	return READ_ONCE(nr_probes);
}

/**
 * ktap_probe_nr_sessions() - number of sessions that have a probe attached
 * @p: probe
 *
 * Context: under ktap_lock.
 * Return: number.
 */
u32 ktap_probe_nr_sessions(const struct ktap_probe *p)
{
	const struct ktap_attach *a;
	u32 nr = 0;

	lockdep_assert_held(&ktap_lock);
	list_for_each_entry(a, &p->site.attached, in_probe)
		nr += !a->counting;
	return nr;
}

/* ---- lifetime ---------------------------------------------------------- */

/* The last reference was dropped. */
static void probe_free(struct ktap_probe *p)
{
	/* the table belongs to the maker */
	if (p->prog)
		ktap_state_leave(&p->prog->info);
	if (p->maker)
		sock_put(p->maker);
	ktap_blob_free(p);
	ktap_prog_destroy(p->prog);
	ktap_scratch_drop(p->room);
	ktap_free_percpu(p->site.cost);
	kfree(p->symbol);
	/* p->backend may have changed; the type decides what was allocated */
	ktap_mem_free(KTAP_MEM_OTHER, p, ktap_backend_of(p->type)->probe_size);
}

/**
 * ktap_probe_get() - take a reference
 * @p: probe
 *
 * Context: any; under ktap_lock if @p was looked up.
 */
void ktap_probe_get(struct ktap_probe *p)
{
	refcount_inc(&p->refs);
}

/**
 * ktap_probe_put() - drop a reference
 * @p: probe
 *
 * Context: process; without ktap_lock, unless it cannot be the last reference.
 */
void ktap_probe_put(struct ktap_probe *p)
{
	if (!refcount_dec_and_mutex_lock(&p->refs, &ktap_lock))
		return;
	idr_remove(&probes, p->id);
	hlist_del_init(&p->by_name);
	mutex_unlock(&ktap_lock);
	probe_free(p);
}

/* Whose probes share a table for state; NULL: those of the same group. */
static const void *state_owner(const struct ktap_probe_args *args)
{
	if (!(args->flags & KTAP_PROBE_F_TRANSIENT))
		return NULL;
	return args->image ?: args->maker;
}

static int probe_init(struct ktap_probe *p, const struct ktap_probe_args *args,
		      struct ktap_refused *refused)
{
	enum ktap_refusal why;
	int err;
	u32 at;

	refcount_set(&p->refs, 1);
	p->fresh = true;
	p->flags = args->flags;
	p->offset = args->offset;
	p->addr = args->addr;
	p->portid = args->portid;
	p->maker = args->maker;
	if (p->maker)
		sock_hold(p->maker);
	p->owner_pid = args->owner_pid;
	ktap_arming_join(p);
	strscpy(p->name, args->name, sizeof(p->name));
	INIT_LIST_HEAD(&p->site.attached);
	INIT_LIST_HEAD(&p->attachments);
	p->site.cost = ktap_alloc_percpu(struct ktap_cost, refused);
	if (!p->site.cost)
		return -ENOMEM;
	if (args->symbol) {
		p->symbol = kstrdup(args->symbol, KTAP_GFP);
		if (!p->symbol)
			return -ENOMEM;
	}
	p->prog = ktap_prog_create(args->insns, args->nr_insns, &args->place,
				   &why, &at);
	if (IS_ERR(p->prog)) {
		err = PTR_ERR(p->prog);
		p->prog = NULL;
		if (why)
			return ktap_refuse(refused, err, KTAP_A_PROG,
					   ktap_refusal_text(why));
		return ktap_budget_explain(err, ktap_prog_bytes(args->nr_insns),
					   KTAP_A_PROG, refused);
	}
	err = ktap_cost_allowed(&p->prog->info, KTAP_A_PROG, refused);
	if (err)
		return err;
	p->entry_cost = args->entry_info.cost;
	err = ktap_counters_join(&p->prog->info, KTAP_A_PROG, refused);
	if (err)
		return err;
	err = ktap_state_join(&p->prog->info, state_owner(args), p->name, refused);
	return err ? err : ktap_blob_init(p, args->blob_size, refused);
}

static int probe_hold_scratch(struct ktap_probe *p,
			      struct ktap_refused *refused)
{
	int err;

	if (p->prog->info.simple)
		return 0;
	err = ktap_scratch_hold(p->prog->info.room, refused);
	if (!err)
		p->room = p->prog->info.room;
	return err;
}

/* Probes that are still being created count too. */
static int check_name(const struct ktap_probe_args *args,
		      struct ktap_refused *refused)
{
	const struct ktap_probe *p;

	lockdep_assert_held(&ktap_lock);
	if (args->flags & KTAP_PROBE_F_TRANSIENT)
		return 0;
	hlist_for_each_entry(p, names_of(args->name), by_name) {
		if (strcmp(p->name, args->name) ||
		    (p->flags & args->flags & KTAP_PROBE_F_SHARED))
			continue;
		return ktap_refuse(refused, -EEXIST, KTAP_A_NAME,
				   "an event of this name exists already");
	}
	return 0;
}

static int probe_number_locked(struct ktap_probe *p,
			       const struct ktap_probe_args *args,
			       struct ktap_refused *refused)
{
	int id = check_name(args, refused);

	if (id)
		return id;
	id = idr_alloc_cyclic(&probes, p, KTAP_REC_FIRST_PROBE, U16_MAX + 1,
			      GFP_KERNEL);
	if (id < 0)
		return ktap_refuse(refused, id, 0, "too many probes");
	p->id = id;
	if (!(p->flags & KTAP_PROBE_F_TRANSIENT))
		hlist_add_head(&p->by_name, names_of(p->name));
	return 0;
}

static int probe_number(struct ktap_probe *p,
			const struct ktap_probe_args *args,
			struct ktap_refused *refused)
{
	int err;

	mutex_lock(&ktap_lock);
	err = probe_number_locked(p, args, refused);
	mutex_unlock(&ktap_lock);
	return err;
}

/* If the code is not loaded yet but may be later, the probe waits for it. */
static int probe_load(struct ktap_probe *p, const struct ktap_probe_args *args,
		      struct ktap_refused *refused)
{
	int err = p->backend->load(p, args, refused);

	if (err != -ENOENT || !(p->flags & KTAP_PROBE_F_WAIT) ||
	    !p->symbol || !strchr(p->symbol, ':'))
		return err;
	p->addr = 0; /* if given, it now belongs to another module */
	p->waiting = true;
	return ktap_refuse(refused, 0, 0, NULL); /* clear the refusal of load() */
}

static int probe_place(struct ktap_probe *p, const struct ktap_probe_args *args,
		       struct ktap_refused *refused)
{
	int err;

	err = p->backend->add(p, args, refused);
	if (err || !p->backend->load)
		return err;
	err = probe_load(p, args, refused);
	if (err && p->backend->remove)
		p->backend->remove(&p, 1);
	return err;
}

static void probe_publish(struct ktap_probe *p)
{
	mutex_lock(&ktap_lock);
	p->fresh = false;
	set_bit(hash_32(p->portid, TIED_BITS), tied);
	nr_probes++;
	mutex_unlock(&ktap_lock);
}

/* Creates a probe as far as that is possible before its name is reserved. */
static struct ktap_probe *probe_make(const struct ktap_probe_args *args,
				     struct ktap_refused *refused)
{
	struct ktap_probe *p;
	int err;

	p = ktap_mem_alloc(KTAP_MEM_OTHER, args->backend->probe_size);
	if (IS_ERR(p)) {
		ktap_budget_explain(PTR_ERR(p), args->backend->probe_size, 0,
				    refused);
		return p;
	}
	p->type = args->type;
	p->backend = args->backend;
	err = probe_init(p, args, refused) ?: probe_hold_scratch(p, refused) ?:
	      probe_number(p, args, refused);
	if (!err)
		return p;
	probe_free(p);
	return ERR_PTR(err);
}

static int check_create(const struct ktap_probe_args *args,
			struct ktap_refused *refused)
{
	int err;

	mutex_lock(&ktap_lock);
	err = check_name(args, refused);
	mutex_unlock(&ktap_lock);
	if (err)
		return err;
	err = ktap_lockdown();
	return err ? ktap_refuse(refused, err, 0,
				 "kernel lockdown forbids kprobes") : 0;
}

/**
 * ktap_probe_create() - create a probe
 * @args: request; the strings and the type are checked already
 * @refused: filled when the request is refused
 *
 * Context: process, without ktap locks; may sleep, for long if a file system does.
 * Return: the probe, with a reference for the caller, or ERR_PTR: -EEXIST, -EPERM,
 * -EINVAL, -ENOMEM, -ENOSPC, or the backend's error.
 */
struct ktap_probe *ktap_probe_create(const struct ktap_probe_args *args,
				     struct ktap_refused *refused)
{
	struct ktap_probe *p;
	int err;

	err = check_create(args, refused);
	if (err)
		return ERR_PTR(err);
	p = probe_make(args, refused);
	if (IS_ERR(p))
		return p;
	ktap_site_init(&p->site, p->id, p->prog);
	/* holds off the module notifier until the probe is published (modules.c) */
	mutex_lock(&p->arming->lock);
	err = probe_place(p, args, refused);
	if (!err) {
		ktap_probe_get(p);
		probe_publish(p);
	}
	mutex_unlock(&p->arming->lock);
	if (!err)
		return p;
	ktap_probe_put(p);
	return ERR_PTR(err);
}

/**
 * ktap_probe_delete() - delete a probe from the registry and from all sessions
 * @p: probe; may be deleted already
 *
 * Does not wait. The caller must have the probe removed, as ktap_idle_mark() says.
 *
 * Context: process, under ktap_lock.
 */
void ktap_probe_delete(struct ktap_probe *p)
{
	struct ktap_attach *a, *next;

	lockdep_assert_held(&ktap_lock);
	if (p->gone)
		return;
	/*
	 * pairs with READ_ONCE() in arming.c: set before removal, which holds the
	 * arming's lock
	 */
	WRITE_ONCE(p->gone, true);
	hlist_del_init(&p->by_name);
	list_for_each_entry_safe(a, next, &p->site.attached, in_probe)
		ktap_attach_hide(a);
	ktap_place_cost_drop(p);
	ktap_idle_mark(p);
	if (!--nr_probes)
		bitmap_zero(tied, 1 << TIED_BITS);
}

/**
 * ktap_probe_bury() - settle the counts of a deleted probe after its removal
 * @p: probe; the caller drops the registry's reference afterwards
 * @settled: list for ktap_attach_free_all()
 *
 * No handler runs any more, so the counts of the attachments are final. They are added to
 * a probe that now lives only as long as they do.
 *
 * Context: process, under ktap_lock.
 */
void ktap_probe_bury(struct ktap_probe *p, struct list_head *settled)
{
	struct ktap_attach *a, *next;

	list_for_each_entry_safe(a, next, &p->attachments, of_probe)
		ktap_attach_settle(a, settled);
}

/* The socket of the creator was closed. Return: whether the probe is deleted with it. */
static bool leaves_with_socket(struct ktap_probe *p)
{
	ktap_state_orphan(&p->prog->info);
	sock_put(p->maker); /* the socket is being closed, so this is not its last reference */
	p->maker = NULL;
	return (p->flags & KTAP_PROBE_F_TRANSIENT) || !ktap_probe_complete(p);
}

/*
 * A new socket may have the port id of the closed one already, and probes of its own.
 * SOCK_DEAD tells their creators apart.
 */
static bool was_made_by(const struct ktap_probe *p, u32 portid)
{
	return p->portid == portid && p->maker &&
	       sock_flag(p->maker, SOCK_DEAD);
}

/**
 * ktap_probes_delete_of() - delete the probes of a closed netlink socket
 * @portid: port id of the socket
 *
 * Called for every generic netlink socket that is closed, of any family. For a socket
 * that created no probe it takes no lock. It never waits.
 *
 * Context: process, without locks.
 */
void ktap_probes_delete_of(u32 portid)
{
	struct ktap_probe *p;
	bool any = false;
	u32 id = 0;

	if (!test_bit(hash_32(portid, TIED_BITS), tied))
		return;
	mutex_lock(&ktap_lock);
	for (; (p = ktap_probe_next(id)); id = p->id + 1) {
		if (!was_made_by(p, portid) || !leaves_with_socket(p))
			continue;
		ktap_probe_delete(p);
		if (p->arming == &ktap_kernel_arming)
			any = true;
		else
			ktap_idle_queue(p);
	}
	mutex_unlock(&ktap_lock);
	/* queued once after all are marked: one wait removes all of them */
	if (any)
		queue_work(ktap_wq, &ktap_kernel_arming.work);
}

/**
 * ktap_probes_delete_all() - delete all probes
 *
 * ktap_arming_exit() waits for their removal.
 *
 * Context: module exit, without locks.
 */
void ktap_probes_delete_all(void)
{
	struct ktap_probe *p;
	u32 id = 0;

	mutex_lock(&ktap_lock);
	for (; (p = ktap_probe_next(id)); id = p->id + 1) {
		ktap_probe_delete(p);
		if (p->arming != &ktap_kernel_arming)
			ktap_idle_queue(p);
	}
	mutex_unlock(&ktap_lock);
	ktap_arming_enter();
	ktap_arming_leave();
}

/**
 * ktap_probes_exit() - free the registry
 *
 * Context: module exit; no probe is left.
 */
void ktap_probes_exit(void)
{
	idr_destroy(&probes);
}

/* ---- use --------------------------------------------------------------- */

/**
 * ktap_probe_complete() - is the blob of a probe complete?
 * @p: probe
 *
 * A probe without its blob cannot be attached, because its records could not be decoded.
 *
 * Context: under ktap_lock.
 * Return: whether it is.
 */
bool ktap_probe_complete(const struct ktap_probe *p)
{
	return p->blob_have == p->blob_size;
}

/**
 * ktap_probe_detach_everybody() - detach a probe from all sessions and from "enable"
 * @p: probe
 * @hidden: list that its attachments join
 *
 * Does not wait. New hits find no attachment, and a work item disarms the probe. After
 * releasing ktap_lock the caller must call ktap_attach_settle_all() for @hidden, once for
 * all probes. Sessions keep their stopped attachments, for the counts.
 *
 * Context: process, under ktap_lock.
 */
void ktap_probe_detach_everybody(struct ktap_probe *p,
				 struct list_head *hidden)
{
	struct ktap_attach *a, *next;

	lockdep_assert_held(&ktap_lock);
	list_for_each_entry_safe(a, next, &p->site.attached, in_probe)
		ktap_attach_hide_to(a, hidden);
}

static void put_each(struct ktap_attach **list, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		ktap_attach_put(list[i]);
}

/* Skips probes that are enabled already. Return: number of attachments, or -ENOMEM. */
static int counting_create(struct ktap_probe **probes, int nr,
			   struct ktap_attach **list)
{
	int i, n = 0;

	for (i = 0; i < nr; i++) {
		if (READ_ONCE(probes[i]->counting))
			continue;
		list[n] = ktap_attach_create(probes[i], NULL, NULL);
		if (!list[n]) {
			put_each(list, n);
			return -ENOMEM;
		}
		n++;
	}
	return n;
}

/*
 * Moves the attachments of probes that another task enabled meanwhile to the end of
 * @list. Return: number of linked attachments; if *@err is set, linking the next one
 * failed.
 */
static int counting_link(struct ktap_attach **list, int nr, int *err)
{
	int i, n = 0;

	*err = 0;
	mutex_lock(&ktap_lock);
	for (i = 0; !*err && i < nr; i++) {
		struct ktap_attach *a = list[i];

		if (a->probe->gone || a->probe->counting)
			continue;
		ktap_attach_get(a); /* the probe's reference */
		WRITE_ONCE(a->probe->counting, a);
		*err = ktap_attach_link(a);
		list[i] = list[n];
		list[n++] = a;
	}
	mutex_unlock(&ktap_lock);
	return n;
}

static int counting_begin(struct ktap_probe **probes, int nr,
			  struct ktap_attach **list)
{
	int made = counting_create(probes, nr, list), n, err;

	if (made < 0)
		return made;
	n = counting_link(list, made, &err);
	if (err)
		ktap_attach_stop(list, n);
	else
		err = ktap_attach_start(list, n);
	put_each(list, made);
	return err;
}

static void counting_end(struct ktap_probe **probes, int nr,
			 struct ktap_attach **list)
{
	int i, n = 0;

	mutex_lock(&ktap_lock);
	for (i = 0; i < nr; i++) {
		if (!probes[i]->counting)
			continue;
		list[n] = probes[i]->counting;
		ktap_attach_get(list[n++]);
	}
	mutex_unlock(&ktap_lock);
	ktap_attach_stop(list, n);
	put_each(list, n);
}

/**
 * ktap_probes_enable() - start or stop counting hits without a session
 * @probes: probes, none of them twice; the caller holds references
 * @nr: number of probes
 * @on: start counting
 *
 * Context: process, without ktap locks; may sleep.
 * Return: 0, also if the state was that already or the probe was deleted meanwhile;
 * -ENOMEM; the error from arming. On error nothing has changed.
 */
int ktap_probes_enable(struct ktap_probe **probes, int nr, bool on)
{
	struct ktap_attach **list;
	int err = 0;

	list = kvmalloc_array(nr, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	if (on)
		err = counting_begin(probes, nr, list);
	else
		counting_end(probes, nr, list);
	kvfree(list);
	return err;
}

/**
 * ktap_probe_counts() - total counts of a probe, past attachments included
 * @p: probe
 * @ret: filled
 *
 * Context: under ktap_lock.
 */
void ktap_probe_counts(const struct ktap_probe *p, struct ktap_counts *ret)
{
	struct ktap_attach *a;
	struct ktap_counts c;

	lockdep_assert_held(&ktap_lock);
	*ret = p->past;
	list_for_each_entry(a, &p->attachments, of_probe) {
		ktap_attach_counts(a, -1, &c);
		ktap_counts_add(ret, &c);
	}
}
