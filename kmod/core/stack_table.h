/* SPDX-License-Identifier: GPL-2.0 */
/* The table of stacks of a session. */
#ifndef KTAP_STACK_TABLE_H
#define KTAP_STACK_TABLE_H

#include "hit/pages.h"
#include "hit/stacks.h"

struct ktap_trails;
struct vm_area_struct;

/**
 * struct ktap_stack_table - table with its memory
 * @stacks: what hits use
 * @trails: what hits remember of it, or NULL: see arch/trail.h
 * @pages: its pages
 * @mem: the pages, mapped as one area
 * @bytes: charge to the budget
 */
struct ktap_stack_table {
	struct ktap_stacks stacks;
	struct ktap_trails __percpu *trails;
	struct ktap_pages pages;
	u8 *mem;
	u64 bytes;
};

/**
 * struct ktap_stack_reader - how far a table was read
 * @first: all stacks before this one were read
 * @read: bit map of those that were read
 */
struct ktap_stack_reader {
	u32 first;
	unsigned long *read;
};

struct ktap_stack_table *ktap_stack_table_create(void);
void ktap_stack_table_free(struct ktap_stack_table *t);
int ktap_stack_reader_init(struct ktap_stack_reader *r,
			   const struct ktap_stack_table *t);
size_t ktap_stack_reader_next(struct ktap_stack_reader *r,
			      const struct ktap_stack_table *t, u32 nr,
			      void *to, size_t room);
u32 ktap_stack_table_used(const struct ktap_stack_table *t);
int ktap_stack_table_mmap(const struct ktap_stack_table *t,
			  struct vm_area_struct *vma, unsigned long page);

#endif /* KTAP_STACK_TABLE_H */
