// SPDX-License-Identifier: GPL-2.0
/*
 * What is mapped at an address of the current task.
 *
 * A hit must not take the lock of an address space: even a trylock would have to wake who
 * waits for it at the unlock. So mappings are looked up under RCU; a walk cannot be preempted,
 * which makes it a reader. Members of a mapping are read by copies that may fault, because
 * until 6.4 its memory may be reused at any time. If the look-up finds the same mapping with
 * the same contents again, it existed all the time between, and so did its file and the
 * inode, whose memory RCU keeps.
 *
 * A note says how a mapping was found. If the tree has the same mapping at the same place, and
 * the mapping says the same of itself and of its file, another look-up would find the same.
 */
#include <linux/build_bug.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "hit/peek.h"
#include "hit/user_map.h"
#include "hit/user_stack.h"
#include "hit/user_tree.h"

#define TRIES	3	/* look-ups of one mapping, which another task may change */

/* ---- reading ------------------------------------------------------------------ */

/* The caller has disabled page faults. */
static __always_inline bool peek_mapping(u64 vma, struct ktap_user_mapping *m)
{
	if (unlikely(!ktap_peek_ok(struct vm_area_struct, vma)))
		return false;
	KTAP_PEEK(struct vm_area_struct, vma, vm_start, &m->start, fault);
	KTAP_PEEK(struct vm_area_struct, vma, vm_end, &m->end, fault);
	KTAP_PEEK(struct vm_area_struct, vma, vm_pgoff, &m->pgoff, fault);
	KTAP_PEEK(struct vm_area_struct, vma, vm_flags, &m->flags, fault);
	KTAP_PEEK(struct vm_area_struct, vma, vm_file, &m->file, fault);
	return true;
fault:
	return false;
}

/* Size and time of the last change: see struct ktap_user_id. */
static __always_inline bool peek_contents(u64 inode, u64 *size, u64 *changed)
{
	u64 mapping, writable, sec, nsec;

	KTAP_PEEK(struct inode, inode, i_mapping, &mapping, fault);
	KTAP_PEEK(struct inode, inode, i_size, size, fault);
	KTAP_PEEK(struct inode, inode, KTAP_INODE_MTIME_SEC, &sec, fault);
	KTAP_PEEK(struct inode, inode, KTAP_INODE_MTIME_NSEC, &nsec, fault);
	if (unlikely(!ktap_peek_ok(struct address_space, mapping)))
		return false;
	KTAP_PEEK(struct address_space, mapping, i_mmap_writable, &writable, fault);
	ktap_user_contents(size, changed, (s32)writable > 0, sec, nsec);
	return true;
fault:
	return false;
}

static __always_inline bool peek_file(u64 file, struct ktap_user_id *id)
{
	u64 inode, sb, generation, dev;

	if (unlikely(!ktap_peek_ok(struct file, file)))
		return false;
	KTAP_PEEK(struct file, file, f_inode, &inode, fault);
	if (unlikely(!ktap_peek_ok(struct inode, inode)))
		return false;
	KTAP_PEEK(struct inode, inode, i_sb, &sb, fault);
	KTAP_PEEK(struct inode, inode, i_ino, &id->inode, fault);
	KTAP_PEEK(struct inode, inode, i_generation, &generation, fault);
	if (unlikely(!ktap_peek_ok(struct super_block, sb)))
		return false;
	KTAP_PEEK(struct super_block, sb, s_dev, &dev, fault);
	id->dev = dev;
	id->generation = generation;
	return peek_contents(inode, &id->size, &id->changed);
fault:
	return false;
}

static __always_inline bool read_mapping(u64 vma, struct ktap_user_mapping *m)
{
	bool ret;

	pagefault_disable();
	ret = peek_mapping(vma, m) && (!m->file || peek_file(m->file, &m->id));
	pagefault_enable();
	return ret;
}

/* Goes to @label unless a member has the value that it had. */
#define SAYS(type, object, member, value, label) do {				\
	u64 now_;								\
										\
	KTAP_PEEK(type, object, member, &now_, label);				\
	if (unlikely(now_ != (value)))						\
		goto label;							\
} while (0)

