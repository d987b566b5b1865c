// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that the family's attributes allow, more or less: each command has
 * those that belong to it, with values of their kinds that mostly make sense.
 * Then a few things are done to some of them that no sender should do.
 */
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzzer.h"
#include "made_program.h"

#define NR_ITEMS	40
#define ARENA		(64 << 10)

/* struct item - an attribute: bytes of the draft's arena */
struct item {
	uint16_t type;
	uint16_t len;
	size_t at;
};

/* struct draft - a message that is being made */
struct draft {
	struct chance *c;
	const struct world *w;
	uint8_t cmd;
	int slot;
	uint32_t type;		/* of the probe */
	struct item items[NR_ITEMS];
	unsigned int nr;
	uint8_t arena[ARENA];
	size_t used;
};

static void add(struct draft *d, uint16_t type, const void *data, size_t len)
{
	if (d->nr == NR_ITEMS || len > ARENA - d->used)
		return;
	memcpy(d->arena + d->used, data, len);
	d->items[d->nr++] = (struct item){ type, len, d->used };
	d->used += len;
}

static void add_text(struct draft *d, uint16_t type, const char *text)
{
	add(d, type, text, strlen(text) + 1);
}

/* ---- values ---------------------------------------------------------------------- */

static uint32_t some_id(struct draft *d)
{
	uint32_t id = d->w->ids[chance_below(d->c, NR_SLOTS)];

	switch (chance_below(d->c, 12)) {
	case 0:
		return chance_odd(d->c);
	case 1:
		return chance_below(d->c, 64);
	default:
		return id;
	}
}

static void add_u32(struct draft *d, uint16_t type, uint32_t usual)
{
	uint32_t value = chance_of(d->c, 6) ? chance_odd(d->c) : usual;

	add(d, type, &value, sizeof(value));
}

static void add_u64(struct draft *d, uint16_t type, uint64_t usual)
{
	uint64_t value = chance_of(d->c, 6) ? chance_odd(d->c) : usual;

	add(d, type, &value, sizeof(value));
}

static void add_bytes(struct draft *d, uint16_t type, size_t len)
{
	static uint8_t bytes[40000];
	size_t i;

	if (len > sizeof(bytes))
		len = sizeof(bytes);
	for (i = 0; i < len; i++)
		bytes[i] = chance_next(d->c);
	add(d, type, bytes, len);
}

static void add_name(struct draft *d)
{
	static const char *const odd[] = {
		"", ":", "a:", ":a", "a:b:c", "a b", "\xff", "%s%n", "../x",
	};
	char name[KTAP_NAME_MAX + 8];

	d->slot = chance_below(d->c, NR_SLOTS);
	if (chance_of(d->c, 4)) {
		add_text(d, KTAP_A_NAME, odd[chance_below(d->c, 9)]);
		return;
	}
	if (chance_of(d->c, 3)) {
		memset(name, 'n', sizeof(name));
		add(d, KTAP_A_NAME, name, chance_below(d->c, sizeof(name)));
		return;
	}
	snprintf(name, sizeof(name), "%sp%u-%u",
		 chance_of(d->c, 20) ? "fuzz:" : "", d->w->nr, d->slot);
	add_text(d, KTAP_A_NAME, name);
}

static const char *some_symbol(struct draft *d)
{
	static const char *const functions[] = {
		"vfs_read", "vfs_write", "ksys_read", "schedule_timeout",
		"genl_rcv_msg", "mutex_lock", "do_exit", "copy_from_user_nofault",
		"no_such_function", "", ":", "ktap:", ":vfs_read",
		"no_such_module:function", "ktap:ktap_probe_new",
		"nf_conntrack:nf_conntrack_in", "\x01", "vfs_read:",
	};
	static const char *const tracepoints[] = {
		"sched_switch", "sys_enter", "sys_exit", "no_such_event", "",
		"timer_start", "sched_switch ",
	};

	if (d->type == KTAP_TYPE_TRACEPOINT && !chance_of(d->c, 5))
		return tracepoints[chance_below(d->c, 7)];
	/* mostly the good half */
	return functions[chance_of(d->c, 70) ? chance_below(d->c, 8) :
					       chance_below(d->c, 18)];
}

