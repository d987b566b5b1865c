// SPDX-License-Identifier: GPL-2.0
/*
 * Files of user stacks. All sessions share the numbers of files and the tables, because a
 * program runs once for all of them. The index exists while a session takes user stacks; a
 * table exists while a session that gave it does.
 */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "core/budget.h"
#include "core/user_files.h"
#include "hit/user_stack.h"
#include "hit/user_trail.h"

/**
 * struct table - unwind information of a file
 * @rows: the part that hits use
 * @file: number of the file
 * @users: sessions that gave it
 * @bytes: charge to the budget
 */
struct table {
	struct ktap_user_rows rows;
	u32 file;
	u32 users;
	u64 bytes;
};

/* struct holder - a session's part in a table */
struct holder {
	struct list_head node;
	struct table *table;
};

/* Innermost lock: its holder neither waits nor allocates. It protects all below. */
static DEFINE_MUTEX(files_lock);
static unsigned int nr_sharing;

/* ---- the index ------------------------------------------------------------------ */

/**
 * ktap_user_share_init() - prepare the part of a session
 * @u: filled
 *
 * Context: any.
 */
void ktap_user_share_init(struct ktap_user_share *u)
{
	*u = (struct ktap_user_share){};
	INIT_LIST_HEAD(&u->tables);
}

static void free_index(struct ktap_user_files *f)
{
	if (!f)
		return;
	ktap_free_percpu(f->trails);
	kvfree(f);
	ktap_budget_give(KTAP_MEM_OTHER, sizeof(*f));
}

/* Return: the index, or ERR_PTR. */
static struct ktap_user_files *make_index(void)
{
	struct ktap_user_files *f;

	if (ktap_budget_take(KTAP_MEM_OTHER, sizeof(*f), 0, NULL))
		return ERR_PTR(-ENOSPC);
	f = kvzalloc(sizeof(*f), KTAP_GFP);
	if (!f) {
		ktap_budget_give(KTAP_MEM_OTHER, sizeof(*f));
		return ERR_PTR(-ENOMEM);
	}
	/* without them a hit costs more, and nothing else changes */
	if (KTAP_HAS_USER_TRAILS)
		f->trails = ktap_alloc_percpu(struct ktap_user_trails, NULL);
	return f;
}

/* Return: whether @made is in use now. */
static bool join(struct ktap_user_share *u, struct ktap_user_files *made)
{
	bool used = false;

	mutex_lock(&files_lock);
	if (!u->is_in) {
		used = !ktap_user_files;
		if (used)
			/* hits need no order: what kvzalloc() made is all zero */
			smp_store_release(&ktap_user_files, made);
		nr_sharing++;
		/* X: the index before the mark; pairs with is_in() */
		smp_store_release(&u->is_in, true);
	}
	mutex_unlock(&files_lock);
	return used;
}

static bool is_in(const struct ktap_user_share *u)
{
	/* X: the mark before the index; pairs with join() */
	return smp_load_acquire(&u->is_in);
}

/**
 * ktap_user_share_join() - make the index of files, or keep it
 * @u: part of a session
 *
 * Context: process; may sleep.
 * Return: 0, -ENOMEM, or -ENOSPC for the limit of memory.
 */
int ktap_user_share_join(struct ktap_user_share *u)
{
	struct ktap_user_files *made;

	if (is_in(u))
		return 0;
	made = make_index();
	if (IS_ERR(made))
		return PTR_ERR(made);
	if (!join(u, made))
		free_index(made);
	return 0;
}

/* ---- tables --------------------------------------------------------------------- */

static void free_table(struct table *t)
{
	if (!t)
		return;
	kvfree(t->rows.rules);
	ktap_budget_give(KTAP_MEM_RINGS, t->bytes);
	kfree(t);
}

/* One allocation: what needs the largest alignment first. */
static u64 shape(struct ktap_user_rows *r, const void *mem)
{
	u64 rules = (u64)r->nr_rules * sizeof(*r->rules);
	u64 pcs = (u64)r->nr_rows * sizeof(*r->pcs);

	r->rules = mem;
	r->pcs = mem + rules;
	r->rows = mem + rules + pcs;
	return rules + pcs + (u64)r->nr_rows * sizeof(*r->rows);
}

static int copy_rows(struct ktap_user_rows *r, const struct ktap_session_table *arg)
{
	if (copy_from_user((void *)r->rules, u64_to_user_ptr(arg->rules),
			   (u64)r->nr_rules * sizeof(*r->rules)) ||
	    copy_from_user((void *)r->pcs, u64_to_user_ptr(arg->pcs),
			   (u64)r->nr_rows * sizeof(*r->pcs)) ||
	    copy_from_user((void *)r->rows, u64_to_user_ptr(arg->rows),
			   (u64)r->nr_rows * sizeof(*r->rows)))
		return -EFAULT;
	return ktap_user_rows_ok(r) ? 0 : -EINVAL;
}

