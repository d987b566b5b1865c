// SPDX-License-Identifier: GPL-2.0
/* Words of a command line to the probes of a session. */
#include "cli/target.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "cli/account.h"
#include "cli/child.h"
#include "cli/events.h"
#include "cli/say.h"
#include "define/bundle.h"

void targets_deinit(struct targets *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		free(t->target[i].name);
		free(t->target[i].blob);
	}
	free(t->target);
	*t = (struct targets){ 0 };
}

/* Takes over @blob, also when it fails. */
static int append(struct targets *t, uint32_t id, uint32_t type,
		  const char *name, void *blob, size_t blob_size, struct diag *d)
{
	struct target *more;
	char *copy = strdup(name);

	more = array_grow(t->target, t->nr, sizeof(*more));
	if (more)
		t->target = more;
	if (!more || !copy) {
		free(copy);
		free(blob);
		return diag_no_memory(d);
	}
	t->target[t->nr++] = (struct target){
		.id = id, .name = copy, .blob = blob, .blob_size = blob_size,
		.type = type,
	};
	return 0;
}

/* struct adding - where what a bundle defines goes */
struct adding {
	struct targets *t;
	struct definer *df;
};

static int add(void *ctx, struct definition *def, struct diag *d)
{
	const struct adding *a = ctx;
	struct targets *t = a->t;
	struct definition *point;
	int err = define_add(a->df, def, d);

	for (point = def; !err && point; point = point->next) {
		if (!point->id)
			continue;
		err = append(t, point->id, point->place.type,
			     point->spec->name, take_ptr(point->blob),
			     point->blob_size, d);
		if (!err)
			t->target[t->nr - 1].timed = point->timed;
	}
	return err;
}

static int define(struct targets *t, struct definer *df, const char *text,
		  struct diag *d)
{
	_cleanup_(definition_freep) struct definition *def = NULL;
	struct adding a = { .t = t, .df = df };
	int err;

	if (bundle_is_one(text))
		return bundle_use(df, text, add, &a, d);
	err = define_compile(df, text, d, &def);
	return err ? err : add(&a, def, d);
}

/* The other slip: a command without the '--' before it. */
static bool hint_command(const struct words *words, int failed, struct diag *d)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (!failed || words->command || !child_can_run(words->word[failed]))
		return false;
	for (int i = 0; i < failed; i++)
		buf_printf(&text, "'%s' ", words->word[i]);
	buf_puts(&text, "--");
	for (int i = failed; i < words->nr; i++)
		buf_printf(&text, " %s", words->word[i]);
	free(take_ptr(d->hint));
	diag_hint(d, "a command has '--' before it: %s", buf_str(&text));
	return true;
}

/*
 * The usual slip: a definition without quotes. Where this word and those
 * before it make sense as one definition, that is the advice.
 */
static void hint_quotes(const struct definer *df, const struct words *words,
			int failed, struct diag *d)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	const struct words first = { .word = words->word, .nr = failed + 1 };
	struct probe_spec *spec = NULL;

	words_join(&first, &text);
	if (!failed || spec_parse_with(buf_str(&text), df->file, df->params, NULL, &spec))
		return;
	spec_free(spec);
	free(take_ptr(d->hint));
	diag_hint(d, "did you mean one quoted definition: '%s'?",
		  buf_str(&text));
}

int targets_define(struct targets *t, struct definer *df,
		   const struct words *words, struct diag *d)
{
	for (int i = 0; i < words->nr; i++) {
		int err = define(t, df, words->word[i], d);

		if ((err == -EINVAL || err == -ENOENT) &&
		    !hint_command(words, i, d))
			hint_quotes(df, words, i, d);
		if (err)
			return err;
	}
	return 0;
}

static bool has(const struct targets *t, uint32_t id)
{
	for (size_t i = 0; i < t->nr; i++) {
		if (t->target[i].id == id)
			return true;
	}
	return false;
}

