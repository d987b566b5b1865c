// SPDX-License-Identifier: GPL-2.0
/*
 * Verifier of fetch programs. One pass in program order is enough, because jumps go
 * forward only: when the pass reaches an instruction, it knows all paths to it.
 */
#include "hit/counter.h"
#include "hit/verify.h"

static const char * const refusal_texts[] = {
	[KTAP_REFUSE_NONE] = "accepted",
#define R(name, text) [KTAP_REFUSE_##name] = text,
	KTAP_REFUSALS(R)
#undef R
};

/**
 * ktap_refusal_text() - the string for a reason
 * @why: reason
 *
 * Context: any.
 * Return: static string.
 */
const char *ktap_refusal_text(enum ktap_refusal why)
{
	return refusal_texts[why];
}

/*
 * struct state - knowledge at the current instruction
 * @set: slots that all paths to here have written
 * @data: number of KTAP_OP_DATA that the glob still needs
 * @join: for each instruction, slots that all jumps to it have written
 */
struct state {
	u8 set;
	u8 join[KTAP_PROG_MAX];
	u32 pc;
	u32 nr;
	u64 fault_bits;
	u32 faults_size;
	u32 strings;
	u32 data;
	bool matches;
	const struct ktap_prog_place *place;
	struct ktap_prog_info *info;
};

#define USES_DST	BIT(0)
#define USES_A		BIT(1)
#define USES_B		BIT(2)	/* slot b is read */
#define USES_FAULT	BIT(3)	/* b is a fault bit */
#define USES_SIZE	BIT(4)	/* 1, 2, 4 or 8 */
#define USES_ALU	BIT(5)	/* size is enum ktap_alu */
#define USES_OFF	BIT(6)
#define USES_IMM	BIT(7)
#define USES_SIGNED	BIT(8)
#define USES_USER	BIT(9)
#define NOT_SIMPLE	BIT(10)
#define USES_ENTRY	BIT(11)	/* b is a fault bit of the entry program */
#define USES_TASK	BIT(12)
#define USES_TAKE	BIT(13)

static const u16 op_uses[] = {
	[KTAP_OP_END] = 0,
	[KTAP_OP_REG] = USES_DST | USES_IMM,
	[KTAP_OP_IMM] = USES_DST | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_STACK] = USES_DST | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_LOAD] = USES_DST | USES_A | USES_SIZE | USES_IMM |
			 USES_SIGNED | USES_USER | NOT_SIMPLE,
	[KTAP_OP_ALU] = USES_DST | USES_A | USES_B | USES_ALU | NOT_SIMPLE,
	[KTAP_OP_ALUI] = USES_DST | USES_A | USES_ALU | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_JZ] = USES_A | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_JMP] = USES_IMM | NOT_SIMPLE,
	[KTAP_OP_FILTER] = USES_A | NOT_SIMPLE,
	[KTAP_OP_STORE] = USES_A | USES_FAULT | USES_SIZE | USES_OFF,
	[KTAP_OP_STRING] = USES_A | USES_OFF | USES_IMM | USES_USER |
			   NOT_SIMPLE,
	[KTAP_OP_COMM] = USES_OFF | NOT_SIMPLE,
	[KTAP_OP_FAULTS] = USES_SIZE | USES_OFF | NOT_SIMPLE,
	[KTAP_OP_CTX] = USES_DST | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_ARG] = USES_DST | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_BYTES] = USES_A | USES_FAULT | USES_OFF | USES_IMM |
			  USES_USER | NOT_SIMPLE,
	[KTAP_OP_MATCH] = USES_DST | USES_A | USES_IMM | USES_USER | NOT_SIMPLE,
	[KTAP_OP_DATA] = USES_IMM | NOT_SIMPLE,
	[KTAP_OP_ENTRY] = USES_DST | USES_ENTRY | USES_SIZE | USES_IMM |
			  USES_SIGNED | NOT_SIMPLE,
	[KTAP_OP_ENTRY_BYTES] = USES_FAULT | USES_OFF | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_ENTRY_STRING] = USES_OFF | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_FRAME] = USES_DST | USES_A | USES_FAULT | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_KSTACK] = USES_DST | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_STATE_PUT] = USES_A | USES_B | USES_TASK | NOT_SIMPLE,
	[KTAP_OP_STATE_GET] = USES_DST | USES_A | USES_FAULT | USES_TASK |
			      USES_TAKE | NOT_SIMPLE,
	[KTAP_OP_USTACK] = USES_DST | USES_IMM | NOT_SIMPLE,
	[KTAP_OP_COUNTER] = USES_DST | USES_IMM | NOT_SIMPLE,
};

