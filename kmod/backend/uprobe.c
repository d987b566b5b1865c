// SPDX-License-Identifier: GPL-2.0
/*
 * The uprobe backend: a probe on a byte of a file, in every process that maps it. An
 * armed probe is a registered uprobe_consumer: the kernel puts breakpoints into processes
 * that map the file, now and when they map it later.
 *
 * The kernel checks the instruction only when a process maps it, and a failure then is
 * not reported. So a new probe is first tried on a mapping in the creator's address
 * space, whose code is never run.
 *
 * A probe that uses values from the entry of its function has a companion there, a second
 * consumer. The companion's breakpoint is installed in each process before the probe's.
 *
 * Handlers run in the task that hit, preemptible, and may sleep; unregistering waits for
 * them. So they take no lock of ktap, and each probe has an arming of its own
 * (core/arming.c). State that is used only by an armed probe, or to arm it, is under the
 * lock of that arming.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "backend/uprobe.h"
#include "compat.h"
#include "core/refused.h"
#include "frame/calls.h"
#include "hit/fetch.h"
#include "hit/hit.h"
#include "hit/user_wait.h"

static struct ktap_uprobe *of_consumer(struct uprobe_consumer *uc)
{
	return container_of(uc, struct ktap_uprobe, uc);
}

/* ---- hits ------------------------------------------------------------------ */

/*
 * Removes a breakpoint that no session needs in this process. Later changes of scope do
 * not race: widening registers again, after the running handlers.
 */
static int verdict(const struct ktap_uprobe *u)
{
	return ktap_uprobe_wants(&u->p, current->mm) ? 0 : UPROBE_HANDLER_REMOVE;
}

static noinline void hit_program(const struct ktap_uprobe *u,
				 const struct pt_regs *regs)
{
	const struct ktap_frame frame = { .regs = regs };

	ktap_hit_user(&u->p.site, &frame);
}
NOKPROBE_SYMBOL(hit_program);

static KTAP_UPROBE_HANDLER(on_hit)
{
	const struct ktap_uprobe *u = of_consumer(uc);

	if (!u->p.site.prog)
		ktap_hit_user_regs(&u->p.site, regs);
	else if (!ktap_hit_user_quick(&u->p.site, regs))
		hit_program(u, regs);
	return verdict(u);
}
NOKPROBE_SYMBOL(on_hit);

/*
 * Whether other contents were written into the file. The offset means nothing then, and a
 * breakpoint could be in the middle of an instruction. A new file of the same name is not
 * meant: that is another inode.
 */
static bool is_changed(const struct ktap_uprobe *u)
{
	return i_size_read(u->inode) != u->size ||
	       READ_ONCE(u->inode->KTAP_INODE_MTIME_SEC) != u->mtime_sec ||
	       READ_ONCE(u->inode->KTAP_INODE_MTIME_NSEC) != u->mtime_nsec;
}

/*
 * A process that maps the changed file gets no breakpoint. One that has it keeps it: the
 * kernel asks about any process when another consumer of the place goes.
 */
static bool needs(const struct ktap_uprobe *u, struct mm_struct *mm)
{
	if (mm == current->mm && is_changed(u))
		return false;
	if (READ_ONCE(u->registrar) == current)
		return !u->outsiders || !ktap_mms_has(u->outsiders, mm);
	return ktap_uprobe_wants(&u->p, mm);
}

static KTAP_UPROBE_FILTER(filter)
{
	return needs(of_consumer(uc), mm);
}

static KTAP_UPROBE_HANDLER(on_entry)
{
	const struct ktap_uprobe_entry *e =
		container_of(uc, struct ktap_uprobe_entry, uc);

	preempt_disable();
	ktap_hit_call(e->u->p.site.calls, regs);
	preempt_enable();
	return verdict(e->u);
}
NOKPROBE_SYMBOL(on_entry);

static KTAP_UPROBE_FILTER(filter_entry)
{
	return needs(container_of(uc, struct ktap_uprobe_entry, uc)->u, mm);
}

/* ---- trying and widening --------------------------------------------------- */

/**
 * struct helper - a consumer that only installs breakpoints
 * @only: address space to install in, or NULL
 * @outsiders: or all address spaces but these
 * @asked: set by the filter: the kernel accepted the place
 */
struct helper {
	struct uprobe_consumer uc;
	const struct mm_struct *only;
	const struct ktap_mms *outsiders;
	const struct task_struct *registrar;
	bool asked;
};

