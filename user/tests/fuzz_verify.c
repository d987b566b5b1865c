// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: whatever passes ktap_verify() runs in ktap_fetch_run() without
 * touching more than its slots and its payload (the sanitizers look), ends,
 * and leaves a record of the promised size in which every byte was written.
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 */
#include "fuzz.h"

#include <stdlib.h>

#include "env_user.h"
#include "made_program.h"
#include "made_state.h"
#include "hit/fetch.h"
#include "hit/verify.h"
#include "ready.h"

/* Memory of every kind: pages of faults, of zeros, of long and short strings. */
static int byte_anywhere(u64 addr, bool user)
{
	u64 page = (addr >> 5) * 0x9e3779b97f4a7c15;

	if (user && addr >= ENV_USER_TOP)
		return -1;
	switch (page >> 61) {
	case 0:
		return -1;
	case 1:
		return 0;
	case 2:
		return (addr * 0x9e3779b97f4a7c15) >> 60;
	default:
		return 1 + (addr & 0x7f);
	}
}

/* struct program - one that passed, ready to run, and what its hook hands over */
struct program {
	struct ktap_insn insns[MADE_PROGRAM_MAX];
	struct ktap_insn *ready;
	struct ktap_prog_info info;
	struct ktap_frame frame;
};

/* A payload as small as the verifier says it may be, full of old bytes. */
static int run(struct program *p, u8 old, u8 **ret)
{
	/* bits before the payload, as struct ktap_entry has them */
	u64 *room = malloc(sizeof(u64) + p->info.room);

	if (!room)
		abort();
	memset(room + 1, old, p->info.room);
	*ret = (u8 *)(room + 1);
	*room = 0;
	made_state(&p->info);
	return ktap_fetch_run(p->ready, &p->info, &p->frame, *ret, room);
}

static void forget(u8 *payload)
{
	free(payload - sizeof(u64));
}

static const char *check(const struct ktap_prog_info *info, int len, int again,
			 const u8 *one, const u8 *other)
{
	int max = info->record_max - sizeof(struct ktap_rec_head);

	if (len != again)
		return "two runs, two sizes";
	if (len == KTAP_FETCH_FILTERED)
		return info->has_filter ? NULL : "filtered without a filter";
	if (len < 0 || len % 8 || len > max || len < (int)info->fixed_size)
		return "impossible size";
	if (memcmp(one, other, len))
		return "bytes in the record that nobody wrote";
	return NULL;
}

/* Return: whether there is a program; @why says what is wrong with ours. */
static bool prepare(struct fuzz_bytes *b, struct program *p,
		    const struct ktap_prog_place *place, const char **why)
{
	u32 nr = made_program(b, p->insns), at;

	if (!ktap_verify(p->insns, nr, place, &p->info, &at)) {
		p->ready = ready_program(p->insns, nr);
		return true;
	}
	if (at >= nr)
		*why = "refused behind the program's end";
	return false;
}

static const char *run_both(struct program *p)
{
	const char *problem;
	u8 *one, *other;
	int len, again;

	len = run(p, 0x00, &one);
	again = run(p, 0xff, &other);
	problem = check(&p->info, len, again, one, other);
	forget(one);
	forget(other);
	return problem;
}

const char *fuzz_verify(const uint8_t *data, size_t size)
{
	static const u64 stack[] = { 1, 2, 3, 4 }, args[] = { 5, 6, 7 };
	struct fuzz_bytes b = { data, size };
	struct env_regs regs = { .stack = stack, .nr_stack = 4 };
	struct ktap_prog_place place = { .nr_args = 3, .is_return = true };
	struct program entry = {
		.frame = { .regs = &regs, .args = args, .nr_args = 3 },
	};
	struct program p = entry;
	const char *problem = NULL;
	u8 *stored = NULL;
	u32 i;

	env_reset();
	env_world.byte = byte_anywhere;
	for (i = 0; i < ENV_NR_REGS; i++)
		regs.r[i] = fuzz_word(&b);
	if (fuzz_byte(&b) & 1 && prepare(&b, &entry, &place, &problem)) {
		place.entry = &entry.info;
		p.frame.entry_info = &entry.info;
		if (run(&entry, 0xff, &stored) >= 0)
			p.frame.entry = (void *)(stored - sizeof(u64));
	}
	if (!problem && prepare(&b, &p, &place, &problem))
		problem = run_both(&p);
	if (stored)
		forget(stored);
	free(entry.ready);
	free(p.ready);
	return problem;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (fuzz_verify(data, size))
		abort();
	return 0;
}
