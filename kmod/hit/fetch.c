// SPDX-License-Identifier: GPL-2.0
/*
 * Interpreter of fetch programs. It relies on the verifier for everything but the
 * contents of memory, which it reads with nofault copies only.
 *
 * Context: any, NMI included; preemption disabled. Does not sleep, except for reads of a
 * frame that may wait.
 */
#include "hit/fetch.h"
#include "hit/match.h"
#include "hit/stacks.h"
#include "hit/state.h"

/*
 * struct run - one execution
 * @frame: frame that the hook passes
 * @info: from the verifier
 * @payload: payload under construction
 * @text: buffer for a string that is compared and not stored
 * @faults: fault bits so far
 * @end: size of the payload so far
 * @bad: slots whose value could not be read
 * @unread: a read of user memory failed that may succeed by sleeping
 * @no_entry: a frame was looked up and not found
 */
struct run {
	u64 slot[KTAP_NR_SLOTS];
	const struct ktap_frame *frame;
	const struct ktap_prog_info *info;
	u8 *payload;
	char *text;
	u64 faults;
	u32 end;
	u8 bad;
	bool unread;
	bool no_entry;
};

static __always_inline bool is_bad(const struct run *r, u8 slot)
{
	return r->bad & (1U << slot);
}

static __always_inline void set(struct run *r, u8 slot, u64 value)
{
	r->slot[slot] = value;
	r->bad &= ~(1U << slot);
}

/* A bad slot is zero, so that no stale value gets into a record. */
static __always_inline void set_bad(struct run *r, u8 slot)
{
	r->slot[slot] = 0;
	r->bad |= 1U << slot;
}

/* Address space that an instruction reads: ENV_USER in the frame overrides its flag. */
static __always_inline enum env_memory memory_of(const struct run *r,
						 const struct ktap_insn *i)
{
	BUILD_BUG_ON(KTAP_INSN_F_USER != ENV_USER);
	return r->frame->memory ?: i->flags & KTAP_INSN_F_USER;
}

/* A read failed: waits and reads again if the hit may wait. */
static noinline int read_again(struct run *r, void *dst, u64 addr, u32 size)
{
	if (r->frame->wait)
		return env_read_waiting(r->frame->wait, dst, addr, size);
	r->unread = r->frame->retry;
	return -EFAULT;
}
ENV_NOPROBE(read_again);

static noinline long string_again(struct run *r, char *dst, u64 addr, u32 max)
{
	if (r->frame->wait)
		return env_string_waiting(r->frame->wait, dst, addr, max);
	r->unread = r->frame->retry;
	return -EFAULT;
}
ENV_NOPROBE(string_again);

static __always_inline int read_memory(struct run *r, const struct ktap_insn *i,
				       void *dst, u64 addr, u32 size)
{
	if (likely(!env_read(dst, addr, size, memory_of(r, i))))
		return 0;
	return read_again(r, dst, addr, size);
}

static __always_inline long read_string(struct run *r,
					const struct ktap_insn *i, char *dst,
					u64 addr, u32 max)
{
	long len = env_string(dst, addr, max, memory_of(r, i));

	return likely(len >= 0) ? len : string_again(r, dst, addr, max);
}

static __always_inline void op_load(struct run *r, const struct ktap_insn *i)
{
	u64 addr = r->slot[i->a] + i->imm, value;

	/* both architectures are little-endian: the low bytes come first */
	if (unlikely(is_bad(r, i->a)) ||
	    (unlikely(env_value(&value, addr, i->size, memory_of(r, i))) &&
	     read_again(r, &value, addr, i->size))) {
		set_bad(r, i->dst);
		return;
	}
	if (i->flags & KTAP_INSN_F_SIGNED)
		value = ktap_fetch_extend(value, i->size, true);
	set(r, i->dst, value);
}

static void op_stack(struct run *r, const struct ktap_insn *i)
{
	ktap_regs *regs = r->frame->regs;
	u64 value;

	if (unlikely(env_stack_word(regs, i->imm, &value, r->frame->memory)) &&
	    read_again(r, &value, env_stack_at(regs, i->imm), sizeof(value)))
		set_bad(r, i->dst);
	else
		set(r, i->dst, value);
}
ENV_NOPROBE(op_stack);