static KTAP_UPROBE_HANDLER(on_nothing)
{
	return 0;
}

static KTAP_UPROBE_FILTER(filter_trial)
{
	struct helper *h = container_of(uc, struct helper, uc);

	if (mm != h->only)
		return false;
	h->asked = true;
	return true;
}

static KTAP_UPROBE_FILTER(filter_wider)
{
	const struct helper *h = container_of(uc, struct helper, uc);

	return h->registrar == current &&
	       (!h->outsiders || !ktap_mms_has(h->outsiders, mm));
}

/* ---- probes of a file ------------------------------------------------------- */

/*
 * Armed probes by inode. All probes of a place share what the kernel knows of its
 * instruction, which it read when the first of them was armed. So if the file was changed
 * since then, no other probe of it may be armed, or tried. All armed probes of a file were
 * made for the same contents, therefore.
 */
static DEFINE_HASHTABLE(armed_in, 8);
static DEFINE_MUTEX(armed_lock);

/* Is an armed probe of the file for contents that it had before? Under armed_lock. */
static bool is_held_up(const struct inode *inode)
{
	const struct ktap_uprobe *u;

	lockdep_assert_held(&armed_lock);
	hash_for_each_possible(armed_in, u, in_file, (unsigned long)inode)
		if (u->inode == inode)
			return is_changed(u);
	return false;
}

static bool may_try(const struct ktap_uprobe *u)
{
	bool held_up;

	mutex_lock(&armed_lock);
	held_up = is_held_up(u->inode);
	mutex_unlock(&armed_lock);
	return !held_up;
}

/* Before it is registered. Return: 0; -ESTALE or -EBUSY, and it is not noted. */
static int note_armed(struct ktap_uprobe *u)
{
	int err = 0;

	mutex_lock(&armed_lock);
	if (is_changed(u))
		err = -ESTALE;
	else if (is_held_up(u->inode))
		err = -EBUSY;
	else
		hash_add(armed_in, &u->in_file, (unsigned long)u->inode);
	mutex_unlock(&armed_lock);
	return err;
}

static void forget_armed(struct ktap_uprobe *u)
{
	mutex_lock(&armed_lock);
	hash_del(&u->in_file);
	mutex_unlock(&armed_lock);
}

static int help(struct ktap_uprobe *u, u64 offset, u64 ref_offset,
		struct helper *h)
{
	struct ktap_uprobe_handle handle;
	int err;

	h->uc.handler = on_nothing;
	err = ktap_uprobe_register(&handle, u->inode, offset, ref_offset,
				   &h->uc);
	if (err)
		return err;
	ktap_uprobe_unregister(&handle, &h->uc);
	ktap_uprobe_sync();
	return 0;
}

/*
 * Return: whether the sender maps the place already. A second mapping would increment the
 * semaphore twice.
 */
static bool is_mapped(const struct ktap_uprobe *u, u64 offset)
{
	pgoff_t at = offset >> PAGE_SHIFT;
	struct vm_area_struct *vma;
	bool found = false;

	KTAP_VMA_ITERATOR(vmi, current->mm);

	mmap_read_lock(current->mm);
	ktap_for_each_vma(vmi, vma)
		if (vma->vm_file && file_inode(vma->vm_file) == u->inode &&
		    at >= vma->vm_pgoff &&
		    at - vma->vm_pgoff < vma_pages(vma))
			found = true;
	mmap_read_unlock(current->mm);
	return found;
}

/*
 * Tries the place in the sender's memory. If the file cannot be mapped there, it is not
 * tried.
 */
static int try_place(struct ktap_uprobe *u, u64 offset, u64 ref_offset,
		     struct file *file, bool *asked)
{
	struct helper h = { .uc.filter = filter_trial, .only = current->mm };
	unsigned long at = -EEXIST;
	int err;

	if (current->mm && !is_mapped(u, offset))
		at = vm_mmap(file, 0, PAGE_SIZE, PROT_READ | PROT_EXEC,
			     MAP_PRIVATE, round_down(offset, PAGE_SIZE));
	err = help(u, offset, ref_offset, &h);
	if (!IS_ERR_VALUE(at))
		vm_munmap(at, PAGE_SIZE);
	*asked = h.asked;
	return err;
}

