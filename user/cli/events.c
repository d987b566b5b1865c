// SPDX-License-Identifier: GPL-2.0
/* Commands that do one thing to each event that their words name. */
#include "cli/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "cli/say.h"

struct events_options {
	bool verbose;
	bool quiet;
};

static int events_option(void *ctx, int key, const char *value,
			 struct diag *d)
{
	struct events_options *o = ctx;

	(void)value;
	(void)d;
	if (key == 'v')
		o->verbose = true;
	else
		o->quiet = true;
	return 0;
}

/* struct batch - events that one request names */
struct batch {
	uint32_t ids[KTAP_IDS_MAX];
	const char *names[KTAP_IDS_MAX];
	size_t nr;
	size_t slow;
};

static bool is_slow(const struct ctl_probe *p)
{
	return !p->hook || (strcmp(p->hook, "ftrace") &&
			    strcmp(p->hook, "syscall"));
}

/* The kernel bounds what one request may do: see KTAP_CMD_PROBE_SET. */
static bool batch_full(const struct batch *b, const struct ctl_probe *next)
{
	return b->nr == KTAP_IDS_MAX ||
	       (b->slow == KTAP_ARM_MAX && is_slow(next));
}

static int batch_do(struct ctl *ctl, struct batch *b,
		    const struct events_options *o, event_action action,
		    struct diag *d)
{
	int err = b->nr ? action(ctl, b->ids, b->nr, d) : 0;

	for (size_t i = 0; !err && o->verbose && i < b->nr; i++)
		print_line("%s", b->names[i]);
	b->nr = 0;
	b->slow = 0;
	return err;
}

/*
 * Those of the ftrace hook come first: a pattern finds both kinds, mixed, and if
 * each batch armed some kprobes, each next one would wait for the kernel, which
 * optimizes those under the lock that ftrace needs.
 */
static struct ctl_probe **in_order(const struct ctl_probes *all,
				   const bool *chosen, size_t *ret_nr)
{
	struct ctl_probe **list = calloc(all->nr + 1, sizeof(*list));
	size_t n = 0;

	for (int slow = 0; list && slow <= 1; slow++)
		for (size_t i = 0; i < all->nr; i++)
			if (chosen[i] && is_slow(&all->probes[i]) == slow)
				list[n++] = &all->probes[i];
	*ret_nr = n;
	return list;
}

static int act(struct ctl *ctl, const struct ctl_probes *all,
	       const bool *chosen, const struct events_options *o,
	       event_action action, struct diag *d)
{
	_cleanup_free_ struct ctl_probe **list = NULL;
	struct progress progress;
	struct batch b = { 0 };
	size_t nr, done = 0;
	int err = 0;

	list = in_order(all, chosen, &nr);
	if (!list)
		return diag_no_memory(d);
	progress_init(&progress, "events", 0, o->quiet);
	for (size_t i = 0; !err && i < nr; i++) {
		const struct ctl_probe *p = list[i];

		if (batch_full(&b, p)) {
			err = batch_do(ctl, &b, o, action, d);
			progress_step(&progress, done);
		}
		b.names[b.nr] = p->name;
		b.ids[b.nr++] = p->id;
		b.slow += is_slow(p);
		done++;
	}
	if (!err)
		err = batch_do(ctl, &b, o, action, d);
	progress_deinit(&progress);
	return err;
}

static int choose_and_act(const struct words *words,
			  const struct events_options *o, event_action action,
			  struct diag *d)
{
	struct ctl_probes all = { 0 };
	_cleanup_free_ bool *chosen = NULL;
	struct ctl *ctl = NULL;
	int err;

	if (!words->nr)
		return diag_set(d, -EINVAL, DIAG_MISSING_WORD,
				"the name of an event");
	err = ctl_open(d, &ctl);
	if (!err)
		err = ctl_probes_get(ctl, d, &all);
	if (!err)
		err = events_choose(&all, (const char *const *)words->word,
				    words->nr, d, &chosen);
	if (!err)
		err = act(ctl, &all, chosen, o, action, d);
	ctl_probes_deinit(&all);
	ctl_close(ctl);
	return err;
}

int events_command(const struct usage *usage, int argc, char **argv,
		   event_action action)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct events_options o = { 0 };
	struct words words;
	int ret;

	ret = options_parse(usage, argc, argv, events_option, &o, &d, &words);
	if (ret > 0)
		return 0;
	if (!ret)
		ret = choose_and_act(&words, &o, action, &d);
	return ret ? say_failure(&d, NULL) : 0;
}
