// SPDX-License-Identifier: GPL-2.0
/*
 * State between probes.
 *
 * The tag of an entry is its state and a number that grows with each change. Whoever
 * wants to change an entry exchanges the tag that it has seen, and fails if there was any
 * change since. Only the one who has made an entry BUSY writes to it. A reader copies an
 * entry and then looks whether its tag is still the same.
 *
 * No hit waits for a BUSY entry: its writer may be what this hit has interrupted. So two
 * concurrent stores of one key may take two entries. The later one counts, and who takes
 * it, or stores that key again, frees the earlier one.
 *
 * Context: any, NMI included. A hit of user code may be preempted; an entry that it is
 * writing then is neither found nor used until it runs again.
 */
#include "hit/state.h"

#define FREE		0U
#define BUSY		1U	/* being written */
#define FULL		2U
#define STATES		3U
#define STEP		4U	/* of the number of changes */

/*
 * struct way - an entry as it was seen
 * @at: its index; -1: there is none
 * @tag: its tag
 * @value: what was stored, of one that has the key
 * @time: when it was stored
 */
struct way {
	int at;
	u64 tag;
	u64 value;
	u64 time;
};

/*
 * struct look - a set as it was seen
 * @found: the latest entry of the key
 * @free: a free entry
 * @oldest: the oldest one
 * @nr: entries of the key
 * @busy: some entry is being changed: it may have the key
 */
struct look {
	struct way found;
	struct way free;
	struct way oldest;
	u32 nr;
	bool busy;
};

static struct ktap_state_set *set_of(const struct ktap_state *t,
				     const struct ktap_state_key *key)
{
	u64 h = (key->key ^ key->start * 0xbf58476d1ce4e5b9ULL) *
		0x9e3779b97f4a7c15ULL;

	/* a multiplication carries bits only upwards, and a key may differ in its highest */
	h = (h ^ h >> 32) * 0xbf58476d1ce4e5b9ULL;
	return &t->sets[(h >> 32) & t->mask];
}
ENV_NOPROBE(set_of);

/* Looks at a FULL entry. Return: false: it was changed meanwhile. */
static bool look_at(struct ktap_state_set *set, const struct way *way,
		    const struct ktap_state_key *key, struct look *l)
{
	const struct ktap_state_entry *e = &set->entry[way->at];
	struct way seen = *way;
	bool same;

	same = READ_ONCE(e->key.key) == key->key &&
	       READ_ONCE(e->key.start) == key->start;
	seen.value = READ_ONCE(e->value);
	seen.time = READ_ONCE(e->time);
	/* M: the entry before its tag; pairs with claim() */
	smp_rmb();
	if (READ_ONCE(set->tag[way->at]) != way->tag)
		return false;
	if (l->oldest.at < 0 || (s64)(seen.time - l->oldest.time) < 0)
		l->oldest = seen;
	if (!same)
		return true;
	l->nr++;
	if (l->found.at < 0 || (s64)(seen.time - l->found.time) >= 0)
		l->found = seen;
	return true;
}
ENV_NOPROBE(look_at);

static void look(struct ktap_state_set *set, const struct ktap_state_key *key,
		 struct look *l)
{
	struct way way = {};

	*l = (struct look){
		.found.at = -1, .free.at = -1, .oldest.at = -1,
	};
	for (way.at = 0; way.at < KTAP_STATE_WAYS; way.at++) {
		/* N: the tag before the entry; pairs with ktap_state_put() */
		way.tag = smp_load_acquire(&set->tag[way.at]);
		if ((way.tag & STATES) == FREE) {
			if (l->free.at < 0)
				l->free = way;
		} else if ((way.tag & STATES) == BUSY ||
			   !look_at(set, &way, key, l)) {
			l->busy = true;
		}
	}
}
ENV_NOPROBE(look);

/* Return: whether the entry is as it was seen, and has the new state now. */
static bool claim(struct ktap_state_set *set, const struct way *way, u64 state)
{
	/* M: full barrier: the tag before the entry; pairs with look_at() */
	return env_try_cmpxchg_shared(&set->tag[way->at], way->tag,
				      (way->tag & ~(u64)STATES) + STEP + state);
}
ENV_NOPROBE(claim);

/* Frees the entries of a key but @keep, if they are not later than it. */
static void forget(struct ktap_state_set *set, const struct ktap_state_key *key,
		   const struct way *keep)
{
	struct look l;
	u32 i;

	for (i = 0; i < KTAP_STATE_WAYS; i++) {
		struct way way = {
			.at = i, .tag = smp_load_acquire(&set->tag[i]), /* N */
		};

		l = (struct look){ .found.at = -1, .oldest.at = -1 };
		if ((int)i != keep->at && (way.tag & STATES) == FULL &&
		    look_at(set, &way, key, &l) && l.nr &&
		    (s64)(l.found.time - keep->time) <= 0)
			claim(set, &way, FREE);
	}
}
ENV_NOPROBE(forget);

/**
 * ktap_state_put() - store a value
 * @t: table
 * @key: key; its earlier value is overwritten
 * @value: value
 * @replaced: set: the entry of another key was lost for it
 *
 * Context: any, NMI included.
 * Return: true; false: other writers were always faster, and nothing was stored.
 */
bool ktap_state_put(const struct ktap_state *t, const struct ktap_state_key *key,
		    u64 value, bool *replaced)
{
	struct ktap_state_set *set = set_of(t, key);
	struct ktap_state_entry *e;
	struct look l;
	struct way w;
	u32 i;

	*replaced = false;
	for (i = 0; i < KTAP_STATE_TRIES; i++) {
		look(set, key, &l);
		w = l.found.at >= 0 ? l.found : l.free.at >= 0 ? l.free : l.oldest;
		/* a hit must not find the earlier one while the later one is being written */
		if (l.nr > 1)
			forget(set, key, &w);
		if (w.at >= 0 && claim(set, &w, BUSY))
			break;
	}
	if (i == KTAP_STATE_TRIES)
		return false;
	*replaced = l.found.at < 0 && l.free.at < 0;
	e = &set->entry[w.at];
	w.time = env_clock();
	WRITE_ONCE(e->key.key, key->key);
	WRITE_ONCE(e->key.start, key->start);
	WRITE_ONCE(e->value, value);
	WRITE_ONCE(e->time, w.time);
	/* N: the entry before its tag; pairs with look() */
	smp_store_release(&set->tag[w.at],
			  (w.tag & ~(u64)STATES) + STEP + FULL);
	return true;
}
ENV_NOPROBE(ktap_state_put);

/**
 * ktap_state_get() - load a value
 * @t: table
 * @key: key
 * @take: free the entry: of several hits that take it, one gets the value
 * @ret: value
 *
 * Context: any, NMI included.
 * Return: whether there is one.
 */
bool ktap_state_get(const struct ktap_state *t, const struct ktap_state_key *key,
		    bool take, u64 *ret)
{
	struct ktap_state_set *set = set_of(t, key);
	struct look l;
	u32 i;

	for (i = 0; i < KTAP_STATE_TRIES; i++) {
		look(set, key, &l);
		if (l.found.at < 0 && !l.busy)
			break;
		if (l.found.at < 0 || (take && !claim(set, &l.found, FREE)))
			continue;
		if (take && l.nr > 1)
			forget(set, key, &l.found);
		*ret = l.found.value;
		return true;
	}
	return false;
}
ENV_NOPROBE(ktap_state_get);