/* The size of the index is known only when the rows are: it is bounded by their size. */
static int fill(struct table *t, const struct ktap_session_table *arg)
{
	struct ktap_user_rows *r = &t->rows;
	u64 bytes, room;
	void *mem;
	int err;

	r->nr_rows = arg->nr_rows;
	r->nr_rules = arg->nr_rules;
	bytes = ALIGN(shape(r, NULL), sizeof(u32));
	room = bytes + r->nr_rows + 65 * sizeof(u32);
	err = ktap_budget_take(KTAP_MEM_RINGS, room, 0, NULL);
	if (err)
		return err;
	t->bytes = room;
	mem = kvzalloc(room, KTAP_GFP);
	shape(r, mem);
	if (!mem)
		return -ENOMEM;
	err = copy_rows(r, arg);
	if (err)
		return err;
	r->index = mem + bytes;
	ktap_user_rows_shape(r);
	ktap_user_rows_index(r);
	return 0;
}

static struct table *make_table(const struct ktap_session_table *arg)
{
	struct table *t;
	int err;

	t = kzalloc(sizeof(*t), KTAP_GFP);
	if (!t)
		return ERR_PTR(-ENOMEM);
	err = fill(t, arg);
	if (!err)
		return t;
	free_table(t);
	return ERR_PTR(err);
}

static bool holds(const struct ktap_user_share *u, const struct table *t)
{
	const struct holder *h;

	list_for_each_entry(h, &u->tables, node)
		if (h->table == t)
			return true;
	return false;
}

/* A table has come or gone: what trails have used may be different now. */
static void count_change(void)
{
	/* U: the tables before the number; pairs with look_around() */
	smp_store_release(&ktap_user_files->changes, ktap_user_files->changes + 1);
}

/*
 * Lets the session hold the table of a file. @h is set to NULL where it is in use then.
 * Return: whether there is a table.
 */
static bool hold(struct ktap_user_share *u, u32 file, struct holder **h)
{
	const struct ktap_user_rows *rows = ktap_user_files->slots[file].table;
	struct table *t;

	lockdep_assert_held(&files_lock);
	if (!rows)
		return false;
	t = container_of(rows, struct table, rows);
	if (!holds(u, t)) {
		t->users++;
		(*h)->table = t;
		list_add(&(*h)->node, &u->tables);
		*h = NULL;
	}
	return true;
}

/* @made is set to NULL where it is in use then: another session may have been faster. */
static void publish(struct ktap_user_share *u, u32 file, struct table **made,
		    struct holder **h)
{
	lockdep_assert_held(&files_lock);
	if (hold(u, file, h))
		return;
	(*made)->file = file;
	/* P: the table before its address; pairs with number() */
	smp_store_release(&ktap_user_files->slots[file].table, &(*made)->rows);
	count_change();
	*made = NULL;
	hold(u, file, h);
}

/* A table that another session has brought costs this one nothing. */
static int give_table(struct ktap_user_share *u, const struct ktap_session_table *arg,
		      struct holder **h)
{
	struct table *made;
	bool is_there;

	mutex_lock(&files_lock);
	is_there = hold(u, arg->file, h);
	mutex_unlock(&files_lock);
	if (is_there)
		return 0;
	made = make_table(arg);
	if (IS_ERR(made))
		return PTR_ERR(made);
	mutex_lock(&files_lock);
	publish(u, arg->file, &made, h);
	mutex_unlock(&files_lock);
	free_table(made);
	return 0;
}

/* Return: number of the file; 0: there is none. */
static u32 number_of(struct file *file)
{
	const struct inode *inode = d_real_inode(file->f_path.dentry);
	struct ktap_user_id id = {
		.inode = inode->i_ino, .dev = inode->i_sb->s_dev,
		.generation = inode->i_generation, .size = inode->i_size,
	};

	ktap_user_contents(&id.size, &id.changed, mapping_writably_mapped(inode->i_mapping),
			   inode->KTAP_INODE_MTIME_SEC, inode->KTAP_INODE_MTIME_NSEC);
	return ktap_user_files_find(ktap_user_files, &id, 0, 0);
}