int ktap_uprobe_widen(struct ktap_probe *p, const struct ktap_attach *a)
{
	struct helper h = { .uc.filter = filter_wider, .registrar = current };
	struct ktap_uprobe *u = ktap_uprobe_of(p);
	struct ktap_mms *outsiders;
	int err;

	lockdep_assert_held(&p->arming->lock);
	if (is_changed(u))
		return -ESTALE;
	if (ktap_uprobe_everywhere(p, a))
		return 0;
	outsiders = ktap_uprobe_outsiders(p);
	h.outsiders = outsiders;
	err = u->entry ? help(u, u->entry->offset, 0, &h) : 0;
	/* processes that had no breakpoint until now made calls unseen */
	if (!err && u->entry)
		ktap_calls_forget_all(p->site.calls);
	if (!err)
		err = help(u, p->offset, u->ref_offset, &h);
	ktap_mms_free(outsiders);
	return err;
}

/* ---- the place --------------------------------------------------------------- */

/**
 * ktap_uprobe_check() - check the place of a probe of user code
 * @args: request
 * @refused: filled when the request is refused
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int ktap_uprobe_check(struct ktap_probe_args *args,
		      struct ktap_refused *refused)
{
	args->place.is_user = true;
	if (args->offset % UPROBE_SWBP_INSN_SIZE)
		return ktap_refuse(refused, -EINVAL, KTAP_A_OFFSET,
				   "no instruction begins at this offset: instructions of this machine are aligned");
	if (args->ref_offset % 2)
		return ktap_refuse(refused, -EINVAL, KTAP_A_REF_OFFSET,
				   "the offset of a semaphore must be even");
	return 0;
}

static int check_file(const struct ktap_uprobe *u,
		      struct ktap_refused *refused)
{
	u64 size = i_size_read(u->inode);

	if (!ktap_can_map_text(u->inode->i_mapping))
		return ktap_refuse(refused, -EOPNOTSUPP, KTAP_A_FD,
				   "files of this file system cannot be probed");
	if (u->p.offset >= size)
		return ktap_refuse(refused, -EINVAL, KTAP_A_OFFSET,
				   "the file ends before that offset");
	if (u->ref_offset >= size)
		return ktap_refuse(refused, -EINVAL, KTAP_A_REF_OFFSET,
				   "the file ends before the semaphore");
	return 0;
}

static int explain_trial(int err, bool asked,
			 const struct ktap_probe_args *args,
			 struct ktap_refused *refused)
{
	if (err == -EINVAL && !asked)
		return ktap_refuse(refused, -EBUSY,
				   ktap_args_has(args, KTAP_A_REF_OFFSET) ?
				   KTAP_A_REF_OFFSET : KTAP_A_OFFSET,
				   "the place is probed already, with another semaphore");
	if (err == -ENOMEM || err == -EINTR)
		return err;
	return ktap_refuse(refused, -EOPNOTSUPP, KTAP_A_OFFSET,
			   "the kernel cannot probe the instruction there");
}

static int try_entry(struct ktap_uprobe *u, struct file *file,
		     struct ktap_refused *refused)
{
	bool asked;
	int err;

	if (u->entry->offset >= i_size_read(u->inode))
		return ktap_refuse(refused, -EINVAL, KTAP_A_FRAME_OFFSET,
				   "the file ends before that offset");
	err = try_place(u, u->entry->offset, 0, file, &asked);
	if (!err || err == -ENOMEM || err == -EINTR)
		return err;
	return ktap_refuse(refused, -EOPNOTSUPP, KTAP_A_FRAME_OFFSET,
			   "the kernel cannot probe the instruction there");
}

static int add_file(struct ktap_uprobe *u, struct file *file,
		    const struct ktap_probe_args *args,
		    struct ktap_refused *refused)
{
	bool asked;
	int err;

	if (!S_ISREG(file_inode(file)->i_mode))
		return ktap_refuse(refused, -EINVAL, KTAP_A_FD,
				   "the descriptor does not refer to a regular file");
	u->inode = d_real_inode(file->f_path.dentry);
	u->size = i_size_read(u->inode);
	u->mtime_sec = READ_ONCE(u->inode->KTAP_INODE_MTIME_SEC);
	u->mtime_nsec = READ_ONCE(u->inode->KTAP_INODE_MTIME_NSEC);
	if (!may_try(u))
		return ktap_refuse(refused, -EBUSY, KTAP_A_FD,
				   "probes of what the file was before are still armed");
	err = check_file(u, refused);
	if (err)
		return err;
	err = try_place(u, u->p.offset, u->ref_offset, file, &asked);
	if (err)
		return explain_trial(err, asked, args, refused);
	if (u->entry) {
		err = try_entry(u, file, refused);
		if (err)
			return err;
	}
	if (args->path) {
		u->shown_path = kstrdup(args->path, GFP_KERNEL_ACCOUNT);
		if (!u->shown_path)
			return -ENOMEM;
	}
	/* hold the path and not the file: a file open for writing cannot be executed */
	u->path = file->f_path;
	path_get(&u->path);
	return 0;
}