static void add_symbol(struct draft *d)
{
	static char longest[KTAP_SYMBOL_MAX + 2];

	if (chance_of(d->c, 2)) {
		memset(longest, 's', sizeof(longest));
		add(d, KTAP_A_SYMBOL, longest,
		    sizeof(longest) - chance_below(d->c, 5));
		return;
	}
	add_text(d, KTAP_A_SYMBOL, some_symbol(d));
}

/* Takes what an earlier hit stored under one of 16 keys, and stores the time. */
static const struct ktap_insn state_prog[] = {
	{ .op = KTAP_OP_CTX, .imm = KTAP_CTX_TIME },
	{ .op = KTAP_OP_ALUI, .dst = 1, .size = KTAP_ALU_AND, .imm = 15 },
	{ .op = KTAP_OP_STATE_GET, .dst = 2, .a = 1, .flags = KTAP_INSN_F_TAKE },
	{ .op = KTAP_OP_STATE_PUT, .a = 1 },
	{ .op = KTAP_OP_STORE, .a = 2, .size = 8 },
	{ .op = KTAP_OP_FAULTS, .size = 8, .off = 8 },
	{ .op = KTAP_OP_END },
};

static const struct ktap_insn ustack_prog[] = {
	{ .op = KTAP_OP_USTACK, .imm = KTAP_STACK_FRAMES_MAX },
	{ .op = KTAP_OP_STORE, .size = 8, .b = KTAP_NO_FAULT },
	{ .op = KTAP_OP_END },
};

/* Of what all hits share, as good at most places. */
static void add_shared(struct draft *d, uint16_t type)
{
	static const struct {
		const struct ktap_insn *insns;
		size_t size;
	} progs[] = {
		{ stack_prog, sizeof(stack_prog) },
		{ state_prog, sizeof(state_prog) },
		{ ustack_prog, sizeof(ustack_prog) },
	};
	unsigned int i = chance_below(d->c, 3);

	add(d, type, progs[i].insns, progs[i].size);
}

/* Registers that the machine does not have make up a third of what is random. */
static void add_program(struct draft *d, uint16_t type)
{
	static struct ktap_insn insns[KTAP_PROG_MAX + 2];
	uint8_t bytes[1024];
	struct fuzz_bytes b = { bytes, sizeof(bytes) };
	uint32_t nr, i;

	switch (chance_below(d->c, 16)) {
	case 0:
		add_bytes(d, type, chance_below(d->c, 200));
		return;
	case 1:
		nr = KTAP_PROG_MAX - 2 + chance_below(d->c, 5);
		if (nr > KTAP_PROG_MAX + 2)
			nr = KTAP_PROG_MAX + 2;
		memset(insns, 0, sizeof(insns));
		for (i = 0; i + 1 < nr; i++)
			insns[i].op = KTAP_OP_IMM;
		add(d, type, insns, nr * sizeof(insns[0]));
		return;
	case 2:
	case 3:
	case 4:
	case 5:
	case 6:
		for (i = 0; i < sizeof(bytes); i++)
			bytes[i] = chance_next(d->c);
		nr = made_program(&b, insns);
		for (i = 0; i < nr; i++)
			if (insns[i].op == KTAP_OP_REG && !chance_of(d->c, 3))
				insns[i].imm %= 21;
		add(d, type, insns, nr * sizeof(insns[0]));
		return;
	case 7:
	case 8:
		add_shared(d, type);
		return;
	default:
		/* a tracepoint has no registers */
		add(d, type, good_prog + 2 * (d->type == KTAP_TYPE_TRACEPOINT),
		    (d->type == KTAP_TYPE_TRACEPOINT ? 1 : 3) *
			    sizeof(good_prog[0]));
	}
}

