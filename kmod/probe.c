// SPDX-License-Identifier: GPL-2.0
/*
 * Probes: the registry, and what may be done to one.
 *
 * An id is free again only when the last attachment has gone, so that no
 * session ever meets two probes under one id.
 */
#include <linux/bitmap.h>
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/stringhash.h>

#include "blob.h"
#include "compat.h"
#include "kprobe.h"
#include "kretprobe.h"
#include "probe.h"
#include "scratch.h"
#include "uprobe.h"
#include "tracepoint.h"
#include "watchpoint.h"

DEFINE_MUTEX(ktap_lock); /* all control: see Documentation/internals.rst */

static DEFINE_IDR(probes);
static DEFINE_HASHTABLE(names, 10);
static u32 nr_probes;

/* Sockets that made a probe since there were none, by a hash of their numbers. */
#define TIED_BITS 12
static DECLARE_BITMAP(tied, 1 << TIED_BITS);

static const struct ktap_backend * const backends[] = {
	[KTAP_TYPE_KPROBE] = &ktap_kprobe_backend,
	[KTAP_TYPE_KRETPROBE] = &ktap_kretprobe_backend,
	[KTAP_TYPE_UPROBE] = &ktap_uprobe_backend,
	[KTAP_TYPE_URETPROBE] = &ktap_uretprobe_backend,
#ifdef CONFIG_TRACEPOINTS
	[KTAP_TYPE_TRACEPOINT] = &ktap_tracepoint_backend,
#endif
#ifdef KTAP_HAVE_WATCHPOINTS
	[KTAP_TYPE_WATCHPOINT] = &ktap_watchpoint_backend,
#endif
};

/* Why there may be no backend. */
static const char * const lacks[] = {
	[KTAP_TYPE_TRACEPOINT] =
		"this kernel has no tracepoints: CONFIG_TRACEPOINTS",
	[KTAP_TYPE_WATCHPOINT] = KTAP_LACKS_WATCHPOINTS,
};

/* ktap_backend_of() - what serves a type here, or NULL. Context: any. */
const struct ktap_backend *ktap_backend_of(u32 type)
{
	return type < ARRAY_SIZE(backends) ? backends[type] : NULL;
}

/* ktap_backend_features() - KTAP_FEATURE_* of what there is. Context: any. */
u64 ktap_backend_features(void)
{
	u64 features = 0;
	u32 type;

	for (type = 0; type < ARRAY_SIZE(backends); type++)
		if (backends[type])
			features |= backends[type]->feature;
	return features;
}

/* ktap_backend_lacks() - why nothing serves a type. Context: any. */
const char *ktap_backend_lacks(u32 type)
{
	return type < ARRAY_SIZE(lacks) && lacks[type] ? lacks[type] :
		"this module has no probes of that type";
}

/* ktap_lockdown() - asked at add and at arm. Context: process. */
int ktap_lockdown(void)
{
	return security_locked_down(LOCKDOWN_KPROBES);
}

/* ---- look-up: all under ktap_lock -------------------------------------- */

struct ktap_probe *ktap_probe_find(u32 id)
{
	struct ktap_probe *p = idr_find(&probes, id);

	return p && !p->gone ? p : NULL;
}

/* The first probe with an id of at least @id, or NULL. */
struct ktap_probe *ktap_probe_next(u32 id)
{
	struct ktap_probe *p;
	int at = id;

	while ((p = idr_get_next(&probes, &at)) && p->gone)
		at++;
	return p;
}

static struct hlist_head *names_of(const char *name)
{
	return &names[hash_min(full_name_hash(NULL, name, strlen(name)),
			       HASH_BITS(names))];
}

/*
 * Transient probes are their makers' own: they have no name to others. Of those
 * that share a name the first one is found.
 */
struct ktap_probe *ktap_probe_find_name(const char *name)
{
	struct ktap_probe *p, *first = NULL;

	hlist_for_each_entry(p, names_of(name), by_name)
		if (!p->gone && !strcmp(p->name, name) &&
		    (!first || p->id < first->id))
			first = p;
	return first;
}

u32 ktap_probe_count(void)
{
	return nr_probes;
}

/* Sessions that have it attached. */
u32 ktap_probe_nr_sessions(const struct ktap_probe *p)
{
	const struct ktap_attach *a;
	u32 nr = 0;

	list_for_each_entry(a, &p->site.attached, in_probe)
		nr += !!a->session;
	return nr;
}

/* ---- lifetime ---------------------------------------------------------- */

static void probe_free(struct ktap_probe *p)
{
	if (p->id)
		idr_remove(&probes, p->id);
	hlist_del_init(&p->by_name);
	ktap_blob_free(p);
	ktap_prog_destroy(p->prog);
	free_percpu(p->site.cost);
	kfree(p->symbol);
	kfree(p);
}

