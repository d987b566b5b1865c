// SPDX-License-Identifier: GPL-2.0
/* Notices of the library to lines. */
#include "cli/notices.h"

#include "base/fmt.h"
#include "cli/signals.h"

static void show_note(const struct define_notice *n)
{
	switch (n->kind) {
	case DEFINE_NO_ADDRESSES:
		say_note("%s: ambiguous symbols cannot be recognized",
			 n->why);
		break;
	case DEFINE_LEFT_OUT:
		say_note("left out: %zu function%s, %sbecause %s", n->nr, fmt_s(n->nr),
			 n->nr == 1 ? "" : "the first ", n->why);
		break;
	case DEFINE_SAME_NAME:
		say_note("left out: %zu function%s without a unique name", n->nr, fmt_s(n->nr));
		break;
	case DEFINE_NO_KPROBE:
		say_note("left out: %zu function%s that kprobes themselves need", n->nr,
			 fmt_s(n->nr));
		break;
	case DEFINE_NO_ARGUMENT:
		say_note("argument %zu of the USDT probe is omitted: %s", n->nr,
			 n->why ? n->why : "out of memory");
		break;
	case DEFINE_WAITS:
		say_note("module '%s' is not loaded: the probe waits for it",
			 n->name);
		break;
	case DEFINE_REFUSED:
		say_note("%zu of %zu functions cannot be probed, the first is '%s': %s",
			 n->nr, n->total, n->name, n->why);
		break;
	case DEFINE_SKIPPED:
		say_note("left out: '%s': %s", n->name,
			 n->why ? n->why : "out of memory");
		break;
	default:
		break;
	}
}

bool notices_show(void *ctx, const struct define_notice *n)
{
	struct notices *s = ctx;

	if (n->kind == DEFINE_ADDING) {
		if (!s->adding)
			progress_init(&s->progress, "probes", n->total, s->quiet);
		s->adding = true;
		progress_step(&s->progress, n->nr);
		return signals_seen();
	}
	/* what follows does not stand on the line of the progress */
	if (s->adding)
		progress_deinit(&s->progress);
	if (n->kind == DEFINE_ADDED)
		s->adding = false;
	else if (!s->quiet)
		show_note(n);
	return false;
}