/**
 * ktap_uprobe_add() - look up the place of a probe and try it
 * @p: part of a struct ktap_uprobe; the caller may change its consumer afterwards
 * @args: request
 * @refused: filled when the request is refused
 *
 * Context: the sender's process, since netlink delivers requests synchronously; under the
 * lock of the probe's arming.
 * Return: 0; -EBADF, -EINVAL, -EOPNOTSUPP or -EBUSY, explained; -ENOMEM.
 */
int ktap_uprobe_add(struct ktap_probe *p, const struct ktap_probe_args *args,
		    struct ktap_refused *refused)
{
	struct ktap_uprobe *u = ktap_uprobe_of(p);
	struct file *file;
	int err;

	err = ktap_user_wait_start();
	if (err)
		return err;
	u->uc.handler = on_hit;
	u->uc.filter = filter;
	u->ref_offset = args->ref_offset;
	file = args->file ? get_file(args->file) : fget(args->fd);
	if (!file)
		return ktap_refuse(refused, -EBADF, KTAP_A_FD,
				   "the sender has no such file open");
	err = add_file(u, file, args, refused);
	fput(file);
	return err;
}

/**
 * ktap_uprobe_describe() - implementation of describe in struct ktap_backend
 * @p: probe
 * @ret: filled
 *
 * Context: under ktap_lock.
 */
void ktap_uprobe_describe(const struct ktap_probe *p,
			  struct ktap_probe_details *ret)
{
	const struct ktap_uprobe *u = ktap_uprobe_of(p);

	ret->in_file = true;
	ret->ref_offset = u->ref_offset;
	ret->path = u->shown_path;
	if (is_changed(u))
		ret->file_state = KTAP_FILE_CHANGED;
	/* or there is a copy in an upper file system, which programs run from now on */
	else if (d_unlinked(u->path.dentry) || d_real_inode(u->path.dentry) != u->inode)
		ret->file_state = KTAP_FILE_REPLACED;
}

/* ---- arming ---------------------------------------------------------------- */

/**
 * ktap_uprobe_drain() - wait until no handler of a disarmed probe runs
 * @p: probe
 *
 * Context: process, under the lock of the probe's arming.
 */
void ktap_uprobe_drain(struct ktap_probe *p)
{
	struct ktap_uprobe *u = ktap_uprobe_of(p);

	lockdep_assert_held(&p->arming->lock);
	if (u->draining)
		ktap_uprobe_sync();
	u->draining = false;
}

static int arm_entry(struct ktap_uprobe *u)
{
	struct ktap_uprobe_entry *e = u->entry;
	int err;

	if (!e)
		return 0;
	err = ktap_uprobe_register(&e->handle, u->inode, e->offset, 0, &e->uc);
	/* from here on the companion sees every call */
	if (!err)
		ktap_calls_forget_all(u->p.site.calls);
	return err;
}

static void disarm_entry(struct ktap_uprobe *u)
{
	if (!u->entry)
		return;
	ktap_uprobe_unregister(&u->entry->handle, &u->entry->uc);
	u->draining = true;
}

static int arm_both(struct ktap_uprobe *u)
{
	int err = arm_entry(u);

	if (err)
		return err;
	err = ktap_uprobe_register(&u->handle, u->inode, u->p.offset,
				   u->ref_offset, &u->uc);
	if (err)
		disarm_entry(u);
	return err;
}

int ktap_uprobe_arm(struct ktap_probe *p)
{
	struct ktap_uprobe *u = ktap_uprobe_of(p);
	struct ktap_mms *outsiders;
	int err;

	/* the kernel may still be walking its list through the consumer */
	ktap_uprobe_drain(p);
	err = note_armed(u);
	if (err)
		return err;
	outsiders = ktap_uprobe_outsiders(p);
	u->outsiders = outsiders;
	WRITE_ONCE(u->registrar, current);
	err = arm_both(u);
	WRITE_ONCE(u->registrar, NULL);
	u->outsiders = NULL;
	ktap_mms_free(outsiders);
	u->armed = !err;
	if (err)
		forget_armed(u);
	return err == -ENOTSUPP ? -EOPNOTSUPP : err;
}

