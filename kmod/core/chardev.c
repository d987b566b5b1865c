// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/ktap: one open file is one session.
 *
 * Uprobes take mmap locks inside the session's lock. So user memory is copied outside the
 * session's lock, and mmap does not take it.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/uaccess.h>

#include "core/chardev.h"
#include "core/lockdown.h"
#include "core/mark.h"
#include "core/probe.h"
#include "core/session.h"
#include "hit/clock.h"

static int ktap_open(struct inode *inode, struct file *file)
{
	if (!perfmon_capable())
		return -EPERM;
	file->private_data = ktap_session_create();
	return file->private_data ? 0 : -ENOMEM;
}

static int ktap_release(struct inode *inode, struct file *file)
{
	ktap_session_destroy(file->private_data);
	return 0;
}

static long ioc_setup(struct ktap_session *s, void __user *user)
{
	struct ktap_session_setup arg;
	int err;

	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	mutex_lock(&s->lock);
	err = ktap_session_setup(s, &arg);
	mutex_unlock(&s->lock);
	if (!err && copy_to_user(user, &arg, sizeof(arg)))
		err = -EFAULT;
	return err;
}

static long ioc_state(struct ktap_session *s, void __user *user)
{
	struct ktap_session_state arg = {};

	ktap_lockdown_look();
	mutex_lock(&ktap_lock);
	arg.generation = READ_ONCE(s->generation);
	arg.nr_attached = s->nr_attached;
	mutex_unlock(&ktap_lock);
	ktap_clock_now(&arg.raw, &arg.mono, &arg.real);
	return copy_to_user(user, &arg, sizeof(arg)) ? -EFAULT : 0;
}

static int attach(struct ktap_session *s, const u32 *ids, u32 nr,
		  const struct ktap_map *map, u32 *done)
{
	int err;

	mutex_lock(&s->lock);
	err = ktap_session_attach(s, ids, nr, map, done);
	mutex_unlock(&s->lock);
	return err;
}

static int detach(struct ktap_session *s, const u32 *ids, u32 nr,
		  const struct ktap_map *map, u32 *done)
{
	int err;

	mutex_lock(&s->lock);
	err = ktap_session_detach(s, ids, nr, done);
	mutex_unlock(&s->lock);
	return err;
}

static int detach_all(struct ktap_session *s)
{
	mutex_lock(&s->lock);
	ktap_session_detach_all(s);
	mutex_unlock(&s->lock);
	return 0;
}

static int get_attach(struct ktap_session_attach *arg, void __user *user)
{
	if (copy_from_user(arg, user, sizeof(*arg)))
		return -EFAULT;
	return arg->flags ? -EINVAL : 0;
}

static long ioc_attach(struct ktap_session *s, void __user *user)
{
	struct ktap_session_attach arg;
	int err = get_attach(&arg, user);
	u32 done;

	return err ?: attach(s, &arg.id, 1, NULL, &done);
}

static long ioc_detach(struct ktap_session *s, void __user *user)
{
	struct ktap_session_attach arg;
	int err = get_attach(&arg, user);
	u32 done;

	if (err)
		return err;
	return arg.id ? detach(s, &arg.id, 1, NULL, &done) : detach_all(s);
}

/* @flags: flags that are allowed. */
static long many(struct ktap_session *s, void __user *user, u32 flags,
		 int (*action)(struct ktap_session *s, const u32 *ids, u32 nr,
			       const struct ktap_map *map, u32 *done))
{
	struct ktap_session_attach_many arg;
	const struct ktap_map *map = NULL;
	u32 *ids;
	int err;

	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	if ((arg.flags & ~flags) || arg.nr > KTAP_ATTACH_MAX)
		return -EINVAL;
	if (arg.flags & KTAP_ATTACH_F_MAP)
		map = ktap_maps_find(&s->maps, arg.map);
	if (map ? 0 : arg.flags || arg.map)
		return -EINVAL;
	ids = vmemdup_user(u64_to_user_ptr(arg.ids), arg.nr * sizeof(*ids));
	if (IS_ERR(ids))
		return PTR_ERR(ids);
	err = action(s, ids, arg.nr, map, &arg.done);
	kvfree(ids);
	if (!err && copy_to_user(user, &arg, sizeof(arg)))
		err = -EFAULT;
	return err;
}

