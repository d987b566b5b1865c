// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the kernel's ORC tables, and checks them: in process context, once, when the first
 * table of stacks is made.
 *
 * The tables are data. They have symbols if the kernel was built with CONFIG_KALLSYMS_ALL.
 * No function that looks up a symbol is exported, but register_kprobe() stores the address in
 * the struct before it refuses data. Without these symbols, or if a table is not what it
 * should be, the kernel's unwinder does all.
 */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#include "arch/orc.h"
#include "arch/symbol.h"
#include "arch/unwind.h"
#include "compat.h"

#define ROWS_MAX	BIT(24)
#define BLOCKS_MAX	BIT(23)	/* 2 GiB of code */

/* ---- checks ------------------------------------------------------------------- */

static u32 count(const unsigned long *table, size_t size)
{
	return (table[1] - table[0]) / size;
}

/* A table inside the image, of at least two elements. */
static bool is_table(const struct ktap_orc_found *f, const unsigned long *table,
		     size_t size, size_t align, u32 max)
{
	unsigned long bytes = table[1] - table[0];

	return table[0] % align == 0 && table[0] >= f->image[0] &&
	       table[1] <= f->image[1] && table[0] < table[1] &&
	       bytes % size == 0 && bytes / size >= 2 && bytes / size <= max;
}

/* Tables of the kernel's image stay mapped, so one byte of each page is enough. */
static bool is_readable(const unsigned long *table)
{
	unsigned long at;
	u8 byte;

	for (at = table[0]; at < table[1]; at = (at | ~PAGE_MASK) + 1)
		if (copy_from_kernel_nofault(&byte, (void *)at, 1))
			return false;
	return !copy_from_kernel_nofault(&byte, (void *)(table[1] - 1), 1);
}

static unsigned long begin_of(const s32 *ips, u32 i)
{
	return (unsigned long)(ips + i) + ips[i];
}

static bool is_sorted(const struct ktap_orc_found *f, const s32 *ips, u32 n)
{
	unsigned long ip, last = f->image[0];
	u32 i;

	for (i = 0; i < n; i++, last = ip) {
		ip = begin_of(ips, i);
		if (ip < last || ip >= f->image[1])
			return false;
	}
	return true;
}

/*
 * The look-up table does not say where the code begins. But its rows do: the row of a block
 * begins at or before the block, and the one after that is above its first byte. So the begin
 * is at or above the lowest of what all blocks allow. That is where some block begins with a
 * row, and any other address that all blocks allow would find the same rows.
 * The last element is for the end of the code, where no block need end.
 */
static bool find_begin(const struct ktap_orc *o, u32 n, u32 blocks,
		       unsigned long *begin)
{
	unsigned long low = 0, high = ULONG_MAX;
	u32 i, row, last = 0;

	for (i = 0; i <= blocks; i++, last = row) {
		row = o->lookup[i];
		if (row < last || row > n - 2)
			return false;
		if (i == blocks)
			break;
		if (row)
			low = max(low, begin_of(o->ips, row) -
				       (unsigned long)i * KTAP_ORC_BLOCK);
		high = min(high, begin_of(o->ips, row + 1) -
				 (unsigned long)i * KTAP_ORC_BLOCK);
	}
	*begin = low;
	return low && low < high;
}

/**
 * ktap_orc_check() - check tables
 * @f: tables
 * @ret: filled, but for @fakes
 *
 * Context: process; reads all of them.
 * Return: 0, or -EINVAL.
 */
int ktap_orc_check(const struct ktap_orc_found *f, struct ktap_orc *ret)
{
	u32 n = count(f->ips, sizeof(*ret->ips)), blocks;

	if (f->image[1] - f->image[0] >= BIT(31) ||
	    !is_table(f, f->lookup, sizeof(u32), sizeof(u32), BLOCKS_MAX) ||
	    !is_table(f, f->ips, sizeof(s32), sizeof(s32), ROWS_MAX) ||
	    !is_table(f, f->rows, sizeof(struct orc_entry), 2, ROWS_MAX) ||
	    count(f->rows, sizeof(struct orc_entry)) != n ||
	    !is_readable(f->lookup) || !is_readable(f->ips) ||
	    !is_readable(f->rows))
		return -EINVAL;
	ret->lookup = (const u32 *)f->lookup[0];
	ret->ips = (const s32 *)f->ips[0];
	ret->rows = (const struct orc_entry *)f->rows[0];
	blocks = count(f->lookup, sizeof(u32)) - 1;
	if (!is_sorted(f, ret->ips, n) ||
	    !find_begin(ret, n, blocks, &ret->text))
		return -EINVAL;
	ret->size = (unsigned long)(blocks - 1) * KTAP_ORC_BLOCK;
	return ret->size ? 0 : -EINVAL;
}

/* ---- symbols ------------------------------------------------------------------ */

static bool find_symbols(struct ktap_orc_found *f)
{
	const struct {
		const char *name;
		unsigned long *at;
	} list[] = {
		{ "orc_lookup", &f->lookup[0] },
		{ "orc_lookup_end", &f->lookup[1] },
		{ "__start_orc_unwind_ip", &f->ips[0] },
		{ "__stop_orc_unwind_ip", &f->ips[1] },
		{ "__start_orc_unwind", &f->rows[0] },
		{ "__stop_orc_unwind", &f->rows[1] },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(list); i++) {
		*list[i].at = ktap_symbol_address(list[i].name);
		if (!*list[i].at)
			return false;
	}
	return true;
}

/* Whoever replaces return addresses must be known, else its own would show. */
static bool find_fakes(struct ktap_orc *o)
{
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER)) {
		o->fakes[0] = ktap_symbol_address("return_to_handler");
		if (!o->fakes[0])
			return false;
	}
	if (IS_ENABLED(CONFIG_KRETPROBES)) {
		o->fakes[1] = ktap_symbol_address(KTAP_RETURN_TRAMPOLINE);
		if (!o->fakes[1])
			return false;
	}
	return true;
}

static struct ktap_orc found;

static bool find_tables(void)
{
	struct ktap_orc_found f = {
		.image = { __START_KERNEL_map, MODULES_VADDR },
	};

	return find_symbols(&f) && !ktap_orc_check(&f, &found) &&
	       find_fakes(&found);
}

void ktap_arch_unwind_prepare(void)
{
	static DEFINE_MUTEX(lock);
	static bool done;

	mutex_lock(&lock);
	if (!done && find_tables())
		ktap_orc_use(&found);
	done = true;
	mutex_unlock(&lock);
}
