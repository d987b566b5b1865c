/* SPDX-License-Identifier: GPL-2.0 */
/* What a walk of a user stack needs to know, and asks env.h for. */
#ifndef KTAP_USER_REGS_H
#define KTAP_USER_REGS_H

#ifdef __KERNEL__
#include <linux/types.h>
#endif

struct ktap_user_rows;

#define KTAP_USER_WORDS_MAX	128	/* words of the memory that a trail may have */
#define KTAP_USER_LEVELS_MAX	6	/* of a tree of mappings: room for a million */

/* Mappings that a trail may have. It has none where the kernel counts the changes of all. */
#if defined(__KERNEL__) && !defined(KTAP_MADE_WORLD)
#include "compat.h"
#define KTAP_USER_NOTES_MAX	(KTAP_MM_SEQ ? 0 : 8)
#else
#define KTAP_USER_NOTES_MAX	2
#endif

/**
 * struct ktap_user_regs - what a walk needs of the registers of user code
 * @ip: program counter
 * @sp: stack pointer
 * @fp: frame pointer: rbp, x29
 * @lr: link register: x30; x86-64 has none
 */
struct ktap_user_regs {
	u64 ip;
	u64 sp;
	u64 fp;
	u64 lr;
};

/**
 * struct ktap_user_map - what is mapped at an address
 * @start: begin of the mapping
 * @end: its end
 * @offset: what @start is in the file
 * @file: number of the file; 0: it is none, or no code
 * @has_file: it is a file
 * @is_code: it may be executed
 * @table: unwind information of the file, or NULL
 */
struct ktap_user_map {
	u64 start;
	u64 end;
	u64 offset;
	u32 file;
	bool has_file;
	bool is_code;
	const struct ktap_user_rows *table;
};

/**
 * struct ktap_user_id - what identifies a file
 * @inode: number of its inode
 * @dev: file system: dev_t of the kernel
 * @generation: of the inode
 * @size: bytes
 * @changed: when its contents were last changed: 2^30 * seconds + nanoseconds
 *
 * The last two tell contents apart: a file may be overwritten in place, and a device may have
 * another file system later. They are 0 while a process has a shared mapping of the file for
 * writing: a JIT compiler that writes so would make another file of it all the time.
 */
struct ktap_user_id {
	u64 inode;
	u32 dev;
	u32 generation;
	u64 size;
	u64 changed;
};

/**
 * struct ktap_user_mapping - what a mapping says of itself
 * @start: its first address
 * @end: address after the last one
 * @pgoff: what @start is in the file, in pages
 * @flags: VM_*
 * @file: struct file; 0: none
 * @id: of the file, if it has one
 */
struct ktap_user_mapping {
	u64 start;
	u64 end;
	u64 pgoff;
	u64 flags;
	u64 file;
	struct ktap_user_id id;
};

/**
 * struct ktap_user_way - the way down a tree of mappings
 * @nr: steps; 0: it is not known, or too long
 * @steps: addresses of slots, and what they had: the root, a slot of each node, the mapping
 */
struct ktap_user_way {
	u32 nr;
	struct {
		u64 slot;
		u64 entry;
	} steps[KTAP_USER_LEVELS_MAX];
};

/**
 * struct ktap_user_note - how a mapping was found
 * @way: the way to it
 * @says: what it said
 */
struct ktap_user_note {
	struct ktap_user_way way;
	struct ktap_user_mapping says;
};

/**
 * struct ktap_user_read - what a walk has used
 * @open: it has used more than this struct says: another walk may end elsewhere
 * @fp: the frame pointer with which it began
 * @lr: the link register with which it began
 * @nr: number of @words
 * @nr_notes: number of @notes
 * @words: of the task's memory: addresses, and what they had
 * @notes: mappings; where the kernel counts the changes of all, it may have used any
 */
struct ktap_user_read {
	bool open;
	bool fp;
	bool lr;
	u32 nr;
	u32 nr_notes;
	struct {
		u64 at;
		u64 value;
	} words[KTAP_USER_WORDS_MAX];
	struct ktap_user_note notes[KTAP_USER_NOTES_MAX];
};

/**
 * struct ktap_user_sig - where a signal handler's caller has the registers of the
 * interrupted code, in bytes from the stack pointer
 */
struct ktap_user_sig {
	u16 fp;
	u16 sp;
	u16 ip;
	u16 lr;
};

#endif /* KTAP_USER_REGS_H */