static bool divide(u8 op, u64 a, u64 b, u64 *ret)
{
	if (!b)
		return false;
	if (op == KTAP_ALU_DIVU)
		*ret = a / b;
	else if (op == KTAP_ALU_MODU)
		*ret = a % b;
	else if (b == -1ULL) /* negating the smallest number overflows */
		*ret = op == KTAP_ALU_DIVS ? -a : 0;
	else if (op == KTAP_ALU_DIVS)
		*ret = (s64)a / (s64)b;
	else
		*ret = (s64)a % (s64)b;
	return true;
}
ENV_NOPROBE(divide);

static u64 shift(u8 op, u64 a, u64 b)
{
	if (op == KTAP_ALU_SAR)
		return (s64)a >> (b > 63 ? 63 : b);
	if (b > 63)
		return 0;
	return op == KTAP_ALU_SHL ? a << b : a >> b;
}
ENV_NOPROBE(shift);

static u64 compare(u8 op, u64 a, u64 b)
{
	switch (op) {
	case KTAP_ALU_EQ:
		return a == b;
	case KTAP_ALU_NE:
		return a != b;
	case KTAP_ALU_LTU:
		return a < b;
	case KTAP_ALU_LEU:
		return a <= b;
	case KTAP_ALU_LTS:
		return (s64)a < (s64)b;
	default:
		return (s64)a <= (s64)b;
	}
}
ENV_NOPROBE(compare);

static u64 alu(u8 op, u64 a, u64 b)
{
	switch (op) {
	case KTAP_ALU_ADD:
		return a + b;
	case KTAP_ALU_SUB:
		return a - b;
	case KTAP_ALU_MUL:
		return a * b;
	case KTAP_ALU_AND:
		return a & b;
	case KTAP_ALU_OR:
		return a | b;
	case KTAP_ALU_XOR:
		return a ^ b;
	case KTAP_ALU_SHL:
	case KTAP_ALU_SHR:
	case KTAP_ALU_SAR:
		return shift(op, a, b);
	default:
		return compare(op, a, b);
	}
}
ENV_NOPROBE(alu);

static void op_alu(struct run *r, const struct ktap_insn *i)
{
	bool immediate = i->op == KTAP_OP_ALUI;
	u64 b = immediate ? i->imm : r->slot[i->b];

	if (is_bad(r, i->a) || (!immediate && is_bad(r, i->b))) {
		set_bad(r, i->dst);
	} else if (i->size < KTAP_ALU_DIVU) {
		set(r, i->dst, alu(i->size, r->slot[i->a], b));
	} else {
		u64 value;

		if (divide(i->size, r->slot[i->a], b, &value))
			set(r, i->dst, value);
		else
			set_bad(r, i->dst);
	}
}
ENV_NOPROBE(op_alu);

static void op_store(struct run *r, const struct ktap_insn *i)
{
	if (is_bad(r, i->a) && i->b != KTAP_NO_FAULT)
		r->faults |= 1ULL << i->b;
	memcpy(r->payload + i->off, &r->slot[i->a], i->size);
}
ENV_NOPROBE(op_store);

static void op_string(struct run *r, const struct ktap_insn *i)
{
	char *dst = (char *)r->payload + r->end;
	u32 max = i->imm;
	long len = -EFAULT;

	if (!is_bad(r, i->a))
		len = read_string(r, i, dst, r->slot[i->a], max);
	r->end += ktap_fetch_string((void *)(r->payload + i->off), dst, len,
				    max);
}
ENV_NOPROBE(op_string);

static void set_fault(struct run *r, u8 bit)
{
	if (bit != KTAP_NO_FAULT)
		r->faults |= 1ULL << bit;
}
ENV_NOPROBE(set_fault);

static void op_bytes(struct run *r, const struct ktap_insn *i)
{
	u8 *to = r->payload + i->off;

	if (!is_bad(r, i->a) &&
	    !read_memory(r, i, to, r->slot[i->a], i->imm))
		return;
	memset(to, 0, i->imm);
	set_fault(r, i->b);
}
ENV_NOPROBE(op_bytes);

static void op_match(struct run *r, const struct ktap_insn *i)
{
	long len = -EFAULT;

	if (!is_bad(r, i->a))
		len = read_string(r, i, r->text, r->slot[i->a], KTAP_MATCH_MAX);
	if (len < 0)
		set_bad(r, i->dst);
	else
		set(r, i->dst, ktap_match(ktap_glob_of(i), (u8 *)r->text, len));
}
ENV_NOPROBE(op_match);

/**
 * ktap_fetch_ctx() - env_ctx(), out of line
 * @what: enum ktap_ctx, except KTAP_CTX_RETADDR
 * @wait: of a hit that may wait, or NULL
 *
 * Context: as ktap_fetch_run().
 * Return: value.
 */