static __always_inline bool file_says(u64 file, const struct ktap_user_id *id)
{
	u64 inode, sb, size, changed;

	KTAP_PEEK(struct file, file, f_inode, &inode, no);
	if (unlikely(!ktap_peek_ok(struct inode, inode)))
		return false;
	SAYS(struct inode, inode, i_ino, id->inode, no);
	SAYS(struct inode, inode, i_generation, id->generation, no);
	KTAP_PEEK(struct inode, inode, i_sb, &sb, no);
	if (unlikely(!ktap_peek_ok(struct super_block, sb)))
		return false;
	SAYS(struct super_block, sb, s_dev, id->dev, no);
	return peek_contents(inode, &size, &changed) && size == id->size &&
	       changed == id->changed;
no:
	return false;
}

/*
 * Does a mapping still say the same? A trail asks at each hit, so this stops at the first
 * difference and keeps nothing. What has been read before needs no check of its address.
 */
static __always_inline bool mapping_says(u64 vma, const struct ktap_user_mapping *m)
{
	bool ret = false;

	pagefault_disable();
	SAYS(struct vm_area_struct, vma, vm_start, m->start, out);
	SAYS(struct vm_area_struct, vma, vm_end, m->end, out);
	SAYS(struct vm_area_struct, vma, vm_pgoff, m->pgoff, out);
	SAYS(struct vm_area_struct, vma, vm_flags, m->flags, out);
	SAYS(struct vm_area_struct, vma, vm_file, m->file, out);
	ret = !m->file || file_says(m->file, &m->id);
out:
	pagefault_enable();
	return ret;
}

/* ---- mappings ----------------------------------------------------------------- */

/* Return: 1; 0: nothing is there; -EAGAIN: it has changed meanwhile. */
static int look(struct mm_struct *mm, u64 at, struct ktap_user_mapping *m,
		struct ktap_user_way *way)
{
	u64 vma, now;

	if (!KTAP_VMA_LOOKUP || !ktap_user_vma(ktap_vma_tree(mm), at, &vma, way))
		return -EAGAIN;
	if (!vma)
		return 0;
	if (!read_mapping(vma, m) || !ktap_user_vma(ktap_vma_tree(mm), at, &now, NULL) ||
	    now != vma || !mapping_says(vma, m))
		return -EAGAIN;
	return at >= m->start && at < m->end;
}
NOKPROBE_SYMBOL(look);

static void number(struct ktap_user_map *map, const struct ktap_user_id *id, u64 at)
{
	struct ktap_user_files *f = READ_ONCE(ktap_user_files);

	map->file = f ? ktap_user_files_find(f, id, current->tgid, at) : 0;
	if (map->file)
		/* P: address dependency; pairs with publish() */
		map->table = READ_ONCE(f->slots[map->file].table);
	else
		map->file = KTAP_USER_UNNUMBERED;
}
NOKPROBE_SYMBOL(number);

/**
 * env_user_map() - what is mapped at an address of the current task
 * @at: address
 * @map: filled
 * @note: filled with how it was found; or NULL
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy.
 * Return: false: nothing is, or another task goes on changing it.
 */
bool env_user_map(u64 at, struct ktap_user_map *map, struct ktap_user_note *note)
{
	struct mm_struct *mm = current->mm;
	int tries, found = -EAGAIN;
	struct ktap_user_mapping m;

	for (tries = 0; tries < TRIES && found == -EAGAIN; tries++)
		found = look(mm, at, &m, note ? &note->way : NULL);
	if (found != 1)
		return false;
	if (note)
		note->says = m;
	*map = (struct ktap_user_map){
		.start = m.start, .end = m.end, .offset = m.pgoff << PAGE_SHIFT,
		.has_file = m.file, .is_code = m.flags & VM_EXEC,
	};
	if (m.file && map->is_code) {
		number(map, &m.id, at);
	} else if (!m.file) {
		map->offset = 0;
		map->file = m.start == ktap_arch_vdso(mm) ? KTAP_USER_VDSO : 0;
	}
	return true;
}
NOKPROBE_SYMBOL(env_user_map);

/**
 * ktap_user_map_same() - would a look-up find the same mapping again?
 * @mm: address space of the current task
 * @note: how it was found in this address space
 *
 * Context: any, NMI included; preemption disabled.
 * Return: whether it would.
 */
bool ktap_user_map_same(const struct mm_struct *mm, const struct ktap_user_note *note)
{
	u64 vma;

	if (!KTAP_VMA_LOOKUP)
		return false;
	vma = ktap_user_way_leads(ktap_vma_tree(mm), &note->way);
	return vma && mapping_says(vma, &note->says);
}
NOKPROBE_SYMBOL(ktap_user_map_same);