/* ktap_probe_get() - Context: under ktap_lock. */
struct ktap_probe *ktap_probe_get(struct ktap_probe *p)
{
	lockdep_assert_held(&ktap_lock);
	p->refs++;
	return p;
}

/* ktap_probe_put() - Context: under ktap_lock; no handler of @p runs. */
void ktap_probe_put(struct ktap_probe *p)
{
	lockdep_assert_held(&ktap_lock);
	if (!--p->refs)
		probe_free(p);
}

static int probe_init(struct ktap_probe *p, const struct ktap_probe_args *args,
		      struct netlink_ext_ack *extack)
{
	enum ktap_refusal why;
	int err;
	u32 at;

	p->refs = 1;
	p->flags = args->flags;
	p->type = args->type;
	p->offset = args->offset;
	p->addr = args->addr;
	p->portid = args->portid;
	set_bit(hash_32(p->portid, TIED_BITS), tied);
	p->owner_pid = args->owner_pid;
	p->backend = args->backend;
	strscpy(p->name, args->name, sizeof(p->name));
	INIT_LIST_HEAD(&p->site.attached);
	p->site.cost = alloc_percpu_gfp(struct ktap_cost, GFP_KERNEL_ACCOUNT);
	if (!p->site.cost)
		return -ENOMEM;
	if (args->symbol) {
		p->symbol = kstrdup(args->symbol, GFP_KERNEL_ACCOUNT);
		if (!p->symbol)
			return -ENOMEM;
	}
	p->prog = ktap_prog_create(args->insns, args->nr_insns, &args->place,
				   &why, &at);
	if (IS_ERR(p->prog)) {
		err = PTR_ERR(p->prog);
		p->prog = NULL;
		if (why)
			ktap_extack(extack, ktap_refusal_text(why));
		NL_SET_BAD_ATTR(extack, args->attrs[KTAP_A_PROG]);
		return err;
	}
	err = ktap_blob_init(p, args->blob_size, extack);
	if (err)
		NL_SET_BAD_ATTR(extack, args->attrs[KTAP_A_BLOB_SIZE]);
	return err;
}

static int probe_number(struct ktap_probe *p)
{
	int id = idr_alloc_cyclic(&probes, p, KTAP_REC_FIRST_PROBE, U16_MAX + 1,
				  GFP_KERNEL);

	if (id < 0)
		return id;
	p->id = id;
	if (!(p->flags & KTAP_PROBE_F_TRANSIENT))
		hlist_add_head(&p->by_name, names_of(p->name));
	return 0;
}

/* Where the code is not there yet, and may come, that is no failure. */
static int probe_load(struct ktap_probe *p, const struct ktap_probe_args *args,
		      struct netlink_ext_ack *extack)
{
	int err = p->backend->load(p, args, extack);

	if (err != -ENOENT || !(p->flags & KTAP_PROBE_F_WAIT) ||
	    !p->symbol || !strchr(p->symbol, ':'))
		return err;
	ktap_extack(extack, NULL);
	NL_SET_BAD_ATTR(extack, NULL);
	p->addr = 0; /* if there was one, it is another module's now */
	p->waiting = true;
	return 0;
}

static int probe_setup(struct ktap_probe *p,
		       const struct ktap_probe_args *args,
		       struct netlink_ext_ack *extack)
{
	int err;

	err = probe_init(p, args, extack);
	if (err)
		return err;
	if (!p->prog->info.simple) {
		err = ktap_scratch_grow(p->prog->info.room);
		if (err)
			return err;
	}
	err = probe_number(p);
	if (err) {
		NL_SET_ERR_MSG(extack, "too many probes");
		return err;
	}
	ktap_site_init(&p->site, p->id, p->prog);
	err = p->backend->add(p, args, extack);
	if (err || !p->backend->load)
		return err;
	err = probe_load(p, args, extack);
	if (err && p->backend->remove)
		p->backend->remove(&p, 1);
	return err;
}

static bool name_taken(const struct ktap_probe_args *args)
{
	const struct ktap_probe *p;

	if (args->flags & KTAP_PROBE_F_TRANSIENT)
		return false;
	p = ktap_probe_find_name(args->name);
	return p && !(p->flags & args->flags & KTAP_PROBE_F_SHARED);
}

/**
 * ktap_probe_create() - define a probe
 * @args: what is wanted; the strings and the type were checked
 * @extack: where refusals are explained
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: the probe, or ERR_PTR: -EEXIST, -EPERM, -EINVAL, -ENOMEM, -ENOSPC, or
 * what the backend gave.
 */