noinline u64 ktap_fetch_ctx(u64 what, const struct ktap_user_wait *wait)
{
	return env_ctx(what, wait);
}
ENV_NOPROBE(ktap_fetch_ctx);

static void op_ctx(struct run *r, const struct ktap_insn *i)
{
	const struct ktap_frame *frame = r->frame;

	set(r, i->dst, i->imm == KTAP_CTX_RETADDR ?
			       frame->retaddr :
			       ktap_fetch_ctx(i->imm, frame->wait));
}
ENV_NOPROBE(op_ctx);

static void op_arg(struct run *r, const struct ktap_insn *i)
{
	const struct ktap_frame *frame = r->frame;
	u64 value, at;

	if (likely(i->imm < frame->nr_args)) {
		set(r, i->dst, frame->args[i->imm]);
		return;
	}
	at = frame->stack_args + (i->imm - frame->nr_args) * sizeof(value);
	if (env_value(&value, at, sizeof(value), ENV_ANY))
		set_bad(r, i->dst);
	else
		set(r, i->dst, value);
}
ENV_NOPROBE(op_arg);

/* ---- results of the entry program ----------------------------------------- */

static bool entry_bad(const struct run *r, u8 bit)
{
	const struct ktap_entry *entry = r->frame->entry;

	return !entry || (bit != KTAP_NO_FAULT && entry->faults >> bit & 1);
}
ENV_NOPROBE(entry_bad);

static void op_entry(struct run *r, const struct ktap_insn *i)
{
	u64 value = 0;

	if (entry_bad(r, i->b)) {
		set_bad(r, i->dst);
		return;
	}
	memcpy(&value, r->frame->entry->payload + i->imm, i->size);
	set(r, i->dst, ktap_fetch_extend(value, i->size,
					 i->flags & KTAP_INSN_F_SIGNED));
}
ENV_NOPROBE(op_entry);

static void op_entry_bytes(struct run *r, const struct ktap_insn *i)
{
	u32 size = i->imm, from = i->imm >> 32;
	u8 *to = r->payload + i->off;

	if (r->frame->entry)
		memcpy(to, r->frame->entry->payload + from, size);
	else
		memset(to, 0, size);
	if (entry_bad(r, i->b))
		set_fault(r, i->b);
}
ENV_NOPROBE(op_entry_bytes);

/*
 * Strings follow the fixed part in program order. An entry program that overwrites its
 * own descriptors gets wrong bytes, but not more than were reserved.
 */
static void op_entry_string(struct run *r, const struct ktap_insn *i)
{
	const struct ktap_prog_info *info = r->frame->entry_info;
	struct ktap_string *s = (void *)(r->payload + i->off);
	const u8 *payload, *from;
	u32 n;

	*s = (struct ktap_string){ .flags = KTAP_STRING_F_FAULT };
	if (!r->frame->entry)
		return;
	payload = r->frame->entry->payload;
	from = payload + info->fixed_size;
	for (n = 0; n <= i->imm; n++) {
		from += s->len;
		memcpy(s, payload + info->string_off[n], sizeof(*s));
		if (s->len > info->string_max[n])
			s->len = info->string_max[n];
	}
	if (!s->len)
		s->flags |= KTAP_STRING_F_FAULT; /* the program jumped over it */
	memcpy(r->payload + r->end, from, s->len);
	r->end += s->len;
}
ENV_NOPROBE(op_entry_string);

/* ---- stored frames --------------------------------------------------------- */

/* If the CFA could not be read, the entry is unknown and not missing. */
static void op_frame(struct run *r, const struct ktap_insn *i)
{
	u64 value;

	if (is_bad(r, i->a)) {
		set_bad(r, i->dst);
	} else if (env_frame(r->frame->calls, r->slot[i->a], i->imm, &value)) {
		set(r, i->dst, value);
	} else {
		set_bad(r, i->dst);
		set_fault(r, i->b);
		r->no_entry = true;
	}
}
ENV_NOPROBE(op_frame);

/* ---- stacks ---------------------------------------------------------------- */

/* Return: whether a trail leads to the kernel stack, so the session's table has it. */
static bool is_known(struct run *r, const struct ktap_insn *i)
{
	u64 id = r->frame->trails ? env_kstack_find(r->frame->trails, r->frame->regs) : 0;

	if (id)
		set(r, i->dst, id);
	return id;
}
ENV_NOPROBE(is_known);

