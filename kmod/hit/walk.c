// SPDX-License-Identifier: GPL-2.0
/*
 * Makes steps by executing a program symbolically: adding a constant to a register needs
 * no step, only reads and stores do.
 */
#include "hit/walk.h"

/*
 * struct source - symbolic value of a slot
 * @known: it was written
 * @of_regs: it is register @from plus @imm; otherwise slot @from plus @imm
 * @needs: slots that must not be bad
 */
struct source {
	bool known;
	bool of_regs;
	u16 from;
	u8 needs;
	u64 imm;
};

/*
 * struct maker - list of steps under construction
 * @walk: result; without steps they are only counted
 * @nr: number of steps
 * @held: slot whose value the last step made and did not store yet; or KTAP_STEP_UNKEPT
 * @width: bytes of that value that may be nonzero; 0: any
 * @slot: symbolic values of the slots
 * @filled: for each word of the payload, a bit mask of the bytes stored
 */
struct maker {
	struct ktap_walk *walk;
	u32 nr;
	u8 held;
	u8 width;
	struct source slot[KTAP_NR_SLOTS];
	u8 filled[KTAP_WALK_WORDS];
};

static void emit(struct maker *m, const struct ktap_step *step)
{
	if (m->walk->steps)
		m->walk->steps[m->nr] = *step;
	m->nr++;
	m->held = KTAP_STEP_UNKEPT;
}

static void fill_bytes(struct maker *m, u32 off, u32 size)
{
	for (; size; size--, off++)
		m->filled[off / 8] |= BIT(off % 8);
}

/*
 * Stores are naturally aligned. The first store into a word also clears the rest of it,
 * if it is at the beginning of the word and the value @fits: it has no bits above its
 * size.
 */
static u8 fill(struct maker *m, const struct ktap_insn *i, bool fits)
{
	u8 *filled = &m->filled[i->off / 8];

	if (fits && !*filled && !(i->off % 8)) {
		*filled = 0xff;
		return 8;
	}
	fill_bytes(m, i->off, i->size);
	return i->size;
}

static u64 fault_of(const struct ktap_insn *i)
{
	return i->b == KTAP_NO_FAULT ? 0 : 1ULL << i->b;
}

/* A step that gives @dst a value of its own. */
static void keep(struct maker *m, struct ktap_step *step, u8 dst)
{
	step->dst = dst;
	step->makes = BIT(dst);
	emit(m, step);
	m->held = dst;
	m->width = step->is_signed ? 0 : step->size;
	m->slot[dst] = (struct source){
		.known = true, .from = dst, .needs = BIT(dst),
	};
}

static bool load(struct maker *m, const struct ktap_insn *i)
{
	const struct source *s = &m->slot[i->a];
	struct ktap_step step = {
		.kind = KTAP_STEP_LOAD,
		.imm = s->imm + i->imm,
		.from = s->from,
		.of_regs = s->of_regs,
		.needs = s->needs,
		.size = i->size,
		.is_signed = i->flags & KTAP_INSN_F_SIGNED,
		.user = i->flags & KTAP_INSN_F_USER,
	};

	if (!s->known)
		return false;
	keep(m, &step, i->dst);
	return true;
}

static bool context(struct maker *m, const struct ktap_insn *i)
{
	struct ktap_step step = {
		.kind = KTAP_STEP_CTX,
		.imm = i->imm,
		.from = KTAP_STEP_NOTHING,
	};

	if (i->imm == KTAP_CTX_RETADDR)
		return false;
	keep(m, &step, i->dst);
	return true;
}

static bool store(struct maker *m, const struct ktap_insn *i)
{
	const struct source *s = &m->slot[i->a];

	if (!s->known)
		return false;
	/* the slot may have changed since */
	if (m->held == i->a && !s->of_regs && s->from == i->a && !s->imm) {
		u8 stored = fill(m, i, m->width && m->width <= i->size);

		if (m->walk->steps) {
			struct ktap_step *step = &m->walk->steps[m->nr - 1];

			step->off = i->off;
			step->stored = stored;
			step->fault = fault_of(i);
		}
		m->held = KTAP_STEP_UNKEPT;
		return true;
	}
	emit(m, &(struct ktap_step){
		.kind = KTAP_STEP_SUM,
		.imm = s->imm,
		.from = s->from,
		.of_regs = s->of_regs,
		.needs = s->needs,
		.fault = fault_of(i),
		.off = i->off,
		.stored = fill(m, i, false),
		.dst = KTAP_STEP_UNKEPT,
	});
	return true;
}

