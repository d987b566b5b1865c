/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All differences between kernel versions; no other file has any. One wrapper per
 * difference, named after what ktap needs.
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

#ifdef CONFIG_UNWINDER_ORC
#include <asm/orc_types.h>
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0) && defined(CONFIG_ARM64)
#include <asm/stacktrace/frame.h>
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 10, 0)
#error "ktap needs Linux 5.10 or later"
#endif

/*
 * Names the member that has the length of a flexible array. Added in 6.6 (commit
 * dd06e72e68bc); in 6.1 stable only later releases have it.
 */
#ifndef __counted_by
#define __counted_by(member)
#endif

/*
 * The workqueue for work on any CPU. 6.17 (commit 128ea9f6ccfb) renamed it; later kernels
 * warn about the old name.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define ktap_any_wq	system_dfl_wq
#else
#define ktap_any_wq	system_unbound_wq
#endif

/* Whether the current system call is a 32-bit one. */
static __always_inline bool ktap_in_compat_syscall(void)
{
	return in_compat_syscall();
}

/* Initialises a timer with its function, one call since 6.13. */
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
 * Restricts a multicast group to administrators. 6.7 (commit e03781879a0d) and stable
 * kernels before it have a flag for the capability, and ignore the flag that was used
 * before.
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
 * Clears @denied, of VM_MAY*, so that mprotect() cannot set them. vm_flags became
 * read-only in 6.3 (commit bc292ab00f6c); 6.1 stable has no wrapper.
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

/* The mapping that contains an address, or NULL. Added in 5.14 (commit ce6d42f2e4a2). */
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
 * Walk over the mappings of an address space: KTAP_VMA_ITERATOR() among the declarations,
 * then the loop. Since 6.1 (commit 524e00b36e8c) they are no longer a list.
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
 * Can a hit look up mappings, without a lock? Since 6.1 (commit 524e00b36e8c) they are in a
 * tree that RCU protects; since 6.4 (commit 0d2ebf9c3f78) RCU protects the mappings
 * themselves as well. Before that their memory may be used for something else at once.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
#define KTAP_VMA_LOOKUP	1
static __always_inline const struct maple_tree *ktap_vma_tree(const struct mm_struct *mm)
{
	return &mm->mm_mt;
}

static inline bool ktap_vma_is_rcu(struct mm_struct *mm)
{
	return mt_in_rcu(&mm->mm_mt);
}
#else
#define KTAP_VMA_LOOKUP	0
static __always_inline const struct maple_tree *ktap_vma_tree(const struct mm_struct *mm)
{
	return NULL;
}

static inline bool ktap_vma_is_rcu(struct mm_struct *mm)
{
	return false;
}
#endif

/* When the contents of a file were changed. Members have new names since 6.7 and 6.11. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define KTAP_INODE_MTIME_SEC	i_mtime_sec
#define KTAP_INODE_MTIME_NSEC	i_mtime_nsec
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
#define KTAP_INODE_MTIME_SEC	__i_mtime.tv_sec
#define KTAP_INODE_MTIME_NSEC	__i_mtime.tv_nsec
#else
#define KTAP_INODE_MTIME_SEC	i_mtime.tv_sec
#define KTAP_INODE_MTIME_NSEC	i_mtime.tv_nsec
#endif

/*
 * A number that changes whenever the mappings of an address space do. Since 6.13 (commit
 * 03a001b156d2, also in later releases of 6.12) the lock for writing counts its beginnings
 * and ends. Before that it counts the ends only, or nothing.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0) && defined(CONFIG_PER_VMA_LOCK)
#define KTAP_MM_SEQ	__same_type(((struct mm_struct *)NULL)->mm_lock_seq, seqcount_t)
/* Odd while they are being changed. */
static __always_inline u32 ktap_mm_seq(const struct mm_struct *mm)
{
	if (!KTAP_MM_SEQ)
		return 1;
	/* pairs with the barriers of do_raw_write_seqcount_begin() and _end() */
	return smp_load_acquire(&((const seqcount_t *)&mm->mm_lock_seq)->sequence);
}
#else
#define KTAP_MM_SEQ	0
static __always_inline u32 ktap_mm_seq(const struct mm_struct *mm)
{
	return 1;
}
#endif

/*
 * Can files of this mapping have uprobes? 5.19 (commit 7e0a126519b8) renamed the callback
 * that reads pages. Shared memory has no such callback; the check for it is exported to
 * modules in 6.1.
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

/* State of a task. 5.14 (commit 2f064a59a11f) renamed the member. */
static inline unsigned int ktap_task_state(const struct task_struct *t)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
	return READ_ONCE(t->__state);