/* The stacks stay in the buffer, after the payload, for ktap_stacks_keep(). */
static void op_take_stack(struct run *r, const struct ktap_insn *i)
{
	u64 *size = (u64 *)(r->payload + r->info->stacks_off);
	struct ktap_stack *s;

	if (i->op == KTAP_OP_KSTACK && is_known(r, i))
		return;
	s = ktap_stack_begin(size);
	if (i->op == KTAP_OP_USTACK)
		env_ustack(s, i->imm);
	else if (r->frame->regs)
		env_kstack(r->frame->regs, r->frame->spot, s, i->imm, r->frame->trails);
	else
		env_kstack_of_caller(r->frame->caller, s, i->imm);
	set(r, i->dst, ktap_stack_taken(s, size));
}
ENV_NOPROBE(op_take_stack);

/* ---- state ----------------------------------------------------------------- */

static void count_state(struct run *r, enum ktap_state_count what)
{
	env_state_count(r->info->state_cells, what);
}
ENV_NOPROBE(count_state);

/* Return: false: the key, or when the task started, could not be read. */
static bool state_key(struct run *r, const struct ktap_insn *i,
		      struct ktap_state_key *key)
{
	*key = (struct ktap_state_key){ .key = r->slot[i->a] };
	if (is_bad(r, i->a))
		return false;
	if (!(i->flags & KTAP_INSN_F_TASK))
		return true;
	if (!env_task_start(key->key, &key->start))
		return false;
	key->start |= 1ULL << 63;
	return true;
}
ENV_NOPROBE(state_key);

/* What is not stored must not be found either: an earlier value is another one. */
static void op_state_put(struct run *r, const struct ktap_insn *i)
{
	const struct ktap_state *t = r->info->state;
	struct ktap_state_key key;
	bool replaced = false;
	u64 old;

	if (!state_key(r, i, &key)) {
		count_state(r, KTAP_STATE_UNSTORED);
	} else if (is_bad(r, i->b) ||
		   !ktap_state_put(t, &key, r->slot[i->b], &replaced)) {
		ktap_state_get(t, &key, true, &old);
		count_state(r, KTAP_STATE_UNSTORED);
	} else {
		count_state(r, KTAP_STATE_STORES);
	}
	if (replaced)
		count_state(r, KTAP_STATE_REPLACED);
}
ENV_NOPROBE(op_state_put);

/* If the key could not be read, the entry is unknown and not missing. */
static void op_state_get(struct run *r, const struct ktap_insn *i)
{
	struct ktap_state_key key;
	u64 value;

	if (!state_key(r, i, &key)) {
		set_bad(r, i->dst);
		return;
	}
	count_state(r, KTAP_STATE_LOADS);
	if (ktap_state_get(r->info->state, &key, i->flags & KTAP_INSN_F_TAKE,
			   &value)) {
		set(r, i->dst, value);
		return;
	}
	set_bad(r, i->dst);
	set_fault(r, i->b);
	count_state(r, KTAP_STATE_MISSES);
}
ENV_NOPROBE(op_state_get);

/* ---- counters -------------------------------------------------------------- */

/* The verifier has noted every event of the program. */
static void op_counter(struct run *r, const struct ktap_insn *i)
{
	const struct ktap_counter_use *use = r->info->counters;
	u64 value;

	while (use->event != i->imm)
		use++;
	if (env_counter(use->counter, use->event, r->frame->wait, &value))
		set(r, i->dst, value);
	else
		set_bad(r, i->dst);
}
ENV_NOPROBE(op_counter);

/* ---- running --------------------------------------------------------------- */

static __always_inline bool no_value(const struct run *r,
				     const struct ktap_insn *i)
{
	/* a bad slot is zero */
	return !r->slot[i->a];
}