/*
 * @dst = @s + @more, without a step. Drops the value that @dst had, and values based on
 *	it.
 */
static bool add(struct maker *m, u8 dst, const struct source *s, u64 more)
{
	struct source sum = *s;

	if (!s->known)
		return false;
	/* a slot that made its value keeps it: only @dst itself can refer to it */
	if (!s->of_regs && s->from != KTAP_STEP_NOTHING && s->from != dst)
		return false;
	sum.imm += more;
	m->slot[dst] = sum;
	return true;
}

static bool stores(const struct ktap_insn *i)
{
	return i->op == KTAP_OP_STORE || i->op == KTAP_OP_COMM ||
	       i->op == KTAP_OP_FAULTS;
}

static bool translate(struct maker *m, const struct ktap_insn *i)
{
	/* the fault bits are stored last: no store may overlap them */
	if (m->walk->faults_stored && stores(i))
		return false;
	switch (i->op) {
	case KTAP_OP_REG:
		m->slot[i->dst] = (struct source){
			.known = true,
			.of_regs = true,
			.from = env_reg_offset(i->imm),
		};
		break;
	case KTAP_OP_IMM:
		m->slot[i->dst] = (struct source){
			.known = true,
			.from = KTAP_STEP_NOTHING,
			.imm = i->imm,
		};
		break;
	case KTAP_OP_ALUI:
		return i->size == KTAP_ALU_ADD &&
		       add(m, i->dst, &m->slot[i->a], i->imm);
	case KTAP_OP_LOAD:
		return load(m, i);
	case KTAP_OP_CTX:
		return context(m, i);
	case KTAP_OP_STORE:
		return store(m, i);
	case KTAP_OP_COMM:
		fill_bytes(m, i->off, KTAP_COMM_LEN);
		emit(m, &(struct ktap_step){
			.kind = KTAP_STEP_COMM,
			.from = KTAP_STEP_NOTHING,
			.off = i->off,
			.dst = KTAP_STEP_UNKEPT,
		});
		break;
	case KTAP_OP_FAULTS:
		/* the verifier ensures that no later instruction can set one */
		m->walk->faults_off = i->off;
		m->walk->faults_stored = fill(m, i, true);
		break;
	default:
		return false;
	}
	return true;
}

/*
 * @cleared: words that the program does not fill. Return: whether steps can express it.
 */
static bool make(struct maker *m, const struct ktap_insn *insns, u64 cleared)
{
	const struct ktap_insn *i;
	u32 word;

	for (word = 0; word < KTAP_WALK_WORDS; word++)
		if (cleared & BIT_ULL(word))
			emit(m, &(struct ktap_step){
				.kind = KTAP_STEP_SUM,
				.from = KTAP_STEP_NOTHING,
				.off = 8 * word,
				.stored = 8,
				.dst = KTAP_STEP_UNKEPT,
			});
	for (i = insns; i->op != KTAP_OP_END; i++)
		if (!translate(m, i))
			return false;
	if (m->walk->steps && m->nr)
		m->walk->steps[m->nr - 1].last = true;
	return m->nr;
}

static u64 unfilled(const struct maker *m, u32 size)
{
	u64 words = 0;
	u32 word;

	for (word = 0; 8 * word < size; word++)
		if (m->filled[word] != 0xff)
			words |= BIT_ULL(word);
	return words;
}

/**
 * ktap_walk_make() - translate a program to steps
 * @insns: verified program, after its gate
 * @info: from the verifier
 * @walk: filled; without space for steps they are only counted
 *
 * Context: any.
 * Return: number of steps; 0: it has to be interpreted.
 */
u32 ktap_walk_make(const struct ktap_insn *insns,
		   const struct ktap_prog_info *info, struct ktap_walk *walk)
{
	struct ktap_walk counted = {};
	struct maker count = { .walk = &counted, .held = KTAP_STEP_UNKEPT };
	struct maker m = { .walk = walk, .held = KTAP_STEP_UNKEPT };
	u64 cleared;

	if (info->fixed_size > 8 * KTAP_WALK_WORDS)
		return 0;
	if (!make(&count, insns, 0))
		return 0;
	cleared = unfilled(&count, info->fixed_size);
	return make(&m, insns, cleared) ? m.nr : 0;
}