struct ktap_probe *ktap_probe_create(const struct ktap_probe_args *args,
				     struct netlink_ext_ack *extack)
{
	struct ktap_probe *p;
	int err;

	if (name_taken(args)) {
		NL_SET_ERR_MSG_ATTR(extack, args->attrs[KTAP_A_NAME],
				    "an event of this name exists already");
		return ERR_PTR(-EEXIST);
	}
	err = ktap_lockdown();
	if (err) {
		NL_SET_ERR_MSG(extack, "kernel lockdown forbids kprobes");
		return ERR_PTR(err);
	}
	p = kzalloc(args->backend->probe_size, GFP_KERNEL_ACCOUNT);
	if (!p)
		return ERR_PTR(-ENOMEM);
	err = probe_setup(p, args, extack);
	if (err) {
		probe_free(p);
		return ERR_PTR(err);
	}
	nr_probes++;
	return p;
}

/*
 * After the backend's remove() no handler runs: what the attachments counted
 * is final, and goes to a probe that lives only as long as they do.
 */
static void probe_bury(struct ktap_probe *p)
{
	struct ktap_attach *a, *next;

	list_for_each_entry_safe(a, next, &p->site.attached, in_probe) {
		list_del_init(&a->in_probe);
		ktap_site_changed(&p->site);
		ktap_attach_settle(a);
	}
	if (p->counting)
		ktap_attach_destroy(p->counting);
	p->counting = NULL;
	if (!--nr_probes)
		bitmap_zero(tied, 1 << TIED_BITS);
	ktap_probe_put(p);
}

/* How many of them, from the first on, one call of their backend can do. */
static int run_length(struct ktap_probe *const *list, int nr)
{
	int run;

	for (run = 1; run < nr; run++)
		if (list[run]->backend != list[0]->backend ||
		    list[run]->waiting != list[0]->waiting)
			break;
	return run;
}

/**
 * ktap_probes_delete() - remove probes, also from the sessions that have them
 * @list: probes that are not deleted yet
 * @nr: how many
 *
 * Those of one backend that follow each other go with one wait.
 *
 * Context: process, under ktap_lock; sleeps for grace periods.
 */
void ktap_probes_delete(struct ktap_probe **list, int nr)
{
	const struct ktap_backend *b;
	int i, run;

	for (i = 0; i < nr; i++)
		list[i]->gone = true;
	for (i = 0; i < nr; i += run) {
		run = run_length(list + i, nr - i);
		b = list[i]->backend;
		if (b->unload && !list[i]->waiting)
			b->unload(list + i, run);
		if (b->remove)
			b->remove(list + i, run);
	}
	for (i = 0; i < nr; i++)
		probe_bury(list[i]);
}

/*
 * Delete in batches: each costs one wait for grace periods, however large. One
 * is enough where there is memory for it.
 */
static void delete_matching(bool (*match)(const struct ktap_probe *, u32),
			    u32 portid)
{
	struct ktap_probe *few[64], **many, *p;
	int nr = 0, room = nr_probes;
	u32 id = 0;

	many = kvmalloc_array(room, sizeof(*many), GFP_KERNEL);
	if (!many)
		room = ARRAY_SIZE(few);
	while ((p = ktap_probe_next(id))) {
		id = p->id + 1;
		if (!match(p, portid))
			continue;
		if (nr == room) {
			ktap_probes_delete(many ?: few, nr);
			nr = 0;
		}
		(many ?: few)[nr++] = p;
	}
	ktap_probes_delete(many ?: few, nr);
	kvfree(many);
}

static bool match_any(const struct ktap_probe *p, u32 portid)
{
	return true;
}

static bool match_portid(const struct ktap_probe *p, u32 portid)
{
	return p->portid == portid && ((p->flags & KTAP_PROBE_F_TRANSIENT) ||
				       !ktap_probe_complete(p));
}

/**
 * ktap_probes_delete_of() - a netlink socket closed
 * @portid: of the socket
 *
 * Every close of a generic netlink socket comes here, whoever has it: those
 * that made no probe do not wait for a lock that a slow file may hold up.
 *
 * Context: process, without locks; may sleep.
 */
void ktap_probes_delete_of(u32 portid)
{
	if (!test_bit(hash_32(portid, TIED_BITS), tied))
		return;
	mutex_lock(&ktap_lock);
	delete_matching(match_portid, portid);
	mutex_unlock(&ktap_lock);
}

/* ktap_probes_delete_all() - the module goes. Context: process, ktap_lock. */
void ktap_probes_delete_all(void)
{
	delete_matching(match_any, 0);
	idr_destroy(&probes);
}

/* ---- use --------------------------------------------------------------- */