static void add_ids(struct draft *d)
{
	static uint32_t ids[KTAP_IDS_MAX + 2];
	unsigned int nr = chance_of(d->c, 3) ? KTAP_IDS_MAX - 1 +
					       chance_below(d->c, 3) :
					       chance_below(d->c, 6);
	unsigned int i;

	for (i = 0; i < nr; i++)
		ids[i] = some_id(d);
	add(d, KTAP_A_IDS, ids, nr * sizeof(ids[0]));
}

static void add_path(struct draft *d)
{
	static char path[4200];

	memset(path, '/', sizeof(path));
	path[chance_of(d->c, 80) ? 1 + chance_below(d->c, 64) : 4095] = 0;
	add(d, KTAP_A_PATH, path, strlen(path) + 1);
}

static void add_frame_regs(struct draft *d)
{
	uint8_t regs[KTAP_NR_FRAME_REGS + 1];
	unsigned int nr = chance_of(d->c, 95) ? 1 + chance_below(d->c, 4) :
						chance_below(d->c, 18);
	unsigned int i;

	for (i = 0; i < nr && i < sizeof(regs); i++)
		regs[i] = chance_of(d->c, 5) ? chance_next(d->c) :
					       chance_below(d->c, 21);
	add(d, KTAP_A_FRAME_REGS, regs, nr < sizeof(regs) ? nr : sizeof(regs));
}

static void add_blob_data(struct draft *d)
{
	add_bytes(d, KTAP_A_BLOB_DATA,
		  chance_of(d->c, 3) ? KTAP_BLOB_CHUNK - 1 + chance_below(d->c, 3) :
				       chance_below(d->c, 64));
}

static uint64_t some_address(struct draft *d)
{
	uint64_t at = d->w->addresses[chance_below(d->c, NR_ADDRESSES)];

	return chance_of(d->c, 80) ? at : at + chance_below(d->c, 9);
}

/* In functions there is a call at the entry, and code behind it. */
static uint64_t some_offset(struct draft *d)
{
	if (d->type == KTAP_TYPE_UPROBE || d->type == KTAP_TYPE_URETPROBE)
		return d->w->offset;
	return chance_below(d->c, 3) * 5;
}

/* From too fast to too slow; few of them are so fast that the sum is refused. */
static uint64_t some_period(struct draft *d)
{
	static const uint64_t edges[] = {
		0, 1, KTAP_TIMER_MIN - 1, KTAP_TIMER_MIN, KTAP_TIMER_MAX,
		KTAP_TIMER_MAX + 1, 1ULL << 63, ~0ULL,
	};

	if (chance_of(d->c, 20))
		return edges[chance_below(d->c, 8)];
	return 8000000ULL << chance_below(d->c, 9);
}

