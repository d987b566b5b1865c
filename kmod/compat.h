/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernel versions: all of them, and nowhere else. One
 * wrapper per difference, named for what ktap wants.
 */
#ifndef KTAP_COMPAT_H
#define KTAP_COMPAT_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include <net/genetlink.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "ktap needs Linux 6.1 or later"
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
	return (u64)maxactive * kmalloc_size_roundup(size);
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
#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#define KTAP_FTRACE_FLAGS	FTRACE_OPS_FL_SAVE_REGS
#endif
#ifdef arch_ftrace_regs
#define ktap_ftrace_saved(fregs)	arch_ftrace_regs(fregs)
#else
#define ktap_ftrace_saved(fregs)	(fregs)
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
