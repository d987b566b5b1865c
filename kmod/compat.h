/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernel versions: all of them, and nowhere else. One
 * wrapper per difference, named for what ktap wants.
 */
#ifndef KTAP_COMPAT_H
#define KTAP_COMPAT_H

#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include <net/genetlink.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 10, 0)
#error "ktap needs Linux 5.10 or later"
#endif

/*
 * For members that are arrays: another member counts them. It came with 6.6
 * (commit dd06e72e68bc); 6.1 stable has it only in its later releases.
 */
#ifndef __counted_by
#define __counted_by(member)
#endif

/*
 * The queue for work that may run on any CPU. 6.17 (commit 128ea9f6ccfb) named it
 * anew; later kernels complain of the old name.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define ktap_any_wq	system_dfl_wq
#else
#define ktap_any_wq	system_unbound_wq
#endif

/* Whether the current system call is one of another width than the kernel's. */
static __always_inline bool ktap_in_compat_syscall(void)
{
	return in_compat_syscall();
}

/* A timer with its function: at once since 6.13. The suites have some. */
static inline void
ktap_hrtimer_setup(struct hrtimer *timer,
		   enum hrtimer_restart (*function)(struct hrtimer *),
		   enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, mode);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, mode);
	timer->function = function;
#endif
}

/*
 * A multicast group for administrators: 6.7 (commit e03781879a0d) and stable
 * kernels before it ask for a capability by a flag of its own, and no longer
 * look at the one that was there before.
 */
#ifdef GENL_MCAST_CAP_SYS_ADMIN
#define KTAP_MCAST_ADMIN	GENL_MCAST_CAP_SYS_ADMIN
#else
#define KTAP_MCAST_ADMIN	GENL_UNS_ADMIN_PERM
#endif

/* Attributes of a dump request. 6.6 (commit 5aa51d9f889c) moved them. */
static inline struct nlattr **ktap_dump_attrs(struct netlink_callback *cb)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	return genl_info_dump(cb)->attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

/*
 * What mprotect() may never give a mapping: @denied, of VM_MAY*. vm_flags
 * became read-only in 6.3 (commit bc292ab00f6c); 6.1 stable has no wrapper.
 */
static inline void ktap_vma_deny(struct vm_area_struct *vma,
				 unsigned long denied)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_clear(vma, denied);
	vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP);
#else
	vma->vm_flags &= ~denied;
	vma->vm_flags |= VM_DONTEXPAND | VM_DONTDUMP;
#endif
}

/*
 * The mapping that an address is in, or NULL. 5.14 (commit ce6d42f2e4a2) says it so.
 */
static inline struct vm_area_struct *ktap_vma_at(struct mm_struct *mm,
						 unsigned long addr)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
	return vma_lookup(mm, addr);
#else
	struct vm_area_struct *vma = find_vma(mm, addr);

	return vma && vma->vm_start <= addr ? vma : NULL;
#endif
}

/*
 * Walk over the mappings of an address space: KTAP_VMA_ITERATOR() among the
 * declarations, then for each. Since 6.1 (commit 524e00b36e8c) they are no list.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
#define KTAP_VMA_ITERATOR(name, mm)	VMA_ITERATOR(name, mm, 0)
#define ktap_for_each_vma(name, vma)	for_each_vma(name, vma)
#else
#define KTAP_VMA_ITERATOR(name, mm)	struct mm_struct *(name) = (mm)
#define ktap_for_each_vma(name, vma)					\
	for ((vma) = (name)->mmap; (vma); (vma) = (vma)->vm_next)
#endif

/*
 * Can uprobes be in files of a mapping? 5.19 (commit 7e0a126519b8) has another call
 * to read pages, which memory's own files have neither; what tells these is
 * exported to modules in 6.1.
 */
static inline bool ktap_can_map_text(const struct address_space *mapping)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
	return mapping->a_ops->read_folio ||
	       shmem_mapping((struct address_space *)mapping);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(5, 19, 0)
	return mapping->a_ops->read_folio ||
	       mapping->host->i_sb->s_magic == TMPFS_MAGIC;
#else
	return mapping->a_ops->readpage ||
	       mapping->host->i_sb->s_magic == TMPFS_MAGIC;
#endif
}

/* What a task is at. 5.14 (commit 2f064a59a11f) renamed it. */
static inline unsigned int ktap_task_state(const struct task_struct *t)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
	return READ_ONCE(t->__state);
#else
	return READ_ONCE(t->state);
#endif
}

/*
 * Does copy_from_user_nofault() see by itself that the CPU has other tables loaded
 * than the task's? Since 6.4 (commit d319f344561d), which came to 6.1 stable; here
 * it is asked for where that did not come for sure.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
#define KTAP_NOFAULT_LOOKS	1
#else
#define KTAP_NOFAULT_LOOKS	0
#endif

/*
 * Whose instance it is, or NULL while that is being unregistered. 5.11 (commit
 * d741bf41d7c7) has it behind a pointer that both share.
 */