/* One attribute, with a value of its kind. */
static void add_attr(struct draft *d, uint16_t type)
{
	static const char *const hooks[] = {
		"ftrace", "kprobe", "", "int3", "ftrace ", "0123456789abcde",
		"0123456789abcdef",
	};
	uint8_t on;

	switch (type) {
	case KTAP_A_ID:
		add_u32(d, type, some_id(d));
		break;
	case KTAP_A_NAME:
		add_name(d);
		break;
	case KTAP_A_TYPE:
		add_u32(d, type, d->type);
		break;
	case KTAP_A_FLAGS:
		add_u32(d, type, chance_below(d->c, 8));
		break;
	case KTAP_A_ADDR:
	case KTAP_A_FRAME_ADDR:
		add_u64(d, type, some_address(d));
		break;
	case KTAP_A_SYMBOL:
		add_symbol(d);
		break;
	case KTAP_A_OFFSET:
	case KTAP_A_FRAME_OFFSET:
	case KTAP_A_REF_OFFSET:
		add_u64(d, type, some_offset(d));
		break;
	case KTAP_A_PROG:
	case KTAP_A_ENTRY_PROG:
		add_program(d, type);
		break;
	case KTAP_A_ENABLED:
		on = chance_of(d->c, 4) ? chance_odd(d->c) : chance_below(d->c, 2);
		add(d, type, &on, 1);
		break;
	case KTAP_A_BLOB_SIZE:
		add_u32(d, type, chance_below(d->c, 64));
		break;
	case KTAP_A_BLOB_OFFSET:
		add_u32(d, type, chance_of(d->c, 60) ? 0 : chance_below(d->c, 64));
		break;
	case KTAP_A_BLOB_DATA:
		add_blob_data(d);
		break;
	case KTAP_A_VERBOSE:
		add(d, type, "", 0);
		break;
	case KTAP_A_MAXACTIVE:
		add_u32(d, type, chance_below(d->c, 64));
		break;
	case KTAP_A_FD:
		add_u32(d, type, d->w->fds[chance_of(d->c, 70) ? 0 :
					   chance_below(d->c, NR_FDS)]);
		break;
	case KTAP_A_PATH:
		add_path(d);
		break;
	case KTAP_A_LENGTH:
		add_u32(d, type, 1U << chance_below(d->c, 5));
		break;
	case KTAP_A_ACCESS:
		add_u32(d, type, 1 + chance_below(d->c, 4));
		break;
	case KTAP_A_IDS:
		add_ids(d);
		break;
	case KTAP_A_HOOK:
		add_text(d, type, hooks[chance_of(d->c, 80) ? chance_below(d->c, 2) :
					chance_below(d->c, 7)]);
		break;
	case KTAP_A_FRAME_REGS:
		add_frame_regs(d);
		break;
	case KTAP_A_SYSCALL:
		add_u32(d, type, chance_of(d->c, 90) ? chance_below(d->c, 512) :
						       chance_odd(d->c));
		break;
	case KTAP_A_PERIOD:
		add_u64(d, type, some_period(d));
		break;
	case KTAP_A_EACH_CPU:
		add(d, type, "", 0);
		break;
	default:
		add_bytes(d, type, chance_below(d->c, 12));
	}
}

/* ---- commands -------------------------------------------------------------------- */

static void add_maybe(struct draft *d, uint16_t type, unsigned int percent)
{
	if (chance_of(d->c, percent))
		add_attr(d, type);
}

static void place_in_kernel(struct draft *d)
{
	if (chance_of(d->c, 15))
		add_attr(d, KTAP_A_ADDR);
	else
		add_attr(d, KTAP_A_SYMBOL);
	add_maybe(d, KTAP_A_OFFSET, 30);
	if (d->type == KTAP_TYPE_KRETPROBE) {
		add_maybe(d, KTAP_A_ENTRY_PROG, 30);
		add_maybe(d, KTAP_A_MAXACTIVE, 30);
		return;
	}
	add_maybe(d, KTAP_A_HOOK, 25);
	if (!chance_of(d->c, 10))
		return;
	add_attr(d, KTAP_A_FRAME_REGS);
	add_attr(d, chance_of(d->c, 70) ? KTAP_A_FRAME_OFFSET : KTAP_A_FRAME_ADDR);
}

static void place_in_file(struct draft *d)
{
	add_attr(d, KTAP_A_FD);
	add_attr(d, KTAP_A_OFFSET);
	add_maybe(d, KTAP_A_REF_OFFSET, 5);
	add_maybe(d, KTAP_A_PATH, 30);
	add_maybe(d, KTAP_A_SYMBOL, 20);
	if (d->type == KTAP_TYPE_URETPROBE)
		add_maybe(d, KTAP_A_ENTRY_PROG, 30);
}

