// SPDX-License-Identifier: GPL-2.0
/*
 * Walks a user stack. Everything that the walk reads of the task, its memory and the rules
 * for it, may be wrong or made to mislead: so each step is checked for progress, and the
 * number of frames bounds the walk.
 *
 * The psABIs of x86-64 and AArch64 put the saved frame pointer and the return address next to
 * each other, and the frame pointer points to them.
 */
#include "hit/user_walk.h"

#include "hit/stacks.h"

#define MAPS	4	/* mappings that a walk remembers */
#define WORD	8

/**
 * struct walk - a stack being unwound
 * @s: result
 * @max: frames at most
 * @r: registers of the frame that is next
 * @exact: @r.ip is executed next; otherwise it is a return address, and the call before it
 *	decides
 * @has_lr: @r.lr is known
 * @has_sp: @r.sp is known
 * @guessed: the frame was found by frame pointers
 * @first_fp: no frame has changed @r.fp yet
 * @read: what the walk uses, or NULL
 * @key: stack pointer at the entry of the function whose return address is now @r.ip; 0: it
 *	is not known
 * @nr_maps: mappings that were looked up
 * @maps: the last of them
 */
struct walk {
	struct ktap_stack *s;
	u32 max;
	struct ktap_user_regs r;
	bool exact;
	bool has_lr;
	bool has_sp;
	bool guessed;
	bool first_fp;
	struct ktap_user_read *read;
	u64 key;
	u32 nr_maps;
	struct ktap_user_map maps[MAPS];
};

static bool end(struct walk *w, enum ktap_stack_end why)
{
	w->s->end = why;
	return false;
}
ENV_NOPROBE(end);

/* ---- what the walk uses -------------------------------------------------------- */

/* Something else than registers, words of the memory, and mappings that are there. */
static void use_more(struct walk *w)
{
	if (w->read)
		w->read->open = true;
}
ENV_NOPROBE(use_more);

static void use_word(struct walk *w, u64 at, u64 value)
{
	struct ktap_user_read *r = w->read;

	if (!r)
		return;
	if (likely(r->nr < KTAP_USER_WORDS_MAX)) {
		r->words[r->nr].at = at;
		r->words[r->nr++].value = value;
	} else {
		r->open = true;
	}
}
ENV_NOPROBE(use_word);

static u64 use_fp(struct walk *w)
{
	if (w->read && w->first_fp)
		w->read->fp = true;
	return w->r.fp;
}
ENV_NOPROBE(use_fp);

static u64 use_lr(struct walk *w)
{
	if (w->read)
		w->read->lr = true;
	return w->r.lr;
}
ENV_NOPROBE(use_lr);

/* Where to note how a mapping is found; NULL: nowhere. */
static struct ktap_user_note *use_map(struct walk *w)
{
	struct ktap_user_read *r = w->read;

	if (!r || !KTAP_USER_NOTES_MAX)
		return NULL;
	if (unlikely(r->nr_notes == KTAP_USER_NOTES_MAX)) {
		r->open = true;
		return NULL;
	}
	return &r->notes[r->nr_notes++];
}
ENV_NOPROBE(use_map);

/* ---- steps --------------------------------------------------------------------- */

/* Return: the mapping of an address, or NULL. */
static const struct ktap_user_map *map_of(struct walk *w, u64 at)
{
	struct ktap_user_note *note;
	struct ktap_user_map *m;
	u32 i;

	for (i = 0; i < MAPS && i < w->nr_maps; i++)
		if (at >= w->maps[i].start && at < w->maps[i].end)
			return &w->maps[i];
	m = &w->maps[w->nr_maps % MAPS];
	/* it must not be found if it cannot be filled */
	m->end = 0;
	w->nr_maps++;
	note = use_map(w);
	if (!env_user_map(at, m, note)) {
		use_more(w);
		return NULL;
	}
	if (note && !note->way.nr)
		use_more(w);
	return m;
}
ENV_NOPROBE(map_of);

/* The address whose instruction decides what the frame is. */
static u64 place_of(const struct walk *w)
{
	return w->r.ip - !w->exact;
}
ENV_NOPROBE(place_of);

static void add(struct walk *w, const struct ktap_user_map *m)
{
	u64 file = 0, at = w->r.ip;

	if (m && m->file) {
		file = m->file;
		at = m->offset + (at - m->start);
	}
	at &= (1ULL << KTAP_USER_FILE_SHIFT) - 1;
	if (w->exact)
		ktap_stack_interrupted(w->s, w->max);
	/* the first caller has a mark of its own */
	if (w->guessed && w->s->nr > 1)
		w->s->flags |= KTAP_STACK_F_BY_FP;
	w->s->frames[w->s->nr++] = file << KTAP_USER_FILE_SHIFT | at;
}
ENV_NOPROBE(add);