static int number_fd(struct ktap_session_table *arg)
{
	struct file *file = fget(arg->fd);
	u32 expected = arg->file;
	int err = 0;

	if (!file)
		return -EBADF;
	if (!S_ISREG(file_inode(file)->i_mode) || !(file->f_mode & FMODE_READ))
		err = -EINVAL;
	else
		arg->file = number_of(file);
	fput(file);
	if (err)
		return err;
	if (!arg->file)
		return -ENFILE;
	return expected && expected != arg->file ? -ESTALE : 0;
}

/**
 * ktap_user_table_add() - KTAP_IOC_USER_TABLE
 * @u: part of a session
 * @arg: request; the reply is filled in
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno, as struct ktap_session_table says.
 */
int ktap_user_table_add(struct ktap_user_share *u, struct ktap_session_table *arg)
{
	struct holder *h;
	int err;

	if (!env_has_ustack())
		return -EOPNOTSUPP;
	err = ktap_user_share_join(u);
	if (err)
		return err;
	err = number_fd(arg);
	if (err)
		return err;
	if (!arg->nr_rows)
		return 0;
	if (arg->nr_rows > KTAP_USER_ROWS_MAX || !arg->nr_rules ||
	    arg->nr_rules > KTAP_USER_RULES_MAX)
		return -EINVAL;
	h = kzalloc(sizeof(*h), KTAP_GFP);
	if (!h)
		return -ENOMEM;
	err = give_table(u, arg, &h);
	kfree(h);
	return err;
}

/* ---- the end --------------------------------------------------------------------- */

/* Drops the session's part. Tables without another holder are hidden from hits. */
static struct ktap_user_files *drop(struct ktap_user_share *u, struct list_head *tables)
{
	struct ktap_user_files *unused = NULL;
	struct holder *h;

	mutex_lock(&files_lock);
	list_splice_init(&u->tables, tables);
	list_for_each_entry(h, tables, node) {
		if (--h->table->users)
			h->table = NULL;
		else
			WRITE_ONCE(ktap_user_files->slots[h->table->file].table, NULL);
	}
	if (u->is_in)
		count_change();
	if (u->is_in && !--nr_sharing) {
		unused = ktap_user_files;
		WRITE_ONCE(ktap_user_files, NULL);
	}
	u->is_in = false;
	mutex_unlock(&files_lock);
	return unused;
}

/**
 * ktap_user_share_leave() - end the part of a session
 * @u: part of a session whose programs are detached
 *
 * Context: process; waits for hits.
 */
void ktap_user_share_leave(struct ktap_user_share *u)
{
	struct ktap_user_files *unused;
	struct holder *h, *next;
	LIST_HEAD(tables);

	if (!u->is_in)
		return;
	unused = drop(u, &tables);
	/* hits look at both with preemption disabled */
	if (unused || !list_empty(&tables))
		synchronize_rcu();
	list_for_each_entry_safe(h, next, &tables, node) {
		free_table(h->table);
		kfree(h);
	}
	free_index(unused);
}

/* ---- telling ---------------------------------------------------------------------- */

static int put_file(const struct ktap_session_files *arg, u32 nr)
{
	struct ktap_user_file __user *to = u64_to_user_ptr(arg->files);
	const struct ktap_user_slot *slot = &ktap_user_files->slots[nr];
	struct ktap_user_file one = {
		.file = nr,
		.flags = READ_ONCE(slot->table) ? KTAP_USER_FILE_F_TABLE : 0,
		.tgid = slot->tgid,
		.generation = slot->id.generation,
		.address = slot->address,
		.inode = slot->id.inode,
		.major = MAJOR(slot->id.dev),
		.minor = MINOR(slot->id.dev),
	};

	return copy_to_user(&to[arg->nr], &one, sizeof(one)) ? -EFAULT : 0;
}

/**
 * ktap_user_files_tell() - KTAP_IOC_USER_FILES
 * @u: part of a session
 * @arg: request; the reply is filled in
 *
 * The index stays: @u keeps it, and belongs to an open file.
 *
 * Context: process; may sleep.
 * Return: 0, -ENOENT if the session takes no user stacks, or -EFAULT.
 */
int ktap_user_files_tell(struct ktap_user_share *u, struct ktap_session_files *arg)
{
	u32 nr;
	int err = 0;

	if (!is_in(u))
		return -ENOENT;
	arg->total = READ_ONCE(ktap_user_files->nr);
	arg->nr = 0;
	for (nr = arg->from; !err && nr < KTAP_USER_FILES_MAX && arg->nr < arg->room; nr++) {
		/* O: the mark before what the file is; pairs with tell() */
		if (!smp_load_acquire(&ktap_user_files->slots[nr].is_told))
			continue;
		err = put_file(arg, nr);
		arg->nr++;
	}
	return err;
}