static bool size_ok(u8 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static enum ktap_refusal check_unused(const struct ktap_insn *i, u16 uses)
{
	if ((!(uses & USES_DST) && i->dst) || (!(uses & USES_A) && i->a) ||
	    (!(uses & (USES_B | USES_FAULT | USES_ENTRY)) && i->b) ||
	    (!(uses & (USES_SIZE | USES_ALU)) && i->size) ||
	    (!(uses & USES_OFF) && i->off) || (!(uses & USES_IMM) && i->imm) ||
	    (!(uses & USES_USER) && (i->flags & KTAP_INSN_F_USER)) ||
	    (!(uses & USES_SIGNED) && (i->flags & KTAP_INSN_F_SIGNED)) ||
	    (!(uses & USES_TASK) && (i->flags & KTAP_INSN_F_TASK)) ||
	    (!(uses & USES_TAKE) && (i->flags & KTAP_INSN_F_TAKE)))
		return KTAP_REFUSE_RESERVED;
	return KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_slots(const struct state *s,
				     const struct ktap_insn *i, u16 uses)
{
	if (i->dst >= KTAP_NR_SLOTS || i->a >= KTAP_NR_SLOTS ||
	    ((uses & USES_B) && i->b >= KTAP_NR_SLOTS))
		return KTAP_REFUSE_BAD_SLOT;
	if (((uses & USES_A) && !(s->set & (1U << i->a))) ||
	    ((uses & USES_B) && !(s->set & (1U << i->b))))
		return KTAP_REFUSE_UNSET_SLOT;
	return KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_fault(struct state *s, const struct ktap_insn *i)
{
	if (i->b == KTAP_NO_FAULT)
		return KTAP_REFUSE_NONE;
	if (i->b >= KTAP_NR_FAULTS)
		return KTAP_REFUSE_BAD_FAULT;
	if (s->faults_size)
		return KTAP_REFUSE_LATE_FAULT;
	s->fault_bits |= 1ULL << i->b;
	s->info->simple = false;
	return KTAP_REFUSE_NONE;
}

/* Records a store to bytes [off, off + len) of the payload. */
static enum ktap_refusal use_bytes(struct state *s, u32 off, u32 len,
				   u32 align)
{
	u32 end = off + len;

	if (end > KTAP_RECORD_MAX - sizeof(struct ktap_rec_head))
		return KTAP_REFUSE_BAD_OFFSET;
	if (off % align)
		return KTAP_REFUSE_UNALIGNED;
	if (end > s->info->fixed_size)
		s->info->fixed_size = end;
	return KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_jump(struct state *s, const struct ktap_insn *i)
{
	if (i->imm >= s->nr - 1 - s->pc)
		return KTAP_REFUSE_BAD_JUMP;
	s->join[s->pc + 1 + i->imm] &= s->set;
	if (i->op == KTAP_OP_JMP)
		s->set = 0xff; /* only jumps reach the next instruction */
	return KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_string(struct state *s,
				      const struct ktap_insn *i)
{
	struct ktap_prog_info *info = s->info;

	if (!i->imm || i->imm > KTAP_STRING_MAX)
		return KTAP_REFUSE_BAD_STRING;
	s->strings += i->imm;
	if (info->nr_strings < KTAP_NR_ENTRY_STRINGS) {
		info->string_off[info->nr_strings] = i->off;
		info->string_max[info->nr_strings++] = i->imm;
	}
	return use_bytes(s, i->off, sizeof(struct ktap_string), 4);
}

static enum ktap_refusal check_faults(struct state *s,
				      const struct ktap_insn *i)
{
	if (i->size < 8 && s->fault_bits >> (i->size * 8))
		return KTAP_REFUSE_NARROW_FAULTS;
	s->faults_size = i->size;
	return use_bytes(s, i->off, i->size, i->size);
}

static enum ktap_refusal check_ctx(struct state *s, const struct ktap_insn *i)
{
	if (i->imm > KTAP_CTX_MAX)
		return KTAP_REFUSE_BAD_CTX;
	return i->imm == KTAP_CTX_RETADDR && !s->place->is_return ?
		       KTAP_REFUSE_NO_RETURN : KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_bytes(struct state *s, const struct ktap_insn *i)
{
	if (!i->imm || i->imm > KTAP_BYTES_MAX)
		return KTAP_REFUSE_BAD_BYTES;
	return use_bytes(s, i->off, i->imm, 1);
}

static enum ktap_refusal check_match(struct state *s, const struct ktap_insn *i)
{
	u32 nr;

	if (!i->imm || i->imm > KTAP_PATTERN_MAX)
		return KTAP_REFUSE_BAD_PATTERN;
	nr = (i->imm + 7) / 8;
	if (nr >= s->nr - s->pc - 1)
		return KTAP_REFUSE_BAD_PATTERN;
	s->data = nr;
	s->matches = true;
	return KTAP_REFUSE_NONE;
}

/* A jump into the data of a glob is harmless: KTAP_OP_DATA does nothing. */
static enum ktap_refusal check_data(struct state *s, const struct ktap_insn *i)
{
	if (!s->data)
		return KTAP_REFUSE_STRAY_DATA;
	s->data--;
	return KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_entry(struct state *s, const struct ktap_insn *i)
{
	const struct ktap_prog_info *entry = s->place->entry;

	if (i->b != KTAP_NO_FAULT && i->b >= KTAP_NR_FAULTS)
		return KTAP_REFUSE_BAD_FAULT;
	if (!entry || i->imm > entry->fixed_size ||
	    i->size > entry->fixed_size - i->imm)
		return KTAP_REFUSE_NO_ENTRY;
	return KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_entry_bytes(struct state *s,
					   const struct ktap_insn *i)
{
	const struct ktap_prog_info *entry = s->place->entry;
	u32 size = i->imm, from = i->imm >> 32;

	if (!size || size > KTAP_BYTES_MAX)
		return KTAP_REFUSE_BAD_BYTES;
	if (!entry || from > entry->fixed_size ||
	    size > entry->fixed_size - from)
		return KTAP_REFUSE_NO_ENTRY;
	return use_bytes(s, i->off, size, 1);
}

static enum ktap_refusal check_entry_string(struct state *s,
					    const struct ktap_insn *i)
{
	const struct ktap_prog_info *entry = s->place->entry;

	if (!entry || i->imm >= entry->nr_strings)
		return KTAP_REFUSE_NO_ENTRY;
	s->strings += entry->string_max[i->imm];
	return use_bytes(s, i->off, sizeof(struct ktap_string), 4);
}

static enum ktap_refusal check_frame(struct state *s, const struct ktap_insn *i)
{
	return i->imm < s->place->nr_frame_regs ? KTAP_REFUSE_NONE :
						  KTAP_REFUSE_NO_FRAME;
}

static enum ktap_refusal take_stack(struct state *s, const struct ktap_insn *i)
{
	struct ktap_prog_info *info = s->info;

	if (!i->imm || i->imm > KTAP_STACK_FRAMES_MAX)
		return KTAP_REFUSE_BAD_DEPTH;
	if (info->nr_stacks == KTAP_NR_STACKS)
		return KTAP_REFUSE_MANY_STACKS;
	info->nr_stacks++;
	info->nr_kstacks += i->op == KTAP_OP_KSTACK;
	info->stack_frames += i->imm;
	return KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_kstack(struct state *s,
				      const struct ktap_insn *i)
{
	if (s->place->no_stacks || s->place->is_user)
		return KTAP_REFUSE_NO_STACK;
	return take_stack(s, i);
}

/* It begins at the registers that the task has in user code, whatever the hook passes. */
static enum ktap_refusal check_ustack(struct state *s,
				      const struct ktap_insn *i)
{
	if (s->place->no_stacks)
		return KTAP_REFUSE_NO_USTACK;
	if (!env_has_ustack())
		return KTAP_REFUSE_NO_MAPPINGS;
	s->info->has_ustack = true;
	return take_stack(s, i);
}

static enum ktap_refusal check_state(struct state *s, const struct ktap_insn *i)
{
	if (s->place->no_state)
		return KTAP_REFUSE_NO_STATE;
	s->info->has_state = true;
	s->info->has_store |= i->op == KTAP_OP_STATE_PUT;
	return KTAP_REFUSE_NONE;
}

/* Notes each event once. */
static enum ktap_refusal check_counter(struct state *s,
				       const struct ktap_insn *i)
{
	struct ktap_prog_info *info = s->info;
	u32 n;

	if (!ktap_counter_is_known(i->imm))
		return KTAP_REFUSE_BAD_COUNTER;
	for (n = 0; n < info->nr_counters; n++)
		if (info->counters[n].event == i->imm)
			return KTAP_REFUSE_NONE;
	if (n == KTAP_NR_COUNTERS)
		return KTAP_REFUSE_MANY_COUNTERS;
	info->counters[info->nr_counters++].event = i->imm;
	return KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_end(struct state *s, const struct ktap_insn *i)
{
	return s->pc == s->nr - 1 ? KTAP_REFUSE_NONE : KTAP_REFUSE_EARLY_END;
}

static enum ktap_refusal check_reg(struct state *s, const struct ktap_insn *i)
{
	if (s->place->no_regs)
		return KTAP_REFUSE_NO_REGS;
	if (i->imm >= env_nr_regs())
		return KTAP_REFUSE_BAD_REG;
	s->info->regs |= 1ULL << i->imm;
	return KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_stack(struct state *s, const struct ktap_insn *i)
{
	if (s->place->no_regs)
		return KTAP_REFUSE_NO_REGS;
	return i->imm < KTAP_STACK_WORDS ? KTAP_REFUSE_NONE :
					   KTAP_REFUSE_BAD_STACK;
}

static enum ktap_refusal check_filter(struct state *s,
				      const struct ktap_insn *i)
{
	s->info->has_filter = true;
	return KTAP_REFUSE_NONE;
}

static enum ktap_refusal check_store(struct state *s, const struct ktap_insn *i)
{
	return use_bytes(s, i->off, i->size, i->size);
}

static enum ktap_refusal check_comm(struct state *s, const struct ktap_insn *i)
{
	return use_bytes(s, i->off, KTAP_COMM_LEN, 1);
}

static enum ktap_refusal check_arg(struct state *s, const struct ktap_insn *i)
{
	return i->imm < s->place->nr_args ? KTAP_REFUSE_NONE :
					    KTAP_REFUSE_BAD_ARG;
}

/* Checks of single operations. */
static enum ktap_refusal (* const op_checks[])(struct state *s,
					       const struct ktap_insn *i) = {
	[KTAP_OP_END] = check_end,
	[KTAP_OP_REG] = check_reg,
	[KTAP_OP_STACK] = check_stack,
	[KTAP_OP_JZ] = check_jump,
	[KTAP_OP_JMP] = check_jump,
	[KTAP_OP_FILTER] = check_filter,
	[KTAP_OP_STORE] = check_store,
	[KTAP_OP_STRING] = check_string,
	[KTAP_OP_COMM] = check_comm,
	[KTAP_OP_FAULTS] = check_faults,
	[KTAP_OP_CTX] = check_ctx,
	[KTAP_OP_ARG] = check_arg,
	[KTAP_OP_BYTES] = check_bytes,
	[KTAP_OP_MATCH] = check_match,
	[KTAP_OP_DATA] = check_data,
	[KTAP_OP_ENTRY] = check_entry,
	[KTAP_OP_ENTRY_BYTES] = check_entry_bytes,
	[KTAP_OP_ENTRY_STRING] = check_entry_string,
	[KTAP_OP_FRAME] = check_frame,
	[KTAP_OP_KSTACK] = check_kstack,
	[KTAP_OP_STATE_PUT] = check_state,
	[KTAP_OP_STATE_GET] = check_state,
	[KTAP_OP_USTACK] = check_ustack,
	[KTAP_OP_COUNTER] = check_counter,
};

static enum ktap_refusal check_insn(struct state *s, const struct ktap_insn *i)
{
	enum ktap_refusal why;
	u16 uses;

	if (i->op > KTAP_OP_MAX)
		return KTAP_REFUSE_BAD_OP;
	if (s->data && i->op != KTAP_OP_DATA)
		return KTAP_REFUSE_BAD_PATTERN;
	uses = op_uses[i->op];
	if (i->flags & ~__KTAP_INSN_F_ALL)
		return KTAP_REFUSE_BAD_FLAGS;
	why = check_unused(i, uses);
	if (why)
		return why;
	why = check_slots(s, i, uses);
	if (why)
		return why;
	if ((uses & USES_SIZE) && !size_ok(i->size))
		return KTAP_REFUSE_BAD_SIZE;
	if ((uses & USES_ALU) && i->size > KTAP_ALU_MAX)
		return KTAP_REFUSE_BAD_ALU;
	if (uses & USES_FAULT) {
		why = check_fault(s, i);
		if (why)
			return why;
	}
	if (uses & NOT_SIMPLE)
		s->info->simple = false;
	return op_checks[i->op] ? op_checks[i->op](s, i) : KTAP_REFUSE_NONE;
}

/* A word with their size, then the stacks. */
static void place_stacks(struct ktap_prog_info *info)
{
	if (!info->nr_stacks)
		return;
	info->stacks_off = info->room;
	info->room += sizeof(u64) + info->stack_frames * sizeof(u64) +
		      info->nr_stacks * sizeof(struct ktap_stack);
}

static enum ktap_refusal check_whole(struct state *s)
{
	u64 size = sizeof(struct ktap_rec_head) + s->info->fixed_size +
		   (u64)s->strings;

	if (s->fault_bits && !s->faults_size)
		return KTAP_REFUSE_NO_FAULTS;
	size = ALIGN(size, 8);
	if (size > KTAP_RECORD_MAX)
		return KTAP_REFUSE_TOO_BIG;
	s->info->record_max = size;
	s->info->room = size - sizeof(struct ktap_rec_head) +
			(s->matches ? KTAP_MATCH_MAX : sizeof(u64));
	place_stacks(s->info);
	return KTAP_REFUSE_NONE;
}

/**
 * ktap_verify() - decide whether a program may run
 * @insns: program
 * @nr: length of @insns
 * @place: where it will run; NULL: at a hook that passes registers only
 * @info: filled on success
 * @at: on failure, the number of the offending instruction
 *
 * Context: any; pure.
 * Return: KTAP_REFUSE_NONE, or the reason.
 */
enum ktap_refusal ktap_verify(const struct ktap_insn *insns, u32 nr,
			      const struct ktap_prog_place *place,
			      struct ktap_prog_info *info, u32 *at)
{
	static const struct ktap_prog_place plain;
	struct state s = {
		.nr = nr, .place = place ?: &plain, .info = info,
	};
	enum ktap_refusal why;

	*info = (struct ktap_prog_info){ .simple = true };
	*at = 0;
	if (!nr)
		return KTAP_REFUSE_EMPTY;
	if (nr > KTAP_PROG_MAX)
		return KTAP_REFUSE_TOO_LONG;
	memset(s.join, 0xff, sizeof(s.join));
	for (s.pc = 0; s.pc < nr; s.pc++) {
		*at = s.pc;
		s.set &= s.join[s.pc];
		why = check_insn(&s, &insns[s.pc]);
		if (why)
			return why;
		if (op_uses[insns[s.pc].op] & USES_DST)
			s.set |= 1U << insns[s.pc].dst;
	}
	if (insns[nr - 1].op != KTAP_OP_END)
		return KTAP_REFUSE_NO_END;
	return check_whole(&s);
}