static bool read_word(struct walk *w, u64 at, u64 *ret)
{
	if (env_user_word(at, ret)) {
		use_more(w);
		return false;
	}
	use_word(w, at, *ret);
	return true;
}
ENV_NOPROBE(read_word);

static bool get(struct walk *w, u64 at, u64 *ret)
{
	return !(at % WORD) && read_word(w, at, ret);
}
ENV_NOPROBE(get);

static bool get_fp(struct walk *w, u64 at)
{
	w->first_fp = false;
	return get(w, at, &w->r.fp);
}
ENV_NOPROBE(get_fp);

/* The caller was found: @sp is its stack pointer, if that is known. */
static bool go_on(struct walk *w, u64 ip, u64 sp, bool has_sp, u64 key)
{
	ip = env_user_address(ip);
	/* C libraries clear what would be the return address of the outermost function */
	if (!ip)
		return end(w, KTAP_STACK_COMPLETE);
	w->r.ip = ip;
	w->r.sp = sp;
	w->has_sp = has_sp;
	w->has_lr = false;
	w->exact = false;
	w->guessed = false;
	w->key = key;
	return true;
}
ENV_NOPROBE(go_on);

/* Frames are in the order of their addresses, on each stack. */
static bool by_fp(struct walk *w)
{
	u64 fp = use_fp(w), next, ip;

	/* a function that was interrupted may have no frame yet, or never one */
	if (w->s->nr == 1)
		w->s->flags |= KTAP_STACK_F_UNSURE;
	/* 0 ends a chain of frame pointers; elsewhere the register may have any number */
	if (!fp)
		return end(w, w->guessed ? KTAP_STACK_COMPLETE : KTAP_STACK_NO_TABLE);
	if ((w->has_sp && fp < w->r.sp) || !get(w, fp, &next) || !get(w, fp + WORD, &ip))
		return end(w, KTAP_STACK_NO_TABLE);
	if ((next && next <= fp) || (!ip && !w->guessed))
		return end(w, KTAP_STACK_NO_TABLE);
	w->r.fp = next;
	w->first_fp = false;
	if (!go_on(w, ip, fp + 2 * WORD, ENV_USER_FP_TELLS_SP,
		   ENV_USER_FP_TELLS_SP ? fp + WORD : 0))
		return false;
	w->guessed = true;
	return true;
}
ENV_NOPROBE(by_fp);

static bool by_signal(struct walk *w)
{
	static const struct ktap_user_sig at = ENV_USER_SIG;
	struct ktap_user_regs r = {};

	if (!w->has_sp || !get(w, w->r.sp + at.ip, &r.ip) ||
	    !get(w, w->r.sp + at.sp, &r.sp) || !get(w, w->r.sp + at.fp, &r.fp) ||
	    (at.lr && !get(w, w->r.sp + at.lr, &r.lr)))
		return end(w, KTAP_STACK_FAULT);
	w->r = r;
	w->r.ip = env_user_address(r.ip);
	w->has_sp = true;
	w->has_lr = at.lr;
	w->exact = true;
	w->guessed = false;
	w->first_fp = false;
	w->key = 0;
	return true;
}
ENV_NOPROBE(by_signal);

/* Return: whether the CFA is known. */
static bool find_cfa(struct walk *w, const struct ktap_user_rule *rule, u64 *cfa)
{
	s64 words = (s64)rule->cfa * WORD;

	switch (rule->kind) {
	case KTAP_USER_RULE_SP:
		*cfa = w->r.sp + words;
		return w->has_sp;
	case KTAP_USER_RULE_FP:
		*cfa = use_fp(w) + words;
		return true;
	case KTAP_USER_RULE_DEREF_FP:
		return get(w, use_fp(w) + words, cfa);
	default: /* KTAP_USER_RULE_PLT */
		*cfa = w->r.sp + WORD +
		       ((s64)(w->r.ip & 15) >= rule->cfa ? WORD : 0);
		return w->has_sp;
	}
}
ENV_NOPROBE(find_cfa);

/* Return: whether the frame pointer of the caller is known. */
static bool find_fp(struct walk *w, const struct ktap_user_rule *rule, u64 cfa)
{
	s64 words = (s64)rule->fp * WORD;

	if (rule->kind == KTAP_USER_RULE_DEREF_FP)
		return get_fp(w, w->r.fp + words);
	return !words || get_fp(w, cfa + words);
}
ENV_NOPROBE(find_fp);