#else
	return READ_ONCE(t->state);
#endif
}

/*
 * Does copy_from_user_nofault() check that the CPU uses the page tables of the task?
 * Since 6.4 (commit d319f344561d), and in 6.1 stable. On other kernels ktap checks.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0) ||			\
	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0) &&		\
	 LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0))
#define KTAP_NOFAULT_LOOKS	1
#else
#define KTAP_NOFAULT_LOOKS	0
#endif

/*
 * The kretprobe of an instance, or NULL during unregistration. 5.11 (commit d741bf41d7c7)
 * moved it to a structure that both point to.
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
 * Puts the return address into the registers at a return. The kernel does this since 5.16
 * (commit df91c5bccb0c). Before that, they belong to the trampoline, which does not
 * read this register again.
 */
static __always_inline void
ktap_kretprobe_settle(const struct kretprobe_instance *ri, struct pt_regs *regs)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 16, 0)
	instruction_pointer_set(regs, (unsigned long)ri->ret_addr);
#endif
}

/*
 * A handler of a rethook, of @node, @data and @regs. 6.5 (commit cb16330d1274) added the
 * return address, which the registers contain.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
#define KTAP_RETHOOK_HANDLER(name)					\
	void name(struct rethook_node *node, void *data, unsigned long retaddr,	\
		  struct pt_regs *regs)
#else
#define KTAP_RETHOOK_HANDLER(name)					\
	void name(struct rethook_node *node, void *data, struct pt_regs *regs)
#endif

/*
 * Bytes that kmalloc() takes for @size. Since 6.1 (commit 05a940656e1e) the kernel
 * reports them. Before that there are sizes between the powers of two too, so the result
 * may be too large.
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
 * Bytes that the kernel takes for the instances of a kretprobe. Since 6.7 (commit
 * 4bbd93455659) each possible CPU has separate pages, with pointers to all instances and
 * its share of the instances. Before that each instance is a separate allocation.
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
 * struct ktap_uprobe_handle - handle for unregistering. Since 6.12 registering returns an
 * object (commit 3c83a9ad0295), and unregistering does not wait for running handlers
 * (commit 04b01625da13).
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

/* Handlers may run until ktap_uprobe_sync() returns. */
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
 * Head of a filter of (uc, mm). 6.12 (commit 59da880afed2) removed the argument for the
 * operation.
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
 * Heads of handlers of (uc, regs) and (uc, func, regs). Since 6.13 (commit da09a9e0c3ea)
 * a consumer may pass a word from the entry to the return, which ktap does not use.
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
 * Flags that an ftrace hook needs, and access to its registers. Kernels that save the
 * arguments of every function need no flag; others (arm64 before 6.2, commit
 * 26299b3f6ba2) save all registers if the flag is set. 6.13 (commit 7888af4166d4) made
 * the structure opaque; some stable kernels have that too.
 */
#if defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#define KTAP_FTRACE_FLAGS	0
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0) &&			\
	defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#define KTAP_FTRACE_FLAGS	FTRACE_OPS_FL_SAVE_REGS
#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
/*
 * Before 5.11 (commit a25d036d939a) ftrace added a recursion guard unless an ops set
 * FTRACE_OPS_FL_RECURSION_SAFE, and a hook got a struct pt_regs (commit d19ad0775dcd).
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
 * Does ftrace accept the address of a function for a site inside it? Since 5.18 (commit
 * aebfd12521d9).
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0)
#define KTAP_FTRACE_KNOWS_FUNCTIONS	1
#else
#define KTAP_FTRACE_KNOWS_FUNCTIONS	0
#endif

#ifdef KTAP_FTRACE_FLAGS

/* struct ktap_ftrace_ips - addresses */
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
 * Changes the filter of an ops from @old to @set. Since 5.18 (commit 4f554e955614) in one
 * call. Before that address by address, without a reset, so that no function leaves the
 * filter temporarily.
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
 * Frees the filter of an unregistered ops. ftrace_free_filter() is exported since 6.3
 * (commit 8be9fbd5345d), and in 6.1 stable. An empty filter takes no memory.
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

/* End of user addresses. arm64 defines it since 5.11, which removed set_fs(). */
#ifndef TASK_SIZE_MAX
#define TASK_SIZE_MAX		TASK_SIZE_64
#endif

/*
 * Reads kernel memory without a call. arm64 has it since 5.11; before that it is a call.
 */
#ifndef __get_kernel_nofault
#define __get_kernel_nofault(dst, src, type, label)			\
do {									\
	if (copy_from_kernel_nofault(dst, src, sizeof(type)))		\
		goto label;						\
} while (0)
#endif