static void new_probe(struct draft *d)
{
	d->type = 1 + chance_below(d->c, KTAP_TYPE_MAX);
	add_attr(d, KTAP_A_NAME);
	add_attr(d, KTAP_A_TYPE);
	switch (d->type) {
	case KTAP_TYPE_KPROBE:
	case KTAP_TYPE_KRETPROBE:
		place_in_kernel(d);
		break;
	case KTAP_TYPE_UPROBE:
	case KTAP_TYPE_URETPROBE:
		place_in_file(d);
		break;
	case KTAP_TYPE_TRACEPOINT:
		add_attr(d, KTAP_A_SYMBOL);
		break;
	case KTAP_TYPE_SYSCALL:
	case KTAP_TYPE_SYSRET:
		add_attr(d, KTAP_A_SYSCALL);
		add_maybe(d, KTAP_A_ADDR, 20);
		add_maybe(d, KTAP_A_SYMBOL, 20);
		if (d->type == KTAP_TYPE_SYSRET)
			add_maybe(d, KTAP_A_ENTRY_PROG, 30);
		break;
	case KTAP_TYPE_TIMER:
		add_attr(d, KTAP_A_PERIOD);
		add_maybe(d, KTAP_A_EACH_CPU, 50);
		break;
	default:
		add_attr(d, KTAP_A_ADDR);
		add_attr(d, KTAP_A_LENGTH);
		add_attr(d, KTAP_A_ACCESS);
	}
	add_attr(d, KTAP_A_PROG);
	add_maybe(d, KTAP_A_FLAGS, 40);
	add_maybe(d, KTAP_A_BLOB_SIZE, 20);
	add_maybe(d, KTAP_A_BLOB_DATA, 10);
}

static void which(struct draft *d, unsigned int lists)
{
	if (chance_of(d->c, lists))
		add_attr(d, KTAP_A_IDS);
	else
		add_attr(d, chance_of(d->c, 85) ? KTAP_A_ID : KTAP_A_NAME);
}

static void fill(struct draft *d)
{
	d->slot = -1;
	switch (d->cmd) {
	case KTAP_CMD_PROBE_NEW:
		new_probe(d);
		return;
	case KTAP_CMD_PROBE_DEL:
		which(d, 20);
		break;
	case KTAP_CMD_PROBE_SET:
		which(d, 20);
		add_attr(d, KTAP_A_ENABLED);
		break;
	case KTAP_CMD_PROBE_GET:
		if (chance_of(d->c, 90))
			which(d, 0);
		break;
	case KTAP_CMD_BLOB_PUT:
		add_attr(d, KTAP_A_ID);
		add_attr(d, KTAP_A_BLOB_OFFSET);
		add_attr(d, KTAP_A_BLOB_DATA);
		break;
	case KTAP_CMD_BLOB_GET:
		add_attr(d, KTAP_A_ID);
		add_attr(d, KTAP_A_BLOB_OFFSET);
		break;
	case KTAP_CMD_STATS_GET:
		add_maybe(d, KTAP_A_ID, 60);
		add_maybe(d, KTAP_A_VERBOSE, 50);
		break;
	}
	d->slot = -1;
}

static uint8_t some_cmd(struct chance *c)
{
	/* to arm takes the longest, and dumps take long */
	static const struct {
		uint8_t cmd, weight;
	} often[] = {
		{ KTAP_CMD_PROBE_NEW, 42 }, { KTAP_CMD_PROBE_DEL, 9 },
		{ KTAP_CMD_PROBE_SET, 4 },  { KTAP_CMD_PROBE_GET, 12 },
		{ KTAP_CMD_BLOB_PUT, 14 },  { KTAP_CMD_BLOB_GET, 8 },
		{ KTAP_CMD_STATS_GET, 5 },  { KTAP_CMD_INFO_GET, 2 },
		{ KTAP_CMD_SESSION_GET, 2 },
	};
	unsigned int at = chance_below(c, 100), i;

	for (i = 0; i < sizeof(often) / sizeof(often[0]); i++) {
		if (at < often[i].weight)
			return often[i].cmd;
		at -= often[i].weight;
	}
	return chance_next(c);
}

static bool only_dumps(uint8_t cmd)
{
	return cmd == KTAP_CMD_STATS_GET || cmd == KTAP_CMD_SESSION_GET;
}

static uint16_t some_flags(struct draft *d)
{
	uint16_t flags = 0;

	if (only_dumps(d->cmd) ||
	    (d->cmd == KTAP_CMD_PROBE_GET && chance_of(d->c, 10)))
		flags = NLM_F_DUMP;
	if (chance_of(d->c, 2))
		flags ^= NLM_F_DUMP;
	if (chance_of(d->c, 2))
		flags |= chance_next(d->c) & (NLM_F_ECHO | NLM_F_DUMP_INTR |
					      NLM_F_DUMP_FILTERED | 0xf000);
	return flags;
}