/* Without its blob nobody could read its records. */
bool ktap_probe_complete(const struct ktap_probe *p)
{
	return p->blob_have == p->blob_size;
}

static int arm_run(struct ktap_probe **list, int nr)
{
	const struct ktap_backend *b = list[0]->backend;
	int i, err;

	if (list[0]->waiting)
		return 0;
	if (b->arm_many)
		return b->arm_many(list, nr);
	for (i = 0; i < nr; i++) {
		err = b->arm(list[i]);
		if (err) {
			while (i--)
				b->disarm(list[i]);
			return err;
		}
	}
	return 0;
}

static void disarm_run(struct ktap_probe **list, int nr)
{
	const struct ktap_backend *b = list[0]->backend;
	int i;

	if (list[0]->waiting)
		return;
	if (b->disarm_many) {
		b->disarm_many(list, nr);
		return;
	}
	for (i = 0; i < nr; i++)
		b->disarm(list[i]);
}

/**
 * ktap_probe_detach_all() - take a probe from everybody who has it
 * @p: probe
 *
 * Sessions keep its attachment, stopped, for its counts.
 *
 * Context: process, under ktap_lock; sleeps for a grace period.
 */
void ktap_probe_detach_all(struct ktap_probe *p)
{
	struct ktap_attach *a, *next;
	LIST_HEAD(stopped);

	list_for_each_entry_safe(a, next, &p->site.attached, in_probe)
		ktap_attach_stop_to(a, &stopped);
	ktap_attach_settle_all(&stopped);
	if (p->counting)
		ktap_attach_destroy(p->counting);
	p->counting = NULL;
}

/**
 * ktap_probes_arm() - let probes fire; those that wait do it when they can
 * @list: disarmed ones
 * @nr: how many
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: 0; -EPERM; what a backend gave. Then none is armed.
 */
int ktap_probes_arm(struct ktap_probe **list, int nr)
{
	int err = ktap_lockdown(), i, run;

	for (i = 0; !err && i < nr; i += run) {
		run = run_length(list + i, nr - i);
		err = arm_run(list + i, run);
		if (err)
			ktap_probes_disarm(list, i);
	}
	return err;
}

/* ktap_probes_disarm() - Context: process, under ktap_lock; may sleep. */
void ktap_probes_disarm(struct ktap_probe **list, int nr)
{
	int i, run;

	for (i = 0; i < nr; i += run) {
		run = run_length(list + i, nr - i);
		disarm_run(list + i, run);
	}
}

/* ktap_probe_widen() - Context: process, under ktap_lock; may sleep. */
int ktap_probe_widen(struct ktap_probe *p, const struct ktap_attach *a)
{
	return p->backend->widen ? p->backend->widen(p, a) : 0;
}

static void counting_end(struct ktap_attach **list, int nr)
{
	int i;

	synchronize_rcu();
	for (i = 0; i < nr; i++) {
		ktap_attach_settle(list[i]);
		list[i]->probe->counting = NULL;
		ktap_attach_destroy(list[i]);
	}
}

static int counting_begin(struct ktap_probe **probes, int nr,
			  struct ktap_attach **list)
{
	int i, n = 0, err = 0;

	for (i = 0; !err && i < nr; i++) {
		if (probes[i]->counting)
			continue;
		list[n] = ktap_attach_create(probes[i], NULL);
		if (list[n])
			probes[i]->counting = list[n++];
		else
			err = -ENOMEM;
	}
	if (!err)
		err = ktap_attach_start(list, n);
	if (err)
		counting_end(list, n);
	return err;
}

static void counting_stop(struct ktap_probe **probes, int nr,
			  struct ktap_attach **list)
{
	int i, n = 0;

	for (i = 0; i < nr; i++)
		if (probes[i]->counting)
			list[n++] = probes[i]->counting;
	if (!n)
		return;
	ktap_attach_stop(list, n);
	counting_end(list, n);
}

/**
 * ktap_probes_enable() - count hits without a session, or stop that
 * @probes: each once
 * @nr: how many
 * @on: which
 *
 * Context: process, under ktap_lock; may sleep.
 * Return: 0, also when it was so already; -ENOMEM; what arming gave. Then
 * nothing has changed.
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
		counting_stop(probes, nr, list);
	kvfree(list);
	return err;
}

/* ktap_probe_counts() - totals, past included. Context: under ktap_lock. */
void ktap_probe_counts(const struct ktap_probe *p, struct ktap_counts *ret)
{
	struct ktap_attach *a;
	struct ktap_counts c;

	*ret = p->past;
	list_for_each_entry(a, &p->site.attached, in_probe) {
		ktap_attach_counts(a, -1, &c);
		ktap_counts_add(ret, &c);
	}
}