/*
 * Begins reads of user memory, upwards from *@ptr, at most @size bytes. Since 6.12
 * (commit 2865baf54077) some architectures replace a kernel address by one that faults,
 * instead of a check and a speculation barrier.
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
 * Before 6.14 x86's mm_cpumask() has exactly the CPUs that use an address space, except
 * during a switch, when interrupts are disabled: switch_mm_irqs_off() clears a CPU in the
 * old mask before it sets it in the new one, and loads CR3 last. Since 6.14 (commit
 * 209954cbc7d0) a CPU stays in the old mask until a later TLB flush, so the mask is not
 * exact then.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
#define KTAP_MM_CPUMASK_IS_EXACT	1
#else
#define KTAP_MM_CPUMASK_IS_EXACT	0
#endif

/*
 * The return address that the trampoline @lr replaces, which a return probe has put on the
 * stack, for a call whose caller has the frame record @fp; @lr if no probe follows the
 * call. The last of several probes on a call has the address. Only for architectures where
 * the kernel knows a call by its caller's frame: arm64 since 5.16. Before that it is known by
 * the stack pointer, which no record tells.
 */
static inline unsigned long ktap_followed_return(unsigned long lr,
						 unsigned long fp)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 16, 0) && defined(CONFIG_KRETPROBES)
	const struct llist_node *node;
	unsigned int n = 0;

#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	for (node = READ_ONCE(current->rethooks.first); node && n < 64;
	     node = READ_ONCE(node->next), n++) {
		const struct rethook_node *r =
			container_of(node, struct rethook_node, llist);

		if (r->frame == fp)
			lr = r->ret_addr;
	}
#else
	for (node = READ_ONCE(current->kretprobe_instances.first);
	     node && n < 64; node = READ_ONCE(node->next), n++) {
		const struct kretprobe_instance *r =
			container_of(node, struct kretprobe_instance, llist);

		if (r->fp == (void *)fp)
			lr = (unsigned long)r->ret_addr;
	}
#endif
#endif
	return lr;
}

/* Does a return probe follow a call of this task, as ktap_followed_return() knows them? */
static __always_inline bool ktap_follows_calls(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 16, 0) || !defined(CONFIG_KRETPROBES)
	return false;
#elif defined(CONFIG_KRETPROBE_ON_RETHOOK)
	return READ_ONCE(current->rethooks.first);
#else
	return READ_ONCE(current->kretprobe_instances.first);
#endif
}

/*
 * arm64: the word after a frame record that has zeros and is an exception's; 0: there is no such
 * word. 6.13 stores it after all records that have zeros (struct frame_record_meta, commit
 * c2c6b27b5aa1).
 */
#if defined(CONFIG_ARM64) && defined(FRAME_META_TYPE_PT_REGS)
#define KTAP_RECORD_OF_REGS	FRAME_META_TYPE_PT_REGS
#else
#define KTAP_RECORD_OF_REGS	0
#endif

/* What the kernel puts in place of the return address of a call whose return is probed. */
#if defined(CONFIG_KRETPROBE_ON_RETHOOK)
#define KTAP_RETURN_TRAMPOLINE	"arch_rethook_trampoline"
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(5, 16, 0)
#define KTAP_RETURN_TRAMPOLINE	"__kretprobe_trampoline"
#else
#define KTAP_RETURN_TRAMPOLINE	"kretprobe_trampoline"
#endif

/*
 * Does ktap have to keep the return addresses that its kretprobes replace? Since 5.16 the
 * unwinder of x86-64 finds them (commit 19138af1bd88), and ktap_followed_return() those of arm64.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 16, 0) && defined(CONFIG_KRETPROBES) &&	\
	(defined(CONFIG_UNWINDER_ORC) || defined(CONFIG_ARM64))
#define KTAP_KEEPS_RETURNS	1
#else
#define KTAP_KEEPS_RETURNS	0
#endif

/*
 * Is a frame whose row ends the stack the outermost one? Before 6.4 retpolines have such rows,
 * as one hint said both "the end" and "nothing is known here" (commit fb799447ae29).
 */
#define KTAP_ORC_END_IS_SURE	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0))

/* Is a row of the ORC tables of an outermost frame? That is a type since 6.4. */
#ifdef CONFIG_UNWINDER_ORC
static __always_inline bool ktap_orc_is_end(const struct orc_entry *row)
{
#ifdef ORC_TYPE_END_OF_STACK
	return row->type == ORC_TYPE_END_OF_STACK;
#else
	return row->sp_reg == ORC_REG_UNDEFINED && row->end;
#endif
}
#endif

#endif /* KTAP_COMPAT_H */
