// SPDX-License-Identifier: GPL-2.0
/*
 * Probes that want what was at the entry of their function: refusals, and
 * companions that are armed, hit and deleted with them.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <stdio.h>
#include <string.h>

#include "nlraw.h"
#include "../../../../kunit/insn.h"

#define NAME A_STR(KTAP_A_NAME, "frame")
#define REGS A_BIN(KTAP_A_FRAME_REGS, regs, sizeof(regs))
#define OFFSET(n) A_U64(KTAP_A_FRAME_OFFSET, n)
#define NO_SYMBOL "no such symbol in this kernel, or its memory has been freed"
#define TOO_MUCH "the calls that all probes store would exceed the module's return_total_max"

static const uint8_t regs[] = { 0, 1 };
static const uint8_t no_reg[] = { 0, 255 };
static const uint8_t many_regs[KTAP_NR_FRAME_REGS + 1];

static const struct ktap_insn third[] = {
	REG(0, 0), FRAME(1, 0, 2, NOBIT), STORE(1, 8, 0, NOBIT), END()
};

static const struct {
	const char *what;
	struct attr attrs[6];
	int error;
	int attr;
	const char *text;
} wrongs[] = {
	{ "no registers", { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, OFFSET(0), A_END },
	  EINVAL, KTAP_A_FRAME_OFFSET,
	  "the message lacks the registers of the frame" },
	{ "no entry", { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, REGS, A_END },
	  EINVAL, NO_ATTR, "the message lacks the place of the entry" },
	{ "no such register",
	  { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, OFFSET(0),
	    A_BIN(KTAP_A_FRAME_REGS, no_reg, sizeof(no_reg)), A_END },
	  EINVAL, KTAP_A_FRAME_REGS, "no such register on this architecture" },
	{ "too many registers",
	  { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, OFFSET(0),
	    A_BIN(KTAP_A_FRAME_REGS, many_regs, sizeof(many_regs)), A_END },
	  ERANGE, KTAP_A_FRAME_REGS, NULL },
	{ "registers of no bytes",
	  { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, OFFSET(0),
	    A_BIN(KTAP_A_FRAME_REGS, regs, 0), A_END },
	  ERANGE, KTAP_A_FRAME_REGS, NULL },
	{ "offset without symbol",
	  { GOOD_TYPE, GOOD_PROG, A_U64(KTAP_A_ADDR, 4096), REGS, OFFSET(0),
	    A_END },
	  EINVAL, KTAP_A_FRAME_OFFSET, "an offset needs a symbol" },
	{ "offset of 2^31",
	  { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, REGS, OFFSET(1ULL << 31), A_END },
	  EINVAL, KTAP_A_FRAME_OFFSET, "the offset is larger than any function" },
	{ "address 0",
	  { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, REGS,
	    A_U64(KTAP_A_FRAME_ADDR, 0), A_END },
	  EINVAL, KTAP_A_FRAME_ADDR, "address 0 cannot be probed" },
	{ "address in user space",
	  { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, REGS,
	    A_U64(KTAP_A_FRAME_ADDR, 4096), A_END },
	  ENOENT, KTAP_A_FRAME_ADDR, NO_SYMBOL },
	{ "inside of an instruction",
	  { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, REGS, OFFSET(1), A_END },
	  EILSEQ, KTAP_A_FRAME_OFFSET, "not on an instruction boundary" },
	{ "at the entry itself",
	  { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, REGS, OFFSET(0), A_END },
	  EINVAL, KTAP_A_FRAME_OFFSET,
	  "the place is the entry itself, where no frame has been stored yet" },
	{ "return probe",
	  { A_U32(KTAP_A_TYPE, KTAP_TYPE_KRETPROBE), GOOD_PROG, GOOD_PLACE, REGS,
	    OFFSET(0), A_END },
	  EOPNOTSUPP, KTAP_A_FRAME_REGS,
	  "only a probe inside a function has a frame" },
	{ "ftrace hook inside of a function",
	  { GOOD_TYPE, GOOD_PROG, GOOD_PLACE, REGS, OFFSET(0),
	    A_STR(KTAP_A_HOOK, "ftrace") },
	  EOPNOTSUPP, KTAP_A_HOOK,
	  "the ftrace hook serves function entries only" },
	{ "more than is kept",
	  { GOOD_TYPE, A_BIN(KTAP_A_PROG, third, sizeof(third)), GOOD_PLACE,
	    REGS, OFFSET(0), A_END },
	  EINVAL, KTAP_A_PROG, "no such register of the frame is stored" },
	{ "address in a program",
	  { A_U32(KTAP_A_TYPE, KTAP_TYPE_UPROBE), GOOD_PROG, REGS,
	    A_U32(KTAP_A_FD, 0), A_U64(KTAP_A_OFFSET, 64),
	    A_U64(KTAP_A_FRAME_ADDR, 4096) },
	  EINVAL, KTAP_A_FRAME_ADDR,
	  "the entry of a user function must be an offset in the file" },
};

static void try_wrongs(struct sock *s)
{
	const struct answer *a;
	size_t i;

	for (i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		const struct attr *p = wrongs[i].attrs;

		a = request(s, KTAP_CMD_PROBE_NEW,
			    ATTRS(NAME, p[0], p[1], p[2], p[3], p[4], p[5],
				  A_END));
		is_error(a->error, -wrongs[i].error, "frame: %s: error",
			 wrongs[i].what);
		is(a->attr, wrongs[i].attr, "frame: %s: attribute at fault",
		   wrongs[i].what);
		if (wrongs[i].text)
			ok(!strcmp(a->text, wrongs[i].text), "frame: %s: \"%s\"",
			   wrongs[i].what, a->text);
	}
	is(limits(s)->nr_probes, 0, "frame: no probe is left");
	is(limits(s)->return_total, 0, "frame: nothing is kept for those");
}

/* ---- good ones --------------------------------------------------------------- */

