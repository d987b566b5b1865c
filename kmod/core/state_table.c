// SPDX-License-Identifier: GPL-2.0
/*
 * Tables for state between probes. A table exists while a probe with such a program does.
 *
 * The transient probes of one netlink socket, which a command creates, share a table.
 * So do the probes of a probe module. The others share one by the group in their name.
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "core/budget.h"
#include "core/state_table.h"

#define ENTRIES_MAX	BIT(24)

static uint state_entries = 16384;
module_param(state_entries, uint, 0644);
MODULE_PARM_DESC(state_entries, "entries of a table for store(), $load() and $take(), from 8 to 16777216");

/**
 * struct table - table that probes share
 * @state: the part that hits use
 * @node: link in the list of tables
 * @owner: whose probes share it; NULL: those of @group
 * @group: group in the names of these, which may be empty
 * @bytes: memory of its sets
 * @users: probes that share it
 */
struct table {
	struct ktap_state state;
	struct list_head node;
	const void *owner;
	char group[KTAP_NAME_MAX];
	size_t bytes;
	u32 users;
};

/* The innermost lock: its holder neither allocates nor waits. */
static DEFINE_MUTEX(tables_lock);
static LIST_HEAD(tables);

static void table_free(struct table *t)
{
	ktap_mem_free(KTAP_MEM_OTHER, t->state.sets, t->bytes);
	ktap_mem_free(KTAP_MEM_OTHER, t, sizeof(*t));
}

/* Bytes of the group in [GROUP:]EVENT */
static size_t group_size(const char *name)
{
	const char *colon = strchr(name, ':');

	return colon ? colon - name : 0;
}

static struct table *table_create(const void *owner, const char *name)
{
	u32 nr = clamp_t(u32, READ_ONCE(state_entries), KTAP_STATE_WAYS, ENTRIES_MAX);
	struct table *t = ktap_mem_alloc(KTAP_MEM_OTHER, sizeof(*t));
	struct ktap_state_set *sets;

	if (IS_ERR(t))
		return t;
	nr = rounddown_pow_of_two(nr) / KTAP_STATE_WAYS;
	t->bytes = nr * sizeof(*sets);
	sets = ktap_mem_alloc(KTAP_MEM_OTHER, t->bytes);
	if (IS_ERR(sets)) {
		ktap_mem_free(KTAP_MEM_OTHER, t, sizeof(*t));
		return ERR_CAST(sets);
	}
	t->state.sets = sets;
	t->state.mask = nr - 1;
	t->owner = owner;
	if (!owner)
		memcpy(t->group, name, group_size(name));
	return t;
}

static bool is_of(const struct table *t, const void *owner, const char *name)
{
	size_t size = group_size(name);

	if (t->owner || owner)
		return t->owner == owner;
	return !memcmp(t->group, name, size) && !t->group[size];
}

static struct table *table_find(const void *owner, const char *name)
{
	struct table *t;

	lockdep_assert_held(&tables_lock);
	list_for_each_entry(t, &tables, node)
		if (is_of(t, owner, name))
			return t;
	return NULL;
}

/*
 * Takes the table of @owner, or of the group of @name, for one more probe. If there is none,
 * @made is added and taken. Return: NULL: there is none, and @made is NULL.
 */
static struct table *table_take(const void *owner, const char *name, struct table *made)
{
	struct table *t;

	mutex_lock(&tables_lock);
	t = table_find(owner, name);
	if (!t && made) {
		list_add(&made->node, &tables);
		t = made;
	}
	if (t)
		t->users++;
	mutex_unlock(&tables_lock);
	return t;
}

/* Two probes may make a table at once: both take the one that is added first. */
static struct table *table_share(const void *owner, const char *name)
{
	struct table *t = table_take(owner, name, NULL), *made;

	if (t)
		return t;
	made = table_create(owner, name);
	if (IS_ERR(made))
		return made;
	t = table_take(owner, name, made);
	if (t != made)
		table_free(made);
	return t;
}

/**
 * ktap_state_join() - give a program its table
 * @info: properties of the program; nothing is done if it has no state
 * @owner: whose probes share a table, valid until ktap_state_orphan() or
 *	ktap_state_leave(); NULL: those with the group of @name
 * @name: [GROUP:]EVENT
 * @refused: filled when there is no memory for the table
 *
 * Context: process, without ktap locks; may sleep.
 * Return: 0, -ENOMEM or -ENOSPC.
 */
int ktap_state_join(struct ktap_prog_info *info, const void *owner,
		    const char *name, struct ktap_refused *refused)
{
	struct table *t;

	if (!info->has_state)
		return 0;
	info->state_cells = ktap_alloc_percpu(struct ktap_state_cell, refused);
	if (!info->state_cells)
		return -ENOMEM;
	t = table_share(owner, name);
	if (IS_ERR(t))
		return ktap_budget_explain(PTR_ERR(t),
					   (u64)READ_ONCE(state_entries) *
					   sizeof(struct ktap_state_entry),
					   KTAP_A_PROG, refused);
	info->state = &t->state;
	return 0;
}

/**
 * ktap_state_orphan() - the owner of a program's table goes
 * @info: properties of a program
 *
 * The program keeps its table. A later owner at the same address does not get it.
 *
 * Context: process; may sleep. ktap_lock may be held.
 */
void ktap_state_orphan(struct ktap_prog_info *info)
{
	struct table *t;

	if (!info->state)
		return;
	t = container_of(info->state, struct table, state);
	mutex_lock(&tables_lock);
	if (t->owner)
		t->owner = t;
	mutex_unlock(&tables_lock);
}

/**
 * ktap_state_leave() - undo ktap_state_join()
 * @info: properties of a program that no hit uses
 *
 * Context: process; may sleep.
 */
void ktap_state_leave(struct ktap_prog_info *info)
{
	struct table *t;
	bool last;

	ktap_free_percpu(info->state_cells);
	info->state_cells = NULL;
	if (!info->state)
		return;
	t = container_of(info->state, struct table, state);
	info->state = NULL;
	mutex_lock(&tables_lock);
	last = !--t->users;
	if (last)
		list_del(&t->node);
	mutex_unlock(&tables_lock);
	if (last)
		table_free(t);
}

/**
 * ktap_state_counts() - count the stores and loads of a program
 * @info: properties of a program with state
 * @ret: filled; exact when no hit runs
 *
 * Context: process.
 */
void ktap_state_counts(const struct ktap_prog_info *info,
		       struct ktap_state_counts *ret)
{
	u64 sum[KTAP_NR_STATE_COUNTS] = {};
	unsigned int cpu, i;

	for_each_possible_cpu(cpu)
		for (i = 0; i < KTAP_NR_STATE_COUNTS; i++)
			sum[i] += READ_ONCE(per_cpu_ptr(info->state_cells, cpu)->n[i]);
	*ret = (struct ktap_state_counts){
		.stores = sum[KTAP_STATE_STORES],
		.replaced = sum[KTAP_STATE_REPLACED],
		.unstored = sum[KTAP_STATE_UNSTORED],
		.loads = sum[KTAP_STATE_LOADS],
		.misses = sum[KTAP_STATE_MISSES],
	};
}