/* Operations that are expensive anyway, or rare. */
static noinline void run_other(struct run *r, const struct ktap_insn *i)
{
	if (likely(i->op == KTAP_OP_STRING)) {
		op_string(r, i);
		return;
	}
	switch (i->op) {
	case KTAP_OP_STACK:
		op_stack(r, i);
		break;
	case KTAP_OP_COMM:
		env_comm(r->payload + i->off);
		break;
	case KTAP_OP_CTX:
		op_ctx(r, i);
		break;
	case KTAP_OP_ARG:
		op_arg(r, i);
		break;
	case KTAP_OP_BYTES:
		op_bytes(r, i);
		break;
	case KTAP_OP_MATCH:
		op_match(r, i);
		break;
	case KTAP_OP_ENTRY:
		op_entry(r, i);
		break;
	case KTAP_OP_ENTRY_BYTES:
		op_entry_bytes(r, i);
		break;
	case KTAP_OP_ENTRY_STRING:
		op_entry_string(r, i);
		break;
	case KTAP_OP_FRAME:
		op_frame(r, i);
		break;
	case KTAP_OP_KSTACK:
	case KTAP_OP_USTACK:
		op_take_stack(r, i);
		break;
	case KTAP_OP_STATE_PUT:
		op_state_put(r, i);
		break;
	case KTAP_OP_STATE_GET:
		op_state_get(r, i);
		break;
	case KTAP_OP_COUNTER:
		op_counter(r, i);
		break;
	}
}
ENV_NOPROBE(run_other);

/* Return: 0, or an error of ktap_fetch_run(). */
static __always_inline int execute(struct run *r, const struct ktap_insn *insns)
{
	const struct ktap_frame *frame = r->frame;
	const struct ktap_insn *i;

	for (i = insns; i->op != KTAP_OP_END; i++) {
		switch (i->op) {
		case KTAP_OP_REG:
			set(r, i->dst, env_reg(frame->regs, i->imm));
			break;
		case KTAP_OP_IMM:
			set(r, i->dst, i->imm);
			break;
		case KTAP_OP_LOAD:
			op_load(r, i);
			break;
		case KTAP_OP_ALU:
		case KTAP_OP_ALUI:
			op_alu(r, i);
			break;
		case KTAP_OP_JZ:
			if (no_value(r, i))
				i += i->imm;
			break;
		case KTAP_OP_JMP:
			i += i->imm;
			break;
		case KTAP_OP_FILTER:
			if (no_value(r, i))
				return r->unread ? KTAP_FETCH_AGAIN :
						   KTAP_FETCH_FILTERED;
			break;
		case KTAP_OP_STORE:
			op_store(r, i);
			break;
		case KTAP_OP_FAULTS:
			memcpy(r->payload + i->off, &r->faults, i->size);
			break;
		default:
			run_other(r, i);
		}
	}
	if (unlikely(r->unread))
		return KTAP_FETCH_AGAIN;
	return 0;
}

/* Clears whole words, usually few. */
static __always_inline void clear_fixed(u8 *payload, u32 size)
{
	const u64 zero = 0;
	u32 at;

	if (unlikely(size > 64)) {
		memset(payload, 0, ALIGN(size, 8));
		return;
	}
	for (at = 0; at < size; at += 8) {
		memcpy(payload + at, &zero, 8);
		barrier(); /* keeps the compiler from calling memset() */
	}
}

/**
 * ktap_fetch_run() - run a program
 * @insns: verified program, prepared by ktap_globs_make()
 * @info: from the verifier
 * @frame: frame that the hook passes
 * @payload: buffer of @info->room bytes
 * @ret_faults: filled with the fault bits; or NULL
 *
 * Context: any, NMI included; preemption disabled. Process, preemptible, if the frame may
 * wait.
 * Return: size of the payload, a multiple of 8; KTAP_FETCH_FILTERED; or KTAP_FETCH_AGAIN,
 * see struct ktap_frame.
 */
int ktap_fetch_run(const struct ktap_insn *insns,
		   const struct ktap_prog_info *info,
		   const struct ktap_frame *frame, u8 *payload,
		   u64 *ret_faults)
{
	struct run r __uninitialized;
	int err;

	/*
	 * slots need no initial value: the verifier checks that they are written before
	 * they are read
	 */
	r.frame = frame;
	r.info = info;
	r.payload = payload;
	r.text = (char *)payload + info->record_max -
		 sizeof(struct ktap_rec_head);
	r.faults = 0;
	r.end = info->fixed_size;
	r.bad = 0;
	r.unread = false;
	r.no_entry = false;
	clear_fixed(payload, info->fixed_size);
	if (unlikely(info->stacks_off))
		*(u64 *)(payload + info->stacks_off) = 0;
	err = execute(&r, insns);
	/* a program that runs again counts then */
	if (unlikely(r.no_entry) && err != KTAP_FETCH_AGAIN)
		env_no_entry(frame->calls);
	if (unlikely(err))
		return err;
	if (ret_faults)
		*ret_faults = r.faults;
	return ktap_fetch_finish(payload, r.end);
}
ENV_NOPROBE(ktap_fetch_run);