static long ioc_attach_many(struct ktap_session *s, void __user *user)
{
	return many(s, user, KTAP_ATTACH_F_MAP, attach);
}

static long ioc_detach_many(struct ktap_session *s, void __user *user)
{
	return many(s, user, 0, detach);
}

static long ioc_scope(struct ktap_session *s, void __user *user)
{
	struct ktap_session_scope arg;
	int err;

	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	if (arg.flags & ~__KTAP_SCOPE_F_ALL)
		return -EINVAL;
	mutex_lock(&s->lock);
	err = ktap_session_limit(s, arg.pid, arg.flags & KTAP_SCOPE_F_TREE);
	mutex_unlock(&s->lock);
	return err;
}

static long ioc_rates(struct ktap_session *s, void __user *user)
{
	struct ktap_session_rates arg;

	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	if (arg.max > S64_MAX)
		return -EINVAL;
	mutex_lock(&s->lock);
	s->rates = arg;
	mutex_unlock(&s->lock);
	return 0;
}

static long ioc_map(struct ktap_session *s, void __user *user)
{
	struct ktap_session_map arg;
	int err;

	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	mutex_lock(&s->lock);
	err = ktap_session_map(s, &arg);
	mutex_unlock(&s->lock);
	if (!err && copy_to_user(user, &arg, sizeof(arg)))
		err = -EFAULT;
	return err;
}

static long counts(struct ktap_session *s, void __user *user, size_t size)
{
	struct ktap_session_counts arg = {};
	int err;

	if (copy_from_user(&arg, user, size))
		return -EFAULT;
	mutex_lock(&ktap_lock);
	err = ktap_session_counts(s, &arg);
	mutex_unlock(&ktap_lock);
	if (!err && copy_to_user(user, &arg, size))
		err = -EFAULT;
	return err;
}

static long ioc_counts(struct ktap_session *s, void __user *user)
{
	return counts(s, user, sizeof(struct ktap_session_counts));
}

static long ioc_counts_old(struct ktap_session *s, void __user *user)
{
	BUILD_BUG_ON(offsetof(struct ktap_session_counts, counts.aggregated) !=
		     KTAP_COUNTS_OLD_SIZE);
	return counts(s, user, KTAP_COUNTS_OLD_SIZE);
}

static long ioc_mark(struct ktap_session *s, void __user *user)
{
	char text[KTAP_MARK_ROOM] = {};
	struct ktap_session_mark arg;

	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	if (!arg.size || arg.size > KTAP_MARK_MAX || arg.flags)
		return -EINVAL;
	if (copy_from_user(text, u64_to_user_ptr(arg.text), arg.size))
		return -EFAULT;
	if (memchr(text, 0, arg.size))
		return -EINVAL;
	ktap_mark(text, arg.size, &arg.marks);
	return copy_to_user(user, &arg, sizeof(arg)) ? -EFAULT : 0;
}

static long ioc_marks(struct ktap_session *s, void __user *user)
{
	struct ktap_marks arg;

	mutex_lock(&ktap_lock);
	arg = s->marks;
	mutex_unlock(&ktap_lock);
	return copy_to_user(user, &arg, sizeof(arg)) ? -EFAULT : 0;
}

static long ioc_user_table(struct ktap_session *s, void __user *user)
{
	struct ktap_session_table arg;
	int err;

	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	err = ktap_user_table_add(&s->user, &arg);
	if (!err && copy_to_user(user, &arg, sizeof(arg)))
		err = -EFAULT;
	return err;
}