/* Return: how many of @all @pattern names, or negative. */
static int append_matches(struct targets *t, struct ctl *ctl,
			  const struct ctl_probes *all, const char *pattern,
			  struct diag *d)
{
	int err = 0, nr = 0;
	size_t size;
	void *blob;

	for (size_t i = 0; !err && i < all->nr; i++) {
		const struct ctl_probe *p = &all->probes[i];

		if (!event_matches(p, pattern))
			continue;
		nr++;
		if (has(t, p->id))
			continue;
		err = ctl_blob_get(ctl, p->id, d, &blob, &size);
		if (!err)
			err = append(t, p->id, p->type, p->name, blob, size, d);
	}
	return err ? err : nr;
}

/* What is defined here does not match: the kernel is asked once for all words. */
int targets_choose(struct targets *t, struct definer *df,
		   const struct words *words, struct diag *d)
{
	struct ctl_probes all = { 0 };
	int n = words->nr ? ctl_probes_get(df->ctl, d, &all) : 0;

	for (int i = 0; n >= 0 && i < words->nr; i++) {
		n = append_matches(t, df->ctl, &all, words->word[i], d);
		if (!n)
			n = define(t, df, words->word[i], d);
	}
	ctl_probes_deinit(&all);
	return n < 0 ? n : 0;
}

int targets_all(struct targets *t, struct definer *df, struct diag *d)
{
	struct ctl_probes all = { 0 };
	int n = ctl_probes_get(df->ctl, d, &all);

	if (!n)
		n = append_matches(t, df->ctl, &all, "*", d);
	ctl_probes_deinit(&all);
	if (n)
		return n < 0 ? n : 0;
	diag_set(d, -ENOENT, DIAG_EVENT_NONE);
	diag_hint(d, "'ktap add' defines one, or give a definition with -e");
	return -ENOENT;
}

int targets_describe(const struct targets *t, struct decoder *dec, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; !err && i < t->nr; i++)
		err = decoder_probe(dec, t->target[i].id, t->target[i].name, t->target[i].blob,
				    t->target[i].blob_size, d);
	return err;
}

static void add_point(struct target *sum, const struct target *t)
{
	account_add(&sum->counts, &t->counts);
	sum->missed += t->missed;
	sum->unfollowed += t->unfollowed;
	sum->errors += t->errors;
	sum->time_ns += t->time_ns;
	state_add(&sum->state, &t->state, 1);
	sum->timed |= t->timed;
	sum->has_state |= t->has_state;
	sum->overloaded |= t->overloaded;
	sum->locked_down |= t->locked_down;
}

bool targets_event(const struct targets *t, size_t first, struct target *ret)
{
	const char *name = t->target[first].name;

	for (size_t i = 0; i < first; i++)
		if (!strcmp(t->target[i].name, name))
			return false;
	*ret = t->target[first];
	for (size_t i = first + 1; i < t->nr; i++)
		if (!strcmp(t->target[i].name, name))
			add_point(ret, &t->target[i]);
	return true;
}

static bool in_program(const struct target *t)
{
	return t->type == KTAP_TYPE_UPROBE || t->type == KTAP_TYPE_URETPROBE;
}

static void note_file(struct targets *t, const struct ctl_probe *p, const char **noted)
{
	for (size_t i = 0; i < t->nr; i++) {
		struct target *target = &t->target[i];

		if (target->id != p->id || target->file_state == p->file_state)
			continue;
		target->file_state = p->file_state;
		/* an event may have many points */
		if (*noted && !strcmp(*noted, target->name))
			continue;
		*noted = target->name;
		say_note(p->file_state == KTAP_FILE_REPLACED ?
			 "'%s': its file was removed or replaced: only processes that run the old one are probed" :
			 "'%s': its file was changed: processes that started after that are not probed",
			 target->name);
	}
}

void targets_note_files(struct targets *t, struct ctl *ctl)
{
	struct ctl_probes all = { 0 };
	const char *noted = NULL;
	bool any = false;

	for (size_t i = 0; i < t->nr; i++)
		any |= in_program(&t->target[i]);
	if (!any || ctl_probes_get(ctl, NULL, &all))
		return;
	for (size_t i = 0; i < all.nr; i++)
		if (all.probes[i].file_state)
			note_file(t, &all.probes[i], &noted);
	ctl_probes_deinit(&all);
}

