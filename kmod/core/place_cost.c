// SPDX-License-Identifier: GPL-2.0
/*
 * Limit on the cost of everything that runs at one place.
 *
 * It is checked when a probe is attached. A probe that is only defined costs nothing, so
 * there may be any number of definitions of one function.
 *
 * A probe contributes to at most two places: the place of its program, and the entry of
 * the function if its entry program or its frame needs a hook there. A program runs once
 * for all attachments; each attachment adds the cost of a record.
 */
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/stringhash.h>

#include "backend/syscall.h"
#include "backend/uprobe.h"
#include "core/hit_cost.h"
#include "core/place_cost.h"
#include "core/probe.h"
#include "hit/cost.h"

static DEFINE_HASHTABLE(places, 10);	/* under ktap_lock */
static u64 refused;			/* under ktap_lock */

enum kind {
	NOWHERE,
	AT_ADDRESS,
	AT_RETURN,
	AT_OFFSET,
	AT_RETURN_OF_OFFSET,
	AT_TRACEPOINT,
	AT_MEMORY,
	AT_SYSCALL,
	AT_SYSRET,
	AT_TICK,
};

/* ---- places: all under ktap_lock -------------------------------------------- */

static struct hlist_head *bucket(const struct ktap_share *s)
{
	return &places[hash_64(s->at ^ (unsigned long)s->in,
			       HASH_BITS(places))];
}

static bool same_place(const struct ktap_share *a, const struct ktap_share *b)
{
	return a->kind == b->kind && a->at == b->at && a->in == b->in &&
	       (a->kind != AT_TRACEPOINT || !strcmp(a->p->symbol, b->p->symbol));
}

/* Cost of the other probes at the place of @s. */
static u64 cost_beside(const struct ktap_share *s)
{
	const struct ktap_share *other;
	u64 sum = 0;

	hlist_for_each_entry(other, bucket(s), node)
		if (other->p != s->p && same_place(other, s))
			sum += other->cost;
	return sum;
}

static void place_uprobe(const struct ktap_probe *p, struct ktap_share *hit,
			 struct ktap_share *entry)
{
#ifdef CONFIG_UPROBES
	const struct ktap_uprobe *u = ktap_uprobe_of(p);

	hit->kind = p->type == KTAP_TYPE_UPROBE ? AT_OFFSET :
						  AT_RETURN_OF_OFFSET;
	hit->at = p->offset;
	hit->in = u->inode;
	entry->kind = AT_OFFSET;
	entry->at = u->entry ? u->entry->offset : p->offset;
	entry->in = u->inode;
#endif
}

static void place_kprobe(const struct ktap_probe *p, struct ktap_share *hit,
			 struct ktap_share *entry)
{
	if (!p->where)
		return; /* its module is not loaded */
	hit->kind = p->type == KTAP_TYPE_KPROBE ? AT_ADDRESS : AT_RETURN;
	hit->at = p->where;
	entry->kind = AT_ADDRESS;
	entry->at = p->type == KTAP_TYPE_KPROBE ? p->entry_where : p->where;
}

static void place_syscall(const struct ktap_probe *p, struct ktap_share *hit,
			  struct ktap_share *entry)
{
#ifdef KTAP_HAVE_SYSCALLS
	hit->kind = p->type == KTAP_TYPE_SYSCALL ? AT_SYSCALL : AT_SYSRET;
	hit->at = ktap_syscall_nr(p);
	entry->kind = AT_SYSCALL;
	entry->at = hit->at;
#endif
}

/* Fills the places at which @p costs something: of the hit, and of the entry. */
static void find_places(const struct ktap_probe *p, struct ktap_share *hit,
			struct ktap_share *entry)
{
	switch (p->type) {
	case KTAP_TYPE_KPROBE:
	case KTAP_TYPE_KRETPROBE:
		place_kprobe(p, hit, entry);
		break;
	case KTAP_TYPE_UPROBE:
	case KTAP_TYPE_URETPROBE:
		place_uprobe(p, hit, entry);
		break;
	case KTAP_TYPE_TRACEPOINT:
		hit->kind = AT_TRACEPOINT;
		hit->at = full_name_hash(NULL, p->symbol, strlen(p->symbol));
		break;
	case KTAP_TYPE_WATCHPOINT:
		hit->kind = AT_MEMORY;
		hit->at = p->addr;
		break;
	case KTAP_TYPE_SYSCALL:
	case KTAP_TYPE_SYSRET:
		place_syscall(p, hit, entry);
		break;
	case KTAP_TYPE_TIMER:
		/* one interrupt may serve all timers that have expired */
		hit->kind = AT_TICK;
		break;
	}
}

static u64 cost_at_hit(const struct ktap_probe *p)
{
	const struct ktap_attach *a;
	u64 cost = 0;

	list_for_each_entry(a, &p->site.attached, in_probe)
		cost += cost ? p->prog->info.cost_again : p->prog->info.cost;
	return cost;
}

static u64 cost_at_entry(const struct ktap_probe *p)
{
	if (list_empty(&p->site.attached))
		return 0;
	return p->site.calls ? KTAP_COST_CALL : p->entry_cost;
}

/* Return: whether the place can take @new instead of @old. */
static bool fits(const struct ktap_share *new, const struct ktap_share *old)
{
	u64 sum;

	if (new->kind == NOWHERE || new->cost <= old->cost)
		return true;
	sum = new->cost + cost_beside(new);
	if (sum <= ktap_hit_cost_max())
		return true;
	refused = sum;
	return false;
}

static void replace(struct ktap_share *old, const struct ktap_share *new)
{
	if (old->cost)
		hash_del(&old->node);
	*old = *new;
	if (old->kind == NOWHERE)
		old->cost = 0;
	if (old->cost)
		hlist_add_head(&old->node, bucket(old));
}

/**
 * ktap_place_cost_update() - account for a change of attachments or of the place
 * @p: probe, with the attachments that it is to have
 *
 * Context: process, under ktap_lock.
 * Return: 0, or -EDQUOT if the limit would be exceeded; then nothing has changed. A
 * change that does not raise the cost is never refused.
 */
int ktap_place_cost_update(struct ktap_probe *p)
{
	struct ktap_share hit = { .p = p, .cost = cost_at_hit(p) };
	struct ktap_share entry = { .p = p, .cost = cost_at_entry(p) };

	lockdep_assert_held(&ktap_lock);
	find_places(p, &hit, &entry);
	if (!fits(&hit, &p->shares[0]) || !fits(&entry, &p->shares[1]))
		return -EDQUOT;
	replace(&p->shares[0], &hit);
	replace(&p->shares[1], &entry);
	return 0;
}

/**
 * ktap_place_cost_drop() - remove the cost of a probe that no longer runs anywhere
 * @p: probe
 *
 * Context: under ktap_lock.
 */
void ktap_place_cost_drop(struct ktap_probe *p)
{
	static const struct ktap_share none;

	lockdep_assert_held(&ktap_lock);
	replace(&p->shares[0], &none);
	replace(&p->shares[1], &none);
}

/**
 * ktap_place_cost_refused() - cost that exceeded the limit at the last refusal
 *
 * Context: under ktap_lock.
 * Return: ns.
 */
u64 ktap_place_cost_refused(void)
{
	return refused;
}