static inline struct kretprobe *
ktap_kretprobe_of(const struct kretprobe_instance *ri)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
	return get_kretprobe((struct kretprobe_instance *)ri);
#else
	return READ_ONCE(ri->rp);
#endif
}

/*
 * Have registers at a return say where to. 5.16 (commit df91c5bccb0c) does it; before,
 * they are those of the trampoline, which does not look at this one again.
 */
static __always_inline void
ktap_kretprobe_settle(const struct kretprobe_instance *ri, struct pt_regs *regs)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 16, 0)
	instruction_pointer_set(regs, (unsigned long)ri->ret_addr);
#endif
}

/*
 * Bytes that kmalloc() takes for @size. 6.1 (commit 05a940656e1e) tells; before,
 * there were sizes between the powers of two, too, so it may be less.
 */
static inline size_t ktap_kmalloc_bytes(size_t size)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
	return kmalloc_size_roundup(size);
#else
	return roundup_pow_of_two(size);
#endif
}

/*
 * Bytes that the kernel takes for the instances of a kretprobe. Since 6.7
 * (commit 4bbd93455659) each possible CPU has pages of its own, with room for
 * pointers to all instances and for its share of them; before that, each
 * instance was allocated for itself.
 */
static inline u64 ktap_kretprobe_bytes(u32 maxactive, size_t data_size)
{
	size_t size = sizeof(struct kretprobe_instance) + data_size;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	u64 share = DIV_ROUND_UP(maxactive, num_possible_cpus());
	u64 slot = sizeof(struct objpool_slot) +
		   roundup_pow_of_two(maxactive) * sizeof(void *) +
		   share * ALIGN(size, sizeof(long));

	return PAGE_ALIGN(slot) * num_possible_cpus();
#else
	return (u64)maxactive * ktap_kmalloc_bytes(size);
#endif
}

#ifdef CONFIG_UPROBES

/*
 * struct ktap_uprobe_handle - what unregistering takes. 6.12 made it an object
 * (commit 3c83a9ad0295) and no longer waits for handlers that run (commit
 * 04b01625da13).
 */
struct ktap_uprobe_handle {
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	struct uprobe *uprobe;
#else
	struct inode *inode;
	loff_t offset;
#endif
};

static inline int ktap_uprobe_register(struct ktap_uprobe_handle *ret,
				       struct inode *inode, loff_t offset,
				       loff_t ref_offset,
				       struct uprobe_consumer *uc)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	struct uprobe *uprobe = uprobe_register(inode, offset, ref_offset, uc);

	ret->uprobe = uprobe;
	return PTR_ERR_OR_ZERO(uprobe);
#else
	ret->inode = inode;
	ret->offset = offset;
	return uprobe_register_refctr(inode, offset, ref_offset, uc);
#endif
}

/* Handlers may still run until ktap_uprobe_sync(). */
static inline void ktap_uprobe_unregister(struct ktap_uprobe_handle *handle,
					  struct uprobe_consumer *uc)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	uprobe_unregister_nosync(handle->uprobe, uc);
#else
	uprobe_unregister(handle->inode, handle->offset, uc);
#endif
}

static inline void ktap_uprobe_sync(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	uprobe_unregister_sync();
#endif
}

/*
 * Head of a filter of (uc, mm). 6.12 (commit 59da880afed2) no longer says what
 * is being done.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define KTAP_UPROBE_FILTER(name)					\
	bool name(struct uprobe_consumer *uc, struct mm_struct *mm)
#else
#define KTAP_UPROBE_FILTER(name)					\
	bool name(struct uprobe_consumer *uc,				\
		  enum uprobe_filter_ctx ctx, struct mm_struct *mm)
#endif

/*
 * Heads of handlers of (uc, regs) and (uc, func, regs). Since 6.13 (commit
 * da09a9e0c3ea) a consumer may keep a word from an entry to its return, which
 * ktap has no use for.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define KTAP_UPROBE_HANDLER(name)					\
	int name(struct uprobe_consumer *uc, struct pt_regs *regs, __u64 *data)
#define KTAP_UPROBE_RET_HANDLER(name)					\
	int name(struct uprobe_consumer *uc, unsigned long func,	\
		 struct pt_regs *regs, __u64 *data)
#else
#define KTAP_UPROBE_HANDLER(name)					\
	int name(struct uprobe_consumer *uc, struct pt_regs *regs)
#define KTAP_UPROBE_RET_HANDLER(name)					\
	int name(struct uprobe_consumer *uc, unsigned long func,	\
		 struct pt_regs *regs)
#endif

#endif /* CONFIG_UPROBES */

/*
 * What an ftrace hook has to ask for, and where the registers are that it gets.
 * Kernels that save the arguments of every function need no flag; others (arm64
 * before 6.2, commit 26299b3f6ba2) save all registers where it is set. The
 * structure became opaque with 6.13 (commit 7888af4166d4), which came to some
 * stable kernels too.
 */