/* Returns of programs that lack only what the entry had are hits. */
static uint64_t unfollowed(const struct ctl_stats *s, uint32_t type)
{
	if (!s->is_return)
		return 0;
	return s->returns.too_deep +
	       (type == KTAP_TYPE_URETPROBE ? 0 : s->returns.no_instance);
}

static void set_missed(struct targets *t, const struct ctl_stats *s, bool end)
{
	for (size_t i = 0; i < t->nr; i++) {
		struct target *target = &t->target[i];

		if (target->id != s->id)
			continue;
		if (end) {
			target->missed = s->missed - target->missed_before;
			target->unfollowed = unfollowed(s, target->type) -
					     target->unfollowed_before;
			target->state = s->state;
			state_add(&target->state, &target->state_before, -1);
		} else {
			target->missed_before = s->missed;
			target->unfollowed_before = unfollowed(s, target->type);
			target->has_state = s->has_state;
			target->state_before = s->state;
		}
	}
}

int targets_missed(struct targets *t, struct ctl *ctl, bool end,
		   struct diag *d)
{
	struct ctl_stats_list list = { 0 };
	int err;

	err = ctl_stats_get(ctl, false, d, &list);
	for (size_t i = 0; !err && i < list.nr; i++)
		set_missed(t, &list.rows[i], end);
	ctl_stats_deinit(&list);
	return err;
}

static void set_times(struct targets *t, const struct ctl_stats *s)
{
	for (size_t i = 0; i < t->nr; i++) {
		struct target *target = &t->target[i];

		if (target->id != s->id || !target->timed)
			continue;
		target->errors = s->returns.errors;
		target->time_ns = s->returns.time;
	}
}

int targets_times(struct targets *t, struct ctl *ctl, struct diag *d)
{
	struct ctl_stats_list list = { 0 };
	bool any = false;
	int err = 0;

	for (size_t i = 0; i < t->nr; i++)
		any |= t->target[i].timed;
	if (any)
		err = ctl_stats_get(ctl, false, d, &list);
	for (size_t i = 0; !err && i < list.nr; i++)
		set_times(t, &list.rows[i]);
	ctl_stats_deinit(&list);
	return err;
}

static void tell_overloaded(struct targets *t, const struct ctl_stats *s)
{
	for (size_t i = 0; i < t->nr; i++) {
		struct target *target = &t->target[i];

		if (target->id != s->id || target->overloaded)
			continue;
		say_note("%s: disarmed, it took too much of a CPU (the module's overload_percent)",
			 target->name);
		target->overloaded = true;
	}
}

bool targets_locked_down(const struct targets *t)
{
	for (size_t i = 0; i < t->nr; i++)
		if (t->target[i].locked_down)
			return true;
	return false;
}

/* All of them go together: it is said once. */
static void tell_locked_down(struct targets *t, const struct ctl_stats *s)
{
	bool told = targets_locked_down(t);

	for (size_t i = 0; i < t->nr; i++) {
		struct target *target = &t->target[i];

		if (target->id != s->id)
			continue;
		target->locked_down = true;
		if (!told)
			say_note("kernel lockdown (confidentiality) was raised: recording stopped");
		told = true;
	}
}

int targets_disarmed(struct targets *t, struct ctl *ctl, struct diag *d)
{
	struct ctl_stats_list list = { 0 };
	int err, n = 0;

	err = ctl_stats_get(ctl, false, d, &list);
	for (size_t i = 0; !err && i < list.nr; i++) {
		if (list.rows[i].overloaded)
			tell_overloaded(t, &list.rows[i]);
		if (list.rows[i].locked_down)
			tell_locked_down(t, &list.rows[i]);
	}
	ctl_stats_deinit(&list);
	for (size_t i = 0; i < t->nr; i++)
		n += t->target[i].overloaded || t->target[i].locked_down;
	return err ? err : n;
}
