// SPDX-License-Identifier: GPL-2.0
#include "define/frames.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "define/user_name.h"
#include "dwarf/debug.h"
#include "dwarf/func.h"

#define SLOTS_MIN	1024

/**
 * struct frame - functions that were inlined at an address
 * @address: of the file; 0: the slot is free
 * @name: functions, the innermost one first; the array and each name are owned
 * @nr: how many
 */
struct frame {
	uint64_t address;
	char **name;
	size_t nr;
};

/**
 * struct frames - addresses that were looked up
 * @dbg: debug information; owned
 * @slide: added to its addresses
 * @slots: hash table; owned
 * @nr_slots: a power of two
 * @nr: slots that are taken
 */
struct frames {
	struct debug *dbg;
	uint64_t slide;
	struct frame *slots;
	size_t nr_slots;
	size_t nr;
};

void frames_free(struct frames *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nr_slots; i++) {
		for (size_t k = 0; k < f->slots[i].nr; k++)
			free(f->slots[i].name[k]);
		free(f->slots[i].name);
	}
	free(f->slots);
	debug_free(f->dbg);
	free(f);
}

static struct frame *slot_of(const struct frames *f, uint64_t address)
{
	size_t i = (address * 0x9e3779b97f4a7c15ULL >> 32) & (f->nr_slots - 1);

	while (f->slots[i].address && f->slots[i].address != address)
		i = (i + 1) & (f->nr_slots - 1);
	return &f->slots[i];
}

/* Room for one more. Return: false: no memory. */
static bool grow(struct frames *f)
{
	struct frames more = { .nr_slots = f->nr_slots ? 2 * f->nr_slots : SLOTS_MIN };

	if (2 * (f->nr + 1) <= f->nr_slots)
		return true;
	more.slots = calloc(more.nr_slots, sizeof(*more.slots));
	if (!more.slots)
		return false;
	for (size_t i = 0; i < f->nr_slots; i++)
		if (f->slots[i].address)
			*slot_of(&more, f->slots[i].address) = f->slots[i];
	free(f->slots);
	f->slots = more.slots;
	f->nr_slots = more.nr_slots;
	return true;
}

/* Names of debug information may be hostile, and are printed. */
static void add_name(struct frame *frame, const char *name)
{
	struct buf plain = BUF_INIT;

	user_name_plain(&plain, name);
	frame->name[frame->nr] = buf_take(&plain);
	frame->nr += !!frame->name[frame->nr];
}

/* The last function of a chain is the one that has the code. */
static void look_up(struct frames *f, struct frame *frame)
{
	struct debug_chain chain = { 0 };
	struct debug_func func = { 0 };

	if (!debug_func_at(f->dbg, frame->address, true, &func) || !func.is_inlined ||
	    debug_chain(f->dbg, &func, NULL, &chain))
		return;
	frame->name = calloc(chain.nr, sizeof(*frame->name));
	for (size_t i = 0; frame->name && i + 1 < chain.nr; i++) {
		const struct debug_call *call = &chain.call[i];

		if (call->name || call->linkage)
			add_name(frame, call->linkage ? call->linkage : call->name);
	}
	debug_chain_deinit(&chain);
}

size_t frames_find(struct frames *f, uint64_t address, const char *const **ret)
{
	struct frame *frame;

	if (address == f->slide || !grow(f))
		return 0;
	frame = slot_of(f, address - f->slide);
	if (!frame->address) {
		frame->address = address - f->slide;
		f->nr++;
		look_up(f, frame);
	}
	if (frame->nr)
		*ret = (const char *const *)frame->name;
	return frame->nr;
}

int frames_open(const char *path, bool alone, uint64_t slide, struct diag *d,
		struct frames **ret)
{
	_cleanup_(frames_freep) struct frames *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return diag_no_memory(d);
	f->slide = slide;
	err = alone ? debug_open_alone(path, d, &f->dbg) : debug_open(path, d, &f->dbg);
	if (!err)
		*ret = take_ptr(f);
	return err;
}

static size_t find_kernel(void *ctx, uint64_t address, const char *const **ret)
{
	return frames_find(ctx, address, ret);
}

static void free_kernel(void *ctx)
{
	frames_free(ctx);
}

int frames_inlined(struct ksyms *ks, const char *vmlinux, uint64_t slide,
		   struct diag *d)
{
	struct ksyms_inlines in = { .find = find_kernel, .free = free_kernel };
	struct frames *f = NULL;
	int err = frames_open(vmlinux, false, slide, d, &f);

	in.ctx = f;
	if (!err)
		ksyms_set_inlines(ks, &in);
	return err;
}