static bool by_cfa(struct walk *w, const struct ktap_user_rule *rule)
{
	u64 cfa, ip, key = 0;

	if (!find_cfa(w, rule, &cfa) || (w->has_sp && cfa < w->r.sp))
		return end(w, KTAP_STACK_FAULT);
	if (rule->ra) {
		key = cfa + (s64)rule->ra * WORD;
		if (!get(w, key, &ip))
			return end(w, KTAP_STACK_FAULT);
	} else if (w->has_lr) {
		ip = use_lr(w);
	} else {
		return end(w, KTAP_STACK_FAULT);
	}
	if (!find_fp(w, rule, cfa))
		return end(w, KTAP_STACK_FAULT);
	return go_on(w, ip, cfa, true, env_user_call_sp(cfa, key));
}
ENV_NOPROBE(by_cfa);

static bool by_rule(struct walk *w, const struct ktap_user_rule *rule)
{
	switch (rule->kind) {
	case KTAP_USER_RULE_NONE:
		return by_fp(w);
	case KTAP_USER_RULE_UNKNOWN:
		return end(w, KTAP_STACK_NO_TABLE);
	case KTAP_USER_RULE_STOP:
		return end(w, KTAP_STACK_COMPLETE);
	case KTAP_USER_RULE_SIGNAL:
		return by_signal(w);
	default:
		return by_cfa(w, rule);
	}
}
ENV_NOPROBE(by_rule);

/*
 * A pending uretprobe has put the address of its trampoline in place of the return address. It
 * is the first byte of a mapping without a file.
 */
static void resolve(struct walk *w)
{
	const struct ktap_user_map *m = w->key ? map_of(w, w->r.ip) : NULL;
	u64 ip;

	if (!w->key || (m && m->has_file))
		return;
	use_more(w);
	if (env_user_return(w->key, &ip))
		w->r.ip = ip;
}
ENV_NOPROBE(resolve);

/* Whether the code of the frame, which has no table, returns from a signal handler. */
static bool is_sigreturn(struct walk *w)
{
	u64 code;

	return read_word(w, w->r.ip, &code) && env_user_sigreturn(code);
}
ENV_NOPROBE(is_sigreturn);

/* An address outside of code was found by mistake: the frame before it is the last one. */
static bool no_code(struct walk *w)
{
	return end(w, w->guessed ? KTAP_STACK_NO_TABLE : KTAP_STACK_FAULT);
}
ENV_NOPROBE(no_code);

/* The frame at w->r. Return: whether the walk continues. */
static bool next(struct walk *w)
{
	const struct ktap_user_rule *rule = NULL;
	const struct ktap_user_map *m;

	resolve(w);
	m = map_of(w, place_of(w));
	if (w->s->nr && (!m || !m->is_code))
		return no_code(w);
	if (w->s->nr == w->max)
		return end(w, KTAP_STACK_DEPTH);
	add(w, m);
	if (!m)
		return end(w, KTAP_STACK_FAULT);
	if (m->table)
		rule = ktap_user_rows_find(m->table,
					   m->offset + (place_of(w) - m->start));
	if (rule)
		return by_rule(w, rule);
	if (is_sigreturn(w))
		return by_signal(w);
	if (!m->has_file && m->file != KTAP_USER_VDSO)
		return end(w, KTAP_STACK_JIT);
	return by_fp(w);
}
ENV_NOPROBE(next);

/**
 * ktap_user_walk() - the user stack of the current task
 * @regs: registers of user code
 * @s: cleared; filled, except for its id
 * @max: frames at most
 * @read: filled, with what the walk has used; or NULL
 *
 * Unless @read->open, a walk that begins with the same registers has the same result, as long as
 * the words and mappings that it names stay as they are; where %KTAP_USER_NOTES_MAX is 0, all
 * mappings.
 *
 * Context: any, NMI included; preemption disabled, CPU marked busy; no fault is served.
 */
void ktap_user_walk(const struct ktap_user_regs *regs, struct ktap_stack *s, u32 max,
		    struct ktap_user_read *read)
{
	struct walk w __uninitialized;

	w.s = s;
	w.max = max;
	w.r = *regs;
	w.exact = true;
	w.has_lr = true;
	w.has_sp = true;
	w.guessed = false;
	w.first_fp = true;
	w.read = read;
	w.key = 0;
	w.nr_maps = 0;
	if (read) {
		read->open = false;
		read->fp = false;
		read->lr = false;
		read->nr = 0;
		read->nr_notes = 0;
	}
	while (next(&w))
		;
}
ENV_NOPROBE(ktap_user_walk);