/*
 * At a function that is called by vfs_read(), as if it were a part of it: its frame
 * is never found.
 */
static struct answer *new_frame(struct sock *s, const char *name, uint32_t max)
{
	static const struct ktap_insn prog[] = {
		IMM(0, 1), FRAME(1, 0, 1, 0), STORE(1, 8, 0, 1), FAULTS(1, 8),
		END()
	};

	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_BIN(KTAP_A_NAME, name, strlen(name) + 1),
			     GOOD_TYPE, A_BIN(KTAP_A_PROG, prog, sizeof(prog)),
			     A_STR(KTAP_A_SYMBOL, "seq_read_iter"), REGS,
			     A_U64(KTAP_A_FRAME_ADDR, kernel_symbol("vfs_read")),
			     A_U32(KTAP_A_MAXACTIVE, max), A_END));
}

static void keep_frames(void *ctx, const struct nlattr *const *tb)
{
	struct ktap_frames *frames = ctx;

	if (tb[KTAP_A_FRAMES])
		memcpy(frames, mnl_attr_get_payload(tb[KTAP_A_FRAMES]),
		       sizeof(*frames));
}

static void try_armed_frames(struct sock *s)
{
	uint32_t id = answer_u32(new_frame(s, "armed", 0), KTAP_A_ID);
	struct ktap_frames frames = {};
	FILE *f = fopen("/proc/version", "r");
	const struct answer *a;
	char c;

	ok(id, "frame: a good one");
	a = request(s, KTAP_CMD_PROBE_GET, ATTRS(A_U32(KTAP_A_ID, id), A_END));
	ok(a->tb[KTAP_A_FRAME_HOOK], "frame: what serves the entry is shown");
	is_error(probe_enable(s, id, true), 0, "frame: enabled");
	if (!f || fread(&c, 1, 1, f) != 1)
		die("a file to read");
	dump(s, KTAP_CMD_STATS_GET, ATTRS(A_U32(KTAP_A_ID, id), A_END),
	     keep_frames, &frames);
	ok(frames.entries > 0, "frame: entries are counted");
	ok(frames.no_entry > 0, "frame: and what does not find its own");
	is_error(probe_del(s, id), 0, "frame: deleted while it is armed");
	fclose(f);
}

static void try_budget(struct sock *s)
{
	const struct answer *a = new_frame(s, "first", 4096);
	uint64_t bytes;

	is_error(a->error, 0, "frame: room for 4096 calls");
	bytes = limits(s)->return_total;
	ok(bytes >= 4096 * 64 && bytes < 4096 * 128,
	   "frame: they take %llu bytes", (unsigned long long)bytes);
	set_return_total_max(2 * bytes - 1);
	a = new_frame(s, "second", 4096);
	is_error(a->error, -ENOSPC, "frame: more than all may have: error");
	is(a->attr, KTAP_A_MAXACTIVE,
	   "frame: more than all may have: attribute at fault");
	ok(!strcmp(a->text, TOO_MUCH), "frame: more than all may have: \"%s\"",
	   a->text);
	is(a->cookie, bytes, "frame: more than all may have: bytes asked for");
	set_return_total_max(0);
	probe_forget(s);
	is(limits(s)->return_total, 0, "frame: nothing is left");
}

void try_frames(void)
{
	struct sock *s = sock_open();

	try_wrongs(s);
	try_armed_frames(s);
	try_budget(s);
	sock_close(s);
}
