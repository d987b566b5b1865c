/* SPDX-License-Identifier: GPL-2.0 */
/* What a walk of a user stack needs to know, and asks env.h for. */
#ifndef KTAP_USER_REGS_H
#define KTAP_USER_REGS_H

#ifdef __KERNEL__
#include <linux/types.h>
#endif

struct ktap_user_rows;

#define KTAP_USER_WORDS_MAX	128	/* words of the memory that a trail may have */

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
 * @file: number of the file; 0: it is none, or has none
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
 * struct ktap_user_read - what a walk has used, beside the mappings
 * @open: it has used more than this struct says: another walk may end elsewhere
 * @fp: the frame pointer with which it began
 * @lr: the link register with which it began
 * @nr: number of @words
 * @words: of the task's memory: addresses, and what they had
 */
struct ktap_user_read {
	bool open;
	bool fp;
	bool lr;
	u32 nr;
	struct {
		u64 at;
		u64 value;
	} words[KTAP_USER_WORDS_MAX];
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