/* ---- what no sender should do ------------------------------------------------------ */

static void drop(struct draft *d, unsigned int i)
{
	memmove(d->items + i, d->items + i + 1,
		(--d->nr - i) * sizeof(d->items[0]));
}

/* Something is wrong with one attribute, or with how many there are. */
static void spoil(struct draft *d)
{
	unsigned int i = d->nr ? chance_below(d->c, d->nr) : 0;
	struct item *item = d->items + i;

	switch (d->nr ? chance_below(d->c, 8) : 7) {
	case 0:
		drop(d, i);
		break;
	case 1:	/* again, with another value */
		add_attr(d, item->type);
		break;
	case 2:	/* one that belongs elsewhere, or nowhere */
		add_attr(d, chance_of(d->c, 80) ?
				    chance_below(d->c, KTAP_A_MAX + 1) :
				    KTAP_A_MAX + 1 + chance_below(d->c, 5));
		break;
	case 3:	/* a little shorter; or longer, with what comes next */
		item->len += chance_below(d->c, 9) - 4;
		if (item->len > ARENA - item->at)
			item->len = 0;
		break;
	case 4:
		item->len = chance_below(d->c, ARENA - item->at) >>
			    chance_below(d->c, 16);
		break;
	case 5:	/* another byte */
		if (item->len)
			d->arena[item->at + chance_below(d->c, item->len)] =
				chance_next(d->c);
		break;
	case 6:
		item->type ^= chance_of(d->c, 20) ? chance_next(d->c) :
			      chance_of(d->c, 50) ? NLA_F_NESTED :
						    NLA_F_NET_BYTEORDER;
		break;
	default:	/* of a kind that this command does not need */
		add_attr(d, 1 + chance_below(d->c, KTAP_A_MAX));
	}
}

static size_t put_items(const struct draft *d, uint8_t *to)
{
	size_t at = 0;
	unsigned int i;

	for (i = 0; i < d->nr; i++) {
		const struct item *item = d->items + i;
		struct nlattr head = { NLA_HDRLEN + item->len, item->type };

		if (at + NLA_ALIGN(head.nla_len) > RAW_MAX)
			break;
		memcpy(to + at, &head, sizeof(head));
		memcpy(to + at + NLA_HDRLEN, d->arena + item->at, item->len);
		memset(to + at + head.nla_len, 0,
		       NLA_ALIGN(head.nla_len) - head.nla_len);
		at += NLA_ALIGN(head.nla_len);
	}
	return at;
}

/* The bytes themselves: cut, longer, or with another length in a header. */
static void spoil_bytes(struct message *m, struct chance *c)
{
	unsigned int i;

	switch (chance_below(c, 3)) {
	case 0:
		m->raw.size -= m->raw.size ? chance_below(c, m->raw.size) : 0;
		break;
	case 1:
		for (i = chance_below(c, 40); i && m->raw.size < RAW_MAX; i--)
			m->bytes[m->raw.size++] = chance_next(c);
		break;
	default:
		if (m->raw.size)
			m->bytes[chance_below(c, m->raw.size)] = chance_next(c);
	}
}

void message_make(struct message *m, struct chance *c, const struct world *w)
{
	static struct draft d;
	unsigned int wrongs = chance_of(c, 60) ? 0 : 1 + chance_below(c, 3);

	d.c = c;
	d.w = w;
	d.cmd = some_cmd(c);
	d.type = 1 + chance_below(c, KTAP_TYPE_MAX);
	d.nr = 0;
	d.used = 0;
	fill(&d);
	m->raw = (struct raw){ .cmd = d.cmd, .bytes = m->bytes };
	m->raw.flags = some_flags(&d);
	m->slot = d.slot;
	while (wrongs--)
		spoil(&d);
	m->raw.size = put_items(&d, m->bytes);
	if (chance_of(c, 3))
		spoil_bytes(m, c);
	if (chance_of(c, 1))
		m->raw.reserved = chance_next(c);
}