#if defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#define KTAP_FTRACE_FLAGS	0
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0) &&			\
	defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#define KTAP_FTRACE_FLAGS	FTRACE_OPS_FL_SAVE_REGS
#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
/*
 * Before 5.11 (commit a25d036d939a) ftrace guarded against recursion who did
 * not say that he can do without; and a hook got a struct pt_regs (until commit
 * d19ad0775dcd, also of 5.11).
 */
#define KTAP_FTRACE_FLAGS	(FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_RECURSION_SAFE)
#define ftrace_regs		pt_regs
#define ktap_ftrace_pt_regs(fregs)	(fregs)
#endif
#ifdef arch_ftrace_regs
#define ktap_ftrace_saved(fregs)	arch_ftrace_regs(fregs)
#else
#define ktap_ftrace_saved(fregs)	(fregs)
#endif
#ifndef ktap_ftrace_pt_regs
#define ktap_ftrace_pt_regs(fregs)	(&ktap_ftrace_saved(fregs)->regs)
#endif

/*
 * Does ftrace know a site by the address of its function, where that is not the
 * same? Since 5.18 (commit aebfd12521d9).
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0)
#define KTAP_FTRACE_KNOWS_FUNCTIONS	1
#else
#define KTAP_FTRACE_KNOWS_FUNCTIONS	0
#endif

#ifdef KTAP_FTRACE_FLAGS

/* struct ktap_ftrace_ips - addresses. */
struct ktap_ftrace_ips {
	unsigned long *ips;
	unsigned int nr;
};

static inline bool ktap_ftrace_ips_has(const struct ktap_ftrace_ips *set,
				       unsigned long ip)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (set->ips[i] == ip)
			return true;
	return false;
}

/*
 * Make a filter be what is in @set, where @old is in it. Since 5.18 (commit
 * 4f554e955614) all at once; before, one after the other, and never all anew: a
 * function must not be out of the filter for a moment.
 */
static inline int ktap_ftrace_set_filter(struct ftrace_ops *ops,
					 const struct ktap_ftrace_ips *set,
					 const struct ktap_ftrace_ips *old)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0)
	return ftrace_set_filter_ips(ops, set->ips, set->nr, 0, 1);
#else
	unsigned int i;
	int err, ret = 0;

	for (i = 0; i < set->nr; i++) {
		if (ktap_ftrace_ips_has(old, set->ips[i]))
			continue;
		err = ftrace_set_filter_ip(ops, set->ips[i], 0, 0);
		ret = ret ?: err;
	}
	for (i = 0; i < old->nr; i++)
		if (!ktap_ftrace_ips_has(set, old->ips[i]))
			ftrace_set_filter_ip(ops, old->ips[i], 1, 0);
	return ret;
#endif
}

/*
 * Free the filter of what is not registered. ftrace_free_filter() is exported since
 * 6.3 (commit 8be9fbd5345d), and in 6.1 stable; an empty one takes no memory.
 */
static inline void ktap_ftrace_free_filter(struct ftrace_ops *ops)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
	ftrace_free_filter(ops);
#else
	ftrace_set_filter(ops, NULL, 0, 1);
#endif
}

#endif /* KTAP_FTRACE_FLAGS */

/* Where user addresses end. arm64 has it so since 5.11, when set_fs() left it. */
#ifndef TASK_SIZE_MAX
#define TASK_SIZE_MAX		TASK_SIZE_64
#endif

/*
 * Reads of kernel memory without a call. arm64 has them since 5.11, too; before, it is
 * one.
 */
#ifndef __get_kernel_nofault
#define __get_kernel_nofault(dst, src, type, label)			\
do {									\
	if (copy_from_kernel_nofault(dst, src, sizeof(type)))		\
		goto label;						\
} while (0)
#endif

/*
 * Reads of user memory begin, from *@ptr upwards, of at most @size bytes. Since
 * 6.12 (commit 2865baf54077) some architectures make of an address that is no
 * user's one that faults, instead of looking and holding up speculation.
 */
#ifndef can_do_masked_user_access
#define can_do_masked_user_access()	0
#define masked_user_access_begin(ptr)	NULL
#endif
static __always_inline bool ktap_user_read_begin(const char __user **ptr,
						 size_t size)
{
	if (can_do_masked_user_access()) {
		*ptr = masked_user_access_begin(*ptr);
		return true;
	}
	return user_read_access_begin(*ptr, size);
}

/*
 * Below 6.14 x86's mm_cpumask() tells which CPUs have an address space loaded, but
 * for the moment of a switch, in which interrupts are off: switch_mm_irqs_off()
 * takes a CPU out of the one before it puts it into the next, and only then loads
 * CR3. Since 6.14 (commit 209954cbc7d0) a CPU stays in the mask of what it ran
 * before until somebody flushes there: the mask tells nothing any more.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
#define KTAP_MM_CPUMASK_IS_EXACT	1
#else
#define KTAP_MM_CPUMASK_IS_EXACT	0
#endif

#endif /* KTAP_COMPAT_H */