static long ioc_user_files(struct ktap_session *s, void __user *user)
{
	struct ktap_session_files arg;
	int err;

	if (copy_from_user(&arg, user, sizeof(arg)))
		return -EFAULT;
	err = ktap_user_files_tell(&s->user, &arg);
	if (!err && copy_to_user(user, &arg, sizeof(arg)))
		err = -EFAULT;
	return err;
}

static const struct {
	unsigned int cmd;
	long (*run)(struct ktap_session *s, void __user *user);
} iocs[] = {
	{ KTAP_IOC_SETUP, ioc_setup },
	{ KTAP_IOC_STATE, ioc_state },
	{ KTAP_IOC_ATTACH, ioc_attach },
	{ KTAP_IOC_DETACH, ioc_detach },
	{ KTAP_IOC_ATTACH_MANY, ioc_attach_many },
	{ KTAP_IOC_DETACH_MANY, ioc_detach_many },
	{ KTAP_IOC_SCOPE, ioc_scope },
	{ KTAP_IOC_COUNTS, ioc_counts },
	{ KTAP_IOC_COUNTS_OLD, ioc_counts_old },
	{ KTAP_IOC_RATES, ioc_rates },
	{ KTAP_IOC_MAP, ioc_map },
	{ KTAP_IOC_MARK, ioc_mark },
	{ KTAP_IOC_MARKS, ioc_marks },
	{ KTAP_IOC_USER_TABLE, ioc_user_table },
	{ KTAP_IOC_USER_FILES, ioc_user_files },
};

static long ktap_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(iocs); i++)
		if (iocs[i].cmd == cmd)
			return iocs[i].run(file->private_data,
					   (void __user *)arg);
	return -ENOTTY;
}

static int ktap_mmap(struct file *file, struct vm_area_struct *vma)
{
	u64 at = (u64)vma->vm_pgoff << PAGE_SHIFT;
	unsigned long page = (at % KTAP_MMAP_STRIDE) >> PAGE_SHIFT;
	struct ktap_session *s = file->private_data;
	struct ktap_ringmem *m;

	if (at >= KTAP_MMAP_STACKS)
		return ktap_stack_table_mmap(ktap_session_stacks(s), vma,
					     (at - KTAP_MMAP_STACKS) >> PAGE_SHIFT);
	if (at >= KTAP_MMAP_MAPS)
		return ktap_maps_mmap(&s->maps,
				      (at - KTAP_MMAP_MAPS) / KTAP_MMAP_STRIDE,
				      vma, page);
	m = ktap_session_mem(s, at / KTAP_MMAP_STRIDE);
	return m ? ktap_ringmem_map(m, vma, page) : -ENXIO;
}

static __poll_t ktap_poll(struct file *file, struct poll_table_struct *wait)
{
	struct ktap_session *s = file->private_data;
	unsigned int cpu;

	poll_wait(file, &s->waiter.queue, wait);
	ktap_waiter_begin(&s->waiter);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		const struct ktap_ringmem *m = ktap_session_mem(s, cpu);

		if (m && ktap_ringmem_ready(m))
			return EPOLLIN | EPOLLRDNORM;
	}
	return 0;
}

static const struct file_operations ktap_fops = {
	.owner = THIS_MODULE,
	.open = ktap_open,
	.release = ktap_release,
	.unlocked_ioctl = ktap_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = ktap_mmap,
	.poll = ktap_poll,
	.llseek = noop_llseek,
};

static struct miscdevice ktap_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "ktap",
	.fops = &ktap_fops,
	.mode = 0660,
};

/**
 * ktap_chardev_init() - register /dev/ktap
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int ktap_chardev_init(void)
{
	return misc_register(&ktap_device);
}

/**
 * ktap_chardev_exit() - unregister /dev/ktap
 *
 * Context: module exit; no file is open.
 */
void ktap_chardev_exit(void)
{
	misc_deregister(&ktap_device);
}