void ktap_uprobe_disarm(struct ktap_probe *p)
{
	struct ktap_uprobe *u = ktap_uprobe_of(p);

	lockdep_assert_held(&p->arming->lock);
	if (!u->armed)
		return;
	ktap_uprobe_unregister(&u->handle, &u->uc);
	disarm_entry(u);
	forget_armed(u);
	u->armed = false;
	u->draining = true;
}

void ktap_uprobe_remove(struct ktap_probe **probes, int nr)
{
	struct ktap_uprobe *u;
	bool draining = false;
	int i;

	for (i = 0; i < nr; i++) {
		ktap_uprobe_disarm(probes[i]);
		draining |= ktap_uprobe_of(probes[i])->draining;
	}
	if (draining)
		ktap_uprobe_sync();
	for (i = 0; i < nr; i++) {
		u = ktap_uprobe_of(probes[i]);
		path_put(&u->path);
		kfree(u->shown_path);
	}
}

/* ---- backend --------------------------------------------------------------- */

static int uprobe_check(struct ktap_probe_args *args,
			struct ktap_refused *refused)
{
	int err;

	err = ktap_uprobe_check(args, refused) ?:
	      ktap_calls_check(args, refused);
	if (err || !args->frame_regs)
		return err;
	if (ktap_args_has(args, KTAP_A_FRAME_ADDR))
		return ktap_refuse(refused, -EINVAL, KTAP_A_FRAME_ADDR,
				   "the entry of a user function must be an offset in the file");
	if (args->frame_offset % UPROBE_SWBP_INSN_SIZE)
		return ktap_refuse(refused, -EINVAL, KTAP_A_FRAME_OFFSET,
				   "no instruction begins at this offset: instructions of this machine are aligned");
	if (args->frame_offset == args->offset)
		return ktap_refuse(refused, -EINVAL, KTAP_A_FRAME_OFFSET,
				   "the place is the entry itself, where no frame has been stored yet");
	return 0;
}

static void free_entry(struct ktap_uprobe *u)
{
	ktap_calls_destroy(u->p.site.calls);
	kfree(u->entry);
	u->p.site.calls = NULL;
	u->entry = NULL;
}

static int make_entry(struct ktap_uprobe *u, const struct ktap_probe_args *args,
		      struct ktap_refused *refused)
{
	struct ktap_uprobe_entry *e = kzalloc(sizeof(*e), GFP_KERNEL_ACCOUNT);
	struct ktap_calls *calls;

	if (!e)
		return -ENOMEM;
	calls = ktap_calls_create(args, &u->p.site, refused);
	if (IS_ERR(calls)) {
		kfree(e);
		return PTR_ERR(calls);
	}
	e->u = u;
	e->offset = args->frame_offset;
	e->uc.handler = on_entry;
	e->uc.filter = filter_entry;
	u->entry = e;
	u->p.site.calls = calls;
	return 0;
}

static int uprobe_add(struct ktap_probe *p, const struct ktap_probe_args *args,
		      struct ktap_refused *refused)
{
	struct ktap_uprobe *u = ktap_uprobe_of(p);
	int err = args->frame_regs ? make_entry(u, args, refused) : 0;

	if (err)
		return err;
	err = ktap_uprobe_add(p, args, refused);
	if (err)
		free_entry(u);
	return err;
}

static void uprobe_remove(struct ktap_probe **probes, int nr)
{
	int i;

	ktap_uprobe_remove(probes, nr);
	for (i = 0; i < nr; i++)
		free_entry(ktap_uprobe_of(probes[i]));
}

static void uprobe_describe(const struct ktap_probe *p,
			    struct ktap_probe_details *ret)
{
	ktap_uprobe_describe(p, ret);
	if (!p->site.calls)
		return;
	ret->maxactive = ktap_calls_max(p->site.calls);
	ret->frame_hook = p->backend->name;
}

const struct ktap_backend ktap_uprobe_backend = {
	.name = "uprobe",
	.feature = KTAP_FEATURE_UPROBE,
	.probe_size = sizeof(struct ktap_uprobe),
	.sleeps = true,
	.check = uprobe_check,
	.add = uprobe_add,
	.remove = uprobe_remove,
	.arm = ktap_uprobe_arm,
	.disarm = ktap_uprobe_disarm,
	.widen = ktap_uprobe_widen,
	.describe = uprobe_describe,
};
